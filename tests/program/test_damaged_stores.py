"""A short form of tests/long/damage.py: randomly damaged stores are shown and repaired."""

import random
from pathlib import Path

import pytest
from damage import Fault, Hunt

from pinchtp.match import repair

STORES = 8
GAMES = 24


@pytest.fixture
def hunt(tmp_path: Path) -> Hunt:
    return Hunt(tmp_path, GAMES, random.Random(3))


def test_most_games_of_damaged_stores_are_saved(hunt: Hunt) -> None:
    for _ in range(STORES):
        hunt.damage(most=3, within=None)
    assert hunt.figures.stores == STORES
    assert hunt.figures.saved >= 0.9 * hunt.figures.games


def test_damaged_header_costs_no_game(hunt: Hunt) -> None:
    for _ in range(STORES):
        hunt.damage(most=1, within=100)
    assert hunt.figures.saved == hunt.figures.games == STORES * GAMES
    assert hunt.figures.unaided == STORES


def test_planted_faults_are_noticed(hunt: Hunt, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(repair, "readable_rows", lambda connection, size: 1 // 0)
        with pytest.raises(Fault, match="ZeroDivisionError"):
            hunt.damage(most=1, within=100)
    with monkeypatch.context() as patched:
        patched.setattr(Hunt, "_repaired", lambda hunt: hunt._path.write_bytes(b"") or [])
        with pytest.raises(Fault, match="the damaged file was changed"):
            hunt.damage(most=1, within=100)
