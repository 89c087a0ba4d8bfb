"""The output files of a match: JSON lines, SGF files, and the page."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
from msgspec import structs

from pinchtp.base.files import check_output, is_same_file, make_directory
from pinchtp.html.document import write_document
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.log import EngineLog
from pinchtp.match.record import GameRecord
from pinchtp.match.results.page import MatchPage
from pinchtp.match.results.tables import title

GAME_FILES = "game-[0-9]*.sgf"
PAGE_EVERY = 20  # minimum seconds between updates of the page during a match
PAGE_SHARE = 0.02  # maximum share of the runner's time for these updates


class OutputError(RuntimeError):
    """An output file cannot be written."""


def as_dict(record: GameRecord) -> dict[str, Any]:
    """Returns a game as plain values for JSON: the fields of the record and of its game."""
    game = record.game
    values: dict[str, Any] = msgspec.to_builtins(record)
    del values["game"]
    values["termination"] = values.pop("cause")  # its name in the store
    return {
        **msgspec.to_builtins(game),
        "black": game.black,
        "white": game.white,
        **values,
        "winner": None if record.winner is None else str(record.winner),
        "failed": None if record.failed is None else str(record.failed),
        "moves": [{**structs.asdict(move), "color": str(move.color)} for move in record.moves],
        "identities": {
            str(color): structs.asdict(identity) for color, identity in record.identities.items()
        },
        "faults": [[str(fault.color), fault.termination] for fault in record.faults],
    }


def json_lines(records: Iterable[GameRecord]) -> Iterator[str]:
    """Returns one line of JSON for each game."""
    return (json.dumps(as_dict(record)) for record in records)


def write_sgf(records: Iterable[GameRecord], folder: Path) -> None:
    """Writes each finished game to a file named after its number (GAME_FILES).

    Raises OutputError.
    """
    with _exporting(folder):
        make_directory(folder)
        for record in records:
            if record.sgf and not record.is_void:
                write_document(folder / _game_file(record), record.sgf + "\n")


def check_sgf(folder: Path, plan: MatchPlan, records: Iterable[GameRecord]) -> None:
    """Raises OutputError if a directory has numbered games other than those of a match, and for a
    match whose games have no SGF.
    """
    if not plan.referee:
        raise OutputError("sgf: only a referee writes games as SGF: drop --sgf or --no-referee")
    with _exporting(folder):
        others = {file.name for file in folder.glob(GAME_FILES)}  # first: a runner may add games
    if others:
        others -= {_game_file(record) for record in records}
    if others:
        raise OutputError(
            f"sgf: {folder} has games that this match has not played, such as {min(others)}: move "
            "them, or give another directory"
        )


def _game_file(record: GameRecord) -> str:
    return f"game-{record.game.display_number:06}.sgf"


def write_match_page(plan: MatchPlan, records: Iterable[GameRecord], path: Path) -> None:
    """Writes the page of a match. Raises OutputError."""
    with _exporting(path):
        write_document(path, match_page(plan, records).document(page_title(plan)))


def check_outputs(page: Path | None, sgf: Path | None, needed: Mapping[str, Path | None]) -> None:
    """Raises OutputError if the page or the SGF files would overwrite an input.

    needed: input files or directories by kind.
    """
    for what, path in needed.items():
        if page and path and is_same_file(page, path):
            raise OutputError(f"page: {page} is the {what}: give another name")
        if sgf and path and _may_overwrite(sgf, path):
            raise OutputError(f"sgf: {sgf} contains the {what}: give another directory")


def _may_overwrite(sgf: Path, needed: Path) -> bool:
    """Returns whether SGF files in a directory may overwrite a file, or files of a directory."""
    if needed.is_dir():
        return is_same_file(sgf, needed)
    return fnmatch(needed.name, GAME_FILES) and is_same_file(sgf, needed.parent)


def begin_log(plan: MatchPlan) -> None:
    """Creates the logs of all engines. Raises OutputError."""
    assert plan.log
    try:
        EngineLog(plan.log).begin(engine.name for engine in plan.engines)
    except OSError as error:
        raise OutputError(f"{error.filename}: {error.strerror}") from None


class OutputFiles:
    """The output files of a match: each game as SGF when it ends; and the page before the first
    game, at intervals, and at the end.
    """

    def __init__(self, plan: MatchPlan, report: Callable[[str], None]) -> None:
        """report: called with errors, which do not end the match."""
        self._plan = plan
        self._report = report
        self._has_begun = False
        self._page: MatchPage | None = None
        self._next_page = 0.0  # of the monotonic clock
        self._unwritten: list[GameRecord] = []  # games without their SGF
        self._failing: set[Callable[[], None]] = set()  # outputs whose last write failed

    def check(self, records: Callable[[], Iterable[GameRecord]]) -> None:
        """Checks that the files can be written, and changes none. records: see begin().

        Raises OutputError.
        """
        if page := self._plan.page:
            with _exporting(page):
                check_output(page)
        if folder := self._plan.sgf:
            with _exporting(folder):
                _check_folder(folder)
            check_sgf(folder, self._plan, records())

    def begin(self, records: Callable[[], Iterable[GameRecord]]) -> None:
        """Writes all files, so that errors occur before the first game.

        records: reads the games of earlier runs. Raises OutputError.
        """
        self._write_sgf(records() if self._plan.sgf else ())
        if self._plan.page:
            self._page = match_page(self._plan, records())
            self._write_page()
        self._has_begun = True

    def add(self, record: GameRecord) -> None:
        """Adds a finished game."""
        if self._page:
            self._page.add(record)
        if self._plan.sgf:
            self._unwritten.append(record)
            self._try(self._write_sgf)
        if self._page and monotonic() >= self._next_page:
            self._try(self._write_page)

    def finish(self) -> None:
        """Writes the pending games, and the page without its refresh, once the match has begun.

        Raises OutputError.
        """
        errors = []
        for write in (self._write_sgf, partial(self._write_page, refresh=0)):
            try:
                if self._has_begun:
                    write()
            except OutputError as error:
                errors.append(str(error))
        if errors:
            raise OutputError("; ".join(errors))

    def _try(self, write: Callable[[], None]) -> None:
        """Writes during the match. Reports an error once, until the next success."""
        try:
            write()
        except OutputError as error:
            if write not in self._failing:
                self._failing.add(write)
                self._report(f"{error}; it will be tried again")
        else:
            self._failing.discard(write)

    def _write_sgf(self, earlier: Iterable[GameRecord] = ()) -> None:
        if self._plan.sgf:
            write_sgf(chain(earlier, self._unwritten), self._plan.sgf)
            self._unwritten.clear()

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


def _check_folder(path: Path) -> None:
    """Checks that files can be written to a directory, which need not exist. Raises OSError."""
    place = next(each for each in (path, *path.parents) if each.exists())
    if not place.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not os.access(place, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


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
    """Turns an OSError into an OutputError with the file's name."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}") from None
