"""Sections of a match page: the course of the match, openings, times."""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from match_pages import ELSEWHERE, Document, data_of, page
from match_plans import plan
from match_records import played, random_records, record
from msgspec import structs

from pinchtp.games import Color
from pinchtp.html.format import percent, seconds
from pinchtp.match.record import DRAW, GameRecord, MoveRecord, Opening, Termination, Winner
from pinchtp.match.results.move_times import MoveTimeStats, Quantiles
from pinchtp.match.results.page import MatchPage
from pinchtp.match.results.score_history import ScoreHistory
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.stats import MatchStats

# --- how the match went


def ended(number: int, winner: Winner, pair: int | None = None, **others: Any) -> GameRecord:
    """A game that ended after those of smaller numbers; one has black in those of even numbers."""
    players = ("one", "two") if number % 2 == 0 else ("two", "one")
    times = {"started": 1e9 + 60 * number, "seconds": 60.0}
    return record(number, *players, winner, pair=pair, **(times | others))


def test_elo_and_llr_curves_end_at_result() -> None:
    rng = np.random.default_rng(1)
    records = [ended(number, rng.choice([Color.BLACK, Color.WHITE, DRAW])) for number in range(200)]
    history = ScoreHistory(["one", "two"])
    summary = MatchStats(["one", "two"])
    for each in rng.permutation(np.array(records, object)):
        history.add(each)
        summary.add(each)
    sprt = Sprt(0, 30)
    pairing = summary.pairing("one", "two")
    (line,), llr = history.ratings(), history.llr(sprt)
    assert line.points[-1] == (200, pytest.approx(pairing.elo.elo))
    assert line.band[-1] == pytest.approx((pairing.elo.low, pairing.elo.high))
    assert llr.points[-1] == (200, pytest.approx(sprt.llr(pairing.pairs)))
    assert llr.points[0][0] == 2  # the first complete pair
    assert history.pace() == pytest.approx(60)


def test_ratings_over_time_end_where_the_ratings_stand() -> None:
    engines = ("one", "two", "three", "four")
    history = ScoreHistory(engines)
    summary = MatchStats(engines)
    for each in random_records(engines, 300, seed=3):
        history.add(each)
        summary.add(each)
    ratings = summary.ratings()
    for line in history.ratings():
        assert line.points[-1] == (summary.games, pytest.approx(ratings[line.name].elo))
        assert len(line.points) <= 60


def test_pauses_of_a_match_do_not_count_as_its_pace() -> None:
    history = ScoreHistory(["one", "two"])
    for number in range(20):  # two at a time, and a night after the tenth
        began = 1e9 + 60 * (number // 2) + (40_000 if number >= 10 else 0)
        history.add(ended(number, DRAW, started=began, seconds=60.0))
    assert history.pace() == pytest.approx(9 * 60 / 19)


def test_curves_without_games_are_empty() -> None:
    history = ScoreHistory(["one", "two"])
    assert [list(line.points) for line in history.ratings()] == [[]]
    assert list(history.llr(Sprt(0, 10)).points) == []
    assert history.pace() == 0


def test_sprt_section_shows_the_expected_end(tmp_path: Path) -> None:
    black, white = Color
    winners = [black, white, black, black, DRAW, white, black, white]
    records = [ended(number, winners[number % 8]) for number in range(40)]
    words = Document(page(records, tmp_path, sprt=Sprt(0, 20))).words
    assert "Sequential test over time" in words
    assert "H0 accepted H1 accepted" in words
    outlook = Sprt(0, 20).outlook(pairs_of(records))
    assert outlook is not None
    games = 2 * outlook.outcomes
    end = f"after {games:.0f} more games ({seconds(60 * games)}) at this rate"
    assert f"Expected end {end}; probability of H1: {percent(outlook.h1)}" in words
    decided = [ended(number, Color(number % 2)) for number in range(200)]
    assert "Expected end" not in Document(page(decided, tmp_path, sprt=Sprt(0, 20))).words


def pairs_of(records: Sequence[GameRecord]) -> tuple[int, ...]:
    summary = MatchStats(["one", "two"])
    for each in records:
        summary.add(each)
    return summary.pairing("one", "two").pairs


def test_page_compares_engines_pair_by_pair(tmp_path: Path) -> None:
    winners = [Color.WHITE, Color.BLACK, Color.WHITE] * 3
    records = [
        *(record(at, "one", "two", winner, pair=at) for at, winner in enumerate(winners)),
        *(record(at, "two", "three", pair=at) for at in range(10, 14)),
    ]
    words = Document(page(records, tmp_path, ("one", "two", "three"))).words
    dash, minus = "\N{EN DASH}", "\N{MINUS SIGN}"
    elo = round(400 * math.log10(2))
    assert f"one two 9 3{dash}0{dash}6 33 % {minus}{elo} " in words
    assert f"two three 4 4{dash}0{dash}0 100 % +\N{INFINITY} " in words
    assert "one three 0" not in words
    assert "Head-to-head" not in Document(page(records[:9], tmp_path)).words


def test_engine_without_games_has_no_rating(tmp_path: Path) -> None:
    records = [
        record(0, "one", "two", Color.BLACK, pair=0),
        record(1, "two", "one", Color.BLACK, pair=0),
    ]
    text = page(records, tmp_path, ("none", "one", "two"))
    assert '<th scope="row">3</th><td>none</td><td></td>' in text
    (chart,) = re.findall(r'aria-label="Ratings with.*?</svg>', text)
    assert re.findall('class="name".*?>(.*?)<', chart) == ["one", "two"]


# --- openings


def opened(number: int, winner: Winner | None, name: str, *moves: str) -> GameRecord:
    """A game that began with an opening."""
    game = ended(number, DRAW if winner is None else winner)
    task = structs.replace(game.game, opening=Opening(name, moves))
    made = tuple(MoveRecord(Color(at % 2), text, book=True) for at, text in enumerate(moves))
    return GameRecord(task, winner, Termination.RULES, moves=made)


def test_page_shows_results_by_opening(tmp_path: Path) -> None:
    records = [
        opened(0, Color.BLACK, "corner", "A1", "B2"),
        opened(1, Color.BLACK, "corner", "A1", "B2"),
        opened(2, DRAW, "", "C2", "swap"),
        opened(4, Color.WHITE, "corner", "A1", "B2"),
        opened(6, None, "corner", "A1", "B2"),
    ]
    text = page(records, tmp_path)
    words = Document(text).words
    dash = "\N{EN DASH}"
    assert f"corner A1 B2 Black: 2{dash}0{dash}1 one: 1/3 3 games" in words
    assert f"C2 swap Black: 0{dash}1{dash}0 one: ½/1 1 game" in words
    assert f"corner A1 B2 3 2{dash}0{dash}1 67 % 33 %" in words
    boards = re.findall(r'<svg class="chart board"[^>]*after A1 B2".*?</svg>', text, re.DOTALL)
    assert len(boards) == 1
    assert re.findall(r'class="(black|white)"', boards[0]) == ["black", "white"]
    assert re.findall(r">(\d)</text>", boards[0]) == ["1", "2"]
    assert [game["opening"] for game in data_of(text)["games"]] == [0, 0, 1, 0, 0]
    assert data_of(text)["openings"] == ["corner", "C2 swap"]


@pytest.mark.parametrize("paired", [True, False])
def test_bias_of_unpaired_openings_is_reported(paired: bool) -> None:
    made = MatchPage(plan("one", "two", size="5x4", paired=str(paired).lower()))
    made.add(opened(0, Color.BLACK, "", "C2", "D3"))
    words = Document(made.document("")).words
    assert ("favors neither engine" in words) == paired
    assert ("favors the engine with that color" in words) != paired


def test_turned_stones_keep_the_numbers_of_their_moves(tmp_path: Path) -> None:
    text = page([opened(0, Color.BLACK, "", "C2", "swap", "D3")], tmp_path)
    (board,) = re.findall(
        r'<svg class="chart board"[^>]*after C2 swap D3".*?</svg>', text, re.DOTALL
    )
    assert re.findall(r'class="(black|white)"', board) == ["white", "black"]
    assert re.findall(r">(\d)</text>", board) == ["1", "3"]


def test_openings_of_foreign_games_are_a_table(tmp_path: Path) -> None:
    games = [opened(0, Color.BLACK, "", "D4", "C3")]
    words = Document(page(games, tmp_path, rules=ELSEWHERE)).words
    assert "Results by opening" in words
    assert "D4 C3 D4 C3 1 " in words


def test_section_of_openings_needs_openings(tmp_path: Path) -> None:
    assert "Results by opening" not in Document(page([played(0)], tmp_path)).words


# --- times


def test_times_by_move_and_their_distribution(tmp_path: Path) -> None:
    records = [
        record(number, moves="A1 B1 C1 D1 A2 B2", times=[0.2, 1, 0.4, 3, 0.6, 5])
        for number in range(10)
    ]
    times = MoveTimeStats(["one", "two", "three"])
    for each in records:
        times.add(each)
    times.add(record(11, winner=None, moves="A1 B1", times=[100, 100]))
    one, two, three = times.by_move()
    assert one.points == [(1, pytest.approx(0.2)), (3, pytest.approx(0.4)), (5, pytest.approx(0.6))]
    assert two.points == [(2.0, 1.0), (4.0, 3.0), (6.0, 5.0)]
    assert three.points == []
    for line, least, most in zip(times.distribution()[:2], (0.2, 1), (0.6, 5), strict=True):
        seen = [at for at, share in line.points if share]
        assert sum(share for _, share in line.points) == pytest.approx(1)
        assert math.log10(least) - 0.125 <= min(seen)
        assert max(seen) <= math.log10(most) + 0.125
    quantiles = times.quantiles()
    assert set(quantiles) == {"one", "two"}
    assert quantiles["two"] == Quantiles(3, 5, 5)
    words = Document(page(records, tmp_path)).words
    assert "one 30 400 ms 400 ms 600 ms 600 ms 600 ms 0" in words
    assert "Distribution 0 %" in words


def test_page_omits_times_if_none_were_taken(tmp_path: Path) -> None:
    words = Document(page([record(moves="A1 B1")], tmp_path)).words
    assert "By move number" not in words


def test_failures_stand_above_the_games(tmp_path: Path) -> None:
    text = page(
        [record(winner=Color.WHITE, termination=Termination.DIED, failed=Color.BLACK)], tmp_path
    )
    assert text.index('<section id="failures"') < text.index('<section id="games"')
