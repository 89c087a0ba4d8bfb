"""Bushka's notations: the published one, squares joined by hyphens, and single squares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pinchtp._core import PASS, Position
from pinchtp.games.notation import (
    COLUMNS,
    AmbiguousMove,
    NoSuchMove,
    NotationError,
    coordinates,
    format_move,
    is_point,
    point,
    point_of,
    whole_turns,
)

LETTERS = "abcdefghij"
DIGITS = "1234567890"  # 0 stands for ten

_NO_SQUARE = -1

# Two squares, the second shortened to its new coordinate. `x` between them is a capture by a
# phalanx; `x` at the end is a capture by a piece, which may return to its square.
_SHORT = r"""(?x)
        (?P<letter>[a-j])
        (?: x?[a-j](?P<digit>[0-9])x?            # gf5 gxe6 de6x
          | (?P<same>[0-9])(?: x?[0-9]x? | [a-j][0-9]x? | x )   # e64 e1x3 e23x d5e4x f6x
        )
        (?P<victims>\[[a-j][0-9](?>(?:,[a-j][0-9])*)\])?"""
_VERTEX = r"(?:[a-k](?:10|[0-9]))"
_SQUARES = (
    rf"(?P<squares>{_VERTEX}(?>(?:-{_VERTEX})*))(?P<victims>\[{_VERTEX}(?>(?:,{_VERTEX})*)\])?"
)
_MOST_LISTED = 12


class _Turn(NamedTuple):
    """A legal turn, all squares as moves of the core."""

    parts: tuple[int, ...]
    origin: int
    target: int
    taken: frozenset[int]
    by_phalanx: bool


class BushkaNotation:
    """The published notation (protocol.md, "Moves of Bushka"), with victims where ambiguous.

    parse() accepts it in upper and lower case, and also squares joined by hyphens: origin and
    target, with victims where needed (`d5-e4[d3,f4]`), or all parts of a turn. Squares in upper
    case are first read as vertices of GTP, whose columns skip I and whose tenth row is 10; others
    are first read as Bushka's squares. If the result is not legal, the other reading is tried.
    """

    multi_part = True
    columns = LETTERS

    def row_label(self, y: int) -> str:
        """Returns the digit of a row. y: from 0 at the bottom."""
        return DIGITS[y]

    def format(self, position: Position, moves: Sequence[int]) -> str:
        """Returns the text of a legal turn, unique among the legal turns.

        The parts of an incomplete turn are joined by hyphens.
        """
        turns = () if position.mid_turn else _turns(position)
        for turn in turns:
            if turn.parts == tuple(moves):
                return _text(turn, turns)
        return "-".join(_name(move) for move in moves)

    def parse(self, text: str, position: Position) -> tuple[int, ...]:
        """Returns the parts of the legal turn for a text, or the one part for a square.

        `pass` is accepted, but never legal before the end of the game.

        Raises NotationError for a text that is not a move, and its subclasses AmbiguousMove for a
        text that matches several legal turns and NoSuchMove for one that matches none.
        """
        word = text.lower() if text.isascii() else ""  # some other characters have ASCII lower case
        if word == "pass":
            return (PASS,)
        if match := re.fullmatch(_SQUARES, word):
            return _parse_squares(text, match, position)
        if match := re.fullmatch(_SHORT, word):
            return _parse_short(text, match, position)
        raise NotationError(
            f"invalid move {text[:20]!r}: use the published notation such as e64, e1x3 or d5e4x, "
            "two squares such as e6-e4, or one square"
        )

    def parse_point(self, text: str, position: Position) -> int:
        if text.isascii() and re.fullmatch(_VERTEX, text.lower()):
            for read in _readings(text):
                if (square := read(text.lower())) != _NO_SQUARE:
                    return square
        raise NotationError(f"{text[:20]!r} is not a square such as e6, or a vertex such as E6")


def _readings(text: str) -> list[Callable[[str], int]]:
    """Returns the functions that read a square of a text, the likelier one first."""
    return [_gtp_vertex, _own_square] if text.isupper() else [_own_square, _gtp_vertex]


def _parse_squares(text: str, match: re.Match[str], position: Position) -> tuple[int, ...]:
    readings = _readings(text)
    names = match["squares"].split("-")
    for read in readings:
        squares = tuple(map(read, names))
        victims = _victims(match, read)
        matches = _match_squares(position, squares, victims)
        if matches:
            return _only(text, matches, position)
    raise _no_such_move(text, readings[0](names[0]), position)


def _match_squares(
    position: Position, squares: tuple[int, ...], victims: frozenset[int] | None
) -> list[tuple[int, ...]]:
    """Returns the legal turns that match the squares, as parts, in order."""
    if len(squares) == 1 and victims is None:
        return [squares] if position.is_legal(squares[0]) else []
    if victims is None and (position.mid_turn or len(squares) > 2):
        return [parts for parts, _ in whole_turns(position) if parts == squares]
    if position.mid_turn:
        return []
    return [
        turn.parts
        for turn in _turns(position)
        if (turn.origin, turn.target) == squares and victims in (None, turn.taken)
    ]


def _parse_short(text: str, match: re.Match[str], position: Position) -> tuple[int, ...]:
    origin = _own_square(match["letter"] + (match["digit"] or match["same"]))
    if position.mid_turn:
        raise _no_such_move(text, origin, position)
    bare = match.string.partition("[")[0]
    victims = _victims(match, _own_square)
    matches = [
        turn.parts
        for turn in _turns(position)
        if _bare_text(turn) == bare and victims in (None, turn.taken)
    ]
    if not matches:
        raise _no_such_move(text, origin, position)
    return _only(text, matches, position)


def _only(text: str, matches: list[tuple[int, ...]], position: Position) -> tuple[int, ...]:
    """Returns the only match of a text. Raises AmbiguousMove if there are several."""
    if len(matches) == 1:
        return matches[0]
    turns = _turns(position)
    fitting = [_text(turn, turns) for turn in turns if turn.parts in matches]
    raise AmbiguousMove(f"ambiguous move: {text} fits {_join_some(fitting)}")


def _no_such_move(text: str, origin: int, position: Position) -> NoSuchMove:
    """Returns the error for a text that matches no legal turn; origin: its first square."""
    if position.result is not None:
        return NoSuchMove(f"{text} is not legal; the game is over")
    if position.mid_turn:
        nexts = map(_name, position.legal_moves())
        return NoSuchMove(f"{text} is not legal; the turn continues with {_join_some(nexts)}")
    turns = _turns(position)
    texts = {turn: _text(turn, turns) for turn in turns}
    if turns[0].taken:
        kind = "a phalanx capture" if turns[0].by_phalanx else "a capture"
        return NoSuchMove(
            f"{text} is not legal; {kind} is compulsory: {_join_some(texts.values())}"
        )
    near = [texts[turn] for turn in turns if turn.origin == origin]
    if near:
        return NoSuchMove(f"{text} is not legal; from {_name(origin)}: {_join_some(near)}")
    origins = map(_name, position.legal_moves())
    return NoSuchMove(f"{text} is not legal: legal moves start from {_join_some(origins)}")


def _join_some(texts: Iterable[str]) -> str:
    all_texts = list(texts)
    more = ", ..." if len(all_texts) > _MOST_LISTED else ""
    return ", ".join(all_texts[:_MOST_LISTED]) + more


def _victims(match: re.Match[str], read: Callable[[str], int]) -> frozenset[int] | None:
    """Returns the squares in brackets; None without brackets."""
    victims = match["victims"]
    return None if victims is None else frozenset(map(read, victims[1:-1].split(",")))


def _own_square(name: str) -> int:
    """Returns the square of a lower-case letter and digit, or _NO_SQUARE."""
    if len(name) > 2 or name[0] not in LETTERS:
        return _NO_SQUARE
    return point(LETTERS.index(name[0]), DIGITS.index(name[1]))


def _gtp_vertex(name: str) -> int:
    """Returns the square of a lower-case vertex, or _NO_SQUARE."""
    letter = name[0].upper()
    number = name[1:]
    if letter not in COLUMNS or number == "0":
        return _NO_SQUARE
    return point(COLUMNS.index(letter), int(number) - 1)


def _name(move: int) -> str:
    if not is_point(move):
        return format_move(move)
    x, y = coordinates(move)
    return LETTERS[x] + DIGITS[y]


def _text(turn: _Turn, turns: Iterable[_Turn]) -> str:
    """Returns the published notation of a turn, with victims if several turns share it."""
    text = _bare_text(turn)
    squares = turn.origin, turn.target
    rivals = [other for other in turns if (other.origin, other.target) == squares]
    if [_bare_text(other) for other in rivals].count(text) == 1:
        return text
    return f"{text}[{','.join(map(_name, sorted(turn.taken, key=coordinates)))}]"


def _bare_text(turn: _Turn) -> str:
    """Returns the published notation of a turn, without victims."""
    letter, digit = tuple(_name(turn.origin))
    new_letter, new_digit = tuple(_name(turn.target))
    between = "x" if turn.by_phalanx else ""
    end = "x" if turn.taken and not turn.by_phalanx else ""
    if turn.origin == turn.target:
        return letter + digit + end
    if letter == new_letter:
        return letter + digit + between + new_digit + end
    if digit == new_digit:
        return letter + between + new_letter + digit + end
    return letter + digit + new_letter + new_digit + end


@lru_cache(maxsize=1024)  # successive reports of an analysis contain the same lines
def _turns(position: Position) -> tuple[_Turn, ...]:
    """Returns all legal turns in a position between turns, in the order of their parts."""
    cells = position.cells()
    width = position.width
    enemy = (2 - position.to_move, 4 - position.to_move)
    men = {point_of(at, width) for at, cell in enumerate(cells) if cell == 1 + position.to_move}
    enemies = [(at, point_of(at, width)) for at, cell in enumerate(cells) if cell in enemy]
    turns = []
    for parts, after in whole_turns(position):
        left = after.cells()
        taken = frozenset(point for at, point in enemies if left[at] == 0)
        by_phalanx = _is_by_phalanx(parts[0], parts[1], taken, men)
        turns.append(_Turn(parts, parts[0], parts[1], taken, by_phalanx))
    return tuple(turns)


def _is_by_phalanx(origin: int, target: int, taken: frozenset[int], men: set[int]) -> bool:
    """Returns whether a phalanx captures: two or more men step along their line.

    A lone man that ends beyond such a line takes nothing straight ahead: the line could have taken
    it, and phalanxes take precedence (R3).
    """
    (x, y), (to_x, to_y) = coordinates(origin), coordinates(target)
    distance = abs(to_x - x) + abs(to_y - y)
    if (x != to_x and y != to_y) or distance < 2:
        return False
    step = (target - origin) // distance
    return target + step in taken and all(at in men for at in range(origin, target, step))
