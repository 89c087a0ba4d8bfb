"""Records in programs that know only Go: they show each board as it was."""

import random
from pathlib import Path

import pytest
from games.test_bushka_notation import FRAGMENT, boards
from go_viewers import assert_shown
from record_games import DATA, from_sgf, played, random_session

from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.records.sgf import to_sgf
from pinchtp.records.sgf.nodes import find_named_game
from pinchtp.records.sgf.syntax import parse_first

EACH = 12  # games; tests/long/viewers.py plays any number

EARLIER = sorted(DATA.glob("earlier-*.sgf"))  # as 03b3546 wrote them
RESAVED = sorted(DATA.glob("resaved-*.sgf"))  # opened and saved by GoGui 1.6.0 and Sabaki's modules


def moves_of(text: str) -> str:
    """The moves of a record after its root and line breaks."""
    return text.replace("\n", "").partition(";B[")[2]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_random_record_shows_every_board(game: GameType) -> None:
    rng = random.Random(game.name)
    for _ in range(EACH):
        assert_shown(random_session(game, rng, square=True))


def test_swap_shows_stone_in_other_color() -> None:
    text = assert_shown(played("c3", "swap", "d4"))
    assert moves_of(text) == "cc];W[]MV[swap];AW[cc]PL[B];B[db])"


def test_capture_of_go_is_put_back() -> None:
    """Three white stones lose their last liberty, none of them at a new right angle."""
    session = played(pie=False)
    rows = ("010000", "121000", "120000", "121000", "010000", "000000")
    cells = bytes(map(int, "".join(reversed(rows))))
    session.set_up(GAMES["pinch"].set_up(6, 6, cells, Color.BLACK))
    session.play(Color.BLACK, parse_move("c4", session.position))
    assert moves_of(assert_shown(session)) == "cc];AW[bd][bc][bb]PL[W])"


def test_enemies_are_captured_before_own_stones() -> None:
    """A white stone that captures one in Go is of a group without other liberties."""
    session = played(pie=False)
    rows = ("00000", "00000", "00000", "11200", "20120")
    cells = bytes(map(int, "".join(reversed(rows))))
    session.set_up(GAMES["pinch"].set_up(5, 5, cells, Color.WHITE))
    session.play(Color.WHITE, parse_move("b1", session.position))
    text = assert_shown(session).replace("\n", "")
    assert text.endswith(";W[be];AW[ce][ad][bd]PL[B])")


def test_suicide_of_go_is_put_back() -> None:
    text = assert_shown(played("a4", "e5", "b5", "a5"))
    assert moves_of(text) == "ab];W[ea];B[ba];W[aa];AW[aa]PL[B])"


def test_flipped_stones_change_color() -> None:
    text = assert_shown(played("b4", "b3", "a3", pie=False))
    assert moves_of(text) == "bb];W[bc];B[ac];AB[bc]PL[W])"


def test_capture_that_ends_where_it_began_is_a_pass() -> None:
    """A viewer may refuse a stone on a stone."""
    session = Session(GAMES["bushka"], 10, 10)
    session.set_up(boards.set_up(FRAGMENT))
    for text in ["e64", "e1x3", "d5e4x", "gxe6", "e4f3x", "hg7", "dxf7", "f45", "f34x", "f6x"]:
        session.play(session.to_move, *session.parse(text))
    assert moves_of(assert_shown(session)).endswith(";W[]MV[f6x];AE[fg][fd]PL[B])")


def test_start_shows_its_men_and_crosscut() -> None:
    assert "AB[" in assert_shown(Session(GAMES["bushka"], 10, 10))
    assert "AB[" in assert_shown(Session(GAMES["capture-go"], 5, 5, crosscut=True))


@pytest.mark.parametrize("path", EARLIER + RESAVED, ids=lambda path: path.stem)
def test_earlier_and_resaved_records_load(path: Path) -> None:
    """The comment on the game lists its moves."""
    data = path.read_bytes()
    game = find_named_game(parse_first(data).nodes[0])
    assert game is not None
    record = from_sgf(data, game)
    session = Session.at(game, record.start, record.history)
    found = [
        f"{turn.color.letter} {text}" for turn in session.turns() for text in session.texts(turn)
    ]
    assert " ".join(found) == record.info.comment
    session.info = record.info
    assert_shown(session)


def test_samples_of_every_game_exist() -> None:
    assert sorted(path.stem for path in EARLIER) == sorted(f"earlier-{name}" for name in GAMES)
    assert len(RESAVED) == 3


def test_shown_board_preserves_comment() -> None:
    text = to_sgf(played("c3", "swap")).replace("PL[B]", "PL[B]C[Now it is mine]")
    record = from_sgf(text.encode(), GAMES["pinch"])
    assert record.history[-1].comment == "Now it is mine"
