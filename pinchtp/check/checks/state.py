"""Rejected commands and queries leave the game unchanged."""

from __future__ import annotations

from pinchtp.check.check import CheckSkipped, check
from pinchtp.check.checks.errors import MALFORMED, MISSING_FILE, TOO_LARGE
from pinchtp.check.game import TrialGame, compare, require_unchanged, snapshot
from pinchtp.check.probe import EngineProbe

QUERIES = (
    "name",
    "version",
    "protocol_version",
    "list_commands",
    "known_command play",
    "help",
    "cputime",
    "final_score",
    "reg_genmove",
    "gogui-analyze_commands",
    "gogui-rules_final_result",
    "gogui-rules_captured_count",
    "gogui-rules_board_gfx",
    "gomill-describe_engine",
    "gomill-explain_last_move",
)


def _play_some_moves(probe: EngineProbe) -> TrialGame:
    snapshot(probe)  # skips the check if no query shows the state
    game = TrialGame(probe)
    game.advance(3)
    return game


def _require_no_effect(probe: EngineProbe, *lines: str) -> None:
    """Checks that each line is rejected and changes nothing.

    Raises CheckFailed, or CheckSkipped if one is accepted.
    """
    for line in lines:
        with require_unchanged(probe, f"{line!r} was rejected"):
            if probe.ask(line).ok:
                raise CheckSkipped(f"{line!r} is not rejected")


@check(
    "A1",
    "a rejected play changes nothing",
    """The controller continues from the previous position; otherwise the two boards diverge.""",
)
def rejected_play(probe: EngineProbe) -> None:
    game = _play_some_moves(probe)
    color = game.color
    move = game.illegal()
    for line in (f"play {color.letter} {move}", f"play {color.letter} ?!", f"play {color.letter}"):
        _require_no_effect(probe, line)


@check(
    "A2",
    "a rejected boardsize changes nothing",
    "After a rejected size, a client continues with the previous board and its stones.",
)
def rejected_boardsize(probe: EngineProbe) -> None:
    _play_some_moves(probe)
    _require_no_effect(probe, f"boardsize {TOO_LARGE}")


@check(
    "A3",
    "malformed and unknown commands change nothing",
    "All arguments must be checked before any takes effect.",
)
def rejects_garbage(probe: EngineProbe) -> None:
    _play_some_moves(probe)
    _require_no_effect(probe, "no-such-command", *MALFORMED)


@check(
    "A4",
    "gogui-play_sequence plays all of its moves or none",
    "GoGui shows the previous position if the command is rejected.",
)
def rejected_sequence(probe: EngineProbe) -> None:
    probe.require("gogui-play_sequence")
    game = _play_some_moves(probe)
    moves = _continuation(game)
    _require_no_effect(probe, f"gogui-play_sequence {' '.join(moves)} {moves[0]} ?!")


def _continuation(game: TrialGame) -> list[str]:
    """Returns two legal continuation moves, each with its color; plays and undoes them."""
    game.probe.require("undo")
    moves = [f"{color.letter} {move}" for color, move in (game.advance(), game.advance())]
    for _ in moves:
        game.probe.ask_or_skip("undo")
    return moves


@check(
    "A5",
    "a rejected loadsgf leaves the game unchanged",
    "A user who picks the wrong file should not lose the game in progress.",
)
def rejected_load(probe: EngineProbe) -> None:
    probe.require("loadsgf")
    _play_some_moves(probe)
    _require_no_effect(probe, f"loadsgf {MISSING_FILE}")


@check(
    "A6",
    "queries do not change state",
    """Clients send listed queries at any time: GoGui at each ply, a regression runner sends
    reg_genmove a thousand times.""",
)
def questions(probe: EngineProbe) -> None:
    game = _play_some_moves(probe)
    for question in QUERIES:
        if probe.lists(question.split()[0]):
            argument = f" {game.color}" if question == "reg_genmove" else ""
            with require_unchanged(probe, question):
                probe.ask_any(question + argument)


@check(
    "A7",
    "a rejected undo changes nothing",
    "An undo of too many moves must not undo any.",
)
def rejected_undo(probe: EngineProbe) -> None:
    if probe.lists("gg-undo"):
        _play_some_moves(probe)
        _require_no_effect(probe, "gg-undo 1000")
    probe.require("undo")
    TrialGame(probe)
    _require_no_effect(probe, "undo")


@check(
    "A8",
    "clear_board always gives the same empty board",
    "Matches play thousands of games in one process; leftover state affects the next game.",
)
def clears_all(probe: EngineProbe) -> None:
    TrialGame(probe)
    empty = snapshot(probe)
    TrialGame(probe).advance(4)
    probe.ask_or_skip("clear_board")
    compare(empty, snapshot(probe), "after clear_board")
