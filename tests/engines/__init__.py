"""Engines for tests of GTP clients: a correct one, and many with one fault each."""

from engines import answers, doings, games, wire
from engines.defects import DEFECTS, FAILS

__all__ = ["DEFECTS", "FAILS", "answers", "doings", "games", "wire"]
