"""A short form of tests/long/records.py: files and mutations of them are read and written."""

import random

import pytest
from record_games import DATA
from records import Fault, Figures, mutate, try_text

from pinchtp.records.sgf import write

FILES = [path.read_bytes() for path in sorted(DATA.glob("*.sgf"))]


def tried(mutants: int) -> Figures:
    rng = random.Random(50)
    figures = Figures()
    for data in (*FILES, *(mutate(rng.choice(FILES), rng) for _ in range(mutants))):
        try_text(data, figures)
    return figures


@pytest.mark.slow
def test_mutated_files_lose_nothing() -> None:
    figures = tried(300)
    assert figures.texts == len(FILES) + 300
    assert figures.loaded.keys() >= {"pinch", "bushka", "board"}


@pytest.mark.nightly
def test_changed_files_lose_nothing() -> None:
    assert tried(2000).parsed > 500


def test_lost_property_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "_list_preserved", lambda *_: {})
    with pytest.raises(Fault, match=r"pinch lost \('EV', 'Cup'\)"):
        try_text(b"(;SZ[5]RU[pinch]EV[Cup];B[cc])", Figures())
