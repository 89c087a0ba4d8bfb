"""Python programs that end while their threads are busy."""

import subprocess
import sys

from clients import PROGRAM
from fuzz.sessions import Fault
from fuzz.source import Source

BEGIN = """\
import gc, os, sys, threading, time, pinchtp
from contextlib import suppress
game = pinchtp.Game(size=5)
engines = [pinchtp.Engine(memory=16)]
streams = []
def start(call, daemon=True):
    def run():
        with suppress(pinchtp.EngineError, ValueError):  # closed
            call()
    threading.Thread(target=run, daemon=daemon).start()
def knot(engine):
    made = [engine.analysis(game)]
    made.append(made)
"""
STEPS = (
    "start(lambda: engines[-1].play(game, time=60))",
    "start(lambda: pinchtp.Engine(memory=16).play(game, visits=50), daemon=False)",
    "start(lambda: engines[-1].analyse(game, time=60))",
    "start(lambda: list(engines[-1].analysis(game, interval=0.001)))",
    "start(lambda: pinchtp.solve(game))",
    "start(lambda: streams.append(engines[-1].analysis(game)))",
    "start(lambda: knot(engines[-1]))",
    "start(engines[-1].close, daemon=False)",
    "start(gc.collect)",
    "gc.collect()",
    "engines.append(pinchtp.Engine(memory=16))",
    f"engines.append(pinchtp.Engine.popen({PROGRAM!r}))",
    "del engines[:-1]",
    "time.sleep(0.01)",
    "time.sleep(0.1)",
    "if not os.fork(): sys.exit()",
)
TIMEOUT = 60  # seconds


def endings(data: bytes) -> None:
    """A program that makes the steps in this order ends, with status 0 and in silence."""
    source = Source(data)
    steps = [source.choice(STEPS) for _ in range(1 + source.below(12))]
    script = BEGIN + "\n".join(steps)
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", script],
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise Fault("a program does not end", "\n".join(steps), f"{TIMEOUT} s") from None
    if (done.returncode, done.stdout, done.stderr) != (0, "", ""):
        output = f"status {done.returncode}: {done.stderr[-800:]}"
        raise Fault("a program ends badly", "\n".join(steps), output)
