"""Bushka in the core and in the reference implementation, side by side."""

import random
from collections.abc import Iterator

from reference.base import Point
from reference.bushka import BACK_RANK, SQUARES, Bushka, BushkaMove, read_square, row

from pinchtp import _core

SIDE = 10
COLORS = ("black", "white")
RESULTS = ("black", "white", "draw", None)
NO_POINT = 255  # in Position.cells()


def code(square: Point) -> int:
    return square[1] * _core.STRIDE + square[0]


def at(name: str) -> int:
    """Returns the core's code of a square by its name."""
    return code(read_square(name))


def squares(names: str) -> frozenset[Point]:
    return frozenset(map(read_square, names.split()))


def board(white: str = "", black: str = "", *, kings: str = "", to_move: str = "white") -> Bushka:
    """Returns pieces by the names of squares; those also in `kings` are kings."""
    crowned = squares(kings)
    return Bushka(
        white_men=squares(white) - crowned,
        black_men=squares(black) - crowned,
        white_kings=squares(white) & crowned,
        black_kings=squares(black) & crowned,
        to_move="white" if to_move == "white" else "black",
    )


# Black's d5-e4 takes d3 and f4, or e3 and f5.
AMBIGUOUS = board("d3 f4 f5 e3", "d5", to_move="black")


def cells(book: Bushka) -> bytes:
    """Returns a board in the form of Position.cells()."""
    values = dict.fromkeys(SQUARES, 0)
    values |= dict.fromkeys(book.black_men, 1) | dict.fromkeys(book.white_men, 2)
    values |= dict.fromkeys(book.black_kings, 3) | dict.fromkeys(book.white_kings, 4)
    return bytes(values.get((x, y), NO_POINT) for y in range(SIDE) for x in range(SIDE))


def set_up(book: Bushka) -> _core.Position:
    return _core.set_up("bushka", SIDE, SIDE, cells(book), COLORS.index(book.to_move))


def start(instruction_set: str | None = None) -> _core.Position:
    return _core.new_position("bushka", SIDE, SIDE, instruction_set=instruction_set)


def parts_of(move: BushkaMove, moves: list[BushkaMove]) -> tuple[int, ...]:
    """Returns a legal move's steps: origin, target, and a victim while the move is ambiguous."""
    fitting = [each for each in moves if each[:2] == move[:2]]
    parts = [code(move.origin), code(move.target)]
    for place, victim in enumerate(sorted(map(code, move.taken))):
        nexts = {sorted(map(code, each.taken))[place] for each in fitting}
        if len(nexts) > 1:
            parts.append(victim)
            fitting = [each for each in fitting if sorted(map(code, each.taken))[place] == victim]
    assert fitting == [move]
    return tuple(parts)


def all_turns(position: _core.Position) -> dict[tuple[int, ...], _core.Position]:
    """Returns every turn as its steps, with the position after it."""
    found = {}
    pending: list[tuple[tuple[int, ...], _core.Position]] = [
        ((move,), position.play(move)) for move in position.legal_moves()
    ]
    while pending:
        parts, after = pending.pop()
        if not after.mid_turn:
            found[parts] = after
            continue
        assert after.to_move == position.to_move
        assert after.result is None
        assert after.cells() == position.cells()
        pending += [((*parts, move), after.play(move)) for move in after.legal_moves()]
    return found


def play(position: _core.Position, parts: tuple[int, ...]) -> _core.Position:
    for part in parts:
        position = position.play(part)
    return position


def assert_same(core: _core.Position, book: Bushka) -> None:
    """Asserts that all observable properties except the moves are equal."""
    assert core.cells() == cells(book)
    result = None if core.result is None else RESULTS[core.result]
    assert result == book.winner
    assert not core.mid_turn
    if result is None:
        assert COLORS[core.to_move] == book.to_move
    else:
        assert core.legal_moves() == []


def assert_same_turns(core: _core.Position, book: Bushka) -> None:
    """Asserts that both have the same turns, each with the same board after it."""
    moves = book.moves()
    turns = all_turns(core)
    assert turns.keys() == {parts_of(move, moves) for move in moves}
    for move in moves:
        assert_same(turns[parts_of(move, moves)], book.play(move))


def random_set_up(rng: random.Random) -> Bushka:
    """Returns a random board: pieces anywhere, up to a third kings, either side to move."""
    taken = rng.sample(SQUARES, rng.randint(2, 34))
    most_kings = rng.choice([0, 0.1, 0.3, 1])
    groups: dict[str, set[Point]] = {name: set() for name in ("wm", "wk", "bm", "bk")}
    for square in taken:
        is_white = rng.random() < 0.5
        far = BACK_RANK["black" if is_white else "white"]
        is_king = row(square) == far or rng.random() < most_kings
        groups[("w" if is_white else "b") + ("k" if is_king else "m")].add(square)
    return Bushka(
        white_men=frozenset(groups["wm"]),
        white_kings=frozenset(groups["wk"]),
        black_men=frozenset(groups["bm"]),
        black_kings=frozenset(groups["bk"]),
        to_move="white" if rng.random() < 0.5 else "black",
    )


def random_game(rng: random.Random, most: int = 300) -> Iterator[Bushka]:
    """Yields the positions of a random game in the reference."""
    book = Bushka()
    yield book
    while book.winner is None and most > 0:
        book = book.play(rng.choice(book.moves()))
        most -= 1
        yield book


def forced(position: _core.Position, turns: int) -> int:
    """Returns 1 or -1 if the side to move wins or loses within `turns`, else 0."""
    if position.result is not None:
        return 0 if position.result == 2 else 1 if position.result == position.to_move else -1
    if turns == 0:
        return 0
    best = -1
    for after in all_turns(position).values():
        best = max(best, -forced(after, turns - 1))
        if best == 1:
            break
    return best


def endgames(turns: int, count: int) -> Iterator[_core.Position]:
    """Yields positions of nine pieces that the side to move can win in exactly `turns`."""
    rng = random.Random(4)
    while count > 0:
        inner = rng.sample([square for square in SQUARES if abs(row(square)) < 4], 9)
        book = Bushka(
            white_men=frozenset(inner[:4]),
            white_kings=frozenset(inner[4:5]),
            black_men=frozenset(inner[5:8]),
            black_kings=frozenset(inner[8:]),
        )
        position = set_up(book)
        if forced(position, max(turns - 2, 0)) != 1 and forced(position, turns) == 1:
            count -= 1
            yield position
