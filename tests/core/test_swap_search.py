"""The swap in tree search: its value is one minus that of the position without it."""

from collections.abc import Sequence

import pytest
from core.test_search import with_network

from pinchtp import _core
from pinchtp._core import Proof, Report, Search
from pinchtp.games.notation import parse_move, point
from pinchtp.player.levels import normalized_priors
from pinchtp.player.network import Networks
from pinchtp.player.settings import PACKAGED

FOREVER = float("inf")


def after(size: int, *moves: str) -> _core.Position:
    position = _core.new_position("pinch", size, size, pie=True)
    for text in moves:
        position = position.play(parse_move(text, position))
    return position


def replies(opening: str, visits: int, allowed: Sequence[int] = (), size: int = 7) -> Report:
    """Searches with a network after a first stone that may be swapped."""
    search = with_network(after(size, opening))
    search.run(FOREVER, visits, 1, 1, None, allowed)
    return search.report()


@pytest.mark.parametrize(("opening", "swaps"), [("D4", True), ("A1", False)])
def test_swap_is_worth_one_minus_best_reply(opening: str, swaps: bool) -> None:
    report = replies(opening, 2000)
    first, *others = report.choices
    assert (first.move == _core.SWAP) == swaps
    swap = next(choice for choice in report.choices if choice.move == _core.SWAP)
    reply = others[0] if swaps else first
    assert swap.winrate == 1 - reply.winrate
    assert swap.line == [_core.SWAP, *reply.line]
    assert swap.visits > 0
    for choice in report.choices:
        assert choice.line_visits[0] == choice.visits
        assert choice.line_visits == sorted(choice.line_visits, reverse=True)
    assert sum(choice.visits for choice in report.choices) == report.visits - 1
    for each in (report, report.calibrated(2)):
        priors = {choice.move: choice.prior for choice in each.choices}
        winrates = {choice.move: choice.winrate for choice in each.choices}
        assert priors[_core.SWAP] == pytest.approx(winrates[_core.SWAP])
        assert sum(priors.values()) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("opening", ["D4", "A1"])
def test_swap_has_no_prior_without_a_network(opening: str) -> None:
    search = Search(after(7, opening), memory_mb=16)
    search.run(FOREVER, 400, 1, 1)
    choices = search.report().choices
    assert {choice.prior for choice in choices} == {0}
    shares = normalized_priors(choices)
    assert shares[_core.SWAP] < 2 / len(choices)


@pytest.mark.parametrize(("opening", "swaps"), [("D4", True), ("A1", False)])
def test_report_of_one_visit_is_for_swapper(opening: str, swaps: bool) -> None:
    report = replies(opening, 1)
    alone = _core.new_position("pinch", 7, 7, pie=False).play(parse_move(opening, after(7)))
    network = Networks(PACKAGED).of(alone)
    values = [alone.evaluate(network, each)[0] for each in range(alone.symmetries)]
    assert min(abs(report.winrate - max(value, 1 - value)) for value in values) < 1 / 256
    assert report.winrate > 0.55
    assert (report.choices[0].move == _core.SWAP) == swaps


@pytest.mark.parametrize("opening", ["D4", "A1"])
def test_report_of_few_playouts_is_mean_for_swapper(opening: str) -> None:
    search = Search(after(7, opening), memory_mb=16)
    search.run(FOREVER, 0, 1, 1)
    assert search.report().winrate is None
    search.run(FOREVER, 40, 1, 1)
    report = search.report()
    search.advance(_core.SWAP)
    without = search.report().winrate
    assert report.winrate == (without if report.choices[0].move != _core.SWAP else 1 - without)


def test_swap_alone_is_searched_by_its_replies() -> None:
    (swap,) = replies("D4", 2000, [_core.SWAP]).choices
    assert swap.move == _core.SWAP
    assert swap.winrate == replies("D4", 2000).choices[0].winrate > 0.6


def test_swap_keeps_the_whole_tree() -> None:
    search = with_network(after(7, "D4"))
    search.run(FOREVER, 2000, 1, 1)
    before = search.report()
    search.advance(_core.SWAP)
    search.run(0, 0, 1, 1)
    report = search.report()
    assert (report.visits, report.nodes) == (before.visits, before.nodes)
    assert report.choices[0].winrate == pytest.approx(1 - before.choices[0].winrate)
    assert report.choices[0].line == before.choices[0].line[1:]
    assert _core.SWAP not in [choice.move for choice in report.choices]


@pytest.mark.parametrize("opening", ["b2", "a1", "c2"])
def test_swap_is_proven_with_its_replies(opening: str) -> None:
    search = Search(after(3, opening), memory_mb=64)
    search.run(FOREVER, 100_000, 1, 1)
    best, *others = search.report().choices
    assert best.proof is Proof.WIN
    if best.move == _core.SWAP:
        assert {choice.proof for choice in others} == {Proof.LOSS}
    else:
        (swap,) = [choice for choice in others if choice.move == _core.SWAP]
        assert swap.proof is Proof.LOSS


def test_reflected_first_stones_are_searched_once() -> None:
    search = with_network(after(7))
    search.run(FOREVER, 500, 1, 1)
    choices = {choice.move: choice for choice in search.report().choices}
    assert len(choices) == 49
    for x, y in [(0, 0), (1, 2), (3, 1), (3, 3)]:
        images = {point(x, y), point(6 - x, y), point(x, 6 - y), point(6 - x, 6 - y)}
        assert sum(choices[move].visits > 0 for move in images) == 1
        assert len({choices[move].winrate for move in images}) == 1
    for choice in choices.values():
        position = after(7)
        for move in choice.line:
            position = position.play(move)


def test_winning_first_stone_is_not_swapped() -> None:
    position = _core.new_position("capture-go", 4, 3, pie=True, crosscut=True)
    search = Search(position, memory_mb=64)
    search.run(FOREVER, 2000, 1, 1)
    best = search.report().choices[0]
    assert (best.proof, best.distance) == (Proof.WIN, 1)
    assert position.play(best.move).result is not None


def test_lines_of_an_opening_are_playable() -> None:
    for game, options in (("capture-go", {"crosscut": True}), ("pinch-relocate", {})):
        position = _core.new_position(game, 6, 5, pie=True, **options)
        search = Search(position, memory_mb=64)
        search.run(FOREVER, 3000, 1, 1)
        for choice in search.report().choices:
            ahead = position
            for move in choice.line:
                ahead = ahead.play(move)
