"""Format of responses (GTP 2, sections 2.4 to 2.8)."""

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

# Commands with multi-line responses, which are prone to blank lines.
LONG_RESPONSES = (
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
    "a response starts with = or ? and ends with a blank line",
    """Controllers read up to the blank line. Without it they hang at the first command; without the
    status they report an engine error.""",
)
def is_framed(probe: EngineProbe) -> None:
    try:
        reply = probe.ask("protocol_version")
    except EngineTimeout as error:
        raise CheckFailed(str(error)) from None
    check_that(reply.text, f"the response to protocol_version is {reply}")


@check(
    "F2",
    "one space follows the status and the id, even in empty responses",
    """HexGui looks for the literal prefix `= ` or `? `, and GoGui reads the text after the first
    space: without it they lose the text, or the whole response.""",
)
def has_space(probe: EngineProbe) -> None:
    for line in ("name", "clear_board", "5 name", "5 clear_board", UNKNOWN, f"5 {UNKNOWN}"):
        reply = probe.ask(line)
        check_that(_SPACED.match(reply.raw), f"the response to {line!r} is {reply}")


@check(
    "F3",
    "exactly one blank line ends a response, and it contains none",
    """Text after a blank line is read as the response to the next command, and every later response
    is off by one.""",
)
def has_one_blank_line(probe: EngineProbe) -> None:
    probe.ask_or_skip("name")
    chatter = probe.ask("name").stray.strip()
    for line in ("name", UNKNOWN, *filter(probe.lists, LONG_RESPONSES)):
        probe.ask(line)
        stray = probe.ask("name").stray
        check_that(
            stray.strip() or not stray, f"an extra blank line follows the response to {line}"
        )
        check_that(
            chatter or not stray, f"after the first blank line {line} prints {shorten(stray)}"
        )


@check(
    "F4",
    "standard output contains only responses",
    """Clients read a banner, a progress line or debug output as a response, or as a part of one.
    Such output belongs on standard error.""",
    fresh=True,
)
def prints_only_responses(probe: EngineProbe) -> None:
    reply = probe.ask("name")
    check_that(
        not reply.stray.strip(), f"before its first response it prints {shorten(reply.stray)}"
    )
    reply = probe.ask("protocol_version")
    check_that(not reply.stray.strip(), f"between responses it prints {shorten(reply.stray)}")
    _require_silent_search(probe)
    stray = probe.silence(SILENCE)
    check_that(not stray.strip(), f"it prints without a command: {shorten(stray)}")


def _require_silent_search(probe: EngineProbe) -> None:
    try:
        game = TrialGame(probe)
        game.note(game.color, probe.ask_or_skip(f"genmove {game.color.letter}"))
        reply = probe.ask(f"genmove {game.color.letter}")
    except CheckSkipped:
        return  # other checks detect an engine that cannot play
    check_that(not reply.stray.strip(), f"during a search it prints {shorten(reply.stray)}")


@check(
    "F5",
    "responses contain no carriage returns or other control characters",
    """Many scripts wait for two consecutive newlines, and hang at CR LF CR LF; escape sequences
    for colors end up in the text.""",
)
def has_no_controls(probe: EngineProbe) -> None:
    for line in ("name", UNKNOWN, *filter(probe.lists, LONG_RESPONSES)):
        control = _CONTROL.search(probe.ask(line).raw)
        check_that(
            not control, f"{line!r}: response with {control and control[0].decode('latin-1')!r}"
        )


def _echoes(probe: EngineProbe, number: int, command: str, *, ok: bool) -> None:
    reply = probe.ask(f"{number} {command}")
    is_valid = reply.ok == ok and reply.id == str(number)
    check_that(is_valid, f"the response to '{number} {command}' is {reply}")


@check(
    "I1",
    "a response repeats the id of its command",
    "Controllers match responses to commands by id, and stop at an unknown one.",
)
def repeats_id(probe: EngineProbe) -> None:
    for number in (1, 7, 123456):
        _echoes(probe, number, "name", ok=True)


@check(
    "I2",
    "an error response repeats the id, too",
    "`?7 text` is the response to command 7; without the id a pipelining client blames another.",
)
def error_repeats_id(probe: EngineProbe) -> None:
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
    "the response to a command without an id has none",
    "Most clients send no ids, and read a number before the text as an unknown id.",
)
def invents_no_id(probe: EngineProbe) -> None:
    for line in ("name", UNKNOWN):
        reply = probe.ask(line)
        check_that(not reply.id, f"the response to {line!r} is {reply}")
