"""`pinchtp review`: text, JSON, annotated SGF and page."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from boards import pinch
from clients import run
from processes import no_reader_of_output
from record_games import lines

from pinchtp.engine.own import own_engines
from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings
from pinchtp.records.reader import read_sgf
from pinchtp.records.sgf import to_sgf
from pinchtp.review import output
from pinchtp.review.command import main
from pinchtp.review.page import document
from pinchtp.review.review import GameReview, review

MOVES = "a1 b3 c1 c2 b1 a2"  # on 3x3 all mistakes are proven: see test_review.py


def game(moves: str = MOVES) -> Session:
    return pinch(3, 3, moves, pie=False)


@pytest.fixture(scope="module")
def reviewed() -> GameReview:
    return review(game(), own_engines(Settings(memory=64), 2), Limits(visits=400))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text(to_sgf(game()))
    return path


def test_standard_input_and_pipes_are_read(record: Path) -> None:
    for name in ("-", "/dev/stdin"):
        done = run("review", name, "--visits", "1", sent=record.read_bytes())
        assert done.stdout.startswith("Pinch 3x3, 6 moves.")
        assert done.stderr == ""
    done = run("review", "-", sent=b"")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pinchtp review: standard input: ")


def test_text_has_curve_moves_and_mistakes(reviewed: GameReview) -> None:
    text = output.text(reviewed, ascii_only=True)
    assert text.startswith("Pinch 3x3, 6 moves. Black to move\n\nBlack's winrate\n100 % |   # #")
    assert "\n   4 white C2              100 %  100 %  blunder\n" in text
    assert "\n   4 white C2 lost 100 % (100 % to 0 %), better: " in text
    assert text.endswith("Mean loss per move: Black 67 %, White 67 %")
    assert "█" in output.text(reviewed)
    assert all(len(line) <= 80 for line in text.split("\n"))


def test_curve_of_a_long_game_fits_80_columns(reviewed: GameReview) -> None:
    long = replace(reviewed, moves=list(reviewed.moves) * 40)
    assert max(map(len, output.curve(long))) <= 80


def test_json_lists_every_move(reviewed: GameReview) -> None:
    data = json.loads(output.as_json(reviewed))
    assert [move["move"] for move in data["moves"]] == MOVES.upper().split()
    assert [move["loss"] for move in data["moves"]] == [1, 0, 0, 1, 1, 1]
    assert data["worst"] == [1, 4, 5, 6]
    assert data["moves"][0]["better"][0] == "B2"
    assert data["winner"] is None


def test_annotated_sgf_has_winrates_and_better_variations(reviewed: GameReview) -> None:
    data = output.as_sgf(reviewed).encode()
    main, *others = lines(read_sgf(data)[0].read_tree())
    assert [entry.move for entry in main] == [entry.move for entry in game().history]
    assert main[3].comment.startswith("winrate 0 %, blunder: lost 100 %, better: ")
    assert len(others) == 4
    assert b"SBKV[100.00]" in data


@pytest.mark.parametrize("root", ["", "AP[pinchtp:0]", "AP[CGoban:3]"])
def test_annotated_sgf_of_a_file_does_not_name_us_as_a_player(root: str) -> None:
    session = game("b2 a1")
    text = f"(;SZ[3]RU[pinch]{root}PW[Bob];B[bb];W[ac])"
    read_sgf(text)[0].read().load_into(session)
    found = review(session, own_engines(Settings(memory=64), 1), Limits(visits=50))
    again = read_sgf(output.as_sgf(found))[0].read().session()
    assert (again.info.black, again.info.white) == ("", "Bob")
    assert all(turn.winrate is not None for turn in again.turns())
    written = to_sgf(again)
    assert "PW[Bob]" in written
    assert "PB[" not in written


def test_second_review_replaces_the_first() -> None:
    record = read_sgf(
        b"(;SZ[3]RU[pinch, no swap]PB[a]PW[b];B[ac]"
        b"(;W[bb]C[mine\n\nwinrate];B[cc];W[cb];B[ba])(;W[cb]))"
    )[0]
    texts = []
    for _ in range(2):
        engines = own_engines(Settings(memory=64, seed=1), 1)
        found = review(record.read().session(), engines, Limits(visits=400), solver_nodes=999)
        texts.append(output.as_sgf(found))
        (record,) = read_sgf(texts[-1].encode())
    assert texts[0].count("C[mine\n\nwinrate\nwinrate ") == 1
    assert "wins with" in texts[0]
    assert texts[0].count("(;") > 3
    assert texts[1].split() == texts[0].split()


@pytest.mark.parametrize("program", ["", "AP[pinchtp:0]"])
def test_only_winrates_of_our_files_are_replaced(program: str) -> None:
    text = f"(;SZ[3]RU[pinch]{program};B[bb]SBKV[45.00]C[winrate 99 %\nWhy?])"
    session = read_sgf(text)[0].read().session()
    found = review(session, own_engines(Settings(memory=64), 1), Limits(visits=50))
    assert ("winrate 99 %" in output.as_sgf(found)) == (not program)


def test_mistake_without_a_better_variation_is_described(reviewed: GameReview) -> None:
    """As of an engine that reports no legal one."""
    found = replace(reviewed, moves=[replace(move, better=()) for move in reviewed.moves])
    annotated = output.as_sgf(found)
    for text in (output.text(found), annotated, document(found, "a.sgf", "")):
        assert "etter: " not in text
    session = read_sgf(annotated)[0].read().session()
    moves = [
        replace(move, turn=turn) for move, turn in zip(found.moves, session.turns(), strict=True)
    ]
    assert output.as_sgf(replace(found, session=session, moves=moves)).split() == annotated.split()


def test_annotated_sgf_keeps_comments_and_the_end() -> None:
    session = game("b2 a1")
    session.resign(Color.BLACK, comment="enough")
    found = review(session, own_engines(Settings(memory=64), 1), Limits(visits=50))
    text = output.as_sgf(found)
    assert "RE[W+R]" in text
    assert "C[enough]" in text


def test_page_shows_the_worst_moves(reviewed: GameReview) -> None:
    page = document(reviewed, "<a>.sgf", "400 visits per move")
    assert "Review of &lt;a&gt;.sgf" in page
    assert page.count('src="data:image/svg+xml;base64,') == 4
    assert "<td>white C2</td><td>100 %</td><td>100 %</td>" in page


def test_command_writes_all_files(record: Path, tmp_path: Path) -> None:
    sgf, page = tmp_path / "annotated.sgf", tmp_path / "review.html"
    done = run("review", str(record), "--visits", "50", "--sgf", str(sgf), "--page", str(page))
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.startswith("Pinch 3x3, 6 moves.")
    assert sgf.read_text().startswith("(;")
    assert "50 visits per move" in page.read_text()
    again = run("review", str(record), "--visits", "50", "--jobs", "1", "--json")
    assert len(json.loads(again.stdout)["moves"]) == 6


def test_files_are_written_without_a_reader_of_the_output(record: Path, tmp_path: Path) -> None:
    with no_reader_of_output():
        main([str(record), "--visits", "1", "--page", str(tmp_path / "review.html")])
    assert (tmp_path / "review.html").exists()


@pytest.mark.parametrize(
    ("sgf", "page", "what"),
    [("a.sgf", "./game.sgf", "game"), ("x.html", "x.html", "file of --sgf")],
)
def test_page_replaces_no_game(record: Path, sgf: str, page: str, what: str) -> None:
    before = record.read_bytes()
    files = [str(record.with_name(name)) for name in (sgf, page)]
    done = run("review", str(record), "--visits", "9", "--sgf", files[0], "--page", files[1])
    assert done.returncode == 2
    assert f"is the {what}; give another name" in done.stderr
    assert record.read_bytes() == before


def test_page_has_all_limits(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    done = run("review", str(record), "--visits", "50", "--time", "2s", "--page", str(page))
    assert done.returncode == 0
    assert "50 visits or 2 s per move" in page.read_text()


@pytest.mark.slow
def test_reviewed_file_keeps_its_variations_when_it_is_replaced(record: Path) -> None:
    record.write_text("(;SZ[3]RU[pinch, no swap];B[ac](;W[bb]C[main];B[cc])(;W[cb]C[mine];B[ba]))")
    assert run("review", str(record), "--visits", "9", "--sgf", str(record)).returncode == 0
    found = [
        entry for line in lines(read_sgf(record.read_bytes())[0].read_tree()) for entry in line
    ]
    assert [entry.comment for entry in found if entry.comment.startswith("mine")] == ["mine"]


def test_command_rejects_other_text(record: Path, tmp_path: Path) -> None:
    missing = run("review", str(tmp_path / "none.sgf"))
    assert missing.returncode == 2
    assert missing.stderr.endswith("none.sgf: No such file or directory\n")
    record.write_text("(;SZ[3];B[aa])")
    assert "does not name its game (in RU or GN); give it with --game" in (
        run("review", str(record)).stderr
    )
    assert run("review", str(record), "--game", "pinch", "--visits", "9").returncode == 0
    unwritable = run(
        "review", str(record), "--game", "pinch", "--visits", "9", "--sgf", "/no/x.sgf"
    )
    assert unwritable.returncode == 2
    assert unwritable.stderr == "pinchtp review: --sgf: /no/x.sgf: the directory does not exist\n"


def test_first_of_several_games_is_reviewed(record: Path) -> None:
    record.write_text(record.read_text() + "(;SZ[5]RU[pinch])")
    done = run("review", str(record), "--visits", "1")
    assert done.stdout.startswith("Pinch 3x3, 6 moves.")
    assert done.stderr == f"pinchtp review: {record} has 2 games: reviewing the first\n"
    before = record.read_bytes()
    done = run("review", str(record), "--visits", "1", "--sgf", str(record))
    assert done.returncode == 2
    assert done.stderr.endswith("has 2 games and would keep one; give another name\n")
    assert record.read_bytes() == before


def test_moves_are_on_the_board_of_the_options(tmp_path: Path) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("e5 swap c3")
    done = run("review", str(path), "--game", "pinch", "--size", "9x7", "--visits", "1")
    assert done.stdout.startswith("Pinch 9x7, 3 moves.")
    assert run("review", str(path), "--size", "9").stderr == "pinchtp review: --size needs --game\n"


def test_network_that_cannot_be_read_is_named(record: Path) -> None:
    done = run("review", str(record), "--network", "./none.network")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pinchtp review: network none.network cannot be read: No such")


def test_empty_game_is_reviewed() -> None:
    found = review(game(""), own_engines(Settings(memory=64), 1), Limits(visits=10))
    assert output.text(found) == "Pinch 3x3, 0 moves. Black to move"


def test_single_move_is_counted_in_the_singular(reviewed: GameReview) -> None:
    found = replace(reviewed, moves=reviewed.moves[:1])
    assert output.heading(found) == "Pinch 3x3, 1 move. Black to move"


def test_other_engine_gives_the_same_review(record: Path) -> None:
    """The positions are all solved."""
    command = f"{sys.executable} -P -m pinchtp --game {{game}} {{options}} --no-files --seed 1"
    ours, other = (
        json.loads(run("review", str(record), "--json", "--visits", "400", *extra).stdout)
        for extra in ((), ("--engine", command))
    )
    assert [move["loss"] for move in other["moves"]] == [1, 0, 0, 1, 1, 1]
    assert other["worst"] == ours["worst"]
    assert other["engine"] == ours["engine"]


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("--engine", "no-such-engine"), 1, "pinchtp review: no-such-engine: No such file or"),
        (("--engine", "'open"), 1, "pinchtp review: 'open: No closing quotation"),
        (
            ("--engine", "./other", "--memory", "64"),
            2,
            "--memory applies only to pinchtp",
        ),
    ],
)
def test_other_engine_that_cannot_review_is_named(
    record: Path, options: tuple[str, ...], status: int, message: str
) -> None:
    done = run("review", str(record), *options)
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr
