"""What one game is.

Plain values, so that a game can be sent to another process or machine. Colors are `black` and
`white`; times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from pinchtp.games import Color


@dataclass(frozen=True)
class Opening:
    """Moves made before the engines take over, as text, black's (or the first player's) first."""

    name: str = ""
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Task:
    """One game to be played.

    number: its place in the schedule, from 0, which identifies it in the store. pair: number of the
    pair of games with one opening and colors exchanged. attempt: from 0, more for a void game that
    is replayed. black, white: names of engines. seed: for whatever the game's runner draws.
    """

    number: int
    pair: int
    black: str
    white: str
    opening: Opening
    seed: int
    attempt: int = 0

    @property
    def label(self) -> int:
        """The number by which people know it, counted from 1."""
        return self.number + 1

    @property
    def attempt_label(self) -> str:
        """The same, with the attempt, if it is not the first."""
        return f"{self.label}" + (f".{self.attempt + 1}" if self.attempt else "")

    def player(self, color: Color) -> str:
        return self.black if color == Color.BLACK else self.white
