"""The runner of a match: schedules games, stores their records, and ends the match."""

from __future__ import annotations

import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from itertools import count

from msgspec import structs

from pinchtp.games import Color
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.pool import GamePool
from pinchtp.match.playing.preflight import Preflight
from pinchtp.match.playing.worker import GameOutcome, LostGame
from pinchtp.match.record import (
    EngineIdentity,
    GameRecord,
    Key,
    Opening,
    ScheduledGame,
    Termination,
)
from pinchtp.match.results.export import OutputFiles
from pinchtp.match.results.sprt import SprtVerdict
from pinchtp.match.results.stats import MatchResult, MatchStats, failures_of
from pinchtp.match.results.store import Attempts, MatchStore


class Schedule:
    """The games of a match, in starting order.

    The two games of a pair are adjacent. Every pairing gets its first pair before any gets its
    second, all with the same opening (if unpaired, the two games have consecutive openings). So all
    pairings have about the same number of games at any time. Adding games or engines does not
    change earlier games.

    pairings: all pairs of engines that play each other.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.pairings = plan.pairings
        self._plan = plan
        self._openings = list(plan.openings) or [Opening()]
        if plan.shuffle:
            random.Random(f"openings {plan.seed}").shuffle(self._openings)

    def __iter__(self) -> Iterator[ScheduledGame]:
        games = self._plan.games
        for first in range(0, games, 2):
            for pairing in self.pairings:
                for number in range(first, min(first + 2, games)):
                    yield self.game(pairing, number)

    def __len__(self) -> int:
        return self._plan.games * len(self.pairings)

    def game(self, pairing: tuple[str, str], number: int) -> ScheduledGame:
        """Returns a game of two engines; its number may exceed the schedule."""
        turn = number // 2 if self._plan.paired else number
        at = (self._plan.opening_start - 1 + turn) % len(self._openings)
        return ScheduledGame(pairing, number, self._openings[at])


TRIES = 3  # maximum attempts at a game in one run, if it is void or its worker is lost
TICK = 0.5  # seconds between updates of the display


class Runner:
    """Plays the remaining games of a match.

    Public attributes are for display. total: games in the schedule, and finished ones beyond it.
    running: games in progress. played: games that ended since `began`, a time of the monotonic
    clock. waited: seconds since then without workers. disabled: disabled engines, with the reason.
    failures_in_a_row: by engine, since this start. identities: of the engines in their latest
    games. llr, verdict: of the sequential test.
    """

    def __init__(
        self,
        plan: MatchPlan,
        store: MatchStore,
        report: Callable[[str], None],
        exports: OutputFiles | None = None,
    ) -> None:
        """Reads the games in the store. report: called with messages about failures. exports:
        output files in addition to the store.
        """
        self.plan = plan
        self.summary = MatchStats([engine.name for engine in plan.engines])
        self.running = self.played = 0
        self.began = time.monotonic()
        self.waited = 0.0
        self.disabled: dict[str, str] = {}
        self.identities: dict[str, EngineIdentity] = {}
        self.llr = 0.0
        self.verdict: SprtVerdict | None = None
        self._tested_pairs = 0  # complete pairs at the last test
        self._store = store
        self._report = report
        self._exports = exports
        self._tries: Counter[Key] = Counter()
        self.failures_in_a_row: Counter[str] = Counter()
        self._known_faults: set[tuple[str, Termination]] = set()  # those already reported
        for record in store.records():
            self._count(record)
        self._test()
        finished = store.finished()
        self.total = _count_games(plan, finished)
        self._again: deque[ScheduledGame] = deque()
        self._left = self._games(store.attempts(), finished)
        self._next = next(self._left, None)

    @property
    def is_over(self) -> bool:
        """Whether no game is left to start."""
        return self.verdict is not None or not (self._next or self._again)

    def report_engines(self, engines: Mapping[str, Preflight]) -> None:
        """Reports warnings about the engines, and engines that have changed since they played."""
        for name, preflight in engines.items():
            before = self.identities.get(name)
            now = preflight.identity
            if before and before != now:
                self._report(
                    f"{name} has changed since it last played: it was {before} and is {now}"
                )
            if preflight.time_warning:
                self._report(preflight.time_warning)
            if preflight.score_warning:
                self._report(preflight.score_warning)
                self._known_faults.add((name, Termination.SCORE))

    def run(
        self,
        pool: GamePool,
        show: Callable[[Runner, GamePool], None] = lambda runner, pool: None,
        should_stop: Callable[[], bool] = lambda: False,
        report_game: Callable[[GameRecord], None] = lambda record: None,
    ) -> None:
        """Plays until the match is over or should stop; unfinished games are dropped.

        show: called several times per second. report_game: called with each game that ends.
        """
        self.began = time.monotonic()
        while not should_stop():
            self._start_games(pool)
            if self.is_over and not self.running:
                return
            before = time.monotonic()
            outcomes = pool.wait(TICK)
            if pool.is_waiting:
                self.waited += time.monotonic() - before
            for outcome in outcomes:
                self._take(outcome)
                if isinstance(outcome, GameRecord):
                    report_game(outcome)
                if self.verdict:  # games in progress no longer count
                    return
            show(self, pool)

    def result(self, *, with_records: bool = False) -> MatchResult:
        return MatchResult(
            plan=self.plan,
            report=self.summary.report(),
            total=self.total,
            disabled=dict(self.disabled),
            llr=self.llr,
            verdict=self.verdict,
            records=tuple(self._store.records()) if with_records else (),
        )

    def _games(
        self, attempts: Mapping[Key, Attempts], finished: set[Key]
    ) -> Iterator[ScheduledGame]:
        """Yields the remaining games, with their attempts and display numbers."""
        taken = {attempt.display_number for attempt in attempts.values()}
        free = (number for number in count(1) if number not in taken)
        for game in Schedule(self.plan):
            if game.key not in finished:
                earlier = attempts.get(game.key)
                number = earlier.display_number if earlier else next(free)
                attempt = earlier.latest + 1 if earlier else 0  # a repair may have lost others
                yield structs.replace(game, attempt=attempt, display_number=number)

    def _start_games(self, pool: GamePool) -> None:
        """Starts as many games as the pool can take."""
        free = 0 if self.is_over else pool.free()
        for _ in range(free):
            if game := self._take_game():
                pool.start(game)
                self.running += 1

    def _take_game(self) -> ScheduledGame | None:
        """Returns the next game between engines that are not disabled."""
        while not self.is_over:
            if self._again:
                game = self._again.popleft()
            else:
                assert self._next
                game = self._next
                self._next = next(self._left, None)
            if not {game.black, game.white} & self.disabled.keys():
                return game
        return None

    def _take(self, outcome: GameOutcome) -> None:
        self.running -= 1
        if isinstance(outcome, LostGame):
            self._report(f"game {outcome.game.display_number}: {outcome.reason}")
            self._replay(outcome.game)
            return
        self._store.add(outcome)
        if self._exports:
            self._exports.add(outcome)
        self.played += 1
        self._count(outcome)
        self._note_failure(outcome)
        if outcome.is_void:
            self._replay(structs.replace(outcome.game, attempt=outcome.game.attempt + 1))
        else:
            self._test()

    def _count(self, record: GameRecord) -> None:
        self.summary.add(record)
        for color in Color:
            if identity := record.identities.get(color):
                self.identities[record.game.player(color)] = identity

    def _test(self) -> None:
        """Updates the sequential test after each complete pair of games."""
        if self.plan.sprt:
            pairs = self.summary.pairs(*self.summary.engines)
            if sum(pairs) > self._tested_pairs:
                self._tested_pairs = sum(pairs)
                self.llr, self.verdict = self.plan.sprt.test(pairs)

    def _note_failure(self, record: GameRecord) -> None:
        """Reports failures (a wrong score once per engine), and disables an engine that fails
        repeatedly.
        """
        game = record.game
        failures = set(failures_of(record))
        if failures - self._known_faults:
            self._report(f"game {game.display_number}: {record.detail}")
        self._known_faults |= {failure for failure in failures if failure[1] is Termination.SCORE}
        for color in Color:
            has_failed = record.failed == color
            if has_failed and record.termination is Termination.TIME:  # only slow: not disabled
                continue
            name = game.player(color)
            in_a_row = self.failures_in_a_row[name] + 1 if has_failed else 0
            self.failures_in_a_row[name] = in_a_row
            if in_a_row >= self.plan.withdraw and name not in self.disabled:
                why = f"failed {in_a_row} times in a row, last: {record.detail}"
                self.disabled[name] = why
                self._report(f"{name} disabled: {why}")

    def _replay(self, game: ScheduledGame) -> None:
        self._tries[game.key] += 1
        if self._tries[game.key] < TRIES:
            self._again.append(game)
        else:
            self._report(f"game {game.display_number} is skipped after {TRIES} attempts")


def stored_result(store: MatchStore) -> MatchResult:
    """Returns the current result of the match in a store."""
    plan = store.plan()
    stats = MatchStats([engine.name for engine in plan.engines])
    for record in store.records():
        stats.add(record)
    llr = 0.0
    verdict = None
    if plan.sprt:
        llr, verdict = plan.sprt.test(stats.pairs(*stats.engines))
    total = _count_games(plan, store.finished())
    return MatchResult(plan, stats.report(), total, {}, llr, verdict)


def _count_games(plan: MatchPlan, finished: set[Key]) -> int:
    """Returns the number of games of a match. A shortened match keeps the games already played."""
    beyond = sum(number >= plan.games for _, _, number in finished)
    return len(Schedule(plan)) + beyond
