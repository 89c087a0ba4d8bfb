"""The one list of checks, from which the run, the table, `--list` and documents derive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

GROUPS = {
    "F": "framing of answers",
    "I": "ids",
    "L": "lines and characters received",
    "X": "pipelining",
    "E": "errors",
    "A": "refused commands and queries change nothing",
    "C": "list of commands",
    "R": "introduction",
    "G": "game",
    "Q": "questions of a GoGui ruler",
    "T": "time",
    "S": "interrupt and analysis",
    "P": "process",
}

# Takes an EngineProbe, which this module cannot import, since probe.py imports it.
Function = Callable[[Any], str | None]


class CheckFailed(Exception):
    """The engine does not meet the check; the text is what it does instead."""


class CheckSkipped(Exception):
    """The check does not apply to this engine; the text is the reason."""


@dataclass(frozen=True)
class Check:
    """A check of one thing.

    id: stable, a group's letter and a number; numbers of removed checks are not reused.
    title: what holds if the check passes. why: what breaks if it does not.
    run: raises CheckFailed, CheckSkipped or EngineError (which counts as failed); may return a
    remark. fresh: whether it needs a new process.
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
    """Returns all checks by group and number; later ones rely on the first."""
    groups = list(GROUPS)
    return sorted(CHECKS.values(), key=lambda check: (groups.index(check.id[0]), int(check.id[1:])))


def check(id: str, title: str, why: str, *, fresh: bool = False) -> Callable[[Function], Function]:
    """Registers a function as a check."""

    def register(function: Function) -> Function:
        if id in CHECKS or id[0] not in GROUPS:
            raise RuntimeError(f"{id} is taken, or of no group")
        CHECKS[id] = Check(id, title, " ".join(why.split()), function, fresh)
        return function

    return register
