"""Games of a match for other programs: JSON lines, SGF files, the page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pinchtp.match.game.record import GameRecord
from pinchtp.match.page import write_page
from pinchtp.match.plan.plan import MatchPlan
from pinchtp.match.show.tables import title


class CannotExport(Exception):
    """The games cannot be written there, or there is nothing to be written."""


def as_dict(record: GameRecord) -> dict[str, Any]:
    """A game as plain values for JSON: the fields of the record, those of its task among them."""
    values = asdict(record)
    return {**values.pop("task"), **values}


def json_lines(records: Iterable[GameRecord]) -> Iterator[str]:
    """One line of JSON for each game."""
    return (json.dumps(as_dict(record)) for record in records)


def write_sgf(records: Iterable[GameRecord], folder: Path) -> int:
    """Writes each finished game to a file named by its number, and returns how many there are.

    Raises CannotExport.
    """
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for record in records:
            if record.sgf and not record.is_void:
                path = folder / f"game-{record.task.label:06}.sgf"
                path.write_text(record.sgf + "\n", "utf-8", errors="backslashreplace")
                count += 1
    except OSError as error:
        raise CannotExport(f"{error.filename or folder}: {error.strerror}") from None
    return count


def write_match_page(plan: MatchPlan, records: Iterable[GameRecord], path: Path) -> None:
    """Writes the page of a match. Raises CannotExport."""
    names = [engine.name for engine in plan.engines]
    heading = f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} engines"
    try:
        write_page(
            records,
            path,
            title=f"{heading}: {title(plan)}",
            engines=names,
            rules=plan.rules(),
            sprt=plan.sprt,
        )
    except OSError as error:
        raise CannotExport(f"{path}: {error.strerror}") from None
