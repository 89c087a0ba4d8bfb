"""The searches: a queue of positions by priority, and threads that take from it."""

from __future__ import annotations

import heapq
import math
import traceback
from collections.abc import Container
from dataclasses import dataclass, field, replace
from itertools import count
from threading import Condition, Event, Thread
from time import monotonic
from typing import Any

from pinchtp._core import Report
from pinchtp.analysis.answers import Findings, answer, answer_at_end, no_results
from pinchtp.analysis.output import AnswerWriter
from pinchtp.analysis.queries import Query, allowed_moves, session_at
from pinchtp.base.streams import warn
from pinchtp.games.session import Session
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings

LEAST_MEMORY = 16  # MB per search
# Bytes of memory for a visit, more than any takes. A search of few visits gets no more than it
# needs: to map and unmap much memory stalls the other threads. At 200 visits two threads did 1.2
# times the work of one with 256 MB for each search, and 1.8 times with 16 MB.
VISIT_BYTES = 8192
SEED = 0  # of all searches: an analysis by visits can be repeated
DEFAULT_VISITS = 500
MOST_WAITING = 100_000  # positions; beyond that add() waits
OUT_OF_MEMORY = "out of memory"


@dataclass(eq=False)
class AnalysisTask:
    """A position to analyze: a turn of a query."""

    query: Query
    turn: int
    stop: Event = field(default_factory=Event)


class AnalysisEngine:
    """Analyzes positions in threads: the core releases the interpreter's lock.

    Each turn of a query gets one final answer, whatever happens to it.
    """

    def __init__(self, settings: Settings, jobs: int, output: AnswerWriter) -> None:
        """jobs: threads, which share the memory. Once the output is broken, all searches end.

        Raises ValueError for settings that do not fit each other or the machine.
        """
        memory = max(settings.memory // jobs, LEAST_MEMORY)
        seed = SEED if settings.seed is None else settings.seed
        settings = replace(settings, threads=1, memory=memory, seed=seed)
        self._visits = settings.visits or DEFAULT_VISITS
        self._memory = memory
        self._output = output
        self._waiting: list[tuple[int, int, AnalysisTask]] = []  # a heap: priority, number, task
        self._running: list[AnalysisTask] = []
        self._numbers = count()
        self._is_closing = False
        self._changed = Condition()
        players = [Player(replace(settings)) for _ in range(jobs)]
        self._threads: list[Thread] = []
        for number, player in enumerate(players):
            thread = Thread(target=self._work, args=(player,), name=f"analysis-{number}")
            try:
                thread.start()
            except RuntimeError:
                self.close(finish=False)
                text = f"cannot start {jobs} threads, only {number}; give fewer --jobs"
                raise ValueError(text) from None
            self._threads.append(thread)

    def add(self, query: Query) -> None:
        """Queues the turns of a query; waits while too many positions are queued."""
        turns = query.analyze_turns or ()
        priorities = query.priorities or [query.priority] * len(turns)
        for turn, priority in zip(turns, priorities, strict=True):
            with self._changed:
                self._changed.wait_for(lambda: len(self._waiting) < MOST_WAITING)
                task = AnalysisTask(query, turn)
                heapq.heappush(self._waiting, (-priority, next(self._numbers), task))
                self._changed.notify_all()

    def terminate(self, query_id: str | None, turns: Container[int] | None = None) -> None:
        """Ends searches, which answer with what they have found.

        query_id: None for all queries. turns: None for all turns.
        """

        def is_meant(task: AnalysisTask) -> bool:
            return query_id in (None, task.query.id) and (turns is None or task.turn in turns)

        with self._changed:
            dropped = [task for *_, task in sorted(self._waiting) if is_meant(task)]
            self._waiting = [entry for entry in self._waiting if not is_meant(entry[-1])]
            heapq.heapify(self._waiting)
            for task in filter(is_meant, self._running):
                task.stop.set()
            self._changed.notify_all()
        for task in dropped:
            self._output.send(no_results(task.query, task.turn))

    def close(self, *, finish: bool) -> None:
        """Ends the threads: when the queue is empty, or at once."""
        if not finish:
            self.terminate(None)
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self, player: Player) -> None:
        while (task := self._next()) is not None:
            try:
                self._finish(player, task)
            except MemoryError:  # not even for an error
                self._output.lose(OUT_OF_MEMORY)
            if self._output.is_broken:
                self.terminate(None)
            with self._changed:
                self._running.remove(task)

    def _next(self) -> AnalysisTask | None:
        """Waits for a task; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closing)
            if not self._waiting:
                return None
            *_, task = heapq.heappop(self._waiting)
            self._running.append(task)
            self._changed.notify_all()
            return task

    def _finish(self, player: Player, task: AnalysisTask) -> None:
        """Sends the final answer."""
        try:
            self._output.send(self._analyze(player, task))
            return
        except MemoryError:
            player.forget()
            text = OUT_OF_MEMORY
        except ValueError as error:  # a network of another game
            text = str(error)
        except Exception as error:
            warn(traceback.format_exc())
            text = f"internal error: {type(error).__name__}"
        self._output.send({"error": text, "id": task.query.id, "turnNumber": task.turn})

    def _analyze(self, player: Player, task: AnalysisTask) -> dict[str, Any]:
        """Searches; sends the answers during the search and returns the final one."""
        query = task.query
        session = session_at(query, task.turn)
        if session.is_over:
            return answer_at_end(query, task.turn, session)
        limits = self._limits(task, session)
        interval = query.report_during_search_every or math.inf
        player.forget()  # no tree of another position: results do not depend on the order
        player.settings.memory = self._memory_for(limits)
        raw, priors = _judged(player, session)

        def found(report: Report) -> Findings:
            owners = player.ownership(session) if query.include_ownership else None
            return Findings(session, report, raw, priors, owners)

        due = monotonic() + interval
        for report in player.reports(session, limits, interval):
            if monotonic() >= due:
                due += interval
                self._output.send(answer(query, task.turn, found(report), is_during_search=True))
        return answer(query, task.turn, found(report))

    def _memory_for(self, limits: Limits) -> int:
        """Returns the memory of a search in MB."""
        if limits.visits is None:
            return self._memory
        return min(self._memory, LEAST_MEMORY + (limits.visits * VISIT_BYTES >> 20))

    def _limits(self, task: AnalysisTask, session: Session) -> Limits:
        query = task.query
        is_unlimited = query.max_visits is None and query.max_time is None
        return Limits(
            math.inf if query.max_time is None else query.max_time,
            self._visits if is_unlimited else query.max_visits,
            lambda: task.stop.is_set() or self._output.is_broken,
            allowed_moves(query, session),
        )


def _judged(player: Player, session: Session) -> tuple[float | None, list[float] | None]:
    """Returns the winrate and move probabilities by the network, if there is one."""
    network = player.network(session.position)
    if network is None:
        return None, None
    raw, priors, _ = session.position.evaluate(network)
    return raw, priors
