"""Engine jobs, a pure function of the table and of the visitor's requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Generic, TypeVar

from pinchtp.board.protocol.players import Strength
from pinchtp.board.rating import Ratings
from pinchtp.board.table import Table
from pinchtp.board.tree import Node


@dataclass(frozen=True)
class Task:
    """A task for an engine; equal tasks are the same task.

    kind: its name in requests and messages. of_game: whether it is about the whole game rather than
    the displayed position. ends_with_game: whether it is obsolete in a finished game. is_listed:
    whether `State.tasks` lists it.
    """

    kind: ClassVar[str]
    of_game: ClassVar[bool] = False
    ends_with_game: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False


@dataclass(frozen=True)
class MoveTask(Task):
    """A move for the side to move."""

    kind = "move"
    level: Strength


@dataclass(frozen=True)
class ThinkTask(Task):
    """A request for a single move, which becomes a MoveTask."""

    kind = "think"
    ends_with_game = True


@dataclass(frozen=True)
class LiveAnalysisTask(Task):
    """The analysis of the displayed position; it follows the board."""

    kind = "analyze"
    is_listed = True
    ownership: bool = False


@dataclass(frozen=True)
class HintTask(Task):
    """A move suggestion."""

    kind = "hint"
    ends_with_game = True
    is_listed = True


@dataclass(frozen=True)
class OverlayTask(Task):
    """A drawing on the board. command: one of EngineInfo.overlays."""

    kind = "overlay"
    is_listed = True
    command: str


@dataclass(frozen=True)
class SolveTask(Task):
    """The solution of the position. seconds: time limit."""

    kind = "solve"
    ends_with_game = True
    is_listed = True
    seconds: float


@dataclass(frozen=True)
class ConsoleTask(Task):
    """A console command. request: the id of its request. seconds: time limit."""

    kind = "console"
    of_game = True
    is_listed = True
    line: str
    request: int
    seconds: float


@dataclass(frozen=True)
class ReviewTask(Task):
    """A review of the displayed line. visits: per move."""

    kind = "review"
    of_game = True
    is_listed = True
    visits: int


@dataclass(frozen=True)
class JudgeMoveTask(Task):
    """The evaluation of the displayed move. visits: per position, before and after it."""

    kind = "judge-move"
    visits: int


@dataclass(frozen=True)
class ChartTask(Task):
    """The evaluations of a finished game, for its graph."""

    kind = "chart"


@dataclass(frozen=True)
class ExpectTask(Task):
    """The evaluation of the position while the visitor is thinking, for a later warning."""

    kind = "expect"


@dataclass(frozen=True)
class TeachTask(Task):
    """The evaluation of the visitor's move before the reply, to warn about a mistake."""

    kind = "teach"


TaskT = TypeVar("TaskT", bound=Task)
TaskT_co = TypeVar("TaskT_co", bound=Task, covariant=True)


@dataclass(frozen=True)
class Job(Generic[TaskT_co]):
    """A task for one engine; equal jobs are the same job.

    node: the position, or the root for a task about the whole game. engine: the engine's number.
    chosen: the steps of an incomplete move in the position. request: distinguishes repeated
    requests; 0 if the visitor did not request the job.
    """

    task: TaskT_co
    node: Node
    engine: int = 0
    chosen: tuple[int, ...] = ()
    request: int = 0


class PendingRequests:
    """The visitor's pending engine requests, the latest of each kind."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job[Task]] = {}
        self._numbers = count(1)

    def __iter__(self) -> Iterator[Job[Task]]:
        return iter(self._jobs.values())

    def __contains__(self, kind: type[Task]) -> bool:
        return kind.kind in self._jobs

    def get(self, kind: type[Task]) -> Job[Task] | None:
        return self._jobs.get(kind.kind)

    def add(self, task: Task, table: Table, engine: int) -> None:
        """Adds a request about the displayed position or the whole game."""
        self._jobs[task.kind] = _job(task, table, engine, next(self._numbers))

    def drop(self, kind: str) -> None:
        """Drops the request of a kind."""
        self._jobs.pop(kind, None)

    def remove(self, job: Job[Task]) -> None:
        """Removes the request of a job that has ended or failed."""
        pending = self._jobs.get(job.task.kind)
        if isinstance(job.task, MoveTask):
            self.drop(ThinkTask.kind)
        elif pending is not None and pending.request == job.request:
            self.drop(job.task.kind)

    def drop_obsolete(self, table: Table) -> None:
        """Drops requests about other positions or games, and all in a game with a friend."""
        if table.is_with_friend:
            self.clear()
        for job in list(self):
            here = _job(job.task, table, job.engine, job.request)
            is_late = table.is_over and job.task.ends_with_game
            if is_late or (here != job and not isinstance(job.task, LiveAnalysisTask)):
                self.drop(job.task.kind)

    def clear(self) -> None:
        self._jobs.clear()

    def list_kinds(self) -> list[str]:
        """Returns the kinds of the requests that the page lists."""
        return [kind for kind, job in self._jobs.items() if job.task.is_listed]


def _job(task: TaskT, table: Table, engine: int = 0, request: int = 0) -> Job[TaskT]:
    """Returns a job about the displayed position or the whole game."""
    if task.of_game:
        return Job(task, table.tree.root, engine, (), request)
    return Job(task, table.node, engine, tuple(table.chosen), request)


def plan_jobs(
    table: Table, pending: PendingRequests, ratings: Ratings, *, is_watched: bool
) -> list[Job[Task]]:
    """Returns the jobs of a table with an open page, the most urgent first.

    is_watched: whether the visitor is active; live analysis pauses otherwise.
    """
    jobs: list[Job[Task]] = []
    if (move := _move(table, pending, ratings)) is not None:
        jobs.append(move)
    if table.to_judge is not None:
        jobs.append(Job(TeachTask(), table.to_judge))
    jobs += [job for job in pending if not isinstance(job.task, ThinkTask | LiveAnalysisTask)]
    analysis = pending.get(LiveAnalysisTask)
    if analysis is not None and is_watched and not table.is_over:
        jobs.append(_job(analysis.task, table, analysis.engine, analysis.request))
    if table.is_played and table.has_ended:
        jobs.append(Job(ChartTask(), table.reached))
    if table.teaches and table.mover.engine is None and not table.to_judge:
        jobs.append(Job(ExpectTask(), table.node))
    return jobs


def _move(table: Table, pending: PendingRequests, ratings: Ratings) -> Job[MoveTask] | None:
    """Returns the job of the engine that is to move; None without one."""
    if table.is_over:
        return None
    engine = table.mover.engine if table.live and not table.is_held_back else None
    if engine is None:
        request = pending.get(ThinkTask)
        if request is None:
            return None
        engine = request.engine
    level = ratings.resolve(table.game.name, table.mover.level)
    return _job(MoveTask(level), table, engine)
