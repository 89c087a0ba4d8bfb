"""Tree search in First Capture Go: exact proofs, and no visits to passes."""

import random

import boards
import pytest
from core.test_capture_go import GAME, has_dead_group, random_book
from core.test_search import searched
from exhaustive import mover_wins
from reference.capture_go import CaptureGo

from pinchtp import _core
from pinchtp._core import Proof
from pinchtp.games.notation import coordinates, point


def random_position(
    rng: random.Random, width: int, height: int
) -> tuple[_core.Position, CaptureGo]:
    while has_dead_group(book := random_book(rng, width, height)):
        pass
    return boards.set_up(GAME, book), book


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 4), (3, 3)])
def test_proofs_in_random_positions(width: int, height: int) -> None:
    """Fully searched, every small position has the value of exhaustive search."""
    rng = random.Random(f"{width}{height}")
    known: dict[_core.Position, bool] = {}
    for _ in range(100):
        position, _book = random_position(rng, width, height)
        best = searched(position, 200_000).report().choices[0]
        assert best.proof == (Proof.WIN if mover_wins(position, known) else Proof.LOSS)


@pytest.mark.parametrize("pie", [False, True])
def test_proofs_with_and_without_the_pie_rule(pie: bool) -> None:
    """On 3x3 only the centre wins, so only the centre is swapped."""
    for opening, wins in (((1, 1), False), ((0, 0), True)):
        position = _core.new_position(GAME, 3, 3, pie=pie).play(point(*opening))
        best = searched(position, 200_000).report().choices[0]
        assert best.proof == (Proof.WIN if wins or pie else Proof.LOSS)
        assert (best.move == _core.SWAP) == (pie and not wins)


def test_capture_needs_no_visit() -> None:
    rng = random.Random(8)
    for _ in range(150):
        position, book = random_position(rng, 5, 5)
        captures = {
            move
            for move in position.legal_moves()
            if move != _core.PASS and book.captured_by(coordinates(move))
        }
        best = searched(position, 0).report().choices[0]
        assert (best.proof is Proof.WIN and best.distance == 1) == bool(captures)
        assert not captures or best.move in captures


def test_atari_is_defended() -> None:
    """Moves that allow a capture are known losses; both that save the stone are not."""
    position, _, _ = boards.drawn(GAME, ". . . . .\n. . o . .\n. o x . .\n. . o . .\n. . . . .")
    choices = searched(position, 0).report().choices
    assert [each.move for each in choices if each.proof is Proof.UNKNOWN] == [point(3, 2)]
    assert all(each.distance in (1, 2) for each in choices if each.proof is Proof.LOSS)


@pytest.mark.parametrize("visits", [0, 5000])
def test_pass_is_known_loss_without_visits(visits: int) -> None:
    for seed in range(3):
        search = searched(_core.new_position(GAME, 7, 7, pie=False), visits, seed=seed)
        worst = search.report().choices[-1]
        assert (worst.move, worst.proof) == (_core.PASS, Proof.LOSS)
        assert (worst.distance, worst.visits) == (1, 0)
        assert search.report().visits == visits


def test_lost_position_still_has_move() -> None:
    """White captures at A2 or E4, and Black may not even place at A2."""
    position, _, _ = boards.drawn(GAME, ". . . o x\no . . . .\no . . . .\n. o . . .\nx o . . .")
    assert not position.is_legal(point(0, 1))
    for visits in (0, 100):
        best, *rest = searched(position, visits).report().choices
        assert best.proof is Proof.LOSS
        assert best.move != _core.PASS
        assert {each.move for each in (best, *rest)} == set(position.legal_moves())


def test_only_pass_remains() -> None:
    position, _, _ = boards.drawn(GAME, ". x .\nx x x\n. x .", "white")
    (only,) = searched(position, 10).report().choices
    assert (only.move, only.proof, only.distance) == (_core.PASS, Proof.LOSS, 1)


def test_captured_stones_own_nothing() -> None:
    position, _, (move,) = boards.drawn(GAME, "x . . .\no * . .\nx . . .")
    search = searched(position, 10)
    search.advance(move)
    owned = search.ownership(1, 50)
    assert owned[point(0, 0)] == owned[move] == 1
    assert owned[point(0, 1)] == 0
