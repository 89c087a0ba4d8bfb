"""`pinchtp match` as users start it: its output, its files, and its exit status."""

import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from clients import FOLDER, GNUGO, PATIENCE, needs_gnugo
from duels import MATCH, PROGRAM, player
from match_plans import plan
from match_records import finished_games, record
from processes import wait_for, wait_until_gone
from rich.console import Console

from pinchtp import match
from pinchtp.base.clock import TimeControl
from pinchtp.base.process import ExitStatus
from pinchtp.games import Color
from pinchtp.match import progress
from pinchtp.match.command import main
from pinchtp.match.plan import EngineConfig, MatchPlan, PlanError
from pinchtp.match.playing.cores import available_cores
from pinchtp.match.playing.preflight import EngineRejected
from pinchtp.match.progress import MatchProgress
from pinchtp.match.record import DRAW, GameRecord, MoveRecord, Termination
from pinchtp.match.results.export import OutputError
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.stats import MatchStats
from pinchtp.match.results.store import IN_MEMORY, MatchStore
from pinchtp.match.results.store_file import lock_store
from pinchtp.match.runner import Runner, Schedule
from pinchtp.match.show import SHOW

TOKEN = 6_000_000 + os.getpid()  # marks the engines' command lines, to find them
FILLER, TWIN = player("FixedOrder", TOKEN), player("Twin", TOKEN + 1)
TWO = [f"--engine=a={FILLER.command}", f"--engine=b={TWIN.command}", "--size=5"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def records(db: Path) -> list[GameRecord]:
    with MatchStore.open(db) as store:
        return list(store.records())


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Runs the program as a separate process."""
    return subprocess.run(
        [*MATCH, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        **options,  # type: ignore[call-overload]
    )


# --- a match


def test_match_prints_its_result_and_writes_its_files(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = f"{len(available_cores())}"
    options = [*TWO, "--games", "4", "--jobs", jobs, "--page", "out.html", "--sgf", "games"]
    assert main(options) == 0
    said = capsys.readouterr()
    assert said.err == (
        "all games start on the empty board and may repeat each other: give --openings\n"
    )
    assert "Results of a vs b (pinch 5x5, 1 s per move):" in said.out
    assert "\nElo: " in said.out
    assert len(records(folder / "match.db")) == 4
    assert (folder / "out.html").read_text().startswith("<!")
    assert sorted(each.name for each in (folder / "games").iterdir()) == [
        f"game-00000{number}.sgf" for number in range(1, 5)
    ]
    assert main([*options, "--quiet"]) == 0  # nothing is left to be played
    assert capsys.readouterr().out == ""
    assert main([*TWO, "--games", "6"]) == 0  # but there may be more
    numbers = [each.game.number for each in records(folder / "match.db")]
    assert sorted(numbers) == list(range(6))  # in the order in which they ended


def test_failed_call_changes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [*TWO, "--games", "2", "--quiet"]
    assert main(options) == 0
    with MatchStore.open("match.db") as store:
        before = store.plan()
    third = ["--engine", f"c={FILLER.command}"]
    for wrong in (["--engine", "c=./tyop"], [*third, "--page", "no/x.html"]):
        assert main([*options, *wrong]) == 2
        with MatchStore.open("match.db") as store:
            assert store.plan() == before
    assert main(options) == 0
    assert main([*options, *third]) == 0
    assert len(records(folder / "match.db")) == 6


def test_options_override_the_match_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engines = f"[engines]\na = {FILLER.command!r}\nb = {TWIN.command!r}\n"
    Path("my.toml").write_text(f"size = 5\ngames = 100\njobs = 2\n{engines}")
    assert main(["my.toml", "--games", "2", "--quiet"]) == 0
    assert len(records(folder / "my.db")) == 2


def test_failing_engine_makes_match_incomplete(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = player("Crashes").command
    options = ["--engine", f"a={FILLER.command}", "--engine", f"bad={bad}", "--size", "5"]
    assert main([*options, "--games", "10", "--withdraw", "3"]) == 1
    said = capsys.readouterr()
    assert "game 1: bad (white) ended with exit status 7: out of luck" in said.err
    assert "bad disabled: failed 3 times in a row" in said.err
    assert "games not played: 7 of 10" in said.out
    found = records(folder / "match.db")
    assert {each.termination for each in found} == {Termination.DIED}
    assert main([SHOW, "match.db", "--game", "1"]) == 0
    shown = capsys.readouterr().out
    assert "standard error:\nloading\nout of luck" in shown
    assert "genmove w" in shown


@pytest.mark.slow
def test_interrupted_match_continues(folder: Path) -> None:
    command = [*MATCH, *TWO, "--games", "4000"]
    for number in (signal.SIGINT, signal.SIGTERM):
        before = len(finished_games(folder / "match.db"))
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        wait_for(lambda before=before: len(finished_games(folder / "match.db")) > before)  # type: ignore[misc]
        process.send_signal(number)
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == ExitStatus.INTERRUPTED
        assert "The same command resumes the match" in said
        assert "Traceback" not in said
    wait_until_gone(str(TOKEN))
    wait_until_gone(str(TOKEN + 1))
    numbers = [each.game.number for each in records(folder / "match.db")]
    assert sorted(set(numbers)) == sorted(numbers)
    assert [each.name for each in folder.iterdir()] == ["match.db"]


# --- what is refused before the first game


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "a match needs at least two engines, got 0"),
        (["none.toml"], "none.toml: No such file or directory"),
        (["broken.toml"], "broken.toml: not a TOML file: "),
        ([*TWO, "--gmes", "3"], "unknown option --gmes: did you mean --games?"),
        ([*TWO, "-concurrency", "3"], "unknown option -concurrency: use --jobs N"),
        ([*TWO, "--rounds", "3"], "unknown option --rounds: use --games N, two for each"),
        ([*TWO, "--pgnout", "x"], "unknown option --pgnout: use --sgf DIR"),
        ([*TWO, "--sprt", "elo0=0", "elo1=5"], "--sprt: 'elo0=0': give two hypotheses"),
        ([*TWO, "--sprt", "0,5", "x", "elo1=5"], "unknown option elo1=5: use --sprt"),
        ([*TWO, "--openings", "none.txt"], "openings: none.txt: No such file"),
        ([*TWO, "--openings", ""], "openings: '': give a file, a directory or a list of lines"),
        ([*TWO, "--db", "foreign.db"], "foreign.db is a database of another program"),
        ([*TWO, "--cluster", "local:x"], "local:x"),
        ([*TWO, "--engine", "c=/no/such"], "engine c cannot be started: /no/such"),
        ([*TWO, "--engine", "c=true"], "engine c ended with exit status 0"),
        (
            [*TWO, "--engine", f"c={player('PlaysAnotherGame').command}"],
            "engine c rejects the legal move",
        ),
    ],
)
def test_bad_input_is_named(
    folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("broken.toml").write_text("games = ")
    with sqlite3.connect("foreign.db") as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    try:
        status = main(options)
    except SystemExit as ended:
        status = int(str(ended.code))
    said = capsys.readouterr()
    assert status == 2
    assert said.out == ""
    assert said.err.startswith("pinchtp match: ")
    assert message in said.err
    assert len(finished_games(Path("match.db"))) == 0


def test_page_does_not_replace_the_openings(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("list.txt").write_text("C3 D4\n")
    Path("my.toml").write_text('openings = "list.txt"\npage = "./list.txt"')
    message = "page: list.txt is the file of openings: give another name"
    for flags in (["my.toml"], ["--openings=list.txt", "--page=list.txt"]):
        assert main([*flags, *TWO]) == 2
        assert message in capsys.readouterr().err
    with pytest.raises(OutputError, match=message):
        match.play({"a": FILLER, "b": TWIN}, size=5, openings="list.txt", page="list.txt")
    assert Path("list.txt").read_text() == "C3 D4\n"


def test_another_match_in_the_store(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TWO, "--games", "1", "--quiet"]) == 0
    assert main([*TWO, "--games", "1", "--time", "2"]) == 2
    said = capsys.readouterr().err
    assert "match.db holds another match: time is 2, not 1. Give its options, or" in said
    assert said.endswith("or another database (--db), or start over (--fresh)\n")


@pytest.mark.parametrize("name", ["show", "repair", "sprt"])
def test_subcommand_after_options_is_said_to_come_first(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--games", "3", name])
    assert f"has to be the first argument: pinchtp match {name} ..." in capsys.readouterr().err


def test_finished_match_continues_with_another_engine(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TWO, "--games", "2", "--quiet"]) == 0
    third = ["--engine", f"c={player('FixedOrder', TOKEN + 2).command}"]
    assert main([*TWO, *third, "--games", "2"]) == 0
    assert "Points against" in capsys.readouterr().out
    found = records(folder / "match.db")
    assert [each.game.display_number for each in found] == list(range(1, 7))
    assert {(each.game.black, each.game.white) for each in found[2:]} == {
        ("a", "c"),
        ("c", "a"),
        ("b", "c"),
        ("c", "b"),
    }
    assert main([*TWO, *third, "--games", "4", "--quiet"]) == 0
    assert len(records(folder / "match.db")) == 12
    assert main([*TWO, "--games", "4"]) == 2
    assert "the engines are a, b, not a, b, c" in capsys.readouterr().err


def test_decided_match_continues_without_sprt(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TWO, "--games", "40", "--sprt", "0,200", "--quiet"]) == 0
    capsys.readouterr()
    assert main([SHOW, "match.db", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["total"] - shown["games"] == shown["unplayed"] > 0
    low, high = shown["sprt"]["bounds"]
    assert shown["sprt"]["verdict"] == ("H1" if shown["sprt"]["llr"] >= high else "H0")
    assert not low < shown["sprt"]["llr"] < high
    decided = len(records(folder / "match.db"))
    assert decided < 40
    assert main([*TWO, "--games", f"{decided + 4}", "--quiet"]) == 0
    assert len(records(folder / "match.db")) == decided + 4


def test_changed_engine_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = Path("engine.py")
    source = (FOLDER / "engines" / "start.py").read_text()
    program.write_text(source.replace("os.path.abspath(__file__)", repr(str(FOLDER / "engines/x"))))
    options = ["--engine", f"a={sys.executable} -S {program} FixedOrder", TWO[1]]
    assert main([*options, "--size", "5", "--games", "1", "--quiet"]) == 0
    program.write_text(program.read_text() + "\n# new\n")
    assert main([*options, "--size", "5", "--games", "2", "--quiet"]) == 0
    assert "a has changed since it last played: it was FixedOrder" in capsys.readouterr().err


def test_match_is_played_without_standard_error(folder: Path) -> None:
    done = run(*TWO, "--games", "1", preexec_fn=lambda: os.close(2))
    assert done.returncode == 0
    assert done.stdout.startswith("Results of a vs b")


# --- what is shown


def test_show_prints_the_table_of_play(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.txt").write_text("C3 swap\n")
    three = [*TWO, "--engine", f"c={player('FixedOrder', 8).command}", "--openings", "list.txt"]
    assert main([*three, "--games", "2"]) == 0
    table = capsys.readouterr().out
    assert "Points against" in table
    assert main([SHOW, "match.db"]) == 0
    assert capsys.readouterr().out == table
    assert main([SHOW, "match.db", "--games"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 6
    assert main([SHOW, "match.db", "--jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["display_number"] for line in lines] == list(range(1, 7))
    assert lines[0]["moves"][0] == {
        "color": "black",
        "text": "C3",
        "seconds": 0.0,
        "winrate": None,
        "book": True,
    }
    assert lines[0]["identities"]["black"]["name"] == "FixedOrder"
    assert main([SHOW, "match.db", "--json"]) == 0
    summary = MatchStats(["a", "b", "c"])
    for each in records(folder / "match.db"):
        summary.add(each)
    expected = summary.report().as_json() | {"total": 6, "unplayed": 0, "sprt": None}
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(expected))
    assert main([SHOW, "match.db", "--page", "x.html", "--sgf", "games"]) == 0
    assert capsys.readouterr().out == ""
    assert (folder / "x.html").stat().st_size > 1000
    assert len(list((folder / "games").iterdir())) == 6


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ("none.db", 2, "none.db: no such file"),
        ("match.db --game 99", 2, "match.db has no game 99"),
        ("match.db --page no/such/folder/x.html", 1, "no/such/folder/x.html: No such file"),
        ("match.db --sgf match.db", 1, "match.db: Not a directory"),
    ],
)
def test_show_without_result_fails(
    folder: Path, options: str, status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with MatchStore.begin(folder / "match.db", plan("one", "two")) as store:
        store.add(record())
    assert main([SHOW, *options.split()]) == status
    assert message in capsys.readouterr().err


def test_help_has_examples_and_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], [SHOW], ["repair"], ["sprt"], ["openings"]):
        with pytest.raises(SystemExit) as ended:
            main([*words, "--help"])
        assert ended.value.code == 0
        text = capsys.readouterr().out
        assert "exit status:" in text
        assert "examples:" in text


def test_progress_is_lines_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0)
    match.play({"a": FILLER, "b": TWIN}, size=5, games=4, progress=MatchProgress())
    lines = capsys.readouterr().err.splitlines()
    # A busy machine shows a match once more before its first game has ended.
    first = next(line for line in lines if re.match("[1-4]/4", line))
    assert re.match(r"1/4 games, 0:\d\d, about 0:\d\d left: Elo: no estimate$", first)


def test_progress_after_suspension_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 1000.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    shown = MatchProgress()
    with MatchStore.begin(IN_MEMORY, MatchPlan((FILLER, TWIN))) as store:
        runner = Runner(store.plan(), store, print)
        now += 3600
        for _ in range(3):
            shown.show(runner, SimpleNamespace(note=""))  # type: ignore[arg-type]
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_terminal_shows_a_live_table(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system=None)
    monkeypatch.setattr(progress, "make_console", lambda stream: console)
    monkeypatch.setattr(progress, "TABLE_SECONDS", 0)
    match.play(
        {"a": FILLER, "b": TWIN},
        size=5,
        games=4,
        jobs=len(available_cores()),
        sprt=(0, 500),
        progress=MatchProgress(),
    )
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "1/4 games" in text
    assert "Results of a vs b (pinch 5x5, 1 s per move):" in text
    assert "(-2.94, 2.94) [0.00, 500.00] normalized" in text
    assert "Expected: " not in text


def test_verbose_match_prints_each_finished_game(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TWO, "--games", "2", "--verbose"]) == 0
    lines = capsys.readouterr().err.splitlines()
    pattern = r"Finished game (\d) \(([ab]) vs ([ab])\): (1-0|0-1) \{rules\}"
    found = [re.fullmatch(pattern, line) for line in lines]
    assert [each.groups()[:3] for each in found if each] == [("1", "a", "b"), ("2", "b", "a")]


def test_quick_match_names_engines_after_their_programs(folder: Path) -> None:
    commands = FILLER.command, TWIN.command
    assert main(["--quick", *commands, "--size", "5", "--games", "1", "--quiet"]) == 0
    with MatchStore.open("match.db") as store:
        plan = store.plan()
    program = Path(sys.executable).name
    assert [each.name for each in plan.engines] == [f"{program}-1", f"{program}-2"]
    assert plan.time == TimeControl.fischer(10, 0.1)
    assert plan.jobs >= 1


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("'./a new=one' --gtp", "engine a_new_one-1 cannot be started: ./a new=one"),
        ("", "quick: the command line is empty"),
        ("'open", "quick: 'open: No closing quotation"),
    ],
)
def test_quick_match_reads_commands_as_a_shell(
    command: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--quick", command, "'./a new=one'"]) == 2
    assert message in capsys.readouterr().err


def test_fresh_match_moves_the_earlier_database(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = ["--page", "out.html"]
    assert main([*TWO, "--games", "2", "--quiet", *page]) == 0
    other = [*TWO, "--games", "1", "--time", "2", "--fresh", *page]
    before = Path("out.html").read_bytes()
    for refused in (["--engine", "c=/no/such"], ["--sgf", "match.db/games"]):
        assert main([*other, *refused]) == 2
        assert "the earlier games" not in capsys.readouterr().err
        assert sorted(each.name for each in folder.iterdir()) == ["match.db", "out.html"]
        assert len(records(folder / "match.db")) == 2
        assert Path("out.html").read_bytes() == before
    assert main(other) == 0
    assert "the earlier games are in match-1.db" in capsys.readouterr().err
    assert len(records(folder / "match.db")) == 1
    assert len(records(folder / "match-1.db")) == 2
    with lock_store(folder / "match.db"):
        assert main(other) == 2
    assert "match.db is being played by another runner" in capsys.readouterr().err
    assert not (folder / "match-2.db").exists()


def test_directory_of_games_is_of_one_match(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sgf = ["--sgf", "games"]
    assert main([*TWO, "--games", "2", "--quiet", *sgf]) == 0
    assert main([*TWO, "--games", "4", "--quiet", *sgf]) == 0
    files = {each: each.read_bytes() for each in Path("games").iterdir()}
    assert len(files) == 4
    wrong = "sgf: games has games that this match has not played, such as game-000001.sgf: move "
    for other in (["--fresh"], ["--db", "other.db"]):
        assert main([*TWO, "--games", "2", *sgf, *other]) == 2
        assert wrong in capsys.readouterr().err
    assert len(records(folder / "match.db")) == 4
    assert main([*TWO, "--games", "2", "--quiet", "--fresh"]) == 0
    assert main([SHOW, "match.db", *sgf]) == 1
    assert "such as game-000003.sgf" in capsys.readouterr().err
    assert {each: each.read_bytes() for each in Path("games").iterdir()} == files
    assert main([SHOW, "match-1.db", *sgf]) == 0


def test_results_fit_80_columns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"an-engine-with-a-long-name-{number}" for number in range(12)]
    engines = tuple(EngineConfig(name, "x") for name in names)
    for count in (2, 12):
        plan = MatchPlan(engines[:count], games=4, sprt=Sprt(-100, 100) if count == 2 else None)
        db = folder / f"{count}.db"
        with MatchStore.begin(db, plan) as store:
            for number, game in enumerate(Schedule(plan)):
                winner = (*Color, DRAW)[number % 3]
                moves = (MoveRecord(Color.BLACK, "D4", 1234.5),)
                store.add(GameRecord(game, winner, Termination.RULES, moves=moves))
        assert main([SHOW, str(db)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines[1:])) <= 80  # the heading has both names
        assert len(lines) > 8


# --- for programs


def test_python_plays_a_match(tmp_path: Path) -> None:
    """The API, in the words of its documentation."""
    db = tmp_path / "x.db"
    engines = {"a": FILLER.command, "b": EngineConfig("b", TWIN.command)}
    result = match.play(engines, size=(5, 5), games=4, time=0.5, openings=["C3 D4"], db=db, jobs=2)
    assert result.is_complete
    assert len(result.records) == result.report.games == 4
    assert result.plan.time == TimeControl.canadian(0, 0.5, 1)
    assert all(each.moves[0].text == "C3" for each in result.records)
    pairing = result.report.pairings[0]
    assert (pairing.first, pairing.second, pairing.games) == ("a", "b", 4)
    again = match.play(engines, size=5, games=4, time="0.5", openings=["C3 D4"], db=db)
    assert again.records == result.records


def test_play_names_the_wrong_argument() -> None:
    with pytest.raises(PlanError, match="did you mean 'games'"):
        match.play({"a": "x", "b": "y"}, gmes=3)
    with pytest.raises(EngineRejected, match="engine a cannot be started"):
        match.play({"a": "/no/such", "b": "y"}, size=5)


LIGHT = """
import sys, pinchtp.client
print(*({"numpy", "rich", "distributed", "sqlite3", "pinchtp._core"} & set(sys.modules)))
import pinchtp.cli
print(*({"numpy", "rich", "distributed", "sqlite3"} & set(sys.modules)))
"""


def test_match_modules_are_imported_lazily() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT], check=True, capture_output=True, text=True, cwd=FOLDER
    )
    assert done.stdout.split() == []


# --- foreign engines


@pytest.mark.slow
@needs_gnugo
def test_gnu_go_plays_go_without_a_referee(folder: Path) -> None:
    gnugo = f"{GNUGO} --mode gtp --never-resign"
    engines = [
        option
        for level in (1, 2)
        for option in ("--engine", f"level{level}={gnugo} --level {level}")
    ]
    options = "--game go --size 9 --no-referee --options komi=7.5 --games 4 --time none"
    done = run(*engines, *options.split(), "--page", "go.html", cwd=folder)
    assert done.returncode == 0
    found = records(folder / "match.db")
    assert [each.termination for each in found] == [Termination.SCORED] * 4
    assert all("GNU Go" in each.identities[Color.BLACK].name for each in found)
    wait_until_gone("level 1")


@needs_gnugo
def test_gnu_go_plays_first_capture_go(folder: Path) -> None:
    """The game's name is not on our engine's command line; there is one warning about scores."""
    us = f"{PROGRAM} --visits 50"
    engines = ["--engine", f"us={us}", "--engine", f"gnugo={GNUGO} --mode gtp --level 1"]
    options = "--game capture-go --size 5 --games 4 --page out.html"
    done = run(*engines, *options.split(), cwd=folder)
    assert done.returncode == 0
    assert (done.stdout + done.stderr).count("scores First Capture Go differently") == 1
    found = records(folder / "match.db")
    assert len(found) == 4
    assert all(each.failed is None and each.winner is not None for each in found)
    assert sum(bool(each.faults) for each in found) <= 1, "a wrong score is reported once"
    page = (folder / "out.html").read_text()
    assert all(each.detail in page for each in found)
