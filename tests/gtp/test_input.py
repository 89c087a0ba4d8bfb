"""Command lines read from a descriptor in pieces of any size."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest
from clients import PATIENCE

from pinchtp.gtp import input as gtp_input
from pinchtp.gtp.input import (
    LINE_COST,
    MAX_LINE,
    MAX_WAITING,
    TOO_LONG,
    InputReader,
    ScriptInput,
    write_text,
)

SMALL = 100  # stands for MAX_LINE where it matters


class Pipe:
    """A pipe and its reader of lines."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        self.answers, self.answer_reader = os.pipe()[::-1]
        self.lines = InputReader(self.reading, self.answers)

    def send(self, data: bytes) -> None:
        os.write(self.writing, data)

    def close(self) -> None:
        os.close(self.writing)
        self.writing = -1

    def close_answers(self) -> None:
        """Closes the reading end of the answers."""
        os.close(self.answer_reader)
        self.answer_reader = -1


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    for each in (made.reading, made.writing, made.answers, made.answer_reader):
        if each >= 0:
            os.close(each)


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        (b"a" * SMALL, "a" * SMALL),
        (b"a" * SMALL + b"\n", "a" * SMALL),
        (b"a" * (SMALL + 1), TOO_LONG),
        (b"a" * (SMALL + 1) + b"\n", TOO_LONG),
    ],
)
@pytest.mark.parametrize("chunk", [1, 2 * SMALL])
def test_longer_line_is_too_long(
    sent: bytes, line: str, chunk: int, pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces of any size."""
    monkeypatch.setattr(gtp_input, "MAX_LINE", SMALL)
    monkeypatch.setattr(gtp_input, "CHUNK", chunk)
    pipe.send(sent)
    pipe.close()
    assert list(pipe.lines) == [line]


def test_line_after_overlong_line_is_read(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most one line's size is stored, and a short line after it is separate."""
    monkeypatch.setattr(gtp_input, "MAX_LINE", SMALL)
    monkeypatch.setattr(gtp_input, "CHUNK", SMALL // 2)
    pipe.send(b"a" * 10 * SMALL + b"name\nversion\n" + b"b" * (SMALL + 50))
    pipe.close()
    assert list(pipe.lines) == [TOO_LONG, "version", TOO_LONG]


def test_incomplete_overlong_line_is_too_long(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its first byte beyond the limit, though its end comes later."""
    monkeypatch.setattr(gtp_input, "MAX_LINE", SMALL)
    pipe.send(b"a" * SMALL)
    assert pipe.lines.is_waiting() is False
    pipe.send(b"a")
    assert pipe.lines.is_waiting() is False
    pipe.send(b"b\nname\n")
    assert [next(pipe.lines), next(pipe.lines)] == [TOO_LONG, "name"]


def test_complete_line_is_waiting(pipe: Pipe) -> None:
    assert pipe.lines.is_waiting() is False
    for part in (b"name", b" " * 1100, b"#" * 1100):
        pipe.send(part)
        assert pipe.lines.is_waiting() is False
    pipe.send(b"\n")
    assert pipe.lines.is_waiting() is True
    assert next(pipe.lines) == "name" + " " * 1100 + "#" * 1100
    assert pipe.lines.is_waiting() is False


def test_empty_line_and_end_are_waiting(pipe: Pipe) -> None:
    pipe.send(b"\n")
    assert pipe.lines.is_waiting() is True
    assert next(pipe.lines) == ""
    pipe.close()
    assert pipe.lines.is_waiting() is True
    assert list(pipe.lines) == []


@pytest.mark.parametrize("line", [b"# interrupt", b"#interrupt", b"\t# \x01 interrupt \r"])
def test_interrupt_lasts_until_its_line_is_read(line: bytes, pipe: Pipe) -> None:
    pipe.send(b"name\n" + line + b"\nversion\n")
    assert next(pipe.lines) == "name"
    assert pipe.lines.is_interrupted() is True
    assert pipe.lines.is_interrupted() is True
    next(pipe.lines)
    assert pipe.lines.is_interrupted() is False
    assert next(pipe.lines) == "version"
    assert pipe.lines.is_interrupted() is False


def test_interrupts_are_counted_separately(pipe: Pipe) -> None:
    pipe.send(b"# interrupt\n# interrupt\n")
    assert pipe.lines.is_interrupted() is True
    next(pipe.lines)
    assert pipe.lines.is_interrupted() is True
    next(pipe.lines)
    assert pipe.lines.is_interrupted() is False


@pytest.mark.parametrize("line", [b"interrupt", b"# interrupts", b"a # interrupt", b"## interrupt"])
def test_other_lines_do_not_interrupt(line: bytes, pipe: Pipe) -> None:
    pipe.send(line + b"\n")
    assert pipe.lines.is_waiting() is True
    assert pipe.lines.is_interrupted() is False


def test_overlong_line_is_not_stored(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gtp_input, "MAX_LINE", SMALL)
    for part in (60, 60, 500, 500):
        pipe.send(b"a" * part)
        assert pipe.lines.is_waiting() is False
        assert len(pipe.lines._begun) <= SMALL
    pipe.send(b"\nname\n")
    assert [next(pipe.lines), next(pipe.lines)] == [TOO_LONG, "name"]


def test_closed_output_interrupts(pipe: Pipe) -> None:
    alone = ScriptInput(pipe.answers)
    assert (pipe.lines.is_interrupted(), alone.is_interrupted()) == (False, False)
    pipe.close_answers()
    assert (pipe.lines.is_interrupted(), alone.is_interrupted()) == (True, True)
    assert not ScriptInput().is_interrupted()
    assert (alone.is_waiting(), alone.is_cancelled()) == (True, False)
    assert InputReader(pipe.reading).is_interrupted() is False


@pytest.mark.parametrize("beyond", [0, 1])  # bytes of the third line
def test_read_ahead_is_bounded(beyond: int, pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line counts its bytes and what an empty one takes, until it is read."""
    for _ in range(20):
        pipe.send(b"c" * (LINE_COST + 6) + b"\n")
        next(pipe.lines)
    monkeypatch.setattr(pipe.lines, "_buffer", bytearray(1))
    monkeypatch.setattr(gtp_input, "MAX_WAITING", 3 * (LINE_COST + 1) - beyond)
    pipe.send(b"a\nb\nc\n# interrupt\n")
    for _ in range(40):
        assert pipe.lines.is_interrupted() is False
    assert next(pipe.lines) == "a"
    for _ in range(40):
        interrupted = pipe.lines.is_interrupted()
    assert interrupted
    assert [next(pipe.lines) for _ in range(3)] == ["b", "c", "# interrupt"]


def test_limits_are_those_of_protocol_md() -> None:
    """A megabyte per line, and for waiting lines, as in protocol.md."""
    assert (MAX_LINE, MAX_WAITING) == (1 << 20, 1 << 20)


def test_signals_lose_no_output(pipe: Pipe) -> None:
    """Each interrupts the writing or reading of a part (EINTR), and nothing is lost."""
    text = "".join(f"= {number}\n" for number in range(30_000))
    caught = []
    usual = signal.signal(signal.SIGALRM, lambda *about: caught.append(about))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    reader = InputReader(pipe.reading)
    lines: list[str] = []
    receiver = threading.Thread(target=lambda: lines.extend(reader))
    try:
        receiver.start()
        write_text(pipe.writing, text)
        pipe.close()
        receiver.join(PATIENCE)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    assert "".join(line + "\n" for line in lines) == text
    assert caught
