"""Trains networks: self-play games, and training on them.

Start reading at `run`. `play` plays games, `games` stores them, `samples` turns them into training
data; `model` is the network in JAX, and `export` writes it for the engine.
"""
