"""The exit of an engine, without remaining processes."""

from __future__ import annotations

from time import monotonic, sleep

from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import TrialGame
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.client import EngineDied, EngineTimeout

ENDING = 2.0  # seconds that an engine may take to exit
CHILDREN = 1.0  # seconds that its children may take after that
MOST_STDERR = 1 << 15  # bytes; a pipe holds 65,536, and a full one blocks the engine


def _end(probe: EngineProbe, what: str) -> str:
    """Waits for the engine to exit. Raises CheckFailed if it does not."""
    began = monotonic()
    try:
        status = probe.client.wait(ENDING)
    except EngineTimeout:
        raise CheckFailed(f"{ENDING:g} s after {what} it is still running") from None
    remark = f"{1000 * (monotonic() - began):.0f} ms"
    return remark + (f", exit status {status}" if status else "")


@check(
    "P1",
    "quit gets a response, and then the program exits",
    "Clients wait for the response, then for the exit; otherwise a process remains.",
    fresh=True,
)
def quits(probe: EngineProbe) -> str:
    probe.ask_or_skip("name")
    try:
        reply = probe.ask("quit")
    except EngineDied:
        raise CheckFailed("it exits without a response to quit") from None
    check_that(reply.ok, f"the response to quit is {reply}")
    return _end(probe, "the response to quit")


@check(
    "P2",
    "the program exits at the end of its input",
    "A client that crashes does not send quit; its engines would keep running.",
    fresh=True,
)
def ends_with_input(probe: EngineProbe) -> str:
    probe.ask_or_skip("name")
    probe.client.close_input()
    return _end(probe, "the end of its input")


@check(
    "P3",
    "all commands before the end of input get responses",
    "Scripts send a file of commands through a pipe and read the output.",
    fresh=True,
)
def responds_before_end(probe: EngineProbe) -> None:
    game = TrialGame(probe)
    probe.ask_or_skip(f"genmove {game.color.letter}")
    version = probe.ask_or_skip("protocol_version")
    color = TrialGame(probe).color
    probe.write(f"genmove {color.letter}\nprotocol_version\n")
    probe.client.close_input()
    try:
        replies = [probe.reply(), probe.reply()]
    except EngineDied:
        raise CheckFailed("it exits before it has responded to all commands") from None
    check_that(replies[1].text == version, f"the response to protocol_version is {replies[1]}")


@check(
    "P4",
    "no process remains after the program has exited",
    "A process left by a wrapper or a helper occupies a core in the next game.",
    fresh=True,
)
def leaves_no_child(probe: EngineProbe) -> None:
    try:
        probe.ask_or_skip(f"genmove {TrialGame(probe).color.letter}")
    except CheckSkipped:
        probe.ask_or_skip("name")
    probe.ask_any("quit")
    try:
        probe.client.wait(ENDING)
    except EngineTimeout:
        raise CheckSkipped("it does not exit") from None
    until = monotonic() + CHILDREN
    while probe.client.members() and monotonic() < until:
        sleep(0.01)
    left = len(probe.client.members())
    check_that(not left, f"{left} of its processes are still running")


@check(
    "P5",
    f"a short session writes less than {MOST_STDERR >> 10} KiB to standard error",
    "If a client does not read standard error, its pipe fills up and the engine blocks.",
    fresh=True,
)
def quiet_errors(probe: EngineProbe) -> str:
    game = TrialGame(probe)
    game.advance(2)
    probe.ask_or_skip(f"genmove {game.color.letter}")
    sleep(0.02)
    size = probe.client.stderr_size
    check_that(size < MOST_STDERR, f"it writes {size} bytes")
    return f"{size} bytes"
