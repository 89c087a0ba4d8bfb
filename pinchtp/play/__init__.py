"""A game against the engine at a terminal: `pinchtp play`."""

from pinchtp.play.command import main

__all__ = ["main"]
