"""The results of a match: its store, its statistics, and their display."""
