"""Length and branching: turns per game, choices per turn, and complexity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import geometric_mean

from pinchtp.base.intervals import (
    ConfidenceInterval,
    Z,
    counted_moments,
    interval_from_moments,
    mean_interval,
)
from pinchtp.html.charts import Axis, ChartLine, histogram, legend, line_chart, round_ends
from pinchtp.report.experiment import Measurements
from pinchtp.report.figures import Figure, FigureUnit, select_quotable
from pinchtp.report.games import RandomGames, StrongGames
from pinchtp.report.playing import branching
from pinchtp.report.section import LEAST_GAMES, Block, Chart, Section, SectionResult
from pinchtp.report.subject import ReportSubject

_BRANCHES = (
    "The geometric mean over the turns of a game, averaged over games. For a turn of several "
    "steps, the choices of its steps are multiplied: the mean of this product over random turns is "
    "the number of different turns."
)
_COMPLEXITY = (
    "An estimate of the number of games that are like those played: the product of the choices of "
    "all turns of a game, as a geometric mean over games."
)


class LengthSection(Section):
    name = "length"
    title = "Length and branching"
    about = (
        "How many turns a game lasts and how many choices a turn offers, in random and in strong "
        "play, and how large the game tree and the state space are."
    )
    uses = (RandomGames.name, StrongGames.name)
    by_visits = "strong-"

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        games = measurements.games(StrongGames.name, measurements.subject.rules)
        random_choices = [
            game
            for unit in measurements.results(RandomGames.name).values()
            for game in unit["choices"]
        ]
        strong_choices = [[branching(turn) for turn in game.turns] for game in games]
        figures: list[Figure] = []
        data: dict[str, object] = {}
        for kind, lengths, choices in (
            ("random", random_lengths(measurements), random_choices),
            ("strong", Counter(game.length for game in games), strong_choices),
        ):
            if lengths:
                figures += [*_describe_lengths(kind, lengths), *_describe_choices(kind, choices)]
                data[f"{kind}-lengths"] = {str(key): lengths[key] for key in sorted(lengths)}
                data[f"{kind}-branching"] = _by_turn(choices)
        if not figures:
            return None
        figures.append(_states(measurements.subject))
        return SectionResult(figures, _draw_conclusions(figures), data)

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        blocks: list[Block] = []
        for kind in ("random", "strong"):
            title = f"Length of {kind} games"
            counts = {int(key): n for key, n in summary.data.get(f"{kind}-lengths", {}).items()}
            if counts:
                mean, _ = counted_moments(counts)
                picture = histogram(counts, title, what="game", unit="turn", mean=mean)
                blocks.append(Chart(title, picture, "The vertical line marks the mean."))
        lines = [
            ChartLine(f"{kind} play", points)
            for kind in ("random", "strong")
            if (points := summary.data.get(f"{kind}-branching"))
        ]
        if lines:
            blocks.append(_branching_chart(lines))
        return blocks


def _draw_conclusions(figures: Sequence[Figure]) -> list[str]:
    return [
        f"A game in strong play lasts {figure.quote('turns', 'games')}."
        for figure in select_quotable(figures)
        if figure.key == "strong-length"
    ]


def random_lengths(measurements: Measurements) -> Counter[int]:
    """Returns the number of random games by their length in turns."""
    lengths: Counter[int] = Counter()
    for unit in measurements.results(RandomGames.name).values():
        lengths.update({int(length): count for length, count in unit["lengths"].items()})
    return lengths


def _describe_lengths(kind: str, lengths: Mapping[int, int]) -> list[Figure]:
    """Returns the figures of the turns of games. kind: `random` or `strong`."""
    average, spread = length_estimates(lengths)
    return [
        Figure.of(
            f"{kind}-length",
            f"Turns per game, {kind} play",
            average,
            FigureUnit.TURNS,
            method="The mean over games. A swap counts as a turn.",
            glance=kind == "strong",
        ),
        Figure.of(
            f"{kind}-spread",
            f"Standard deviation of turns per game, {kind} play",
            spread,
            FigureUnit.TURNS,
        ),
    ]


def _describe_choices(kind: str, choices: Sequence[Sequence[int]]) -> list[Figure]:
    """Returns the figures of the choices per turn. kind: `random` or `strong`."""
    per_game = [geometric_mean(game) for game in choices if game]
    sizes = [sum(math.log10(count) for count in game) for game in choices]
    return [
        Figure.of(
            f"{kind}-branching",
            f"Choices per turn, {kind} play",
            mean_interval(per_game),
            method=_BRANCHES,
            glance=kind == "strong",
        ),
        Figure.of(
            f"{kind}-complexity",
            f"Game-tree complexity, {kind} play",
            mean_interval(sizes),
            FigureUnit.POWER,
            method=_COMPLEXITY,
            glance=kind == "strong",
        ),
    ]


def length_estimates(lengths: Mapping[int, int]) -> tuple[ConfidenceInterval, ConfidenceInterval]:
    """Returns the mean and the standard deviation of counted lengths."""
    count = sum(lengths.values())
    mean, deviation = counted_moments(lengths)
    if count < 2:
        unknown = ConfidenceInterval(0.0, 0.0, math.inf, count)
        return ConfidenceInterval(mean, -math.inf, math.inf, count), unknown
    # The standard error of a variance follows from the fourth moment.
    fourth = sum((length - mean) ** 4 * times for length, times in lengths.items()) / count
    variance = deviation**2 * (count - 1) / count
    error = math.sqrt(max(fourth - variance**2, 0.0) / count) / (2 * max(deviation, 1e-9))
    reach = Z * error
    spread = ConfidenceInterval(deviation, max(deviation - reach, 0.0), deviation + reach, count)
    return interval_from_moments(mean, deviation, count), spread


def _by_turn(choices: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    longest = max(map(len, choices), default=0)
    points = []
    for turn in range(longest):
        here = [game[turn] for game in choices if len(game) > turn]
        if len(here) >= min(LEAST_GAMES, len(choices)):
            points.append((turn + 1, round(geometric_mean(here), 2)))
    return points


def _branching_chart(lines: Sequence[ChartLine]) -> Chart:
    most = max(turn for line in lines for turn, _ in line.points)
    high = max(value for line in lines for _, value in line.points)
    picture = line_chart(
        lines,
        Axis(1, most, "turn", whole=True),
        Axis(*round_ends(0, high)),
        "Choices by turn of the game",
    ) + legend([line.name for line in lines])
    note = "Geometric means over the games that reached the turn."
    return Chart("Choices by turn", picture, note)


def _states(subject: ReportSubject) -> Figure:
    """Returns an upper bound of the number of states, with either side to move."""
    points = sum(subject.board.is_point(cell) for cell in range(subject.width * subject.height))
    kinds = len([cell for cell in subject.entry.cells if cell != 255])
    method = f"Each of {points} points has one of {kinds} states, and either side is to move."
    return Figure(
        "states",
        "State-space complexity, upper bound",
        points * math.log10(kinds) + math.log10(2),
        FigureUnit.POWER,
        method=method,
    )
