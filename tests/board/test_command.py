"""Errors of `pinchtp board` before it serves anything."""

from pathlib import Path

import pytest
from clients import run


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--engine", ""], 2, "--engine: the command line is empty"),
        (["--engine", "'open"], 2, "--engine: 'open: No closing quotation"),
        (["--engine", "./no-such x"], 2, "--engine: no program is named './no-such'"),
        (["--data", "{file}"], 1, "{file}: Not a directory"),
        (["--data", "{file}/data"], 1, "{file}/data: Not a directory"),
    ],
)
def test_board_with_an_invalid_option_does_not_start(
    options: list[str], status: int, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    done = run("board", "--port", "0", *(each.format(file=file) for each in options))
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr == f"pinchtp board: {message.format(file=file)}\n"
