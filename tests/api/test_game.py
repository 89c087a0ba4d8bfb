"""Games of the Python interface, against the session and the reference."""

import copy
import pickle
import random
from pathlib import Path
from unittest.mock import Mock

import pytest

import pinchtp
from pinchtp.games import GAMES, Color

ALL_GAMES = pytest.mark.parametrize("name", GAMES)


def random_game(name: str, moves: int, seed: int = 1) -> pinchtp.Game:
    """Returns a game after some random steps."""
    rng = random.Random(seed)
    game = pinchtp.Game(name, None if name == "bushka" else 5)
    for _ in range(moves):
        if game.is_over:
            break
        game.play(rng.choice(game.legal_steps))
    return game


def test_issue_example_plays_moves() -> None:
    game = pinchtp.Game("pinch", size=9)
    game.play("e5")
    game.play("swap")
    game.undo()
    assert game.moves == ("E5",)
    assert "swap" in game.legal_moves
    assert "E5" not in game.legal_moves
    assert game.board.shape == (9, 9)
    assert game.board[4, 4] == 1
    assert game.to_move == Color.WHITE


@ALL_GAMES
def test_legal_moves_are_playable(name: str) -> None:
    game = random_game(name, 4)
    moves = [move for move, _ in zip(game.legal_moves, range(300), strict=False)]
    assert len(set(moves)) == len(moves) > 0
    for move in moves[::7]:
        ahead = game.copy()
        ahead.play(move)
        assert ahead.position.mid_turn is False
        assert move in game.legal_moves
        assert move.lower() in game.legal_moves or name == "bushka"


@ALL_GAMES
def test_legal_moves_count_matches_iteration(name: str) -> None:
    game = random_game(name, 2)
    assert game.legal_moves.count() == len(list(game.legal_moves))


@ALL_GAMES
def test_random_game_ends_with_outcome(name: str) -> None:
    game = random_game(name, 2000)
    assert game.is_over
    assert game.outcome is not None
    assert game.outcome.winner == game.winner
    assert not game.legal_moves
    assert list(game.legal_moves) == []
    assert game.legal_steps == ()
    with pytest.raises(pinchtp.IllegalMove, match=r"game is over.*undo"):
        game.play("a1")


@ALL_GAMES
@pytest.mark.parametrize("moves", [0, 1, 5, 2000])
def test_copies_and_pickles_equal_original(name: str, moves: int) -> None:
    game = random_game(name, moves)
    again = pickle.loads(pickle.dumps(game))
    for other in (copy.copy(game), copy.deepcopy(game), again):
        assert other == game
        assert hash(other) == hash(game)
    read = pinchtp.Game.from_text(game.to_text(), name)
    assert read == game
    assert hash(read) == hash(game)
    assert read.board.tolist() == game.board.tolist()
    assert (read.outcome, read.to_move) == (game.outcome, game.to_move)
    assert again.moves == game.moves
    assert again.rules == game.rules
    assert eval(repr(game), {"Game": pinchtp.Game}) == game


@pytest.mark.parametrize(
    ("moves", "error", "text"),
    [
        ("c3 z9", pinchtp.IllegalMove, "^move 2, 'z9': no such point on the 5x5 board"),
        (["c3", "swap", "c3"], pinchtp.IllegalMove, "^move 3, 'c3': C3 is occupied"),
        ("hello", pinchtp.NotationError, "^move 1, 'hello': "),
    ],
)
def test_wrong_move_of_several_is_named(
    moves: str | list[str], error: type[ValueError], text: str
) -> None:
    with pytest.raises(error, match=text):
        pinchtp.Game(size=5, moves=moves)


def test_winner_is_true() -> None:
    assert pinchtp.Game(size=3, pie=False, moves="b2 a1 b1 c3 b3").winner
    assert pinchtp.Game(size=3, pie=False, moves="a1 a2 a3 b2 b3 c2").winner


def test_copy_is_independent() -> None:
    game = pinchtp.Game(size=5, moves="c3")
    other = game.copy()
    other.play("b2")
    assert game.moves == ("C3",)
    assert other != game


def test_set_up_position_survives_pickle() -> None:
    game = pinchtp.Game.from_text("..X/.O./X.. w", "pinch")
    game.play("a2")
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.moves == game.moves
    assert eval(repr(game), {"Game": pinchtp.Game}) == game


def test_transpositions_are_equal() -> None:
    one = pinchtp.Game(size=5, pie=False, moves="a1 e5 b2")
    other = pinchtp.Game(size=5, pie=False, moves="b2 e5 a1")
    assert one == other
    assert len({one, other}) == 1
    assert one != pinchtp.Game(size=5, pie=False, moves="a1 e5")
    assert one != "a1 e5 b2"


@pytest.mark.parametrize("moves", ["", "c3"])
def test_games_differ_while_a_swap_is_possible(moves: str) -> None:
    assert pinchtp.Game(size=5, moves=moves) != pinchtp.Game(size=5, pie=False, moves=moves)


@pytest.mark.parametrize("moves", ["c3 b2", "c3 b2 d4"])
def test_games_are_equal_once_no_swap_is_possible(moves: str) -> None:
    one = pinchtp.Game(size=5, moves=moves)
    other = pinchtp.Game(size=5, pie=False, moves=moves)
    assert one == other
    assert len({one, other}) == 1
    assert one != pinchtp.Game(size=(5, 6), moves=moves)
    assert one != pinchtp.Game("pinch-remove", size=5, moves=moves)


def test_set_up_position_has_no_swap() -> None:
    game = pinchtp.Game.from_text("..X/.O./X.. w", pie=True)
    again = pinchtp.Game.from_sgf(game.to_sgf())
    assert game.rules == again.rules == {"pie": False}
    assert repr(game) == repr(again) == "Game.from_text('..X/.O./X.. w', game='pinch')"
    assert pinchtp.Game.from_text(".../.X./... w swap-open").rules == {"pie": True}
    assert pinchtp.Game.from_text(".../.../... b").rules == {"pie": True}


@pytest.mark.parametrize("color", ["black", "white"])
@pytest.mark.parametrize("moves", ["", "c3", "c3 swap"])
def test_moves_show_who_resigned(moves: str, color: str) -> None:
    game = pinchtp.Game("pinch", size=5, moves=moves)
    game.resign(color)
    assert pinchtp.Game("pinch", size=5, moves=game.moves) == game
    assert eval(repr(game), {"Game": pinchtp.Game}) == game


def test_two_moves_are_no_legal_move() -> None:
    game = pinchtp.Game("pinch-relocate", 5)
    assert "A1" in game.legal_moves
    assert "A1,B1" not in game.legal_moves


def test_resignation_differs_from_position() -> None:
    game = pinchtp.Game(size=5)
    other = game.copy()
    other.play("resign")
    assert other != game
    assert other.winner == Color.WHITE
    assert str(other.outcome) == "White wins: Black has resigned"
    assert pickle.loads(pickle.dumps(other)) == other


def test_steps_of_a_move() -> None:
    """A capture by relocation: stone and step, or both at once."""
    game = pinchtp.Game("pinch-relocate", 5)
    rng = random.Random(3)
    while not game.mid_turn:
        if game.is_over:
            game.undo(len(game.moves))
        game.play(rng.choice(game.legal_steps))
    steps = game.legal_steps
    rest = next(iter(game.legal_moves))
    assert rest.split(",")[0] in steps
    mover = game.to_move
    game.play(rest)
    assert not game.mid_turn
    assert game.is_over or game.to_move != mover


def test_incomplete_move_lists_no_other_moves() -> None:
    game = pinchtp.Game("pinch-relocate", 5, moves=("B3", "B2", "C2,C3"))
    assert "B2,A1,B1" in game.legal_moves
    with pytest.raises(pinchtp.IllegalMove, match=r"the turn continues after A1$"):
        game.play("B2,A1")


@pytest.mark.parametrize(
    ("move", "error", "text"),
    [
        ("c3", pinchtp.IllegalMove, "C3 is occupied; legal: A1, "),
        ("j9", pinchtp.IllegalMove, "no such point on the 5x5 board; legal: A1"),
        ("xyzzy", pinchtp.NotationError, "'xyzzy' is not a move: use a vertex such as D4"),
        ("pass", pinchtp.IllegalMove, "passing is not allowed here; legal: A1"),
    ],
)
def test_errors_name_the_expected_value(move: str, error: type[ValueError], text: str) -> None:
    game = pinchtp.Game(size=5, moves="c3 b2")
    with pytest.raises(error, match=text):
        game.play(move)
    assert game.moves == ("C3", "B2")


def test_wrong_arguments_are_value_errors() -> None:
    with pytest.raises(ValueError, match="unknown game 'hex': expected pinch"):
        pinchtp.Game("hex")
    with pytest.raises(ValueError, match="no option 'komi'"):
        pinchtp.Game("pinch", komi=7)
    with pytest.raises(ValueError, match="size"):
        pinchtp.Game("pinch", 99)
    with pytest.raises(pinchtp.CannotUndo):
        pinchtp.Game().undo()
    with pytest.raises(ValueError, match="'green' is not a color; give 'black' or 'white'"):
        pinchtp.Game().resign("green")


def test_pictures_show_the_game() -> None:
    game = pinchtp.Game(size=5, moves="c3")
    assert "(X)" in str(game)
    assert game._repr_svg_().startswith("<svg")


def test_sgf_round_trip(tmp_path: Path) -> None:
    game = random_game("pinch", 8)
    path = tmp_path / "game.sgf"
    path.write_text(game.to_sgf())
    again = pinchtp.read_sgf(path)
    assert again == game
    assert again.moves == game.moves
    assert pinchtp.Game.from_sgf(game.to_sgf()) == game


def test_unreadable_sgf_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(pinchtp.RecordError, match=r"none\.sgf: No such file"):
        pinchtp.read_sgf(tmp_path / "none.sgf")
    path = tmp_path / "go.sgf"
    path.write_text("(;SZ[9];B[aa])")
    with pytest.raises(pinchtp.RecordError, match=r"go\.sgf: .*give it .* or in Python with game="):
        pinchtp.read_sgf(path)
    assert pinchtp.read_sgf(path, "pinch").moves == ("A9",)


def test_solver_proves_small_board() -> None:
    solved = pinchtp.solve(pinchtp.Game(size=3, pie=False), seconds=60)
    assert solved.value == "win"
    assert solved.winner == Color.BLACK
    game = pinchtp.Game(size=3, pie=False, moves=solved.line)
    assert game.winner == Color.BLACK
    with pytest.raises(ValueError, match="the game is over: Black wins"):
        pinchtp.solve(game)
    assert pinchtp.solve(pinchtp.Game(size=9), seconds=0).value == "unknown"


def test_legal_actions_ask_for_the_size_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pinchtp.Game(size=5)
    size = Mock(return_value=(5, 5))
    monkeypatch.setattr(pinchtp.Game, "size", property(size))
    assert len(game.legal_actions) == 25
    assert size.call_count == 1
