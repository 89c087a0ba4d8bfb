"""Properties, variations and results of records, preserved on writing."""

import random
import re
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from clients import ask_all, server
from record_games import (
    DATA,
    PINCH,
    from_sgf,
    in_one_line,
    loaded,
    moves,
    played,
    read,
    texts_in,
)

from pinchtp.base.clock import TimeControl
from pinchtp.board.importing import read as read_on_board
from pinchtp.board.importing import sgf_of
from pinchtp.board.rating import Ratings
from pinchtp.board.storage.saved_table import load_table, save_table
from pinchtp.board.table import Table
from pinchtp.games import GAMES
from pinchtp.games.notation import parse_move
from pinchtp.games.session import GameHeader, Session
from pinchtp.records.game import Usual
from pinchtp.records.reader import read_sgf
from pinchtp.records.sgf import SgfAutosave, to_sgf
from pinchtp.records.sgf.syntax import text_value
from pinchtp.render.text import status_text

ROOT = "(;FF[4]CA[UTF-8]SZ[5]RU[pinch, swap]GN[Pinch]AP[pinchtp:0]"


def again(text: str | bytes, game: str = "pinch") -> str:
    """Returns a record as it is written after it was read."""
    record = from_sgf(text, GAMES[game])
    session = Session.at(GAMES[game], record.start)
    record.load_into(session)
    return to_sgf(session, "2026-11-28").replace("\n", "")


# --- charsets


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [
        ("Big5", "big5", "功許蓋"),
        ("Big5-HKSCS", "big5hkscs", "功許蓋"),
        ("Shift_JIS", "shift_jis", "表ソ能"),
        ("SJIS", "cp932", "表ソ能"),
        ("windows-31j", "cp932", "表ソ能"),
        ("GBK", "gbk", "縗誠"),
        ("GBK", "gbk", "乚"),  # ends in a bracket
        ("GB18030", "gb18030", "縗㐀誠"),
        ("GB2312", "gbk", "镕"),
        ("EUC-KR", "euc-kr", "한글"),
        ("windows-1251", "cp1251", "Игра"),
        ("Windows1251", "cp1251", "Игра"),
        ("KOI8R", "koi8-r", "Игра"),
        ("ISO8859-2", "iso-8859-2", "Šťáva"),
        ("EUCKR", "euc-kr", "한글"),
        ("ShiftJIS", "shift_jis", "表ソ能"),
    ],
)
def test_second_byte_may_be_a_backslash(charset: str, encoding: str, text: str) -> None:
    """An escape is two bytes of the file only after decoding; the moves after it were lost."""
    data = f"(;CA[{charset}]SZ[9]PB[{text}]RU[pinch];B[ee]C[{text}];W[cc])".encode(encoding)
    session = loaded(data)
    assert moves(session) == ["black E5", "white C7"]
    assert (session.info.black, session.history[0].comment) == (text, text)
    assert f"CA[UTF-8]SZ[9]RU[pinch, swap]GN[Pinch]PB[{text}]" in in_one_line(session)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_byte_order_mark_outweighs_charset(encoding: str) -> None:
    session = loaded("(;CA[ISO-8859-1]SZ[5]PB[Jürgen];B[cc])".encode(encoding))
    assert session.info.black == "Jürgen"


# --- results


@pytest.mark.parametrize("result", ["B+T", "B+F", "W+T", "0", "Draw", "Void", "?", "B+"])
def test_result_of_unfinished_line_is_kept_until_a_move(result: str) -> None:
    session = loaded(f"(;SZ[5]RE[{result}];B[cc];W[aa])")
    assert f"RE[{result}]" in in_one_line(session)
    assert status_text(session) == f"Black to move; recorded result: {result}"
    session.play(session.to_move, parse_move("e5", session.position))
    assert "RE[" not in in_one_line(session)
    assert status_text(session) == "White to move"


def test_result_of_the_board_outweighs_the_record() -> None:
    assert "RE[B+]" in again("(;SZ[2]RE[W+T]RU[pinch, no swap];B[aa];W[ba];B[ab])")


# --- properties, comments and dates


@pytest.mark.parametrize(
    "root",
    [
        "BR[5d]WR[1k]",
        "EV[Open]RO[2 (final)]PC[Rome]SO[a\\]b]US[x\\\\y]",
        "KM[6.5]ST[2]",
        "XY[1][2]",
        "AP[GoGui:1.6.0]",
        "LZOP2[a 1\n\nb]",
        "TM[none]OT[odd]",
        "HA[0]",
        "CP[]AN[Me]ON[]BT[a]",
    ],
)
def test_root_properties_are_preserved(root: str) -> None:
    written = again(f"(;SZ[5]RU[pinch]{root};B[cc])")
    for kept in root.replace("\n", "").split("]"):
        assert kept in written


@pytest.mark.parametrize("root", ["", "PW[Bob]", "AP[pinchtp:0]", "AP[pinchtp:0]PW[Bob]"])
def test_loaded_game_gets_neither_our_name_nor_our_players(root: str) -> None:
    """A winrate in a file may be that of a review: people chose the moves."""
    text = f"(;SZ[5]RU[pinch, swap]GN[Pinch]{root};B[cc]SBKV[40.00]C[winrate 40 %];W[aa])"
    written = again(text)
    assert sorted(written.split("]")) == sorted(again(written).split("]"))
    assert "PB[" not in written
    assert ("PW[" in written, "AP[" in written) == ("PW[" in root, "AP[" in root)
    assert written.count("winrate") == 1
    assert "SBKV[40.00]" in written


@pytest.mark.parametrize(
    "kept",
    [
        "N[start]",
        "GB[1]TE[2]",
        "LB[aa:1][bb:two]",
        "TR[aa][bb]",
        "WL[5]",
        "SBKV[50]",
        "XX[]",
        "BL[9]WL[9]OB[3.0]OW[3.0]",
        "BL[9]WL[9]OB[1][2]OW[1][2]",
    ],
)
def test_move_properties_are_preserved(kept: str) -> None:
    assert f";B[cc]{kept};W[aa]" in again(f"(;SZ[5];B[cc]{kept};W[aa])")
    assert f";W[aa]{kept})" in again(f"(;SZ[5];B[cc];W[aa];{kept})")


@pytest.mark.parametrize(
    ("first", "later", "written"),
    [
        ("N[start]", "N[note]TR[aa]", "N[start];N[note]TR[aa]"),
        ("N[start]TR[bb]", "TR[aa]", "N[start]TR[bb][aa]"),
        ("DM[1]XX[a]", "XX[b];DM[2];DM[2]", "DM[1]XX[a][b];DM[2]"),
        ("BL[9]", "BL[5]", "BL[9];BL[5]"),
        ("GB[1]", "MV[a5]", "GB[1];MV[a5]"),
    ],
)
def test_properties_with_one_value_stay_in_their_nodes(
    first: str, later: str, written: str
) -> None:
    text = f"{ROOT};B[cc]{first};{later};W[aa](;B[bb])(;B[dd]))"
    assert again(text).endswith(f";B[cc]{written};W[aa](;B[bb])(;B[dd]))")
    assert again(again(text)) == again(text)
    assert sgf_of(restored(text), ("", "")).replace("\n", "").count(f"{written};W[aa]") == 1


def test_properties_of_the_root_stay_in_it() -> None:
    written = again("(;SZ[5]RU[pinch]PB[Ann]KM[0];PB[Eve]KM[0]LB[aa:1];B[cc])")
    assert "PB[Ann]" in written
    assert written.endswith("KM[0];PB[Eve]LB[aa:1];B[cc])")
    assert again(written) == written


@pytest.mark.parametrize(
    "time", ["TM[1800]OT[5x30 byo-yomi]", "TM[1800]", "TM[1800]OT[3 periods]", "OT[3 periods]", ""]
)
def test_time_system_of_a_file_is_preserved_beside_clocks(time: str) -> None:
    session = loaded(f"(;SZ[5]RU[pinch]GN[Pinch]{time};B[cc])")
    session.set_time(TimeControl.absolute(600))
    found = re.findall(r"(?:TM|OT)\[[^]]*]", in_one_line(session))
    assert "".join(found) == time


def test_setup_of_several_nodes_is_written_as_one_board() -> None:
    written = again("(;SZ[5]RU[pinch]AB[aa][bb];AE[bb]AW[cc];B[dd])")
    assert "AB[aa]AW[cc]" in written
    assert "AE[" not in written


def test_setup_properties_are_preserved() -> None:
    written = again("(;SZ[5]C[one];LB[aa:1]C[two];B[cc]GB[1])")
    assert "C[onetwo]" in written  # with the line break that again() takes out
    assert "LB[aa:1]" in written
    assert written.endswith(";B[cc]GB[1])")


def test_first_move_in_the_root_moves_out_of_the_header() -> None:
    written = again("(;SZ[5]EV[Open]B[cc]C[first];W[aa])")
    assert written.endswith("EV[Open];B[cc]C[first];W[aa])")


@pytest.mark.parametrize(
    "comment",
    [
        "two\n\nparagraphs",
        "  indented\n    more",
        "\n\nat the end\n\n",
        "tab\there",
        "]\\[:;()",
        "trailing  \n spaces ",
    ],
)
def test_comments_are_kept_to_the_character(comment: str) -> None:
    session = played("c3", "a1")
    session.info = GameHeader(comment=comment)
    session.history[0] = replace(session.history[0], comment=comment)
    back = loaded(to_sgf(session))
    assert (back.info.comment, back.history[0].comment) == (comment, comment)


def test_only_games_begun_here_get_a_date() -> None:
    assert "DT[" not in again("(;SZ[5];B[cc])")
    assert "DT[2026-05-01,02]" in again("(;SZ[5]DT[2026-05-01,02];B[cc])")
    assert "DT[2026-11-28]" in to_sgf(played("c3"), "2026-11-28")


def test_soft_line_breaks_and_escapes() -> None:
    assert text_value("a\\\nb\\\r\nc\\]\\\\\\:d\r\ne\x07") == "abc]\\:d\ne"
    assert text_value("a\\\n\rb\\\rc\n\rd") == "abc\nd"


# --- variations


def test_variations_are_preserved() -> None:
    """Legal or not, nested, with any properties, also at the first move."""
    text = (
        "(;SZ[5](;B[cc](;W[aa];B[bb](;W[ab])(;W[ac]C[?\\]]))(;W[cc]C[illegal]XX[1]))(;B[ee](;)(;)))"
    )
    written = again(text)
    assert written.endswith(
        "(;B[cc](;W[aa];B[bb](;W[ab])(;W[ac]C[?\\]]))(;W[cc]C[illegal]XX[1]))(;B[ee](;)(;)))"
    )
    assert again(written) == written
    assert moves(loaded(written)) == ["black C3", "white A5", "black B4", "white A4"]


def test_variations_of_a_shortened_game_do_not_continue_it() -> None:
    session = loaded("(;SZ[5];B[cc](;W[aa])(;W[bb]))")
    session.undo()
    text = in_one_line(session)
    assert text.endswith(";B[cc](;)(;W[bb]))")
    assert moves(loaded(text)) == ["black C3"]


def test_memory_grows_as_the_file_does() -> None:
    """Nested variations took it by the square of the file."""
    text = "(;SZ[5]" + "(;C[x]" * 4000 + ")(;C[y])" * 4000 + ")"
    tracemalloc.start()
    try:
        read(text)
        tree = read_sgf(text, Usual(PINCH))[0].read_tree()
        assert tree.info.comment == "x\ny"
        assert tracemalloc.get_traced_memory()[1] < 30e6
    finally:
        tracemalloc.stop()


# --- files that are only read


def test_file_is_not_rewritten_before_a_move(tmp_path: Path) -> None:
    path, other = tmp_path / "v.sgf", tmp_path / "w.sgf"
    data = b"(;SZ[5]RU[pinch]  ;B[cc]\n\n(;W[aa])(;W[bb]))"
    path.write_bytes(data)
    other.write_bytes(data)
    engine = server(5, files=True)
    autosave = SgfAutosave(path)
    for command in (f"loadsgf {path}", f"loadsgf {other}", "undo", "showboard"):
        ask_all(engine, command)
        autosave.update(engine.engine.session)
        assert path.read_bytes() == data
    for command, is_there in (("play w e5", True), ("undo", False)):
        ask_all(engine, command)
        autosave.update(engine.engine.session)
        assert (b";W[ea]" in path.read_bytes()) == is_there
    assert b";W[bb]" in path.read_bytes()


# --- many files, some of them damaged

EXTRAS = ["N[x]", "LB[aa:1]", "GB[2]", "XX[a\\]b][c]", "WL[3.5]", "C[Why?]", "C[two\n\nlines ]"]
POINTS = [f"{x}{y}" for x in "abcde" for y in "abcde"]


@pytest.mark.slow
def test_many_records_lose_nothing() -> None:
    """500 trees with properties, variations and results of all kinds."""
    rng = random.Random(50)
    for _ in range(500):
        text = random_record(rng)
        assert_nothing_lost(text, to_sgf(loaded(text)))


@pytest.mark.slow
def test_board_loses_nothing_of_many_records() -> None:
    """500 trees, loaded by a table that was saved and restored."""
    rng = random.Random(51)
    for _ in range(500):
        text = random_record(rng)
        written = sgf_of(restored(text), ("", ""))
        assert_nothing_lost(text, written)
        assert texts_in(sgf_of(restored(written), ("", ""))) == texts_in(written)


@pytest.mark.parametrize(
    "kept",
    ["PB[" + 200 * "x" + "]", "PW[\u202eeve]", "GN[" + 200 * "x" + "]", ";PB[Eve]", "PB[Ann][Eve]"],
)
def test_board_keeps_names_that_it_does_not_show(kept: str) -> None:
    assert kept.strip(";") in sgf_of(restored(f"(;SZ[5]RU[pinch]{kept};B[cc])"), ("", ""))


@pytest.mark.parametrize("name", ["earlier-bushka", "earlier-pinch-relocate"])
def test_board_keeps_result_of_resignation_within_a_move(name: str) -> None:
    data = (DATA / f"{name}.sgf").read_text("utf-8")
    assert "RE[W+R]" in sgf_of(restored(data), ("", ""))


@pytest.mark.parametrize(
    "kept", ["PW[x][y]", "GN[x][y]", "DT[x][y]", "RE[B+R][x]", "TM[60][70]", "OT[x][y]"]
)
def test_several_values_where_one_belongs_are_preserved(kept: str) -> None:
    assert kept in again(f"(;SZ[5]{kept};B[cc])")


@pytest.mark.parametrize("kept", ["SBKV[50][60]", "BL[60][70]"])
def test_several_values_of_a_move_are_preserved(kept: str) -> None:
    assert kept in again(f"{ROOT};B[cc]{kept})")


def restored(text: str) -> Table:
    """Returns a table that has loaded a text, was saved, and restored."""
    table = Table()
    game = read_on_board(text, table)
    table.load(game.tree, game.node, game.options, game.header)
    return load_table(save_table(table, Ratings()))[0]


def assert_nothing_lost(text: str, written: str) -> None:
    before, after = texts_in(text), texts_in(written)
    comments = "\n".join(value for name, value in after if name == "C")
    for name, value in before - after:
        assert name == "C", text
        assert value in comments, text


def random_record(rng: random.Random) -> str:
    """Returns the record of a game on 5x5 with variations that may be illegal."""
    session = Session(PINCH, 5, 5, pie=False)
    for _ in range(rng.randrange(1, 12)):
        if not session.is_over:
            session.play(session.to_move, rng.choice(session.position.legal_moves()))
    result = "" if session.is_over else rng.choice(["", "RE[W+T]", "RE[Void]"])
    text = f"(;SZ[5]RU[pinch, no swap]EV[Cup]{result}{extras(rng)}"
    closing = ")"
    for node in in_one_line(session).removesuffix(")").split(";")[2:]:
        if rng.random() < 0.3:
            text += "("
            side = f"(;{rng.choice('BW')}[{rng.choice(POINTS)}]{extras(rng)}(;)(;C[?]))"
            closing = f"){side}{closing}"
        text += f";{node}{extras(rng)}"
        text += f";{extras(rng)}" * rng.randrange(2)
    return text + closing


def extras(rng: random.Random) -> str:
    """Returns some properties, each once."""
    chosen = rng.sample(EXTRAS, rng.randrange(4))
    return "".join({each[:1]: each for each in chosen}.values())
