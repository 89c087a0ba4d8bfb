"""The requests of a page: a function for each, registered by importing the file of its subject."""

from pinchtp.board.requests import engines, games, library, moves, page, puzzles, tree

__all__ = ["engines", "games", "library", "moves", "page", "puzzles", "tree"]
