"""Proofs on a dask.distributed cluster. The tree of jobs is here; workers solve its leaves."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from pinchtp._core import Position, Proof, Solver
from pinchtp.base.cluster import Cluster, ClusterError, LostWork, is_cancelled
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.player.player import Player
from pinchtp.player.settings import Settings
from pinchtp.solving.job_log import JobLog
from pinchtp.solving.job_tree import JobNode, JobResult, JobTree, solve_job

POLL_INTERVAL = 0.1  # seconds between checks for new workers and for the end of time
ENDING = 5.0  # maximum seconds for the end of a cancelled job
MOST_LOSSES = 3  # of a job, each after several attempts of dask


@dataclass(frozen=True)
class ClusterSolution:
    """The result of a proof on a cluster; see Solution.

    value: for the color to move. line: best play. nodes: of all jobs.
    """

    value: Proof
    line: tuple[int, ...]
    nodes: int


@dataclass(frozen=True)
class LeafJob:
    """A job: a leaf of a tree."""

    tree: JobTree
    leaf: JobNode


class ClusterSolver:
    """A solver of a session's position, and the positions after its moves, on a cluster.

    nodes: of the current proof. proof_numbers: of its root.
    """

    def __init__(
        self, where: str, settings: Settings, session: Session, log: JobLog | None = None
    ) -> None:
        """where: see Cluster. settings: of the workers' solvers. log: stores the results of jobs.

        Raises ClusterError.
        """
        self.nodes = 0
        self.proof_numbers = (1, 1)
        self._settings = settings
        self._session = session
        self._log = log
        self._trees: dict[tuple[int, ...], JobTree] = {}  # by the moves to their roots
        self._token = secrets.token_hex(8)
        self._cluster = Cluster[LeafJob, tuple[LeafJob, JobResult | LostWork]](where, _outcome)

    def solve(
        self, position: Position, seconds: float, should_stop: Callable[[], bool]
    ) -> ClusterSolution:
        """Solves a position; see Solver.solve(). A second call continues the proof of the first.

        Raises ClusterLost if the scheduler is lost, ClusterError if workers fail, and
        SolverStoreError if a result cannot be written to the log.
        """
        before = self._moves_to(position)
        tree = self._tree(position, before)
        nodes_before = tree.nodes
        losses = Counter[tuple[int, ...]]()
        self.nodes = 0
        deadline = monotonic() + seconds
        while not (tree.root.is_solved or should_stop() or monotonic() >= deadline):
            self._start_jobs(tree, before)
            left = max(0.0, deadline - monotonic())  # starting jobs takes time, too
            for job, result in self._cluster.wait(min(POLL_INTERVAL, left)):
                if job.tree is not tree:
                    continue
                if isinstance(result, JobResult):
                    if self._log is not None:
                        self._log.add(before + job.leaf.moves(), result)
                    tree.add(job.leaf, result)
                else:
                    tree.release(job.leaf)
                    losses[job.leaf.moves()] += 1
                    if losses[job.leaf.moves()] == MOST_LOSSES:
                        raise ClusterError(f"cluster: workers failed again: {result.reason}")
            self.nodes = tree.nodes - nodes_before
            self.proof_numbers = tree.root.finding.numbers
        self._cluster.cancel()
        tree.release_all()
        finding = tree.root.finding
        return ClusterSolution(finding.value, finding.line, tree.nodes - nodes_before)

    def close(self) -> None:
        """Disconnects from the cluster, after its workers have freed their memory."""
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._cluster.cancel()
            self._cluster.client.run(_forget, self._token, on_error="ignore")
        self._cluster.close()

    def _tree(self, position: Position, before: tuple[int, ...]) -> JobTree:
        """Returns the tree of a position, with all results so far. before: the moves to it."""
        if before not in self._trees:
            self._trees[before] = tree = JobTree(position)
            for moves, result in self._log.results if self._log is not None else ():
                if moves[: len(before)] == before:
                    tree.restore(moves[len(before) :], result)
        return self._trees[before]

    def _start_jobs(self, tree: JobTree, before: tuple[int, ...]) -> None:
        for _ in range(self._cluster.free()):
            leaf = tree.next_job()
            if leaf is None:
                break
            moves = before + leaf.moves()
            self._cluster.start(
                LeafJob(tree, leaf), _solve, self._token, self._settings, moves, tree.job_nodes()
            )

    def _moves_to(self, position: Position) -> tuple[int, ...]:
        """Returns the moves from the start to the session's position, or to one a move later."""
        here = self._session.position
        moves = tuple(self._session.moves)
        if position == here:
            return moves
        return (*moves, next(move for move in here.legal_moves() if here.play(move) == position))


def _outcome(result: JobResult | LostWork, job: LeafJob) -> tuple[LeafJob, JobResult | LostWork]:
    return job, result


# --- on the workers


@dataclass(frozen=True)
class _Place:
    """The solver of a worker's thread, and the start of the game. token: identifies the proof."""

    token: str
    start: Position
    solver: Solver


_places: dict[int, _Place] = {}  # by thread
_busy: set[int] = set()  # threads with a job


def _solve(token: str, settings: Settings, moves: tuple[int, ...], nodes: int) -> JobResult:
    """Solves the position after moves. The solver of the thread keeps its table for later jobs."""
    place = _places.get(threading.get_ident())
    if place is None or place.token != token:
        _places.pop(threading.get_ident(), None)  # frees its memory
        start = settings.new_session(GAMES[settings.game], settings.size).start
        place = _Place(token, start, Player(settings).solver(start))
        _places[threading.get_ident()] = place
    position = place.start
    for move in moves:
        position = position.play(move)
    _busy.add(threading.get_ident())
    try:
        return solve_job(place.solver, position, nodes, is_cancelled)
    finally:
        _busy.discard(threading.get_ident())


async def _forget(token: str) -> None:
    """Waits for the end of cancelled jobs, and frees the memory of the proof with this token."""
    deadline = monotonic() + ENDING
    while _busy and monotonic() < deadline:
        await asyncio.sleep(0.01)
    for thread, place in list(_places.items()):
        if place.token == token:
            _places.pop(thread, None)
