"""A game session: moves, swaps, undo, and the end."""

import pytest
from boards import session_after

from pinchtp._core import PASS, SWAP
from pinchtp.base.clock import TimeControl
from pinchtp.games import GAMES, Color
from pinchtp.games import session as session_module
from pinchtp.games.history import undo_points
from pinchtp.games.notation import NotationError, coordinates, parse_move
from pinchtp.games.session import CannotUndo, GameHeader, IllegalMove, IncompleteTurn, Session
from pinchtp.records.position_line import load_position

BLACK = Color.BLACK
WHITE = Color.WHITE

# Black fills the second column of a board with three rows, White plays in the fourth.
COLUMN_RACE = ("b1", "d1", "b2", "d2", "b3")


def new(width: int = 5, height: int = 5, *, pie: bool = True) -> Session:
    return Session(GAMES["pinch"], width, height, pie=pie)


def play(session: Session, *texts: str) -> Session:
    """Plays moves in turn."""
    for text in texts:
        session.play(session.to_move, parse_move(text, session.position))
    return session


def stone(session: Session, vertex: str) -> Color | None:
    x, y = coordinates(parse_move(vertex, session.position))
    cell = session.position.cells()[y * session.position.width + x]
    return Color(cell - 1) if cell else None


def points(session: Session, *vertices: str) -> list[int]:
    return [parse_move(vertex, session.position) for vertex in vertices]


def relocating() -> Session:
    """A position of Pinch with relocation whose next turn, B4,D2,A1,E5, has four parts."""
    session = Session(GAMES["pinch-relocate"], 5, 5)
    session.load(*load_position("XO.../..O../..X../...../...XO b", session))
    return session


# --- moves


def test_new_game() -> None:
    session = new(7, 4)
    assert (session.position.width, session.position.height) == (7, 4)
    assert session.to_move is BLACK
    assert session.position == session.start
    assert session.history == []
    assert session.moves == ()
    assert session.last_move is None
    assert not session.is_over
    assert session.winner is None
    assert session.resigned is None


def test_history_has_colors() -> None:
    session = play(new(), "c3", "b2", "d4")
    assert [turn.color for turn in session.history] == [BLACK, WHITE, BLACK]
    assert [turn.position for turn in session.history][-1] == session.position
    assert session.last_move == session.moves[-1] == parse_move("d4", session.position)
    assert session.to_move is WHITE


def refused(session: Session, color: Color, text: str, why: str) -> None:
    """Asserts that a move is rejected for this reason and changes nothing."""
    before = (session.position, list(session.history), session.to_move, session.is_over)
    with pytest.raises(IllegalMove) as refusal:
        session.play(color, parse_move(text, session.position))
    assert str(refusal.value) == why
    assert (session.position, session.history, session.to_move, session.is_over) == before


def test_illegal_moves() -> None:
    session = play(new(), "c3")
    refused(session, BLACK, "d4", "it is white's turn")
    refused(session, WHITE, "c3", "C3 is occupied")
    refused(session, WHITE, "f1", "no such point on the 5x5 board")
    refused(session, WHITE, "a6", "no such point on the 5x5 board")
    play(session, "d4")
    refused(session, BLACK, "swap", "a swap is possible only as the second move")
    refused(session, BLACK, "pass", "passing is not allowed here")
    refused(play(new(pie=False), "c3"), WHITE, "swap", "this game is played without the pie rule")


def test_missing_or_empty_point_is_not_banned() -> None:
    session = Session(GAMES["bushka"], 10, 10)
    for square in ("A1", "E5"):
        why = session.why_illegal(parse_move(square, session.position))
        assert why == f"{square} cannot be moved to"


def test_pie_rule_does_not_change() -> None:
    session = play(new(pie=False), "c3")
    assert not session.position.swap_open
    session.restart(6, 6)
    assert not play(session, "c3").position.swap_open


# --- the swap


def test_swap_changes_labels_only() -> None:
    session = play(new(), "b3", "swap")
    assert stone(session, "b3") is WHITE
    assert sum(cell != 0 for cell in session.position.cells()) == 1
    assert session.to_move is BLACK
    assert session.position.swapped
    assert not session.position.swap_open
    assert session.moves == (parse_move("b3", session.position), SWAP)
    assert session.history[-1].color is WHITE


# --- complete moves and their effects


def test_turns_group_steps() -> None:
    """Including an incomplete turn whose player resigns."""
    session = session_after("bushka", "d2 d3 g9-g8 e2")
    turns = [(WHITE, ["d23"]), (BLACK, ["g98"]), (WHITE, ["E2"])]
    assert [(turn.color, session.texts(turn)) for turn in session.turns()] == turns
    assert session.turns()[0].before == session.start
    assert session.turns()[1].before == session.turns()[0].after != session.turns()[1].after
    session.resign(WHITE)
    ended = [*turns, (WHITE, ["resign"])]
    assert [(turn.color, session.texts(turn)) for turn in session.turns()] == ended
    session.play(BLACK, PASS)
    session.play(WHITE, PASS)
    idle = [(BLACK, ["pass"]), (WHITE, ["pass"])]
    assert [(turn.color, session.texts(turn)) for turn in session.turns()] == ended + idle
    assert [turn.after_end for turn in session.turns()] == [False] * 4 + [True] * 2
    assert session.played_turns() == session.turns()[:3]
    assert session.last_turn == session.turns()[2]


def test_first_turn_of_several_parts_is_the_last_one() -> None:
    session = relocating()
    with pytest.raises(IncompleteTurn, match=r"^the turn continues after A1$"):
        session.play(BLACK, *points(session, "b4", "d2", "a1"))
    session.play(BLACK, *points(session, "b4"))
    assert session.last_turn == session.turns()[0]
    session.play(BLACK, *points(session, "d2", "a1", "e5"))
    assert session.last_turn == session.turns()[0]
    assert undo_points(session.history) == [0, 1]


def test_line_has_colors_and_texts() -> None:
    session = play(new(), "c3")
    line = points(session, "d4", "b2", "e5")
    assert session.line_texts(line) == [(WHITE, "D4"), (BLACK, "B2"), (WHITE, "E5")]


def test_line_has_complete_turns_or_their_parts() -> None:
    session = relocating()
    line = points(session, "b4", "d2", "a1", "e5", "e4")
    assert session.line_texts(line) == [(BLACK, "B4,D2,A1,E5"), (WHITE, "E4")]
    parts = [*((BLACK, part) for part in ("B4", "D2", "A1", "E5")), (WHITE, "E4")]
    assert session.line_texts(line, parts=True) == parts
    assert session.line_texts(line[:1]) == [(BLACK, "B4,A1,B1")]  # completed
    session.play(BLACK, line[0])
    assert session.line_texts(line[1:]) == parts[1:]
    assert session.line_texts(line[1:3]) == parts[1:3]


def test_effects_of_latest_turn() -> None:
    session = session_after("pinch-remove", "c3 d3 d4")
    assert session.captured_points() == points(session, "d3")
    assert session.last_points() == points(session, "d4")
    session = session_after("pinch", "c3 swap", pie=True)
    assert (session.captured_points(), session.last_points()) == ([], [])
    session = session_after("pinch", "c3 d3 d4")
    assert session.captured_points() == points(session, "d3")
    assert session.last_points() == points(session, "d4")


def test_prisoners_are_the_stones_that_left_the_board() -> None:
    assert session_after("pinch", "c3 d3 d4").prisoners() == (0, 0)  # it flips
    assert session_after("pinch-remove", "c3 d3").prisoners() == (0, 0)
    session = session_after("pinch-remove", "c3 d3 d4")
    assert session.prisoners() == (0, 1)
    session.resign(BLACK)
    session.play(WHITE, PASS)
    assert session.prisoners() == (0, 1)
    assert session_after("pinch-remove", "c3 swap d3 d4", pie=True).prisoners() == (1, 0)
    session = session_after("capture-go", "b1 a1 a2")
    assert session.is_over
    session.play(WHITE, PASS)
    assert (session.prisoners(), session.captured_points()) == ((0, 1), points(session, "a1"))


def test_stones_in_hand_are_no_prisoners() -> None:
    session = relocating()
    for part in ("b4", "d2", "a1", "e5"):
        session.play(BLACK, *points(session, part))
        assert session.prisoners() == (0, 0)


def test_expected_moves_left() -> None:
    """The average of the game, per color; later a tenth of the points, or one."""
    game = GAMES["pinch"]
    session = new(8, 10)
    average = game.expected_turns * 80
    assert session.moves_left() == pytest.approx(average / 2)
    play(session, "a1", "swap", "b3", "e6")
    assert session.moves_left() == pytest.approx((average - 3) / 2)
    while not session.is_over:
        session.play(session.to_move, session.position.legal_moves()[-1])
    assert session.moves_left() == pytest.approx(80 / 20)
    assert play(new(2, 2), "a1", "b1").moves_left() == 1


# --- undo


def test_undo_reverts_swap() -> None:
    session = play(new(), "c3", "swap", "d4")
    session.undo()
    assert (session.to_move, session.position.swapped) == (BLACK, True)
    session.undo()
    assert (session.to_move, stone(session, "c3")) == (WHITE, BLACK)
    assert session.position.swap_open
    session.undo()
    assert session.position == session.start


def test_undo_of_several_moves() -> None:
    session = play(new(), "a1", "b2", "c3", "d4")
    session.undo(3)
    assert session.moves == (parse_move("a1", session.position),)
    session.undo(0)
    assert len(session.history) == 1


def test_undo_of_too_many_moves_fails() -> None:
    session = play(new(), "a1", "b2")
    with pytest.raises(CannotUndo, match="no move was played"):
        new().undo(1)
    with pytest.raises(CannotUndo, match="only 1 move was played, so 3 cannot be undone"):
        play(new(), "c3").undo(3)
    with pytest.raises(CannotUndo, match="only 2 moves were played, so 3 cannot be undone"):
        session.undo(3)
    assert len(session.history) == 2


def test_undo_reopens_finished_game() -> None:
    session = play(new(4, 3), *COLUMN_RACE)
    session.play(WHITE, PASS)
    session.undo()
    assert session.is_over
    session.undo()
    assert not session.is_over
    assert session.to_move is BLACK


def test_undo_reverts_resignation() -> None:
    session = play(new(), "c3")
    session.resign(BLACK)
    session.undo()
    assert not session.is_over
    assert session.resigned is None
    assert play(session, "d4").to_move is BLACK


# --- the end


def test_finished_game_accepts_passes_only() -> None:
    """Controllers without rules stop after two passes."""
    session = play(new(4, 3), *COLUMN_RACE)
    end = session.position
    assert session.winner is BLACK
    for color in [WHITE, BLACK, BLACK, WHITE]:
        session.play(color, PASS)
    assert session.position == end
    assert session.moves[-1] == session.last_move == parse_move("b3", end)
    for color in Color:
        refused(session, color, "a1", "the game is over")
        refused(session, color, "swap", "the game is over")
        with pytest.raises(IllegalMove, match="the game is over"):
            session.resign(color)


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("moves", [(), ("c3",), ("c3", "swap"), ("c3", "d4", "a1")])
def test_resignation_loses(color: Color, moves: tuple[str, ...]) -> None:
    """Either player may resign, before or after a swap."""
    session = play(new(), *moves)
    last = session.last_turn
    session.resign(color)
    assert session.is_over
    assert session.resigned is color
    assert session.winner is color.opponent
    session.play(color, PASS)
    session.play(color.opponent, PASS)
    assert session.last_turn == last
    refused(session, session.to_move, "e5", "the game is over")
    with pytest.raises(NotationError):
        session.parse("quit")


def test_second_turn_begins_after_the_first() -> None:
    session = play(new(), "c3", "d4")
    last = session.last_turn
    assert last is not None
    assert last.before == session.history[0].position


def test_passes_after_resignation_are_not_moves() -> None:
    session = play(new(), "c3", "d4")
    moves = session.moves
    session.resign(BLACK)
    session.play(WHITE, PASS)
    assert (session.moves, len(session.history)) == (moves, 4)


def test_longest_game_may_complete_its_last_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "MOST_MOVES", 3)
    session = relocating()
    for part in ("b4", "d2", "a1", "e5"):
        assert not session.is_full
        session.play(BLACK, *points(session, part))
    assert session.is_full
    refused(session, WHITE, "e4", session_module.TOO_LONG)
    session.undo(2)
    session.resign(BLACK)
    assert session.is_full


def test_moves_change_the_game_that_was_begun_or_loaded() -> None:
    session = new()
    assert not session.is_changed
    assert play(session, "c3").is_changed
    session.restart()
    assert not session.is_changed
    assert play(session, "c3").is_changed
    session.set_up(session.start)
    assert not session.is_changed


def test_changed_moves_take_back_the_result() -> None:
    session = new()
    info = GameHeader(black="Ann", result="B+R")
    session.load(session.start, info=info)
    session.undo(0)
    assert session.info == info
    assert play(session, "c3").info == GameHeader(black="Ann")
    session.load(session.start, session.history, info)
    session.undo()
    assert session.info == GameHeader(black="Ann")


def test_restart_begins_on_the_same_or_another_board() -> None:
    session = play(new(4, 3), *COLUMN_RACE)
    session.restart()
    assert (session.start.width, session.start.height) == (4, 3)
    assert session.position == session.start
    assert not session.is_over
    session.restart(6, 7)
    assert (session.position.width, session.position.height) == (6, 7)


def test_invalid_restart_changes_nothing() -> None:
    session = play(new(), "c3")
    position = session.position
    for width, height in [(5, 26), (0, 5), (5, 0)]:
        with pytest.raises(ValueError, match="unacceptable size"):
            session.restart(width, height)
    assert session.position == position
    assert len(session.history) == 1


def test_restart_resets_clocks() -> None:
    session = new()
    session.set_time(TimeControl.absolute(60))
    session.set_clock(WHITE, session.clock(WHITE).after(50))
    assert session.clock(WHITE).left == 10
    session.restart()
    assert [session.clock(color).left for color in Color] == [60, 60]
