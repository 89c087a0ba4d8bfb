"""Engines to test those who talk to engines: a right one, and many with one defect each."""

from engines import answers, doings, games, wire
from engines.defects import DEFECTS, FAILS

__all__ = ["DEFECTS", "FAILS", "answers", "doings", "games", "wire"]
