"""Intervals of reports cover the truth as often as they say."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from pinchtp.html.format import TIMES
from pinchtp.report.figures import (
    Figure,
    FigureUnit,
    count_ratio,
    lower_bound,
    mean,
    share,
    shown,
)
from pinchtp.report.sections.length import length_estimates

TRIALS = 4000


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
    assert shown(logarithm, FigureUnit.POWER) == text


@pytest.mark.parametrize("truth", [0.5, 0.6, 0.9])
@pytest.mark.parametrize("count", [30, 200])
def test_share_interval_covers_the_truth(truth: float, count: int) -> None:
    successes = np.random.default_rng(1).binomial(count, truth, TRIALS)
    found = {int(each): share(int(each), count) for each in set(successes)}
    covered = np.mean(
        [found[int(each)].low <= truth <= found[int(each)].high for each in successes]
    )
    assert 0.93 <= covered <= 0.98


@pytest.mark.parametrize("count", [2, 3, 5, 20])
@pytest.mark.parametrize("skew", [False, True])
def test_mean_interval_covers_the_truth(count: int, skew: bool) -> None:
    rng = np.random.default_rng(2)
    if skew and count < 20:
        pytest.skip("Student's interval is for means that are about normal")
    values = rng.gamma(4, 1, (TRIALS, count)) if skew else rng.normal(4, 2, (TRIALS, count))
    found = [mean(row.tolist()) for row in values]
    assert 0.93 <= np.mean([each.low <= 4 <= each.high for each in found]) <= 0.97


def test_single_observation_has_no_bounds() -> None:
    assert mean([3.0]).low == -math.inf
    assert mean([3.0]).high == math.inf
    assert Figure.of("", "", mean([3.0, 3.0, 3.0])).interval == "unknown"
    assert (share(0, 0).low, share(0, 0).high) == (0.0, 1.0)


def test_quote_of_one_game_is_singular() -> None:
    assert (
        Figure.of("", "", share(1, 1), FigureUnit.SHARE)
        .quote("of them", "games")
        .endswith("1 game)")
    )


def test_only_signed_units_go_below_0() -> None:
    """Unless the figure may."""
    estimate = mean([1.0, 9.0])
    assert estimate.low < 0
    assert Figure.of("turns", "", estimate, FigureUnit.TURNS).low == 0
    assert Figure.of("heat", "", estimate, FigureUnit.POINTS).low == estimate.low


@pytest.mark.parametrize("expected", [2.0, 10.0, 100.0])
def test_count_ratio_interval_covers_the_truth(expected: float) -> None:
    """At 1.5 times the expected count; exact intervals cover somewhat more."""
    counts = np.random.default_rng(3).poisson(1.5 * expected, TRIALS)
    found = [count_ratio(int(each), expected) for each in counts]
    assert 0.94 <= np.mean([each.low <= 1.5 <= each.high for each in found]) <= 0.99


def test_lower_bound_is_one_sided() -> None:
    successes = np.random.default_rng(4).binomial(60, 0.6, TRIALS)
    held = np.mean([lower_bound(int(each), 60, 0.9) <= 0.6 for each in successes])
    assert 0.87 <= held <= 0.94


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
