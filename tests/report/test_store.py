"""The store of a report: its contents, and the files it rejects."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pinchtp.base.sqlite import StoreError, StoreWriteError
from pinchtp.report.experiment import UnitResult, WorkUnit
from pinchtp.report.store import ReportStore
from pinchtp.report.subject import ReportSubject

SUBJECT = ReportSubject.of("pinch", (4, 4), visits=10)


def outcome(number: int, name: str = "sleep") -> UnitResult:
    return UnitResult(WorkUnit(name, number), {"found": number}, 1.0)


def test_store_returns_added_units(tmp_path: Path) -> None:
    with ReportStore(tmp_path / "a.db", SUBJECT) as store:
        store.add(outcome(0), 1.5)
        store.add(outcome(1), 2.5)
    with ReportStore(tmp_path / "a.db", SUBJECT) as store:
        assert store.measurements().results("sleep") == {0: {"found": 0}, 1: {"found": 1}}
        assert store.seconds() == 2.5
        store.add(outcome(2), 3)
        assert store.seconds() == 5.5


@pytest.mark.usefixtures("far_west")
def test_store_returns_what_measured(tmp_path: Path) -> None:
    with ReportStore(tmp_path / "a.db", SUBJECT) as store:
        assert store.versions() == store.days() == ()
        for number, version in enumerate(["0.9", "1.0", "0.9"]):
            store.add(replace(outcome(number), version=version, machine=f"m{number}"), 1)
        assert store.versions() == ("0.9", "1.0")
        assert store.machines() == ("m0", "m1", "m2")
        for number, ended in enumerate([1.78e9, 1.7801e9, 1.7802e9]):
            store._connection.execute("UPDATE unit SET ended = ? WHERE number = ?", (ended, number))
        assert store.days() == ("2026-05-28", "2026-05-30")


def test_store_rejects_a_unit_twice(tmp_path: Path) -> None:
    with ReportStore(tmp_path / "a.db", SUBJECT) as store:
        store.add(outcome(0), 1)
        with pytest.raises(StoreWriteError, match="unit 0 of sleep"):
            store.add(outcome(0), 2)
        assert store.seconds() == 1


def test_store_in_use_is_an_error(tmp_path: Path) -> None:
    with ReportStore(tmp_path / "a.db", SUBJECT), pytest.raises(StoreError, match="in use"):
        ReportStore(tmp_path / "a.db", SUBJECT)


def test_store_of_another_subject_is_an_error(tmp_path: Path) -> None:
    ReportStore(tmp_path / "a.db", SUBJECT).close()
    other = ReportSubject.of("pinch", (5, 5), visits=20)
    with pytest.raises(StoreError, match="visits is 10, not 20"):
        ReportStore(tmp_path / "a.db", other)


@pytest.mark.parametrize("content", [b"no database at all, but a text", b"\x00" * 5000])
def test_other_file_is_rejected(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.db").write_bytes(content)
    with pytest.raises(StoreError, match=r"a\.db"):
        ReportStore(tmp_path / "a.db", SUBJECT)
    assert (tmp_path / "a.db").read_bytes() == content


@pytest.mark.parametrize(
    ("damage", "read"),
    [
        ("DELETE FROM subject", ReportStore.close),
        ("UPDATE subject SET subject = '{'", ReportStore.close),
        ("UPDATE subject SET subject = '[]'", ReportStore.close),
        ("UPDATE unit SET data = '{'", ReportStore.measurements),
        ("UPDATE unit SET seconds = 'x'", ReportStore.measurements),
        ("DROP TABLE unit", ReportStore.machines),
        ("DROP TABLE run", ReportStore.seconds),
    ],
)
def test_damaged_store_is_an_error(
    tmp_path: Path, damage: str, read: Callable[[ReportStore], object]
) -> None:
    path = tmp_path / "a.db"
    with ReportStore(path, SUBJECT) as store:
        store.add(outcome(0), 1)
    with sqlite3.connect(path) as connection:
        connection.execute(damage)
    connection.close()
    with (
        pytest.raises(StoreError, match=r"a\.db is damaged: "),
        ReportStore(path, SUBJECT) as store,
    ):
        read(store)


def test_other_database_is_an_error(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        ReportStore(tmp_path / "a.db", SUBJECT)


def test_full_disk_keeps_earlier_units(tmp_path: Path) -> None:
    with ReportStore(tmp_path / "a.db", SUBJECT) as store:
        store.add(outcome(0), 1)
        store._connection.execute("PRAGMA max_page_count = 8")
        with pytest.raises(StoreWriteError, match="full"):
            store.add(UnitResult(WorkUnit("sleep", 1), "x" * 100_000, 1.0), 2)
        assert set(store.measurements().results("sleep")) == {0}
