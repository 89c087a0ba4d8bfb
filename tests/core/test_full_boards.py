"""Full boards without a connection, which occur only in set-up positions: draws."""

import pytest
from clients import ask, server
from record_games import read

from pinchtp.games import GAMES
from pinchtp.gtp.server import Server

GAMES_WITH_SIDES = [name for name, game in GAMES.items() if game.sides]
EACH_GAME = pytest.mark.parametrize("name", GAMES_WITH_SIDES)
CHECKERBOARD = "XO/OX"
ALMOST = "XOX/OXO/XO. w"


def full(name: str) -> Server:
    engine = server(2, game=name)
    assert ask(engine, f"pinchtp-loadboard {CHECKERBOARD}") == "= "
    return engine


@EACH_GAME
def test_full_board_is_drawn_everywhere(name: str) -> None:
    engine = full(name)
    assert ask(engine, "winner") == "= draw"
    assert ask(engine, "final_score") == "= 0"
    assert ask(engine, "gogui-rules_final_result") == "= Draw"
    assert "The game is drawn" in ask(engine, "showboard")
    assert ask(engine, "gogui-rules_legal_moves") == "= "
    assert ask(engine, "pinchtp-legal") == "= "
    assert ask(engine, "pinchtp-solve") == "= draw nodes 0"
    assert ask(engine, "pinchtp-connection") == "= black 0.500 white 0.500"
    for command in ("lz-analyze b 1", "pinchtp-priors", "pinchtp-ownership"):
        assert ask(engine, command).startswith("= ")
    assert ask(engine, "kata-search_cancellable b").endswith("\nplay pass")
    assert ask(engine, "genmove b") == "= pass"
    assert ask(engine, "genmove w") == "= pass"


@EACH_GAME
def test_set_by_stones(name: str) -> None:
    engine = server(2, game=name)
    assert ask(engine, "set_position b a2 w b2 w a1 b b1") == "= "
    assert ask(engine, "winner") == "= draw"


@EACH_GAME
def test_record_of_draw(name: str) -> None:
    text = ask(full(name), "printsgf").removeprefix("= ")
    assert "RE[0]" in text
    assert read(text, GAMES[name]).start.result == 2
    by_hand = f"(;SZ[2]RU[{name}]AB[aa][bb]AW[ab][ba])"
    assert read(by_hand, GAMES[name]).start.result == 2


@EACH_GAME
def test_play_fills_the_board(name: str) -> None:
    engine = server(3, game=name)
    assert ask(engine, f"pinchtp-loadboard {ALMOST}") == "= "
    assert ask(engine, "pinchtp-solve").startswith("= draw C1 ")
    assert ask(engine, "genmove w") == "= C1"
    assert ask(engine, "winner") == "= draw"
    assert ask(engine, "undo") == "= "
    assert ask(engine, "winner") == "= none"
