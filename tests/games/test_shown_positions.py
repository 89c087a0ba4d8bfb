"""What a position is after loading equals what was shown, however the game ended, in every game."""

from __future__ import annotations

import random
import re

import pytest
from clients import ask, server

from pinchtp._core import PASS
from pinchtp.games import GAMES, Color
from pinchtp.gtp.server import Server

EACH_GAME = pytest.mark.parametrize("name", GAMES)
ANSWERS = ("winner", "pinchtp-legal", "pinchtp-printboard", "gogui-rules_side_to_move")
# What a picture cannot tell: that positions came up again, that a stone was captured; and a drawing
# what is half made.
UNTOLD = (
    "drawn by repetition, which no picture can tell",
    "has won, but its stones do not show it",
    "a turn is half made; pinchtp-printboard can tell such a position",
)


def started(name: str, width: int = 4, height: int = 4) -> Server:
    game = GAMES[name]
    size = game.size if game.smallest == game.largest else (width, height)
    return server(*size, game=name)


def play_somehow(engine: Server, rng: random.Random, turns: int) -> None:
    session = engine.engine.session
    while not session.is_over and (turns > 0 or session.position.mid_turn):
        legal = session.position.legal_moves()
        if session.position.is_legal(PASS):
            legal.append(PASS)
        session.play(session.to_move, rng.choice(legal))
        turns -= not session.position.mid_turn
    if rng.random() < 0.3 and not session.is_over:
        session.resign(rng.choice(list(Color)))


def pictures(engine: Server) -> list[str]:
    drawing = ask(engine, "showboard").removeprefix("= ").replace("\n", "/")
    return [drawing, ask(engine, "pinchtp-printboard").removeprefix("= ")]


def known(engine: Server) -> list[str]:
    """All but whose turn it was at the end, which means nothing."""
    answers = [ask(engine, line) for line in ANSWERS]
    if answers[0] == "= none":
        return answers
    line = re.sub(" [bw] ", " ", answers[2])
    return [*answers[:2], line]


@EACH_GAME
def test_loading_what_was_shown(name: str) -> None:
    rng = random.Random(name)
    for number in range(40):
        shown = started(name)
        play_somehow(shown, rng, rng.choice([0, 1, 2, 9, 400]) if number else 0)
        for picture in pictures(shown):
            loaded = started(name)
            answer = ask(loaded, f"pinchtp-loadboard {picture}")
            if answer.startswith("?"):  # it changes nothing
                assert ask(shown, "winner") != "= none" or "half made" in answer
                assert answer.endswith(UNTOLD)
                assert known(loaded) == known(started(name))
            else:
                assert answer == "= ", picture
                assert known(loaded) == known(shown), picture


def test_a_win_by_capture_is_not_loaded_as_a_running_game() -> None:
    shown, loaded = started("capture-go", 3, 3), started("capture-go", 3, 3)
    ask(shown, "gogui-play_sequence b a1 w a2 b c3 w b1")
    assert ask(shown, "winner") == "= white"
    for picture in pictures(shown):
        assert ask(loaded, f"pinchtp-loadboard {picture}").endswith(UNTOLD)


def test_a_loss_by_passing_is_loaded() -> None:
    shown, loaded = started("capture-go", 5, 5), started("capture-go", 5, 5)
    ask(shown, "gogui-play_sequence b c3 w d4 b pass")
    for picture in pictures(shown):
        assert ask(loaded, f"pinchtp-loadboard {picture}") == "= ", picture
        assert ask(loaded, "winner") == "= white"
        assert ask(loaded, "showboard").endswith("Last move: black pass")


def test_what_contradicts_the_stones_is_refused() -> None:
    engine = started("pinch")
    said = "Pinch 2x2, move 2: black has won/X./.."
    reason = "? cannot load board: it says that black has won, but its stones do not show it"
    assert ask(engine, f"pinchtp-loadboard {said}") == reason
    assert ask(engine, "pinchtp-loadboard X./.. w black-won") == reason
    reason = "? cannot load board: the game was drawn by repetition, which no picture can tell"
    assert ask(engine, "pinchtp-loadboard X./.. b drawn") == reason


@pytest.mark.parametrize(
    ("name", "picture", "why"),
    [
        (
            "pinch",
            "../.. b +a1,b1",
            "a1: what stands behind `+` are parts of a turn that lacks some",
        ),
        ("pinch", "X./X. w white-resigned", "white has resigned, but the game was over before"),
    ],
)
def test_pictures_of_what_cannot_be_are_refused(name: str, picture: str, why: str) -> None:
    engine = started(name)
    assert ask(engine, f"pinchtp-loadboard {picture}") == f"? cannot load board: {why}"


@EACH_GAME
def test_no_stones_are_a_new_game(name: str) -> None:
    engine, new = started(name), started(name)
    play_somehow(engine, random.Random(3), 3)
    assert ask(engine, "set_position") == "= "
    assert known(engine) == known(new)
    assert ask(engine, "winner") == "= none"
