"""`pinchtp analysis`: end of input, signals, errors that end it."""

import errno
import json
import signal
import subprocess
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from analysis.program import LONG, SMALL, KeptAnswers, Live, run
from clients import PATIENCE, PROGRAM, bounded

from pinchtp.analysis import output
from pinchtp.analysis.engine import AnalysisEngine
from pinchtp.analysis.output import AnswerWriter
from pinchtp.analysis.queries import read_query
from pinchtp.engine import evaluator
from pinchtp.player.settings import Settings


def test_end_of_the_reader_ends_the_searches() -> None:
    query = b'{"id": "x", "maxVisits": 2000, "boardXSize": 9, "boardYSize": 9}\n'
    with subprocess.Popen(
        [*PROGRAM, "analysis"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(query * 5000)  # minutes of searches
        program.stdin.close()
        with bounded(program):
            assert program.stdout.readline()
        program.stdout.close()
        assert program.wait(PATIENCE) == 0


def test_search_ends_when_the_client_is_gone() -> None:
    program = Live()
    assert program.process.stdin is not None
    assert program.process.stdout is not None
    program.send(id="a", **LONG, reportDuringSearchEvery=0.01)
    program.receive()
    program.send(id="b", **LONG)
    program.process.stdin.close()
    program.process.stdout.close()
    assert program.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("interval", [0, 0.005])
def test_interrupt_ends_it_with_a_full_pipe(interval: float) -> None:
    program = Live()
    assert program.process.stdin is not None
    assert program.process.stdout is not None
    program.send(id="a", **LONG, reportDuringSearchEvery=0.01)
    program.receive()
    for _ in range(300):  # more answers than a pipe holds
        program.send(id="m", action="query_models")
    time.sleep(0.5)
    program.process.send_signal(signal.SIGINT)
    time.sleep(interval)
    program.process.send_signal(signal.SIGINT)
    assert program.process.wait(10) == 130
    program.process.stdin.close()
    program.process.stdout.close()


def test_full_disk_is_reported() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("Linux has a disk that is always full")
    queries = "".join(json.dumps({"id": str(n), **SMALL}) + "\n" for n in range(500))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "analysis"],
            input=queries,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "pinchtp: standard output: No space left on device\n"


def test_full_disk_ends_a_full_queue(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(evaluator, "MOST_WAITING", 3)
    monkeypatch.setattr(output, "write", fail)
    writer = AnswerWriter()
    engine = AnalysisEngine(Settings(), 2, writer)
    adding = Thread(
        target=engine.add, args=[read_query({"id": "a", "analyzeTurns": [0] * 500}, "pinch")]
    )
    adding.start()
    adding.join(PATIENCE)
    assert not adding.is_alive()
    engine.close(finish=True)
    assert writer.status == 1
    assert capfd.readouterr().err.count("No space left") == 1


def test_answer_without_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cramped(KeptAnswers):
        def send(self, answer: dict[str, Any]) -> None:
            if "moveInfos" in answer or (answer["id"] == "b" and self.sent):
                raise MemoryError
            super().send(answer)

    kept = Cramped()
    engine = AnalysisEngine(Settings(), 1, kept)
    for name in "ab":
        engine.add(read_query({"id": name, **SMALL}, "pinch"))
    engine.close(finish=True)
    assert kept.sent == [{"error": "out of memory", "id": "a", "turnNumber": 0}]
    assert kept.status == 1  # the answer to b was lost


def test_thread_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unstarted(Thread):
        def start(self) -> None:
            if self.name == "evaluator-1":
                raise RuntimeError("can't start new thread")
            super().start()

    monkeypatch.setattr(evaluator, "Thread", Unstarted)
    with pytest.raises(ValueError, match="cannot start 2 threads, only 1; give fewer --jobs"):
        AnalysisEngine(Settings(), 2, AnswerWriter())


def test_quit_without_waiting_drops_the_queue() -> None:
    found = run(
        *({"id": "x", "boardXSize": 19, "boardYSize": 19, "maxVisits": 10**8} for _ in range(5)),
        options=("--quit-without-waiting", "--jobs", "1"),
    )
    assert len(found) == 5
    assert sum(each.get("noResults", False) for each in found) >= 4
