"""The games that a plan makes."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from match_plans import plan

from pinchtp.match.option_types import Format
from pinchtp.match.plan import MatchPlan, Stage
from pinchtp.match.record import Opening
from pinchtp.match.schedule import most_games, pairings, schedule, total


def test_two_engines_meet_in_pairs() -> None:
    openings = tuple(Opening(name, (name,)) for name in ("D4", "E5", "C3"))
    made = plan(openings=openings, games="8", seed="3")
    tasks = list(schedule(made))
    assert [task.number for task in tasks] == list(range(8))
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.pair == second.pair == first.number // 2
        assert first.opening == second.opening
        assert (first.black, first.white) == (second.white, second.black)
    assert [task.opening.name for task in tasks[::2]] == ["D4", "E5", "C3", "D4"]
    assert len({task.seed for task in tasks}) == 8
    assert 2**62 <= max(task.seed for task in tasks) < 2**63
    assert list(schedule(made)) == tasks
    assert [task.seed for task in schedule(plan(seed="4"))] != [task.seed for task in tasks]


def test_openings_from_one_on_and_unpaired() -> None:
    openings = tuple(Opening(name, (name,)) for name in ("D4", "E5", "C3"))

    def names(**values: str) -> list[str]:
        made = plan(openings=openings, games="6", **values)
        return [task.opening.name for task in schedule(made)]

    assert names(opening_start="3") == ["C3", "C3", "D4", "D4", "E5", "E5"]
    assert names(paired="false") == ["D4", "E5", "C3", "D4", "E5", "C3"]
    assert names(paired="false", opening_start="2") == ["E5", "C3", "D4", "E5", "C3", "D4"]
    assert names(opening_start="4") == names()


def test_a_longer_match_goes_on_as_it_began() -> None:
    for names in ("ab", "abc"):
        short, long = (list(schedule(plan(*names, games=games))) for games in ("5", "12"))
        assert len(short) == total(plan(*names, games="5")) == 5 * len(pairings(plan(*names)))
        by_number = {task.number: task for task in long}
        assert [by_number[task.number] for task in short] == short


@pytest.mark.parametrize("names", ["ab", "abc", "abcd"])
@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("stages", [(), (Stage(2, 3),), (Stage(2, 6), Stage(3, 5))])
def test_games_tell_how_many_were_asked_for(
    names: str, form: Format, stages: tuple[Stage, ...]
) -> None:
    """Of each two engines, as far as they were played; at least as many as are asked for now."""
    if any(stage.engines > len(names) for stage in stages):
        return
    base = replace(plan(*names), format=form, stages=stages)
    earlier = {task.number for task in schedule(replace(base, games=1))}
    for games in range(1, 10):
        numbers = [task.number for task in schedule(replace(base, games=games))]
        expected = games if set(numbers) > earlier else 1
        assert most_games(replace(base, games=1), numbers) == expected
        assert most_games(replace(base, games=20), numbers) == 20
        assert most_games(replace(base, games=1), numbers[-1:]) == expected
    assert most_games(replace(base, games=1), []) == 1


def test_round_robin_and_gauntlet() -> None:
    def colors(made: MatchPlan) -> Counter[tuple[str, str]]:
        return Counter((task.black, task.white) for task in schedule(made))

    everyone = plan(*"abcd", games="4")
    assert colors(everyone) == {(x, y): 2 for x in "abcd" for y in "abcd" if x != y}
    gauntlet = plan(*"abcd", games="4", format="gauntlet")
    others = {("a", x): 2 for x in "bcd"} | {(x, "a"): 2 for x in "bcd"}
    assert colors(gauntlet) == others
    assert total(gauntlet) == 12
    # At any time all pairings have had about as many games.
    met = Counter(frozenset((task.black, task.white)) for task in list(schedule(everyone))[:12])
    assert set(met.values()) == {2}


def test_shuffled_openings() -> None:
    openings = tuple(Opening(f"{number}", ()) for number in range(20))
    orders = [
        [task.opening.name for task in schedule(plan(openings=openings, games="40", **more))][::2]
        for more in ({}, {"shuffle": "true"}, {"shuffle": "true", "seed": "1"})
    ]
    assert orders[0] == [opening.name for opening in openings]
    assert len({tuple(order) for order in orders}) == 3
    assert all(sorted(order) == sorted(orders[0]) for order in orders)
    random.seed(0)  # whatever others draw does not matter
    again = [t.opening.name for t in schedule(plan(openings=openings, games="40", shuffle="true"))]
    assert again[::2] == orders[1]
