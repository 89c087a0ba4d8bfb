"""Engine jobs, a pure function of the table and of the visitor's requests."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import count

from pinchtp.board.rating import Ratings
from pinchtp.board.table import Table
from pinchtp.board.tree import Node

OF_THE_GAME = ("review", "console")  # jobs not tied to the displayed position
OF_AN_UNFINISHED_GAME = ("think", "hint", "solve")
SHOWN = ("analyze", "review", "hint", "overlay", "solve", "console")  # on the page


@dataclass(frozen=True)
class Job:
    """A task for an engine; equal jobs are the same job.

    kind: a key of WORK in visitor.py. node: its position, or the root for jobs on the whole game.
    engine: its number. params: everything else that distinguishes jobs. chosen: the steps of an
    incomplete move in its position.
    """

    kind: str
    node: Node
    engine: int = 0
    params: tuple[Hashable, ...] = ()
    chosen: tuple[int, ...] = ()


class Wishes:
    """The visitor's pending engine requests, the latest of each kind."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._numbers = count()  # makes repeated requests distinct

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs.values())

    def __contains__(self, kind: str) -> bool:
        return kind in self._jobs

    def get(self, kind: str) -> Job | None:
        return self._jobs.get(kind)

    def add(self, kind: str, table: Table, engine: int, *params: Hashable) -> None:
        """Adds a request about the displayed position or the whole game."""
        node, chosen = _place(kind, table)
        self._jobs[kind] = Job(kind, node, engine, (*params, next(self._numbers)), chosen)

    def drop(self, kind: str) -> None:
        """Withdraws the request of a kind."""
        self._jobs.pop(kind, None)

    def ended(self, job: Job) -> None:
        """Removes the request of a job that has ended or failed."""
        asked = self._jobs.get(job.kind)
        if job.kind == "move":
            self.drop("think")
        elif asked is not None and asked.params == job.params:
            self.drop(job.kind)

    def keep_to(self, table: Table) -> None:
        """Drops requests about other positions or games."""
        for job in list(self):
            is_late = table.is_over and job.kind in OF_AN_UNFINISHED_GAME
            if is_late or (
                (job.node, job.chosen) != _place(job.kind, table) and job.kind != "analyze"
            ):  # analysis follows the board
                self.drop(job.kind)

    def clear(self) -> None:
        self._jobs.clear()

    def shown(self) -> list[str]:
        """Returns the kinds of requests that the page displays."""
        return [kind for kind in self._jobs if kind in SHOWN]


def _place(kind: str, table: Table) -> tuple[Node, tuple[int, ...]]:
    """Returns the node of a job of this kind, and the steps of an incomplete move."""
    if kind in OF_THE_GAME:
        return table.tree.root, ()
    return table.node, tuple(table.chosen)


def wanted(table: Table, wishes: Wishes, ratings: Ratings, *, is_watched: bool) -> list[Job]:
    """Returns the jobs of a table with an open page, the most urgent first.

    is_watched: whether the visitor is active; live analysis pauses otherwise.
    """
    jobs = [_move(table, wishes, ratings)]
    if table.to_judge is not None:
        jobs.append(Job("judge", table.to_judge))
    jobs += [each for each in wishes if each.kind not in ("think", "analyze")]
    analysis = wishes.get("analyze")
    if analysis is not None and is_watched and not table.is_over:
        node, chosen = _place("analyze", table)
        jobs.append(Job("analyze", node, analysis.engine, analysis.params, chosen))
    if table.is_played and table.has_ended:
        jobs.append(Job("chart", table.reached))
    if table.teaches and table.mover.engine is None and not table.to_judge:
        jobs.append(Job("expect", table.node))
    return [job for job in jobs if job is not None]


def _move(table: Table, wishes: Wishes, ratings: Ratings) -> Job | None:
    """Returns the job of an engine to move, or None."""
    if table.is_over:
        return None
    engine = table.mover.engine if table.live and not table.is_held_back else None
    if engine is None:
        asked = wishes.get("think")
        if asked is None:
            return None
        engine = asked.engine
    level = ratings.resolve(table.game.name, table.mover.level)
    return Job("move", table.node, engine, (level, tuple(table.chosen)))
