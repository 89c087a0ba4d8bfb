"""Good and bad moves: preferences of strong play, compared with random choice."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from pinchtp.base.intervals import ratio_interval
from pinchtp.games.notation import cell_of, format_move, is_point
from pinchtp.render.svg import CellMark, marks_svg
from pinchtp.report.experiment import Measurements
from pinchtp.report.figures import Figure, FigureUnit, format_interval, format_number
from pinchtp.report.games import StrongGames
from pinchtp.report.playing import PlayedGame
from pinchtp.report.section import (
    LISTED_MOVES,
    Block,
    Chart,
    Section,
    SectionResult,
    SectionTable,
)
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import classes, symmetries


class GoodMovesSection(Section):
    name = "moves"
    title = "Good and bad moves"
    about = (
        "Which moves strong play chooses more often than random play would, and which it avoids: a "
        "quick map of strategy."
    )
    uses = (StrongGames.name,)
    by_visits = ""

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        subject = measurements.subject
        games = measurements.games(StrongGames.name, subject.rules)
        if not games:
            return None
        moves = _compare_with_chance(games, subject)
        better = sum(len(move["moves"]) for move in moves if move["low"] > 1)
        worse = sum(len(move["moves"]) for move in moves if move["high"] < 1)
        figures = [
            Figure(
                "better",
                "Moves chosen significantly more often than by chance",
                better,
                FigureUnit.WHOLE,
                method="Moves whose ratio to chance has a 95 % interval above 1. Of many moves, a "
                "few pass this test by chance.",
            ),
            Figure(
                "worse",
                "Moves chosen significantly less often than by chance",
                worse,
                FigureUnit.WHOLE,
            ),
        ]
        return SectionResult(figures, (), {"moves": moves})

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        moves = summary.data["moves"]
        marks = {
            cell_of(move, subject.width): CellMark.share(
                _share_of(each["ratio"]),
                f"{format_number(each['ratio'])} times as often as by chance "
                f"({format_number(each['low'])} to {format_number(each['high'])})",
                format_number(each["ratio"]) if each["ratio"] < 10 else f"{each['ratio']:.0f}",
            )
            for each in moves
            for move in each["moves"]
            if is_point(move)
        }
        note = (
            "How many times as often as by chance strong play moves to a point. Orange: more "
            "often; blue: less often. Points that are equal by symmetry are counted together."
        )
        picture = Markup(marks_svg(subject.session(), marks, "Preference by point"))
        return [Chart("Preference by point", picture, note), _table(moves)]


def _compare_with_chance(
    games: Sequence[PlayedGame], subject: ReportSubject
) -> list[dict[str, Any]]:
    """Returns symmetry classes of moves, each with its counts: made, and expected by chance."""
    made: Counter[int] = Counter()
    chance: defaultdict[int, float] = defaultdict(float)
    for game in games:
        for turn in game.turns:
            position = turn.before
            for move in turn.moves:
                legal = position.legal_moves()
                for legal_move in legal:
                    chance[legal_move] += 1 / len(legal)
                made[move] += 1
                position = position.play(move)
    groups = []
    for moves in classes(list(chance), symmetries(subject.entry, subject.start())).values():
        count = sum(made[move] for move in moves)
        expected = sum(chance[move] for move in moves)
        ratio = ratio_interval(count, expected)
        groups.append(
            {
                "moves": moves,
                "made": count,
                "expected": round(expected, 2),
                "ratio": ratio.value,
                "low": ratio.low,
                "high": ratio.high,
            }
        )
    return sorted(groups, key=lambda group: -group["ratio"])


def _share_of(ratio: float) -> float:
    """Returns 1/2 for a ratio of 1, and equal distances from it for twice and half as often."""
    return 0.5 + 0.4 * max(-1.0, min(1.0, math.log2(max(ratio, 1e-3)) / 2))


def _table(moves: Sequence[dict[str, Any]]) -> SectionTable:
    ends = [
        *moves[:LISTED_MOVES],
        *[group for group in moves[-LISTED_MOVES:] if group not in moves[:LISTED_MOVES]],
    ]
    rows = [
        [
            " ".join(format_move(move) for move in end["moves"]),
            format_number(end["ratio"]),
            format_interval(end["low"], end["high"]),
            f"{end['made']}",
            format_number(end["expected"]),
        ]
        for end in ends
    ]
    head = ["Moves", "Ratio to chance", "95 % interval", "-Chosen", "-Expected by chance"]
    note = "In games of the engine against itself."
    return SectionTable("Most and least preferred moves", head, rows, note)
