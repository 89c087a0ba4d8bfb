"""How networks are trained: games of the engine against itself, and training on them.

Start reading at `__main__`. `games` are what self-play leaves on disk, `samples` what training
makes of them, `model` is the network as JAX sees it and `export` as the engine does.
"""
