"""What engines are to do now: a pure function of the table and of what the visitor asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import count

from pinchtp.board.rating import Ratings
from pinchtp.board.table import Table
from pinchtp.board.tree import Node

OF_THE_GAME = ("review", "console")  # what is not about the position that is shown
OF_A_GAME_THAT_GOES_ON = ("think", "hint", "solve")
SHOWN = ("analyze", "review", "hint", "overlay", "solve")  # those that the page tells of


@dataclass(frozen=True)
class Job:
    """Something for an engine to do; equal ones are the same job.

    kind: a name in work.WORK. node: the position it is about, or the root for what is about the
    whole game. engine: its number. params: what else makes it differ from others.
    """

    kind: str
    node: Node
    engine: int = 0
    params: tuple[Hashable, ...] = ()


class Wishes:
    """What the visitor has asked engines for and not got yet: of each kind the latest."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._numbers = count()  # so that whoever asks again is answered again

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs.values())

    def __contains__(self, kind: str) -> bool:
        return kind in self._jobs

    def get(self, kind: str) -> Job | None:
        return self._jobs.get(kind)

    def add(self, kind: str, table: Table, engine: int, *params: Hashable) -> None:
        """Asks for something about the position that is shown, or about the game."""
        node = table.tree.root if kind in OF_THE_GAME else table.node
        self._jobs[kind] = Job(kind, node, engine, (*params, next(self._numbers)))

    def drop(self, kind: str) -> None:
        """It is not wanted any more."""
        self._jobs.pop(kind, None)

    def ended(self, job: Job) -> None:
        """A job has ended, or failed: what was asked for is there, or will never be."""
        asked = self._jobs.get(job.kind)
        if job.kind == "move":
            self.drop("think")
        elif asked is not None and asked.params == job.params:
            self.drop(job.kind)

    def keep_to(self, table: Table) -> None:
        """Forgets what was asked about another position, or another game."""
        for job in list(self):
            here = table.tree.root if job.kind in OF_THE_GAME else table.node
            is_late = table.is_over and job.kind in OF_A_GAME_THAT_GOES_ON
            if is_late or (job.node is not here and job.kind != "analyze"):  # follows the board
                self.drop(job.kind)

    def clear(self) -> None:
        self._jobs.clear()

    def shown(self) -> list[str]:
        """The kinds that the page tells of."""
        return [kind for kind in self._jobs if kind in SHOWN]


def wanted(table: Table, wishes: Wishes, ratings: Ratings, *, is_watched: bool) -> list[Job]:
    """What engines are to do at a table that some page shows, the most urgent first.

    is_watched: whether somebody looks; live analysis rests while nobody does.
    """
    jobs = [_move(table, wishes, ratings)]
    if table.to_judge is not None:
        jobs.append(Job("judge", table.to_judge))
    jobs += [each for each in wishes if each.kind not in ("think", "analyze")]
    analysis = wishes.get("analyze")
    if analysis is not None and is_watched and not table.is_over:
        jobs.append(Job("analyze", table.node, analysis.engine, analysis.params))
    if table.teach and table.mover.engine is None and not table.is_over and not table.to_judge:
        jobs.append(Job("expect", table.node))
    return [job for job in jobs if job is not None]


def _move(table: Table, wishes: Wishes, ratings: Ratings) -> Job | None:
    """The move that an engine is to make; None if none is to move."""
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
