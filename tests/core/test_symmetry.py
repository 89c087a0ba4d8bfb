"""Symmetries of the board, applied to the session."""

import pytest
from boards import random_game
from clients import after, board, observed, refuse, say, server

from pinchtp._core import PASS, SWAP, Position
from pinchtp.games import GAMES
from pinchtp.games.notation import coordinates, point
from pinchtp.games.session import Session
from pinchtp.games.symmetry import NoSymmetry, Symmetry, apply
from pinchtp.gtp.server import Server

KEEPING = [Symmetry.ROTATE, Symmetry.MIRROR, Symmetry.FLIP]
SIZES = [(2, 2), (3, 5), (6, 6), (11, 9)]


def image(symmetry: Symmetry, position: Position, x: int, y: int) -> tuple[int, int]:
    """Returns the image of a point."""
    width, height = position.width, position.height
    return {
        Symmetry.ROTATE: (width - 1 - x, height - 1 - y),
        Symmetry.MIRROR: (width - 1 - x, y),
        Symmetry.FLIP: (x, height - 1 - y),
        Symmetry.TRANSPOSE: (y, x),
    }[symmetry]


def shown(position: Position) -> dict[tuple[int, int], int]:
    """Returns the non-empty points and the banned ones."""
    return {
        (x, y): cell
        for y, row in enumerate(position.board.tolist())
        for x, cell in enumerate(row)
        if cell
    }


def images(symmetry: Symmetry, position: Position, moves: list[int]) -> set[tuple[int, int]]:
    return {image(symmetry, position, *coordinates(move)) for move in moves}


def turn(engine: Server, symmetry: Symmetry) -> None:
    apply(symmetry, engine.engine.session)


def refuse_to_turn(engine: Server, symmetry: Symmetry, why: str) -> None:
    before = observed(engine)
    with pytest.raises(NoSymmetry, match=why):
        turn(engine, symmetry)
    assert observed(engine) == before


@pytest.mark.parametrize("symmetry", KEEPING)
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", [game.name for game in GAMES.values() if game.places_stones])
def test_reflection_keeps_sides(game: str, symmetry: Symmetry, width: int, height: int) -> None:
    for session in random_game(game, width, height, 5):
        before = session.position
        turns = list(session.history)
        apply(symmetry, session)
        now = session.position
        assert shown(now) == {
            image(symmetry, before, *at): cell for at, cell in shown(before).items()
        }
        for fact in ("width", "height", "to_move", "swapped", "swap_open", "options", "result"):
            assert getattr(now, fact) == getattr(before, fact)
        chain = {coordinates(move) for move in now.winning_chain}
        assert chain == images(symmetry, before, before.winning_chain)
        assert [turn.color for turn in session.history] == [turn.color for turn in turns]
        apply(symmetry, session)
        assert session.history == turns
        assert session.position == before


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", [game.name for game in GAMES.values() if game.sides])
def test_transposition_exchanges_players(game: str, width: int, height: int) -> None:
    for played in random_game(game, width, height, 5):
        before = played.position
        if not any(before.cells()) or before.swap_open:
            with pytest.raises(NoSymmetry, match="White's choice to swap is still to come"):
                apply(Symmetry.TRANSPOSE, played)
            assert played.position == before
            continue
        if before.mid_turn:
            with pytest.raises(NoSymmetry, match="the turn is half made"):
                apply(Symmetry.TRANSPOSE, played)
            assert played.position == before
            continue
        session = Session(played.game, width, height, pie=True)
        session.set_up(before)
        apply(Symmetry.TRANSPOSE, session)
        assert_transposed(session.position, before)
        for move in before.legal_moves()[:3]:
            assert_transposed(session.position.play(transposed(move)), before.play(move))
        apply(Symmetry.TRANSPOSE, session)
        assert session.position.hash128 == before.hash128
        assert session.position.cells() == before.cells()


def transposed(move: int) -> int:
    x, y = coordinates(move)
    return move if move == PASS else point(y, x)


def assert_transposed(now: Position, before: Position) -> None:
    other = {1: 2, 2: 1, 5: 5}
    assert (now.width, now.height) == (before.height, before.width)
    assert shown(now) == {(y, x): other[cell] for (x, y), cell in shown(before).items()}
    assert now.to_move == 1 - before.to_move
    assert now.swapped == before.swapped
    assert now.result == (1 - before.result if before.result in (0, 1) else before.result)
    chain = {coordinates(move) for move in now.winning_chain}
    assert chain == images(Symmetry.TRANSPOSE, before, before.winning_chain)


def test_reflected_game_can_be_undone() -> None:
    engine = after("b a1 w pass b b2 w c1 b resign w pass")
    turn(engine, Symmetry.MIRROR)
    assert say(engine, "pinchtp-history") == "b E1 w swap b D2 w C1 b resign w pass"
    assert engine.engine.session.history[1].move == SWAP
    say(engine, "gg-undo 3")
    assert board(engine) == board(after("b e1 w pass b d2"))
    say(engine, "gg-undo 3")
    assert board(engine) == board(server())
    say(engine, "gogui-play_sequence b c3 w swap")


def test_set_up_position_is_turned() -> None:
    engine = server(4, 3)
    say(engine, "pinchtp-loadboard X.OO/..../.X.. w swapped")
    say(engine, "play w c1")
    turn(engine, Symmetry.ROTATE)
    assert board(engine) == ".OX./..../OO.X b swapped"
    say(engine, "undo")
    assert board(engine) == "..X./..../OO.X w swapped"


def test_transposed_position_counts_as_set_up() -> None:
    engine = after("b a1 w b3 b e2", 5, 3)
    turn(engine, Symmetry.TRANSPOSE)
    assert board(engine) == ".X./.../.../..O/X.. w".translate(str.maketrans("XOw", "OXb"))
    assert say(engine, "pinchtp-history") == ""
    say(engine, "clear_board")
    assert board(engine) == ".../.../.../.../... b"


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("b c3 w d4 b resign", "the game was ended by resignation"),
        ("b c3", "White's choice to swap is still to come"),
        ("", "White's choice to swap is still to come"),
    ],
)
def test_unsupported_transpositions_fail(moves: str, why: str) -> None:
    refuse_to_turn(after(moves), Symmetry.TRANSPOSE, why)


def test_draw_by_repetition_is_not_transposed() -> None:
    """The same set-up position would not be drawn."""
    engine = server(3, game="pinch-relocate")
    say(engine, "pinchtp-loadboard XX./X.X/O.O w")
    cycle = "w c3 b b1,b2 w a1,c2,b3,c1 b a2"
    say(engine, f"gogui-play_sequence {cycle} {cycle}")
    assert say(engine, "winner") == "draw"
    refuse_to_turn(engine, Symmetry.TRANSPOSE, "the game was drawn by repetition")
    turn(engine, Symmetry.MIRROR)
    assert say(engine, "winner") == "draw"


def test_transposition_without_pie_rule() -> None:
    engine = server(5, 3, pie=False)
    turn(engine, Symmetry.TRANSPOSE)
    assert board(engine) == ".../.../.../.../... w"


def test_board_of_another_kind_is_not_turned() -> None:
    refuse_to_turn(server(10, game="bushka"), Symmetry.MIRROR, "the board of Bushka is not turned")


def test_crosscut_before_swap_is_not_turned() -> None:
    engine = server(6, 4, game="capture-go", crosscut=True, pie=True)
    why = "White's choice to swap is still to come"
    refuse_to_turn(engine, Symmetry.MIRROR, why)
    say(engine, "play b a1")
    refuse_to_turn(engine, Symmetry.MIRROR, why)
    turn(engine, Symmetry.ROTATE)
    say(engine, "play w swap")
    turn(engine, Symmetry.MIRROR)
    assert say(engine, "pinchtp-printboard").split()[-2:] == ["b", "swapped"]


def test_too_small_board_is_not_loaded() -> None:
    engine = server(4, 3, game="capture-go", crosscut=True, pie=True)
    why = "a crosscut needs a side of 4 points or more"
    refuse(engine, "pinchtp-loadboard ../X. w swap-open", f"cannot load board: {why}")
    say(engine, "clear_board")
