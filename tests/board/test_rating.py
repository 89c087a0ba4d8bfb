"""The visitor's rating and the adaptive opponent."""

import random

import pytest
from board.visits import Visit

from pinchtp.board.protocol.players import Strength
from pinchtp.board.rating import (
    FIRST_LEVEL_RATING,
    RANDOM_ELO,
    START,
    PlayerRating,
    Ratings,
    adapt_level,
    find_rating,
    update_rating,
)
from pinchtp.games import GAMES
from pinchtp.player.levels import LEVELS


@pytest.mark.parametrize("strength", [3, 8, 15])
def test_adaptive_opponent_wins_about_half(strength: int) -> None:
    """The visitor plays at the strength of a level."""
    source = random.Random(1)
    record = PlayerRating()
    wins = 0
    for game in range(600):
        lead = LEVELS[strength - 1].elo - LEVELS[round(record.level) - 1].elo
        won = source.random() < 1 / (1 + 10 ** (-lead / 400))
        wins += won and game >= 100
        record = adapt_level(record, float(won))
    assert 0.42 < wins / 500 < 0.58
    assert abs(record.level - strength) < 2.5


@pytest.mark.parametrize(("score", "is_explained"), [(0.0, False), (1.0, True)])
def test_only_a_large_change_is_explained(score: float, *, is_explained: bool) -> None:
    """A loss to the highest level changes a rating by nothing, a win over it by much."""
    sentence = Ratings().add("pinch", FIRST_LEVEL_RATING + LEVELS[-1].elo, score, adapts=False)
    assert ("little is known" in sentence) == is_explained


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_adaptive_level_stays_in_range(score: float) -> None:
    record = PlayerRating()
    for _ in range(200):
        record = adapt_level(record, score)
    assert record.level == (len(LEVELS) if score else 0)


def test_losses_lead_to_random_moves_and_a_lower_rating() -> None:
    ratings = Ratings()
    adaptive = Strength(adaptive=True)
    levels = [ratings.resolve("pinch", adaptive)]
    for _ in range(4):
        rating = find_rating(levels[-1])
        assert rating is not None
        ratings.add("pinch", rating, 0.0, adapts=True)
        levels.append(ratings.resolve("pinch", adaptive))
    assert find_rating(levels[0]) == START
    assert [level.number for level in levels] == [3, 1, 1, 1, 1]
    assert [level.random for level in levels] == [0, 0, 1, 1, 1]
    assert ratings.message("pinch").adaptive == 0
    assert find_rating(levels[-1]) == FIRST_LEVEL_RATING - RANDOM_ELO
    assert 0 < ratings.message("pinch").rating < START


def test_unchanged_rating_has_no_minus() -> None:
    ratings = Ratings({"pinch": PlayerRating(deviation=30, games=50)})
    told = ratings.add("pinch", START + 2000, 0.0, adapts=False)
    assert told.startswith(f"Your rating is {START:.0f} (+0),")


@pytest.mark.parametrize("game", GAMES)
def test_random_opponent_plays_to_the_end(visit: Visit, game: str) -> None:
    level = {"number": 1, "random": 1.0}
    players = {color: {"engine": 0, "level": level} for color in ("black", "white")}
    visit.ask("set-options", "state", pace=0)
    visit.new_game(game, None if game == "bushka" else 5, players=players)
    state = visit.until(lambda state: state["result"] is not None or state["number"] > 30)
    assert state["number"] > 5
    assert not visit.notices


def test_rating_converges_to_the_strength() -> None:
    source = random.Random(2)
    record = PlayerRating()
    for _ in range(400):
        opponent = source.choice([900, 1200, 1500])
        won = source.random() < 1 / (1 + 10 ** ((opponent - 1350) / 400))
        record = update_rating(record, opponent, float(won))
    assert abs(record.rating - 1350) < 100
    assert record.deviation < 70
    assert record.games == 400


def test_rating_of_level_grows_with_the_level() -> None:
    ratings = [find_rating(Strength(number=number)) for number in range(1, len(LEVELS) + 1)]
    assert ratings == sorted(set(ratings))
    for number, level in enumerate(LEVELS, 1):
        if level.temperature == 0 and not level.is_full_strength:
            assert find_rating(Strength(visits=level.visits)) == find_rating(
                Strength(number=number)
            )
    assert find_rating(Strength(visits=1)) == find_rating(Strength(number=11))
    assert find_rating(Strength(seconds=1.0)) is None
