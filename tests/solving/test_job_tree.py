"""The tree of jobs: values, lines, and which leaf is next."""

from functools import reduce

import pytest

from pinchtp._core import Position, Proof, Solver
from pinchtp.games import GAMES
from pinchtp.solving import job_tree
from pinchtp.solving.job_tree import (
    LEAST_NODES,
    RULED_OUT,
    SUM_SHARE,
    TOTAL_SHARE,
    Finding,
    JobResult,
    JobTree,
    move_wins,
    solve_job,
)

OPEN = Finding(Proof.UNKNOWN, (5, 7), ())


def start(game: str = "pinch", width: int = 2, height: int = 2) -> Position:
    return GAMES[game].start(width, height, pie=False)


def solve(position: Position, workers: int) -> JobTree:
    """Solves by jobs of several solvers, which know nothing of each other."""
    solvers = [Solver(position, memory_mb=16) for _ in range(workers)]
    tree = JobTree(position)
    while not tree.root.is_solved:
        jobs = []
        for solver in solvers:
            nodes = tree.job_nodes()
            leaf = tree.next_job()
            if leaf is not None:
                jobs.append((leaf, solve_job(solver, leaf.position, nodes, lambda: False)))
        assert jobs
        for leaf, result in jobs:
            tree.add(leaf, result)
    return tree


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize(
    ("game", "size"),
    [
        ("pinch", (4, 4)),
        ("pinch", (5, 4)),
        ("pinch-remove", (4, 3)),
        ("pinch-relocate", (3, 3)),
        ("capture-go", (4, 3)),
    ],
)
def test_jobs_find_the_value_and_a_line_to_the_end(
    game: str, size: tuple[int, int], workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_tree, "LEAST_NODES", 100)
    position = start(game, *size)
    tree = solve(position, workers)
    finding = tree.root.finding
    assert finding.value is Solver(position, memory_mb=16).solve(position).value
    winner = position.to_move if finding.value is Proof.WIN else 1 - position.to_move
    assert reduce(Position.play, finding.line, position).result == winner


def result(*values: Finding) -> JobResult:
    """Returns the result of a job about the empty 2x2, by findings after its four moves."""
    moves = start().legal_moves()
    return JobResult(OPEN, dict(zip(moves, values, strict=True)), 10)


WON = Finding(Proof.WIN, (0, RULED_OUT), (1, 2))
LOST = Finding(Proof.LOSS, (RULED_OUT, 0), (1,))
DRAWN = Finding(Proof.DRAW, (RULED_OUT, RULED_OUT), ())


@pytest.mark.parametrize(
    ("after", "value", "numbers", "length"),
    [
        ((WON, WON, WON, WON), Proof.LOSS, (RULED_OUT, 0), 3),
        ((WON, OPEN, LOST, WON), Proof.WIN, (0, RULED_OUT), 2),
        ((WON, DRAWN, WON, WON), Proof.DRAW, (RULED_OUT, RULED_OUT), 1),
        ((WON, DRAWN, OPEN, WON), Proof.UNKNOWN, (7, RULED_OUT), 0),
        ((WON, OPEN, OPEN, WON), Proof.UNKNOWN, (7, 5 + 5 // SUM_SHARE), 0),
    ],
)
def test_findings_after_moves_combine(
    after: tuple[Finding, ...], value: Proof, numbers: tuple[int, int], length: int
) -> None:
    tree = JobTree(start())
    root = tree.next_job()
    assert root is tree.root
    tree.add(root, result(*after))
    assert (root.finding.value, root.finding.numbers) == (value, numbers)
    assert len(root.finding.line) == length


def test_move_wins_if_the_solver_or_the_rules_say_so() -> None:
    position = start(width=3, height=3)
    solver = Solver(position, memory_mb=1)
    wins = [move_wins(solver, position, move) for move in position.legal_moves()]
    assert any(wins) == (solver.solve(position).value is Proof.WIN)
    assert not all(wins)
    larger = start(width=5, height=5)
    assert move_wins(Solver(larger, memory_mb=1), larger, larger.legal_moves()[0], nodes=1) is None


def test_next_job_is_about_the_least_effort() -> None:
    tree = JobTree(start())
    root = tree.next_job()
    assert root is not None
    easy = Finding(Proof.UNKNOWN, (5, 6), ())
    tree.add(root, result(OPEN, OPEN, easy, WON))
    leaf = tree.next_job()
    assert leaf is root.children[2]


def test_leaves_with_jobs_are_not_asked_twice() -> None:
    tree = JobTree(start())
    root = tree.next_job()
    assert root is not None
    assert tree.next_job() is None
    tree.add(root, result(OPEN, OPEN, OPEN, WON))
    leaves = [tree.next_job() for _ in range(4)]
    assert leaves == [*root.children[:3], None]
    assert (root.jobs, root.idle) == (3, 0)


def test_lost_job_is_given_again() -> None:
    tree = JobTree(start())
    leaf = tree.next_job()
    assert leaf is not None
    tree.release(leaf)
    assert tree.next_job() is leaf


def test_late_result_below_a_solved_position_changes_nothing() -> None:
    tree = JobTree(start())
    root = tree.next_job()
    assert root is not None
    tree.add(root, result(OPEN, OPEN, OPEN, WON))
    first, second = tree.next_job(), tree.next_job()
    assert first is not None
    assert second is not None
    tree.add(first, JobResult(LOST, {}, 10))
    solved = root.finding
    assert solved.value is Proof.WIN
    tree.add(second, JobResult(WON, {}, 10))
    assert (root.finding, root.idle, root.jobs, tree.nodes) == (solved, 0, 0, 30)
    assert tree.next_job() is None


def test_jobs_grow_with_the_work_so_far() -> None:
    tree = JobTree(start())
    assert tree.job_nodes() == LEAST_NODES
    tree.nodes = 10 * LEAST_NODES * TOTAL_SHARE
    assert tree.job_nodes() == 10 * LEAST_NODES
