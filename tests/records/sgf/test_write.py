"""Games written as SGF, and read back as they were."""

import random
import re
from dataclasses import replace

import pytest
from record_games import (
    DATA,
    PINCH,
    from_sgf,
    in_one_line,
    loaded,
    played,
    properties,
    random_session,
)
from sgfmill import sgf, sgf_moves

from pinchtp.base.clock import TimeControl
from pinchtp.base.text import in_answer
from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.history import TimeLeft
from pinchtp.games.notation import parse_move
from pinchtp.games.session import GameHeader, Session
from pinchtp.records.sgf import to_sgf
from pinchtp.records.sgf.syntax import MAX_COLUMN, Writer
from pinchtp.records.sgf.write import PROGRAM


@pytest.fixture(params=GAMES.values(), ids=GAMES.keys())
def game(request: pytest.FixtureRequest) -> GameType:
    return request.param


# --- round trips


def test_written_values_are_those_most_readers_take(game: GameType) -> None:
    """A value is one point, only ] and \\ are escaped, and no property is written twice."""
    rng = random.Random(game.name)
    for _ in range(40):
        session = random_session(game, rng)
        session.info = replace(session.info, comment="a: b] c\\ d;(e)")
        text = to_sgf(session)
        assert "FF[4]" in text
        assert "\n\n" not in text
        assert r"a: b\] c\\ d;(e)" in text
        for node in re.sub(r"C\[(?:[^]\\]|\\.)*]", "", text).split(";"):
            values = re.findall(r"([A-Z]+)((?:\[(?:[^]\\]|\\.)*\]\s*)+)", node)
            assert len({name for name, _ in values}) == len(values)
            for name, value in values:
                if name in ("AB", "AW", "AE", "B", "W"):
                    assert re.fullmatch(r"(\[([a-y]{2})?\]\s*)+", value)


def test_any_move_of_a_record_is_in_reach() -> None:
    session = played("a1", "swap", "c3", "b2", "d4", "resign")
    text = to_sgf(session)
    for number in (0, 1, 2, 3, 6, 7, 99):
        part = loaded(text, number)
        assert part.history == session.history[: max(number - 1, 0)]
    part.undo(6)
    assert part.position == session.start


TIMES = [
    TimeControl.none(),
    TimeControl.absolute(600),
    TimeControl.absolute(0.25),
    TimeControl.canadian(60, 30.5, 10),
    TimeControl.byoyomi(0, 30, 5),
    TimeControl.fischer(120, 2),
    TimeControl.fischer_capped(120, 2, 300, 60),
    TimeControl.fischer_capped(120, 2, 300, -1),
    TimeControl.fischer_capped(120, 0, -1, 60),
]


@pytest.mark.parametrize("control", TIMES)
def test_time_control_survives_round_trip(control: TimeControl) -> None:
    session = played("c3")
    session.set_time(control)
    again = loaded(to_sgf(session))
    assert again.info.control == control
    assert again.control == TimeControl.none()  # a record does not set the clock
    assert properties(again) == properties(session)


def test_clocks_survive_round_trip(game: GameType) -> None:
    """The mover's clock after any move: a step of a turn, a swap, a resignation."""
    rng = random.Random(1)
    for session in [random_session(game, rng) for _ in range(12)]:
        for at, entry in enumerate(session.history):
            left = TimeLeft(90.5 + at, at if at % 2 else None)
            session.history[at] = replace(entry, left=left)
        again = from_sgf(to_sgf(session).encode(), game)
        assert Session.at(game, again.start, again.history).turns() == session.turns()


def test_clocks_of_gogui_are_read() -> None:
    session = loaded((DATA / "gogui.sgf").read_bytes())
    assert [turn.left for turn in session.history] == [None, None, TimeLeft(598.5), None, None]
    assert "B[bd]BL[598.5]" in in_one_line(session)


@pytest.mark.parametrize("text", ["BL[-1]", "BL[1:30]", "WL[5]", "OB[3]", "BL[]"])
def test_clocks_without_a_value_are_ignored(text: str) -> None:
    assert loaded(f"(;SZ[5];B[cc]{text})").history[0].left is None


def test_names_survive_round_trip() -> None:
    session = played("c3")
    session.info = GameHeader("A: \\]", "Ö\x00", "2001-01-01,02", "Final", "Two\nlines")
    again = loaded(to_sgf(session, "2026-11-21"))
    assert replace(again.info, extras=None) == replace(session.info, white="Ö")


# --- what is written


def test_new_game_has_its_properties() -> None:
    assert properties(played()) == {
        "FF": "4",
        "CA": "UTF-8",
        "AP": f"pinchtp:{PROGRAM.split()[1]}",
        "SZ": "5",
        "RU": "pinch, swap",
        "GN": "Pinch",
    }


def test_moves_and_swap() -> None:
    text = in_one_line(played("a1", "swap", "e5", width=6, height=5))
    assert text.endswith(";B[ae];W[]MV[swap];AW[ae]PL[B];B[ea])")
    assert "SZ[6:5]" in text


def test_sgfmill_reads_a_game() -> None:
    session = played("a1", "c3", "e5", "resign", "pass")
    game = sgf.Sgf_game.from_string(to_sgf(session, "2026-11-21"))
    board, plays = sgf_moves.get_setup_and_moves(game)
    assert board.is_empty()
    assert plays == [("b", (0, 0)), ("w", (2, 2)), ("b", (4, 4)), ("w", None)]
    assert game.get_winner() == "b"
    assert game.get_root().get("DT") == "2026-11-21"


def test_sgfmill_reads_a_setup() -> None:
    session = played()
    cells = bytes([1, 2, 0, 0, 0]) + bytes(19) + bytes([2])
    session.set_up(PINCH.set_up(5, 5, cells, Color.WHITE))
    game = sgf.Sgf_game.from_string(to_sgf(session))
    black, white, empty = game.get_root().get_setup_stones()
    assert (black, white, empty) == ({(0, 0)}, {(0, 1), (4, 4)}, set())
    assert game.get_root().get("PL") == "w"


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        (["a1"], None),
        (["a1", "b1", "a2"], "B+"),
        (["a1", "resign"], "B+R"),
        (["resign"], "W+R"),
        (["a1", "swap", "b1", "a2"], "W+"),
    ],
)
def test_result_is_written(moves: list[str], result: str | None) -> None:
    assert properties(played(*moves, width=2, height=2)).get("RE") == result


def test_win_rates() -> None:
    session = played()
    session.play(Color.BLACK, parse_move("a1", session.position), winrate=0.615)
    session.play(Color.WHITE, parse_move("b2", session.position), winrate=0.25, comment="Why not")
    text = in_one_line(session)
    assert ";B[ae]SBKV[61.50]C[winrate 61.50 %];W[bd]SBKV[75.00]C[Why not])" in text
    assert properties(session)["PB"] == properties(session)["PW"] == PROGRAM
    assert [turn.winrate for turn in loaded(text).history] == [0.615, 0.25]
    finer = "(;SZ[5]AP[pinchtp:0];B[ae]SBKV[33.333333];W[bd]SBKV[33.333333])"
    assert [turn.winrate for turn in loaded(finer).history] == [0.3333, 0.6667]
    foreign = loaded(text.replace("AP[pinchtp:", "AP[Sabaki:"))
    assert [turn.winrate for turn in foreign.history] == [None, None]
    assert [turn.comment for turn in foreign.history] == ["winrate 61.50 %", "Why not"]
    foreign.play(Color.BLACK, parse_move("c3", foreign.position), winrate=0.5)
    assert loaded(to_sgf(foreign)).history[-1].winrate == 0.5


def test_comment_does_not_end_the_response() -> None:
    session = played("a1")
    session.history[0] = replace(session.history[0], comment="\n\none\r\n \n\t\n\x0btwo\n\n")
    text = to_sgf(session)
    assert loaded(text).history[0].comment == "\n\none\n \n\t\ntwo\n\n"
    answer = in_answer(text)
    assert "\n\n" not in answer
    assert answer.split() == text.split()


# --- lines


def test_lines_are_as_long_as_they_may_be() -> None:
    writer = Writer()
    for _ in range(40):
        writer.text("AB[aa]")
    lines = str(writer).split("\n")
    fitting = MAX_COLUMN // len("AB[aa]") * len("AB[aa]")
    assert {len(line) for line in lines[:-1]} == {fitting}


def test_line_continues_after_the_last_line_of_a_value() -> None:
    writer = Writer()
    writer.text(f"C[first\n{'a long second line':>{MAX_COLUMN}}\nlast]")
    writer.text("N[name]")
    writer.text(f"GC[{'x' * MAX_COLUMN}]")
    assert str(writer).endswith(f"last]N[name]\nGC[{'x' * MAX_COLUMN}]")
