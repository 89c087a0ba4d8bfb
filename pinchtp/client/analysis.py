"""Parser for the analysis lines of KataGo and Leela Zero."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile

from pinchtp.games import Color

# Commands that stream analysis, the best first, and the scale of their winrates.
ANALYZE = {"kata-analyze": 1.0, "lz-analyze": 10_000.0, "analyze": 1.0}

# The same for commands that end with a move.
GENMOVE_ANALYZE = {
    "kata-genmove_analyze": 1.0,
    "lz-genmove_analyze": 10_000.0,
    "genmove_analyze": 1.0,
}

MOST_CANDIDATES = 20
MOST_PLIES = 12  # longest principal variation stored

# KataGo's keys after a principal variation, whose values are not moves.
_AFTER_PV = {
    *("pvVisits", "pvEdgeVisits", "movesOwnership", "movesOwnershipStdev"),
    *("rootInfo", "ownership", "ownershipStdev"),
}

_WINRATE = re.compile(r"win ?rate[^0-9.]{0,3}([0-9.]+) ?(%?)", re.IGNORECASE)
_NUMBER = re.compile(
    r"-?(?:[0-9]{1,12}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:e[-+]?[0-9]{1,2})?", re.IGNORECASE
)


@dataclass(frozen=True)
class MoveInfo:
    """A move that an engine considered, and what follows it.

    winrate, prior, lcb: shares of 1, for the side to move; not clamped to [0, 1].
    """

    move: str
    visits: int
    winrate: float
    order: int
    prior: float | None
    lcb: float | None
    pv: tuple[str, ...]


@dataclass(frozen=True)
class AnalysisLine:
    """A line of analysis: candidates, the best first, with shares in [0, 1].

    ownership: rows from the top, 1 for Black; empty if not reported.
    """

    infos: tuple[MoveInfo, ...]
    ownership: tuple[float, ...] = ()

    @property
    def visits(self) -> int:
        return sum(info.visits for info in self.infos)

    @property
    def best(self) -> MoveInfo:
        return self.infos[0]


def read_line(line: str, scale: float) -> AnalysisLine | None:
    """Reads a line of analysis; returns None if it has no candidates. scale: the winrate of a
    certain win.
    """
    infos = [_bounded(info) for info in read_infos(line, scale) if info.pv]
    if not infos:
        return None
    infos.sort(key=lambda info: info.order)
    return AnalysisLine(tuple(infos[:MOST_CANDIDATES]), read_ownership(line))


def black_winrate(winrate: float, mover: Color) -> float:
    """Returns Black's winrate from the mover's, or the mover's from Black's."""
    return winrate if mover == Color.BLACK else 1 - winrate


def explained_winrate(text: str) -> float | None:
    """Returns the winrate in an explanation of a move in words, in [0, 1]; None without one."""
    found = _WINRATE.search(text)
    value = _number(found[1]) if found else None
    if found is None or value is None:
        return None
    share = value / 100 if found[2] else value
    return share if 0 <= share <= 1 else None


def read_infos(line: str, scale: float) -> Iterator[MoveInfo]:
    """Yields the moves of a line that have a winrate. scale: the winrate of a certain win."""
    for part in line.partition("ownership ")[0].split("info ")[1:]:
        if info := _info(part, scale):
            yield info


def read_ownership(line: str) -> tuple[float, ...]:
    """Returns the ownership of each point in a line of analysis, in [-1, 1], 1 for Black.

    Rows from the top; empty if not reported.
    """
    values = []
    for word in line.partition("ownership ")[2].split():
        value = _number(word)
        if value is None:
            break
        values.append(max(-1.0, min(1.0, value)))
    return tuple(values)


def last_winrate(lines: Sequence[str], move: str, scale: float) -> float | None:
    """Returns the last winrate of a move, or else of the position, in [0, 1].

    None if neither is reported or the value is out of range.
    """
    of_move = (
        info.winrate
        for line in reversed(lines)
        for info in read_infos(line, scale)
        if info.move.lower() == move.lower()
    )
    of_position = (each for line in reversed(lines) for each in _root_winrates(line, scale))
    winrate = next(chain(of_move, of_position), None)
    return winrate if winrate is not None and 0 <= winrate <= 1 else None


def _root_winrates(line: str, scale: float) -> Iterator[float]:
    """Yields the winrate in KataGo's rootInfo, if present."""
    words = line.partition("rootInfo ")[2].split()
    winrate = _number(dict(zip(words[::2], words[1::2], strict=False)).get("winrate", ""))
    if winrate is not None:
        yield winrate / scale


def _info(text: str, scale: float) -> MoveInfo | None:
    given, _, line = f" {text} ".partition(" pv ")
    words = given.split()
    values = dict(zip(words[::2], words[1::2], strict=False))
    winrate = _number(values.get("winrate", ""))
    if "move" not in values or winrate is None:
        return None

    def share(key: str) -> float | None:
        value = _number(values.get(key, ""))
        return None if value is None else value / scale

    def count(key: str) -> int:
        return int(_number(values.get(key, "")) or 0)

    return MoveInfo(
        values["move"],
        count("visits"),
        winrate / scale,
        count("order"),
        share("prior"),
        share("lcb"),
        tuple(takewhile(lambda word: word not in _AFTER_PV, line.split())),
    )


def _bounded(info: MoveInfo) -> MoveInfo:
    """Returns a candidate whose shares and principal variation are within bounds."""
    return replace(
        info,
        winrate=_share(info.winrate),
        prior=None if info.prior is None else _share(info.prior),
        lcb=None if info.lcb is None else _share(info.lcb),
        pv=info.pv[:MOST_PLIES],
    )


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None
