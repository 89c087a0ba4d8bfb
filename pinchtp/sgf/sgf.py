"""What writing and reading have in common: nodes, and the words that stand in them."""

from __future__ import annotations

from typing import Any

from pinchtp.games import Color
from pinchtp.games.history import Entry, Turn

APPLICATION = "pinchtp"
SWAPPED = "swapped"  # in RU: the colors were exchanged at the start

Node = dict[str, list[bytes]]  # the properties of a node, each with its values as they stand


class RecordError(ValueError):
    """No record that can be loaded, or a file that cannot be read or written; the text says why."""


def sgfmill() -> Any:
    """sgfmill's grammar, imported at its first use: most processes never need it."""
    from sgfmill import sgf_grammar  # noqa: PLC0415

    return sgf_grammar


def resignation(color: Color) -> str:
    return f"{color} resigns"


def remark(turn: Entry | Turn) -> str:
    """The comment on a move of ours that has no other."""
    return "" if turn.winrate is None else f"win rate {percent(turn.winrate):.2f} %"


def percent(probability: float) -> float:
    return round(100 * probability, 2)


def for_black(chance: float, color: Color) -> float:
    """Black's chance, in percent, from the one of a color; and the other way round."""
    return chance if color is Color.BLACK else 100 - chance


RESIGNATIONS = {resignation(color).encode(): color for color in Color}


# Private properties of a start that was set up: which of its stones are kings, and which points are
# banned for the first move.
KINGS_ARE, BANS = "KI", "BN"

# Private property of a move that is not the point in B or W alone: its whole text, as for `play`.
WHOLE_MOVE = "MV"
