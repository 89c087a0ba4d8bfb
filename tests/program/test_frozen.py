"""Programs frozen by PyInstaller, which have no Python to start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pinchtp
from pinchtp import cli

ADVICE = "a program frozen by PyInstaller cannot start the Python that this needs"


@pytest.fixture(autouse=True)
def _frozen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "frozen", True, raising=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "--engine", "a=x", "--engine", "b=y", "--games", "2", "--size", "3"],
        ["board", "--no-browser"],
    ],
)
def test_command_that_needs_python_is_refused(
    arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 1
    printed = capfd.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert ADVICE in printed.err
    assert not list(Path().iterdir())


def test_match_from_python_is_refused() -> None:
    with pytest.raises(RuntimeError, match=ADVICE):
        pinchtp.play_match({"a": "x", "b": "y"}, size=3, games=2)


def test_engine_works() -> None:
    with pinchtp.Engine(memory=16) as engine:
        assert engine.play(pinchtp.Game(size=3), visits=5).move
