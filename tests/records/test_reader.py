"""The one reader of games recognizes the format, and its errors name the place."""

from collections.abc import Callable

import pytest
from record_games import PINCH, moves, played

from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.records.abstract_play import encode, to_record
from pinchtp.records.errors import RecordError
from pinchtp.records.game import RecordFormat, Usual
from pinchtp.records.link import link_text
from pinchtp.records.position_line import position_line
from pinchtp.records.reader import read, read_first
from pinchtp.records.sgf import to_sgf

MOVES = "e5 swap c3 d4 resign"
USUAL = Usual(PINCH, start=Session(PINCH, 9, 9).start)


def as_record(session: Session) -> str:
    """Returns the game as Abstract Play's, which has no 5x5."""
    return encode([to_record(session)]).decode()


WRITERS: dict[RecordFormat, Callable[[Session], str]] = {
    RecordFormat.SGF: to_sgf,
    RecordFormat.ABSTRACT_PLAY: as_record,
    RecordFormat.LINK: link_text,
    RecordFormat.POSITION: position_line,
    RecordFormat.MOVES: lambda _session: MOVES,
}


@pytest.mark.parametrize("format_", RecordFormat)
@pytest.mark.parametrize("make", [str, str.encode, lambda text: b"\xef\xbb\xbf" + text.encode()])
def test_every_format_is_recognized(
    format_: RecordFormat, make: Callable[[str], str | bytes]
) -> None:
    session = played(*MOVES.split(), width=9, height=9)
    (game,) = read(make(WRITERS[format_](session)), USUAL)
    again = game.read().session()
    assert game.format == format_
    assert (again.position.cells(), again.resigned) == (session.position.cells(), Color.BLACK)


@pytest.mark.parametrize("text", ["e5 swap c3", ".../.X./... w"])
def test_text_without_a_game_is_rejected(text: str) -> None:
    reason = "not an SGF file: no game found; a position or a list of moves needs its game"
    with pytest.raises(RecordError, match=reason):
        read(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;SZ[9]\nUS[Mats[3d]]", "line 2, column 12: ']' after the end of a value"),
        ("(;SZ[9]RU[pinch, no swap];B[cc];W[cc])", "move 2: C7 is occupied"),
        ("{}", "not a record of Abstract Play: Object missing required field `header`"),
        ("#game=pinch;9x9;e5.e5", "move 2, 'e5': E5 is occupied"),
        (".../.?./...", "row 2, column B: '?'; expected one of"),
        ("e5 e5", "move 2, 'e5': E5 is occupied"),
        ("play w e5", "move 1, 'e5': it is black's turn"),
        ("play b e5\nplay b d4", "move 2, 'd4': it is white's turn"),
        ("B e5 W swap White c3", "move 3, 'c3': it is black's turn"),
        ("(;SZ[8]RU[bushka])", "a record of bushka, not of pinch"),
        ("#game=bushka;10x10;", "a record of bushka, not of pinch"),
        ("http://127.0.0.1/", "nor a list of moves: move 1: 'http://127' is not a move"),
        ("e5 " + "x" * 50, "move 2: '" + "x" * 20 + "' is not a move: use a vertex"),
    ],
)
def test_errors_name_problem_and_place(text: str, reason: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_first(text, Usual(PINCH, is_required=True))
    said = str(refused.value)
    assert reason in said
    assert ("board" in said) == ("?" in text)


@pytest.mark.parametrize("usual", [Usual(), USUAL])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "nothing to load"),
        (b"\xef\xbb\xbf \n", "nothing to load"),
        (b"\x89PNG\r\n\x1a", "this file is not a game record"),
    ],
)
def test_file_without_text_needs_no_game(usual: Usual, data: bytes, reason: str) -> None:
    with pytest.raises(RecordError, match=f"^{reason}$"):
        read(data, usual)


@pytest.mark.parametrize(
    "text", ["e5 swap c3", "e5.swap.c3", "1. e5 2. swap 3. c3", "1.e5 2...swap;c3", "1.E5.swap.c3"]
)
def test_moves_may_be_numbered_or_separated_by_dots(text: str) -> None:
    session = read_first(text.replace(";", "; "), USUAL).session()
    assert moves(session) == ["black E5", "white swap", "black C3"]


def test_moves_alone_begin_where_the_game_does() -> None:
    start = Session(PINCH, 5, 7, pie=False).start
    assert read_first("a1 b7", Usual(PINCH, start=start)).session().start == start


def test_moves_with_colors_are_read() -> None:
    text = "play b e5\nplay w swap\nplay black c3 # a comment\nplay b resign"
    session = read_first(text, USUAL).session()
    assert moves(session) == ["black E5", "white swap", "black C3", "black resign"]


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("e5 swap c3 resign", Color.WHITE),
        ("e5 swap c3 resign-b", Color.BLACK),
        ("1. E5 swap 2. C3 Resign-W", Color.WHITE),
        ("e5.swap.c3.resign-b", Color.BLACK),
        ("b e5 w swap b c3 b resign", Color.BLACK),
    ],
)
def test_moves_may_end_with_a_resignation(text: str, color: Color) -> None:
    assert read_first(text, USUAL).session().resigned == color


def test_link_in_a_comment_is_text() -> None:
    (game,) = read("(;SZ[9]RU[pinch]C[#game=pinch;5x5;a1];B[ee])")
    assert game.format == RecordFormat.SGF
