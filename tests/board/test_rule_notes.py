"""Notes on rules that a game shows: texts of the server, and pages without rules."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pinchtp.board
from pinchtp.board.protocol.players import PlayerChoice, Players
from pinchtp.board.rating import Ratings
from pinchtp.board.rule_notes import FINDERS, find_notes
from pinchtp.board.rules_file import read_rules
from pinchtp.board.table import Table
from pinchtp.board.view import Activity, describe_board, describe_state
from pinchtp.games import GAMES, Color
from pinchtp.games.game import BANNED
from pinchtp.games.notation import cell_of, cells_of
from pinchtp.games.session import Session

ENGINE, PERSON = PlayerChoice(engine=0), PlayerChoice()
WITH_SIDES = [game.name for game in GAMES.values() if game.sides]


def after(moves: str, game: str = "pinch", size: int = 5, *, pie: bool = False) -> Session:
    """Returns a game after some moves, or parts of turns."""
    session = Session(GAMES[game], size, size, pie=pie)
    for move in moves.split():
        session.play(session.to_move, *session.parse(move))
    return session


def notes_at(session: Session) -> dict[str, list[int]]:
    """Returns the points of each note, by rule."""
    return {note.rule: note.points for note in find_notes(session, describe_board(session))}


def cells(session: Session, names: str) -> list[int]:
    points = [session.parse(name)[0] for name in names.split()]
    return sorted(cells_of(points, session.position.width))


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("pinch", "C3 C4 B4", "flip: C4"),
        ("pinch", "D1 D2 B5 E2 E1 C1", "flip: D1; cascade: E1; edge: C1 D1 E1 D2 E2"),
        ("pinch", "B1 E5 A2 A1", "safe: A1"),
        ("pinch", "A1 E5 A2 E4 A3", "edge: A1 A2 A3"),
        ("pinch", "A1 E5 A2 E4 A3 D5 A4", "threat: A5; edge: A1 A2 A3 A4"),
        ("pinch", "A1 E5 A2 E4 A3 D5 A4 D4 A5", ""),  # won
        ("pinch-remove", "C3 C4 B4", "removal: C4; ban: C4"),
        ("pinch-relocate", "C3 C4 B4", "relocation: C4"),
        ("capture-go", "C3 A1 B1", "atari: A1"),
        ("capture-go", "B1 A1 A2", "capture: A1"),
    ],
)
def test_notes_name_the_points_that_show_a_rule(game: str, moves: str, expected: str) -> None:
    session = after(moves, game)
    said = [each.split(": ") for each in expected.split("; ") if each]
    assert list(notes_at(session).items()) == [(rule, cells(session, at)) for rule, at in said]


@pytest.mark.parametrize("game", ["pinch", "capture-go"])
def test_swap_is_noted_in_the_words_of_its_game(game: str) -> None:
    session = after("c3 swap", game, pie=True)
    board = describe_board(session)
    (note,) = find_notes(session, board)
    assert note.points == cells(session, "c3")
    assert note.text.startswith("White swapped")
    assert ("top and bottom" in note.text) == session.game.sides
    assert board.top_owner == ("white" if session.game.sides else None)


@pytest.mark.parametrize(
    ("players", "noted"),
    [
        (Players(PERSON, PERSON), True),
        (Players(ENGINE, PERSON), True),
        (Players(ENGINE, ENGINE), False),
    ],
)
def test_only_persons_get_notes(players: Players, noted: bool) -> None:
    table = Table()
    table.begin(after(""), players)
    for move in ("c3", "c4", "b4"):
        table.play_text(move)
    state = describe_state(table, Ratings().message("pinch"), Activity())
    assert bool(state.rule_notes) == noted


@pytest.mark.parametrize("pie", [False, True])
def test_only_the_start_of_a_game_with_the_pie_rule_opens_a_swap(pie: bool) -> None:
    table = Table()
    table.begin(after("", pie=pie), Players(PERSON, PERSON))
    found = []
    for move in ("c3", "c4"):
        state = describe_state(table, Ratings().message("pinch"), Activity())
        found.append("opening" in state.can)
        table.play_text(move)
    assert found == [pie, False]


def test_set_up_position_opens_no_swap() -> None:
    session = after("", pie=True)
    session.set_up(session.position_of(after("c3").position.cells(), Color.WHITE))
    table = Table()
    table.begin(session, Players(PERSON, PERSON))
    state = describe_state(table, Ratings().message("pinch"), Activity())
    assert state.number == 0
    assert "opening" not in state.can


@pytest.mark.parametrize(
    ("moves", "chain"),
    [
        ("A1 E5 A2 E4 A3 D5 A4 D4 A5", "A5 A4 A3 A2 A1"),
        ("E5 A1 E4 B1 D5 C1 D4 D1 C5 E1", "A1 B1 C1 D1 E1"),
    ],
)
def test_distances_in_a_chain_begin_at_the_top_or_left(moves: str, chain: str) -> None:
    session = after(moves)
    board = describe_board(session)
    found = dict(zip(board.chain, board.distances, strict=True))
    assert found == {cells(session, name)[0]: far for far, name in enumerate(chain.split())}


def test_no_threat_is_noted_within_a_turn() -> None:
    """The mover still has a stone to put down."""
    session = after("a1 c1 c3 b2 a2", "pinch-relocate", 3)
    assert notes_at(session)["threat"] == cells(session, "a3")
    session = after("a1 c1 c3 b2 a2 b3 b1", "pinch-relocate", 3)
    assert session.position.mid_turn
    assert "threat" not in notes_at(session)


@given(st.sampled_from(WITH_SIDES), st.integers(2, 6), st.randoms())
def test_threats_are_wins_by_the_core(game: str, size: int, choice: Random) -> None:
    """All that capture nothing, and perhaps some others."""
    session = after("", game, size)
    for _ in range(choice.randint(1, size * size)):
        if not session.is_over:
            session.play(session.to_move, choice.choice(session.position.legal_moves()))
    position = session.position
    assume(not session.is_over and not position.mid_turn)
    free = bytes(0 if cell == BANNED else cell for cell in position.cells())
    mover = Color(position.to_move).opponent
    again = session.position_of(free, mover)
    played = {cell_of(move, size): again.play(move) for move in again.legal_moves()}
    winning = {at for at, after in played.items() if after.result == mover or after.mid_turn}
    quiet = {at for at in winning if count_changes(free, played[at].cells()) == 1}
    found = set(notes_at(session).get("threat", []))
    assert quiet <= found <= winning


def count_changes(before: bytes, after: bytes) -> int:
    return sum(old != new for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_declared_notes_are_complete(game: str) -> None:
    notes = read_rules(game).notes
    assert notes
    assert len({note.rule for note in notes}) == len(notes)
    for note in notes:
        assert note.points in FINDERS
        assert note.text.format(mover="Black").endswith(".")


# They draw: a board, its keys, the names of its points.
DRAWING = {"board_input.js", "live_board.js"}
ROW_OR_COLUMN = re.compile(r"(?<!\*)[/%] *(?:\w+\.)*width\b")


def test_scripts_of_the_page_compute_no_rules() -> None:
    """Rules are about neighbors, which nobody finds without the row or the column of a cell."""
    scripts = list((Path(pinchtp.board.__file__).parent / "page").glob("*.js"))
    assert {path.name for path in scripts} >= DRAWING
    found = {path.name for path in scripts if ROW_OR_COLUMN.search(path.read_text("utf-8"))}
    assert found == DRAWING
