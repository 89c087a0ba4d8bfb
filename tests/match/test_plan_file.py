"""Match files and flags."""

import re
from pathlib import Path

import pytest
from clients import FOLDER
from match_plans import plan

from pinchtp.base.clock import TimeControl
from pinchtp.games import GAMES
from pinchtp.games.notation import SwapSpelling
from pinchtp.match.option_types import ResignRule
from pinchtp.match.plan import EngineConfig, PlanError
from pinchtp.match.plan_file import PlanBuilder, from_json, plan_differences, to_json
from pinchtp.match.record import Termination
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.store import MatchStore

GAME = next(iter(GAMES))

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


def draft(folder: Path, text: str) -> PlanBuilder:
    path = folder / "match.toml"
    path.write_text(text)
    made = PlanBuilder()
    made.load(path)
    return made


def test_flags_override_a_match_file(tmp_path: Path) -> None:
    made = draft(tmp_path, FILE)
    made.set("games", "8")
    flags = ["new.threads=3", "old=./older", "new.environment=B=3", "more.than-one=./more"]
    made.set_engines([*flags, "net.old=./net"])  # `folder` ends much like that
    found = made.plan()
    assert (found.games, found.board, found.resign) == (8, (9, 9), ResignRule(0.02, 3))
    old, new, more, net = found.engines
    assert old == EngineConfig("old", "./older")
    assert more == EngineConfig("more.than-one", "./more")
    assert net == EngineConfig("net.old", "./net")
    assert new == EngineConfig(
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


def test_options_of_each_engine_precede_its_own(tmp_path: Path) -> None:
    text = """
    each = { threads = 2, startup = "komi 0", time = 3 }
    [engines]
    old = "./old"
    new = { command = "./new", threads = 4, startup = "level 1" }
    """
    made = draft(tmp_path, text)
    made.set_each(["time=5", "swap-as=swap"])
    old, new = made.plan().engines
    assert (old.threads, old.startup, new.threads) == (2, ("komi 0",), 4)
    assert new.startup == ("komi 0", "level 1")
    for engine in (old, new):
        assert (engine.time, engine.swap_as) == (TimeControl.canadian(0, 5, 1), SwapSpelling.SWAP)
    for wrong, message in (("threads", "OPTION=VALUE"), ("thread=1", "each: unknown key 'thread'")):
        with pytest.raises(PlanError, match=message):
            made.set_each([wrong])


def test_options_of_each_engine_reach_engines_of_a_program() -> None:
    made = PlanBuilder()
    made.add_engine("a", EngineConfig("a", "./a", startup=("level 3",)))
    made.add_engine("b", EngineConfig("b", "./b", threads=3))
    made.set("each", {"threads": 2, "startup": "komi 0"})
    first, second = made.plan().engines
    assert (first.threads, first.startup) == (2, ("komi 0", "level 3"))
    assert (second.threads, second.startup) == (3, ("komi 0",))


def test_typed_values_of_a_match_file(tmp_path: Path) -> None:
    text = """
    game = "go"
    referee = false
    size = [13, 9]
    time = { main = 60, increment = 5, cap = 90, move_cap = 29.5 }
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
    assert (made.board, made.time) == ((13, 9), TimeControl.fischer_capped(60, 5, 90, 29.5))
    assert made.sprt == Sprt(0, 5, 0.1, 0.1)
    assert made.void == (Termination.TIME, Termination.DIED)
    assert made.options == (("fast", "true"), ("komi", "7.5"))
    one, other = made.engines
    assert one.command == "pinchtp --visits 20 --record 'my game.sgf'"
    assert (other.command, other.time) == ("./b", TimeControl.canadian(0, 2, 1))
    assert other.startup == ("komi 0",)


def test_rule_options_of_games_are_options_of_a_match() -> None:
    made = plan(game="capture-go", pie="true", crosscut="true")
    assert made.agreed == {"pie": "true", "crosscut": "true"}
    assert from_json(to_json(made)) == made
    assert plan_differences(made, plan(game="capture-go", pie="true")) == [
        "crosscut is true, not false"
    ]
    assert plan(game="capture-go", crosscut="false").agreed == {}
    assert plan(game="capture-go", options="pie=true,crosscut=true") == made
    with pytest.raises(PlanError, match="crosscut: 'maybe': give one of true, false"):
        plan(game="capture-go", options="crosscut=maybe")
    assert plan(game="go", size="9", referee="false", pie="true").agreed == {}


def test_names_may_be_spelled_as_in_python() -> None:
    made = PlanBuilder()
    made.set("move_cap", 200)
    made.set_engines(["a.swap_as=swap"])
    assert (made.values["move-cap"], made.engines["a"]["swap_as"]) == (200, SwapSpelling.SWAP)
    for key in ("move_cap", "move-cap"):
        with pytest.raises(PlanError, match=f"{key}: '0': give an integer"):
            made.set(key, 0)


def test_match_file_of_the_readme_is_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("openings.txt").write_text("D4 E5\n" * 11)
    (text,) = re.findall(
        r"```toml\n(.*?)```", (FOLDER.parent / "pinchtp" / "match" / "README.md").read_text(), re.S
    )
    made = draft(tmp_path, text).plan()
    assert [engine.name for engine in made.engines] == ["old", "new"]
    assert made.sprt == Sprt(0, 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gmes = 3", "unknown key 'gmes': did you mean 'games'?"),
        ("siz = 3", "unknown key 'siz': did you mean 'size'?"),
        ("quiet = true", "unknown key 'quiet': --quiet is a flag only"),
        ("games = 3.5", "games: '3.5': give an integer"),
        ("games = ", "not a TOML file"),
        ("games = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("games = true", "games: 'true': give an integer"),
        ("time = { min = 5 }", "time: "),
        ("time = { main = '5' }", "time: "),
        ("resign = [0.02, 3, 4]", "resign: "),
        ("options = { a = '' }", "options: "),
        ("options = [1]", "options: '[1]': give NAME=VALUE"),
        ("options = ['ab']", "options: \"['ab']\": give NAME=VALUE"),
        ("options = [['a', 1, 2]]", "options: \"[['a', 1, 2]]\": give NAME=VALUE"),
        ("options = [[['a'], 1], ['a']]", "options: "),
        ("[engines]\na = ['x', 3]", "engine a: command: "),
        ("[engines.a]\nenvironment = 3", "engine a: environment: '3': give VARIABLE=VALUE"),
        ("engines = 3", "engines: 3: give a table"),
        ("[engines.a]\ncomand = 'x'", "engine a: unknown key 'comand': did you mean 'command'?"),
        ("[engines.a]\nthreads = 0", "engine a: threads: '0': give an integer from 1"),
        ("[engines.a]\ntime = 'x'", "engine a: time: 'x': give a time"),
        ("[engines.a]\nswap-as = 'x'", "engine a: swap-as: 'x': give one of pass, swap"),
        ("[engines.'a b']\ncommand = 'x'", "engine 'a b': invalid name: give letters"),
        ("openings = 3", "openings: 3: give a file"),
        ("openings = [1]", "openings: [1]: give a file"),
        ('openings = "a\\u0000b"', ": a NUL character is not part"),
        ('openings = ["a\\u0000b"]', ": a NUL character is not part"),
        ('db = "a\\u0000b"', ": give the name of a file, without a NUL character"),
        ('each = {startup = "a\\u0000b"}', ": give a line or a list of lines, without a NUL"),
        ('engines = {a = "a\\u0000b"}', "engine a: command: "),
        ('engines = {a = {environment = {A = "\\u0000"}}}', "engine a: environment: "),
        ('engines = {a = {environment = {A = "1\\nB=2"}}}', "VALUE without a line break"),
    ],
)
def test_error_in_a_match_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PlanError) as error:
        draft(tmp_path, text).plan()
    assert message in str(error.value)
    assert str(tmp_path / "match.toml") in str(error.value)


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("./engine", "give NAME='COMMAND'"),
        ("=x", "engine '': invalid name: give"),
        ("a=", "engine a: no command: give"),
        ("a.threads=2", "engine a: no command: give"),
        ("a.environment=X", "engine a: environment: 'X': give VARIABLE=VALUE"),
    ],
)
def test_error_in_an_engine_option_is_named(flag: str, message: str) -> None:
    def planned() -> None:
        made = PlanBuilder()
        made.set_engines([flag])
        made.plan()

    with pytest.raises(PlanError, match=message):
        planned()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["a=x", "a=y"], "engine a: two engines have this name: give them different names"),
        (["a=x", "a.threds=2"], "engine a: unknown key 'threds': did you mean 'threads'?"),
        (["a.threds=2", "a=x"], "engine a: unknown key 'threds': did you mean 'threads'?"),
        (
            ["net=x", "net.foldr=y"],
            "no engine can be named 'net.foldr' if one is 'net'",
        ),
        (
            ["a=x", "a.visits=5"],
            "engine a: unknown key 'visits': expected command, folder, environment, ",
        ),
        (["a=x", "a.swap_us=swap"], "engine a: unknown key 'swap_us': did you mean 'swap-as'?"),
    ],
)
def test_engine_flags_that_cannot_be_meant(flags: list[str], message: str) -> None:
    made = PlanBuilder()
    with pytest.raises(PlanError) as error:
        made.set_engines(flags)
    assert message in str(error.value)


def test_engine_may_be_named_as_a_version_of_another() -> None:
    made = PlanBuilder()
    made.set_engines(["v1=x", "v1.1=y"])
    assert [engine.command for engine in made.plan().engines] == ["x", "y"]


def test_first_opening_must_exist() -> None:
    made = PlanBuilder(openings=["d4", "c3"])
    made.set_engines(["a=x", "b=y"])
    made.set("opening-start", 2)
    assert made.plan().opening_start == 2
    made.set("opening-start", 3)
    with pytest.raises(PlanError, match="opening-start: 3: give at most 2, their number"):
        made.plan()
    made.openings = None
    made.set("opening-start", 2)
    with pytest.raises(PlanError, match="opening-start: 2: give --openings too"):
        made.plan()


def test_store_is_not_a_match_file(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    MatchStore.begin(path, plan()).close()
    with pytest.raises(
        PlanError, match=r"is a match database, not a match config: `pinchtp match show .*match"
    ):
        PlanBuilder().load(path)


def test_missing_match_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"match.toml: No such file or directory$"):
        PlanBuilder().load(tmp_path / "match.toml")


def test_match_file_may_have_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("games = 8", "utf-8-sig")
    made = PlanBuilder()
    made.load(tmp_path / "x.toml")
    assert made.values == {"games": 8}


def test_paths_in_a_match_file_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("C3\n")
    text = """
    openings = "list.txt"
    page = "x.html"
    log = "logs"
    sgf = "/games"
    engines = { a = "./a", b = "./b" }
    """
    found = draft(tmp_path, text).plan()
    assert [opening.moves for opening in found.openings] == [("C3",)]
    assert (found.page, found.log, found.sgf) == (
        tmp_path / "x.html",
        tmp_path / "logs",
        Path("/games"),
    )


def test_openings_in_a_match_file_are_cut(tmp_path: Path) -> None:
    made = draft(tmp_path, f"opening-plies = 1\n{FILE}").plan()
    assert [opening.moves for opening in made.openings] == [("D4",), ("C3",)]


def test_opening_beyond_the_board_is_rejected(tmp_path: Path) -> None:
    made = draft(tmp_path, "size = 5\nopenings = ['C3', 'C3 F6']\n[engines]\na = 'x'\nb = 'x'")
    with pytest.raises(PlanError, match="openings:2: F6: no such point on the 5x5 board"):
        made.plan()
