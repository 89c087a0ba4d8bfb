"""Input planes of networks: each equals its definition, computed plainly from the reference."""

import itertools
import random
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from networks import ONE, shown, shown_planes
from reference.base import (
    Point,
    chain_of,
    chains,
    column_neighbours,
    in_board_order,
    neighbours,
    opponent,
    row_neighbours,
)
from reference.bushka import SQUARES
from rulebooks import Follower, followed

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.games.game import Color

PINCH_GAMES = ("pinch", "pinch-remove", "pinch-relocate")
SIZES = {
    **{game: [(9, 9), (5, 4), (4, 7), (2, 2), (3, 15), (17, 16)] for game in PINCH_GAMES},
    "capture-go": [(9, 9), (7, 7), (5, 8), (4, 4), (16, 15)],
    "bushka": [(10, 10)],
}
CASES = [(game, size) for game, sizes in SIZES.items() for size in sizes]


def random_game(
    game: str, size: tuple[int, int], seed: int
) -> Iterator[tuple[_core.Position, Follower]]:
    """Yields positions of a random game in core and reference, including the first and last."""
    rng = random.Random(seed)
    options = {"pie": bool(seed % 2)} if GAMES[game].swaps else {}
    position = GAMES[game].start(*size, **options)
    book = followed(game, *size, **options)
    while position.result is None:
        points = [move for move in position.legal_moves() if move != _core.PASS]
        wins = rng.random() < 0.2 and any(
            position.play(move).result == position.to_move for move in points
        )
        is_early = not position.board.any() or position.swap_open
        if is_early or wins or rng.random() < 8 / (size[0] * size[1]):
            yield position, book
        move = rng.choice(points or [_core.PASS])
        position = position.play(move)
        book.play(move)


def colors_of(position: _core.Position) -> tuple[str, str]:
    """Returns the player to move and the opponent."""
    own = ("black", "white")[position.to_move]
    return own, opponent(own)


class Planes:
    """The expected planes by name, in board coordinates."""

    def __init__(self, position: _core.Position) -> None:
        self.size = position.height, position.width
        self.by_name: dict[str, np.ndarray] = {}

    def fill(self, name: str, points: Collection[Point]) -> None:
        board = np.zeros(self.size, int)
        for x, y in points:
            board[y, x] = ONE
        self.by_name[name] = board

    def fill_all(self, name: str, value: float) -> None:
        """value: from 0 to 1, or larger, in units of 1/127."""
        parts = ONE * value if value <= 1 else value
        self.by_name[name] = np.full(self.size, min(max(int(parts), 0), ONE))

    def fill_lead(self, name: str, value: int) -> None:
        """value: in units of 1/127, 64 for an even position."""
        self.by_name[name] = np.full(self.size, min(max(64 + value, 0), ONE))


# -- Pinch and its variants


def pinches(point: Point, stone: Point, own: Collection[Point]) -> bool:
    """Returns whether a stone on the point and one of its side pinch the other stone."""
    if point in row_neighbours(stone):
        return any(other in own for other in column_neighbours(stone))
    return point in column_neighbours(stone) and any(
        other in own for other in row_neighbours(stone)
    )


def distances(
    book: Any, own: Collection[Point], enemy: Collection[Point], starts: Collection[Point]
) -> dict[Point, int]:
    """Returns the number of empty points from an edge to each point, including itself."""
    points = set(book.points())
    found = {}
    queue = deque((int(point not in own), point) for point in starts if point not in enemy)
    while queue:
        cost, point = queue.popleft()
        if found.get(point, 1000) <= cost:
            continue
        found[point] = cost
        for near in neighbours(point):
            if near in points and near not in enemy:
                step = int(near not in own)
                (queue.append if step else queue.appendleft)((cost + step, near))
    return found


def joined_names(position: _core.Position) -> tuple[str, str, str, str]:
    """Returns the names of the planes of the mover's low and high edge, and of the opponent's."""
    transposed, mirrored, flipped = position.shown_in()
    assert (mirrored, flipped) == (False, False)
    assert transposed == ((position.to_move == 1) != position.swapped)
    return (
        "own joined to bottom",
        "own joined to top",
        "opponent's joined to left",
        "opponent's joined to right",
    )


def pinch_planes(position: _core.Position, follower: Follower) -> Planes:
    """Returns the planes common to the three games."""
    book = follower.book
    planes = Planes(position)
    names = joined_names(position)
    empty = book.empty_points()
    shortest = {}
    for number, (color, whose) in enumerate(
        zip(colors_of(position), ("own", "opponent's"), strict=True)
    ):
        own, enemy = book.stones_of(color), book.stones_of(opponent(color))
        planes.fill(f"{whose} stones", own)
        low, high = (
            distances(book, own, enemy, sorted(edge, key=lambda point: point not in own))
            for edge in book.sides(color)
        )
        planes.fill(names[2 * number], [point for point in own if low.get(point) == 0])
        planes.fill(names[2 * number + 1], [point for point in own if high.get(point) == 0])
        threats = [(at, stone) for at in empty for stone in enemy if pinches(at, stone, own)]
        planes.fill(f"{whose} pinching points", {at for at, _ in threats})
        other = "opponent's" if whose == "own" else "own"
        planes.fill(f"{other} stones in danger", {stone for _, stone in threats})
        far = book.sides(color)[1]
        shortest[whose] = min((low[point] for point in far if point in low), default=50)
        on_way = [at for at in empty if low.get(at, 99) + high.get(at, 99) == shortest[whose] + 1]
        planes.fill(f"{whose} shortest connections", on_way)
    planes.fill("board", book.points())
    lead = shortest["opponent's"] - shortest["own"]
    planes.fill_lead("lead in stones to connect", 12 * lead)
    planes.fill_all("swap open", position.swap_open)
    planes.fill_all("first stone may be swapped", book.pie and not book.moves_played)
    return planes


def is_connected(book: Any, color: str, stone: Point) -> bool:
    """Whether another stone, without captures, connects a player's edges."""
    black, white = (
        book.stones_of(each) | ({stone} if each == color else set()) for each in ("black", "white")
    )
    return bool(replace(book, black=black, white=white, history=()).connection(color))


def pinch_remove_planes(position: _core.Position, follower: Follower) -> Planes:
    book = follower.book
    planes = pinch_planes(position, follower)
    open_points = set(book.empty_points()) - book.banned
    own, enemy = colors_of(position)
    planes.fill("banned", book.banned)
    wins = [at for at in open_points if is_connected(book, own, at)]
    planes.fill("own winning points", wins)
    wins = [at for at in book.empty_points() if is_connected(book, enemy, at)]
    planes.fill("opponent's winning points", wins)
    stones = book.stones_of(enemy)
    empty = book.empty_points()
    unsafe = {at for at in open_points for by in empty if by != at and pinches(by, at, stones)}
    planes.fill("own points to be captured on", unsafe)
    return planes


def pinch_relocate_planes(position: _core.Position, follower: Follower) -> Planes:
    book = follower.book
    planes = pinch_planes(position, follower)
    own, enemy = colors_of(position)
    planes.fill("open to the next stone", book.parts())
    planes.fill("changed in this turn", book.changed)
    planes.fill_all("the next stone is the opponent's", book.color_to_place() == enemy)
    planes.fill_all("within a turn", bool(book.waiting))
    waiting = book.waiting or (own,)
    for color, whose in ((own, "own"), (enemy, "opponent's")):
        planes.fill_all(f"{whose} stones waiting", min(16 * waiting.count(color), ONE) or 0)
        wins = []
        if not (book.waiting and color == own):
            quiet = [at for at in book.empty_points() if not book.captured_by(at, color)]
            wins = [at for at in quiet if is_connected(book, color, at)]
        if not book.connection(color):
            planes.fill(f"{whose} winning points", wins)
    return planes


# -- First Capture Go


class Chase:
    """A ladder reader, limited to 64 attacking moves in all lines together."""

    def __init__(self, book: Any) -> None:
        self.book = book
        self.read = 0

    def liberties(self, group: Collection[Point], taken: Collection[Point]) -> list[Point]:
        return in_board_order(self.book.liberties(set(group), set(taken)))

    def catches(
        self, stone: Point, move: Point, attacker: frozenset[Point], defender: frozenset[Point]
    ) -> bool:
        self.read += 1
        if self.read > 64:
            return False
        attacker |= {move}
        taken = attacker | defender
        if any(len(self.liberties(group, taken)) < 2 for group in chains(attacker)):
            return False
        (last,) = self.liberties(chain_of(stone, defender), taken)
        defender |= {last}
        left = self.liberties(chain_of(stone, defender), attacker | defender)
        if len(left) != 2:
            return len(left) < 2
        return any(self.catches(stone, each, attacker, defender) for each in left)


def capture_go_planes(position: _core.Position, follower: Follower) -> Planes:
    book = follower.book
    planes = Planes(position)
    own, enemy = colors_of(position)
    legal = {}
    for color, whose, other in ((own, "own", "opponent's"), (enemy, "opponent's", "own")):
        stones, attacker = book.stones_of(color), book.stones_of(opponent(color))
        taken = book.black | book.white
        groups = [(group, book.liberties(group, taken)) for group in chains(stones)]
        planes.fill(f"{whose} stones", stones)
        for count, word in ((1, "one liberty"), (2, "two liberties"), (3, "three liberties")):
            found = [group for group, liberties in groups if len(liberties) == count]
            planes.fill(f"{whose} with {word}", set().union(*found))
        captures = [liberties for _, liberties in groups if len(liberties) == 1]
        planes.fill(f"{other} captures", set().union(*captures))
        caught: set[Point] = set()
        moves: set[Point] = set()
        for group, liberties in groups:
            chase = Chase(book)
            stone = next(iter(group))
            found = {
                move
                for move in in_board_order(liberties)
                if len(liberties) == 2 and chase.catches(stone, move, attacker, stones)
            }
            moves |= found
            caught |= set(group) if found else set()
        planes.fill(f"{whose} stones in a ladder", caught)
        planes.fill(f"{other} ladder moves", moves)
        there = replace(book, to_move=color)
        legal[whose] = [at for at in book.points() if there.is_legal_point(at)]
        planes.fill(f"{whose} legal points", legal[whose])
    planes.fill("board", book.points())
    planes.fill_lead("lead in legal points", 8 * (len(legal["own"]) - len(legal["opponent's"])))
    planes.fill_all("swap open", position.swap_open)
    planes.fill_all("first stone may be swapped", book.pie and not book.moves_played)
    return planes


# -- Bushka


def bushka_planes(position: _core.Position, follower: Follower) -> Planes:
    book = follower.book
    planes = Planes(position)
    worth, count = {}, {}
    for color, whose, other in zip(
        colors_of(position), ("own", "opponent's"), ("opponent's", "own"), strict=True
    ):
        turns = replace(book, to_move=color).legal_moves
        planes.fill(f"{whose} men", book.men(color))
        planes.fill(f"{whose} kings", book.kings_of(color))
        planes.fill(f"{whose} origins", {turn.origin for turn in turns})
        planes.fill(f"{whose} targets", {turn.target for turn in turns})
        victims = set().union(*(turn.taken for turn in turns))
        planes.fill(f"{other} pieces that can be taken", victims)
        name = "own turn captures" if whose == "own" else "opponent's turn would capture"
        planes.fill_all(name, bool(victims))
        worth[whose] = len(book.men(color)) + 2 * len(book.kings_of(color))
        count[whose] = len(turns)
    steps = [(part % _core.STRIDE, part // _core.STRIDE) for part in follower.steps]
    planes.fill("squares", SQUARES)
    planes.fill("origin", steps[:1])
    planes.fill("target", steps[1:2])
    planes.fill("victims chosen", agreed_victims(book, steps))
    planes.fill_lead("lead in pieces", 8 * (worth["own"] - worth["opponent's"]))
    planes.fill_lead("lead in moves", 2 * (count["own"] - count["opponent's"]))
    planes.fill_all("within a turn", bool(steps))
    planes.fill_all("board", 1)
    return planes


def agreed_victims(book: Any, steps: list[Point]) -> list[Point]:
    """Returns the first victims, in board order, common to all turns that match the steps."""
    if len(steps) < 2:
        return []
    fit = []
    for turn in book.legal_moves:
        victims = in_board_order(turn.taken)
        parts = [turn.origin, turn.target, *victims]
        if parts[:2] == steps[:2] and all(part in victims for part in steps[2:]):
            fit.append(victims)
    agreed = itertools.takewhile(lambda each: len(set(each)) == 1, zip(*fit, strict=False))
    return [victims[0] for victims in agreed]


SLOW: dict[str, Callable[[_core.Position, Follower], Planes]] = {
    "pinch": pinch_planes,
    "pinch-remove": pinch_remove_planes,
    "pinch-relocate": pinch_relocate_planes,
    "capture-go": capture_go_planes,
    "bushka": bushka_planes,
}


# -- tests


@pytest.mark.parametrize(("game", "size"), CASES)
def test_planes_equal_their_definitions(game: str, size: tuple[int, int]) -> None:
    seen = set()
    for seed in range(1 if max(size) > 10 else 4):
        for position, follower in random_game(game, size, seed):
            expected = SLOW[game](position, follower).by_name
            written = shown_planes(position)
            for plane, name in enumerate(position.plane_names):
                if name in expected:
                    shown_here = shown(expected[name], position.shown_in())
                    assert written[..., plane].tolist() == shown_here.tolist(), name
                    seen |= {name} if shown_here.any() else set()
            assert set(expected) <= set(position.plane_names)
    if max(size) == 9:  # large enough and fast: every plane was filled in some position
        assert seen == set(position.plane_names)


REFLECTIONS = {
    **{game: [(False, True, False), (False, False, True)] for game in PINCH_GAMES},
    "capture-go": [(True, False, False), (False, True, False), (False, False, True)],
    "bushka": [(True, True, True)],
}


@pytest.mark.parametrize("game", SLOW)
def test_symmetries_keep_the_rules(game: str) -> None:
    """A reflected game gives a network the same inputs, in another order."""
    size = (10, 10) if game == "bushka" else (7, 7)
    places = np.arange(size[0] * size[1]).reshape(size)
    for reflection, seed in itertools.product(REFLECTIONS[game], range(3)):
        reflected = dict(enumerate(np.argsort(shown(places, reflection).ravel()).tolist()))
        rng = random.Random(seed)
        straight = turned = GAMES[game].start(*size)
        for _ in range(rng.randrange(5, 30)):
            moves = [move for move in straight.legal_moves() if move < _core.PASS]
            if straight.result is not None or not moves:
                break
            move = rng.choice(moves)
            y, x = divmod(reflected[move // 32 * size[0] + move % 32], size[0])
            straight = straight.play(move)
            turned = turned.play(32 * y + x)
        images = [
            sorted(position.planes(image).tobytes() for image in range(position.symmetries))
            for position in (straight, turned)
        ]
        assert images[0] == images[1]
        assert len(set(images[0])) > 1


SAME_FOR_BOTH = {
    **dict.fromkeys(PINCH_GAMES, (True, False, False)),
    "capture-go": (False, False, False),
    "bushka": (False, True, True),
}


@pytest.mark.parametrize("game", SLOW)
def test_inputs_are_same_for_both_players(game: str) -> None:
    size = (10, 10) if game == "bushka" else (8, 8)
    entry = GAMES[game]
    exchanged = np.array([0, 2, 1, 4, 3, 0, -1], np.int8)  # by cell, -1 last
    for seed in range(5):
        for position, _ in random_game(game, size, seed):
            if position.mid_turn or position.swap_open or 5 in position.board:
                continue
            turned = exchanged[shown(position.board, SAME_FOR_BOTH[game])]
            here = entry.set_up(*size, position.cells(), Color(position.to_move))
            there = entry.set_up(*size, turned.tobytes(), Color(1 - position.to_move))
            assert here.planes().tolist() == there.planes().tolist()
