"""Trains networks by self-play.

Start reading at `run`. `play` plays games, `games` stores them, `samples` converts them to training
data; `model` is the network in JAX, and `export` writes it for the engine.
"""
