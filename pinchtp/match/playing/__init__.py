"""The playing of games: engines, the referee, and the workers that keep them."""
