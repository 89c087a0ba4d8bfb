"""The analysis engine: runs the turns of queries on the evaluator and sends the responses."""

from __future__ import annotations

import math
import traceback
from collections.abc import Container
from dataclasses import dataclass, field
from threading import Event
from time import monotonic
from typing import Any

from pinchtp.analysis.answers import answer, answer_at_end, no_results
from pinchtp.analysis.output import AnswerWriter
from pinchtp.analysis.queries import Query, QueryGame, read_allowed_moves
from pinchtp.base.streams import warn
from pinchtp.engine.analysis import Analysis
from pinchtp.engine.evaluator import Evaluator
from pinchtp.engine.own import OwnEngine, own_engines
from pinchtp.games.session import Session
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings

DEFAULT_VISITS = 500
OUT_OF_MEMORY = "out of memory"


@dataclass(eq=False)
class AnalysisTask:
    """A position to analyze: a turn of a query."""

    query: Query
    game: QueryGame
    turn: int
    stop: Event = field(default_factory=Event)


class AnalysisEngine:
    """An engine that responds to queries. Each turn gets exactly one final response."""

    def __init__(self, settings: Settings, jobs: int, output: AnswerWriter) -> None:
        """jobs: the number of threads, which share the memory. output: when it breaks, all searches
        end.

        Raises ValueError for settings that do not fit together, or more threads than the system
        can start.
        """
        self._visits = settings.visits or DEFAULT_VISITS
        self._output = output
        self._evaluator = Evaluator(own_engines(settings, jobs), self._work)

    def add(self, query: Query) -> None:
        """Queues the turns of a query; waits while too many positions are queued."""
        turns = query.analyze_turns or ()
        game = QueryGame(query)
        priorities = query.priorities or [query.priority] * len(turns)
        for turn, priority in zip(turns, priorities, strict=True):
            self._evaluator.add(AnalysisTask(query, game, turn), priority)

    def terminate(self, query_id: str | None, turns: Container[int] | None = None) -> None:
        """Ends searches, which send their current results, and drops queued turns.

        query_id: None: all queries. turns: None: all turns.
        """

        def matches(task: AnalysisTask) -> bool:
            return query_id in (None, task.query.id) and (turns is None or task.turn in turns)

        dropped, running = self._evaluator.drop(matches)
        for task in running:
            task.stop.set()
        for task in dropped:
            self._output.send(no_results(task.query, task.turn))

    def close(self, *, finish: bool) -> None:
        """Ends the threads. finish: whether to finish the queue first."""
        if not finish:
            self.terminate(None)
        self._evaluator.close()

    def _work(self, engine: OwnEngine, task: AnalysisTask) -> None:
        try:
            self._finish(engine, task)
        except MemoryError:  # even the error response cannot be sent
            self._output.lose(OUT_OF_MEMORY)
        if self._output.is_broken:
            self.terminate(None)

    def _finish(self, engine: OwnEngine, task: AnalysisTask) -> None:
        """Sends the final response of a task."""
        try:
            self._output.send(self._answer(engine, task))
            return
        except MemoryError:
            engine.forget()
            text = OUT_OF_MEMORY
        except ValueError as error:  # a network of another game
            text = str(error)
        except Exception as error:
            warn(traceback.format_exc())
            text = f"internal error: {type(error).__name__}"
        self._output.send({"error": text, "id": task.query.id, "turnNumber": task.turn})

    def _answer(self, engine: OwnEngine, task: AnalysisTask) -> dict[str, Any]:
        """Searches a position, sends responses during the search and returns the final one."""
        query = task.query
        session = task.game.at(task.turn)
        if session.is_over:
            return answer_at_end(query, task.turn, session)
        interval = query.report_during_search_every or math.inf
        first = query.first_report_during_search_after or interval
        evaluation = engine.evaluate(session.position)
        latest: Analysis | None = None
        due = monotonic() + first

        def show(analysis: Analysis) -> bool:
            nonlocal latest, due
            latest = analysis
            if monotonic() >= due:
                due += interval
                during = answer(
                    query, task.turn, session, analysis, evaluation, is_during_search=True
                )
                self._output.send(during)
            return True

        limits = self._limits(task, session)
        ownership = query.include_ownership
        engine.analyze(session, limits, show, interval=interval, first=first, ownership=ownership)
        return answer(query, task.turn, session, latest, evaluation)

    def _limits(self, task: AnalysisTask, session: Session) -> Limits:
        query = task.query
        is_unlimited = query.max_visits is None and query.max_time is None
        return Limits(
            math.inf if query.max_time is None else query.max_time,
            self._visits if is_unlimited else query.max_visits,
            lambda: task.stop.is_set() or self._output.is_broken,
            read_allowed_moves(query, session),
        )
