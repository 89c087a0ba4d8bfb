"""Error responses. Controllers compare the standard texts literally."""

from __future__ import annotations

import re

from pinchtp.check.check import CheckSkipped, check
from pinchtp.check.game import TrialGame, new_game
from pinchtp.check.probe import EngineProbe, check_that

TOO_LARGE = 1000
MISSING_FILE = "/no/such/file.sgf"

# Commands with missing or invalid arguments.
MALFORMED = (
    "play",
    "play b",
    "play b ?!",
    "play purple a1",
    "genmove",
    "genmove purple",
    "boardsize",
    "boardsize x",
    "komi x",
)
GARBAGE = (
    "=",
    "?",
    "= name",
    "/quit",
    "%s%n%s%n",
    "\\n",
    "'; drop table",
    "play " + "b" * 500,
    "play b " + "a" * 500,
    "play b a99999999999999999999",
    "play b -1",
    "boardsize -1",
    "boardsize 99999999999999999999",
    "komi 1e999",
    "genmove purple b w",
    "name name name",
    "known_command",
    "undo -1",
    "time_left",
    "time_left b x y",
    "time_settings 1",
    "time_settings a b c",
    "é à ü 棋",
)
_INTERNAL = re.compile(r"internal error|traceback|exception", re.IGNORECASE)


def _require_rejection(probe: EngineProbe, line: str, text: str) -> None:
    """Checks that a command is rejected with exactly this text."""
    reply = probe.ask(line)
    check_that(not reply.ok, f"{line!r} is accepted")
    check_that(reply.text == text, f"{line!r} is rejected with {reply.text!r}, not {text!r}")


def _list_malformed(probe: EngineProbe) -> list[str]:
    return [line for line in MALFORMED if probe.lists(line.split()[0])]


@check(
    "E1",
    "an unknown command is rejected with `unknown command`",
    "Controllers try commands, and distinguish missing from failing ones by this text.",
)
def unknown_command(probe: EngineProbe) -> None:
    for line in ("no-such-command", "no-such-command 1 2"):
        _require_rejection(probe, line, "unknown command")


@check(
    "E2",
    "missing and malformed arguments are rejected",
    "An engine that guesses the meaning plays a different game from its opponent's.",
)
def malformed_is_rejected(probe: EngineProbe) -> None:
    new_game(probe)
    for line in _list_malformed(probe):
        check_that(not probe.ask(line).ok, f"{line!r} is accepted")


@check(
    "E3",
    "malformed arguments get the text `syntax error`",
    "It is the text of the standard; controllers that compare texts accept no other.",
)
def malformed_text(probe: EngineProbe) -> None:
    new_game(probe)
    others: dict[str, list[str]] = {}
    for line in _list_malformed(probe):
        reply = probe.ask(line)
        if not reply.ok and reply.text != "syntax error":
            others.setdefault(reply.text, []).append(repr(line))
    check_that(
        not others, "; ".join(f"{text!r} for {', '.join(of)}" for text, of in others.items())
    )


@check(
    "E4",
    "an illegal move is rejected with `illegal move`",
    """gomill distinguishes an illegal move from an engine error by this text: with any other text
    the game is void, not lost.""",
)
def illegal_move(probe: EngineProbe) -> None:
    game = TrialGame(probe)
    game.advance(2)
    _require_rejection(probe, f"play {game.color.letter} {game.illegal()}", "illegal move")


@check(
    "E5",
    "an impossible size is rejected with `unacceptable size`",
    "Clients request 19 first, and other sizes after this text.",
)
def unacceptable_size(probe: EngineProbe) -> None:
    _require_rejection(probe, f"boardsize {TOO_LARGE}", "unacceptable size")


@check(
    "E6",
    "undo at the start is rejected with `cannot undo`",
    "GoGui sends undo until it gets this text.",
)
def cannot_undo(probe: EngineProbe) -> None:
    probe.require("undo")
    new_game(probe)
    _require_rejection(probe, "undo", "cannot undo")


@check(
    "E7",
    "a missing file is rejected with `cannot load file`, optionally with a reason",
    "The user must see that the file is the problem; any other text is ambiguous.",
)
def cannot_load(probe: EngineProbe) -> None:
    probe.require("loadsgf")
    line = f"loadsgf {MISSING_FILE}"
    reply = probe.ask(line)
    check_that(not reply.ok, f"{line!r} is accepted")
    is_valid = re.match(r"cannot load file\b", reply.text)
    check_that(is_valid, f"{line!r} is rejected with {reply.text!r}, not 'cannot load file'")


@check(
    "E8",
    "the error for an unfinished game without a score is `cannot score`",
    "Controllers request the score at the end, and interpret this text as no score.",
)
def cannot_score(probe: EngineProbe) -> None:
    probe.require("final_score")
    TrialGame(probe).advance(2)
    if probe.ask_any("final_score").ok:
        raise CheckSkipped("unfinished games have a score, too")
    _require_rejection(probe, "final_score", "cannot score")


@check(
    "E9",
    "garbage input gets an error response; the engine keeps running",
    "Typing errors, garbled bridges and faulty scripts should not end a running game.",
    fresh=True,
)
def survives_garbage(probe: EngineProbe) -> None:
    name = probe.ask_or_skip("name")
    new_game(probe)
    for line in GARBAGE:
        reply = probe.ask(line)
        check_that(not _INTERNAL.search(reply.text), f"the response to {line!r} is {reply}")
    probe.exchange(b"\xff\xfe\x80 \xc3\n")
    reply = probe.ask("name")
    check_that(reply.ok and reply.text == name, f"afterwards the response to name is {reply}")
