"""Code without games: options, clocks, text, files, streams, signals, clusters."""
