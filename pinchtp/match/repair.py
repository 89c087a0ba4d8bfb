"""Repair of a damaged store: copies all readable games to a new one.

SQLite reads them from a copy of the store with the first page of a new store. That page contains
the header and the schema, which are equal in all stores, so damage to it loses nothing. SQLite then
reads all intact pages: https://sqlite.org/fileformat2.html
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pinchtp.base.command_line import Parser
from pinchtp.base.console import print_text
from pinchtp.base.process import ExitStatus
from pinchtp.base.sqlite import StoreError
from pinchtp.base.text import count
from pinchtp.match.plan import MOST_GAMES, MatchPlan, PlanError
from pinchtp.match.plan_file import PlanBuilder
from pinchtp.match.record import GameRecord, ScheduledGame
from pinchtp.match.results.store import (
    FREE_TEXTS,
    MatchStore,
    PlayedAlready,
    create_tables,
    read_plan,
    record_of,
)
from pinchtp.match.results.store_file import DAMAGE, connect_to_copy, opening, remove, size_of
from pinchtp.match.runner import Schedule


@dataclass(frozen=True)
class Repair:
    """The result of a repair. games: attempts in the new store. lost: minimum of lost attempts."""

    games: int
    lost: int


def repair(damaged: Path, repaired: Path, plan: MatchPlan | None = None) -> Repair:
    """Copies the plan and every readable game of a store to a new one, which can be resumed.

    Lost games are replayed when the match is resumed. plan: replaces the plan in the store. Raises
    StoreError if the file is not a store, if its plan cannot be read and none is given, if it has
    games but none of this match, or if the new file cannot be written.
    """
    try:
        repaired.open("xb").close()
    except FileExistsError:
        raise StoreError(f"{repaired} already exists: give another name with --to") from None
    except OSError as error:
        raise StoreError(f"{repaired}: {error.strerror}") from None
    try:
        with opening(damaged) as resources:
            old = connect_to_restored(damaged, resources)
            plan = plan or _plan(damaged, old)
            games = failed = 0
            with MatchStore.begin(repaired, plan) as new:
                for record in _records(old, plan, size_of(damaged)):
                    if record and _add(new, record):
                        games += 1
                    else:
                        failed += 1
            lost = max(failed, (games_held(old) or 0) - games)
        if lost and not games:
            raise StoreError(
                f"{damaged}: none of {lost} games belongs to this match: give the right match file"
            )
    except BaseException:
        remove(repaired)
        raise
    return Repair(games, lost)


def _plan(path: Path, connection: sqlite3.Connection) -> MatchPlan:
    with suppress(StoreError, *DAMAGE):
        return read_plan(connection)
    raise StoreError(
        f"{path}: the plan of the match cannot be read, and games cannot be saved without it: give "
        "the match file too"
    )


def _records(
    connection: sqlite3.Connection, plan: MatchPlan, size: int
) -> Iterator[GameRecord | None]:
    """Yields the games; None for rows that are not games of the plan. size: of the store, bytes."""
    schedule = Schedule(plan)
    names = {engine.name for engine in plan.engines}
    for row in readable_rows(connection, size):
        record = None
        with suppress(*DAMAGE):
            record = record_of(row, names) if row else None
        yield record if record and _is_scheduled(record.game, schedule) else None


def _is_scheduled(game: ScheduledGame, schedule: Schedule) -> bool:
    """Returns whether a game belongs to the match, which may have been extended.

    The names of openings may have changed.
    """
    if game.pairing not in schedule.pairings or not 0 <= game.number < MOST_GAMES:
        return False
    return schedule.game(game.pairing, game.number).opening.moves == game.opening.moves


def _add(store: MatchStore, record: GameRecord) -> bool:
    """Adds a game; returns False if it is already in the store."""
    try:
        store.add(record)
    except PlayedAlready:
        return False
    return True


PAGE_SIZES = (4096, 512, 1024, 2048, 8192, 16384, 32768, 65536)  # bytes; SQLite's default first
PAGE_COUNT = slice(28, 32)  # bytes of the header; 0: SQLite takes it from the size of the file
UNREADABLE = "\N{REPLACEMENT CHARACTER}"
LEAST_ROW = 64  # minimum bytes of a game without moves
ROWS_FROM = "SELECT * FROM game WHERE rowid >= ? ORDER BY rowid"  # they are numbered from 1


def connect_to_restored(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Returns a connection to a copy of a damaged store with an intact header and schema.

    UNREADABLE replaces invalid UTF-8 in texts. resources: close and remove the copy. Raises
    StoreError if no page size gives a match, and OSError.
    """
    for page_size in PAGE_SIZES:
        with ExitStack() as opened:
            connection = connect_to_copy(path, opened, _first_page(page_size))
            connection.text_factory = lambda data: data.decode(errors="replace")
            if _holds_match(connection):
                resources.push(opened.pop_all())
                return connection
    raise StoreError(f"{path}: no match can be read from this file")


def readable_rows(connection: sqlite3.Connection, size: int) -> Iterator[sqlite3.Row | None]:
    """Yields the rows of all games, in the order of play; None for a damaged one.

    size: of the store in bytes.
    """
    most = size // LEAST_ROW
    place = 1
    last = min(games_held(connection) or most, most)
    while place <= last:
        try:
            rows = connection.execute(ROWS_FROM, (place,))
            rows.row_factory = sqlite3.Row
            for row in rows:
                place += 1
                yield row if _is_intact(row) else None
            return
        except DAMAGE:  # in this row, or on the path to it
            place += 1
            yield None


def games_held(connection: sqlite3.Connection) -> int | None:
    """Returns the number of games before the damage; None if it cannot be read."""
    for question in (
        "SELECT count(*) FROM game INDEXED BY sqlite_autoindex_game_1",
        "SELECT max(rowid) FROM game",
    ):
        with suppress(*DAMAGE):
            (games,) = connection.execute(question).fetchone()
            return games or 0
    return None


def _is_intact(row: sqlite3.Row) -> bool:
    """Returns whether no text, except FREE_TEXTS, has damaged bytes."""
    return not any(
        isinstance(value, str) and UNREADABLE in value
        for column, value in zip(row.keys(), row, strict=True)
        if column not in FREE_TEXTS
    )


def _holds_match(connection: sqlite3.Connection) -> bool:
    """Returns whether the file has a plan or a game, both of which are JSON."""
    for question in ("SELECT plan FROM match", "SELECT record FROM game"):
        with suppress(*DAMAGE):
            (text,) = connection.execute(question).fetchone()
            if text.startswith(("{", "[")):
                return True
    return False


def _first_page(page_size: int) -> bytes:
    """Returns the first page of a new store. page_size: bytes."""
    with TemporaryDirectory(prefix="pinchtp-") as folder:
        path = Path(folder) / "new.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA page_size = {page_size}")
            create_tables(connection)
            connection.commit()
        page = bytearray(path.read_bytes()[:page_size])
    page[PAGE_COUNT] = bytes(4)
    return bytes(page)


# --- the command

REPAIR = "repair"

HELP = "saves the games of a damaged match database"

DESCRIPTION = """\
Copies every readable game of a damaged database to a new one, which can be resumed. The damaged
file is not changed."""

EPILOG = """\
examples:
  pinchtp match repair match.db                  writes match-repaired.db
  pinchtp match repair match.db --to other.db
  pinchtp match repair match.db match.toml       if the stored plan is damaged too

exit status:
  0  all games were saved
  1  some games were lost; they are replayed when the match is resumed
  2  invalid command line, or no game could be saved
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    options = make_parser().parse_args(arguments)
    try:
        saved, target = _repair(options)
    except (StoreError, PlanError, OSError) as error:
        print_text(f"pinchtp match repair: {error}", sys.stderr)
        return ExitStatus.WRONG_USE
    print_text(f"{count(saved.games, 'game')} saved in {target}")
    if saved.lost:
        print_text(f"{count(saved.lost, 'game')} lost; `sqlite3 .recover` may find more")
    return ExitStatus.FAILURE if saved.lost else ExitStatus.SUCCESS


def _repair(options: argparse.Namespace) -> tuple[Repair, Path]:
    """Returns the result and the new file. Raises StoreError, PlanError and OSError."""
    db: Path = options.db
    if not db.is_file():
        raise StoreError(f"{db}: no such file")
    target = options.to or db.with_stem(f"{db.stem}-repaired")
    plan = None
    if options.file:
        draft = PlanBuilder()
        draft.load(options.file)
        plan = draft.plan()
    return repair(db, target, plan), target


def make_parser() -> Parser:
    parser = Parser(
        prog="pinchtp match repair",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("db", type=Path, metavar="DB", help="the damaged database")
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="the match file, if the stored plan is damaged too",
    )
    parser.add_argument("--to", type=Path, metavar="FILE", help="the new database")
    return parser
