"""Speed: rates of playouts, searches and network evaluations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from pinchtp.base.intervals import ConfidenceInterval, mean_interval
from pinchtp.base.text import count
from pinchtp.bench.rates import Trials
from pinchtp.games import GAMES
from pinchtp.report.experiment import Endless, Measurements, WorkUnit
from pinchtp.report.figures import Figure, FigureUnit, format_interval, format_number
from pinchtp.report.implementation import FILL, sizes
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.section import Block, Section, SectionResult, SectionTable
from pinchtp.report.subject import ReportSubject

ROUNDS = 10  # timed trials per measurement in a unit
SECONDS = 0.005  # per trial


class RatesExperiment(Endless):
    """An experiment that warms up, then times each kind of work in turn, ROUNDS times per unit."""

    name = "rates"
    description = "speed measurements"
    weight = 8
    first_seconds = 2.0
    most = 10
    alone = True

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        trials = Trials(SECONDS, subject.unit_seed(self.name, unit.number))
        kinds = _kinds(subject, trials)
        for work in kinds.values():
            work()
        rates: dict[str, list[float]] = {name: [] for name in kinds}
        for _ in range(ROUNDS):
            for name, work in kinds.items():
                if stop():
                    raise Cancelled
                rates[name].append(round(work(), 2))
        return rates


def _kinds(subject: ReportSubject, trials: Trials) -> dict[str, Callable[[], float]]:
    """Returns the trials by name."""
    start = subject.start()
    kinds = {
        "playouts": trials.playouts(start),
        "moves": trials.moves(start),
        "fill": trials.fills(subject.width, subject.height),
        "flat": trials.flat_ucb(start),
        "uct": trials.uct(start),
        "engine": trials.engine(start),
    }
    if network := subject.network():
        kinds["evaluations"] = trials.evaluations(start, network)
        kinds["network"] = trials.engine(start, network)
    for game in GAMES.values():
        kinds[f"playouts {game.name}"] = trials.playouts(game.start(*game.size))
    return kinds


_NAMES = {
    "playouts": "Random games (playouts)",
    "moves": "Moves in playouts",
    "fill": "Playouts that only fill the board",
    "flat": "Simulations with flat UCB",
    "uct": "Simulations with UCT",
    "engine": "Visits of the engine, playout evaluation",
    "evaluations": "Evaluations of the network, one at a time",
    "network": "Visits of the engine, network evaluation",
}
_GAME = "playouts "


class RatesSection(Section):
    name = "rates"
    title = "Speed"
    about = (
        "How many random games (playouts) and search visits this program computes per second: how "
        "much search the other sections could afford, and how expensive the rules are to compute."
    )
    uses = (RatesExperiment.name,)

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        units = measurements.results(RatesExperiment.name)
        if not units:
            return None
        rates: dict[str, list[float]] = {}
        for unit in units.values():
            for kind, trials in unit.items():
                rates.setdefault(kind, []).extend(trials)
        method = f"The mean of timed trials of {1000 * SECONDS:g} ms each, on one thread."
        figures = [
            Figure.of(kind, name, mean_interval(rates[kind]), FigureUnit.RATE, method=method)
            for kind, name in _NAMES.items()
            if kind in rates
        ]
        rate = mean_interval(rates["playouts"])
        slow, quick = (1e6 / end if end > 0 else math.inf for end in (rate.low, rate.high))
        micros = ConfidenceInterval(1e6 / rate.value, quick, slow, rate.samples)
        figures.insert(
            1, Figure.of("playout-time", "Time per playout", micros, FigureUnit.MICROSECONDS)
        )
        figures += _ratios(rates)
        figures += _sizes(measurements.subject)
        table = {
            name: {**_ends(trials), "deviation": _deviation(trials), "trials": len(trials)}
            for name, trials in rates.items()
        }
        return SectionResult(figures, (), {"rates": table})

    def list_figures(self, summary: SectionResult) -> Sequence[Figure]:
        return [figure for figure in summary.figures if figure.key not in _NAMES]

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        rates: Mapping[str, Any] = summary.data["rates"]
        rows = [
            [
                _NAMES.get(name) or f"Playouts of {name.removeprefix(_GAME)}, default board",
                format_number(rate["mean"]),
                format_interval(rate["low"], rate["high"], FigureUnit.RATE),
                format_number(rate["deviation"]),
                f"{rate['deviation'] / rate['mean']:.0%}".replace("%", " %"),
                f"{rate['trials']}",
            ]
            for name, rate in rates.items()
            if rate["mean"]
        ]
        head = [
            "Measurement",
            "Per second",
            "-95 % interval",
            "-Standard deviation",
            "-Relative deviation",
            "-Trials",
        ]
        note = "Trials alternate, so that other load on the machine affects all measurements alike."
        return [SectionTable("Rates", head, rows, note)]


def _ends(rates: Sequence[float]) -> dict[str, float | None]:
    mean = mean_interval(rates)
    is_bounded = len(rates) > 1
    return {
        "mean": mean.value,
        "low": mean.low if is_bounded else None,
        "high": mean.high if is_bounded else None,
    }


def _deviation(rates: Sequence[float]) -> float:
    """Returns the standard deviation; 0 of fewer than two rates."""
    return stdev(rates) if len(rates) > 1 else 0.0


def _ratios(rates: Mapping[str, list[float]]) -> list[Figure]:
    fastest = max((kind for kind in rates if kind.startswith(_GAME)), key=lambda k: fmean(rates[k]))
    game = fastest.removeprefix(_GAME)
    return [
        Figure.of(
            "to-fill",
            "Playout speed relative to only filling the board",
            _ratio(rates["playouts"], rates["fill"]),
            FigureUnit.TIMES,
            method="The geometric mean of the ratios of consecutive trials. Filling the board "
            "shuffles the points and marks their owners, without any rules.",
        ),
        Figure.of(
            "to-fastest",
            f"Playout speed relative to {game}, our fastest game",
            _ratio(rates["playouts"], rates[fastest]),
            FigureUnit.TIMES,
            method="The geometric mean of the ratios of consecutive trials.",
        ),
    ]


def _ratio(ones: Sequence[float], others: Sequence[float]) -> ConfidenceInterval:
    """Returns the geometric mean of ratios, in which disturbances of trials cancel."""
    logs = mean_interval([math.log(one / other) for one, other in zip(ones, others, strict=True)])
    return ConfidenceInterval(
        math.exp(logs.value), math.exp(logs.low), math.exp(logs.high), logs.samples
    )


def _sizes(subject: ReportSubject) -> list[Figure]:
    """Returns the size of the game's implementation, and of the one that only fills the board."""
    known = sizes()
    own = known[subject.game]
    fill = known[FILL]
    method = (
        f"The {count(own.files, 'C++ header')} of the game: its rules, its playouts, and the "
        "headers of the same directories that they include."
    )
    game = "Implementation of the game"
    filling = "Implementation of filling the board"
    return [
        Figure("bytes", f"{game}, bytes", own.size, FigureUnit.WHOLE, method=method),
        Figure("lines", f"{game}, lines", own.lines, FigureUnit.WHOLE),
        Figure("fill-bytes", f"{filling}, bytes", fill.size, FigureUnit.WHOLE),
        Figure("fill-lines", f"{filling}, lines", fill.lines, FigureUnit.WHOLE),
    ]
