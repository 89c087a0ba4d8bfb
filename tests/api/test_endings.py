"""Engines as programs, threads and processes end, and as the collector finds them."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from clients import PATIENCE, PROGRAM

import pinchtp

START = f"""
import atexit, os, sys, threading, time, pinchtp
game = pinchtp.Game(size=7)
engine = pinchtp.Engine(memory=16)
foreign = lambda: pinchtp.Engine.popen({PROGRAM!r})
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    """Runs a Python program that must not hang."""
    return subprocess.run(
        [sys.executable, "-P", "-c", START + script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    "call",
    [
        "engine.play(game, time=60)",
        "engine.analyse(game, time=60)",
        "engine.analysis(game).wait()",
        "[engine.play(game, visits=2) for _ in range(10**9)]",
        "pinchtp.solve(game)",
        "foreign().play(game, time=60)",
    ],
)
def test_program_ends_during_call_of_daemon_thread(call: str) -> None:
    done = run(f"threading.Thread(target=lambda: {call}, daemon=True).start(); time.sleep(0.2)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_engine_works_until_the_very_end() -> None:
    """Exit handlers registered before the core was loaded are called after its end."""
    done = run("atexit.register(lambda: print(engine.play(game, visits=5).move))")
    assert done.stdout.strip() in pinchtp.Game(size=7).legal_moves
    script = "import atexit\natexit.register(lambda: print(engine.play(game, visits=5).move))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script + START], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in pinchtp.Game(size=7).legal_moves


def test_collector_may_find_analysis_on_any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even on the thread of a second analysis, which the collected one waits for."""
    game = pinchtp.Game(size=5)
    collected = []
    of = pinchtp.Analysis.of
    with pinchtp.Engine(memory=16) as engine:

        def collect(*arguments: Any) -> pinchtp.Analysis | None:
            if not collected:
                knot: list[Any] = [engine.analysis(game)]
                knot.append(knot)
                del knot
                collected.append(gc.collect())
            return of(*arguments)

        monkeypatch.setattr(pinchtp.Analysis, "of", collect)
        stream = engine.analysis(game, visits=200, interval=0.01)
        stream._feed.thread.join(20)  # type: ignore[union-attr]
        assert stream.is_over
        assert collected


CHILD = """
engines = [engine, foreign()]
streams = [each.analysis(game, interval=0.01) for each in engines]
for each in streams:
    next(each)
pid = os.fork()
if not pid:
    for each, stream in zip(engines, streams):
        calls = each.play, each.analyse, each.analysis, lambda game: next(stream)
        for call in calls:
            try:
                call(game)
            except pinchtp.EngineError as error:
                assert "create one in this child" in str(error), error
            else:
                raise AssertionError(call)
        stream.stop()
        each.close()
    assert pinchtp.Engine(memory=16).play(game, visits=5).move in game.legal_moves
    assert pinchtp.solve(pinchtp.Game(size=3, pie=False)).value == "win"
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
for each, stream in zip(engines, streams):
    next(stream)
    assert each.play(game, visits=5).move in game.legal_moves
    each.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")
def test_forked_child_gets_an_error_and_ends() -> None:
    done = run(CHILD)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("method", ["play", "analyse"])
def test_close_ends_calls_of_other_threads(method: str) -> None:
    engine = pinchtp.Engine(memory=16)
    game = pinchtp.Game(size=7)
    raised = []

    def work() -> None:
        try:
            getattr(engine, method)(game, time=60)
        except pinchtp.EngineClosed as error:
            raised.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    began = time.monotonic()
    engine.close()
    for thread in threads:
        thread.join(PATIENCE)
    assert time.monotonic() - began < 5
    assert raised == ["the engine is closed"] * 3


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs setitimer()")
@pytest.mark.parametrize("is_closed", [True, False])
def test_signal_handler_may_call_the_engine(
    is_closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even on the same thread: it closes the engine, or gets the error that it is busy."""
    engine = pinchtp.Engine(memory=16)
    search = engine._backend.play

    def play(*arguments: Any) -> Any:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        return search(*arguments)

    monkeypatch.setattr(engine._backend, "play", play)
    game = pinchtp.Game(size=5)
    errors = []

    def handle(number: int, frame: FrameType | None) -> None:
        try:
            engine.close() if is_closed else engine.play(game)
        except pinchtp.EngineError as error:
            errors.append(str(error))

    usual: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, handle)
    try:
        if is_closed:
            with pytest.raises(pinchtp.EngineClosed, match="the engine is closed"):
                engine.play(game, time=60)
        else:
            assert engine.play(game, time=0.3).move in game.legal_moves
            assert errors == ["the engine is busy with another call of this thread"]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("moments", [6, pytest.param(20, marks=pytest.mark.nightly)])
def test_program_ends_at_any_moment_of_calls(moments: int) -> None:
    calls = ["engine.play(game, visits=5)", "engine.analysis(game, visits=50).wait()"]
    for number in range(moments):
        call = f"while True: {calls[number % 2]}"
        script = f"def work():\n    {call}\n"
        start = "threading.Thread(target=work, daemon=True).start()\n" * 3
        done = run(f"{script}{start}time.sleep({0.1 + number / moments / 10})")
        assert (done.returncode, done.stderr) == (0, "")
