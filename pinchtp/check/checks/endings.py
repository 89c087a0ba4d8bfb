"""The end of a game and the swap, neither of which GTP 2 covers."""

from __future__ import annotations

import re

from pinchtp._core import PASS
from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import (
    HURRY,
    TrialGame,
    compare,
    finished_game,
    listed_moves,
    snapshot,
)
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.games import Color
from pinchtp.games.notation import COLUMNS

A_SECOND = "time_settings 0 1 1"  # an instant move is rarely a swap

_SCORE = re.compile(r"[BW]\+(R|[0-9]+(\.[0-9]+)?)|0")


@check(
    "G10",
    "once the game is over genmove answers pass and play accepts pass",
    """Controllers do not know the end of a game: they request moves until two passes in a row or
    a resignation.""",
)
def plays_on_after_the_end(probe: EngineProbe) -> str:
    game = finished_game(probe)
    for color in (Color.BLACK, Color.WHITE) * 2:
        reply = probe.ask_any(f"genmove {color.letter}")
        as_told = reply.ok and reply.text.lower() in ("pass", "resign")
        check_that(as_told, f"'genmove {color.letter}' is answered by {reply}")
        reply = probe.ask(f"play {color.letter} pass")
        check_that(reply.ok, f"'play {color.letter} pass' is refused: {reply.text}")
    return f"after {len(game.history)} moves"


@check(
    "G11",
    "a finished game takes no more stones",
    "The last board is the result: it has to show the winner.",
)
def no_moves_after_the_end(probe: EngineProbe) -> None:
    game = finished_game(probe)
    before = snapshot(probe)
    for point in game.points():
        for color in Color:
            reply = probe.ask(f"play {color.letter} {point}")
            check_that(not reply.ok, f"'play {color.letter} {point}' is accepted")
    compare(before, snapshot(probe), "after moves that were refused")


@check(
    "G12",
    "final_score is B+number, W+number, B+R, W+R or 0",
    "Clients understand no other form: not `Draw`, not `B+Resign`.",
)
def score_format(probe: EngineProbe) -> str:
    probe.require("final_score")
    try:
        finished_game(probe)
    except CheckSkipped:
        game = TrialGame(probe)
        game.advance(2)
        for color in (game.color, game.color.opponent):  # the end of a game of Go
            probe.ask_any(f"play {color.letter} pass")
        if not probe.ask_any("final_score").ok:
            raise CheckSkipped("found no game that has a score") from None
    reply = probe.ask("final_score")
    check_that(reply.ok, f"it is refused: {reply.text}")
    check_that(_SCORE.fullmatch(reply.text), f"it is {reply.text!r}")
    return reply.text


@check(
    "G13",
    "`play C pass` on move 2 swaps, and the first stone stays on its point",
    """Generic controllers have no other word for a swap. They keep a board of their own: gomill
    forfeits the game of a side that moves the stone elsewhere.""",
)
def swap_is_pass(probe: EngineProbe) -> None:
    game = _start_swappable_game(probe)
    color, move = game.history[0]
    swapper = game.color
    before = snapshot(probe)
    game.play(swapper, "pass")
    try:
        mover, _ = game.advance()
    except CheckSkipped as trouble:
        raise CheckFailed(f"after the swap: {trouble}") from None
    check_that(mover == color, f"after the swap it is not {color}'s turn")
    if probe.lists("undo"):
        probe.ask_or_skip("undo")
        probe.ask_or_skip("undo")
        compare(before, snapshot(probe), "after the swap was undone")
    game = TrialGame(probe)
    game.play(color, move)
    game.play(swapper, "pass")
    check_that(
        not probe.ask(f"play {color.letter} {move}").ok, f"the stone does not stay on {move}"
    )


@check(
    "G14",
    "genmove on move 2 answers a point, pass or resign",
    "Answering `swap` ends a gogui-twogtp game with an error and forfeits one in gomill.",
)
def generated_swap(probe: EngineProbe) -> str:
    game = _start_swappable_game(probe, strong=True)
    legal = listed_moves(probe, game.color)
    move = probe.ask_or_skip(f"genmove {game.color.letter}")
    check_that(game.is_move(move, legal), f"it answers {move!r}")
    return f"answers {move} to {game.history[0][1]}"


def _start_swappable_game(probe: EngineProbe, *, strong: bool = False) -> TrialGame:
    """Returns a game after one move, in which a pass is a swap, as it was not possible before.

    strong: the move is in the center; otherwise one whose mirror images are other points. Raises
    CheckSkipped.
    """
    _require_swap(probe)
    game = TrialGame(probe, clock=A_SECOND if strong else HURRY)
    middle = game.size // 2
    center = f"{COLUMNS[middle]}{middle + 1}"
    game.play(game.color, center if strong else "A2")
    return game


def _require_swap(probe: EngineProbe) -> None:
    """Raises CheckSkipped unless a pass is possible on move 2 only, or ends no game there."""
    game = TrialGame(probe)
    passes_lose = bool(game.rules and game.rules.position.is_legal(PASS))
    if not passes_lose and probe.ask_any(f"play {game.color.letter} pass").ok:
        raise CheckSkipped("no swap: a pass is legal on move 1")
    game.advance()
    color = game.color
    if not probe.ask_any(f"play {color.letter} pass").ok:
        raise CheckSkipped("no swap, or not one spelled pass")
    game.note(color, "pass")
    if passes_lose and game.is_over():
        raise CheckSkipped("no swap: a pass on move 2 ends the game")
