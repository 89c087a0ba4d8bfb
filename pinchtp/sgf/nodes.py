"""SGF before the game is known: nodes, words, sizes, points, and moves as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pinchtp.games import MAX_SIZE, MIN_SIZE, Color
from pinchtp.games.history import PlayedMove, Turn
from pinchtp.games.notation import SWAP_WORDS, SwapSpelling, format_move, point
from pinchtp.games.session import MOST_MOVES

APPLICATION = "pinchtp"
SWAPPED = "swapped"  # in RU: the colors were exchanged at the start

Node = dict[str, list[bytes]]  # the properties of a node, each with its values as they stand


class SgfError(ValueError):
    """An invalid record, or a file that cannot be read or written; the text has the reason."""


def sgfmill() -> Any:
    """sgfmill's grammar, imported at its first use: most processes never need it."""
    from sgfmill import sgf_grammar  # noqa: PLC0415

    return sgf_grammar


def resignation(color: Color) -> str:
    return f"{color} resigns"


def default_comment(turn: PlayedMove | Turn) -> str:
    """Returns the comment on an engine move without another comment."""
    return "" if turn.winrate is None else f"win rate {percent(turn.winrate):.2f} %"


def percent(probability: float) -> float:
    return round(100 * probability, 2)


def for_black(chance: float, color: Color) -> float:
    """Black's chance, in percent, from the one of a color; and the other way round."""
    return chance if color is Color.BLACK else 100 - chance


RESIGNATIONS = {resignation(color).encode(): color for color in Color}


# Private properties of a set-up position: its kings, and the points banned for the first move.
KINGS_ARE, BANS = "KI", "BN"

# Private property of a move that is not the point in B or W alone: its whole text, as for `play`.
WHOLE_MOVE = "MV"


MAX_NODES = 5 * MOST_MOVES  # with variations and setup

_VALUE = re.compile(rb"\[(?>(?:[^]\\]++|\\.)*)]?", re.DOTALL)  # of a property


RESIGN_WORDS = ("resign", "forfeit")
WORDS = (SwapSpelling.PASS, *SWAP_WORDS, *RESIGN_WORDS)  # whose letters may also be points


def checked_size(data: bytes) -> None:
    """Raises SgfError for more nodes than a file may have."""
    if _VALUE.sub(b"", data).count(b";") > MAX_NODES:  # they take a hundred times their bytes
        raise SgfError(f"more than {MAX_NODES} nodes")


def main_line(data: bytes) -> list[Node]:
    """The nodes of the first game's main line, the root first."""
    checked_size(data)
    sgf = sgfmill()
    try:
        return list(sgf.main_sequence_iter(sgf.parse_sgf_game(data)))
    except ValueError as error:
        raise SgfError(f"no SGF: {error}") from None


def board_size(root: Node) -> tuple[int, int]:
    """Columns and rows; SGF leaves a size out if it is the usual one of the game."""
    usual = b"11" if root.get("GM", [b""])[0].strip() == b"11" else b"19"
    value = root.get("SZ", [usual])[0].strip()
    found = re.fullmatch(rb"([0-9]{1,3})(?::([0-9]{1,3}))?", value)
    if not found:
        raise SgfError(f"SZ[{shown(value)}] is not a board size")
    width, height = int(found[1]), int(found[2] or found[1])
    if not all(MIN_SIZE <= size <= MAX_SIZE for size in (width, height)):
        raise SgfError(f"SZ[{shown(value)}]: boards have {MIN_SIZE} to {MAX_SIZE} columns and rows")
    return width, height


def column_row(value: bytes, width: int, height: int) -> tuple[int, int]:
    """Column and row from the lower left, of Go's `cd` or Hex's `c4`."""
    found = re.fullmatch(rb"([a-z])(?:([a-z])|0?([1-9][0-9]?))", value.strip().lower())
    if not found:
        raise SgfError(f"{shown(value) or 'an empty value'} is not a point")
    x = found[1][0] - ord("a")
    y = height - 1 - (found[2][0] - ord("a") if found[2] else int(found[3]) - 1)
    if not (x < width and y >= 0):
        raise SgfError(f"{shown(value)} is not on a board of {width}x{height}")
    return x, y


def main_lines(data: bytes) -> list[list[Node]]:
    """The nodes of the main lines of all games in a file, the roots first. Raises SgfError."""
    try:
        games = sgfmill().parse_sgf_collection(data)
    except ValueError as error:
        raise SgfError(f"no SGF: {error}") from None
    return [list(sgfmill().main_sequence_iter(game)) for game in games]


def is_move(node: Node) -> bool:
    """Whether a node has a move or a resignation."""
    return "B" in node or "W" in node or node.get("N", [b""])[0] in RESIGNATIONS


def move_texts(nodes: list[Node]) -> Iterator[str]:
    """Yields the moves of a main line as texts for GTP, in any game.

    Points are written as vertices, those of one turn with commas between them; an empty value
    is a pass; words and the texts of complete moves are unchanged. Raises SgfError.
    """
    width, height = board_size(nodes[0])
    for node in nodes:
        if WHOLE_MOVE in node and is_move(node):
            yield sgfmill().text_value(node[WHOLE_MOVE][0]).decode("ascii", "replace").strip()
            continue
        for value in (*node.get("B", []), *node.get("W", [])):
            word = value.strip().decode("ascii", "replace")
            if word == "" or is_pass(word, width, height):
                yield SwapSpelling.PASS.value
            elif word not in WORDS and re.fullmatch(r"(?>(?:[a-y]{2})+)", word):
                pairs = (word[at : at + 2].encode() for at in range(0, len(word), 2))
                points = (column_row(pair, width, height) for pair in pairs)
                yield ",".join(format_move(point(x, y)) for x, y in points)
            else:
                yield word


def is_pass(word: str, width: int, height: int) -> bool:
    """Whether a value is Go's old word for a pass, which large boards have as a point."""
    return word == "tt" and max(width, height) <= 19


def shown(value: bytes) -> str:
    """Returns a value of a file for the text of an error."""
    return ascii(value.strip()[:20].decode("latin-1"))[1:-1]
