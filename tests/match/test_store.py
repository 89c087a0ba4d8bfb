"""The store of a match: games are in it once, whole, and of one match."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from match_records import random_records, record
from msgspec import structs

from pinchtp.base.sqlite import StoreError
from pinchtp.games import Color
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import (
    EngineIdentity,
    GameRecord,
    MoveRecord,
    Opening,
    Termination,
    Violation,
)
from pinchtp.match.results.store import IN_MEMORY, MatchStore, PlayedAlready
from pinchtp.match.runner import Schedule

PLAN = MatchPlan(
    (EngineConfig("one", "./one"), EngineConfig("two", "./two")), (Opening("o", ("D4",)),), games=10
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.db"


def full(number: int = 0, **changes: object) -> GameRecord:
    """Returns a record with every field set."""
    made = structs.replace(
        record(number, winner=Color.WHITE, termination=Termination.DIED, failed=Color.BLACK),
        moves=(MoveRecord(Color.BLACK, "D4", book=True), MoveRecord(Color.WHITE, "E5", 0.25, 0.5)),
        identities={
            Color.BLACK: EngineIdentity("One", "1.0", "./one", "ab"),
            Color.WHITE: EngineIdentity("T", "", "x"),
        },
        detail="one (black) ended",
        started=1e9,
        seconds=2.5,
        overhead=0.001,
        machine="here",
        stderr="oops \u00e9\n",
        transcript="> genmove b\n",
        sgf="(;B[aa])",
        faults=(
            Violation(Color.WHITE, Termination.SCORE),
            Violation(Color.BLACK, Termination.DIED),
        ),
        **changes,
    )
    return structs.replace(made, game=structs.replace(made.game, opening=Opening("o", ("D4",))))


def test_records_survive_storage(path: Path) -> None:
    records = [full(3), *random_records(("one", "two"), 2, seed=1)]
    with MatchStore.begin(path, PLAN) as store:
        for each in records:
            store.add(each)
        assert list(store.records()) == records
    with MatchStore.open(path) as store:
        assert list(store.records()) == records
        assert store.plan() == PLAN


def test_reading_encodes_no_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with MatchStore.begin(path, PLAN) as store:
        store.add(full())
        monkeypatch.setattr(msgspec.json, "encode", None)
        assert list(store.records()) == [full()]


def test_unknown_field_counts_as_damage(path: Path) -> None:
    with MatchStore.begin(path, PLAN) as store:
        store.add(full())
        store._connection.execute("UPDATE game SET record = replace(record, 'seconds', 'secondt')")
        with pytest.raises(StoreError, match="unknown field `secondt`"):
            list(store.records())


def test_only_void_games_are_replayed(path: Path) -> None:
    void = record(4, winner=None, termination=Termination.DISAGREED)
    again = structs.replace(void, game=structs.replace(void.game, attempt=1))
    done = structs.replace(record(4), game=structs.replace(void.game, attempt=2))
    more = structs.replace(done, game=structs.replace(void.game, attempt=3))
    with MatchStore.begin(path, PLAN) as store:
        for each in (void, again, done):
            store.add(each)
        for each in (done, more, again):
            with pytest.raises(PlayedAlready, match="game 5 already has a result"):
                store.add(each)
        assert store.finished() == {("one", "two", 4)}
        assert store.attempts() == {("one", "two", 4): (2, 5)}
        assert len(list(store.records())) == 3


def test_invalid_text_is_escaped_and_stored(path: Path) -> None:
    said = b"\xff\0broken".decode("utf-8", "surrogateescape")
    with MatchStore.begin(path, PLAN) as store:
        store.add(structs.replace(full(), stderr=said, transcript=said))
        (back,) = store.records()
    assert back.stderr == "\\udcff\0broken"


def test_readers_see_a_match_that_is_being_played(path: Path) -> None:
    with MatchStore.begin(path, PLAN) as writer, MatchStore.open(path) as reader:
        assert list(reader.records()) == []
        writer.add(record(0))
        assert len(list(reader.records())) == 1


def test_reader_changes_no_file(path: Path) -> None:
    with MatchStore.begin(path, PLAN) as store:
        store.add(record(0))
    before = path.read_bytes()
    with MatchStore.open(path) as store:
        assert len(list(store.records())) == 1
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_resumed_match_may_be_longer(path: Path) -> None:
    with MatchStore.begin(path, PLAN) as store:
        store.add(record(0))
    with MatchStore.begin(path, replace(PLAN, games=20, jobs=2)) as store:
        assert store.finished() == {("one", "two", 0)}
        with MatchStore.open(path) as reader:  # continuing may still fail
            assert (reader.plan().games, store.plan().games) == (10, 20)
        store.save_plan()
    with MatchStore.open(path) as store:
        assert store.plan().games == 20


def test_games_and_engines_are_added_without_renumbering(path: Path) -> None:
    with MatchStore.begin(path, PLAN) as store:
        for number in range(10):
            black, white = ("one", "two") if number % 2 == 0 else ("two", "one")
            store.add(record(number, black, white))
        before = list(store.records())
    three = replace(PLAN, engines=(*PLAN.engines, EngineConfig("three", "./three")), games=4)
    for plan, left in ((replace(PLAN, games=4), 0), (three, 8), (replace(three, games=12), 26)):
        with MatchStore.begin(path, plan) as store:
            games = [game for game in Schedule(store.plan()) if game.key not in store.finished()]
            assert len(games) == left
            assert list(store.records()) == before
            store.save_plan()


def test_store_of_another_match_is_rejected(path: Path) -> None:
    with MatchStore.begin(path, PLAN) as store:
        store.add(record(0))
    other = replace(PLAN, seed=3, referee=False)
    with pytest.raises(StoreError) as error:
        MatchStore.begin(path, other)
    assert str(error.value).startswith(f"{path} holds another match: referee is false, not true; ")
    assert "seed is 3, not 0" in str(error.value)
    assert "another database" in str(error.value)
    with MatchStore.begin(path, PLAN) as store:  # and it is not in use, nor changed
        assert store.finished() == {("one", "two", 0)}


def test_match_without_games_is_restarted(path: Path) -> None:
    """So that a mistake that shows before the first game can be mended."""
    MatchStore.begin(path, PLAN).close()
    with MatchStore.begin(path, replace(PLAN, seed=3)) as store:
        assert store.plan().seed == 3


def test_store_admits_one_runner(path: Path) -> None:
    with (
        MatchStore.begin(path, PLAN),
        pytest.raises(StoreError, match="is being played by another runner"),
    ):
        MatchStore.begin(path, PLAN)
    MatchStore.begin(path, PLAN).close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_symlinked_store_admits_one_runner(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path.name)
    with (
        MatchStore.begin(path, PLAN),
        pytest.raises(StoreError, match=r"link.db is being played by another runner"),
    ):
        MatchStore.begin(link, PLAN)
    with MatchStore.begin(link, PLAN) as store:
        store.add(record(0))
    with MatchStore.open(path) as store:
        assert store.finished() == {("one", "two", 0)}
    assert {each.name for each in path.parent.iterdir()} == {path.name, link.name}


def test_killed_runner_leaves_no_lock(path: Path) -> None:
    code = f"""
import os, signal
from pathlib import Path
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.runner import Schedule
from pinchtp.match.results.store import MatchStore
engines = EngineConfig("one", "x"), EngineConfig("two", "y")
store = MatchStore.begin({str(path)!r}, MatchPlan(engines))
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == -9
    MatchStore.begin(path, PLAN).close()


def test_stores_in_memory_are_separate() -> None:
    with MatchStore.begin(IN_MEMORY, PLAN) as store, MatchStore.begin(IN_MEMORY, PLAN) as other:
        store.add(record(0))
        assert other.finished() == set()
    assert not IN_MEMORY.exists()


# --- other files


def foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE game (x)")
    connection.commit()
    connection.close()


def of_the_future(path: Path) -> None:
    MatchStore.begin(path, PLAN).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def text(path: Path) -> None:
    path.write_text("just some text, which is longer than the header of a database is" * 10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (foreign, "is a database of another program"),
        (of_the_future, "has schema 99, this pinchtp reads 3"),
        (text, "is not a match database: file is not a database"),
        (Path.mkdir, "match.db"),
    ],
)
def test_other_file_is_refused_unchanged(make: object, message: str, path: Path) -> None:
    assert callable(make)
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    for use in (lambda: MatchStore.open(path), lambda: MatchStore.begin(path, PLAN)):
        with pytest.raises(StoreError) as error:
            use()
        assert str(path) in str(error.value)
        assert message in str(error.value)
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_missing_store_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such file"):
        MatchStore.open(path)
    with pytest.raises(StoreError, match="No such file"):
        MatchStore.begin(tmp_path / "no" / "match.db", PLAN)
    path.touch()
    with pytest.raises(StoreError, match="is empty: no match has started"):
        MatchStore.open(path)


def test_copy_of_the_file_alone_has_all_games(path: Path) -> None:
    """Even a running or a killed match."""
    copy = path.with_name("copy.db")
    with MatchStore.begin(path, PLAN) as store:
        for number in range(3):
            store.add(record(number))
            copy.write_bytes(path.read_bytes())
            with MatchStore.open(copy) as copied:
                assert len(list(copied.records())) == number + 1


def test_game_is_forced_to_disk_when_it_ends(path: Path) -> None:
    """FULL syncs each transaction; with NORMAL a power cut could lose the latest ones."""
    full = 2
    for _ in ("started", "continued"):
        with MatchStore.begin(path, PLAN) as store:
            connection = store._connection
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA synchronous").fetchone() == (full,)
