"""How networks are trained: games of the engine against itself, and training on them.

Start reading at `run`. `play` plays games, `games` are what it leaves on disk, `samples` what
training makes of them, `model` is the network as JAX sees it and `export` as the engine does.
"""
