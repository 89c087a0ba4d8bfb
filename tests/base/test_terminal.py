"""Progress at a terminal."""

import pytest
from terminals import Terminal

from pinchtp.base.terminal import with_progress


def test_with_progress_is_silent_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(with_progress("abc", "letters")) == ["a", "b", "c"]
    assert capfd.readouterr() == ("", "")


def test_bench_shows_its_progress() -> None:
    with Terminal("bench", "--game", "pinch", "--seconds", "0.4", "--json") as terminal:
        terminal.expect(" of 4 boards")
