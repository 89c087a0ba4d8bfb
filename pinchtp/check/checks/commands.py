"""Introduction of an engine, and the truth of its list of commands."""

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
START_UP = 1.0  # seconds; a client that starts four processes makes four of it

# Commands that may search, write files, run for long or end the program, called without arguments.
_UNTRIED = re.compile(
    "quit|exit|shutdown|kill|stop|restart|reset|genmove|analy|save|write|store|dump|bench|train"
    "|test|match|ponder|sleep|solve|perft"
)
_TRIAL = 2.0  # seconds for a command called like that
_MAX_HANGS = 3

ANALYZE_TYPES = (
    "bwboard cboard dboard eplist gfx hpstring hstring none param plist pspairs pstring sboard "
    "string var varb varc varp varpo varw"
)


@check(
    "C1",
    "list_commands names all required commands",
    "What is not listed is not used: a GUI without `play` in the list does not play.",
)
def required_commands(probe: EngineProbe) -> None:
    listed = probe.ask("list_commands").text.split()
    missing = [name for name in REQUIRED if name not in listed]
    check_that(not missing, f"not listed: {', '.join(missing)}")


@check(
    "C2",
    "list_commands gives one name a line, each once",
    "Clients split the list at line feeds and compare whole lines with names.",
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
    "GoGui reads the list, gomill asks known_command: both have to learn the same.",
)
def known_commands(probe: EngineProbe) -> None:
    probe.require("known_command")
    reply = probe.ask(f"known_command {UNKNOWN}")
    check_that(reply.ok and reply.text == "false", f"of {UNKNOWN} it says {reply}")
    for name in probe.ask_or_skip("list_commands").split():
        reply = probe.ask(f"known_command {name}")
        check_that(
            reply.ok and reply.text == "true", f"of {name}, which is listed, it says {reply}"
        )


@check(
    "C4",
    "no listed command is unknown when it is called, and none ends the engine",
    "Clients use listed commands: a menu would offer some that only fail, or end the game.",
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
        check_that(not unknown, f"{name} is listed, and answered by {reply}")
    without = f", no answer to {', '.join(hangs)}" if hangs else ""
    return f"{len(names)} called without arguments{without}"


def _after_hang(probe: EngineProbe, hangs: list[str], name: str) -> EngineProbe:
    """Starts another process after an unanswered command, which may lack its arguments.

    Raises CheckSkipped if it was one too many.
    """
    hangs.append(name)
    if len(hangs) == _MAX_HANGS:
        raise CheckSkipped(f"no answer without arguments: {', '.join(hangs)}") from None
    probe = probe.another()
    new_game(probe)
    return probe


@check(
    "C5",
    "gogui-analyze_commands describes commands that exist",
    """GoGui makes a menu of its lines `type/label/command`, and drops those of a type that it does
    not know.""",
)
def analyze_commands(probe: EngineProbe) -> str:
    probe.require("gogui-analyze_commands")
    lines = [line for line in probe.ask("gogui-analyze_commands").text.split("\n") if line]
    for line in lines:
        kind, _, rest = line.partition("/")
        label, _, command = rest.partition("/")
        words = command.split()
        check_that(label and words, f"not of the form type/label/command: {line!r}")
        check_that(kind in ANALYZE_TYPES.split(), f"there is no type {kind!r}: {line!r}")
        check_that(probe.lists(words[0]), f"{words[0]} is not listed: {line!r}")
    return f"{len(lines)} lines"


@check(
    "R1",
    "protocol_version is 2",
    "Clients refuse engines that speak another version.",
)
def protocol_version(probe: EngineProbe) -> None:
    reply = probe.ask("protocol_version")
    check_that(reply.ok and reply.text == "2", f"it is answered by {reply}")


@check(
    "R2",
    "name is one line",
    "It is printed in window titles, tables of results and file names.",
)
def name(probe: EngineProbe) -> str:
    text = probe.ask("name").text
    check_that(text.strip() and "\n" not in text, f"the name is {text!r}")
    return text


@check(
    "R3",
    "version is one line of at most 40 characters",
    "gogui-twogtp wants no more, as it puts the version into its table of results.",
)
def version(probe: EngineProbe) -> str:
    reply = probe.ask("version")
    check_that(reply.ok and "\n" not in reply.text, f"it is answered by {reply}")
    check_that(len(reply.text) <= 40, f"it has {len(reply.text)} characters: {reply.text!r}")
    return reply.text


@check(
    "R4",
    f"the first answer comes within {START_UP:g} s",
    """GoGui starts up to four processes of one command line when it attaches; a slow start is taken
    for a dead engine. Load large files at the first search.""",
)
def start_up(probe: EngineProbe) -> str:
    while len(probe.facts.starts) < 3:
        probe.another()
    best = min(probe.facts.starts)
    check_that(best <= START_UP, f"it comes after {best:.2f} s")
    return f"{1000 * best:.0f} ms"


@check(
    "R5",
    "commands are answered promptly",
    "A ruler is asked six questions a ply and replays the game each time: delays add up.",
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
