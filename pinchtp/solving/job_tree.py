"""The frontier of a proof that many solvers work on: job-level proof-number search.

The tree has the positions that jobs were about, and those after each of their moves (Wu et al.,
2010). A job asks a solver about a leaf, for a limited number of nodes; a leaf that stays open gets
the positions after its moves as children, with the proof numbers that the solver has for them. The
next job is about the leaf that seems to prove most. Those with jobs under way seem harder, so that
jobs spread over the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from pinchtp._core import Position, Proof, Solver

RULED_OUT = 2**32 - 1  # the proof number of what cannot be
LEAST_NODES = 20_000  # of a job
TOTAL_SHARE = 100  # a job takes one part in this many of all nodes so far
SUM_SHARE = 4  # of a sum of proof numbers, all but the largest count one part in this many

OPPOSITE = {Proof.WIN: Proof.LOSS, Proof.LOSS: Proof.WIN}


@dataclass(frozen=True)
class Finding:
    """A solver's result for a position, by the color to move; see Solution."""

    value: Proof
    numbers: tuple[int, int]
    line: tuple[int, ...]


@dataclass(frozen=True)
class JobResult:
    """The result of a job. after: findings after each move; none where the position is solved."""

    finding: Finding
    after: Mapping[int, Finding]
    nodes: int


@dataclass(eq=False)
class JobNode:
    """A position of the tree. is_asked: whether a job about it is under way.

    jobs, idle: jobs under way, and leaves without one, at or below it; 0 once it is solved.
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
        """Yields it, its parent and so on, to the root."""
        node: JobNode | None = self
        while node is not None:
            yield node
            node = node.parent

    def moves(self) -> tuple[int, ...]:
        """Returns the moves from the root."""
        moves = [node.move for node in self.ancestors() if node.parent is not None]
        return tuple(reversed(moves))


class JobTree:
    """A proof in progress. nodes: of the solvers in all jobs so far."""

    def __init__(self, position: Position) -> None:
        self.root = JobNode(position, Finding(Proof.UNKNOWN, (1, 1), ()))
        self.nodes = 0

    def next_job(self) -> JobNode | None:
        """Returns the leaf that seems to prove most, as one with a job under way; None: no leaf."""
        if not self.root.idle:
            return None
        leaf = self.root
        while leaf.children:
            leaf = min(filter(lambda child: child.idle, leaf.children), key=_apparent_effort)
        leaf.is_asked = True
        _update(leaf)
        return leaf

    def job_nodes(self) -> int:
        """Returns the limit of nodes of the next job: jobs grow, so that they stay few."""
        return max(LEAST_NODES, self.nodes // TOTAL_SHARE)

    def release(self, leaf: JobNode) -> None:
        """Gives back a leaf whose job was lost."""
        leaf.is_asked = False
        _update(leaf)

    def release_all(self) -> None:
        """Gives back the leaves with jobs under way, which were all cancelled."""
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
        """Adds a result of an earlier run about the position after moves, if that is a leaf."""
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
    """Returns the value of a move that ends the game; unknown if it does not."""
    result = position.play(move).result
    if result is None:
        return Proof.UNKNOWN
    return {position.to_move: Proof.WIN, 2: Proof.DRAW}.get(result, Proof.LOSS)


def value_before(position: Position, move: int, value: Proof) -> Proof:
    """Returns the value of a move, by that of the position after it for its player."""
    is_same_turn = position.play(move).to_move == position.to_move
    return value if is_same_turn else OPPOSITE.get(value, value)


def _finding_after(solver: Solver, position: Position, move: int) -> Finding:
    """Returns what a solver's table has for the position after a move."""
    after = position.play(move)
    if after.result is not None:
        value = value_before(position, move, value_at_once(position, move))
        return Finding(value, (1, 1), ())
    solution = solver.solve(after, nodes=1)
    return Finding(solution.value, solution.proof_numbers, tuple(solution.line))


def _numbers_before(child: JobNode) -> tuple[int, int]:
    """Returns a child's proof numbers by the color to move before it."""
    proof, disproof = child.finding.numbers
    assert child.parent is not None
    is_same_turn = child.position.to_move == child.parent.position.to_move
    return (proof, disproof) if is_same_turn else (disproof, proof)


def _apparent_effort(child: JobNode) -> tuple[int, int]:
    """Returns the key by which the next move is chosen; the least is best."""
    proof, disproof = _numbers_before(child)
    return proof * (1 + child.jobs), disproof


def _update(node: JobNode) -> None:
    """Updates a node and those above it after a change."""
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
    """Sets the finding of a node by those of its children."""
    values = [
        (value_before(node.position, child.move, child.finding.value), child)
        for child in node.children
    ]
    lines = {
        value: [(child.move, *child.finding.line) for each, child in values if each is value]
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

    A win needs one move that wins; a loss needs all moves to lose, and a draw rules that out.
    """
    numbers = [_numbers_before(child) for value, child in values if value is Proof.UNKNOWN]
    proof = min(proof for proof, _ in numbers)
    disproofs = [disproof for _, disproof in numbers]
    if any(value is Proof.DRAW for value, _ in values):
        return proof, RULED_OUT
    most = max(disproofs)
    return proof, min(most + (sum(disproofs) - most) // SUM_SHARE, RULED_OUT)
