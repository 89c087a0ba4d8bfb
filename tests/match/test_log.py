"""Logs of engines' input and output, with any output and on a full disk."""

import shutil
from pathlib import Path
from time import process_time

import pytest
from duels import TWO

from pinchtp.match.command import main
from pinchtp.match.playing.log import LONGEST, RECEIVED, EngineLog, LoggingTranscript


def transcript(folder: Path) -> LoggingTranscript:
    return EngineLog(folder).transcript("a")


def lines(folder: Path) -> list[str]:
    return [line.split(" ", 3)[3] for line in (folder / "a.log").read_text().splitlines()]


def test_partial_and_crlf_lines_are_logged_whole(tmp_path: Path) -> None:
    log = transcript(tmp_path)
    for data in (b"1 %\r2", b" %\r3 %\n", b"", b"4 %\r\n5 %"):
        log.add(RECEIVED, data)
    assert lines(tmp_path) == ["< 1 %", "< 2 %", "< 3 %", "< 4 %"]


def test_endless_line_is_logged_in_pieces(tmp_path: Path) -> None:
    log = transcript(tmp_path)
    began = process_time()
    for _ in range(1000):
        log.add(RECEIVED, b"x" * 1000)
    assert process_time() - began < 5
    found = lines(tmp_path)
    assert len(found) > 100
    assert all(set(line) == set("< x") for line in found)
    assert all(len(line) > LONGEST for line in found)


def test_unwritable_log_is_reported_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = transcript(tmp_path / "logs")
    for _ in range(2):
        shutil.rmtree(tmp_path / "logs")
        (tmp_path / "logs").touch()
        log.add(">", b"name\n")
        log.add(">", b"version\n")
        assert capfd.readouterr().err == (
            f"pinchtp match: {tmp_path}/logs/a.log: Not a directory; the log is incomplete\n"
        )
        (tmp_path / "logs").unlink()
        (tmp_path / "logs").mkdir()
        log.add(">", b"quit\n")
        assert lines(tmp_path / "logs") == ["> quit"]


def test_uncreatable_log_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("logs/b.log").mkdir(parents=True)
    assert main([*TWO, "--games", "2", "--log", "logs"]) == 2
    assert f"{tmp_path}/logs/b.log: Is a directory" in capsys.readouterr().err
