"""The registry of checks, used by the run, the table, `--list` and documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

GROUPS = {
    "F": "framing of responses",
    "I": "ids",
    "L": "input lines and characters",
    "X": "pipelining",
    "E": "errors",
    "A": "rejected commands and queries change nothing",
    "C": "command list",
    "R": "introduction",
    "G": "game",
    "Q": "queries of a GoGui ruler",
    "T": "time",
    "S": "interrupt and analysis",
    "P": "process",
}

# Takes an EngineProbe, which this module cannot import, since probe.py imports it.
Function = Callable[[Any], str | None]


class CheckFailed(Exception):
    """The engine fails the check; the text describes what it does."""


class CheckSkipped(Exception):
    """The check does not apply to this engine; the text is the reason."""


@dataclass(frozen=True)
class Check:
    """A check of a single property.

    id: a stable id, the group's letter and a number; numbers of removed checks are not reused.
    title: the property of an engine that passes. why: the consequences of a failure.
    run: raises CheckFailed, CheckSkipped or EngineError (a failure, too); may return a remark.
    fresh: whether the check needs a new process.
    """

    id: str
    title: str
    why: str
    run: Function
    fresh: bool

    @property
    def group(self) -> str:
        return GROUPS[self.id[0]]


CHECKS: dict[str, Check] = {}


def in_order() -> list[Check]:
    """Returns all checks by group and number; all others rely on the first."""
    groups = list(GROUPS)
    return sorted(CHECKS.values(), key=lambda check: (groups.index(check.id[0]), int(check.id[1:])))


def check(id: str, title: str, why: str, *, fresh: bool = False) -> Callable[[Function], Function]:
    """Registers a function as a check."""

    def register(function: Function) -> Function:
        if id in CHECKS or id[0] not in GROUPS:
            raise RuntimeError(f"duplicate id or unknown group: {id}")
        CHECKS[id] = Check(id, title, " ".join(why.split()), function, fresh)
        return function

    return register
