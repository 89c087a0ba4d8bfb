"""Result lines of a match."""

import io
import re
from dataclasses import replace

from match_plans import plan
from match_records import record
from rich.console import Console

from pinchtp.base.clock import TimeControl
from pinchtp.base.ratings import EloEstimate
from pinchtp.games import Color
from pinchtp.match.record import Termination, Violation
from pinchtp.match.results.sprt import Sprt
from pinchtp.match.results.stats import MatchStats
from pinchtp.match.results.tables import (
    WIDTH,
    format_estimate,
    rating_lines,
    result_tables,
    sprt_lines,
    title,
)


def test_title_has_rules() -> None:
    assert title(plan(size="9", pie="false", time="10m+0")) == "pinch 9x9, time 600+0, pie=false"
    foreign = plan(game="go", size="9", referee="false", options="komi=7.5")
    assert title(foreign) == "go 9x9, 1 s per move, komi=7.5, no referee"


def test_title_has_time_control_of_engines() -> None:
    made = plan(size="9", time="10m+0")
    one, other = made.engines
    fast = TimeControl.fischer(60, 0.5)
    one = replace(one, time=fast)
    assert title(replace(made, engines=(one, other))) == "pinch 9x9, different time controls"
    other = replace(other, time=fast)
    assert title(replace(made, engines=(one, other))) == "pinch 9x9, time 60+0.5"


def test_long_names_differ_in_tables() -> None:
    names = [f"network-of-generation-12-visits-{visits}" for visits in (800, 1600)]
    out = io.StringIO()
    Console(file=out, width=WIDTH).print(
        result_tables(plan(*names, "c"), MatchStats([*names, "c"]).report())
    )
    assert "network-of…-visits-800" in out.getvalue()
    assert "network-of…visits-1600" in out.getvalue()


def test_narrow_terminal_loses_no_number() -> None:
    stats = MatchStats(["one", "two"])
    stats.add(record())
    out = io.StringIO()
    Console(file=out, width=30).print(result_tables(plan("one", "two"), stats.report()))
    assert "Points: 1.0 (100.00 %)" in " ".join(out.getvalue().split())


def test_elo_has_no_negative_zero() -> None:
    assert format_estimate(EloEstimate(-0.001, -50, 50)) == "0.00 +/- 50.00"


def test_wrong_scores_are_counted_from_below() -> None:
    stats = MatchStats(["one", "two"])
    stats.add(record(faults=(Violation(Color.BLACK, Termination.SCORE),)))
    (failures,) = stats.report().failures
    assert failures.count == "≥ 1"


def test_unbounded_estimates_show_known_bounds() -> None:
    assert rating_lines((0, 0, 2, 0, 0))[0] == "Elo: no estimate, nElo: no estimate"
    assert rating_lines((0, 0, 0, 0, 3))[0].startswith("Elo: no estimate")
    assert rating_lines((1, 0, 1, 0, 0))[0].startswith("Elo: -190.85 (at most 67.89)")
    assert rating_lines((0, 1, 0, 0, 3))[0].startswith("Elo: 254.73 (at least -4.00)")


def test_forecast_needs_enough_pairs() -> None:
    assert len(sprt_lines(Sprt(0, 5), (1, 1, 2, 1, 1))) == 1
    lines = sprt_lines(Sprt(0, 5), (10, 10, 20, 12, 10))
    assert re.match(r"Expected: \d+ more games at this rate, \d+% for H1", lines[1])
