"""The match around the games: which game is next, what is kept, and when it is over."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from pinchtp.client.identity import EngineIdentity
from pinchtp.games import Color
from pinchtp.match.admission import Admission
from pinchtp.match.export import Exports
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import Cause, GameRecord, Task
from pinchtp.match.result import MatchResult
from pinchtp.match.schedule import schedule, total
from pinchtp.match.sprt import Verdict
from pinchtp.match.stats import Summary, failures_of
from pinchtp.match.store import Store
from pinchtp.match.worker import Lost, Outcome, WorkerPool

TRIES = 3  # of a game that is void or lost with its worker, in one run
TICK = 0.5  # seconds between updates of the display


class Runner:
    """Plays what is left of a match.

    Public attributes are for those who watch. total: games in the schedule. running: games being
    played. played: games that ended since `began`, a time of the monotonic clock. withdrawn:
    engines that are out, and why. failures_in_a_row: of the engines, by name, since this start.
    identities: of the engines, when they last played. llr, verdict: of the sequential test.
    """

    def __init__(
        self,
        plan: MatchPlan,
        store: Store,
        tell: Callable[[str], None],
        exports: Exports | None = None,
    ) -> None:
        """Takes in the games that are in the store. tell: told of what goes wrong. exports: are
        written beside the store.
        """
        self.plan = plan
        self.summary = Summary([engine.name for engine in plan.engines])
        # A match that was made shorter keeps the games that it has.
        self.total = max(total(plan), len(store.finished()))
        self.running = self.played = 0
        self.began = time.monotonic()
        self.withdrawn: dict[str, str] = {}
        self.identities: dict[str, EngineIdentity] = {}
        self.llr = 0.0
        self.verdict: Verdict | None = None
        self._store = store
        self._tell = tell
        self._exports = exports
        self._attempts = store.attempts()
        self._tries: Counter[int] = Counter()
        self.failures_in_a_row: Counter[str] = Counter()
        self._known_faults: set[tuple[str, Cause]] = set()  # that users need not be told again
        self._halves: set[int] = set()  # pairs of which one game is finished
        for record in store.records():
            self._count(record)
        self._test()
        self._again: deque[Task] = deque()
        self._left = self._tasks(store.finished())
        self._next = next(self._left, None)

    @property
    def is_over(self) -> bool:
        """Whether no game is to be begun any more."""
        return self.verdict is not None or not (self._next or self._again)

    def admit(self, engines: Mapping[str, Admission]) -> None:
        """Reports warnings about the engines, and those that are not the program that played
        before.
        """
        for name, admission in engines.items():
            before, now = self.identities.get(name), admission.identity
            if before and before != now:
                self._tell(
                    f"{name} has changed since it last played: it was {before.name} "
                    f"{before.version}, hash {before.binary or 'unknown'}, and is {now.name} "
                    f"{now.version}, hash {now.binary or 'unknown'}"
                )
            if admission.warning:
                self._tell(admission.warning)
                self._known_faults.add((name, Cause.SCORE))

    def run(
        self,
        pool: WorkerPool,
        show: Callable[[Runner, WorkerPool], None] = lambda runner, pool: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Plays until the match is over or should stop; games that are not finished then are
        dropped. show: called several times a second.
        """
        self.began = time.monotonic()
        while not should_stop():
            self._start_games(pool)
            if self.is_over and not self.running:
                return
            for outcome in pool.wait(TICK):
                self._take(outcome)
                if self.verdict:  # whatever is still being played comes too late
                    return
            show(self, pool)

    def result(self, *, with_records: bool = False) -> MatchResult:
        return MatchResult(
            plan=self.plan,
            report=self.summary.report(),
            total=self.total,
            withdrawn=dict(self.withdrawn),
            llr=self.llr,
            verdict=self.verdict,
            records=tuple(self._store.records()) if with_records else (),
        )

    def _tasks(self, finished: set[int]) -> Iterator[Task]:
        for task in schedule(self.plan):
            if task.number not in finished:
                yield replace(task, attempt=self._attempts.get(task.number, 0))

    def _start_games(self, pool: WorkerPool) -> None:
        """Begins as many games as can be."""
        free = 0 if self.is_over else pool.free()
        for _ in range(free):
            if task := self._take_task():
                pool.start(task)
                self.running += 1

    def _take_task(self) -> Task | None:
        """The next game of engines that are still in it."""
        while not self.is_over:
            if self._again:
                task = self._again.popleft()
            else:
                assert self._next
                task, self._next = self._next, next(self._left, None)
            if not {task.black, task.white} & self.withdrawn.keys():
                return task
        return None

    def _take(self, outcome: Outcome) -> None:
        self.running -= 1
        if isinstance(outcome, Lost):
            self._tell(f"game {outcome.task.label}: {outcome.reason}")
            self._replay(outcome.task)
            return
        self._store.add(outcome)
        if self._exports:
            self._exports.add(outcome)
        self.played += 1
        self._count(outcome)
        self._note_failure(outcome)
        if outcome.is_void:
            self._replay(replace(outcome.task, attempt=outcome.task.attempt + 1))
        elif outcome.task.pair not in self._halves:
            self._test()

    def _count(self, record: GameRecord) -> None:
        self.summary.add(record)
        for color in Color:
            if identity := record.identities.get(color):
                self.identities[record.task.player(color)] = identity
        if not record.is_void:
            self._halves ^= {record.task.pair}

    def _test(self) -> None:
        """Asks the sequential test, which counts complete pairs."""
        if self.plan.sprt:
            pairs = self.summary.pairing(*self.summary.engines).pairs
            self.llr = self.plan.sprt.llr(pairs) if any(pairs) else 0.0
            self.verdict = self.plan.sprt.verdict(pairs) if any(pairs) else None

    def _note_failure(self, record: GameRecord) -> None:
        """Tells of failures, of a wrong score once for each engine, and withdraws an engine that
        fails again and again.
        """
        task, failures = record.task, set(failures_of(record))
        if failures - self._known_faults:
            self._tell(f"game {task.label}: {record.detail}")
        self._known_faults |= {each for each in failures if each[1] is Cause.SCORE}
        if record.cause is Cause.TIME:  # too slow is no reason to give up on it
            return
        for color in Color:
            name = task.player(color)
            in_a_row = self.failures_in_a_row[name] + 1 if record.failed == color else 0
            self.failures_in_a_row[name] = in_a_row
            if in_a_row >= self.plan.withdraw and name not in self.withdrawn:
                why = f"failed {in_a_row} times in a row, the last time: {record.detail}"
                self.withdrawn[name] = why
                self._tell(f"{name} is withdrawn: it {why}")

    def _replay(self, task: Task) -> None:
        self._tries[task.number] += 1
        if self._tries[task.number] < TRIES:
            self._again.append(task)
        else:
            self._tell(f"game {task.label} is given up after {TRIES} attempts")


def review(store: Store) -> MatchResult:
    """How the match in a store stands."""
    return Runner(store.plan(), store, lambda message: None).result()
