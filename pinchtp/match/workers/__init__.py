"""Who plays the games: worker processes on this machine, or on a cluster."""
