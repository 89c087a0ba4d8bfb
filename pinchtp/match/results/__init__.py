"""The results of a match: store, statistics, and their display."""
