"""What knows no game: options, clocks, text, files, streams, signals, clusters."""
