"""Job-level proof-number search (Wu et al., 2010): a proof that many solvers share.

The tree has the positions of jobs, and the positions after each of their moves. A job solves a
leaf, with a limited number of nodes. A leaf that stays open gets the positions after its moves as
children, with the solver's proof numbers for them. The next job is the most promising leaf. The
proof numbers of nodes with running jobs are increased, so that jobs spread over the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pinchtp._core import Position, Proof, Solver

RULED_OUT = 2**32 - 1  # the proof number of an impossible result
LEAST_NODES = 20_000  # of a job
TOTAL_SHARE = 100  # the limit of a job is all nodes so far divided by this
SUM_SHARE = 4  # in a sum of proof numbers, all but the largest are divided by this

OPPOSITE = {Proof.WIN: Proof.LOSS, Proof.LOSS: Proof.WIN}


@dataclass(frozen=True)
class Finding:
    """A solver's result for a position; see Solution.

    value, numbers: the value and the proof and disproof numbers, for the color to move. line: best
    play.
    """

    value: Proof
    numbers: tuple[int, int]
    line: tuple[int, ...]


@dataclass(frozen=True)
class JobResult:
    """The result of a job.

    after: the findings for the position after each move; empty if the job's position is solved.
    """

    finding: Finding
    after: Mapping[int, Finding]
    nodes: int


@dataclass(eq=False)
class JobNode:
    """A position of the tree.

    is_asked: whether a job for it is running. jobs, idle: the numbers of running jobs, and of
    leaves without one, at or below it; 0 after it is solved.
    """

    position: Position
    finding: Finding
    move: int = -1
    parent: JobNode | None = None
    children: list[JobNode] = field(default_factory=list)
    is_asked: bool = False
    jobs: int = 0
    idle: int = 1

    @property
    def is_solved(self) -> bool:
        return self.finding.value is not Proof.UNKNOWN

    def ancestors(self) -> Iterator[JobNode]:
        """Yields the node, its parent and so on, up to the root."""
        node: JobNode | None = self
        while node is not None:
            yield node
            node = node.parent

    def moves(self) -> tuple[int, ...]:
        """Returns the moves from the root."""
        moves = [node.move for node in self.ancestors() if node.parent is not None]
        return tuple(reversed(moves))


class JobTree:
    """A proof in progress. nodes: the nodes of all jobs so far."""

    def __init__(self, position: Position) -> None:
        self.root = JobNode(position, Finding(Proof.UNKNOWN, (1, 1), ()))
        self.nodes = 0

    def next_job(self) -> JobNode | None:
        """Returns the most promising leaf, marked as having a job; None if no leaf is idle."""
        if not self.root.idle:
            return None
        leaf = self.root
        while leaf.children:
            leaf = min(filter(lambda child: child.idle, leaf.children), key=_apparent_effort)
        leaf.is_asked = True
        _update(leaf)
        return leaf

    def job_nodes(self) -> int:
        """Returns the node limit of the next job, which grows to limit the number of jobs."""
        return max(LEAST_NODES, self.nodes // TOTAL_SHARE)

    def release(self, leaf: JobNode) -> None:
        """Marks a leaf whose job was lost as idle."""
        leaf.is_asked = False
        _update(leaf)

    def release_all(self) -> None:
        """Marks all leaves with jobs as idle, after the jobs were cancelled."""
        while self.root.jobs:
            leaf = self.root
            while not leaf.is_asked:
                leaf = next(child for child in leaf.children if child.jobs)
            self.release(leaf)

    def add(self, leaf: JobNode, result: JobResult) -> None:
        """Adds the result of a job."""
        self.nodes += result.nodes
        if any(node.is_solved for node in leaf.ancestors()):
            return
        leaf.is_asked = False
        leaf.finding = result.finding
        for move, finding in result.after.items():
            child = JobNode(leaf.position.play(move), finding, move, leaf)
            child.idle = int(not child.is_solved)
            leaf.children.append(child)
        _update(leaf)

    def restore(self, moves: tuple[int, ...], result: JobResult) -> None:
        """Adds a result of an earlier run for the position after moves, if it is a leaf."""
        leaf = self.root
        for move in moves:
            found = next((child for child in leaf.children if child.move == move), None)
            if found is None:
                return
            leaf = found
        if not leaf.children:
            self.add(leaf, result)


def solve_job(
    solver: Solver, position: Position, nodes: int, should_stop: Callable[[], bool]
) -> JobResult:
    """Solves a position as far as `nodes` go; an open one with what is known after each move."""
    solution = solver.solve(position, should_stop=should_stop, nodes=nodes)
    after = {}
    if solution.value is Proof.UNKNOWN and not should_stop():
        after = {move: _finding_after(solver, position, move) for move in position.legal_moves()}
    finding = Finding(solution.value, solution.proof_numbers, tuple(solution.line))
    return JobResult(finding, after, solution.nodes)


def value_at_once(position: Position, move: int) -> Proof:
    """Returns the value of a move that ends the game; UNKNOWN for another move."""
    result = position.play(move).result
    if result is None:
        return Proof.UNKNOWN
    return {position.to_move: Proof.WIN, 2: Proof.DRAW}.get(result, Proof.LOSS)


def seen_across(position: Position, move: int, value: Proof) -> Proof:
    """Returns a value as the color to move on the other side of a move sees it.

    value: for the color to move before the move, or for the one after it.
    """
    is_same_turn = position.play(move).to_move == position.to_move
    return value if is_same_turn else OPPOSITE.get(value, value)


def move_wins(solver: Solver, position: Position, move: int, **limits: Any) -> bool | None:
    """Returns whether a move, or a step of one, wins for its player; None if that is unknown.

    limits: of Solver.solve() for the position after the move.
    """
    value = value_at_once(position, move)
    if value is Proof.UNKNOWN:
        after = solver.solve(position.play(move), **limits).value
        value = seen_across(position, move, after)
    return None if value is Proof.UNKNOWN else value is Proof.WIN


def _finding_after(solver: Solver, position: Position, move: int) -> Finding:
    """Returns the finding in a solver's table for the position after a move."""
    after = position.play(move)
    if after.result is not None:
        value = seen_across(position, move, value_at_once(position, move))
        return Finding(value, (1, 1), ())
    solution = solver.solve(after, nodes=1)
    return Finding(solution.value, solution.proof_numbers, tuple(solution.line))


def _numbers_before(child: JobNode) -> tuple[int, int]:
    """Returns the proof numbers of a child for the color to move before it."""
    proof, disproof = child.finding.numbers
    assert child.parent is not None
    is_same_turn = child.position.to_move == child.parent.position.to_move
    return (proof, disproof) if is_same_turn else (disproof, proof)


def _apparent_effort(child: JobNode) -> tuple[int, int]:
    """Returns the sort key for choosing the next move; the least is best."""
    proof, disproof = _numbers_before(child)
    return proof * (1 + child.jobs), disproof


def _update(node: JobNode) -> None:
    """Updates a node and its ancestors after a change."""
    for ancestor in node.ancestors():
        if ancestor.children:
            _combine(ancestor)
        if ancestor.is_solved:
            ancestor.children.clear()
        is_leaf = not ancestor.children
        ancestor.jobs = int(ancestor.is_asked) + sum(child.jobs for child in ancestor.children)
        ancestor.idle = int(is_leaf and not ancestor.is_asked) + sum(
            child.idle for child in ancestor.children
        )
        if ancestor.is_solved:
            ancestor.jobs = ancestor.idle = 0


def _combine(node: JobNode) -> None:
    """Sets the finding of a node from those of its children."""
    values = [
        (seen_across(node.position, child.move, child.finding.value), child)
        for child in node.children
    ]
    lines = {
        value: [(child.move, *child.finding.line) for other, child in values if other is value]
        for value in Proof
    }
    if wins := lines[Proof.WIN]:
        node.finding = Finding(Proof.WIN, (0, RULED_OUT), min(wins, key=len))
    elif lines[Proof.UNKNOWN]:
        node.finding = Finding(Proof.UNKNOWN, _combine_numbers(values), ())
    elif draws := lines[Proof.DRAW]:
        node.finding = Finding(Proof.DRAW, (RULED_OUT, RULED_OUT), max(draws, key=len))
    else:
        node.finding = Finding(Proof.LOSS, (RULED_OUT, 0), max(lines[Proof.LOSS], key=len))


def _combine_numbers(values: list[tuple[Proof, JobNode]]) -> tuple[int, int]:
    """Returns the proof numbers of a node with open children.

    A win needs one winning move. A loss needs all moves to lose, which a draw rules out.
    """
    numbers = [_numbers_before(child) for value, child in values if value is Proof.UNKNOWN]
    proof = min(proof for proof, _ in numbers)
    disproofs = [disproof for _, disproof in numbers]
    if any(value is Proof.DRAW for value, _ in values):
        return proof, RULED_OUT
    most = max(disproofs)
    return proof, min(most + (sum(disproofs) - most) // SUM_SHARE, RULED_OUT)
