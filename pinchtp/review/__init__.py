"""Reviews of games: the winrate of each move, and the mistakes."""
