"""The end of a game and the swap, neither of which GTP 2 covers."""

from __future__ import annotations

import re

from pinchtp._core import PASS
from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import (
    HURRY,
    TrialGame,
    compare,
    listed_moves,
    play_to_end,
    snapshot,
)
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.games import Color
from pinchtp.games.notation import COLUMNS

A_SECOND = "time_settings 0 1 1"  # an instant move is rarely a swap

_SCORE = re.compile(r"[BW]\+(R|[0-9]+(\.[0-9]+)?)|0")


@check(
    "G10",
    "once the game is over, genmove returns pass and play accepts pass",
    """Controllers do not detect the end of a game: they request moves until two passes in a row or
    a resignation.""",
)
def plays_on_after_the_end(probe: EngineProbe) -> str:
    game = play_to_end(probe)
    for color in (Color.BLACK, Color.WHITE) * 2:
        reply = probe.ask_any(f"genmove {color.letter}")
        is_valid = reply.ok and reply.text.lower() in ("pass", "resign")
        check_that(is_valid, f"the response to 'genmove {color.letter}' is {reply}")
        reply = probe.ask(f"play {color.letter} pass")
        check_that(reply.ok, f"'play {color.letter} pass' is rejected: {reply.text}")
    return f"after {len(game.history)} moves"


@check(
    "G11",
    "a finished game accepts no more stones",
    "The final board documents the result: it must show the winner.",
)
def no_moves_after_the_end(probe: EngineProbe) -> None:
    game = play_to_end(probe)
    before = snapshot(probe)
    for point in game.points():
        for color in Color:
            reply = probe.ask(f"play {color.letter} {point}")
            check_that(not reply.ok, f"'play {color.letter} {point}' is accepted")
    compare(before, snapshot(probe), "after rejected moves")


@check(
    "G12",
    "final_score is B+number, W+number, B+R, W+R or 0",
    "Clients do not accept other forms, such as `Draw` or `B+Resign`.",
)
def score_format(probe: EngineProbe) -> str:
    probe.require("final_score")
    try:
        play_to_end(probe)
    except CheckSkipped:
        game = TrialGame(probe)
        game.advance(2)
        for color in (game.color, game.color.opponent):  # ends a game of Go
            probe.ask_any(f"play {color.letter} pass")
        if not probe.ask_any("final_score").ok:
            raise CheckSkipped("found no game with a score") from None
    reply = probe.ask("final_score")
    check_that(reply.ok, f"it is rejected: {reply.text}")
    check_that(_SCORE.fullmatch(reply.text), f"it is {reply.text!r}")
    return reply.text


@check(
    "G13",
    "`play C pass` on move 2 swaps, and the first stone stays on its point",
    """Generic controllers have no other notation for a swap. They keep their own board: gomill
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
    "genmove on move 2 returns a point, pass or resign",
    "The response `swap` ends a gogui-twogtp game with an error, and forfeits one in gomill.",
)
def generated_swap(probe: EngineProbe) -> str:
    game = _start_swappable_game(probe, strong=True)
    legal = listed_moves(probe, game.color)
    move = probe.ask_or_skip(f"genmove {game.color.letter}")
    check_that(game.is_move(move, legal), f"it returns {move!r}")
    return f"returns {move} after {game.history[0][1]}"


def _start_swappable_game(probe: EngineProbe, *, strong: bool = False) -> TrialGame:
    """Returns a game after one move, in which a pass is a swap.

    strong: whether the move is in the center; otherwise its mirror images are other points. Raises
    CheckSkipped.
    """
    _require_swap(probe)
    game = TrialGame(probe, clock=A_SECOND if strong else HURRY)
    middle = game.size // 2
    center = f"{COLUMNS[middle]}{middle + 1}"
    game.play(game.color, center if strong else "A2")
    return game


def _require_swap(probe: EngineProbe) -> None:
    """Raises CheckSkipped if a pass on move 2 cannot be a swap.

    It can be one if a pass is illegal on move 1, or if passes lose but this one does not.
    """
    game = TrialGame(probe)
    passes_lose = bool(game.rules and game.rules.position.is_legal(PASS))
    if not passes_lose and probe.ask_any(f"play {game.color.letter} pass").ok:
        raise CheckSkipped("no swap: a pass is legal on move 1")
    game.advance()
    color = game.color
    if not probe.ask_any(f"play {color.letter} pass").ok:
        raise CheckSkipped("no swap, or its notation is not pass")
    game.note(color, "pass")
    if passes_lose and game.is_over():
        raise CheckSkipped("no swap: a pass on move 2 ends the game")
