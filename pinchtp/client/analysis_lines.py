"""Readers of analysis lines in the formats of KataGo and Leela Zero."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile

# Commands that stream analysis, best first, with the scale of their winrates: a certain win.
ANALYZE = {"kata-analyze": 1.0, "lz-analyze": 10_000.0, "analyze": 1.0}

# Commands that stream analysis and end with a move, best first, with the scale of their winrates.
GENMOVE_ANALYZE = {
    "kata-genmove_analyze": 1.0,
    "lz-genmove_analyze": 10_000.0,
    "genmove_analyze": 1.0,
}

# KataGo's keys that end a principal variation, because their values are not moves.
_AFTER_PV = {
    *("pvVisits", "pvEdgeVisits", "movesOwnership", "movesOwnershipStdev"),
    *("rootInfo", "ownership", "ownershipStdev"),
}

# KataGo's search for a move without playing it. Any input ends it, and so do the search limits.
SEARCH = "kata-search_analyze_cancellable"
SEARCH_SCALE = 1.0

_WINRATE = re.compile(r"win ?rate[^0-9.]{0,3}([0-9.]+) ?(%?)", re.IGNORECASE)
_NUMBER = re.compile(
    r"-?(?:[0-9]{1,12}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:e[-+]?[0-9]{1,2})?", re.IGNORECASE
)


def read_explained_winrate(text: str) -> float | None:
    """Returns the winrate in a text that explains a move, in [0, 1]; None without one."""
    match = _WINRATE.search(text)
    value = number(match[1]) if match else None
    if match is None or value is None:
        return None
    winrate = value / 100 if match[2] else value
    return winrate if 0 <= winrate <= 1 else None


def read_infos(line: str) -> Iterator[tuple[dict[str, str], tuple[str, ...]]]:
    """Yields, for each move that has a winrate, its values by key and its principal variation."""
    for part in line.partition("ownership ")[0].split("info ")[1:]:
        given, _, variation = f" {part} ".partition(" pv ")
        words = given.split()
        values = dict(zip(words[::2], words[1::2], strict=False))
        if "move" in values and number(values.get("winrate", "")) is not None:
            yield values, tuple(takewhile(lambda word: word not in _AFTER_PV, variation.split()))


def has_candidates(line: str) -> bool:
    """Returns whether a line has a move with a winrate and a principal variation."""
    return any(pv for _, pv in read_infos(line))


def read_ownership(line: str) -> tuple[float, ...]:
    """Returns the ownership of each point in a line of analysis, from 1 (the side to move) to -1.

    Points are by rows from the top. Empty if not reported.
    """
    values = []
    for word in line.partition("ownership ")[2].split():
        value = number(word)
        if value is None:
            break
        values.append(max(-1.0, min(1.0, value)))
    return tuple(values)


def last_winrate(lines: Sequence[str], move: str, scale: float) -> float | None:
    """Returns the last winrate of a move, or else of the position, in [0, 1].

    lines: of an analysis. scale: the winrate of a certain win. None if neither is reported or the
    value is out of range.
    """
    of_move = (
        float(values["winrate"]) / scale
        for line in reversed(lines)
        for values, _ in read_infos(line)
        if values["move"].lower() == move.lower()
    )
    of_position = (value for line in reversed(lines) for value in _root_winrates(line, scale))
    winrate = next(chain(of_move, of_position), None)
    return winrate if winrate is not None and 0 <= winrate <= 1 else None


def read_root_visits(line: str) -> int | None:
    """Returns the visits in KataGo's rootInfo; None without them."""
    visits = _root_value(line, "visits")
    return None if visits is None else int(visits)


def _root_winrates(line: str, scale: float) -> Iterator[float]:
    """Yields the winrate in KataGo's rootInfo, if present."""
    winrate = _root_value(line, "winrate")
    if winrate is not None:
        yield winrate / scale


def _root_value(line: str, key: str) -> float | None:
    """Returns a value in KataGo's rootInfo; None without it."""
    words = line.partition("rootInfo ")[2].split()
    return number(dict(zip(words[::2], words[1::2], strict=False)).get(key, ""))


def number(text: str) -> float | None:
    """Returns the number of a word; None if it is not a number."""
    return float(text) if _NUMBER.fullmatch(text) else None
