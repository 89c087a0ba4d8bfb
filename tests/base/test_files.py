"""Files: bounded reads of regular files, and writes that are forced to disk."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from clients import run
from match_plans import plan

from pinchtp.base.files import check_output, make_directory, read_file, replace_file
from pinchtp.base.options import read_toml
from pinchtp.match.openings import read_openings


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_text_that_names_no_file_is_an_error_of_the_system(name: str) -> None:
    with pytest.raises(OSError, match="name of a file"):
        read_file(name)
    for use in (check_output, lambda name: replace_file(name, b"")):
        with pytest.raises(OSError, match="name of a file"):
            use(name)


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


@pytest.mark.parametrize(("make", "why"), NOT_READ)
def test_toml_that_cannot_be_read_is_refused(
    make: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    make(tmp_path / "file.toml")
    with pytest.raises(OSError, match=why):
        read_toml(tmp_path / "file.toml")


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
def test_program_refuses_unreadable_file(arguments: list[str], tmp_path: Path) -> None:
    """The error names the file, and nothing waits for a writer."""
    path = tmp_path / "file"
    os.mkfifo(path)
    done = run(*(each.format(path) for each in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert str(path) in done.stderr
    assert "not a regular file" in done.stderr
    assert "Traceback" not in done.stderr


def test_output_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    old.touch()
    for path in (old, tmp_path / "new"):
        check_output(path)
    assert [*tmp_path.iterdir()] == [old]
    for path, reason in (
        (tmp_path, "not a regular file"),
        (tmp_path / "none" / "new", "the directory does not exist"),
        (tmp_path / ("x" * 300), "File name too long"),
    ):
        with pytest.raises(OSError, match=reason):
            check_output(path)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    for path in (old, tmp_path / "new"):
        with pytest.raises(PermissionError):
            check_output(path)


def test_file_of_standard_output_is_refused(tmp_path: Path) -> None:
    write = "from pinchtp.base.files import check_output as check; check('/dev/stdout')"
    with (tmp_path / "out").open("wb") as out:
        for where, reason in (
            (out, "standard output or error"),
            (subprocess.PIPE, "not a regular"),
        ):
            done = subprocess.run(
                [sys.executable, "-P", "-c", write],
                check=False,
                stdout=where,
                stderr=subprocess.PIPE,
                text=True,
            )
            assert reason in done.stderr


def test_file_in_place_of_a_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "inside"):
        with pytest.raises(NotADirectoryError, match=path.name):
            make_directory(path)
    for _ in range(2):
        make_directory(tmp_path / "some" / "new", 0o700)
    assert (tmp_path / "some" / "new").stat().st_mode & 0o777 == 0o700


def test_script_may_be_a_stream(tmp_path: Path) -> None:
    """As in `pinchtp <(generator)`."""
    script = tmp_path / "script"
    os.mkfifo(script)
    writer = os.open(script, os.O_RDWR)  # a reader is there, so that nothing waits
    os.write(writer, b"name\nquit\n")
    done = run(str(script))
    os.close(writer)
    assert done.stdout == "= pinchtp\n\n= \n\n"


Calls = list[tuple[str, str]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """What reaches the disk, in order: fsync of a file or folder, by name; replace; unlink."""
    made: Calls = []
    fsync = os.fsync
    replace = os.replace
    unlink = os.unlink

    def forced(descriptor: int) -> None:
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        made.append(("fsync", "temporary" if name.endswith(".tmp") else os.path.basename(name)))
        fsync(descriptor)

    def replaced(old: str, new: str) -> None:
        made.append(("replace", os.path.basename(new)))
        replace(old, new)

    def unlinked(path: str) -> None:
        made.append(("unlink", "temporary"))
        unlink(path)

    monkeypatch.setattr(os, "fsync", forced)
    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(os, "unlink", unlinked)
    return made


def test_replaced_file_is_forced_to_disk(tmp_path: Path, calls: Calls) -> None:
    """Its data before its name, so that a power cut leaves the old text or the new."""
    replace_file(tmp_path / "file", b"text")
    folder = ("fsync", tmp_path.name)
    assert calls == [("fsync", "temporary"), ("replace", "file"), folder]


def test_overwritten_file_is_forced_to_disk_before_its_copy_goes(
    tmp_path: Path, calls: Calls
) -> None:
    path = tmp_path / "file"
    path.touch()
    (tmp_path / "other").hardlink_to(path)
    replace_file(path, b"text")
    folder = ("fsync", tmp_path.name)
    assert calls == [("fsync", "temporary"), folder, ("fsync", "file"), ("unlink", "temporary")]


def test_page_is_not_forced_to_disk(tmp_path: Path, calls: Calls) -> None:
    replace_file(tmp_path / "file", b"text", durable=False)
    assert calls == [("replace", "file")]


def test_failed_fsync_of_a_folder_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on some network file systems."""
    fsync = os.fsync

    def files_only(descriptor: int) -> None:
        if Path(f"/proc/self/fd/{descriptor}").is_dir():
            raise OSError(22, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", files_only)
    replace_file(tmp_path / "file", b"text")
    assert (tmp_path / "file").read_bytes() == b"text"


def test_failed_fsync_keeps_the_old_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "file"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"text")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_byte_order_mark_is_accepted_wherever_text_is_read(tmp_path: Path) -> None:
    """Windows programs write it at the beginning of a text."""
    mark = b"\xef\xbb\xbf"
    for name, text in {
        "options.toml": b"size = 5",
        "game.sgf": b"(;RU[pinch]SZ[5];B[cc])",
        "script.gtp": f"loadsgf {tmp_path / 'game.sgf'}\npinchtp-printboard\n".encode(),
        "openings.txt": b"c3 d4\n",
    }.items():
        (tmp_path / name).write_bytes(mark + text)
    config = f"--config={tmp_path / 'options.toml'}"
    board = "...../...../..X../...../..... w swap-open"
    assert run(config, str(tmp_path / "script.gtp")).stdout == f"= \n\n= {board}\n\n"
    assert run(config, sent=mark + b"1 name\n").stdout == "=1 pinchtp\n\n"
    for name in ("openings.txt", "game.sgf"):
        opening = read_openings(tmp_path / name, plan(size="5"))[0]
        assert opening.moves[0] == "C3"
