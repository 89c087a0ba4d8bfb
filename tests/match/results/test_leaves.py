"""Rows found without SQLite are those that SQLite finds."""

from __future__ import annotations

import random
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pinchtp.match.results.leaves import Leaves

MANY = 400


def values(rng: random.Random) -> tuple[Any, ...]:
    """One of every kind, and of every length."""
    size = rng.choice((0, 1, 50, 480, 4000, 70_000))
    return (
        rng.choice((0, 1, -1)),
        rng.randrange(-(2**63), 2**63) >> rng.randrange(64),
        rng.choice((0.5, -1e300, float("inf"))),
        None,
        "".join(rng.choices("xé漢😀", k=size // 3)),
        rng.randbytes(size),
    )


@pytest.mark.parametrize("page", [512, 1024, 4096, 65536])
def test_what_sqlite_finds_is_found(tmp_path: Path, page: int) -> None:
    rng = random.Random(page)
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute(f"PRAGMA page_size = {page}")
    connection.execute("CREATE TABLE t (a, b, c, d, e, f)")
    numbers = [1, 2**40, 2**63 - 1, *rng.sample(range(2, 10**6), MANY)]
    rows = {number: values(rng) for number in numbers}
    connection.executemany(
        "INSERT INTO t (rowid, a, b, c, d, e, f) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(number, *row) for number, row in rows.items()],
    )
    connection.commit()
    connection.close()
    leaves = Leaves((tmp_path / "x.db").read_bytes())
    places = dict(leaves.rows())
    kinds = [type(value) for value in leaves.read(places[2**40])]
    assert kinds == [int, int, float, type(None), str, bytes]
    found = {number: tuple(leaves.read(place)) for number, place in places.items()}
    assert {number: row for number, row in found.items() if len(row) == 6} == rows


@pytest.mark.parametrize("seed", range(20))
def test_nonsense_raises_nothing_else_and_ends(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("CREATE TABLE t (a, b, c, d, e, f)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", [values(rng) for _ in "123"])
    connection.commit()
    connection.close()
    data = bytearray((tmp_path / "x.db").read_bytes())
    for _ in range(2 ** (seed % 12)):
        data[rng.randrange(100, len(data))] = rng.randrange(256)
    leaves = Leaves(bytes(data[: rng.randrange(100, len(data))]))
    for _, place in leaves.rows():
        with suppress(ValueError):
            leaves.read(place)


def test_what_is_no_file_of_sqlite() -> None:
    for data in (b"", b"x" * 50, bytes(4096)):
        with pytest.raises(ValueError, match="pages of"):
            Leaves(data)
