"""Reading files: bounded, and regular ones only."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from clients import run

from pinchtp.base.files import read_file
from pinchtp.base.options import read_toml


def test_file_within_the_bound_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 200_000)
    assert read_file(path, 200_000) == b"x" * 200_000


def test_file_beyond_the_bound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 2049)
    with pytest.raises(OSError, match="longer than 2 KiB"):
        read_file(path, 2048)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 2 << 30)


NOT_READ: list[tuple[Callable[[Path], None], str]] = [
    (endless, "not a regular file"),
    (os.mkfifo, "not a regular file"),
    (Path.mkdir, "not a regular file"),
    (sparse, "longer than"),
    (lambda path: None, "No such file or directory"),
]
UNREADABLE = pytest.mark.parametrize(("make", "why"), NOT_READ)


@UNREADABLE
def test_toml_that_cannot_be_read_is_refused(
    make: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    make(tmp_path / "file.toml")
    with pytest.raises(OSError, match=why):
        read_toml(tmp_path / "file.toml")


@UNREADABLE
@pytest.mark.parametrize(
    "arguments",
    [
        ["--config={}"],
        ["--network={}"],
        ["match", "{}"],
        ["match", "--engine=a=x", "--engine=b=x", "--openings={}", "--db=:memory:"],
        ["bench", "--compare={}"],
        ["report", "--compare", "{}"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_program_refuses_unreadable_file(
    arguments: list[str], make: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    """In a sentence that names the file, at once."""
    path = tmp_path / "file"
    make(path)
    if arguments[0] == "match" and make is Path.mkdir and "--openings" in arguments[-2]:
        why = "holds no opening"
    done = run(*(each.format(path) for each in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert str(path) in done.stderr
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_script_may_be_a_stream(tmp_path: Path) -> None:
    """As in `pinchtp <(generator)`."""
    script = tmp_path / "script"
    os.mkfifo(script)
    writer = os.open(script, os.O_RDWR)  # a reader is there, so that nothing waits
    os.write(writer, b"name\nquit\n")
    done = run(str(script))
    os.close(writer)
    assert done.stdout == "= pinchtp\n\n= \n\n"
