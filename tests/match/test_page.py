"""The page of a match: as a document here, as people see it in test_browser.py."""

import json
import re
import tracemalloc
from pathlib import Path
from time import process_time

import pytest
from match_pages import ELSEWHERE, Document, data_of, page
from match_plans import plan
from match_records import played, random_records, record, write_page
from msgspec import structs

from pinchtp.base.clock import TimeControl
from pinchtp.games import Color
from pinchtp.html.replay import ReplayBoard
from pinchtp.match.playing.referee import new_session
from pinchtp.match.record import DRAW, EngineIdentity, GameRecord, Termination
from pinchtp.match.results.page import MatchPage
from pinchtp.match.results.sprt import Sprt

# A name, a title or an answer must never become markup.
EVIL = "<script>evil()</script> & \"quoted\" 'too' </title></script><!-- ]]>"


def test_page_without_games(tmp_path: Path) -> None:
    words = Document(page([], tmp_path)).words
    assert "No game is finished yet" in words
    assert "No engine failed" in words


def test_page_loads_nothing_else(tmp_path: Path) -> None:
    text = page([played(number) for number in range(4)], tmp_path)
    assert "default-src 'none'" in text  # so a browser would refuse it
    for tag, attributes in Document(text).elements:
        assert "src" not in attributes, tag
        assert re.match(r"#|data:,$", attributes.get("href") or "#"), tag
    assert re.findall(r"url\((?!.#)|@import|\bfetch\(|XMLHttpRequest", text) == []


def test_page_shows_the_result_of_two_engines(tmp_path: Path) -> None:
    colors = ("one", "two"), ("two", "one")
    records = [record(at, *colors[at % 2], Color(at % 2)) for at in range(12)]
    records += [record(12, winner=DRAW), record(13, "two", "one", Color.WHITE)]
    words = Document(page(records, tmp_path, sprt=Sprt(0, 200))).words
    assert "one 13½ two ½" in words
    assert "Wins, draws, losses 13 \N{EN DASH} 1 \N{EN DASH} 0" in words
    assert "Score 96.4 %" in words
    assert "6 \N{MULTIPLICATION SIGN} 2 points" in words
    assert "(H0: 0, H1: 200 normalized Elo)" in words


def test_page_ranks_engines_of_a_tournament_by_rating(tmp_path: Path) -> None:
    engines = ("one", "two", "three")
    records = [record(number, "two", "three") for number in range(6)]
    records += [record(number, "one", "two", Color.WHITE) for number in range(6, 10)]
    records += [record(number, "one", "three", DRAW) for number in range(10, 12)]
    words = Document(page(records, tmp_path, engines)).words
    dash = "\N{EN DASH}"
    assert (
        f"1 two {dash} 6/6 6{dash}0{dash}0 4/4 4{dash}0{dash}0" not in words
    )  # order is by rating
    assert f"1 two {dash} 4/4 4{dash}0{dash}0 6/6 6{dash}0{dash}0" in words
    assert f"2 one 0/4 0{dash}0{dash}4 {dash} 1/2 0{dash}2{dash}0" in words


def test_first_moves_on_the_board(tmp_path: Path) -> None:
    records = [
        record(0, moves="B2 C3", winner=Color.BLACK),
        record(1, moves="B2 C3", winner=Color.WHITE),
        record(2, moves="B2 swap", winner=Color.WHITE),
        record(3, moves="D4 swap", winner=Color.BLACK),
    ]
    text = page(records, tmp_path)
    pattern = r'<g data-vertex="(\w+)"><title>(.*?)</title>[^g]*?<text[^>]*>(\d+)</text>'
    marked = re.findall(pattern, text)
    assert marked == [
        ("B2", "B2: 3 games, 33 % of the points for its player", "33"),
        ("D4", "D4: 1 game, 100 % of the points for its player", "100"),
    ]


def test_failures_show_the_exchange(tmp_path: Path) -> None:
    records = [
        record(
            0,
            winner=Color.WHITE,
            termination=Termination.DIED,
            failed=Color.BLACK,
            detail="exit status 139",
            stderr="\x1b[31mSegmentation fault\x1b[0m <core dumped>",
            transcript="> genmove b\n! killed\n",
        ),
        record(1, "two", "one", None, termination=Termination.DISAGREED, transcript="x" * 100_000),
    ]
    text = page(records, tmp_path)
    words = Document(text).words
    assert "one died 1" in words
    assert "unknown or both disagreed 1" in words
    assert "1 game was void" in words
    assert "Game 1: one: died exit status 139" not in words  # the game's link stands between
    assert re.search(r"Game 1: one: died one \(black\) vs two \(white\): replay", words)
    assert "\N{SYMBOL FOR ESCAPE}[31mSegmentation fault" in words
    assert "> genmove b ! killed" in words
    assert "GTP log (last 8000 characters)" in words
    assert len(text) < 100_000


def test_page_names_engine_versions(tmp_path: Path) -> None:
    identity = EngineIdentity("GNU Go", "3.8", "gnugo --mode gtp", "0123456789abcdef")
    records = [record(number, identities={Color.WHITE: identity}) for number in range(2)]
    words = Document(page(records, tmp_path)).words
    assert "two GNU Go 3.8 gnugo --mode gtp 0123456789ab 2" in words


@pytest.mark.usefixtures("far_west")  # dates are local, as in SGF files and logs
def test_facts_below_the_title(tmp_path: Path) -> None:
    options = {"options": (("komi", "6.5"),), "time": TimeControl.fischer(60, 0.5)}
    games = [record(0, started=1e9, seconds=86400.0, machine="host")]
    words = Document(page(games, tmp_path, rules=ELSEWHERE, **options)).words
    facts = (
        "go 9\N{MULTIPLICATION SIGN}9 · komi 6.5 · time 60+0.5 · 1 game · 2001-09-08 to 2001-09-09"
    )
    assert f"{facts} · host" in words


def test_names_are_escaped(tmp_path: Path) -> None:
    engines = (EVIL, "two", EVIL + "!")
    games = [
        record(
            number,
            *(engines[(number + step) % 3] for step in range(2)),
            moves=EVIL.replace(" ", "_"),
            winner=(*Color, DRAW, None)[number % 4],
            termination=Termination.PROTOCOL,
            failed=(Color.BLACK, None)[number % 2],
            detail=EVIL,
            stderr=EVIL,
            transcript=EVIL,
            machine=EVIL,
            identities={Color.BLACK: EngineIdentity(EVIL, EVIL, EVIL, EVIL)},
        )
        for number in range(12)
    ]
    document = Document(page(games, tmp_path, engines, title=EVIL))
    plain = Document(page([played(0)], tmp_path))
    assert {tag for tag, _ in document.elements} - {tag for tag, _ in plain.elements} <= {
        "details",
        "summary",
        "pre",
        "h3",
        "small",
        "a",
        "code",
    }
    assert len(document.scripts) == 2
    assert EVIL in document.text
    assert all(not name.startswith("on") for _, names in document.elements for name in names)
    data = json.loads(document.scripts[0])
    assert data["engines"] == list(engines)
    assert data["games"][0]["detail"] == EVIL


def test_invalid_utf8_is_escaped(tmp_path: Path) -> None:
    text = page([record(stderr="bad \udcff byte", failed=Color.BLACK, detail="\udc80")], tmp_path)
    assert r"bad \udcff byte" in text
    assert data_of(text)["games"][0]["detail"] == "\udc80"


def test_colors_that_do_not_alternate(tmp_path: Path) -> None:
    """A foreign game may let one color move twice."""
    game = record(moves="A1 B1 C1")
    twice = GameRecord(
        game.game, Color.BLACK, Termination.SCORED, moves=(*game.moves, game.moves[2])
    )
    games = data_of(page([game, twice], tmp_path, rules=ELSEWHERE))["games"]
    assert [each["colors"] for each in games] == ["b", "bwbb"]


def test_replayed_game_names_its_attempt(tmp_path: Path) -> None:
    void = record(4, winner=None, termination=Termination.HUNG)
    again = GameRecord(structs.replace(void.game, attempt=1), Color.BLACK, Termination.RULES)
    games = data_of(page([again, void], tmp_path))["games"]
    assert [each["label"] for each in games] == ["5", "5.2"]


def test_games_without_rules_have_no_board(tmp_path: Path) -> None:
    text = page([record(moves="D4 E5 pass pass")], tmp_path, rules=ELSEWHERE)
    data = data_of(text)
    assert "board" not in data
    assert data["games"][0]["moves"] == "D4\nE5\npass\npass"
    assert "First move Games Score D4 1 100 %" in Document(text).words


def test_games_of_another_match_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="game 1 was played by one and three"):
        page([record(0, "one", "three")], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_page_is_replaced_without_leftovers(tmp_path: Path) -> None:
    page([played(0)], tmp_path)
    after = page([], tmp_path)
    assert "No game is finished yet" in after
    assert [each.name for each in tmp_path.iterdir()] == ["match.html"]
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "nowhere" / "match.html"):
        with pytest.raises(OSError, match=r"not a regular file|No such file"):
            write_page([], path, title="", plan=plan())
    assert len(list(tmp_path.rglob("*"))) == 2


# --- replays


def test_refused_move_leaves_the_board() -> None:
    replay = ReplayBoard(new_session(plan(size="5x4"))).replay(["B2", "what", "B2", "Z9", "C3"])
    assert [len(change) for change in replay.changes] == [1, 0, 0, 0, 1]
    assert replay.encode() == "061    0c2"


def test_swap_exchanges_stone_and_sides() -> None:
    replay = ReplayBoard(new_session(plan(size="5x4"))).replay(["B2", "swap", "C3"])
    assert replay.changes == (((6, 1),), ((6, 2),), ((12, 1),))
    assert replay.swaps == (2,)


def test_boards_of_the_page_obey_the_rules() -> None:
    with pytest.raises(ValueError, match="no option 'komi'"):
        ReplayBoard(new_session(plan(size="5x4", options="komi=6.5")))
    without_swap = ReplayBoard(new_session(plan(size="5x4", pie="false"))).replay(["B2", "swap"])
    assert without_swap.changes == (((6, 1),), ())


def test_single_games_decide_no_sequential_test(tmp_path: Path) -> None:
    """Only pairs count, as in the runner."""
    records = [record(number, pair=number) for number in range(500)]
    words = Document(page(records, tmp_path, sprt=Sprt(0, 50))).words
    assert "undecided (H0: 0, H1: 50 normalized Elo), log-likelihood ratio 0.00" in words


# --- size and speed


def test_page_needs_little_memory_per_game() -> None:
    page = MatchPage(plan("one", "two", size="5x4"))
    games = [played(number) for number in range(200)]
    tracemalloc.start()
    for game in games:
        page.add(game)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 200 * 1500


@pytest.mark.slow
def test_page_of_2000_games_is_small(tmp_path: Path) -> None:
    records = [played(number, size=(9, 9)) for number in range(200)]
    many = [
        GameRecord(
            record(number, *(("one", "two") if number % 2 else ("two", "one"))).game,
            Color.BLACK,
            Termination.RULES,
            moves=records[number % 200].moves,
        )
        for number in range(2000)
    ]
    start = process_time()
    text = page(many, tmp_path, size=(9, 9))
    assert process_time() - start < 10
    assert len(text) < 4e6


def test_random_matches_make_sound_documents(tmp_path: Path) -> None:
    engines = ("one", "two", "three", "four")
    for seed in range(3):
        records = random_records(engines, 40, seed)
        rated = sum(record.winner is not None for record in records)
        assert f" {rated} games" in Document(page(records, tmp_path, engines)).words
