"""The program itself: its streams, exit statuses and messages, Ctrl-C, and its time for moves."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

import psutil
import pytest
from clients import FOLDER, PATIENCE, PROGRAM, Program, run, split_answers

from pinchtp import cli
from pinchtp.base.process import ExitStatus
from pinchtp.build import version_text

# --- the command line


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"pinchtp {version_text()}\n", "")


def test_help_lists_subcommands_and_options() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    words = [
        "usage: pinchtp",
        "pinchtp board",
        "pinchtp play",
        "pinchtp man",
        "examples:",
        "  --size",
        "  --swap-as",
        "exit status:",
    ]
    assert sorted(words, key=done.stdout.index) == words


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--sise", "9"], "unknown option --sise: did you mean --size?"),
        (["--visit=100"], "unknown option --visit=100: did you mean --visits?"),
        (["--quux"], "unknown option --quux: see pinchtp --help"),
        (["--pie=yes"], "--pie/--no-pie takes no value: found 'yes'"),
        (["--size"], "argument --size: expected one argument"),
        (["--size", "26"], "argument --size: '26': give a size from 2 to 25"),
        (["--swap-as", "flip"], "'flip': give one of pass, swap, swap-pieces, swap-sides"),
        (["--time", "0"], "argument --time: '0': give seconds"),
        (["--resign", "1.5"], "argument --resign: '1.5': give a number from 0 to 1"),
    ],
    ids=" ".join,
)
def test_wrong_option_error_names_the_expected_value(
    options: list[str],
    hint: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["pinchtp", *options])
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, error = capfd.readouterr()
    assert (end.value.code, out) == (2, "")
    assert error.startswith("pinchtp: ")
    assert hint in error
    assert error.count("\n") == 1


def test_size_and_pie_rule_are_options_too() -> None:
    """A ruler of GoGui is never sent `boardsize`."""
    done = run("--size", "3x2", "--no-pie", "-e", "all_legal", "-e", "play b b1", "-e", "swap")
    assert split_answers(done.stdout) == [
        "= A1 B1 C1 A2 B2 C2",
        "= ",
        "? cannot swap: this game is played without the pie rule",
    ]


# --- where commands come from


def test_commands_of_the_command_line() -> None:
    done = run("-e", "boardsize 5", "--execute", "7 play b c3", "-e", "winner", sent=b"name\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert split_answers(done.stdout) == ["= ", "=7 ", "= none"]


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A folder with a few files of commands."""
    (tmp_path / "a.gtp").write_text("# a game\nboardsize 5\n\nplay b c3\n")
    (tmp_path / "b.gtp").write_bytes(b"1 play w swap\r\n2 winner")
    (tmp_path / "wrong.gtp").write_text(
        "boardsize 5\n# next: out of turn\n3 play w c3\nfrobnicate\n"
    )
    (tmp_path / "quit.gtp").write_text("name\nquit\nversion\n")
    return tmp_path


def test_files_one_after_the_other(scripts: Path) -> None:
    done = run(str(scripts / "a.gtp"), str(scripts / "b.gtp"), sent=b"name\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert split_answers(done.stdout) == ["= ", "= ", "=1 ", "=2 none"]


def test_commands_of_options_run_before_files(scripts: Path) -> None:
    done = run("-e", "name", "-", str(scripts / "b.gtp"), sent=b"boardsize 5\nplay b c3\n")
    assert split_answers(done.stdout) == ["= pinchtp", "= ", "= ", "=1 ", "=2 none"]


def test_quit_ends_all_files(scripts: Path) -> None:
    done = run("-e", "1 komi 0", str(scripts / "quit.gtp"), str(scripts / "a.gtp"))
    assert split_answers(done.stdout) == ["=1 ", "= pinchtp", "= "]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.gtp", "No such file or directory"),
        ("", "Is a directory"),
        ("a.gtp/b", "Not a directory"),
    ],
)
def test_unreadable_file_is_reported(scripts: Path, name: str, reason: str) -> None:
    path = str(scripts / name)
    done = run("-e", "name", path)
    assert split_answers(done.stdout) == ["= pinchtp"]
    assert (done.returncode, done.stderr) == (1, f"pinchtp: {path}: {reason}\n")


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("repotr", "pinchtp report"),
        ("bord --listen x", "pinchtp board"),
        ("analyse", "pinchtp analysis"),
        ("match sow match.db", "pinchtp match show"),
        ("match repiar x y", "pinchtp match repair"),
    ],
)
def test_mistyped_subcommand_gets_a_suggestion(
    words: str, right: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pinchtp", *words.split()])
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, error = capfd.readouterr()
    assert error.endswith(f": did you mean '{right}'?\n")
    assert (end.value.code, out, error.count("\n")) == (2, "", 1)


def test_gtp_command_without_its_option_is_named() -> None:
    done = run("genmove", "b")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("named 'genmove': did you mean pinchtp -e 'genmove b'?\n")


@pytest.mark.parametrize("encoding", ["ascii", "ascii:surrogateescape", "latin-1"])
def test_characters_that_the_encoding_lacks_are_escaped(encoding: str) -> None:
    done = run("report", "--list", env=os.environ | {"PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, "")
    assert "0, 1, 2, 3 \\u2026 turns" in done.stdout


@pytest.mark.parametrize(
    "words", ["--game bushka play", "--threads 2 solve --size 3", "-e name match"]
)
def test_subcommand_after_options_is_said_to_come_first(
    words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = words.replace(" --size 3", "").split()[-1]
    with pytest.raises(SystemExit, match="2"):
        cli.main(words.split())
    said = capfd.readouterr().err
    assert said == f"pinchtp: the command has to be the first argument: pinchtp {name} ...\n"
    Path(name).write_text("name")
    assert cli.main([*words.split()[:2], name]) == 0  # a file of commands with this name


def test_options_may_stand_between_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"pinchtp-param visits {ord(name)}\npinchtp-param visits")
    done = run(str(tmp_path / "a"), "--strict", str(tmp_path / "b"))
    assert (done.returncode, done.stdout) == (0, "= \n\n= 97\n\n= \n\n= 98\n\n")


@pytest.mark.parametrize("command", ["man", "completion"])
def test_unknown_word_is_answered_with_the_known_ones(command: str) -> None:
    done = run(command, "foo")
    assert done.returncode == 2
    assert ": 'foo': give one of b" in done.stderr  # board or bash


def test_record_in_place_of_commands_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]RU[pinch];B[cc])")
    done = run("--size", "5", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{path} is a game record, not a file of commands" in done.stderr
    assert run("--size", "5", "-e", f"pinchtp-loadrecord {path}").returncode == 0


def test_words_for_options_work() -> None:
    assert run("version").stdout == run("--version").stdout
    assert run("help", "solve").stdout == run("solve", "--help").stdout
    done = run("help", "showboard")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("pinchtp -e 'help showboard' describes that of GTP\n")
    assert run("help", "nosuch").stderr.endswith("'nosuch': pinchtp --help lists all\n")
    done = run("--size", "13", "9")
    assert done.stderr.endswith("a board of 13 columns and 9 rows is --size 13x9\n")
    settings = (
        "--time",
        "5s",
        "--visits",
        "2k",
        "-e",
        "pinchtp-param time",
        "-e",
        "pinchtp-param visits",
    )
    assert run(*settings).stdout == "= 5.0\n\n= 2000\n\n"


def test_rejected_commands_of_a_client_exit_with_0() -> None:
    for done in (run(sent=b"frobnicate\n"), run("--no-strict", "-e", "frobnicate")):
        assert (done.returncode, done.stdout, done.stderr) == (0, "? unknown command\n\n", "")


def test_refused_command_of_the_command_line_is_a_failure() -> None:
    done = run("-e", "savesgf g.sgf", "-", sent=b"frobnicate\n")
    assert done.returncode == 1
    assert done.stderr == (
        "pinchtp: -e:1: savesgf g.sgf: unknown command ('savesgf': help lists all)\n"
    )


def test_strict_names_the_failing_lines(scripts: Path) -> None:
    path = str(scripts / "wrong.gtp")
    done = run("--strict", "-e", "komi 0", "-e", "undo", path)
    assert split_answers(done.stdout)[-2:] == ["?3 illegal move", "? unknown command"]
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "pinchtp: -e:2: undo: cannot undo (no move was played)",
        f"pinchtp: {path}:3: 3 play w c3: illegal move (it is black's turn)",
        f"pinchtp: {path}:4: frobnicate: unknown command ('frobnicate': help lists all)",
    ]


def test_terminal_shows_reasons() -> None:
    """Users at a terminal need not know of `--strict`."""
    main, terminal = pty.openpty()
    os.write(main, b"play w a1\nfrobnicate\nname\nquit\n")
    done = subprocess.run(
        PROGRAM, check=False, stdin=terminal, capture_output=True, text=True, timeout=PATIENCE
    )
    os.close(main)
    os.close(terminal)
    assert done.returncode == 0
    assert split_answers(done.stdout)[0] == "? illegal move"
    assert done.stderr.splitlines() == [
        "pinchtp: it is black's turn",
        "pinchtp: 'frobnicate': help lists all",
    ]


def test_strict_on_standard_input() -> None:
    done = run("--strict", sent=b"name\n\xff\n")
    assert done.returncode == 1
    assert done.stderr.startswith("pinchtp: stdin:2: ")


def test_strict_remembers_a_failure_until_quit() -> None:
    assert run("--strict", sent=b"undo\nquit\n").returncode == 1
    assert run("--strict", sent=b"name\nquit\n").returncode == 0


# --- its streams


def test_search_finishes_after_end_of_input() -> None:
    done = run("--size", "5", "--visits", "100", sent=b"genmove b")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("= ")


def test_standard_output_is_protocol_only() -> None:
    """Whatever the commands are, those that search, those that solve and those that fail."""
    names = split_answers(run("-e", "list_commands").stdout)[0].removeprefix("= ").split("\n")
    lines = [line for name in names if name != "quit" for line in (name, f"{name} b", f"{name} 3")]
    options = ["--visits", "50", "--size", "3", "--no-files"]
    done = run(*options, sent="\n".join([*lines, "quit"]).encode())
    assert (done.returncode, done.stderr) == (0, "")
    assert len(split_answers(done.stdout)) == len(lines) + 1


def test_quit_is_answered_before_the_end() -> None:
    with Program() as program:
        assert program.ask("5 quit") == "=5 "
        assert program.rest() == ""
        assert program.ended() == (0, "")


def test_closed_output_ends_program() -> None:
    with Program() as program:
        assert program.ask("name") == "= pinchtp"
        program.close_output()
        program.send(b"name\n")
        assert program.ended() == (0, "")


def test_closed_output_ends_cancellable_search() -> None:
    with Program("--time", "600") as program:
        program.send(b"kata-search_cancellable b\n")
        program.close_input()
        program.close_output()
        assert program.ended() == (0, "")


def test_ctrl_c_while_it_waits() -> None:
    with Program() as program:
        assert program.ask("name") == "= pinchtp"
        program.interrupt()
        assert program.ended() == (ExitStatus.INTERRUPTED, "")


INTERRUPTED_WHILE_LOADED = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Interrupting(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "pinchtp.gtp.engine":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
if sys.argv[1] == "ignored":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.argv[1:] = ["-e", "name"]
from pinchtp.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("inherited", "status", "said"),
    [("default", -signal.SIGINT, ""), ("ignored", 0, "= pinchtp\n\n")],
)
def test_ctrl_c_while_it_is_loaded(inherited: str, status: int, said: str) -> None:
    """Ctrl-C prints no traceback; an ignored SIGINT, as under nohup, stays ignored."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WHILE_LOADED, inherited],
        capture_output=True,
        check=False,
        text=True,
        timeout=PATIENCE,
        cwd=FOLDER,
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, said, "")


@pytest.mark.parametrize("command", ["genmove b", "reg_genmove b", "pinchtp-perft 40"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_while_it_works(command: str, threads: str) -> None:
    with Program("--time", "1000", "--threads", threads, "--memory", "64") as program:
        assert program.ask("name") == "= pinchtp"
        program.send(f"{command}\n".encode())
        assert program.is_running_after(0.3)  # its start is invisible from outside
        began = monotonic()
        program.interrupt()
        assert program.ended() == (ExitStatus.INTERRUPTED, "")
        assert monotonic() - began < 20


def test_program_answers_soon_after_its_start() -> None:
    """A GUI that attaches waits for the name; the figure itself belongs to the benchmarks."""
    with Program() as program:
        assert program.ask("name") == "= pinchtp"
        assert sum(psutil.Process(program.pid).cpu_times()[:2]) < 2


# --- its moves


@pytest.mark.slow
def test_fifty_moves_on_time(capsys: pytest.CaptureFixture[str]) -> None:
    """No move overruns `--time 0.1` by much, from pipe to pipe.

    On an idle machine (2 cores of an AMD EPYC) the slowest answer takes 0.096 s in every run; there
    0.15 s is promised. Asserted is what a busy machine keeps as well.
    """
    waits: list[float] = []
    with Program("--time", "0.1", "--size", "19", "--no-pie") as program:
        assert program.ask("name") == "= pinchtp"  # its start is none of the moves' time
        color, other = "b", "w"
        while len(waits) < 50:
            began = monotonic()
            answer = program.ask(f"genmove {color}")
            waits.append(monotonic() - began)
            color, other = other, color
            if answer == "= pass":  # the game has ended, and no time was needed
                waits.pop()
                assert program.ask("clear_board") == "= "
                color, other = "b", "w"
    with capsys.disabled():
        print(f"\nslowest of 50 moves of 0.1 s: {max(waits):.3f} s")
    assert max(waits) < 1
