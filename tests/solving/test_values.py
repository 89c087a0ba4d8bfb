"""The tables of values, and their stored proofs."""

import json
import lzma
import re
import subprocess
from pathlib import Path

import check_proof
import pytest
import values

RESULTS = values.load()
NIGHTLY_BYTES = 2_000  # of a compressed proof


def marks(path: Path) -> list[pytest.MarkDecorator]:
    return [pytest.mark.nightly] if path.stat().st_size > NIGHTLY_BYTES else []


def test_guide_is_up_to_date() -> None:
    """Otherwise run `python tools/values.py write`."""
    assert values.GUIDE.read_text() == values.guide(RESULTS)


@pytest.fixture
def one_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Only one board is to be solved; returns the folder for results and proofs."""
    monkeypatch.setattr(values, "RESULTS", tmp_path / "values.json")
    monkeypatch.setattr(values, "PROOFS", tmp_path)
    monkeypatch.setattr(values, "BOARDS", {"pinch": [(2, 2)]})
    return tmp_path


def test_board_without_proof_is_not_saved(one_board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "EVERY_MOVE", ["--each"])
    monkeypatch.setattr(
        values, "proof_file", lambda game, size: one_board / "none" / f"{game}-{size}"
    )
    with pytest.raises(subprocess.CalledProcessError):
        values.solve({})
    assert values.load() == {}


@pytest.mark.usefixtures("one_board")
def test_failed_command_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "EVERY_MOVE", ["--no-such-option"])
    with pytest.raises(subprocess.CalledProcessError, match="exit status 2"):
        values.solve({})
    assert values.load() == {}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=marks(path)) for path in sorted(values.PROOFS.iterdir())],
    ids=lambda path: path.name,
)
def test_reference_accepts_kept_proof(path: Path) -> None:
    name = re.fullmatch(r"(.+)-(\d+x\d+)(-\w+)?\.txt\.xz", path.name)
    assert name
    game, size, stone = name.groups()
    text = lzma.decompress(path.read_bytes()).decode()
    check_proof.check(text)
    head = json.loads(text.splitlines()[0])
    assert (head["game"], "x".join(map(str, head["size"]))) == (game, size)
    assert not any(head["rules"].values())
    if stone:
        assert [f"-{each}" for each in head["winners"]] == [stone]
        return
    winners = {"win": "black", "loss": "white"}
    found = RESULTS[f"{game} {size}"]["each"]
    assert head["winners"] == {
        move: winners[value] for move, value in found.items() if value in winners
    }
