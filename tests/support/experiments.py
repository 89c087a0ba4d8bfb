"""Units of experiments of a report, measured on small boards."""

import math
from typing import Any

import pytest
import reference

from pinchtp.games import GAMES
from pinchtp.report.experiment import Experiment, Measurements, work
from pinchtp.report.playing import never
from pinchtp.report.subject import ReportSubject

SMALL = {"pinch": 3, "pinch-remove": 3, "pinch-relocate": 3, "capture-go": 3, "bushka": 10}
ALL_GAMES = pytest.mark.parametrize("game", GAMES)


def small(game: str, **details: Any) -> ReportSubject:
    side = SMALL[game]
    return ReportSubject.of(game, (side, side), visits=20, **details)


def measured(
    experiment: Experiment, subject: ReportSubject, most: int, stop_at: float = math.inf
) -> Measurements:
    """Returns the results of the first units."""
    measurements = Measurements(subject)
    while measurements.count(experiment.name) < most:
        unit = experiment.next(measurements, ())
        if unit is None or (unit.seconds or 0) > stop_at:
            break
        outcome = work(experiment, subject, unit, never)
        assert outcome.is_done, outcome.failure
        measurements.add(experiment.name, unit.number, outcome.data, outcome.seconds)
    return measurements


def rulebook(game: str, side: int) -> Any:
    """Returns the start of a game in the reference."""
    return reference.GAMES[game](*(() if game == "bushka" else (side, side)))
