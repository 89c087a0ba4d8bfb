"""The games that a plan makes."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from match_plans import plan

from pinchtp.match.option_types import Format
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import Opening
from pinchtp.match.runner import Schedule


def test_openings_are_played_with_both_colors() -> None:
    openings = tuple(Opening(name, (name,)) for name in ("D4", "E5", "C3"))
    made = plan(openings=openings, games="8", seed="3")
    tasks = list(Schedule(made))
    assert [task.number for task in tasks] == list(range(8))
    assert {task.pairing for task in tasks} == {("a", "b")}
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.pair == second.pair
        assert first.opening == second.opening
        assert (first.black, first.white) == (second.white, second.black)
    assert [task.opening.name for task in tasks[::2]] == ["D4", "E5", "C3", "D4"]
    assert list(Schedule(made)) == tasks


def test_openings_from_one_on_and_unpaired() -> None:
    openings = tuple(Opening(name, (name,)) for name in ("D4", "E5", "C3"))

    def names(**values: str) -> list[str]:
        made = plan(openings=openings, games="6", **values)
        return [task.opening.name for task in Schedule(made)]

    assert names(opening_start="3") == ["C3", "C3", "D4", "D4", "E5", "E5"]
    assert names(paired="false") == ["D4", "E5", "C3", "D4", "E5", "C3"]
    assert names(paired="false", opening_start="2") == ["E5", "C3", "D4", "E5", "C3", "D4"]


def test_longer_match_begins_like_shorter() -> None:
    for names in ("ab", "abc"):
        short, long = (list(Schedule(plan(*names, games=games))) for games in ("5", "12"))
        made = Schedule(plan(*names, games="5"))
        assert len(short) == len(made) == 5 * len(made.pairings)
        by_key = {game.key: game for game in long}
        assert [by_key[game.key] for game in short] == short


@pytest.mark.parametrize("form", list(Format))
def test_added_engines_change_no_game(form: Format) -> None:
    few, many = (replace(plan(*names, games="5"), format=form) for names in ("abc", "abcd"))
    assert set(Schedule(few)) < set(Schedule(many))
    assert len({game.key for game in Schedule(many)}) == len(Schedule(many))


def test_round_robin_and_gauntlet() -> None:
    def colors(made: MatchPlan) -> Counter[tuple[str, str]]:
        return Counter((task.black, task.white) for task in Schedule(made))

    everyone = plan(*"abcd", games="4")
    assert colors(everyone) == {(x, y): 2 for x in "abcd" for y in "abcd" if x != y}
    gauntlet = plan(*"abcd", games="4", format="gauntlet")
    others = {("a", x): 2 for x in "bcd"} | {(x, "a"): 2 for x in "bcd"}
    assert colors(gauntlet) == others
    assert len(Schedule(gauntlet)) == 12
    # At any time all pairings have had about as many games.
    met = Counter(frozenset((task.black, task.white)) for task in list(Schedule(everyone))[:12])
    assert set(met.values()) == {2}


def test_openings_are_shuffled_by_seed() -> None:
    openings = tuple(Opening(f"{number}", ()) for number in range(20))
    orders = [
        [task.opening.name for task in Schedule(plan(openings=openings, games="40", **more))][::2]
        for more in ({}, {"shuffle": "true"}, {"shuffle": "true", "seed": "1"})
    ]
    assert orders[0] == [opening.name for opening in openings]
    assert len({tuple(order) for order in orders}) == 3
    assert all(sorted(order) == sorted(orders[0]) for order in orders)
    random.seed(0)  # other users of this generator have no effect
    again = [t.opening.name for t in Schedule(plan(openings=openings, games="40", shuffle="true"))]
    assert again[::2] == orders[1]
