"""The table: a game with all its lines, by our rules; what is told of it, and how it is kept."""
