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

# Of a probe, which is not named here, since it knows this module.
Function = Callable[[Any], str | None]


class CheckFailed(Exception):
    """The engine does not do what the check asks for; the text says what it does instead."""


class CheckSkipped(Exception):
    """The check says nothing about this engine; the text says why."""


@dataclass(frozen=True)
class Check:
    """A check of one thing.

    id: stable, a group's letter and a number; numbers of checks that are gone are not used again.
    title: what holds if the check passes. why: what breaks if it does not.
    run: raises CheckFailed, CheckSkipped or EngineError (which counts as failed); may return a
    remark. fresh: it needs a process of its own.
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
    """All checks, by group and number: the first ones are what the others stand on."""
    groups = list(GROUPS)
    return sorted(CHECKS.values(), key=lambda each: (groups.index(each.id[0]), int(each.id[1:])))


def check(id: str, title: str, why: str, *, fresh: bool = False) -> Callable[[Function], Function]:
    """Registers a function as a check."""

    def register(function: Function) -> Function:
        if id in CHECKS or id[0] not in GROUPS:
            raise RuntimeError(f"{id} is taken, or of no group")
        CHECKS[id] = Check(id, title, " ".join(why.split()), function, fresh)
        return function

    return register
