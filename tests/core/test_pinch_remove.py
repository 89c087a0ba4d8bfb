"""Pinch with removal in the core: the rules text, and what no other game has."""

import numpy as np
import pytest
from boards import assert_same, banned, core_move, drawn, drawn_with_bans
from core.test_playouts import MOVES, RESULT
from reference.base import Color, Point

from pinchtp import _core
from pinchtp.games.notation import point
from pinchtp.player.network import Networks
from pinchtp.player.settings import PACKAGED

GAME = "pinch-remove"


@pytest.mark.parametrize(
    ("text", "to_move", "message"),
    [
        ("x * .\n. x .\n. . .", "white", None),
        # The stones around a banned point must pinch the captured stone, and have the other color.
        ("x * .\n. x .\n. . .", "black", "no single stone"),
        ("x * x\n. . .\n. . .", "white", "no single stone"),
        (". * .\n. x .\n. . .", "white", "no single stone"),
        # Each of these can be captured, but not both by one stone.
        ("x * . .\n. x . .\n. . x .\n. . * x", "white", "no single stone"),
    ],
)
def test_impossible_bans_are_rejected(text: str, to_move: Color, message: str | None) -> None:
    if message is None:
        assert banned(drawn_with_bans(text, to_move)[0]) == {(1, 2)}
    else:
        with pytest.raises(ValueError, match=message):
            drawn_with_bans(text, to_move)


CYCLE_START = "x * .\n. x o\nx * ."
CYCLE: list[Point] = [
    (0, 1),
    (2, 0),
    (1, 0),
    (2, 2),
    (2, 1),
    (1, 1),
    (1, 2),
    (0, 0),
    (2, 1),
    (2, 0),
    (1, 0),
    (1, 1),
]


def test_third_occurrence_draws() -> None:
    core, book = drawn_with_bans(CYCLE_START, "white")
    begin = core
    for round_number in range(2):
        for move in CYCLE:
            assert_same(core, book)
            assert core.result is None, round_number
            core = core.play(core_move(move))
            book = book.play(move)
        assert core == begin
    assert_same(core, book)
    assert core.result == 2
    assert begin.result is None
    with pytest.raises(ValueError, match="illegal move"):
        core.play(core_move(CYCLE[0]))
    network = Networks(PACKAGED).of(core)
    assert network is not None
    _, priors, _ = core.evaluate(network)
    assert priors == core.legal_moves() == []


def test_search_proves_third_occurrence() -> None:
    """One move earlier every other move loses: the draw is proven and preferred."""
    after_one = drawn_with_bans(CYCLE_START, "white")[0].play(core_move(CYCLE[0]))
    core = _core.set_up(GAME, 3, 3, after_one.cells(), after_one.to_move)
    around = [*CYCLE[1:], CYCLE[0]]
    for move in (around * 2)[:-1]:
        core = core.play(core_move(move))
    search = _core.Search(core, memory_mb=16)
    search.run(seconds=10, visits=1_000, threads=1, seed=1)
    best, *others = search.report().choices
    assert (best.move, best.proof) == (core_move(CYCLE[0]), _core.Proof.DRAW)
    assert {choice.proof for choice in others} == {_core.Proof.LOSS}


def test_search_forgets_its_tree_after_a_repetition() -> None:
    """Results in the tree may lead through a position that would now occur for the third time."""
    begin = drawn_with_bans(CYCLE_START, "white")[0]
    network = Networks(PACKAGED).of(begin)
    search = _core.Search(begin, memory_mb=16, network=network)
    kept = []
    for move in [*CYCLE, CYCLE[0]]:
        search.run(seconds=60, visits=300, threads=1, seed=1)
        search.advance(core_move(move))
        kept.append(search.report().visits)
    assert kept[0] > 0
    assert kept[-1] == 0


# -- playouts --


def test_playout_may_fill_the_board() -> None:
    almost = drawn(GAME, "x o x\no x o\n. x o", "white")[0]
    assert almost.playouts(9)[:, [MOVES, RESULT]].tolist() == [[1, 2]] * 9


def test_playout_passes_if_necessary() -> None:
    stuck = drawn(GAME, "o o x\nx . o")[0].play(point(1, 0))
    played = stuck.playouts(1_000, seed=1)
    assert (played[:, MOVES] >= 2).all()
    assert np.isin(played[:, RESULT], (0, 1)).all()
