"""The solver: values compared with the rules texts and exhaustive search, lines, limits."""

import random
import subprocess
import sys
from collections.abc import Hashable
from dataclasses import replace
from functools import reduce
from time import monotonic
from typing import Any

import bushka_boards
import pytest
from boards import core_move, drawn_with_bans, pair
from bushka_boards import board
from core.test_pinch_remove import CYCLE, CYCLE_START
from exhaustive import parts, play_line, spent, values
from reference.base import opponent
from reference.bushka import BACK_RANK, SQUARES, Bushka, row

from pinchtp import _core
from pinchtp._core import Proof, Solution, Solver
from pinchtp.games import GAMES
from pinchtp.games.notation import point
from pinchtp.player.network import Networks
from pinchtp.player.settings import PACKAGED

MEMORY_MB = 64
RULED_OUT = 2**32 - 1  # proof number
NUMBERS = {  # of what is solved
    Proof.WIN: (0, RULED_OUT),
    Proof.LOSS: (RULED_OUT, 0),
    Proof.DRAW: (RULED_OUT, RULED_OUT),
}


def solve(position: _core.Position, seconds: float = 100.0, **limits: Any) -> Solution:
    return Solver(position, memory_mb=MEMORY_MB).solve(position, seconds, **limits)


def winner(book: Any, value: Proof) -> str:
    """Returns the winner by the solver's value for the side to move, or `draw`."""
    winners = {Proof.WIN: book.to_move, Proof.LOSS: opponent(book.to_move), Proof.DRAW: "draw"}
    return winners[value]


def check_line(
    core: _core.Position, book: Any, line: list[int], known: dict[Hashable, str]
) -> None:
    """Asserts that every move keeps the value, and that the last one ends the game or draws."""
    value = known[book.key()]
    last = book
    for last in play_line(core, book, line):
        assert last.winner is not None or known[last.key()] == value
    assert last.winner in ([value] if value != "draw" else ["draw", None])


# --- published values


def opening_winners(game: str, width: int, height: int) -> str:
    """Returns the winner after each opening without a swap, rows from the top: B, W and slashes."""
    start = _core.new_position(game, width, height, pie=False)
    solver = Solver(start, memory_mb=MEMORY_MB)
    found = {
        move: solver.solve(after).value if after.result is None else Proof.LOSS
        for move in start.legal_moves()
        if (after := start.play(move))
    }
    signs = {Proof.WIN: "W", Proof.LOSS: "B", Proof.DRAW: "="}
    return "/".join(
        "".join(signs[found[point(x, y)]] for x in range(width)) for y in reversed(range(height))
    )


@pytest.mark.parametrize(
    ("game", "width", "height", "winners"),
    [
        ("pinch", 2, 2, "BB/BB"),
        ("pinch", 3, 2, "BBB/BBB"),
        ("pinch", 2, 3, "WW/BB/WW"),
        ("pinch", 3, 3, "WBW/BBB/WBW"),
        ("pinch", 4, 3, "BBBB/BBBB/BBBB"),
        ("pinch", 5, 4, "WBBBW/BBBBB/BBBBB/WBBBW"),
        ("pinch", 4, 5, "WWWW/WWWW/WBBW/WWWW/WWWW"),
        ("pinch-remove", 2, 2, "BB/BB"),
        ("pinch-remove", 3, 2, "BBB/BBB"),
        ("pinch-remove", 2, 3, "WW/WW/WW"),
        ("pinch-remove", 3, 3, "WBW/BBB/WBW"),
        ("pinch-remove", 4, 3, "BBBB/BBBB/BBBB"),
        ("pinch-remove", 3, 4, "WWW/WWW/WWW/WWW"),
        ("capture-go", 3, 3, "WBW/BBB/WBW"),
    ],
)
def test_each_opening_has_its_winner(game: str, width: int, height: int, winners: str) -> None:
    assert opening_winners(game, width, height) == winners


@pytest.mark.parametrize(
    ("width", "height", "value"),
    [
        (2, 2, Proof.LOSS),
        (3, 2, Proof.LOSS),
        (2, 3, Proof.LOSS),
        (5, 2, Proof.WIN),
        (2, 5, Proof.WIN),
        (4, 3, Proof.WIN),
        (3, 4, Proof.WIN),
        (4, 4, Proof.LOSS),
    ],
)
def test_first_capture(width: int, height: int, value: Proof) -> None:
    assert solve(_core.new_position("capture-go", width, height, pie=False)).value is value


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (3, 3), (4, 3), (3, 4), (4, 4)])
def test_second_player_wins_with_pie_rule(size: tuple[int, int]) -> None:
    assert solve(_core.new_position("pinch", *size, pie=True)).value is Proof.LOSS


def test_shortest_paths_reduce_nodes() -> None:
    """Threats alone take 589,000 nodes."""
    solution = solve(_core.new_position("pinch", 5, 5, pie=False))
    assert solution.value is Proof.WIN
    assert solution.nodes < 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "size", "value"),
    [
        ("pinch", 4, Proof.WIN),
        pytest.param("capture-go", 5, Proof.WIN, marks=pytest.mark.nightly),
    ],
)
def test_larger_boards_within_a_minute(game: str, size: int, value: Proof) -> None:
    assert solve(_core.new_position(game, size, size, pie=False), 60).value is value


# --- values of exhaustive search in the reference


def check_games(game: str, width: int, height: int, count: int, threads: int = 1) -> set[str]:
    """Solves every position of random games; returns the values that occurred."""
    start = pair(game, width, height, pie=True)
    known = values(start[1])
    solver = Solver(start[0], memory_mb=MEMORY_MB, threads=threads)
    rng = random.Random(game)
    found = set()
    for _ in range(count):
        core, book = start
        while book.winner is None:
            exact = values(book) if spent(book) else known
            solution = solver.solve(core)
            assert winner(book, solution.value) == exact[book.key()]
            assert solution.proof_numbers == NUMBERS[solution.value]
            check_line(core, book, solution.line, exact)
            found.add(exact[book.key()])
            move = rng.choice(book.moves())
            for part in parts(book, move):
                core = core.play(part)
            book = book.play(move)
    return found


@pytest.mark.parametrize("size", [(3, 2), (2, 3)])
@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.places_stones])
def test_small_boards(game: str, size: tuple[int, int]) -> None:
    assert {"black", "white"} <= check_games(game, *size, 40)


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.places_stones])
def test_threads_find_exact_values(game: str) -> None:
    assert {"black", "white"} <= check_games(game, 3, 2, 10, threads=3)


def test_threads_share_work() -> None:
    """Three that worked alone would search three times as many positions as one, or nearly."""
    start = _core.new_position("pinch", 5, 4, pie=False).play(point(0, 0))
    nodes = [Solver(start, memory_mb=64, threads=threads).solve(start).nodes for threads in (1, 3)]
    assert nodes[1] < 2 * nodes[0]


@pytest.mark.slow
@pytest.mark.parametrize("games", [8, pytest.param(300, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("game", ["pinch", "pinch-remove", "capture-go"])
def test_boards_of_nine_points(game: str, games: int) -> None:
    assert {"black", "white"} <= check_games(game, 3, 3, games)


def test_positions_that_occurred_twice_draw() -> None:
    """After cycles, the only move that does not lose repeats such a position."""
    core, book = drawn_with_bans(CYCLE_START, "white")
    first = CYCLE[0]
    around = [*CYCLE[1:], CYCLE[0]]
    core = core.play(core_move(first))
    book = replace(book.play(first), history=())
    core = _core.set_up("pinch-remove", 3, 3, core.cells(), core.to_move)
    solver = Solver(core, memory_mb=MEMORY_MB)
    found = []
    for number, move in enumerate([*around, *around]):
        if number % len(around) in (0, 5, 11):
            exact = values(book)
            solution = solver.solve(core)
            assert winner(book, solution.value) == exact[book.key()]
            assert solution.proof_numbers == NUMBERS[solution.value]
            check_line(core, book, solution.line, exact)
            found.append(solution.value)
        core = core.play(core_move(move))
        book = book.play(move)
    assert book.winner == "draw"
    assert solution.line == [core_move(first)]
    assert found[2] is not found[5] is Proof.DRAW


def test_proofs_outlive_positions_with_repetitions() -> None:
    """What is proven there holds there only, and replaces nothing that another process stored."""
    start = drawn_with_bans(CYCLE_START, "white")[0]
    repeated = start
    for move in [*CYCLE, *CYCLE[:-1]]:
        repeated = repeated.play(core_move(move))
    solver = Solver(start, memory_mb=MEMORY_MB)
    first = solver.solve(start)
    assert solver.solve(repeated).nodes > 0
    again = solver.solve(start)
    assert (again.value, again.line) == (first.value, first.line)
    assert again.nodes < first.nodes


# --- Bushka: endgames


def few_pieces(rng: random.Random, men: int, kings: int) -> Bushka:
    """Returns random men and kings; each color has at least one piece."""
    while True:
        taken = rng.sample(SQUARES, men + kings)
        groups: dict[str, set[Any]] = {"white": set(), "black": set()}
        for square in taken:
            groups[rng.choice(["white", "black"])].add(square)
        crowned = frozenset(taken[men:])
        arrived = any(
            row(square) == BACK_RANK["black" if color == "white" else "white"]
            for color, squares in groups.items()
            for square in squares - crowned
        )
        if arrived or not all(groups.values()):
            continue
        white, black = frozenset(groups["white"]), frozenset(groups["black"])
        return Bushka(
            white - crowned,
            black - crowned,
            white & crowned,
            black & crowned,
            rng.choice(["white", "black"]),  # type: ignore[arg-type]
        )


def check_endgames(rng: random.Random, count: int, men: int, kings: int, most: int) -> set[str]:
    """Solves `count` endgames with at most `most` reachable positions."""
    found = list[str]()
    while len(found) < count:
        book = few_pieces(rng, men, kings)
        known = values(book, most) if book.winner is None else {}
        if not known:
            continue
        core = bushka_boards.set_up(book)
        solution = solve(core)
        assert winner(book, solution.value) == known[book.key()], book
        check_line(core, book, solution.line, known)
        found.append(known[book.key()])
    return set(found)


def test_small_endgames() -> None:
    assert {"black", "white"} <= check_endgames(random.Random(1), 25, 3, 0, 150)


@pytest.mark.nightly
def test_man_and_king() -> None:
    found = check_endgames(random.Random(3), 8, 1, 1, 8_000)
    assert found == {"black", "white", "draw"}


@pytest.mark.slow
def test_king_may_draw_against_two() -> None:
    """Proof search alone cannot solve this; the line is a cycle."""
    book = board("e5 g7", "b5", kings="e5 g7 b5", to_move="black")
    core = bushka_boards.set_up(book)
    known = values(book)
    assert known[book.key()] == "draw"
    assert set(known.values()) == {"black", "white", "draw"}
    solution = solve(core)
    assert solution.value is Proof.DRAW
    check_line(core, book, solution.line, known)
    *_, last = play_line(core, book, solution.line)
    assert last.winner is None
    assert last.history.count(last.key()) == 1


# --- limits


HARD = _core.new_position("pinch", 9, 9, pie=True)


@pytest.mark.parametrize("threads", [0, 256])
def test_number_of_threads_is_bounded(threads: int) -> None:
    with pytest.raises(ValueError, match="threads must be from 1 to 255"):
        Solver(HARD, memory_mb=1, threads=threads)


def test_too_little_time_is_unknown() -> None:
    solution = solve(HARD, 0.0)
    assert (solution.value, solution.line) == (Proof.UNKNOWN, [])
    assert 0 <= solution.nodes < 1_000_000


@pytest.mark.parametrize("game", GAMES)
def test_stop_acts_within_milliseconds(game: str) -> None:
    """Load may spoil a try."""
    start = GAMES[game].start(*GAMES[game].size, pie=False)

    def seconds_to_stop() -> float:
        began = monotonic()
        asked = list[float]()

        def should_stop() -> bool:
            if monotonic() - began > 0.2:
                asked.append(monotonic())
            return bool(asked)

        assert solve(start, should_stop=should_stop).value is Proof.UNKNOWN
        return monotonic() - asked[0]

    assert any(seconds_to_stop() < 0.02 for _ in range(20))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_node_limit_ends_a_solve_as_unknown(game: str, threads: int) -> None:
    start = GAMES[game].start(*GAMES[game].size)
    solution = Solver(start, memory_mb=16, threads=threads).solve(start, nodes=1000)
    assert (solution.value, solution.line) == (Proof.UNKNOWN, [])
    assert 500 <= solution.nodes <= 1000


def test_attractor_search_keeps_to_a_node_limit() -> None:
    """It begins after 20,000 nodes."""
    start = GAMES["bushka"].start(10, 10)
    assert Solver(start, memory_mb=64).solve(start, nodes=25_000).nodes <= 25_001


def test_attractor_search_shows_its_nodes() -> None:
    start = GAMES["bushka"].start(10, 10)
    solver = Solver(start, memory_mb=64)
    seen = set[int]()

    def look() -> bool:
        seen.add(solver.nodes)
        return False

    solver.solve(start, should_stop=look, nodes=40_000)
    assert len([nodes for nodes in seen if 20_000 < nodes < 40_000]) > 3


def test_node_limit_gives_the_same_result_every_time() -> None:
    start = _core.new_position("pinch", 5, 5, pie=False)
    found, again = (Solver(start, memory_mb=MEMORY_MB).solve(start, nodes=3000) for _ in range(2))
    assert found.proof_numbers == again.proof_numbers
    assert all(0 < number < RULED_OUT for number in found.proof_numbers)


def test_solver_resumes_after_a_node_limit() -> None:
    start = _core.new_position("pinch", 4, 4, pie=True)
    solver = Solver(start, memory_mb=MEMORY_MB)
    tries = 1
    while (solution := solver.solve(start, nodes=500)).value is Proof.UNKNOWN:
        tries += 1
    assert 2 < tries < 10
    assert solution.value is Proof.LOSS
    end = reduce(_core.Position.play, solution.line, start)
    assert end.result is not None


def test_should_stop_error_propagates() -> None:
    def should_stop() -> bool:
        raise LookupError

    with pytest.raises(LookupError):
        solve(HARD, should_stop=should_stop)


def test_interrupted_solver_resumes() -> None:
    start = _core.new_position("capture-go", 4, 4, pie=False)
    solver = Solver(start, memory_mb=1)
    looks = iter(range(1000))
    while (solution := solver.solve(start, 0.01)).value is Proof.UNKNOWN:
        assert next(looks) < 500
    assert solution.value is Proof.LOSS


MOST_MEMORY = """
import sys
from pathlib import Path
from pinchtp.solving.command import main
assert main(sys.argv[1:]) == 1
(line,) = [each for each in Path("/proc/self/status").read_text().split("\\n") if "VmHWM" in each]
print(line.split()[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("game", [["--size", "6"], ["--game", "bushka"]], ids=" ".join)
def test_memory_is_bounded(game: list[str]) -> None:
    """Compares the peak memory of a process with that of an idle one."""
    held = []
    for options in (["--memory", "1", "--seconds", "0"], ["--memory", "32", "--seconds", "4"]):
        command = [sys.executable, "-P", "-c", MOST_MEMORY, *game, *options]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        held.append(int(said.split()[-1]) / 1024)
    assert 16 < held[1] - held[0] < 36


@pytest.mark.parametrize("memory", [1, 16])
def test_little_memory_finds_same_values(memory: int) -> None:
    start = _core.new_position("pinch", 4, 4, pie=True)
    solution = Solver(start, memory_mb=memory).solve(start, 60)
    assert solution.value is Proof.LOSS


def test_unavailable_memory_is_rejected() -> None:
    with pytest.raises(MemoryError):
        Solver(HARD, memory_mb=1 << 40)


def test_unsupported_positions_are_rejected() -> None:
    solver = Solver(HARD, memory_mb=1)
    for other in [
        _core.new_position("pinch", 9, 8, pie=True),
        _core.new_position("capture-go", 9, 9, pie=True),
    ]:
        with pytest.raises(ValueError, match="for another game, size, options or instruction set"):
            solver.solve(other)
    over = _core.new_position("capture-go", 9, 9, pie=True).play(_core.PASS)
    with pytest.raises(ValueError, match="the game is over"):
        Solver(over, memory_mb=1).solve(over)


@pytest.mark.parametrize("instruction_set", _core.instruction_sets())
def test_solver_is_deterministic(instruction_set: str) -> None:
    start = _core.new_position("pinch-remove", 3, 3, pie=True, instruction_set=instruction_set)
    found, again = solve(start), solve(_core.new_position("pinch-remove", 3, 3, pie=True))
    assert (found.value, found.line, found.nodes) == (again.value, again.line, again.nodes)


@pytest.mark.parametrize("game", ["pinch", "pinch-relocate"])
def test_line_may_be_limited_to_one_turn(game: str) -> None:
    start = GAMES[game].start(3, 3, pie=False)
    line = solve(start).line
    turn = solve(start, turns=1).line
    assert 0 < len(turn) < len(line)
    assert line[: len(turn)] == turn


# --- with a network


# Pinch is guided on boards of more than 7 columns or 8 rows.
GUIDED = {
    "pinch": (8, 4, 10),
    "pinch-remove": (4, 4, 2),
    "pinch-relocate": (4, 4, 4),
    "capture-go": (5, 5, 7),
}


def random_positions(game: str, width: int, height: int, plies: int) -> list[_core.Position]:
    """Returns twelve positions after random moves, in unfinished games."""
    found: list[_core.Position] = []
    rng = random.Random(game)
    while len(found) < 12:
        position = GAMES[game].start(width, height, pie=False)
        for _ in range(plies):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is None:
            found.append(position)
    return found


def guided(position: _core.Position) -> Solution:
    network = Networks(PACKAGED).of(position)
    assert network is not None
    return Solver(position, memory_mb=MEMORY_MB, network=network).solve(position)


@pytest.mark.parametrize("game", GUIDED)
def test_network_does_not_change_values(game: str) -> None:
    for position in random_positions(game, *GUIDED[game]):
        assert guided(position).value == solve(position).value


@pytest.mark.slow
def test_network_reduces_nodes() -> None:
    """Bushka uses none."""
    assert set(GUIDED) == {name for name, game in GAMES.items() if game.guides_solver}
    for game, size_and_plies in GUIDED.items():
        positions = random_positions(game, *size_and_plies)
        nodes = sum(guided(position).nodes for position in positions)
        assert nodes < 0.7 * sum(solve(position).nodes for position in positions)


def test_network_guidance_is_same_on_instruction_sets() -> None:
    found = set()
    for instruction_set in _core.instruction_sets():
        position = _core.new_position("pinch", 8, 2, instruction_set=instruction_set, pie=False)
        solution = guided(position)
        found.add((solution.nodes, tuple(solution.line)))
    assert len(found) == 1


def test_foreign_network_is_ignored() -> None:
    network = Networks(PACKAGED).of(_core.new_position("pinch", 4, 4, pie=False))
    with pytest.raises(ValueError, match="network"):
        Solver(_core.new_position("capture-go", 4, 4, pie=False), network=network)
