"""Plans of matches: time systems, options, match files and flags, and the schedule they make."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from clients import FOLDER
from hypothesis import given
from hypothesis import strategies as st

from pinchtp.clock import TimeControl
from pinchtp.games import GAMES, Color
from pinchtp.match.game.engine_spec import EngineSpec
from pinchtp.match.game.judge import judge_for
from pinchtp.match.game.record import Cause
from pinchtp.match.game.task import Opening
from pinchtp.match.game.time_control import format_time, parse_time
from pinchtp.match.plan.kinds import Agreement, Format
from pinchtp.match.plan.plan import OPTIONS, MatchPlan, PlanError, Stage
from pinchtp.match.plan.planfile import Draft
from pinchtp.match.plan.schedule import pairings, schedule, total
from pinchtp.match.results.store import Store
from pinchtp.match.statistics.sprt import Sprt
from pinchtp.notation import SwapSpelling

GAME = next(iter(GAMES))


def engines(*names: str) -> tuple[EngineSpec, ...]:
    return tuple(EngineSpec(name, f"./{name}") for name in names)


def plan(*names: str, openings: tuple[Opening, ...] = (), **texts: str) -> MatchPlan:
    options = {name.replace("_", "-"): text for name, text in texts.items()}
    return MatchPlan.of(engines(*(names or "ab")), openings, options)


# --- time systems


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10", TimeControl.canadian(0, 10, 1)),
        ("0.01", TimeControl.canadian(0, 0.01, 1)),
        ("50ms", TimeControl.canadian(0, 0.05, 1)),
        ("60+0.5", TimeControl.fischer(60, 0.5)),
        ("10m+0", TimeControl.absolute(600)),
        ("1h + 30s", TimeControl.fischer(3600, 30)),
        ("60+5x10", TimeControl.byoyomi(60, 10, 5)),
        ("0+1x10", TimeControl.byoyomi(0, 10, 1)),
        ("1m+10/30s", TimeControl.canadian(60, 30, 10)),
        ("none", TimeControl.none()),
        ("60+5 cap 90 move 30", TimeControl.fischer_capped(60, 5, 90, 30)),
        ("1m+5cap2m", TimeControl.fischer_capped(60, 5, 120, -1)),
        ("60+0 move 30", TimeControl.fischer_capped(60, 0, -1, 30)),
    ],
)
def test_times(text: str, control: TimeControl) -> None:
    assert parse_time(text) == control
    assert parse_time(format_time(control)) == control


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "-1",
        "1+",
        "+1",
        "10 m 5",
        "60+5x",
        "1e3",
        "60+0x10",
        "0",
        "1\u0663",
        "5x10 cap 90",
        "60+5x10cap9",
    ],
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_time(text)


@given(
    st.floats(0.001, 1e5).map(lambda value: round(value, 3)),
    st.floats(0.001, 1e5).map(lambda value: round(value, 3)),
    st.integers(1, 100),
)
def test_times_come_back(main: float, more: float, count: int) -> None:
    for control in (
        TimeControl.absolute(main),
        TimeControl.fischer(main, more),
        TimeControl.byoyomi(main, more, count),
        TimeControl.canadian(main, more, count),
    ):
        assert parse_time(format_time(control)) == control


# --- options


def test_a_plan_from_texts() -> None:
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
    assert made.resign == Agreement(0.02, 3)
    assert made.void == (Cause.TIME, Cause.DIED)
    assert made.format is Format.GAUNTLET
    rules = made.rules()
    assert rules.options == {"komi": "7.5", "a": "b"}
    assert (rules.adjudication.resign, rules.adjudication.agreed) == (0.02, 3)
    assert rules.void == {Cause.TIME, Cause.DIED}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"games": "0"}, "games: '0': give a whole number from 1"),
        ({"gmes": "3"}, "unknown option 'gmes': did you mean 'games'?"),
        ({"size": "99"}, "size: '99': give a size from"),
        ({"time": "soon"}, "time: 'soon': give a time: 10 (a move), 60+0.5"),
        ({"sprt": "5,0"}, "sprt: '5,0': give two hypotheses in Elo, the smaller one first"),
        ({"sprt": "1"}, "sprt: '1': give two hypotheses"),
        ({"resign": "0.7,3"}, "resign: '0.7,3': give a win rate below 0.5"),
        ({"void": "died,bored"}, "void: 'died,bored': give none, or some of time,illegal,died"),
        ({"options": "komi"}, "options: 'komi': give NAME=VALUE"),
        ({"format": "swiss"}, "format: 'swiss': give one of round-robin, gauntlet"),
        ({"game": "pinhc"}, "we have no rules of 'pinhc': did you mean"),
        ({"game": "go", "referee": "false"}, "size: give one, as 'go' is no game of ours"),
    ],
)
def test_wrong_options(texts: dict[str, str], message: str) -> None:
    with pytest.raises(PlanError) as error:
        MatchPlan.of(engines("a", "b"), (), texts)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("names", "texts", "message"),
    [
        (["a"], {}, "needs two engines at least, not 1"),
        (["a", "a"], {}, "two engines are named 'a'"),
        (["a", "b", "c"], {"sprt": "0,5"}, "a sequential test is for two engines"),
    ],
)
def test_wrong_engines(names: list[str], texts: dict[str, str], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        MatchPlan.of(engines(*names), (), texts)


def test_every_option_has_a_default_that_can_be_written_and_read() -> None:
    for name, each in OPTIONS.items():
        assert each.read(each.format(each.default)) == each.default, name


def test_a_plan_keeps_the_types_of_its_values_as_json() -> None:
    made = MatchPlan.of(
        engines("a", "b"),
        (),
        {
            "size": (13, 9),
            "pie": False,
            "time": TimeControl.fischer_capped(60, 5, 90, 30),
            "sprt": (-0.1 - 0.2, 1 / 3),
            "resign": Agreement(0.1 + 0.2, 3),
            "void": [Cause.DIED],
            "options": {"komi": 7.5, "fast": True},
            "lag": 0.1 + 0.2,
            "db": Path("my games.db"),
        },
    )
    kept = MatchPlan.from_json(made.as_json())
    assert kept == made
    assert isinstance(kept.sprt, Sprt)
    assert kept.time.cap == 90
    assert kept.lag == 0.1 + 0.2  # to the last bit
    options = json.loads(made.as_json())["options"]
    assert (options["size"], options["pie"], options["games"]) == ([13, 9], False, 100)
    assert options["time"]["cap"] == 90
    assert options["memory"] is None


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A store that was written by the version which kept the options of plans as texts."""
    return Path(shutil.copy(FOLDER / "data" / "match_schema_1.db", tmp_path / "old.db"))


def test_plans_of_the_first_schema_are_read(old_store: Path) -> None:
    with Store.open(old_store) as store:
        made = store.plan()
    assert (made.game, made.board, made.games, made.lag) == ("capture-go", (6, 5), 2, 0.5)
    assert judge_for(made.rules()).to_move is Color.BLACK
    assert made.time == TimeControl.byoyomi(5, 1, 2)
    assert (made.sprt, made.resign) == (Sprt(0, 50), Agreement(0.02, 3))
    assert (made.void, made.withdraw) == ((Cause.TIME, Cause.DIED), 3)
    assert (made.pin, made.shuffle, made.db) == (False, True, None)
    assert [opening.moves for opening in made.openings] == [("A1", "F5"), ("B1", "E5")]
    command = "pinchtp --game capture-go --pie --crosscut --visits 1"
    assert made.engines == (
        EngineSpec(
            "a",
            command,
            environment={"LEVEL": "3"},
            startup=("komi 0", "pinchtp-param threads 1"),
            time=TimeControl.fischer(10, 0.5),
            threads=2,
            swap_as=SwapSpelling.SWAP,
        ),
        EngineSpec("b", f"{command} --seed 2"),
    )
    assert MatchPlan.from_json(made.as_json()) == made


def test_a_match_of_the_first_schema_goes_on(old_store: Path) -> None:
    with Store.open(old_store) as store:
        made = replace(store.plan(), games=4)
        records = list(store.records())
    with Store.begin(old_store, made) as store:
        assert list(store.records()) == records
        assert len(records) == 2
        assert store.plan() == made


def test_a_plan_is_kept_as_json() -> None:
    spec = EngineSpec(
        "c", "./c", "/tmp", {"X": "1"}, ("komi 0",), TimeControl.fischer(9, 1), 2, SwapSpelling.SWAP
    )
    made = MatchPlan.of(
        [*engines("a", "b"), spec],
        [Opening("first", ("D4", "E5")), Opening("second", ())],
        {"games": "7", "time": "60+5x10", "void": "hung"},
    )
    assert MatchPlan.from_json(made.as_json()) == made


def test_what_makes_another_match() -> None:
    made = plan(time="1", seed="1")
    assert made.differences(plan(time="1", seed="1", games="7", jobs="3", page="x.html")) == []
    assert made.differences(plan(time="2", seed="1")) == ["time is 1, not 2"]
    assert made.differences(plan("a", "c", time="1", seed="1")) == [
        "the engines are a, b, not a, c"
    ]
    other = MatchPlan((EngineSpec("a", "./x"), EngineSpec("b", "./b")), time=made.time, seed=1)
    assert other.differences(made) == ["a's command is './x', not './a'"]
    assert plan(openings=(Opening("", ("D4",)),)).differences(plan()) == [
        "other openings (1, not 0)"
    ]


def test_engines_may_be_added_to_a_match() -> None:
    """The games that there were keep their numbers, and everything else is played after them."""
    old = plan("a", "b", games="3")
    new = plan("a", "b", "c", games="5").continuing(old)
    assert new.stages == (Stage(2, 3),)
    assert MatchPlan.from_json(new.as_json()) == new
    before, after = list(schedule(old)), list(schedule(new))
    assert after[:3] == before
    numbers = [task.number for task in after]
    assert len(set(numbers)) == len(numbers) == total(new) == 15
    games = Counter((task.black, task.white) for task in after)
    assert set(games.values()) == {2, 3}
    pairs = Counter(task.pair for task in after[3:])
    assert all(task.number // 2 == task.pair for task in after)
    assert max(pairs.values()) == 2
    more = plan("a", "b", "c", "d", games="9").continuing(new)
    assert list(schedule(more))[:15] == after
    assert total(more) == len(list(schedule(more))) == 54
    longer = plan("a", "b", "c", games="7").continuing(new)
    assert {task.number: task for task in after}.items() <= {
        task.number: task for task in schedule(longer)
    }.items()


def test_what_a_match_may_become() -> None:
    old = plan("a", "b", sprt="0,10")
    assert plan("a", "b", "c").differences(old) == []
    assert plan("a", "b", sprt="0,5").differences(old) == []
    assert plan("a", "c", "b").differences(old) == ["the engines are a, c, b, not a, b"]
    assert plan("a", "b").differences(plan("a", "b", "c")) == ["the engines are a, b, not a, b, c"]


# --- match files and flags

FILE = """
size = 9
time = 1
resign = [0.02, 3]
referee = true
openings = ["D4 E5", "C3"]

[engines]
old = "./old --fast"

[engines.new]
command = "./new"
folder = "/opt"
environment = { A = "1", B = "2" }
startup = ["komi 0", "level 3"]
time = "60+1"
threads = 2
swap-as = "swap"
"""


def draft(folder: Path, text: str) -> Draft:
    path = folder / "match.toml"
    path.write_text(text)
    made = Draft()
    made.load(path)
    return made


def test_a_match_file(tmp_path: Path) -> None:
    made = draft(tmp_path, FILE)
    made.set("games", "8")
    made.set_engine("new.threads=3")
    made.set_engine("old=./older")
    made.set_engine("new.environment=B=3")
    made.set_engine("more.than-one=./more")
    found = made.plan()
    assert (found.games, found.board, found.resign) == (8, (9, 9), Agreement(0.02, 3))
    old, new, more = found.engines
    assert old == EngineSpec("old", "./older")
    assert more == EngineSpec("more.than-one", "./more")
    assert new == EngineSpec(
        "new",
        "./new",
        "/opt",
        {"A": "1", "B": "3"},
        ("komi 0", "level 3"),
        TimeControl.fischer(60, 1),
        3,
        SwapSpelling.SWAP,
    )
    assert [opening.moves for opening in found.openings] == [("D4", "E5"), ("C3",)]


def test_typed_values_of_a_match_file(tmp_path: Path) -> None:
    text = """
    game = "go"
    referee = false
    size = [13, 9]
    time = { main = 60, increment = 5, cap = 90, move_cap = 30 }
    sprt = [0, 5, 0.1, 0.1]
    void = ["died", "time"]
    options = { komi = 7.5, fast = true }
    [engines]
    a = ["pinchtp", "--visits", "20", "--record", "my game.sgf"]
    b.command = ["./b"]
    b.time = 2
    b.startup = "komi 0"
    """
    made = draft(tmp_path, text).plan()
    assert (made.board, made.time) == ((13, 9), TimeControl.fischer_capped(60, 5, 90, 30))
    assert made.sprt == Sprt(0, 5, 0.1, 0.1)
    assert made.void == (Cause.TIME, Cause.DIED)
    assert made.options == (("fast", "true"), ("komi", "7.5"))
    one, other = made.engines
    assert one.command == "pinchtp --visits 20 --record 'my game.sgf'"
    assert (other.command, other.time) == ("./b", TimeControl.canadian(0, 2, 1))
    assert other.startup == ("komi 0",)


def test_rule_options_of_games_are_options_of_a_match() -> None:
    made = plan(game="capture-go", pie="true", crosscut="true")
    assert made.rules().options == {"pie": "true", "crosscut": "true"}
    assert MatchPlan.from_json(made.as_json()) == made
    assert made.differences(plan(game="capture-go", pie="true")) == ["crosscut is true, not false"]
    assert plan(game="capture-go", crosscut="false").rules().options == {}
    assert plan(game="capture-go", options="pie=true,crosscut=true") == made
    with pytest.raises(PlanError, match="crosscut: 'maybe': give one of true, false"):
        plan(game="capture-go", options="crosscut=maybe")
    assert plan(game="go", size="9", referee="false", pie="true").rules().options == {}


def test_names_may_be_spelled_as_in_python() -> None:
    made = Draft()
    made.set("move_cap", 200)
    made.set_engine("a.swap_as=swap")
    assert (made.values["move-cap"], made.engines["a"]["swap_as"]) == (200, SwapSpelling.SWAP)
    for key in ("move_cap", "move-cap"):
        with pytest.raises(PlanError, match=f"{key}: '0': give a whole number"):
            made.set(key, 0)


def test_the_match_file_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("openings.txt").write_text("D4 E5\n")
    (text,) = re.findall(r"```toml\n(.*?)```", (FOLDER.parent / "README.md").read_text(), re.S)
    made = draft(tmp_path, text).plan()
    assert [engine.name for engine in made.engines] == ["old", "new"]
    assert made.sprt == Sprt(0, 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gmes = 3", "unknown key 'gmes': did you mean 'games'?"),
        ("games = 3.5", "games: '3.5': give a whole number"),
        ("games = ", "is no TOML file"),
        ("games = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("games = true", "games: 'true': give a whole number"),
        ("time = { min = 5 }", "time: "),
        ("time = { main = '5' }", "time: "),
        ("resign = [0.02, 3, 4]", "resign: "),
        ("options = { a = '' }", "options: "),
        ("[engines]\na = ['x', 3]", "engine a: command: "),
        ("[engines.a]\nenvironment = 3", "engine a: environment: '3': give VARIABLE=VALUE"),
        ("engines = 3", "engines: 3: give a table"),
        ("[engines.a]\ncomand = 'x'", "engine a: unknown key 'comand': did you mean 'command'?"),
        ("[engines.a]\nthreads = 0", "engine a: threads: '0': give a whole number from 1"),
        ("[engines.a]\ntime = 'x'", "engine a: time: 'x': give a time"),
        ("[engines.a]\nswap-as = 'x'", "engine a: swap-as: 'x': give one of pass, swap"),
        ("[engines.'a b']\ncommand = 'x'", "engine 'a b': a name has letters"),
        ("openings = 3", "openings: 3: give a file"),
    ],
)
def test_a_wrong_match_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PlanError) as error:
        draft(tmp_path, text).plan()
    assert message in str(error.value)
    assert str(tmp_path / "match.toml") in str(error.value)


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("./engine", "give NAME='COMMAND'"),
        ("=x", "engine '': a name has"),
        ("a=", "engine a: it has no command"),
        ("a.threads=2", "engine a: it has no command"),
        ("a.environment=X", "engine a: environment: 'X': give VARIABLE=VALUE"),
    ],
)
def test_a_wrong_engine_flag(flag: str, message: str) -> None:
    def planned() -> None:
        made = Draft()
        made.set_engine(flag)
        made.plan()

    with pytest.raises(PlanError, match=message):
        planned()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["a=x", "a=y"], "engine a: two are named so: give each a name of its own"),
        (["a=x", "a.threds=2"], "engine a: unknown key 'threds': did you mean 'threads'?"),
        (["a.threds=2", "a=x"], "engine a: unknown key 'threds': did you mean 'threads'?"),
        (["a=x", "a.swap_us=swap"], "engine a: unknown key 'swap_us': did you mean 'swap-as'?"),
    ],
)
def test_engine_flags_that_cannot_be_meant(flags: list[str], message: str) -> None:
    made = Draft()
    with pytest.raises(PlanError) as error:
        any(map(made.set_engine, flags))
    assert message in str(error.value)


def test_an_opening_beyond_the_board(tmp_path: Path) -> None:
    made = draft(tmp_path, "size = 5\nopenings = ['C3', 'C3 F6']\n[engines]\na = 'x'\nb = 'x'")
    with pytest.raises(PlanError, match="openings:2: F6: that point is not on the board"):
        made.plan()


# --- the schedule


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
    assert list(schedule(made)) == tasks
    assert [task.seed for task in schedule(plan(seed="4"))] != [task.seed for task in tasks]


def test_a_longer_match_goes_on_as_it_began() -> None:
    for names in ("ab", "abc"):
        short, long = (list(schedule(plan(*names, games=games))) for games in ("5", "12"))
        assert len(short) == total(plan(*names, games="5")) == 5 * len(pairings(plan(*names)))
        by_number = {task.number: task for task in long}
        assert [by_number[task.number] for task in short] == short


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
