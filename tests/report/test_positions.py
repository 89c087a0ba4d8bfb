"""Positions and symmetries, counted in another way."""

from collections.abc import Callable
from typing import Any

import pytest
import reference
from experiments import ALL_GAMES, SMALL, measured, rulebook, small

from pinchtp.games import GAMES
from pinchtp.games.notation import point
from pinchtp.report.sections.positions import PLAIN, SYMMETRIC, PositionsExperiment, counts
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import canonical, symmetries


def rulebook_counts(start: Any, depth: int, key: Callable[[Any], Any]) -> list[int]:
    """Returns the new positions by depth, in whole turns; those with one key are one."""
    seen = {key(start)}
    front = [start]
    found = [1]
    for _ in range(depth):
        following = []
        for position in front:
            if position.winner is None:
                for move in position.moves():
                    after = position.play(move)
                    if key(after) not in seen:
                        seen.add(key(after))
                        following.append(after)
        front = following
        found.append(len(front))
    return found


@ALL_GAMES
def test_positions_match_the_rulebook(game: str) -> None:
    depth = 2 if game == "bushka" else 3
    measurements = measured(PositionsExperiment(), small(game), 2 * depth + 4, stop_at=5)
    found = counts(measurements.results("positions"), PLAIN)
    start = rulebook(game, SMALL[game])
    assert found[: depth + 1] == rulebook_counts(start, depth, lambda each: each.key())


def test_positions_up_to_symmetry_match_brute_force() -> None:
    """All eight symmetries of every board, by the reference's stones."""
    measurements = measured(
        PositionsExperiment(), ReportSubject.of("capture-go", (3, 3), visits=1), 10, stop_at=5
    )
    images = [
        lambda x, y: (x, y),
        lambda x, y: (2 - x, y),
        lambda x, y: (x, 2 - y),
        lambda x, y: (2 - x, 2 - y),
        lambda x, y: (y, x),
        lambda x, y: (2 - y, x),
        lambda x, y: (y, 2 - x),
        lambda x, y: (2 - y, 2 - x),
    ]

    def key(position: Any) -> Any:
        stones = position.stones().items()
        boards = (frozenset((image(*at), color) for at, color in stones) for image in images)
        return min(tuple(sorted(board)) for board in boards), position.to_move

    found = rulebook_counts(reference.GAMES["capture-go"](3, 3), 3, key)
    assert counts(measurements.results("positions"), SYMMETRIC)[:4] == found


@pytest.mark.parametrize(
    ("game", "size", "count"),
    [
        ("pinch", (4, 4), 4),
        ("pinch", (4, 3), 4),
        ("pinch-remove", (4, 4), 4),
        ("capture-go", (4, 4), 8),
        ("capture-go", (4, 3), 4),
        ("bushka", (10, 10), 2),
    ],
)
def test_symmetries_are_found_by_game(game: str, size: tuple[int, int], count: int) -> None:
    assert len(symmetries(GAMES[game], GAMES[game].start(*size))) == count


def test_canonical_is_equal_for_images() -> None:
    start = GAMES["pinch"].start(4, 4)
    known = symmetries(GAMES["pinch"], start)
    corners = {canonical(start.play(point(x, y)), known) for x in (0, 3) for y in (0, 3)}
    assert len(corners) == 1
    assert canonical(start.play(point(1, 0)), known) not in corners
