"""Games of a match for other programs: JSON lines, SGF files, the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from pinchtp.html.document import write_document
from pinchtp.match.log import EngineLog
from pinchtp.match.output import title
from pinchtp.match.page import MatchPage
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import GameRecord

PAGE_EVERY = 20  # seconds between versions of the page in the middle of a match, at least
PAGE_SHARE = 0.02  # of the runner's time that goes into them, at most


class OutputError(RuntimeError):
    """The games cannot be written there, or there is nothing to be written."""


def as_dict(record: GameRecord) -> dict[str, Any]:
    """Returns a game as plain values for JSON: the fields of the record, those of its game among
    them.
    """
    game = record.game
    values: dict[str, Any] = msgspec.to_builtins(record)
    del values["game"]
    return {
        **msgspec.to_builtins(game),
        "black": game.black,
        "white": game.white,
        **values,
        "winner": None if record.winner is None else str(record.winner),
        "failed": None if record.failed is None else str(record.failed),
        "moves": [{**move._asdict(), "color": str(move.color)} for move in record.moves],
        "identities": {str(color): asdict(each) for color, each in record.identities.items()},
        "faults": [[str(color), cause] for color, cause in record.faults],
    }


def json_lines(records: Iterable[GameRecord]) -> Iterator[str]:
    """Returns one line of JSON for each game."""
    return (json.dumps(as_dict(record)) for record in records)


def write_sgf(records: Iterable[GameRecord], folder: Path) -> None:
    """Writes each finished game to a file named by its number. Raises OutputError."""
    with _exporting(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for record in records:
            if record.sgf and not record.is_void:
                write_document(
                    folder / f"game-{record.game.display_number:06}.sgf", record.sgf + "\n"
                )


def write_match_page(plan: MatchPlan, records: Iterable[GameRecord], path: Path) -> None:
    """Writes the page of a match. Raises OutputError."""
    with _exporting(path):
        write_document(path, match_page(plan, records).document(page_title(plan)))


def check_page(page: Path | None, needed: Mapping[str, Path | None]) -> None:
    """Raises OutputError if the page would be written over a file that is needed. needed: such
    files by what they are.
    """
    for what, file in needed.items():
        if page and file and _is_same(page, file):
            raise OutputError(f"page: {page} is the {what}: give another name")


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve() or (
        one.exists() and other.exists() and one.samefile(other)
    )


def begin_log(plan: MatchPlan) -> None:
    """Begins the logs of all engines. Raises OutputError."""
    assert plan.log
    try:
        EngineLog(plan.log).begin(engine.name for engine in plan.engines)
    except OSError as error:
        raise OutputError(f"{error.filename}: {error.strerror}") from None


class OutputFiles:
    """The files that a match writes beside its store: each game as SGF when it ends, and the page
    before the first game, now and then, and at the end.
    """

    def __init__(self, plan: MatchPlan, tell: Callable[[str], None]) -> None:
        """tell: told of what cannot be written in the middle of the match, which goes on."""
        self._plan, self._tell = plan, tell
        self._page: MatchPage | None = None
        self._next_page = 0.0  # of the monotonic clock
        self._unwritten: list[GameRecord] = []  # games without their SGF
        self._troubled: set[Callable[[], None]] = set()  # what could not be written the last time

    def begin(self, records: Iterable[GameRecord]) -> None:
        """Writes all that is to be written, so that what fails fails before the first game.

        records: those of earlier runs. Raises OutputError.
        """
        kept = list(records) if self._plan.page or self._plan.sgf else []
        if self._plan.page:
            self._page = match_page(self._plan, kept)
        self._unwritten = kept
        self._write(refresh=PAGE_EVERY)

    def add(self, record: GameRecord) -> None:
        """Takes in a game that has ended."""
        self._unwritten.append(record)
        if self._page:
            self._page.add(record)
        if self._plan.sgf:
            self._try(self._write_sgf)
        if self._page and monotonic() >= self._next_page:
            self._try(self._write_page)

    def finish(self) -> None:
        """Writes what is not written yet, the page as that of a match that is not being played.

        Raises OutputError.
        """
        self._write()

    def _write(self, refresh: int = 0) -> None:
        errors = []
        for write in (self._write_sgf, partial(self._write_page, refresh)):
            try:
                write()
            except OutputError as error:
                errors.append(str(error))
        if errors:
            raise OutputError("; ".join(errors))

    def _try(self, write: Callable[[], None]) -> None:
        """Writes in the middle of the match; tells of trouble once, until it has gone."""
        try:
            write()
        except OutputError as error:
            if write not in self._troubled:
                self._troubled.add(write)
                self._tell(f"{error}; it is tried again")
        else:
            self._troubled.discard(write)

    def _write_sgf(self) -> None:
        if self._plan.sgf:
            write_sgf(self._unwritten, self._plan.sgf)
        self._unwritten = []

    def _write_page(self, refresh: int = PAGE_EVERY) -> None:
        if not self._page:
            return
        assert self._plan.page
        began = monotonic()
        try:
            with _exporting(self._plan.page):
                document = self._page.document(page_title(self._plan), refresh=refresh)
                write_document(self._plan.page, document)
        finally:
            now = monotonic()
            self._next_page = now + max(PAGE_EVERY, (now - began) / PAGE_SHARE)


def match_page(plan: MatchPlan, records: Iterable[GameRecord] = ()) -> MatchPage:
    """Returns the page of a match with these games."""
    page = MatchPage(plan)
    for record in records:
        page.add(record)
    return page


def page_title(plan: MatchPlan) -> str:
    """Returns the heading of the page of a match."""
    names = [engine.name for engine in plan.engines]
    heading = f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} engines"
    return f"{heading}: {title(plan)}"


@contextmanager
def _exporting(path: Path) -> Iterator[None]:
    """Turns what the system says into a OutputError that names the file."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}") from None
