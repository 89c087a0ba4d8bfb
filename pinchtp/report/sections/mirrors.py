"""Mirror strategies: players that mirror the opponent's moves, against the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pinchtp.base.intervals import share_interval
from pinchtp.games import Color, Position
from pinchtp.games.notation import coordinates, is_point, point
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.games.symmetry import Symmetry, image
from pinchtp.report.experiment import Endless, Measurements, WorkUnit
from pinchtp.report.figures import Figure, FigureUnit, format_value
from pinchtp.report.playing import SearchMover, StopCheck, find_score, play_game, read_winner
from pinchtp.report.section import Block, Section, SectionResult, SectionTable
from pinchtp.report.subject import ReportSubject

COPY = "copy"
STRATEGIES = {
    Symmetry.ROTATE: "rotating by 180 degrees",
    Symmetry.MIRROR: "mirroring left and right",
    Symmetry.FLIP: "mirroring top and bottom",
    Symmetry.TRANSPOSE: "exchanging columns and rows",
    COPY: "copying the last move or playing next to it",
}


def strategies(subject: ReportSubject) -> list[str]:
    """Returns the strategies for the shape of the board."""
    square = subject.width == subject.height
    return [str(strategy) for strategy in STRATEGIES if square or strategy != Symmetry.TRANSPOSE]


class MirrorsExperiment(Endless):
    """An experiment whose units are games of mirroring players, with each strategy and color."""

    name = "mirrors"
    description = "games of mirroring players against the engine"
    weight = 8
    first_seconds = 0.5
    least = 50

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        there_are = strategies(subject)
        turn, at = divmod(unit.number, len(there_are))
        session = subject.session()
        first = Color(session.start.to_move)
        color = first if turn % 2 else first.opponent
        seed = subject.unit_seed(self.name, unit.number)
        mirror = Mirror(there_are[at], SearchMover(subject, visits_of(subject), seed, stop))
        engine = SearchMover(subject, visits_of(subject), seed + 1, stop)
        game = play_game(session, {color: mirror, color.opponent: engine}, stop)
        return {
            "strategy": there_are[at],
            "first": color == first,
            "points": find_score(read_winner(game), color),
            "mirrored": mirror.mirrored,
            "turns": mirror.turns,
        }


def visits_of(subject: ReportSubject) -> int:
    """Returns the visits per move in these games."""
    return max(1, subject.visits // 4)


class Mirror:
    """A player that replies with the mirrored turn if it is legal, else with the engine's move.

    mirrored, turns: numbers of its mirrored turns, and of all its turns.
    """

    def __init__(self, strategy: str, engine: SearchMover) -> None:
        self._strategy = strategy
        self._engine = engine
        self.mirrored = self.turns = 0

    def choose(self, session: Session) -> PlayResult:
        self.turns += 1
        moves = self._image(session)
        if moves is None:
            return self._engine.choose(session)
        self.mirrored += 1
        return PlayResult.of(session, moves)

    def _image(self, session: Session) -> tuple[int, ...] | None:
        """Returns the mirrored last turn of the opponent; None if it is not a legal turn."""
        last = session.last_turn
        if last is None or not last.moves or not is_point(last.moves[0]):
            return None
        position = session.position
        moves: list[int] = []
        for move in last.moves:
            if not position.mid_turn and moves:
                return None
            answer = self._move(position, move)
            if answer is None:
                return None
            moves.append(answer)
            position = position.play(answer)
            if position.result is not None:
                break
        return None if position.mid_turn else tuple(moves)

    def _move(self, position: Position, move: int) -> int | None:
        if self._strategy != COPY:
            reflected = image(Symmetry(self._strategy), position, move)
            return reflected if position.is_legal(reflected) else None
        if position.is_legal(move):
            return move
        x, y = coordinates(move)
        around = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
        neighbors = [
            point(*each)
            for each in around
            if 0 <= each[0] < position.width and 0 <= each[1] < position.height
        ]
        return next((neighbor for neighbor in neighbors if position.is_legal(neighbor)), None)


_NAMES = {str(strategy): name for strategy, name in STRATEGIES.items()}
_PLAYERS = {True: "first", False: "second"}


class MirrorsSection(Section):
    name = "mirrors"
    title = "Mirror strategies"
    about = (
        "Whether a player who only mirrors the opponent's moves does well: such a strategy breaks "
        "some games. If the mirrored move is illegal, the player searches like its opponent."
    )
    uses = (MirrorsExperiment.name,)
    by_visits = ""

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        groups: dict[tuple[str, bool], list[Any]] = {}
        for unit in measurements.results(MirrorsExperiment.name).values():
            groups.setdefault((unit["strategy"], unit["first"]), []).append(unit)
        if not groups:
            return None
        figures = []
        rows = []
        method = (
            f"Games against the engine with {visits_of(measurements.subject):,} visits per move. "
            "A draw is half a point."
        )
        for (strategy, first), units in sorted(groups.items()):
            score = share_interval(sum(unit["points"] for unit in units), len(units))
            mirrored = sum(unit["mirrored"] for unit in units)
            turns = sum(unit["turns"] for unit in units)
            key = f"{strategy}-{_PLAYERS[first]}"
            player = f"as {_PLAYERS[first]} player, {measurements.subject.pie_rule}"
            name = f"{_NAMES[strategy].capitalize()}, {player}"
            figures.append(Figure.of(key, name, score, FigureUnit.SHARE, method=method))
            rows.append({"mirrored": mirrored / max(turns, 1), "games": len(units)})
        return SectionResult(figures, _draw_conclusions(figures, rows), {"rows": rows})

    def list_figures(self, summary: SectionResult) -> Sequence[Figure]:
        return ()

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        rows = [
            [
                figure.name,
                figure.text,
                figure.interval,
                f"{row['games']}",
                format_value(row["mirrored"], FigureUnit.SHARE),
            ]
            for figure, row in zip(summary.figures, summary.data["rows"], strict=True)
        ]
        head = ["Strategy", "Score", "95 % interval", "-Games", "-Mirrored turns"]
        note = "A draw is half a point. At 50 %, mirroring is as strong as the engine."
        return [SectionTable("Mirroring against the engine", head, rows, note)]


def _draw_conclusions(figures: Sequence[Figure], rows: Sequence[dict[str, Any]]) -> list[str]:
    strong = [
        _scores(figure)
        for figure, row in zip(figures, rows, strict=True)
        if figure.low is not None and figure.low > 0.5 and row["mirrored"] > 0.5
    ]
    if strong:
        return [f"Mirroring beats the engine: {'; '.join(strong)}."]
    best = max(figures, key=lambda figure: figure.value or 0.0)
    return [f"No mirror strategy significantly beats the engine. The best is {_scores(best)}."]


def _scores(figure: Figure) -> str:
    name = f"{figure.name[0].lower()}{figure.name[1:]}"
    return f"{name}, scoring {figure.quote('of the points', 'games')}"
