"""The match around the games: which game is next, what is kept, and when it is over."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count

from pinchtp.client.identity import EngineIdentity
from pinchtp.games import Color
from pinchtp.match.admission import Admission
from pinchtp.match.export import OutputFiles
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import GameRecord, Key, ScheduledGame, Termination
from pinchtp.match.schedule import Schedule
from pinchtp.match.sprt import SprtVerdict
from pinchtp.match.stats import MatchResult, MatchStats, failures_of
from pinchtp.match.store import Attempts, MatchStore
from pinchtp.match.worker import GameOutcome, GamePool, LostGame

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
        store: MatchStore,
        tell: Callable[[str], None],
        exports: OutputFiles | None = None,
    ) -> None:
        """Takes in the games that are in the store. tell: told of what goes wrong. exports: are
        written beside the store.
        """
        self.plan = plan
        self.summary = MatchStats([engine.name for engine in plan.engines])
        # A match that was made shorter keeps the games that it has.
        self.total = max(len(Schedule(plan)), len(store.finished()))
        self.running = self.played = 0
        self.began = time.monotonic()
        self.withdrawn: dict[str, str] = {}
        self.identities: dict[str, EngineIdentity] = {}
        self.llr = 0.0
        self.verdict: SprtVerdict | None = None
        self._store = store
        self._tell = tell
        self._exports = exports
        self._tries: Counter[Key] = Counter()
        self.failures_in_a_row: Counter[str] = Counter()
        self._known_faults: set[tuple[str, Termination]] = set()  # which users were told of
        self._halves: set[Key] = set()  # pairs of which one game is finished
        for record in store.records():
            self._count(record)
        self._test()
        self._again: deque[ScheduledGame] = deque()
        self._left = self._games(store.attempts(), store.finished())
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
                self._known_faults.add((name, Termination.SCORE))

    def run(
        self,
        pool: GamePool,
        show: Callable[[Runner, GamePool], None] = lambda runner, pool: None,
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

    def _games(
        self, attempts: Mapping[Key, Attempts], finished: set[Key]
    ) -> Iterator[ScheduledGame]:
        """Yields the games that are left, with their attempts and numbers for people."""
        taken = {each.display_number for each in attempts.values()}
        free = (number for number in count(1) if number not in taken)
        for game in Schedule(self.plan):
            if game.key not in finished:
                earlier = attempts.get(game.key)
                number = earlier.display_number if earlier else next(free)
                tried = earlier.made if earlier else 0
                yield replace(game, attempt=tried, display_number=number)

    def _start_games(self, pool: GamePool) -> None:
        """Begins as many games as can be."""
        free = 0 if self.is_over else pool.free()
        for _ in range(free):
            if game := self._take_game():
                pool.start(game)
                self.running += 1

    def _take_game(self) -> ScheduledGame | None:
        """Returns the next game of engines that are still in it."""
        while not self.is_over:
            if self._again:
                game = self._again.popleft()
            else:
                assert self._next
                game, self._next = self._next, next(self._left, None)
            if not {game.black, game.white} & self.withdrawn.keys():
                return game
        return None

    def _take(self, outcome: GameOutcome) -> None:
        self.running -= 1
        if isinstance(outcome, LostGame):
            self._tell(f"game {outcome.game.display_number}: {outcome.reason}")
            self._replay(outcome.game)
            return
        self._store.add(outcome)
        if self._exports:
            self._exports.add(outcome)
        self.played += 1
        self._count(outcome)
        self._note_failure(outcome)
        if outcome.is_void:
            self._replay(replace(outcome.game, attempt=outcome.game.attempt + 1))
        elif outcome.game.pair not in self._halves:
            self._test()

    def _count(self, record: GameRecord) -> None:
        self.summary.add(record)
        for color in Color:
            if identity := record.identities.get(color):
                self.identities[record.game.player(color)] = identity
        if not record.is_void:
            self._halves ^= {record.game.pair}

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
        game, failures = record.game, set(failures_of(record))
        if failures - self._known_faults:
            self._tell(f"game {game.display_number}: {record.detail}")
        self._known_faults |= {each for each in failures if each[1] is Termination.SCORE}
        if record.cause is Termination.TIME:  # too slow is no reason to give up on it
            return
        for color in Color:
            name = game.player(color)
            in_a_row = self.failures_in_a_row[name] + 1 if record.failed == color else 0
            self.failures_in_a_row[name] = in_a_row
            if in_a_row >= self.plan.withdraw and name not in self.withdrawn:
                why = f"failed {in_a_row} times in a row, the last time: {record.detail}"
                self.withdrawn[name] = why
                self._tell(f"{name} is withdrawn: it {why}")

    def _replay(self, game: ScheduledGame) -> None:
        self._tries[game.key] += 1
        if self._tries[game.key] < TRIES:
            self._again.append(game)
        else:
            self._tell(f"game {game.display_number} is given up after {TRIES} attempts")


def stored_result(store: MatchStore) -> MatchResult:
    """Returns the result so far of the match in a store."""
    return Runner(store.plan(), store, lambda message: None).result()
