"""End of an engine, without remaining processes."""

from __future__ import annotations

from time import monotonic, sleep

from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import TrialGame
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.client import EngineDied, EngineTimeout

ENDING = 2.0  # seconds that an engine may take to end
CHILDREN = 1.0  # seconds that its children may take after it
MOST_STDERR = 1 << 15  # bytes; a pipe holds 65,536, and an engine that fills it stops


def _end(probe: EngineProbe, what: str) -> str:
    """Waits for the engine's end. Raises CheckFailed."""
    began = monotonic()
    try:
        status = probe.client.wait(ENDING)
    except EngineTimeout:
        raise CheckFailed(f"{ENDING:g} s after {what} it still runs") from None
    remark = f"{1000 * (monotonic() - began):.0f} ms"
    return remark + (f", exit status {status}" if status else "")


@check(
    "P1",
    "quit is answered, and then the program ends",
    "Clients wait for the answer, then for the end; what remains is a process too many.",
    fresh=True,
)
def quits(probe: EngineProbe) -> str:
    probe.ask_or_skip("name")
    try:
        reply = probe.ask("quit")
    except EngineDied:
        raise CheckFailed("it ends without an answer to quit") from None
    check_that(reply.ok, f"quit is answered by {reply}")
    return _end(probe, "the answer to quit")


@check(
    "P2",
    "the program ends at the end of its input",
    "A client that crashes says no quit; its engines would run until a user notices.",
    fresh=True,
)
def ends_with_input(probe: EngineProbe) -> str:
    probe.ask_or_skip("name")
    probe.client.close_input()
    return _end(probe, "the end of its input")


@check(
    "P3",
    "commands before the end of input are all answered",
    "Scripts pipe a file of commands in and read what comes out.",
    fresh=True,
)
def answers_before_end(probe: EngineProbe) -> None:
    game = TrialGame(probe)
    probe.ask_or_skip(f"genmove {game.color.letter}")
    version = probe.ask_or_skip("protocol_version")
    color = TrialGame(probe).color
    probe.write(f"genmove {color.letter}\nprotocol_version\n")
    probe.client.close_input()
    try:
        replies = [probe.reply(), probe.reply()]
    except EngineDied:
        raise CheckFailed("it ends before it has answered what it was sent") from None
    check_that(replies[1].text == version, f"protocol_version is answered by {replies[1]}")


@check(
    "P4",
    "no process is left when the program has ended",
    "What a wrapper or a helper leaves behind burns a core in the next game.",
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
        raise CheckSkipped("it does not end") from None
    until = monotonic() + CHILDREN
    while probe.client.members() and monotonic() < until:
        sleep(0.01)
    left = len(probe.client.members())
    check_that(not left, f"{left} of its processes still run")


@check(
    "P5",
    f"a short session writes less than {MOST_STDERR >> 10} KiB to standard error",
    "Clients that do not read standard error let its pipe fill, and then the engine stops.",
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
