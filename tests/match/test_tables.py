"""Result lines of a match."""

from __future__ import annotations

import re

from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.tables import rating_lines, sprt_lines


def test_unbounded_estimates_show_known_bounds() -> None:
    assert rating_lines((0, 0, 2, 0, 0))[0] == "Elo: no estimate, nElo: no estimate"
    assert rating_lines((0, 0, 0, 0, 3))[0].startswith("Elo: no estimate")
    assert rating_lines((1, 0, 1, 0, 0))[0].startswith("Elo: -190.85 (at most 67.89)")
    assert rating_lines((0, 1, 0, 0, 3))[0].startswith("Elo: 254.73 (at least -4.00)")


def test_forecast_needs_enough_pairs() -> None:
    assert len(sprt_lines(Sprt(0, 5), (1, 1, 2, 1, 1))) == 1
    lines = sprt_lines(Sprt(0, 5), (10, 10, 20, 12, 10))
    assert re.match(r"Expected: \d+ more games at this rate, \d+% for H1", lines[1])
