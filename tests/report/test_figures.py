"""Figures: their text, and the intervals of lengths."""

import math
from collections import Counter

import numpy as np
import pytest

from pinchtp.base.intervals import ConfidenceInterval, mean_interval, share_interval
from pinchtp.html.format import TIMES
from pinchtp.report.figures import Figure, FigureUnit, format_value
from pinchtp.report.sections.length import length_estimates


@pytest.mark.parametrize(
    ("logarithm", "text"),
    [
        (0.0, "1"),
        (2.4, "251"),
        (5.9, "794,328"),
        (42.4, f"2.5 {TIMES} 10⁴²"),
        (41.9999, f"1.0 {TIMES} 10⁴²"),
        (309.06, f"1.1 {TIMES} 10³⁰⁹"),
    ],
)
def test_logarithm_is_shown_as_a_number(logarithm: float, text: str) -> None:
    assert format_value(logarithm, FigureUnit.POWER) == text


def test_interval_of_equal_values_is_unknown() -> None:
    assert Figure.of("", "", mean_interval([3.0, 3.0, 3.0])).interval == "unknown"


def test_quote_of_one_game_is_singular() -> None:
    assert (
        Figure.of("", "", share_interval(1, 1), FigureUnit.SHARE)
        .quote("of them", "games")
        .endswith("1 game)")
    )


def test_only_signed_units_go_below_0() -> None:
    """Unless the figure may."""
    estimate = mean_interval([1.0, 9.0])
    assert estimate.low < 0
    assert Figure.of("turns", "", estimate, FigureUnit.TURNS).low == 0
    assert Figure.of("heat", "", estimate, FigureUnit.POINTS).low == estimate.low


def test_length_intervals_cover_the_truth() -> None:
    rng = np.random.default_rng(5)
    means, spreads = 0, 0
    for _ in range(1000):
        lengths = Counter(rng.poisson(50, 200).tolist())
        average, spread = length_estimates(lengths)
        means += average.low <= 50 <= average.high
        spreads += spread.low <= math.sqrt(50) <= spread.high
    assert 930 <= means <= 970
    assert 920 <= spreads <= 975


def test_infinite_value_shows_its_lower_end() -> None:
    """As the Elo of a player who has won all games."""
    infinite = ConfidenceInterval(math.inf, 326.4, math.inf, 16)
    figure = Figure.of("elo", "Elo", infinite, FigureUnit.ELO)
    assert (figure.text, figure.interval) == ("at least +326", "")
