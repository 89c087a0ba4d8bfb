"""Openings: read from lists and SGF, and made by ourselves."""

import random
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from match_plans import plan

from pinchtp._core import SWAP
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.match.command import main
from pinchtp.match.make_openings import OpeningSearch, balanced_openings
from pinchtp.match.openings import read_openings
from pinchtp.match.plan import MatchPlan, PlanError
from pinchtp.match.record import Opening
from pinchtp.records.sgf import to_sgf

GAME = next(iter(GAMES))
RULES = plan(size="9")
GO = plan(game="go", size="9", referee="false")

LIST = """\
# made by hand
d4 E5

C3 swap # 0.51
"""

SGF = """(;FF[4]SZ[9]B[dd];W[ee](;B[aa])(;B[bb]))
(;FF[4]SZ[9];B[ia];W[swap-pieces];B[])
"""


def cut_to(plies: int) -> MatchPlan:
    return replace(RULES, opening_plies=plies)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_text_list_has_an_opening_per_line(tmp_path: Path) -> None:
    path = written(tmp_path, "list.txt", LIST)
    assert read_openings(path, RULES) == (
        Opening("list.txt:2", ("D4", "E5")),
        Opening("list.txt:4", ("C3", "swap")),
    )
    assert [each.moves for each in read_openings(path, cut_to(1))] == [("D4",), ("C3",)]


def test_files_as_other_systems_write_them(tmp_path: Path) -> None:
    """A mark of the encoding before the text, and a suffix in capitals."""
    path = written(tmp_path, "list.txt", f"\ufeff{LIST}")
    assert [each.moves for each in read_openings(path, RULES)] == [("D4", "E5"), ("C3", "swap")]
    path.unlink()
    path = written(tmp_path, "ALL.SGF", SGF)
    assert len(read_openings(path, GO)) == len(read_openings(tmp_path, GO)) == 2


def test_sgf_collection_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "all.sgf", SGF)
    found = read_openings(path, GO)
    assert found[0] == Opening("all.sgf:1", ("D6", "E5", "A9"))
    assert found[1] == Opening("all.sgf:2", ("J9", "swap-pieces", "pass"))
    assert read_openings(path, cut_to(2))[1].moves == ("J9", "swap")
    assert read_openings(tmp_path, GO) == found  # a folder


def test_sgf_collection_of_multi_step_moves_is_read(tmp_path: Path) -> None:
    text = "(;SZ[9];B[bh];W[ci];B[swap];W[tt])(;SZ[13:9];B[ai];W[bibh];B[resign])"
    found = read_openings(written(tmp_path, "all.sgf", text), GO)
    assert found[0].moves == ("B2", "C1", "swap", "pass")
    assert found[1].moves == ("A1", "B1,B2", "resign")


@pytest.mark.parametrize("game", GAMES)
def test_our_own_records_are_openings(game: str, tmp_path: Path) -> None:
    """Including multi-step turns; all notations of an opening read the same."""
    played = Session(GAMES[game], *GAMES[game].size)
    source = random.Random(5)
    while len(played.history) < 40 or played.position.mid_turn:
        moves = [move for move in played.position.legal_moves() if move != SWAP]
        played.play(played.to_move, source.choice(moves))
    wanted = [text for turn in played.turns() for text in played.texts(turn)]
    path = written(tmp_path, "own.sgf", to_sgf(played, "2026-01-01"))
    rules = plan(game=game)
    (opening,) = read_openings(path, rules)
    assert list(opening.moves) == wanted
    (cut,) = read_openings(path, replace(rules, opening_plies=7))
    assert list(cut.moves) == wanted[:7]
    (unjudged,) = read_openings(path, replace(rules, referee=False))
    assert list(unjudged.moves) == wanted


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("all.sgf", "(;SZ[9];B[aj])", "aj is not on the 9x9 board"),
        ("list.txt", "D4 E5\nD4 D4", "openings: list.txt:2: D4: D4 is occupied"),
        ("list.txt", "D4 hello", "openings: list.txt:1: hello: 'hello' is not a move"),
        ("list.txt", "D4 swap swap", "swap is possible only as the second move"),
        ("list.txt", "D4\nb D4 b E5", "openings: list.txt:2: color before 'D4'; give moves only"),
        ("list.txt", "# nothing\n", "contains no openings"),
        ("all.sgf", "hello", "not an SGF file"),
        ("all.sgf", "(;SZ[x];B[aa])", "SZ[x] is not a board size"),
        ("all.sgf", "(;SZ[9]AB[cc];W[aa])", "all.sgf:1: it starts from a set-up position"),
        ("all.sgf", "(;SZ[9]PL[W];W[aa])", "all.sgf:1: it starts from a set-up position"),
        ("all.sgf", "(;SZ[13];B[aa])", "all.sgf:1: the opening is for a board of 13x13, not 9x9"),
        ("all.sgf", "(;SZ[9]RU[Bushka];B[aa])", "all.sgf:1: a record of bushka, not of pinch"),
        ("all.sgf", "(;SZ[9];B[aa];W[bb];B[bb])", "openings: all.sgf:1: move 3: B8 is occupied"),
    ],
)
def test_invalid_opening_is_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(PlanError) as error:
        read_openings(path, RULES)
    assert message in str(error.value)


@pytest.mark.parametrize("more", [{}, {"opening_plies": "5"}])
def test_opening_ends_with_a_complete_move(tmp_path: Path, more: dict[str, str]) -> None:
    rules = plan(game="pinch-relocate", size="5x4", pie="false", **more)
    steps = "B2 B3 C2 D4 A3 " + ("A1" if more else "")
    with pytest.raises(PlanError, match=r"list.txt:1: A3: incomplete move; add its steps"):
        read_openings(written(tmp_path, "list.txt", steps), rules)


def test_opening_may_have_moves_in_steps(tmp_path: Path) -> None:
    rules = plan(game="pinch-relocate", size="5x4", pie="false")
    (opening,) = read_openings(written(tmp_path, "list.txt", "B2 B3 C2 D4 A3 A1"), rules)
    assert opening.moves[-2:] == ("A3", "A1")


def test_finished_game_is_not_an_opening(tmp_path: Path) -> None:
    path = written(tmp_path, "list.txt", "A1 B1 A2")
    with pytest.raises(PlanError, match=r"list.txt:1: the game is over after this opening"):
        read_openings(path, plan(size="2", pie="false"))


def test_missing_opening_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="No such file"):
        read_openings(tmp_path / "none.txt", RULES)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(PlanError, match="not a text file"):
        read_openings(tmp_path / "binary", RULES)


# --- balanced ones


def test_balanced_openings_are_balanced_different_and_repeatable() -> None:
    search = OpeningSearch(GAME, (5, 5), plies=3, visits=100, window=0.1, seed=4)
    found = list(balanced_openings(search, 4))
    assert found == list(balanced_openings(search, 4))
    assert len({moves for moves, _ in found}) == 4
    assert all(abs(winrate - 0.5) <= 0.1 for _, winrate in found)
    assert all(len(moves.split()) == 3 for moves, _ in found)
    assert found != list(balanced_openings(OpeningSearch(**{**vars(search), "seed": 5}), 4))


def test_twins_are_left_out() -> None:
    """On 3x3 there are three kinds of first stones: corner, side and centre. Sides count twice,
    since each player owns two of them, unless transposed boards count as one.
    """
    one = OpeningSearch(GAME, (3, 3), rules={"pie": False}, plies=1, visits=1, window=0.5)
    assert len(list(balanced_openings(one, 5))) == 4
    two = OpeningSearch(GAME, (2, 2), rules={"pie": False}, plies=2, visits=1, window=0.5)
    texts = [moves for moves, _ in balanced_openings(two, 4)]
    assert len(texts) <= 3  # side by side, one above the other, diagonal


@pytest.mark.parametrize("game", GAMES)
def test_command_writes_a_readable_list(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = f"openings 3 --game {game} --plies 2 --visits 50 --window 0.4 --seed 1"
    assert main(shlex.split(options)) == 0
    path = written(tmp_path, "made.txt", capsys.readouterr().out)
    found = read_openings(path, plan(game=game))
    assert [len(opening.moves) for opening in found] == [2, 2, 2]


def test_too_few_balanced_openings(capsys: pytest.CaptureFixture[str]) -> None:
    options = "openings 5 --size 2 --plies 1 --visits 10 --window 0"
    assert main(shlex.split(options)) == 1
    assert "found 0 of " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("openings x", "N: 'x': give an integer from 1"),
        ("openings 1 --window 2", "--window: '2': give a number from 0 to 0.5"),
        ("openings 1 --jobs 2", "see pinchtp match openings --help"),
        ("openings 1 --game chess", "--game: 'chess': give one of pinch"),
    ],
)
def test_wrong_use_is_named(options: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(options))
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
