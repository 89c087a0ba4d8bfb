"""Introduction of an engine, and its list of commands."""

from __future__ import annotations

import re
from time import monotonic

from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import new_game
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.client import EngineDied, EngineTimeout

REQUIRED = (
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
)
UNKNOWN = "no-such-command"
START_UP = 1.0  # seconds; a client that starts four processes waits four times as long

# Names of commands that, without arguments, may search, write files, take long or end the program.
_UNTRIED = re.compile(
    "quit|exit|shutdown|kill|stop|restart|reset|genmove|analy|save|write|store|dump|bench|train"
    "|test|match|ponder|sleep|solve|perft"
)
_TRIAL = 2.0  # seconds for a command called without arguments
_MAX_HANGS = 3

ANALYZE_TYPES = (
    "bwboard cboard dboard eplist gfx hpstring hstring none param plist pspairs pstring sboard "
    "string var varb varc varp varpo varw"
)


@check(
    "C1",
    "list_commands names all required commands",
    "Clients use only listed commands: a GUI does not play with an engine that omits `play`.",
)
def required_commands(probe: EngineProbe) -> None:
    listed = probe.ask("list_commands").text.split()
    missing = [name for name in REQUIRED if name not in listed]
    check_that(not missing, f"not listed: {', '.join(missing)}")


@check(
    "C2",
    "list_commands returns one name per line, each once",
    "Clients split the list at newlines and compare whole lines with names.",
)
def list_format(probe: EngineProbe) -> None:
    lines = probe.ask_or_skip("list_commands").split("\n")
    odd = [line for line in lines if line.split() != [line]]
    check_that(not odd, f"a line is {odd and odd[0]!r}")
    twice = sorted({line for line in lines if lines.count(line) > 1})
    check_that(not twice, f"listed twice: {', '.join(twice)}")


@check(
    "C3",
    "known_command is true for listed commands and false for others",
    "GoGui reads the list, gomill uses known_command: both must get the same result.",
)
def known_commands(probe: EngineProbe) -> None:
    probe.require("known_command")
    reply = probe.ask(f"known_command {UNKNOWN}")
    check_that(reply.ok and reply.text == "false", f"for {UNKNOWN} the response is {reply}")
    for name in probe.ask_or_skip("list_commands").split():
        reply = probe.ask(f"known_command {name}")
        check_that(
            reply.ok and reply.text == "true",
            f"for {name}, which is listed, the response is {reply}",
        )


@check(
    "C4",
    "every listed command exists, and none ends the engine",
    "Clients show listed commands in menus; faulty ones would fail there, or end the game.",
    fresh=True,
)
def listed_commands_exist(probe: EngineProbe) -> str:
    names = [
        name for name in probe.ask_or_skip("list_commands").split() if not _UNTRIED.search(name)
    ]
    hangs: list[str] = []
    new_game(probe)
    for name in names:
        try:
            reply = probe.ask(name, min(_TRIAL, probe.facts.timeout))
        except EngineTimeout:
            probe = _after_hang(probe, hangs, name)
            continue
        except EngineDied as error:
            raise CheckFailed(f"{name} without arguments: the engine {error}") from None
        unknown = not reply.ok and reply.text.lower().startswith("unknown command")
        check_that(not unknown, f"{name} is listed, but the response is {reply}")
    without = f", no response to {', '.join(hangs)}" if hangs else ""
    return f"{len(names)} called without arguments{without}"


def _after_hang(probe: EngineProbe, hangs: list[str], name: str) -> EngineProbe:
    """Starts another process after a command timed out, perhaps for lack of arguments.

    Raises CheckSkipped after too many of them.
    """
    hangs.append(name)
    if len(hangs) == _MAX_HANGS:
        raise CheckSkipped(f"no response without arguments: {', '.join(hangs)}") from None
    probe = probe.another()
    new_game(probe)
    return probe


@check(
    "C5",
    "gogui-analyze_commands describes commands that exist",
    """GoGui makes a menu from the lines `type/label/command`, and drops those of an unknown
    type.""",
)
def analyze_commands(probe: EngineProbe) -> str:
    probe.require("gogui-analyze_commands")
    lines = [line for line in probe.ask("gogui-analyze_commands").text.split("\n") if line]
    for line in lines:
        kind, _, rest = line.partition("/")
        label, _, command = rest.partition("/")
        words = command.split()
        check_that(label and words, f"not of the form type/label/command: {line!r}")
        check_that(kind in ANALYZE_TYPES.split(), f"unknown type {kind!r}: {line!r}")
        check_that(probe.lists(words[0]), f"{words[0]} is not listed: {line!r}")
    return f"{len(lines)} lines"


@check(
    "R1",
    "protocol_version is 2",
    "Clients reject engines with another version.",
)
def protocol_version(probe: EngineProbe) -> None:
    reply = probe.ask("protocol_version")
    check_that(reply.ok and reply.text == "2", f"the response is {reply}")


@check(
    "R2",
    "name is one line",
    "It appears in window titles, result tables and file names.",
)
def name(probe: EngineProbe) -> str:
    text = probe.ask("name").text
    check_that(text.strip() and "\n" not in text, f"the name is {text!r}")
    return text


@check(
    "R3",
    "version is one line of at most 40 characters",
    "gogui-twogtp allows no more, since it prints the version in its result table.",
)
def version(probe: EngineProbe) -> str:
    reply = probe.ask("version")
    check_that(reply.ok and "\n" not in reply.text, f"the response is {reply}")
    check_that(len(reply.text) <= 40, f"it has {len(reply.text)} characters: {reply.text!r}")
    return reply.text


@check(
    "R4",
    f"the first response arrives within {START_UP:g} s",
    """GoGui starts up to four processes of a command line when it attaches an engine, and treats
    a slow start as a failure. Load large files at the first search.""",
)
def start_up(probe: EngineProbe) -> str:
    while len(probe.facts.starts) < 3:
        probe.another()
    best = min(probe.facts.starts)
    check_that(best <= START_UP, f"it arrives after {best:.2f} s")
    return f"{1000 * best:.0f} ms"


@check(
    "R5",
    "commands get prompt responses",
    "GoGui sends a ruler six queries per ply and replays the game each time: delays add up.",
)
def promptness(probe: EngineProbe) -> str:
    probe.ask_or_skip("name")
    began = monotonic()
    count = 50
    for _ in range(count):
        probe.ask("protocol_version")
    each = (monotonic() - began) / count
    check_that(each < 0.02, f"protocol_version takes {1000 * each:.1f} ms")
    return f"{1e6 * each:.0f} µs for protocol_version"
