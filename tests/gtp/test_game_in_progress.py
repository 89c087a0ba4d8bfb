"""A game in progress, as GTP spells it: turns of several parts, swaps, results, undo."""

import pytest
from clients import ask, ask_all, server
from games.test_session import COLUMN_RACE, new, stone

from pinchtp._core import SWAP
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import NotationError, SwapSpelling, parse_move
from pinchtp.gtp.server import Server

BLACK = Color.BLACK
WHITE = Color.WHITE


def test_only_multi_step_games_read_several_vertices() -> None:
    position = new().position
    assert GAMES["pinch-relocate"].notation.parse("a1,b2", position) == (
        parse_move("a1", position),
        parse_move("b2", position),
    )
    with pytest.raises(NotationError, match="'a1,b2' is not a move"):
        GAMES["pinch"].notation.parse("a1,b2", position)


def test_turn_longer_than_board_is_refused() -> None:
    notation = GAMES["pinch-relocate"].notation
    position = new().position
    assert notation.multi_part
    assert len(notation.parse(",".join(["a1"] * 625), position)) == 625
    with pytest.raises(NotationError):
        notation.parse(",".join(["a1"] * 640), position)


@pytest.mark.parametrize(
    "word", ["swap", "swap-pieces", "swap-sides", "pass", "SWAP", "Pass", "Swap-Pieces"]
)
def test_every_spelling_of_a_swap(word: str) -> None:
    """They all leave the stone in place, even if other programs move it."""
    engine = server(5)
    assert ask_all(engine, "play b b3", f"play w {word}") == ["= ", "= "]
    assert engine.engine.session.moves[-1] == SWAP
    assert stone(engine.engine.session, "b3") is WHITE


def test_play_first_stone_again_is_illegal() -> None:
    engine = server(5)
    assert ask_all(engine, "play b b3", "play w B3") == ["= ", "? illegal move"]


@pytest.mark.parametrize(
    ("spelling", "answer"),
    [
        (SwapSpelling.PASS, "= pass"),
        (SwapSpelling.SWAP, "= swap"),
        (SwapSpelling.SWAP_PIECES, "= swap-pieces"),
        (SwapSpelling.SWAP_SIDES, "= swap-sides"),
    ],
)
def test_how_genmove_spells_a_swap(spelling: SwapSpelling, answer: str) -> None:
    """The centre of 3x3 wins, so that White has to swap (rules/pinch.md has the table)."""
    engine = server(3, visits=5000, swap_as=spelling)
    assert ask_all(engine, "play b b2", "reg_genmove w", "genmove w") == ["= ", answer, answer]
    session = engine.engine.session
    assert session.moves[-1] == SWAP
    assert (session.to_move, stone(session, "b2")) == (BLACK, WHITE)


@pytest.mark.parametrize("game", ["pinch", "bushka"])
def test_reg_genmove_returns_the_same_move_again(game: str) -> None:
    engine = server(10, game=game, level=3, visits=50, seed=None)
    assert len({ask(engine, f"reg_genmove {GAMES[game].first.letter}") for _ in range(8)}) == 1


def test_swap_command_is_for_move_2_only() -> None:
    engine = server(5)
    assert ask(engine, "swap") == "? cannot swap: a swap is possible only as the second move"
    assert ask_all(engine, "play b b3", "swap", "play b b2") == ["= ", "= ", "= "]
    assert stone(engine.engine.session, "b3") is WHITE
    assert ask(engine, "swap") == "? cannot swap: a swap is possible only as the second move"


def test_without_the_pie_rule() -> None:
    engine = server(5, pie=False)
    assert ask_all(engine, "play b b3", "swap", "play w swap", "play w pass") == [
        "= ",
        "? cannot swap: this game is played without the pie rule",
        "? illegal move",
        "? illegal move",
    ]


def won(*, swap: bool = False) -> Server:
    """Four columns, three rows, and the second column full of the first player's stones."""
    engine = server(4, 3)
    moves = ["b1", *(["swap"] if swap else []), *COLUMN_RACE[1:]]
    for move in moves:
        assert ask(engine, f"play {engine.engine.session.to_move} {move}") == "= "
    return engine


def test_score_and_winner_agree_at_each_end() -> None:
    engine = server(5)
    assert ask_all(engine, "final_score", "winner") == ["? cannot score", "= none"]
    assert ask_all(won(), "final_score", "winner") == ["= B+R", "= black"]
    assert ask_all(won(swap=True), "final_score", "winner") == ["= W+R", "= white"]
    assert ask_all(engine, "play b resign", "final_score", "winner") == ["= ", "= W+R", "= white"]


@pytest.mark.parametrize("color", ["b", "w"])
def test_both_colors_pass_after_the_end(color: str) -> None:
    engine = won()
    assert ask_all(engine, f"genmove {color}", f"reg_genmove {color}") == ["= pass", "= pass"]
    assert ask_all(engine, f"play {color} pass", "final_score") == ["= ", "= B+R"]
    assert ask(engine, f"all_legal {color}") == "= "


@pytest.mark.parametrize("moves", [(), ("play b c3",), ("play b c3", "play w d4")])
def test_both_colors_pass_after_a_resignation(moves: tuple[str, ...]) -> None:
    """Also on move two, where `pass` could mean a swap."""
    engine = server(5)
    lines = [*moves, "play w resign", "play w pass", "play b pass"]
    assert set(ask_all(engine, *lines)) == {"= "}
    assert ask_all(engine, "genmove w", "genmove b", "final_score") == ["= pass", "= pass", "= B+R"]
    assert not engine.engine.session.position.swapped


def test_genmove_resigns_only_by_setting() -> None:
    """White is to move on 3x3 after the winning opening, without a swap."""
    for resign, answers in [(None, False), (0.2, True)]:
        engine = server(3, pie=False, visits=5000, resign=resign)
        ask(engine, "play b b2")
        assert (ask(engine, "genmove w") == "= resign") == answers
        assert engine.engine.session.is_over == answers


def test_undo_after_resignation_by_genmove_takes_back_a_move() -> None:
    """Controllers do not count it, unlike one that they send."""
    engine = server(5, pie=False, visits=1, resign=1)
    ask_all(engine, "play b a1", "play w b2")
    assert ask_all(engine, "genmove b", "final_score") == ["= resign", "= W+R"]
    assert ask_all(engine, "play b b2", "final_score") == ["? illegal move", "= W+R"]
    assert ask_all(engine, "play b pass", "undo", "final_score") == ["= ", "= ", "= W+R"]
    assert ask_all(engine, "undo", "pinchtp-history") == ["= ", "= b A1"]
    assert ask_all(engine, "genmove w", "play w c3", "pinchtp-history") == [
        *("= resign", "= ", "= b A1 w C3")
    ]
    assert ask_all(engine, "play b resign", "undo", "undo") == ["= ", "= ", "= "]
    assert ask_all(engine, "undo", "genmove b", "undo", "undo") == [
        *("= ", "= resign", "= ", "? cannot undo")
    ]


def test_swap_withdraws_a_resignation_by_genmove() -> None:
    engine = server(5, pie=True, visits=1, resign=1)
    assert ask_all(engine, "play b c3", "genmove w") == ["= ", "= resign"]
    assert ask_all(engine, "swap", "pinchtp-history") == ["= ", "= b C3 w swap"]
    assert ask_all(engine, "genmove b", "swap", "final_score") == [
        *("= resign", "? cannot swap: a swap is possible only as the second move", "= W+R")
    ]


def test_gg_undo() -> None:
    engine = server(5)
    ask_all(engine, "play b c3", "play w swap", "play b d4", "play w d3")
    board = ask(engine, "showboard")
    assert ask(engine, "gg-undo 5") == "? cannot undo"
    assert ask(engine, "showboard") == board
    assert ask_all(engine, "gg-undo", "gg-undo 2", "all_legal w") == [
        *["= ", "= "],
        ask(engine, "all_legal"),
    ]
    assert ask_all(engine, "gg-undo 1", "gg-undo 1") == ["= ", "? cannot undo"]


def test_showboard_after_a_swap_draws_the_edges_in_their_new_colors() -> None:
    engine = server(3, 2)
    ask(engine, "play b b1")
    assert ask(engine, "showboard").split("\n")[1:7] == [
        "      A B C",
        "      x x x",
        "  2 o . . . o 2",
        "  1 o .(X). o 1",
        "      x x x",
        "      A B C",
    ]
    ask(engine, "play w pass")
    lines = ask(engine, "showboard").split("\n")
    assert lines[1:7] == [
        "      A B C",
        "      o o o",
        "  2 x . . . x 2",
        "  1 x . O . x 1",
        "      o o o",
        "      A B C",
    ]
    assert "The colors were swapped" in lines
    assert "White (O) joins top and bottom, Black (X) left and right" in lines
