"""Measures what readers of SGF make of our records, for the table in pinchtp/records/sgf/README.md.

    PINCHTP_FIELD=FOLDER python tests/field/sgf_table.py

writes the table; FOLDER has the programs (programs.py).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from guide import GuidePart, programs_folder  # noqa: E402  (after the path is set)
from programs import NPM, PYTHON  # noqa: E402
from sgf_samples import board_of, samples  # noqa: E402

from pinchtp.games.session import Session  # noqa: E402
from pinchtp.records.game import Usual  # noqa: E402
from pinchtp.records.reader import read_sgf  # noqa: E402
from pinchtp.records.sgf import to_sgf  # noqa: E402

PART = GuidePart("records/sgf/README.md", "readers", "sgf_table.py")
GNUGO = "/usr/games/gnugo"


@dataclass(frozen=True)
class Row:
    """A reader's results: the numbers of samples read, saved as the same game, and shown.

    problem: the first error or wrong board, by name of the sample. None: it cannot do that.
    """

    reader: str
    read: int
    saved: int | None
    shown: int | None
    problem: str


def measure(folder: Path) -> list[Row]:
    """Returns a row for each installed reader."""
    games = dict(samples())
    with tempfile.TemporaryDirectory() as name:
        paths = {}
        for sample, session in games.items():
            paths[sample] = Path(name, f"{sample}.sgf")
            paths[sample].write_text(to_sgf(session, "2026-11-28"), encoding="utf-8")
        return [
            _row(reader, {each: found[str(path)] for each, path in paths.items()}, games)
            for reader, found in _results(folder, [str(path) for path in paths.values()])
        ]


def _results(folder: Path, paths: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, (package, *_) in PYTHON.items():
        path = {**os.environ, "PYTHONPATH": str(folder / "python" / name)}
        command = [sys.executable, str(HERE / "sgf_readers.py"), name.partition(" ")[0], *paths]
        yield package.replace("==", " "), _output(command, path)
    for name, packages in NPM.items():
        path = {**os.environ, "NODE_PATH": str(folder / "node_modules")}
        command = ["node", str(HERE / "sgf_readers.cjs"), name, *paths]
        yield (
            " with ".join(re.sub(r"(?<=.)@", " ", each) for each in packages),
            _output(command, path),
        )
    if Path(GNUGO).exists():
        yield "GNU Go 3.8", {path: _gnugo(path) for path in paths}


def _output(command: list[str], environment: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _gnugo(path: str) -> dict[str, Any]:
    """Loads a file and returns the board."""
    commands = f"loadsgf {path}\nquery_boardsize\nlist_stones black\nlist_stones white\nquit\n"
    done = subprocess.run(
        [GNUGO, "--mode", "gtp"], input=commands, capture_output=True, text=True, check=True
    )
    loaded, size, black, white, *_ = done.stdout.split("\n\n")
    if not loaded.startswith("="):
        return {"error": loaded.lstrip("? ").replace(path, "FILE")}
    side = int(size.split()[-1])
    rows = [["."] * side for _ in range(side)]
    for sign, answer in (("X", black), ("O", white)):
        for vertex in answer.lstrip("= ").split():
            rows[side - int(vertex[1:])]["ABCDEFGHJKLMNOPQRSTUVWXYZ".index(vertex[0])] = sign
    return {"board": ["".join(row) for row in rows]}


def _row(reader: str, found: dict[str, Any], games: dict[str, Session]) -> Row:
    read = [name for name, result in found.items() if "error" not in result]
    saved = [name for name in read if _is_same(found[name].get("saved"), games[name])]
    shown = [name for name in read if found[name].get("board") == board_of(games[name])]
    problem = next((f"{name}: {found[name]['error']}" for name in found if name not in read), "")
    if not problem and any("board" in result for result in found.values()):
        problem = next((f"{name}: another board" for name in read if name not in shown), "")
    if not problem and any("saved" in result for result in found.values()):
        problem = next((f"{name}: another game" for name in read if name not in saved), "")
    return Row(
        reader,
        len(read),
        len(saved) if any("saved" in result for result in found.values()) else None,
        len(shown) if any("board" in result for result in found.values()) else None,
        problem,
    )


def _is_same(text: str | None, session: Session) -> bool:
    """Whether a saved record is read by us as the same game, with its comment."""
    if text is None:
        return False
    try:
        record = read_sgf(text, Usual(session.game))[0].read()
    except ValueError:
        return False
    again = Session.at(session.game, record.start, record.history)
    return [(turn.moves, turn.after, turn.comment) for turn in again.history()] == [
        (turn.moves, turn.after, turn.comment) for turn in session.turns()
    ]


def table(rows: list[Row]) -> str:
    """Returns the table as Markdown."""
    count = len(dict(samples()))
    lines = [
        f"| reader | reads of {count} | saves the same | shows the board | first problem |",
        "|---|--:|--:|--:|---|",
    ]
    for row in sorted(rows, key=lambda row: row.reader.lower()):
        saved, shown = ("" if each is None else str(each) for each in (row.saved, row.shown))
        problem = row.problem.replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {row.reader} | {row.read} | {saved} | {shown} | {problem} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PART.write(table(measure(programs_folder())))
