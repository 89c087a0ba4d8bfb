"""Material: pieces, captures and types of turn over many games, by turn and by point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pinchtp._core import PASS, SWAP
from pinchtp.base.intervals import mean_interval
from pinchtp.games import Color
from pinchtp.games.game import PIECES, count_cells, own_cells
from pinchtp.games.history import Turn
from pinchtp.games.notation import cell_of
from pinchtp.report.figures import Figure
from pinchtp.report.playing import PlayedGame
from pinchtp.report.section import LEAST_GAMES
from pinchtp.report.subject import ReportSubject


class Material:
    """The pieces, captures and types of turn of all games."""

    def __init__(self, subject: ReportSubject, games: Sequence[PlayedGame]) -> None:
        self._width = subject.width
        self._games = games
        self._placed: Counter[int] = Counter()
        self._captured: Counter[int] = Counter()
        self._deciding: Counter[int] = Counter()
        self._pieces: dict[Color, list[list[int]]] = {color: [] for color in Color}
        self._actions: list[Counter[str]] = []
        self._captures: list[float] = []
        self._capturing: list[float] = []
        for game in games:
            self._add(game)

    def figures(self) -> list[Figure]:
        return [
            Figure.of(
                "captures",
                "Captured pieces per game",
                mean_interval(self._captures),
                method="Flipped or removed pieces.",
            ),
            Figure.of("capturing", "Capturing turns per game", mean_interval(self._capturing)),
        ]

    def data(self) -> dict[str, Any]:
        """Returns pieces of each color by turn, shares of the types of turn, and counts by cell."""
        games = len(self._games)
        kinds = sorted({kind for counts in self._actions for kind in counts})
        lasting = [counts for counts in self._actions if counts.total() >= min(LEAST_GAMES, games)]
        return {
            "material": {str(color): _means(self._pieces[color], games) for color in Color},
            "actions": {
                kind: [round(counts[kind] / counts.total(), 4) for counts in lasting]
                for kind in kinds
            },
            "placed": _per_game(self._placed, games),
            "captured": _per_game(self._captured, games),
            "deciding": _per_game(self._deciding, games),
        }

    def _add(self, game: PlayedGame) -> None:
        captures = capturing = 0
        for number, turn in enumerate(game.turns):
            if number == len(self._actions):
                self._actions.append(Counter())
                for color in Color:
                    self._pieces[color].append([])
            taken = self._add_turn(turn)
            captures += taken
            capturing += taken > 0
            self._actions[number][_kind(turn, taken)] += 1
            cells = turn.after.cells()
            for color in Color:
                self._pieces[color][number].append(count_cells(cells, own_cells(color)))
        self._captures.append(float(captures))
        self._capturing.append(float(capturing))
        chain = game.session.position.winning_chain
        self._deciding.update(cell_of(move, self._width) for move in chain)

    def _add_turn(self, turn: Turn) -> int:
        """Counts the pieces that a turn placed and captured; returns the number captured."""
        if not turn.moves or turn.moves[0] == SWAP:
            return 0
        own = own_cells(turn.color)
        taken = 0
        for cell, (old, new) in enumerate(
            zip(turn.before.cells(), turn.after.cells(), strict=True)
        ):
            if old == new:
                continue
            if new in PIECES and old not in PIECES:
                self._placed[cell] += 1
            elif old in PIECES and old not in own:
                self._captured[cell] += 1
                taken += 1
        return taken


def _kind(turn: Turn, taken: int) -> str:
    if SWAP in turn.moves:
        return "swap"
    if PASS in turn.moves:
        return "pass"
    return "capture" if taken else "quiet"


def _means(turns: Sequence[Sequence[int]], games: int) -> list[float]:
    return [
        round(sum(turn) / len(turn), 2) for turn in turns if len(turn) >= min(LEAST_GAMES, games)
    ]


def _per_game(counts: Counter[int], games: int) -> dict[str, float]:
    return {str(cell): round(count / games, 4) for cell, count in sorted(counts.items())}
