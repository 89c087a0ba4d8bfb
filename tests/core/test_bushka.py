"""Bushka in the core compared with the reference, turn by turn, and properties of its rules."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import bushka_boards as boards
import numpy as np
import psutil
import pytest
from bushka_boards import AMBIGUOUS, at, endgames, forced
from core.test_playouts import assert_alike
from reference.bushka import Bushka
from rulebook.test_bushka import PHALANX_CAPTURES, PIECE_CAPTURES

from pinchtp import _core


def play_random_game(rng: random.Random, *, every: int) -> int:
    """Plays a random game in core and reference; compares all turns every `every` plies."""
    core = boards.start()
    book = Bushka()
    plies = 0
    boards.assert_same(core, book)
    while book.winner is None:
        moves = book.moves()
        if plies % every == 0:
            boards.assert_same_turns(core, book)
        move = rng.choice(moves)
        core = boards.play(core, boards.parts_of(move, moves))
        book = book.play(move)
        boards.assert_same(core, book)
        plies += 1
    return plies


def test_random_games_equal_reference() -> None:
    rng = random.Random("bushka")
    for _ in range(12):
        play_random_game(rng, every=9)


@pytest.mark.slow
@pytest.mark.parametrize("games", [50, pytest.param(1000, marks=pytest.mark.nightly)])
def test_many_random_games_equal_reference(games: int) -> None:
    rng = random.Random(1000)
    plies = sum(play_random_game(rng, every=1 if game % 10 == 0 else 20) for game in range(games))
    assert plies > 50 * games


def check_set_ups(rng: random.Random, count: int) -> int:
    """Compares random set-ups; returns the number with ambiguous captures."""
    with_victims = 0
    for _ in range(count):
        book = boards.random_set_up(rng)
        core = boards.set_up(book)
        boards.assert_same(core, book)
        boards.assert_same_turns(core, book)
        with_victims += any(len(parts) > 2 for parts in boards.all_turns(core))
    return with_victims


def test_random_set_ups_equal_reference() -> None:
    check_set_ups(random.Random(2), 200)


@pytest.mark.nightly
def test_many_random_set_ups_equal_reference() -> None:
    assert check_set_ups(random.Random(3), 8000) >= 10


@pytest.mark.parametrize(
    "book",
    [
        *(position for position, _ in PHALANX_CAPTURES + PIECE_CAPTURES),
        boards.board("d5 d6 d7", "i6"),  # R8
        boards.board("e2 e3 e4 e6", "f0"),  # R7
        AMBIGUOUS,
    ],
)
def test_each_rule(book: Bushka) -> None:
    boards.assert_same_turns(boards.set_up(book), book)


def test_mid_turn_positions_differ() -> None:
    start = boards.start()
    started = [start.play(move) for move in start.legal_moves()]
    assert len({start, *started}) == len(started) + 1
    assert not any(started[0].is_legal(move) for move in (_core.PASS, _core.SWAP, 0, at("a5")))


def test_third_occurrence_draws() -> None:
    """R19."""
    book = boards.board("e1", "f0", kings="e1 f0")
    core = boards.set_up(book)
    for text in ("e12 f09 e21 f90 " * 2).split():
        assert core.result is None
        assert core.perft(2) == sum(len(book.play(move).moves()) for move in book.moves())
        moves = book.moves()
        move = book.parse(text)
        core = boards.play(core, boards.parts_of(move, moves))
        book = book.play(move)
        boards.assert_same(core, book)
    assert core.result == 2
    assert core.legal_moves() == []


def test_set_up_equals_play() -> None:
    rng = random.Random(6)
    position = boards.start()
    while position.result is None:
        again = _core.set_up("bushka", 10, 10, position.cells(), position.to_move)
        assert again == position
        assert again.legal_moves() == position.legal_moves()
        position = position.play(rng.choice(position.legal_moves()))
        while position.mid_turn:
            position = position.play(rng.choice(position.legal_moves()))


def test_empty_cells_outside_squares_are_accepted() -> None:
    cells = boards.cells(boards.board("e5", "e9"))
    plain = bytes(0 if cell == boards.NO_POINT else cell for cell in cells)
    assert _core.set_up("bushka", 10, 10, plain, 1).cells() == cells


@pytest.mark.parametrize(
    ("name", "cell", "message"),
    [
        ((0, 0), 1, r"outside the fifty squares \(column 1, row 1\)"),
        ((0, 0), 5, r"outside the fifty squares"),
        ((4, 4), 5, r"expected a man or a king \(column 5, row 5\)"),
        ((4, 4), 255, r"expected a man or a king"),
        ((0, 4), 2, r"far back rank is a king \(column 1, row 5\)"),
        ((4, 0), 1, r"far back rank is a king"),
        ((4, 4), 6, r"-1 to 5"),
    ],
)
def test_invalid_setup_is_rejected(name: tuple[int, int], cell: int, message: str) -> None:
    cells = bytearray(100)
    cells[name[1] * 10 + name[0]] = cell
    with pytest.raises(ValueError, match=message):
        _core.set_up("bushka", 10, 10, bytes(cells), 1)


@pytest.mark.parametrize("size", [(9, 9), (10, 9), (9, 10), (11, 11), (25, 25)])
def test_other_sizes_are_rejected(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="unacceptable size: Bushka is played on 10x10"):
        _core.new_position("bushka", *size)


# -- perft --

TABLE = json.loads((Path(__file__).parents[1] / "data" / "perft-bushka.json").read_text())


@pytest.mark.parametrize("case", TABLE, ids=range(len(TABLE)))
def test_perft_equals_reference(case: dict[str, Any]) -> None:
    """Counts by the reference, from tools/perft.py."""
    names = (case["white"], case["black"])
    position = boards.set_up(boards.board(*names, kings=case["kings"], to_move=case["to_move"]))
    for depth, count in enumerate(case["sequences"], start=1):
        divide = [position.play(move).perft(depth) for move in position.legal_moves()]
        assert position.perft(depth) == count, (position.legal_moves(), divide)
    for depth, count in enumerate(case["distinct"], start=1):
        assert position.perft(depth, distinct=True) == count


# -- random games --

MOVES, RESULT = 1, 2


def rulebook_playouts(book: Bushka, count: int) -> np.ndarray:
    """Returns length and result of random games of the reference, without repetition."""
    rng = random.Random(1)
    rows = []
    for _ in range(count):
        position = book
        plies = 0
        while moves := position.moves():
            position = replace(position.play(rng.choice(moves)), history=())
            plies += 1
        rows.append((plies, boards.RESULTS.index(position.winner)))
    return np.array(rows)


@pytest.mark.parametrize(
    ("book", "count"),
    [
        (boards.board("e5 c4", "f8 g8"), 600),
        (boards.board("e5 c4 d4 d3", "f8 g8 d8 b5"), 300),
        pytest.param(Bushka(), 300, marks=pytest.mark.slow),
        pytest.param(Bushka(), 10_000, marks=pytest.mark.nightly),
    ],
)
def test_playouts_are_distributed_like_reference(book: Bushka, count: int) -> None:
    ours = boards.set_up(book).playouts(20_000, seed=3)
    theirs = rulebook_playouts(book, count)
    assert_alike(ours[:, MOVES] * 4 + ours[:, RESULT], theirs[:, 0] * 4 + theirs[:, 1])
    assert_alike(ours[:, RESULT], theirs[:, 1])


def check_uniform(position: _core.Position, ends_at_once: float) -> None:
    played = position.playouts(10_000, seed=4)
    share = float(np.mean(played[:, MOVES] == 1))
    deviation = (ends_at_once * (1 - ends_at_once) / len(played)) ** 0.5
    assert share == pytest.approx(ends_at_once, abs=5.5 * deviation)


def test_first_turns_of_playouts_are_uniform() -> None:
    """The share of playouts with one turn is the share of turns that end the game: of turns, not
    steps. During a turn, it is the share among the turns that are still possible.
    """
    rng = random.Random(12)
    checked = 0
    while checked < 12:
        book = boards.random_set_up(rng)
        if len(book.occupied()) > 8:
            continue
        position = boards.set_up(book)
        turns = boards.all_turns(position)
        ending = {parts for parts, after in turns.items() if after.result is not None}
        if not 0 < len(ending) < len(turns):
            continue
        check_uniform(position, len(ending) / len(turns))
        for move in position.legal_moves():
            rest = {parts for parts in turns if parts[0] == move}
            check_uniform(position.play(move), len(rest & ending) / len(rest))
        checked += 1


def test_playouts_terminate() -> None:
    played = boards.start().playouts(50_000, seed=5)
    assert played[:, MOVES].max() < 300
    assert np.isin(played[:, RESULT], (0, 1)).all()
    assert played[:, MOVES].mean() == pytest.approx(59.74, abs=0.6)


@pytest.mark.parametrize(
    ("white", "black", "kings", "result"),
    [
        (
            "d2 d3 e2 e3 f2 f5 g3 g4 g5 g6 h4 h5 h6 h7 e4 f3 f4 i5 i6",
            "a5 b4 b5 c5 c6 c7 d4 d5 d7 e5 e6 e7 f0 f6 f7 f9 g7 g8 g9 h8 c3 c4 d6 e1 e8 e9",
            "e4 f3 f4 i5 i6 c3 c4 d6 e1 e8 e9",
            0,
        ),
        (
            "c3 d2 d3 d4 e4 e5 f2 f3 f4 f5 g4 g6 g7 h6 i6 i7 j6 b5 e1 e2 e3 f6 g3 g5 h4 h7 h8 i5",
            "a5 b4 b6 c4 c5 c7 d5 d6 d7 e6 e7 e9 f7 f8 g8 g9 c6 d8 f0",
            "b5 e1 e2 e3 f6 g3 g5 h4 h7 h8 i5 c6 d8 f0",
            1,
        ),
        (  # 21 men and 3 kings against 15 and 6
            "c3 d2 d3 d4 e1 e3 e4 f4 f5 f6 g5 g6 g7 h4 h5 h6 h7 h8 i5 i6 i7 e5 f3 j6",
            "a5 b5 b6 c4 c5 c6 d5 d6 e6 e7 e8 e9 f8 f9 g9 b4 d7 d8 f0 f7 g8",
            "e5 f3 j6 b4 d7 d8 f0 f7 g8",
            2,
        ),
    ],
)
def test_blocked_boards_score_by_pieces(white: str, black: str, kings: str, result: int) -> None:
    """Men block each other while kings move back and forth; a king counts two men."""
    position = boards.set_up(boards.board(white, black, kings=kings))
    played = position.playouts(20, seed=1)
    assert (played[:, MOVES] == 300).all()
    assert (played[:, RESULT] == result).all()


# -- the tree, whose moves are steps --


def test_long_game_uses_little_memory() -> None:
    """Positions share their history; with a copy each, these took 40 MB."""
    rng = random.Random(1)
    pieces = boards.board("e1", "f9", kings="e1 f9")
    game = [boards.set_up(pieces)]
    before = psutil.Process().memory_info().rss
    while len(game) < 3000:
        after = game[-1].play(rng.choice(game[-1].legal_moves()))
        if after.result is None:
            game.append(after)
        else:
            del game[max(1, len(game) - rng.randrange(20)) :]
    assert psutil.Process().memory_info().rss - before < 16 << 20
    assert game[-1].play(game[-1].legal_moves()[0]).game == "bushka"


def test_tree_proves_forced_wins() -> None:
    for position in endgames(3, 6):
        search = _core.Search(position, memory_mb=64, exploration=0.7)
        search.run(10, 20_000, 1, 1)
        best = search.report().choices[0]
        assert best.proof == _core.Proof.WIN
        assert forced_by_parts(position.play(best.move), position.to_move)


def forced_by_parts(position: _core.Position, winner: int) -> bool:
    """Whether an incomplete turn can end so that the other side loses within two turns."""
    if position.mid_turn:
        return any(forced_by_parts(position.play(move), winner) for move in position.legal_moves())
    return position.result == winner or forced(position, 2) == -1
