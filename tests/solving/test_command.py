"""Exact values as users ask for them: the GTP command, and `pinchtp solve`."""

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from boards import pinch
from clients import PATIENCE, PROGRAM, engine_settings
from gtp.test_analysis import InputAfter
from processes import no_reader_of_output
from terminals import CTRL_C, Terminal

from pinchtp._core import Position, Proof, Solver
from pinchtp.base.process import ExitStatus
from pinchtp.base.terminal import StatusLine
from pinchtp.games import GAMES
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.server import Server
from pinchtp.player.player import Player
from pinchtp.solving.command import main, solve_each

WORDS = ("win", "loss", "draw", "unknown")


def make_server(size: int = 3, **settings: object) -> Server:
    return Server(GtpEngine(engine_settings(size=(size, size), memory=16, **settings)))


def answers(server: Server, *commands: str) -> list[str]:
    return [str(server.answer(command)).rstrip("\n") for command in commands]


# --- pinchtp-solve


def test_winning_line_can_be_played() -> None:
    server = make_server(pie=False)
    *_, solved = answers(server, "play b a1", "pinchtp-solve 60")
    word, *line = solved.removeprefix("= ").split()
    line, (name, count) = line[:-2], line[-2:]
    assert (word, name) == ("win", "nodes")
    assert int(count) > 0
    for color, move in zip("wb" * len(line), line, strict=False):
        assert answers(server, f"play {color} {move}") == ["= "]
    assert answers(server, "winner") == ["= white"]


def test_swap_is_part_of_a_line() -> None:
    server = make_server()
    _, solved = answers(server, "play b b2", "pinchtp-solve")
    assert solved.split()[:3] == ["=", "win", "swap"]


@pytest.mark.parametrize("seconds", ["", " 0"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_solved_over_gtp(game: str, seconds: str) -> None:
    server = make_server(2)
    answers(server, f"pinchtp-game {game}", "boardsize 2")
    if game == "bushka":
        picture = "?????X????/????...???/???.....??/??.......?/?........." + "/.........?"
        picture += "/?.......??/??.....???/???...????/????O????? w"
        answers(server, f"pinchtp-loadboard {picture}")
    (solved,) = answers(server, f"pinchtp-solve{seconds}")
    assert solved.split()[1] in WORDS
    if seconds != " 0":
        assert solved.split()[1] != "unknown"


def test_too_little_time() -> None:
    word, *rest = answers(make_server(9), "pinchtp-solve 0")[0].removeprefix("= ").split()
    assert (word, rest[0], len(rest)) == ("unknown", "nodes", 2)


def test_interrupt_ends_the_solver() -> None:
    server = make_server(9)
    server.engine.attention = InputAfter(5)
    began = monotonic()
    assert answers(server, "pinchtp-solve")[0].startswith("= unknown nodes ")
    assert monotonic() - began < 20


def test_solver_changes_neither_game_nor_search() -> None:
    server = make_server(4, visits=100, seed=1)
    before = answers(server, "play b b2", "showboard", "reg_genmove w")
    answers(server, "pinchtp-solve 0.1")
    assert answers(server, "showboard", "reg_genmove w") == before[1:]


# --- pinchtp solve


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    status = main([*arguments, "--memory", "16"])
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--size", "3"], "loss"),
        (["--size", "3", "--no-pie"], "win"),
        (["--size", "3", "--pie", "--moves", "b2"], "win"),
        (["--size", "3", "--pie", "--moves", "b2 swap"], "loss"),
        (["--size", "2x3", "--no-pie", "--moves", "A1"], "win"),
        (["--game", "pinch-remove", "--size", "3"], "loss"),
        (["--game", "capture-go", "--size", "4"], "loss"),
        (["--game", "capture-go", "--size", "4", "--crosscut"], "win"),
    ],
    ids=" ".join,
)
def test_value_depends_on_the_options(
    options: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (line,) = said(capsys, *options, "--seconds", "60")
    assert (status, line.split()[0], line.split()[-2]) == (0, word, "nodes")


def test_proof_is_written_without_a_reader_of_the_output(tmp_path: Path) -> None:
    with no_reader_of_output():
        main(["--size", "3", "--memory", "16", "--proof", str(tmp_path / "proof")])
    assert (tmp_path / "proof").exists()


def test_pass_after_the_end_is_no_repetition(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    moves = "b2 a1 b1 c3 b3 pass"
    assert main(["--size", "3", "--no-pie", "--moves", moves, "--proof", str(proof)]) == 0
    (winner,) = json.loads(proof.read_text())["winners"].values()
    assert winner == "black"


def test_short_proof_takes_little_memory() -> None:
    """The system clears memory on first use, which would take longer than the proof."""
    script = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
    solve = [*PROGRAM, "solve", "--size", "4", "--memory", "1G"]
    measured = [sys.executable, "-c", script, *solve]
    kilobytes = subprocess.run(measured, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert int(kilobytes) < 150_000


def test_unsolved_board_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, (line,) = said(capsys, "--size", "9", "--seconds", "0.01")
    assert status == 1
    found = re.fullmatch(r"unknown nodes \d+ proof numbers (\d+) (\d+)", line)
    assert found is not None
    assert min(map(int, found.groups())) > 0


def test_each_move_on_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    status, (first, *board) = said(capsys, "--size", "3", "--no-pie", "--each")
    assert (status, first.split()[:2]) == (0, ["win", "nodes"])
    assert board == [
        "     A B C",
        "  3  - + -  3",
        "  2  + + +  2",
        "  1  - + -  1",
        "     A B C",
        "+ wins, - loses, = draws, ? unknown, for black",
    ]


def test_json_has_value_winner_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    _, lines = said(capsys, "--size", "3", "--moves", "b2", "--json")
    found = json.loads("".join(lines))
    assert (found["value"], found["winner"], found["line"][0]) == ("win", "white", "swap")
    assert found["nodes"] > 0
    _, lines = said(capsys, "--size", "3", "--moves", "b2", "--json", "--each")
    found = json.loads("".join(lines))
    assert (found["value"], found["each"]["swap"], len(found["each"])) == ("win", "win", 9)
    status, lines = said(capsys, "--size", "9", "--seconds", "0", "--json")
    found = json.loads("".join(lines))
    assert (status, found["value"], found["winner"]) == (1, "unknown", None)
    assert len(found["proof_numbers"]) == 2


class Late:
    """A solver that solves nothing before it is asked about it for the third time."""

    nodes = 0

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.asked: list[Position] = []

    def solve(self, position: Position, seconds: float, poll: Callable[[], bool]) -> Any:
        self.asked.append(position)
        if self.asked.count(position) < 3:
            return SimpleNamespace(value=Proof.UNKNOWN, nodes=0)
        return self.solver.solve(position, seconds, poll)


@pytest.mark.parametrize(
    ("options", "questions"),
    [
        ("--size 3 --no-pie", 4),
        ("--size 3 --no-pie --moves b2", 3),
        ("--size 3 --no-pie --moves a1", 8),
        ("--size 4x3 --no-pie", 4),
        ("--game capture-go --size 3", 3),
    ],
)
def test_each_solves_open_moves_up_to_symmetry(
    options: str,
    questions: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, (_, *board) = said(capsys, *options.split(), "--each")
    lates: list[Late] = []
    make = Player.solver

    def solver(player: Player, position: Position) -> Any:
        lates.append(Late(make(player, position)))
        return lates[-1]

    monkeypatch.setattr(Player, "solver", solver)
    status, (_, *found) = said(capsys, *options.split(), "--each", "--seconds", "60")
    assert (status, found) == (0, board)
    (late,) = lates
    assert len(late.asked) == 3 * len(set(late.asked)) == 3 * questions


def test_each_includes_moves_without_a_point(capsys: pytest.CaptureFixture[str]) -> None:
    _, swap = said(capsys, "--size", "3", "--moves", "b2", "--each")
    assert swap[-2:] == ["+ wins, - loses, = draws, ? unknown, for white", "swap: win"]
    _, go = said(capsys, "--game", "capture-go", "--size", "3x2", "--each")
    assert go[-1] == "pass: loss"
    assert go[0].startswith("loss nodes ")


def test_each_names_squares_as_on_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--game", "bushka", "--each", "--seconds", "0"]
    _, (_, letters, *_) = said(capsys, *options)
    _, lines = said(capsys, *options, "--json")
    each = json.loads("".join(lines))["each"]
    assert {move[0] for move in each} <= set(letters.split())


@pytest.mark.parametrize("extra", [[], ["--each", "--proof", "proof.txt"]], ids=str)
def test_finished_game_has_a_result(
    extra: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--size", "3", "--no-pie", "--moves", "b1 a1 b2 a2 b3", *extra]
    status, (first, *_) = said(capsys, *options)
    assert (status, first) == (0, "loss nodes 0")
    status, lines = said(capsys, *options, "--json")
    assert (status, json.loads("".join(lines))["winner"]) == (0, "black")


def test_each_spends_time_left_over_on_open_moves() -> None:
    """One point of those that reflections make of each other is solved, until it is."""
    tries: Counter[Position] = Counter()

    def solve(position: Position, *_: object) -> SimpleNamespace:
        tries[position] += 1
        return SimpleNamespace(value=Proof.WIN if tries[position] > 2 else Proof.UNKNOWN, nodes=1)

    progress: Any = SimpleNamespace(subject="", nodes=0, update=lambda: False)
    solver: Any = SimpleNamespace(solve=solve)
    values = solve_each(pinch(3, 3, pie=False), solver, monotonic() + 100, progress)
    assert set(values.values()) == {Proof.LOSS}
    assert len(values) == 9
    assert list(tries.values()) == [3, 3, 3, 3]


def test_each_lists_unknown_moves(capsys: pytest.CaptureFixture[str]) -> None:
    """The stone that ends the game is seen without any search."""
    moves = "a1 b1 a2 b2 a3 b3 a4 b4 a5 b5 a6 b6 a7 b7 a8 b8"
    options = ["--size", "9", "--no-pie", "--seconds", "0", "--each"]
    status, (first, *board) = said(capsys, *options, "--moves", moves)
    assert (status, first) == (0, "win nodes " + first.split()[-1])
    assert board[1].startswith("  9  + ")
    status, (first, *board) = said(capsys, *options)
    assert (status, first.split()[0]) == (1, "unknown")
    assert board[1] == "  9  ? ? ? ? ? ? ? ? ?  9"


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--game", "go"], "argument --game: 'go': give one of pinch"),
        (["--seconds", "-1"], "argument --seconds: '-1': give a number from 0"),
        (["--size", "3", "--moves", "a1 a1"], "--moves: move 2, 'a1': A1 is occupied"),
        (["--size", "3", "--moves", "z9"], "--moves: move 1, 'z9': "),
        (["--game", "bushka", "--size", "9"], "Bushka is played on 10x10"),
        (["--game", "bushka", "--pie"], "Bushka has no pie rule"),
        (["--crosscut"], "crosscut"),
        (["--proof", "f", "--game", "bushka"], "--proof: proofs of Bushka cannot be written"),
        (["--proof", "/no/such"], "--proof: /no/such: the directory does not exist"),
        (["--proof", "."], "--proof: .: not a regular file"),
        (["--proof", "f", "--moves", "b2 resign"], "--proof: --moves end with a resignation"),
        (["--proof", "x/f", "--store", "x/../x/f"], "--proof: x/f is the file of --store"),
        (["--sise", "3"], "unknown option --sise: did you mean --size?"),
        (["3"], "unexpected argument '3': see pinchtp solve --help"),
    ],
    ids=" ".join,
)
def test_wrong_options(options: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options)
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert hint in err


def test_help_lists_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    own = ("memory", "threads", "moves", "seconds", "each", "proof", "store")
    for option in ("game", "size", "pie", "crosscut", *own):
        assert f"  --{option}" in text


@pytest.mark.parametrize(
    ("options", "time", "rest"),
    [
        ([], "2 s", "[0-9]+ MB; proof [0-9.k]+, disproof [0-9.k]+; Ctrl-C stops"),
        (["--seconds", "9"], "2 of 9 s", "[0-9]+ MB; proof [0-9.k]+, disproof [0-9.k]+; Ctrl-C .*"),
        (
            ["--each", "--seconds", "99"],
            "2 of 99 s",
            "A1, 0 of 36 distinct moves solved; [0-9]+ MB",
        ),
    ],
    ids=str,
)
def test_interrupted_solver_prints_its_result(options: list[str], time: str, rest: str) -> None:
    """The status line fits into 80 columns, and is gone before the result."""
    with Terminal("solve", *options, COLUMNS="80") as terminal:
        terminal.expect(f"{time},")
        terminal.type(CTRL_C)
        terminal.expect("unknown nodes ")
        assert terminal.status() == ExitStatus.INTERRUPTED
    assert "\r\x1b[Kunknown nodes " in terminal.output
    lines = [line.split("^C")[0] for line in terminal.output.split("\r\x1b[K")[:-1]]
    assert re.fullmatch(f"{time}, [0-9.k]+ nodes, [0-9.k]+/s; {rest}", lines[-1])
    assert max(map(len, lines)) < 80


def test_interrupt_keeps_proven_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The moves that were proven by then are shown; a proof file is not written."""
    make = Player.solver

    def solver(player: Player, position: Position) -> Any:
        whole = make(player, position)
        asked = []

        def solve(*arguments: Any) -> Any:
            asked.append(arguments)
            if len(asked) == 2:
                signal.raise_signal(signal.SIGINT)
                return SimpleNamespace(value=Proof.UNKNOWN, nodes=0)
            return whole.solve(*arguments)

        return SimpleNamespace(solve=solve)

    monkeypatch.setattr(Player, "solver", solver)
    file = tmp_path / "proof.txt"
    options = ["--size", "3", "--no-pie", "--each", "--proof", str(file)]
    status, (first, *board) = said(capsys, *options)
    assert (status, first.split()[0]) == (ExitStatus.INTERRUPTED, "unknown")
    assert board[1:4] == ["  3  - ? -  3", "  2  ? ? ?  2", "  1  - ? -  1"]
    assert not file.exists()


def test_status_tells_that_the_proof_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(StatusLine, "DELAY", 0)
    monkeypatch.setattr(StatusLine, "INTERVAL", 0)
    monkeypatch.setattr("pinchtp.base.terminal.os.isatty", lambda _: True)
    for game, unit in (("pinch", "claims"), ("pinch-remove", "positions")):
        options = ["--game", game, "--size", "4", "--no-pie", "--proof", str(tmp_path / game)]
        assert main([*options, "--memory", "16"]) == 0
        shown = capsys.readouterr().err
        assert re.search(rf"\x1b\[Kwriting the proof, [0-9,]+ {unit}\r", shown)
        assert not re.search("4,294,967,295|4295.0M", shown)


def test_solver_tells_nodes_and_proof_numbers_while_it_works() -> None:
    position = GAMES["pinch"].start(9, 9)
    solver = Solver(position, memory_mb=16)
    counts: list[int] = []
    numbers: set[tuple[int, int]] = set()

    def should_stop() -> bool:
        counts.append(solver.nodes)
        numbers.add(solver.proof_numbers)
        return counts[-1] > 1000 and len(numbers) > 1

    solution = solver.solve(position, PATIENCE, should_stop)
    assert counts == sorted(counts)
    assert solver.nodes == solution.nodes > 1000
    assert solver.proof_numbers == solution.proof_numbers
