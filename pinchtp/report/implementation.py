"""The size of a game's implementation: its C++ sources.

An installed package has no sources. The build runs this file as a script, which stores the sizes
for it.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

CORE = Path(__file__).parents[1] / "core"
COUNTED = Path(__file__).with_name("implementation.json")
FILL = "board fill"  # the game that only fills the board

_FILL_FILES = ("evaluation/board_fill.hpp", "evaluation/board_fill.cpp")
_INCLUDED = re.compile(r'^#include "([^"/]+)"', re.MULTILINE)  # from the same directory


@dataclass(frozen=True)
class SourceSize:
    """The size of sources, in files, bytes (`size`) and lines."""

    files: int
    size: int
    lines: int


def sizes() -> dict[str, SourceSize]:
    """Returns the sizes by game, FILL included."""
    if CORE.is_dir():
        return count(CORE)
    return {name: SourceSize(**size) for name, size in json.loads(COUNTED.read_text()).items()}


def count(core: Path) -> dict[str, SourceSize]:
    """Measures each game in the directory of the core: its rules, its playouts, and the headers of
    the same directories that they include.
    """
    games = {}
    for rules in (core / "games").glob("*.hpp"):
        playouts = core / "evaluation" / "playouts" / rules.name
        sources = [path for path in (rules, playouts) if path.exists()]
        games[rules.stem.replace("_", "-")] = set().union(*map(_collect_headers, sources))
    games[FILL] = {core / name for name in _FILL_FILES}
    return {name: _size(files) for name, files in sorted(games.items())}


def _collect_headers(path: Path) -> set[Path]:
    """Returns a header and the headers of its directory that it includes, even indirectly."""
    headers = set()
    waiting = [path]
    while waiting:
        one = waiting.pop()
        headers.add(one)
        included = {one.with_name(name) for name in _INCLUDED.findall(one.read_text("utf-8"))}
        waiting += included - headers
    return headers


def _size(files: set[Path]) -> SourceSize:
    texts = [path.read_bytes() for path in files]
    return SourceSize(len(texts), sum(map(len, texts)), sum(text.count(b"\n") for text in texts))


if __name__ == "__main__":
    core, written = map(Path, sys.argv[1:])
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(json.dumps({name: asdict(size) for name, size in count(core).items()}))
