"""Parts of SGF that do not depend on the game: words, sizes, points, and moves as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pinchtp.games import GAMES, MAX_SIZE, MIN_SIZE, Color, GameType, Position
from pinchtp.games.game import PIECES, color_of, stone_of
from pinchtp.games.history import PlayedMove, Turn
from pinchtp.games.notation import SWAP_WORDS, SwapSpelling, format_move, point
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf.syntax import SgfNode, first_text, text_value

APPLICATION = "pinchtp"
SWAPPED = "swapped"  # in RU: the colors are exchanged at the start


def resignation(color: Color) -> str:
    return f"{color} resigns"


def default_comment(turn: PlayedMove | Turn) -> str:
    """Returns the comment on an engine's move that has no other comment."""
    return "" if turn.winrate is None else f"winrate {percent(turn.winrate)} %"


def percent(probability: float) -> str:
    return f"{100 * probability:.2f}"


RESIGNATIONS = {resignation(color): color for color in Color}


# Private properties of a set-up position: kings, and points banned for the first move.
KINGS_ARE, BANS = "KI", "BN"

SETUP = ("AE", "AB", "AW")  # by the viewer's cell: empty, black, white
_SHOWN = bytes(stone_of(color_of(cell)) if cell in PIECES else 0 for cell in range(256))

# Private property with the complete text of a move, as for `play`, if B or W is not enough.
WHOLE_MOVE = "MV"


_SINGLE = """
AN AP BL BM BR BT CP DM DO DT EV FF FG GB GC GM GN GW HA HO IT KM KO MN N OB ON OT OW PB PC PL PM PW
RE RO RU SBKV SO ST SZ TE TM UC US V WL WR WT
"""
SINGLE = frozenset(_SINGLE.split())  # properties with one value: those of FF[4], and SBKV

RESIGN_WORDS = ("resign", "forfeit")
WORDS = (SwapSpelling.PASS, *SWAP_WORDS, *RESIGN_WORDS)  # their letters may also be points


def find_named_game(root: SgfNode) -> GameType | None:
    """Returns the game that a root names in RU or GN; None without one."""
    for name in ("RU", "GN"):
        words = first_text(root, name).partition(",")[0].strip().lower()
        for game in GAMES.values():
            if words in (game.name, game.title.lower()):
                return game
    return None


def board_size(root: SgfNode) -> tuple[int, int]:
    """Returns the columns and rows of the board. Raises RecordError for an invalid size.

    Without SZ, the size is 11 for GM[11], Hex, and otherwise 19.
    """
    default = "11" if first_text(root, "GM") == "11" else "19"
    value = first_text(root, "SZ") if "SZ" in root else default
    match = re.fullmatch(r"([0-9]{1,3})(?::([0-9]{1,3}))?", value)
    if not match:
        raise RecordError(f"SZ[{shown(value)}] is not a board size")
    width, height = int(match[1]), int(match[2] or match[1])
    if not all(MIN_SIZE <= size <= MAX_SIZE for size in (width, height)):
        raise RecordError(
            f"SZ[{shown(value)}]: boards have {MIN_SIZE} to {MAX_SIZE} columns and rows"
        )
    return width, height


def column_row(value: str, width: int, height: int) -> tuple[int, int]:
    """Returns column and row, from 0 at the lower left, of Go's `cd` or Hex's `c4`.

    Raises RecordError for another value or a point off the board.
    """
    match = re.fullmatch(r"([a-z])(?:([a-z])|0?([1-9][0-9]?))", value.strip().lower())
    if not match:
        raise RecordError(f"{shown(value) or 'an empty value'} is not a point")
    x = ord(match[1]) - ord("a")
    y = height - 1 - (ord(match[2]) - ord("a") if match[2] else int(match[3]) - 1)
    if not (x < width and y >= 0):
        raise RecordError(f"{shown(value)} is not on the {width}x{height} board")
    return x, y


def is_move(node: SgfNode) -> bool:
    """Returns whether a node has a move or a resignation."""
    return "B" in node or "W" in node or first_text(node, "N") in RESIGNATIONS


def end_of_moves(nodes: list[SgfNode], plies: int | None) -> int:
    """Returns the number of nodes before the move after the first `plies` moves; None: of all."""
    moves = [at for at, node in enumerate(nodes) if is_move(node)]
    return len(nodes) if plies is None or plies >= len(moves) else moves[plies]


def move_texts(nodes: list[SgfNode]) -> Iterator[str]:
    """Yields the moves of a main line as texts for GTP, in any game.

    Points are written as vertices, those of one turn joined by commas. An empty value is a pass.
    Words and the texts of complete moves are unchanged. Raises RecordError.
    """
    width, height = board_size(nodes[0])
    for node in nodes:
        if WHOLE_MOVE in node and is_move(node):
            yield first_text(node, WHOLE_MOVE)
            continue
        for value in (*node.get("B", []), *node.get("W", [])):
            word = text_value(value).strip()
            if word == "" or is_pass(word, width, height):
                yield SwapSpelling.PASS.value
            elif word not in WORDS and re.fullmatch(r"(?>(?:[a-y]{2})+)", word):
                pairs = (word[at : at + 2] for at in range(0, len(word), 2))
                points = (column_row(pair, width, height) for pair in pairs)
                yield ",".join(format_move(point(x, y)) for x, y in points)
            else:
                yield word


def stones(position: Position) -> bytes:
    """Returns the cells that a Go viewer can show: 0 empty, 1 black, 2 white."""
    return position.cells().translate(_SHOWN)


def is_pass(word: str, width: int, height: int) -> bool:
    """Returns whether a value is `tt`, Go's old word for a pass; on large boards it is a point."""
    return word == "tt" and max(width, height) <= 19


def shown(value: str) -> str:
    """Returns a value of a file for an error message."""
    return ascii(value.strip()[:20])[1:-1]
