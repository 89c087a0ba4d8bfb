"""Format of answers (GTP 2, sections 2.4 to 2.8)."""

from __future__ import annotations

import re

from pinchtp.base.text import shorten
from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import TrialGame
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.client import EngineTimeout

UNKNOWN = "no-such-command"
MAX_ID = 2**31 - 1
SILENCE = 0.05  # seconds

# Questions with answers of several lines, which is where blank lines creep in.
LONG_ANSWERS = (
    "list_commands",
    "showboard",
    "help",
    "final_score",
    "gogui-rules_board",
    "gogui-analyze_commands",
    "printsgf",
)

_SPACED = re.compile(rb"[=?][0-9]* (?! )")
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


@check(
    "F1",
    "an answer begins with = or ? and ends with a blank line",
    """Controllers read up to the blank line. Without it the first command hangs them; without the
    status they take the engine for broken.""",
)
def is_framed(probe: EngineProbe) -> None:
    try:
        reply = probe.ask("protocol_version")
    except EngineTimeout as error:
        raise CheckFailed(str(error)) from None
    check_that(reply.text, f"the answer to protocol_version is {reply}")


@check(
    "F2",
    "one space follows the status and the id, in empty answers as well",
    """HexGui looks for the literal prefix `= ` or `? `, and GoGui takes what follows the first
    space: without it they lose the text, or the whole answer.""",
)
def has_space(probe: EngineProbe) -> None:
    for line in ("name", "clear_board", "5 name", "5 clear_board", UNKNOWN, f"5 {UNKNOWN}"):
        reply = probe.ask(line)
        check_that(_SPACED.match(reply.raw), f"{line!r} is answered by {reply}")


@check(
    "F3",
    "exactly one blank line ends an answer, and none is inside",
    """Text after a blank line is read as the answer to the next command, and every later answer is
    off by one.""",
)
def has_one_blank_line(probe: EngineProbe) -> None:
    probe.ask_or_skip("name")
    chatter = probe.ask("name").stray.strip()
    for line in ("name", UNKNOWN, *filter(probe.lists, LONG_ANSWERS)):
        probe.ask(line)
        stray = probe.ask("name").stray
        check_that(stray.strip() or not stray, f"an extra blank line follows the answer to {line}")
        check_that(chatter or not stray, f"after its first blank line {line} says {shorten(stray)}")


@check(
    "F4",
    "only answers on standard output",
    """A banner, a progress line or a debug print is read as an answer, or as a part of one. Such
    output belongs on standard error.""",
    fresh=True,
)
def says_nothing_else(probe: EngineProbe) -> None:
    reply = probe.ask("name")
    check_that(not reply.stray.strip(), f"before its first answer it says {shorten(reply.stray)}")
    reply = probe.ask("protocol_version")
    check_that(not reply.stray.strip(), f"between answers it says {shorten(reply.stray)}")
    _require_silent_search(probe)
    stray = probe.silence(SILENCE)
    check_that(not stray.strip(), f"it writes without a command: {shorten(stray)}")


def _require_silent_search(probe: EngineProbe) -> None:
    try:
        game = TrialGame(probe)
        game.note(game.color, probe.ask_or_skip(f"genmove {game.color.letter}"))
        reply = probe.ask(f"genmove {game.color.letter}")
    except CheckSkipped:
        return  # an engine that cannot play fails elsewhere
    check_that(not reply.stray.strip(), f"while it searches it says {shorten(reply.stray)}")


@check(
    "F5",
    "answers hold no carriage returns or other control characters",
    """Many scripts wait for two line feeds in a row, and wait forever for CR LF CR LF; escape
    sequences for colors end up in the text.""",
)
def has_no_controls(probe: EngineProbe) -> None:
    for line in ("name", UNKNOWN, *filter(probe.lists, LONG_ANSWERS)):
        control = _CONTROL.search(probe.ask(line).raw)
        check_that(
            not control, f"the answer to {line} holds {control and control[0].decode('latin-1')!r}"
        )


def _echoes(probe: EngineProbe, number: int, command: str, *, ok: bool) -> None:
    reply = probe.ask(f"{number} {command}")
    as_asked = reply.ok == ok and reply.id == str(number)
    check_that(as_asked, f"'{number} {command}' is answered by {reply}")


@check(
    "I1",
    "the id of a command is repeated in its answer",
    "Controllers match answers to commands by the id, and stop at one that they did not send.",
)
def repeats_id(probe: EngineProbe) -> None:
    for number in (1, 7, 123456):
        _echoes(probe, number, "name", ok=True)


@check(
    "I2",
    "a refusal repeats the id as well",
    "`?7 text` is the answer to command 7; without the id a pipelining client blames another one.",
)
def refusal_repeats_id(probe: EngineProbe) -> None:
    _echoes(probe, 7, UNKNOWN, ok=False)


@check(
    "I3",
    "ids from 0 to 2147483647 are repeated",
    "Clients count upwards from 0 or from a random number; the standard allows 31 bits.",
)
def repeats_extreme_ids(probe: EngineProbe) -> None:
    for number in (0, MAX_ID):
        _echoes(probe, number, "name", ok=True)


@check(
    "I4",
    "the answer to a command without an id has none",
    "Most clients send no ids and read a number before the text as an id that nobody sent.",
)
def invents_no_id(probe: EngineProbe) -> None:
    for line in ("name", UNKNOWN):
        reply = probe.ask(line)
        check_that(not reply.id, f"{line!r} is answered by {reply}")
