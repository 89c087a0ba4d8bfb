"""Sample games for replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pinchtp.base.text import count
from pinchtp.games import Color
from pinchtp.report.experiment import Measurements
from pinchtp.report.figures import Figure, FigureUnit
from pinchtp.report.games import StrongGames
from pinchtp.report.playing import PlayedGame
from pinchtp.report.section import Section, SectionResult
from pinchtp.report.sections.drama import GAME, lead_changes
from pinchtp.report.subject import ReportSubject

_RESULTS = {None: "A draw", Color.BLACK: "Black won", Color.WHITE: "White won"}


class SamplesSection(Section):
    name = "samples"
    title = "Sample games"
    about = (
        "Games of the engine against itself, for replay with its winrates: the sample game of the "
        "section Drama, the shortest, the longest, and the one with the most lead changes."
    )
    uses = (StrongGames.name,)
    by_visits = ""

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        games = measurements.games(StrongGames.name, measurements.subject.rules)
        if not games:
            return None
        figures = [Figure("games", "Games played", len(games), FigureUnit.WHOLE)]
        stored = measurements.results(StrongGames.name)
        picked = _pick_games(dict(zip(stored, games, strict=True)))
        data = [{"name": name, **stored[number]} for number, name in picked.items()]
        return SectionResult(figures, (), {"games": data})


def _pick_games(games: Mapping[int, PlayedGame]) -> dict[int, str]:
    """Returns the numbers of the selected games, with the reasons. games: by number."""
    picked = {GAME: ["the sample game of the section Drama"]} if GAME in games else {}
    for name, number in (
        ("the shortest", min(games, key=lambda number: games[number].length)),
        ("the longest", max(games, key=lambda number: games[number].length)),
        ("the most lead changes", max(games, key=lambda number: lead_changes(games[number]))),
    ):
        picked.setdefault(number, []).append(name)
    return {number: ", ".join(names) for number, names in sorted(picked.items())}


def make_replays(summary: SectionResult, subject: ReportSubject) -> list[dict[str, Any]]:
    """Returns the games for report.js."""
    replays = []
    for number, stored in enumerate(summary.data["games"], start=1):
        game = PlayedGame(subject.session(), stored)
        texts = [game.session.texts(turn)[0] for turn in game.turns]
        replay = subject.board.replay(texts)
        blacks = [None if winrate is None else winrate.black() for winrate in game.winrates]
        replays.append(
            {
                "heading": f"Game {number}: {stored['name']}",
                "result": f"{_RESULTS[game.winner]} after {count(game.length, 'turn')}",
                "moves": texts,
                "colors": [str(turn.color) for turn in game.turns],
                "chances": [None if black is None else round(black, 3) for black in blacks],
                "changes": replay.encode(),
                "swaps": list(replay.swaps),
                "chain": list(replay.chain),
            }
        )
    return replays


def as_sgf(summary: SectionResult, subject: ReportSubject) -> list[str]:
    """Returns the games as SGF, in the same order."""
    from pinchtp.records.sgf import to_sgf  # noqa: PLC0415  (only when files are written)

    records = []
    for stored in summary.data["games"]:
        session = subject.session()
        for moves, chance in zip(stored["turns"], stored["chances"], strict=True):
            session.play(session.to_move, *moves, winrate=chance)
        records.append(to_sgf(session) + "\n")
    return records
