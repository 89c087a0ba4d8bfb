"""Results of checks, and lists of checks, as text and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pinchtp.base.text import printable
from pinchtp.check import checks as _checks  # noqa: F401  (fills the registry)
from pinchtp.check.check import Check
from pinchtp.check.probe import EngineFacts

TRANSCRIPT_LINES = 40  # shown, from the end of a GTP log

_MARGIN = " " * 14  # below titles
_INDENT = " " * 6  # in the list of checks


class Status(StrEnum):
    PASSED = "pass"
    FAILED = "FAILED"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class CheckResult:
    """The result of a check.

    reason: of a failure or a skip, or a remark, such as a measurement.
    transcript: the commands and responses, one string per line.
    """

    check: Check
    status: Status
    reason: str
    seconds: float
    transcript: list[str]


def heading(facts: EngineFacts) -> str:
    """Returns a line that describes the engine."""
    sizes = sorted({size for size in (facts.size, facts.large) if size})
    on = f", on boards of {' and '.join(map(str, sizes))}" if sizes else ""
    game = f", {facts.game.title}" if facts.game else ""
    return printable(f"{facts.name or facts.command[0]} {facts.version}".rstrip(), "") + game + on


def row(outcome: CheckResult, width: int, *, verbose: bool) -> str:
    """Returns a result; a failure with its consequences and, if verbose, the GTP log."""
    check = outcome.check
    reason = outcome.reason
    passed = outcome.status is Status.PASSED
    title = f"{check.title} ({reason})" if passed and reason else check.title
    label = f" {check.id:4} {outcome.status:8}"
    lines = [label + _wrap(title, width)[len(label) :]]
    if not passed:
        lines.append(_wrap(reason, width))
    if outcome.status is Status.FAILED:
        lines.append(_wrap(f"Why it matters: {check.why}", width))
        if verbose:
            lines += [f"{_MARGIN}| {line}" for line in _visible_end(outcome.transcript)]
    return "\n".join(lines)


def others(outcomes: Sequence[CheckResult], width: int, *, verbose: bool) -> list[str]:
    """Returns the passed checks, and the ids of skipped ones; if verbose, also their reasons."""
    passed, skipped = (
        [outcome for outcome in outcomes if outcome.status is status]
        for status in (Status.PASSED, Status.SKIPPED)
    )
    rows = passed + skipped if verbose else passed
    lines = [row(outcome, width, verbose=verbose) for outcome in rows]
    if skipped and not verbose:
        ids = ", ".join(outcome.check.id for outcome in skipped)
        lines.append(textwrap.fill(f" skipped (why: --verbose): {ids}", width))
    return lines


def summary(outcomes: Sequence[CheckResult]) -> str:
    """Returns a line with the counts."""
    failed = [outcome.check.id for outcome in outcomes if outcome.status is Status.FAILED]
    names = f" ({', '.join(failed)})" if failed else ""
    seconds = sum(outcome.seconds for outcome in outcomes)
    return (
        f"{len(outcomes)} checks in {seconds:.1f} s: {_count(outcomes, Status.PASSED)} passed, "
        f"{len(failed)} failed{names}, {_count(outcomes, Status.SKIPPED)} skipped"
    )


def as_json(facts: EngineFacts, outcomes: Sequence[CheckResult]) -> str:
    """Returns all results as a JSON document."""
    counts = {status.name.lower(): _count(outcomes, status) for status in Status}
    document = {
        "command": facts.command,
        "name": facts.name,
        "version": facts.version,
        "game": facts.game.name if facts.game else None,
        "seconds": round(sum(outcome.seconds for outcome in outcomes), 3),
        **counts,
        "checks": [_entry(outcome) for outcome in outcomes],
    }
    return json.dumps(document, indent=2)


def table(checks: Iterable[Check], width: int) -> str:
    """Returns all checks with their reasons as text."""
    lines: list[str] = []
    for check in checks:
        lines += _group_title(check, lines)
        title = f" {check.id:4} {check.title}"
        lines.append(textwrap.fill(title, width, subsequent_indent=_INDENT))
        lines.append(textwrap.indent(textwrap.fill(check.why, width - 9), _INDENT + "   "))
    return "\n".join(lines)


def checks_as_json(checks: Iterable[Check]) -> str:
    """Returns all checks as JSON."""
    return json.dumps([_facts(check) for check in checks], indent=2)


def _group_title(check: Check, before: list[str]) -> list[str]:
    """Returns the title of a group before its first check."""
    title = check.group[0].upper() + check.group[1:]
    return [] if title in before else ["", title] if before else [title]


def _wrap(text: str, width: int) -> str:
    return textwrap.fill(
        printable(text, keep=""), width, initial_indent=_MARGIN, subsequent_indent=_MARGIN
    )


def _visible_end(transcript: list[str]) -> list[str]:
    """Returns the end of a GTP log, with control characters escaped."""
    left_out = len(transcript) - TRANSCRIPT_LINES
    first = [f"... {left_out} earlier lines ..."] if left_out > 0 else []
    return first + [printable(line, keep="") for line in transcript[-TRANSCRIPT_LINES:]]


def _count(outcomes: Iterable[CheckResult], status: Status) -> int:
    return sum(outcome.status is status for outcome in outcomes)


def _facts(check: Check) -> dict[str, Any]:
    return {"id": check.id, "group": check.group, "title": check.title, "why": check.why}


def _entry(outcome: CheckResult) -> dict[str, Any]:
    entry = _facts(outcome.check) | {
        "status": outcome.status.name.lower(),
        "reason": outcome.reason,
        "seconds": round(outcome.seconds, 3),
    }
    if outcome.status is Status.FAILED:
        entry["transcript"] = _visible_end(outcome.transcript)
    return entry
