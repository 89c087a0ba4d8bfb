"""SGF files of other programs, and files that are rejected."""

import re
from dataclasses import replace
from time import process_time
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_games import (
    DATA,
    PINCH,
    REFUSED_FILES,
    from_sgf,
    loaded,
    moves,
    played,
    read,
)

from pinchtp.base.clock import TimeControl
from pinchtp.base.text import in_answer
from pinchtp.games import GAMES, Color
from pinchtp.games.history import RecordExtras
from pinchtp.games.notation import cell_of, parse_move
from pinchtp.games.session import GameHeader, Session
from pinchtp.records.errors import RecordError
from pinchtp.records.reader import read_sgf
from pinchtp.records.sgf import to_sgf
from pinchtp.records.sgf.syntax import MAX_NODES


def test_gogui_file_is_read() -> None:
    session = loaded((DATA / "gogui.sgf").read_bytes())
    assert moves(session) == ["black C3", "white swap", "black B2", "white D4", "black resign"]
    assert session.info == GameHeader(
        "Player",
        "pinchtp 0.1",
        "2026-11-21",
        control=TimeControl.canadian(600, 60, 5),
        extras=RecordExtras((("AP", ("GoGui:1.6.0",)), ("KM", ("0",)))),
    )
    comment = "Comment of two lines,\n\nthe first one before an empty line"
    assert session.history[2].comment == comment
    assert session.winner is Color.WHITE


def test_hexgui_file_is_read() -> None:
    session = loaded((DATA / "hexgui.sgf").read_bytes(), pie=False)
    assert moves(session) == ["black C2", "white swap", "black E4", "white A1", "black resign"]
    assert (session.start.width, session.start.height) == (5, 4)


def test_sabaki_file_is_read() -> None:
    session = loaded((DATA / "sabaki.sgf").read_bytes())
    assert moves(session) == ["black E5", "white E4", "black F5", "white F4", "white resign"]
    assert session.info.black == "Jos]é"


def test_setup_stones_are_read() -> None:
    session = loaded((DATA / "setup.sgf").read_bytes())
    cells = session.start.cells()
    stones = {i: cell for i, cell in enumerate(cells) if cell}
    assert stones == {4: 1, 5: 2, 18: 2, 24: 1, 26: 1}
    assert moves(session) == ["white B4", "black F5"]
    assert session.info.comment == "About the game"


def test_long_property_names_are_read() -> None:
    session = loaded((DATA / "old-names.sgf").read_bytes())
    assert moves(session) == ["black B2", "white A1", "black B3"]


@pytest.mark.parametrize("word", ["swap-pieces", "swap-sides", "SWAP", "", "tt", "pass", " tt\n"])
def test_swap_is_read_in_each_spelling(word: str) -> None:
    session = loaded(f"(;SZ[5];B[cc];W[{word}];B[cd])")
    assert moves(session) == ["black C3", "white swap", "black C2"]
    assert session.position.swapped


def test_read_first_stone_again_is_a_swap() -> None:
    """Some programs write a swap by a click on the stone so."""
    assert moves(loaded("(;SZ[5];B[cc];W[cc];B[cd])")) == ["black C3", "white swap", "black C2"]
    for refused in (";B[cc];W[dd];B[cc]", "RU[pinch, no swap];B[cc];W[cc]"):
        with pytest.raises(RecordError, match="C3 is occupied"):
            read(f"(;SZ[5]{refused})")


def test_recorded_swap_implies_the_pie_rule() -> None:
    assert loaded("(;SZ[5];B[cc];W[swap];B[cd])", pie=False).position.swapped
    assert loaded("(;SZ[5];B[cc];W[]MV[swap];AW[cc];B[cd])", pie=False).position.swapped
    for refused in ("RU[pinch, no swap];B[cc];W[swap]", ";B[cc];W[]", "AB[aa];B[cc];W[swap]"):
        with pytest.raises(RecordError):
            read(f"(;SZ[5]{refused})", pie=False)


def test_record_without_rules_has_the_usual_swap() -> None:
    for second in ("", "cc"):
        record = read_sgf(f"(;GN[Pinch]SZ[5];B[cc];W[{second}];B[cd])")[0].read()
        assert moves(record.session()) == ["black C3", "white swap", "black C2"]


def test_first_moves_of_a_game_end_without_its_result() -> None:
    (game,) = read_sgf("(;SZ[5]RU[pinch]RE[B+R];B[cc];W[dd])")
    record = game.read(1)
    assert moves(record.session()) == ["black C3"]
    assert record.info.result == ""
    assert moves(game.read(2).session()) == ["black C3", "white D2", "white resign"]


def test_start_of_other_programs_is_read() -> None:
    """Our crosscut is not added; handicap stones may be written as moves in a row."""
    game = GAMES["capture-go"]
    session = Session(game, 9, 9, pie=True, crosscut=True)
    assert any(session.start.cells())
    from_sgf(b"(;SZ[9];B[cc])", game, pie=True, crosscut=True).load_into(session)
    assert not any(session.start.cells())
    record = b"(;SZ[9]HA[2];C[hello];B[cc];B[gg];W[ee];B[aa];W[bb])"
    from_sgf(record, game, pie=True).load_into(session)
    stones = [parse_move(vertex, session.position) for vertex in ("C7", "G3")]
    assert [session.start.cells()[cell_of(stone, 9)] for stone in stones] == [1, 1]
    assert sum(session.start.cells()) == 2
    assert moves(session) == ["white E5", "black A9", "white B8"]
    # The first of two values counts, and White moves after handicap stones, whatever PL says.
    record = b"(;SZ[9]HA[2][0]PL[B];B[cc];B[gg];W[ee])"
    from_sgf(record, game, pie=True).load_into(session)
    assert (sum(session.start.cells()), moves(session)) == (2, ["white E5"])
    from_sgf(b"(;SZ[9]HA[2];AW[aa];B[cc];B[gg];W[ee])", game).load_into(session)
    assert (sum(session.start.cells()), moves(session)) == (4, ["white E5"])
    for placed in ("HA[1]C[hello]AB[aa];B[cc];W[ee]", "HA[2]C[hello];B[cc];W[ee]"):
        from_sgf(f"(;SZ[9]{placed})", game).load_into(session)
        assert (moves(session), session.info.comment) == (["black C7", "white E5"], "hello")


def test_start_may_differ_in_its_color_only() -> None:
    start = from_sgf("(;SZ[10]RU[bushka]PL[B])", GAMES["bushka"]).start
    usual = GAMES["bushka"].start(10, 10)
    assert (start.to_move, usual.to_move) == (Color.BLACK, Color.WHITE)
    assert start.cells() == usual.cells()


def test_list_may_name_every_point() -> None:
    assert not any(loaded("(;SZ[5]AB[cc];AE[aa:ee];B[cc])").start.cells())


def test_moves_of_any_game_as_texts() -> None:
    (line,) = read_sgf(b"(;SZ[9];B[cc];W[aabbcc](;B[];W[tt];B[swap];W[c4])(;B[dd]))")
    assert list(line.move_texts()) == ["C7", "A9,B8,C7", "pass", "pass", "swap", "c4"]
    (line,) = read_sgf(b"(;SZ[10];W[]MV[d5e4x];B[cc])")
    assert list(line.move_texts()) == ["d5e4x", "C8"]
    (line,) = read_sgf(b"(;SZ[20:9];B[tt])")
    with pytest.raises(RecordError, match="tt is not on the 20x9 board"):
        list(line.move_texts())
    with pytest.raises(RecordError, match="invalid SGF: "):
        read_sgf(b"(;SZ[9")


@pytest.mark.parametrize(
    ("charset", "raw", "comment"),
    [
        ("", "ä", "ä"),
        ("", b"\xe4", "ä"),
        ("CA[UTF-8]", "ä", "ä"),
        ("CA[ISO-8859-1]", "ä", "Ã¤"),
        ("CA[iso-8859-1][utf-8]", "ä", "Ã¤"),
        ("CA[none at all]", "ä", "ä"),
        ("CA[UTF-8]", "äö".encode() + b"\xe4", "äö\ufffd"),
        ("", "äö".encode() + b"\xe4", "äö\ufffd"),
        ("CA[EUC-KR]", "한글".encode("euc-kr") + b"\xff", "한글\ufffd"),
    ],
)
def test_texts_are_read_by_the_charset_of_the_root(
    charset: str, raw: str | bytes, comment: str
) -> None:
    data = raw.encode() if isinstance(raw, str) else raw
    session = Session(PINCH, 5, 5)
    from_sgf(b"(;SZ[5]" + charset.encode() + b";B[cc]C[" + data + b"])", PINCH).load_into(session)
    assert session.history[0].comment == comment


def test_kings_of_both_colors() -> None:
    data = b"(;SZ[10]RU[bushka]AB[ff][ed]AW[dg][ef]KI[ef][ff]PL[W])"
    session = Session(GAMES["bushka"], 10, 10)
    from_sgf(data, GAMES["bushka"]).load_into(session)
    cells = session.start.cells()
    where = [parse_move(vertex, session.position) for vertex in ("F5", "E7", "D4", "E5")]
    assert [cells[cell_of(at, 10)] for at in where] == [3, 1, 2, 4]


def test_removal_leaves_the_rest_of_a_usual_start() -> None:
    session = Session(GAMES["bushka"], 10, 10)
    usual = session.start.cells()
    from_sgf(b"(;SZ[10]RU[bushka]AE[fg])", GAMES["bushka"]).load_into(session)
    cells = session.start.cells()
    changed = [at for at, cell in enumerate(usual) if cells[at] != cell]
    assert changed == [cell_of(parse_move("F4", session.position), 10)]
    assert cells[changed[0]] == 0


@pytest.mark.parametrize("time", ["TM[0]", "TM[600]OT[5x0 byo-yomi]", "TM[600]OT[0/30 Canadian]"])
def test_times_that_make_no_clock_are_passed_over(time: str) -> None:
    session = loaded(f"(;SZ[5]{time};B[cc])")
    assert session.info.control == TimeControl.none()
    assert moves(session) == ["black C3"]


def test_tt_is_a_point_of_large_boards() -> None:
    assert moves(loaded("(;SZ[20];B[tt])")) == ["black U1"]


def test_passes_after_the_end() -> None:
    session = loaded("(;SZ[2]RE[B+R];B[aa];W[ba];B[ab];W[tt];B[pass];W[])")
    assert moves(session)[3:] == ["white pass", "black pass", "white pass"]
    assert session.resigned is None


@pytest.mark.parametrize(
    ("root", "size"),
    [("", (19, 19)), ("GM[1]", (19, 19)), ("GM[11]", (11, 11)), ("SZ[7:13]", (7, 13))],
)
def test_board_size_is_read(root: str, size: tuple[int, int]) -> None:
    start = loaded(f"(;{root})").start
    assert (start.width, start.height) == size


def test_side_to_move_is_read_or_inferred() -> None:
    assert loaded("(;SZ[5]PL[W])").to_move is Color.WHITE
    assert loaded("(;SZ[5]PL[2])").to_move is Color.WHITE
    assert loaded("(;SZ[5]PL[1])").to_move is Color.BLACK
    assert loaded("(;SZ[5]AB[aa])").to_move is Color.BLACK
    assert loaded("(;SZ[5]AB[aa];W[bb];B[cc])").to_move is Color.WHITE
    assert loaded("(;SZ[5];PL[W];W[bb];PL[B])").to_move is Color.BLACK


REFUSED = {
    "": "not an SGF file: no game found, which would begin with '(;'",
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR": "not an SGF file: no game found, which would begin with '(;'",
    "(;SZ[5];B[cc]": "invalid SGF: line 1, column 14: the file ends before the ')' of its game",
    "(;SZ[5];B[cc": "invalid SGF: line 1, column 10: '[' of a value without a closing ']'",
    "(;SZ[5];B)": "invalid SGF: line 1, column 10: ')' where '[' should begin the value of a "
    "property",
    "(;SZ[5]US[Mats[3d]];B[cc])": "invalid SGF: line 1, column 19: ']' after the end of a value; "
    "inside a value write '\\]'",
    "(;SZ[5]\n;B[cc]\n---\n;W[dd])": "invalid SGF: line 3, column 1: '-' where a property, ';', "
    "'(' or ')' should be",
    "(;SZ[5](;B[cc]);W[dd])": "invalid SGF: line 1, column 16: ';' where '(' or ')' should be",
    "(;SZ[5](B[cc]))": "invalid SGF: line 1, column 9: 'B' where ';' should begin a node",
    "(;GM[2];B[cc])": "GM[2] is another game",
    "(;SZ[five])": "SZ[five] is not a board size",
    "(;SZ[])": "SZ[] is not a board size",
    "(;SZ[1])": "SZ[1]: boards have 2 to 25 columns and rows",
    "(;SZ[26])": "SZ[26]: boards have 2 to 25 columns and rows",
    "(;SZ[5:99])": "SZ[5:99]: boards have 2 to 25 columns and rows",
    "(;SZ[5]PL[red])": "PL[red]: invalid color",
    "(;SZ[5]AB[ff])": "ff is not on the 5x5 board",
    "(;SZ[5]AB[])": "an empty value is not a point",
    "(;SZ[5]AB[aa:ae]AW[ba:bf])": "bf is not on the 5x5 board",
    "(;SZ[5]RU[pinch, no swap];B[cc];W[cc])": "move 2: C3 is occupied",
    "(;SZ[5];B[cc];B[dd])": "move 2: it is white's turn",
    "(;SZ[5];B[cc];W[dd];B[])": "move 3: passing is not allowed here",
    "(;SZ[19];B[tt])": "move 1: passing is not allowed here",
    "(;SZ[5];B[swap])": "move 1: a swap is possible only as the second move",
    "(;SZ[5];B[cc];W[dd];B[swap])": "move 3: a swap is possible only as the second move",
    "(;SZ[5];B[f1])": "move 1: f1 is not on the 5x5 board",
    "(;SZ[5];B[a6])": "move 1: a6 is not on the 5x5 board",
    "(;SZ[5];B[a0])": "move 1: a0 is not a point",
    "(;SZ[5];B[i18446744073709551616])": "move 1: i1844674407370955161 is not a point",
    "(;SZ[5];B[\nc\xff])": "move 1: c\\xff is not a point",
    "(;SZ[5];B[aa][bb])": "move 1: two moves in one node",
    "(;SZ[5];B[aa]W[bb])": "move 1: two moves in one node",
    "(;SZ[5];B[cc]AW[dd];W[ee];AB[aa])": "move 3: AB shows another board than the moves lead to",
    "(;SZ[5];B[cc];AE[cc])": "move 2: AE shows another board than the moves lead to",
    "(;SZ[5];B[cc]MV[c4])": "move 1: MV is another move than cc",
    "(;SZ[5];B[cc]MV[x])": "move 1: 'x' is not a move: use a vertex such as D4, swap or pass",
    "(;SZ[5];B[cc];PL[B])": "move 2: the side to move changes in the middle of the game",
    "(;SZ[5];B[cc];W[resign];B[dd])": "move 3: the game is over",
    "(;SZ[5];B[resign];W[resign])": "move 2: the game is over",
    "(;SZ[2];B[aa];W[ba];B[ab];W[bb])": "move 4: the game is over",
    "(;SZ[5]" + ";" * MAX_NODES + ")": f"more than {MAX_NODES} nodes",
    "(;SZ[5]" + "(;)" * MAX_NODES + ")": f"more than {MAX_NODES} nodes",
    "(;SZ[2]AB[aa][bb][aa:bb])": "AB names more points than the board has",
    "(;SZ[3]AW[aa:cc][aa])": "AW names more points than the board has",
}


@pytest.mark.parametrize(("data", "reason"), REFUSED.items(), ids=range(len(REFUSED)))
def test_wrong_record_is_refused(data: str, reason: str) -> None:
    with pytest.raises(RecordError, match=f"^{re.escape(reason)}$"):
        read(data.encode("latin-1"))


@pytest.mark.parametrize(("name", "reason"), REFUSED_FILES.items())
def test_wrong_file_is_refused(name: str, reason: str) -> None:
    with pytest.raises(RecordError, match=f"^{re.escape(reason)}$"):
        read((DATA / f"{name}.sgf").read_bytes())


@pytest.mark.parametrize("game", ["pinch", "capture-go"])
@pytest.mark.parametrize("root", ["GM[1]RE[W+0.5]", "RE[b+12]RU[Japanese]"])
def test_result_in_points_is_refused_as_go(root: str, game: str) -> None:
    result = root.partition("RE[")[2].partition("]")[0]
    with pytest.raises(RecordError, match=re.escape(f"RE[{result}], not of {game}")):
        read(f"(;SZ[5]{root};B[cc];W[dd])", GAMES[game])
    read(f"(;SZ[5]{root}GN[{game}];B[cc];W[dd])", GAMES[game])


@pytest.mark.parametrize(
    ("root", "game", "doubt"),
    [
        ("GM[1]", "pinch", "GM[1] is Go; read as Pinch"),
        ("GM[1]RU[Chinese]", "pinch-remove", "GM[1] is Go; read as Pinch with removal"),
        ("GM[1]RU[pinch, swap]", "pinch", ""),
        ("GM[1]", "capture-go", ""),
        ("GM[1]RU[Japanese]", "capture-go", "GM[1] is Go; read as First Capture Go"),
        ("GM[11]", "pinch", "neither RU nor GN names its game; read as Pinch"),
        ("RU[Chinese]", "pinch", "neither RU nor GN names its game; read as Pinch"),
        ("GM[1]GN[Pinch]", "pinch", ""),
        ("RU[Pinch With Removal]", "pinch-remove", ""),
    ],
)
def test_record_that_may_be_of_go_is_doubted(root: str, game: str, doubt: str) -> None:
    assert read(f"(;SZ[10]{root})", GAMES[game]).doubt == doubt


def test_records_of_other_games_are_refused() -> None:
    other = replace(PINCH, name="other")
    with (
        mock.patch.dict(GAMES, {"other": other}),
        pytest.raises(RecordError, match="a record of other, not of pinch"),
    ):
        read("(;SZ[5]RU[other, swap])")


def test_semicolon_in_value_is_text() -> None:
    assert loaded("(;SZ[5]C[" + ";" * 20_000 + "\\];];B[cc])").moves


@pytest.mark.parametrize(
    "data",
    [
        "(;SZ[25]" + "AB[aa:yy]" * 110_000 + ")",
        "(;SZ[25]AB" + "[aa:yy]" * 140_000 + ")",
        "[" * 1_000_000,
        "(;C[" + "\\" * 1_000_000,
    ],
    ids=["repeated", "listed", "brackets", "backslashes"],
)
def test_reading_time_is_bounded(data: str) -> None:
    """Once, one of these took 21 s."""
    began = process_time()
    with pytest.raises(RecordError):
        read(data)
    assert process_time() - began < 8


TOKENS = ["(", ";", ")", "[", "]", "\\", "B[aa]", "W[bb]", "B[]", "W[swap]", "AB[aa:cc]", "AE[aa]"]
TOKENS += ["SZ[5]", "SZ[2:3]", "GM[11]", "PL[W]", "RU[pinch, swapped]", "CA[utf-16]", "CA[a\0b]"]
TOKENS += ["RE[W+R]", "SBKV[200]", "AP[pinchtp:0]", "TM[1]", "OT[0x0 byo-yomi]", "C[", "\n", " "]
TEXTS = st.lists(st.sampled_from(TOKENS) | st.text(max_size=3)).map("".join)


def assert_printable(refusal: RecordError) -> None:
    """It becomes a line of an answer."""
    assert str(refusal).isprintable()


@settings(max_examples=300)
@given(
    st.binary()
    | TEXTS.map(lambda text: text.encode(errors="replace"))
    | TEXTS.map(lambda text: f"(;SZ[5]{text})".encode(errors="replace"))
)
def test_any_bytes(data: bytes) -> None:
    """They are refused, or they are a game that can be written and read back."""
    session = played("b2")
    try:
        record = read(data)
    except RecordError as refusal:
        assert_printable(refusal)
        return
    record.load_into(session)
    text = to_sgf(session)
    assert "\n\n" not in in_answer(text)
    again = read(text)
    assert (again.start, again.history) == (record.start, record.history)
