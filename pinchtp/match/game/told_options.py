"""Options that are set by commands which differ from engine to engine: limits of nodes, pondering.

GTP has no words for them; these are those of pinchtp, KataGo and Leela Zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """A command with the words that set an option, `{}` standing for the value."""

    command: str
    words: str

    def line(self, value: str) -> str:
        return f"{self.command} {self.words.format(value)}"


NODES, PONDER = "nodes", "ponder"

WAYS: Mapping[str, tuple[Way, ...]] = {
    NODES: (
        Way("pinchtp-param", "visits {}"),
        Way("kata-set-param", "maxVisits {}"),
        Way("lz-setoption", "name visits value {}"),
    ),
    PONDER: (
        Way("pinchtp-param", "ponder {}"),
        Way("kata-set-param", "ponderingEnabled {}"),
        Way("lz-setoption", "name pondering value {}"),
    ),
}
