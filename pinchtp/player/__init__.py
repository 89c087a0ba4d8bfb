"""The engine's own thinking: how it is set up, networks, search and time."""
