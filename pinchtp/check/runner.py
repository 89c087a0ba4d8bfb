"""Runs checks on an engine, each from a known state."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from time import monotonic

from pinchtp.base.process import Resource
from pinchtp.check.check import Check, CheckFailed, CheckSkipped
from pinchtp.check.game import learn_facts
from pinchtp.check.probe import ANSWER, EngineFacts, EngineProbe
from pinchtp.check.results import CheckResult, Status
from pinchtp.client import EngineDied, EngineError, EngineStartError, Transcript
from pinchtp.games import GameType

# The check that all others rely on: the engine sends complete responses.
FOUNDATION = "F1"


class NotAnEngine(Exception):
    """The program prints output but no response; the text is a predicate."""


class Checker(Resource):
    """Runs checks on one engine. Use it in a `with` statement, which ends all processes."""

    def __init__(
        self, command: tuple[str, ...], timeout: float, game: GameType | None = None
    ) -> None:
        """Starts the engine and queries its facts.

        timeout: seconds for a response. game: the game that it plays, if it does not report it.

        Raises EngineStartError if it cannot be executed, exits immediately or prints nothing,
        NotAnEngine if none of its output is a response, and WrongGame.
        """
        self.facts = EngineFacts(command, timeout, game)
        self._transcript = Transcript()
        self._shared: EngineProbe | None = EngineProbe(self.facts, self._transcript)
        try:
            self._is_readable = self._identify(self._shared)
            if not self._is_readable:
                self.close()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._shared:
            self._shared.close()
        self._shared = None

    def run(
        self, checks: Iterable[Check], on_result: Callable[[CheckResult], None]
    ) -> list[CheckResult]:
        """Runs checks in order; calls `on_result` with each result."""
        outcomes = []
        for check in checks:
            outcomes.append(self._run(check))
            on_result(outcomes[-1])
        return outcomes

    def _identify(self, probe: EngineProbe) -> bool:
        """Queries the facts about the engine; False if its responses cannot be read."""
        try:
            if probe.only_echoes("name"):
                raise NotAnEngine("echoes its input instead of responding")
            probe.reply()
        except EngineError as error:
            output = b"".join(event.data for event in self._transcript if event.kind == "<")
            if not output:
                what = "it " if isinstance(error, EngineDied) else "the engine "
                raise EngineStartError(f"{what}{error}") from None
            if not ANSWER.search(output):
                raise NotAnEngine(str(error)) from None
            return False
        learn_facts(probe)
        return True

    def _run(self, check: Check) -> CheckResult:
        self._transcript.clear()
        began = monotonic()
        status, reason = self._evaluate(check)
        seconds = monotonic() - began
        lines = self._transcript.lines()
        if lines and status != Status.PASSED:
            self.close()  # its state is unknown
        elif self._shared:
            self._shared.close_others()
            if self._has_more_output(self._shared):
                self.close()  # the next check would read it as a response
        return CheckResult(check, status, reason, seconds, lines)

    def _has_more_output(self, probe: EngineProbe) -> bool:
        try:
            return bool(probe.silence(0.0))
        except EngineError:
            return True

    def _evaluate(self, check: Check) -> tuple[Status, str]:
        try:
            if not self._is_readable and check.id != FOUNDATION:
                raise CheckSkipped(f"responses cannot be read, see {FOUNDATION}")
            return Status.PASSED, check.run(self._probe(check)) or ""
        except CheckSkipped as reason:
            return Status.SKIPPED, str(reason)
        except CheckFailed as reason:
            return Status.FAILED, str(reason)
        except EngineError as error:
            return Status.FAILED, f"the engine {error}"
        except Exception as error:  # an engine may send something that no check expects
            traceback.print_exc(file=sys.stderr)
            return Status.FAILED, f"unexpected: {type(error).__name__}: {error}"

    def _probe(self, check: Check) -> EngineProbe:
        if not self._shared:
            self._shared = EngineProbe(self.facts, self._transcript)
        if check.fresh:
            other = EngineProbe(self.facts, self._transcript)
            self._shared.adopt(other)
            return other
        return self._shared
