"""Many positions on several engines: a queue by priority, and a thread for each engine."""

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

MOST_WAITING = 100_000  # tasks; beyond that add() waits
TICK = 0.1  # seconds between calls of `progress`

E = TypeVar("E", bound=EngineProtocol)
T = TypeVar("T")


class Evaluator(Generic[E, T]):
    """Works on tasks in threads: the core releases the interpreter's lock, and programs wait."""

    def __init__(self, engines: Sequence[E], work: Callable[[E, T], None]) -> None:
        """engines: one per thread. work: does a task with an engine, and raises nothing.

        Raises ValueError if there are more engines than the machine has threads for.
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
        """Queues a task, higher priorities first; waits while MOST_WAITING are queued."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < MOST_WAITING)
            heapq.heappush(self._waiting, (-priority, next(self._numbers), task))
            self._changed.notify_all()

    def drop(self, is_meant: Callable[[T], bool]) -> tuple[list[T], list[T]]:
        """Removes tasks from the queue; returns them, and those that are worked on."""
        dropped: list[tuple[int, int, T]] = []
        left: list[tuple[int, int, T]] = []
        with self._changed:
            for entry in self._waiting:
                (dropped if is_meant(entry[-1]) else left).append(entry)
            if dropped:
                heapq.heapify(left)
                self._waiting = left
                self._changed.notify_all()
            running = list(filter(is_meant, self._running))
        return [task for *_, task in sorted(dropped)], running

    def close(self) -> None:
        """Waits until the queue is empty, and ends the threads."""
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
        """Waits for a task; None at the end."""
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
    progress: Callable[[int], None] = lambda done: None,
) -> list[Analysis]:
    """Returns the analysis of each session's position, in order.

    limits: per position. progress: called with the number of positions done, ten times per second.
    Raises what the engines raise.
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
                progress(sum(each.done() for each in futures))
            future.result()
        return [future.result() for future in futures]
    finally:
        stop.set()
        evaluator.drop(lambda task: True)
        evaluator.close()
