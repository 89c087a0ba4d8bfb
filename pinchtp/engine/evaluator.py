"""Analysis of many positions: a queue by priority, and several engines with a thread each."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from itertools import count
from threading import Condition, Event, Thread
from typing import Generic, TypeVar

from pinchtp.engine.analysis import Analysis
from pinchtp.engine.engine import EngineProtocol, analyze
from pinchtp.games.session import Session
from pinchtp.player.player import Limits

MOST_WAITING = 100_000  # queued tasks; while there are as many, add() waits
TICK = 0.1  # seconds between calls of `progress`

E = TypeVar("E", bound=EngineProtocol)
T = TypeVar("T")


class Evaluator(Generic[E, T]):
    """A queue of tasks and a thread for each engine.

    Threads run in parallel, because searches of the core release the interpreter's lock, and
    threads with other programs mostly wait.
    """

    def __init__(self, engines: Sequence[E], work: Callable[[E, T], None]) -> None:
        """engines: one per thread. work: performs a task with an engine; must not raise.

        Raises ValueError if the system cannot start that many threads.
        """
        self._work = work
        self._waiting: list[tuple[int, int, T]] = []  # a heap: priority, number, task
        self._running: list[T] = []
        self._numbers = count()
        self._is_closing = False
        self._changed = Condition()
        self._threads: list[Thread] = []
        for number, engine in enumerate(engines):
            thread = Thread(target=self._run, args=(engine,), name=f"evaluator-{number}")
            try:
                thread.start()
            except RuntimeError:
                self.close()
                text = f"cannot start {len(engines)} threads, only {number}; give fewer --jobs"
                raise ValueError(text) from None
            self._threads.append(thread)

    def add(self, task: T, priority: int = 0) -> None:
        """Queues a task; waits while MOST_WAITING are queued. Higher priorities run first."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < MOST_WAITING)
            heapq.heappush(self._waiting, (-priority, next(self._numbers), task))
            self._changed.notify_all()

    def drop(self, matches: Callable[[T], bool]) -> tuple[list[T], list[T]]:
        """Removes matching tasks from the queue; returns them, and the matching running tasks."""
        dropped: list[tuple[int, int, T]] = []
        remaining: list[tuple[int, int, T]] = []
        with self._changed:
            for entry in self._waiting:
                (dropped if matches(entry[-1]) else remaining).append(entry)
            if dropped:
                heapq.heapify(remaining)
                self._waiting = remaining
                self._changed.notify_all()
            running = list(filter(matches, self._running))
        return [task for *_, task in sorted(dropped)], running

    def close(self) -> None:
        """Waits for all queued tasks, and ends the threads."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self, engine: E) -> None:
        while (entry := self._next()) is not None:
            (task,) = entry
            self._work(engine, task)
            with self._changed:
                self._running.remove(task)

    def _next(self) -> tuple[T] | None:
        """Waits for a task and returns it, marked as running; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closing)
            if not self._waiting:
                return None
            *_, task = heapq.heappop(self._waiting)
            self._running.append(task)
            self._changed.notify_all()
            return (task,)


def evaluate_all(
    engines: Sequence[EngineProtocol],
    sessions: Iterable[Session],
    limits: Limits,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Analysis]:
    """Returns the analysis of the position of each session, in order.

    limits: for each position. progress: called ten times per second with the numbers of positions
    done and in all. Raises the errors of the engines.
    """
    stop = Event()
    limits = replace(limits, should_stop=stop.is_set)
    tasks = [(session, Future[Analysis]()) for session in sessions]
    futures = [future for _, future in tasks]

    def work(engine: EngineProtocol, task: tuple[Session, Future[Analysis]]) -> None:
        session, future = task
        try:
            future.set_result(analyze(engine, session, limits) or Analysis.unknown(session))
        except BaseException as error:
            future.set_exception(error)

    evaluator = Evaluator(engines, work)
    try:
        for task in tasks:
            evaluator.add(task)
        for future in futures:
            while not wait([future], TICK).done:
                progress(sum(other.done() for other in futures), len(futures))
            future.result()
        return [future.result() for future in futures]
    finally:
        stop.set()
        evaluator.drop(lambda task: True)
        evaluator.close()
