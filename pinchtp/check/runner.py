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

# The check that all others rely on: the engine sends answers, and they end.
FOUNDATION = "F1"


class NotAnEngine(Exception):
    """The program has output but answers no command; the text is a predicate."""


class Checker(Resource):
    """Runs checks on one engine. Use it in a `with` statement: no process survives it."""

    def __init__(
        self, command: tuple[str, ...], timeout: float, game: GameType | None = None
    ) -> None:
        """Starts the engine and learns what it is. timeout: seconds for an answer. game: the one
        that it plays, if it need not be asked.

        Raises EngineStartError if it cannot be executed, ends at once or says nothing, and
        NotAnEngine if none of its output is an answer.
        """
        self.facts = EngineFacts(command, timeout, game)
        self._transcript = Transcript()
        self._shared: EngineProbe | None = EngineProbe(self.facts, self._transcript)
        try:
            self._is_readable = self._meet(self._shared)
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

    def _meet(self, probe: EngineProbe) -> bool:
        """Learns what the engine is; False if its answers cannot be read."""
        try:
            if probe.only_echoes("name"):
                raise NotAnEngine("repeats its input instead of answering")
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
        status, reason = self._judge(check)
        seconds = monotonic() - began
        lines = self._transcript.lines()
        if lines and status != Status.PASSED:
            self.close()  # its state is unknown
        elif self._shared:
            self._shared.close_others()
            if self._says_more(self._shared):
                self.close()  # the next check would take it for an answer
        return CheckResult(check, status, reason, seconds, lines)

    def _says_more(self, probe: EngineProbe) -> bool:
        try:
            return bool(probe.silence(0.0))
        except EngineError:
            return True

    def _judge(self, check: Check) -> tuple[Status, str]:
        try:
            if not self._is_readable and check.id != FOUNDATION:
                raise CheckSkipped(f"answers cannot be read, see {FOUNDATION}")
            return Status.PASSED, check.run(self._probe(check)) or ""
        except CheckSkipped as reason:
            return Status.SKIPPED, str(reason)
        except CheckFailed as reason:
            return Status.FAILED, str(reason)
        except EngineError as error:
            return Status.FAILED, f"the engine {error}"
        except Exception as error:  # an engine may say what no check has thought of
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
