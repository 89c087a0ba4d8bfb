"""Plans of matches: their options, their stored form, and compatible changes."""

import json
from pathlib import Path

import pytest
from match_plans import engines, plan
from msgspec import structs

from pinchtp.base.clock import TimeControl
from pinchtp.games import GAMES
from pinchtp.games.notation import SwapSpelling
from pinchtp.match.option_types import DrawRule, Format, ResignRule
from pinchtp.match.plan import ENGINE_OPTIONS, OPTIONS, EngineConfig, MatchPlan, PlanError
from pinchtp.match.plan_file import from_json, plan_differences, to_json
from pinchtp.match.record import Opening, Termination
from pinchtp.match.results.sprt import Sprt

GAME = next(iter(GAMES))


def test_plan_is_read_from_texts() -> None:
    made = plan(
        size="13x9",
        time="60+0.5",
        sprt="0,10,0.1,0.05",
        resign="0.02,3",
        void="died,time",
        options="komi=7.5,a=b",
        format="gauntlet",
        pie="none",
    )
    assert made.board == (13, 9)
    assert made.time == TimeControl.fischer(60, 0.5)
    assert made.sprt == Sprt(0, 10, 0.1, 0.05)
    assert made.resign == ResignRule(0.02, 3)
    assert made.void == (Termination.TIME, Termination.DIED)
    assert made.format is Format.GAUNTLET
    assert made.agreed == {"komi": "7.5", "a": "b"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"gmes": "3"}, "unknown option 'gmes': did you mean 'games'?"),
        ({"time": "soon"}, "time: 'soon': give a time control: 10 (seconds per move), 60+0.5"),
        (
            {"sprt": "5,0"},
            "sprt: '5,0': give two hypotheses in Elo, the smaller one first, at least 0.01 apart, "
            "from -1000 to 1000, and",
        ),
        ({"sprt": "0,1e10"}, "sprt: '0,1e10': give two hypotheses"),
        ({"draw": "0.05"}, "draw: '0.05': give a distance from an even winrate"),
        ({"cluster": "a b"}, "cluster: 'a b': give a word"),
        ({"draw": "0.5,5"}, "draw: '0.5,5': give a distance from an even winrate"),
        ({"draw": "-0.1,5"}, "draw: '-0.1,5': give a distance from an even winrate"),
        ({"resign": "0.5,3"}, "resign: '0.5,3': give a winrate below 0.5"),
        ({"resign": "0.02,0"}, "resign: '0.02,0': give a winrate below 0.5"),
        ({"resign": "-0.1,3"}, "resign: '-0.1,3': give a winrate below 0.5"),
        ({"void": "died,bored"}, "void: 'died,bored': give none, or some of time,illegal,died"),
        ({"options": "komi"}, "options: 'komi': give NAME=VALUE"),
        ({"format": "swiss"}, "format: 'swiss': give one of round-robin, gauntlet"),
        ({"game": "pinhc"}, "unknown game 'pinhc': did you mean"),
        (
            {"game": "go", "referee": "false"},
            "size: give one, because 'go' is not a game of pinchtp",
        ),
    ],
)
def test_wrong_options_are_named(texts: dict[str, str], message: str) -> None:
    with pytest.raises(PlanError) as error:
        MatchPlan.of(engines("a", "b"), (), texts)
    assert message in str(error.value)


RANGES = {
    "nodes": (1, 2**31),
    "lag": (0, 60),
    "games": (1, 10**7),
    "opening-plies": (1, 1000),
    "opening-start": (1, 10**7),
    "seed": (0, 2**63 - 1),
    "move-cap": (1, 10**5),
    "solve": (0.001, 3600),
    "startup-deadline": (0.001, 1e5),
    "command-deadline": (0.001, 1e5),
    "move-deadline": (0.001, 1e5),
    "grace": (0.001, 1e5),
    "memory": (1, 2**24),
    "withdraw": (1, 10**6),
    "jobs": (1, 4096),
}


@pytest.mark.parametrize("name", RANGES)
def test_options_accept_their_bounds_only(name: str) -> None:
    """Both ends are accepted, and nothing beyond them."""
    least, most = RANGES[name]
    for value in (least, most):
        values = MatchPlan.of(engines("a", "b"), (), {name: value})
        assert values.value(OPTIONS[name]) == value
    for beyond in (least / 2 if 0 < least < 1 else least - 1, most + 1):
        with pytest.raises(PlanError, match=f"{name}: .* give (an integer|a number) from"):
            MatchPlan.of(engines("a", "b"), (), {name: beyond})


@pytest.mark.parametrize(("name", "most"), [("nodes", 2**31), ("threads", 4096)])
def test_options_of_engines_accept_their_bounds_only(name: str, most: int) -> None:
    option = ENGINE_OPTIONS[name]
    assert [option.read(value) for value in (1, most)] == [1, most]
    for beyond in (0, most + 1):
        with pytest.raises(ValueError, match=f"give an integer from 1 to {most}"):
            option.read(beyond)


def test_engines_may_have_a_time_of_their_own() -> None:
    own, usual = TimeControl.fischer(9, 1), TimeControl.absolute(60)
    made = MatchPlan((EngineConfig("a", "./a", time=own), *engines("b", "c")), time=usual)
    assert [made.time_of(engine) for engine in made.engines] == [own, usual, usual]
    assert (made.shared_time("a"), made.shared_time("b", "c")) == (own, usual)
    assert (made.shared_time("a", "b"), made.shared_time()) == (None, None)
    assert plan(time="60+0").shared_time() == usual


def test_plan_defaults() -> None:
    made = plan()
    assert (made.game, made.board, made.games) == (GAME, GAMES[GAME].size, 100)
    assert made.time == TimeControl.canadian(0, 1, 1)  # one second per move
    switches = (made.referee, made.evaluations, made.paired, made.pin, made.shuffle)
    assert switches == (True, True, True, True, False)
    assert (made.opening_start, made.seed, made.withdraw, made.jobs) == (1, 0, 5, 1)
    assert {engine.threads for engine in made.engines} == {1}


def test_least_agreements() -> None:
    """One move, from the first move; a winrate of 0 and no margin are allowed."""
    made = plan(resign="0,1", draw="0,1")
    assert (made.resign, made.draw) == (ResignRule(0, 1), DrawRule(0, 1, 1))


@pytest.mark.parametrize("value", [3, (0.1,), {0.05: 1, 5: 1}, [0.1, 3, 1, 1]])
def test_invalid_draw_option_is_refused(value: object) -> None:
    with pytest.raises(PlanError, match=r"draw: .* give a distance from an even winrate"):
        MatchPlan.of(engines("a", "b"), (), {"draw": value})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sprt", "0,10,0.1,0.05"),
        ("sprt", "-0.5,2.5,0.05,0.05"),
        ("resign", "0.02,1000000"),
        ("draw", "0.05,5,40"),
        ("void", "time,died"),
        ("options", "a=b,komi=7.5"),
    ],
)
def test_values_are_written_as_they_were_given(name: str, text: str) -> None:
    assert OPTIONS[name].format(OPTIONS[name].read(text)) == text


@pytest.mark.parametrize(
    ("names", "texts", "message"),
    [
        (["a"], {}, "needs at least two engines, got 1"),
        (["a", "a"], {}, "two engines are named 'a'"),
        (["a", "b", "c"], {"sprt": "0,5"}, "a sequential test is for two engines"),
    ],
)
def test_wrong_engines_are_named(names: list[str], texts: dict[str, str], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        MatchPlan.of(engines(*names), (), texts)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"resign": "0.02,3", "evaluations": "false"}, "resign: it needs evaluations: drop --no-"),
        ({"draw": "0.02,3", "evaluations": "false"}, "draw: it needs evaluations: drop --no-"),
        ({"solve": "2", "referee": "false"}, "solve: the solver needs our rules: drop --no-ref"),
    ],
)
def test_adjudication_that_cannot_happen_is_refused(texts: dict[str, str], message: str) -> None:
    with pytest.raises(PlanError, match=f"^{message}"):
        plan(**texts)


def test_defaults_survive_text() -> None:
    for name, each in OPTIONS.items():
        assert each.read(each.format(each.default)) == each.default, name


def test_plan_as_json_keeps_values_as_texts() -> None:
    made = MatchPlan.of(
        engines("a", "b"),
        (),
        {
            "size": (13, 9),
            "pie": False,
            "time": TimeControl.fischer_capped(60, 5, 90, 30),
            "sprt": (-0.1 - 0.2, 1 / 3),
            "resign": ResignRule(0.1 + 0.2, 3),
            "void": [Termination.DIED],
            "options": {"komi": 7.5, "fast": True},
            "lag": 0.1 + 0.2,
            "db": Path("my games.db"),
        },
    )
    kept = from_json(to_json(made))
    assert kept == made
    assert isinstance(kept.sprt, Sprt)
    assert kept.time.cap == 90
    assert kept.lag == 0.1 + 0.2  # to the last bit
    options = json.loads(to_json(made))["options"]
    assert (options["size"], options["pie"], options["games"]) == ("13x9", "false", "100")
    assert (options["time"], options["memory"]) == ("60+5 cap 90 move 30", "none")


def test_plan_survives_json() -> None:
    spec = EngineConfig(
        "c", "./c", "/tmp", {"X": "1"}, ("komi 0",), TimeControl.fischer(9, 1), 2, SwapSpelling.SWAP
    )
    made = MatchPlan.of(
        [*engines("a", "b"), spec],
        [Opening("first", ("D4", "E5")), Opening("second", ())],
        {"games": "7", "time": "60+5x10", "void": "hung"},
    )
    assert from_json(to_json(made)) == made


def test_options_that_change_a_match() -> None:
    made = plan(time="1", seed="1")
    assert (
        plan_differences(made, plan(time="1", seed="1", games="7", jobs="3", page="x.html")) == []
    )
    assert plan_differences(made, plan(time="2", seed="1")) == ["time is 1, not 2"]
    assert {name for name, each in OPTIONS.items() if not each.part_of_match} == {
        *("games", "opening-plies", "sprt", "withdraw", "jobs", "pin", "cluster"),
        *("db", "page", "log", "sgf"),
    }
    assert plan_differences(made, plan("a", "c", time="1", seed="1")) == [
        "the engines are a, b, not a, c"
    ]
    other = MatchPlan((EngineConfig("a", "./x"), EngineConfig("b", "./b")), time=made.time, seed=1)
    assert plan_differences(other, made) == ["a's command is './x', not './a'"]
    assert plan_differences(plan(openings=(Opening("", ("D4",)),)), plan()) == [
        "other openings (1, not 0)"
    ]
    d4, e5 = Opening("x.txt:1", ("D4",)), Opening("x.txt:2", ("E5",))
    listed = plan(openings=(d4, e5))
    assert plan_differences(listed, plan(openings=(d4, structs.replace(e5, name="y.txt:3")))) == []
    others = plan(openings=(d4, structs.replace(e5, moves=("C3", "D3"))))
    assert plan_differences(listed, others) == ["opening 2 is E5, not C3 D3"]
    assert plan_differences(others, listed) == ["opening 2 is C3 D3, not E5"]


def test_compatible_changes_of_match() -> None:
    old = plan("a", "b", sprt="0,10")
    assert plan_differences(plan("a", "b", "c"), old) == []
    assert plan_differences(plan("a", "b", sprt="0,5"), old) == []
    assert plan_differences(plan("a", "c", "b"), old) == ["the engines are a, c, b, not a, b"]
    assert plan_differences(plan("a", "b"), plan("a", "b", "c")) == [
        "the engines are a, b, not a, b, c"
    ]
