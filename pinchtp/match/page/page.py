"""The page of a match: what is collected from its games, and what is shown of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from markupsafe import Markup

from pinchtp.html.board import Board, Replay
from pinchtp.html.document import Pages
from pinchtp.html.format import TIMES, count
from pinchtp.match.game.judge import new_session
from pinchtp.match.game.record import Cause, GameRecord, Identity
from pinchtp.match.game.rules import GameRules
from pinchtp.match.game.time_control import format_time
from pinchtp.match.page import figures
from pinchtp.match.page.data import game_data
from pinchtp.match.page.openings import Openings
from pinchtp.match.page.score_history import ScoreHistory
from pinchtp.match.page.times import Times
from pinchtp.match.results.summary import Results, Summary, failures_of, is_failure
from pinchtp.match.statistics.sprt import Outlook, Sprt

MOST_TOLD = 200  # failures that are shown with what the engines said
MOST_STDERR, MOST_TRANSCRIPT = 4000, 8000  # characters of it, from the end

PAGES = Pages(
    "pinchtp.match.page",
    "page.html",
    styles=["page.css"],
    scripts=["dom.js", "board.js", "curve.js", "viewer.js", "page.js"],
    live_scripts=["live.js", "served.js"],
)


@dataclass(frozen=True)
class Failure:
    """A game in which something went wrong, and the ends of what the engines said in it."""

    order: tuple[int, int]
    label: str
    black: str
    white: str
    culprit: str
    cause: Cause
    detail: str
    stderr: str
    transcript: str

    @classmethod
    def of(cls, record: GameRecord) -> Self:
        task = record.task
        (culprit, cause), *_ = failures_of(record) or [("", record.cause)]
        return cls(
            (task.number, task.attempt),
            task.attempt_label,
            task.black,
            task.white,
            culprit,
            cause,
            record.detail,
            record.stderr[-MOST_STDERR - 1 :],  # one more tells that some was cut
            record.transcript[-MOST_TRANSCRIPT - 1 :],
        )


class MatchPage:
    """A page to which games are added, one by one, and which can be had at any time."""

    def __init__(
        self,
        engines: Sequence[str],
        rules: GameRules,
        sprt: Sprt | None = None,
        *,
        paired: bool = True,
    ) -> None:
        """engines: the names of all that take part, in the order of the tables. paired: whether
        each opening is played with colors exchanged.

        Without a referee games can be read but not seen on a board.
        """
        self.engines, self.rules, self.sprt = tuple(engines), rules, sprt
        self.paired = paired
        self.board = Board(new_session(rules)) if rules.referee else None
        self.summary, self.history = Summary(engines), ScoreHistory(engines)
        self.openings, self.times = Openings(engines, self.board), Times(engines)
        self._games: list[tuple[tuple[int, int], list[Any]]] = []
        self._failures: list[Failure] = []
        self._causes: Counter[Cause] = Counter()
        self._machines: Counter[str] = Counter()
        self._times: list[float] = []
        self._identities: dict[str, Counter[Identity]] = {name: Counter() for name in engines}
        self._first_cells: dict[str, int] = {}

    def add(self, record: GameRecord) -> None:
        """Takes in a game, in any order. Raises ValueError for one of other engines."""
        self.summary.add(record)
        self.history.add(record)
        self.times.add(record)
        opening = self.openings.add(record)
        replay = self.board.replay(move.text for move in record.moves) if self.board else None
        order = (record.task.number, record.task.attempt)
        self._games.append((order, game_data(record, replay, self.engines, opening)))
        if is_failure(record) or record.transcript:  # kept for what went wrong after the end too
            self._failures.append(Failure.of(record))
        if not record.is_void:
            self._causes[record.cause] += 1
        self._add_circumstances(record)
        if replay is not None:
            self._add_first_move(record, replay)

    @property
    def attempts(self) -> int:
        """How many games were added, void ones among them."""
        return len(self._games)

    def _add_circumstances(self, record: GameRecord) -> None:
        """When and where it was played, and by which programs."""
        self._machines[record.machine] += 1
        if record.started:
            self._times += [record.started, record.started + record.seconds]
        for color, identity in record.identities.items():
            self._identities[record.task.player(color)][identity] += 1

    def _add_first_move(self, record: GameRecord, replay: Replay) -> None:
        """Where it was placed; moves of other kinds have no place on the chart."""
        if replay.changes and len(replay.changes[0]) == 1:
            self._first_cells[record.moves[0].text] = replay.changes[0][0][0]

    def document(self, title: str, *, live: bool = False) -> str:
        """The page as it stands now. live: it is served, and looks for newer versions of itself."""
        report = self.summary.report()
        return PAGES.render(
            title=title,
            facts=list(self._facts()),
            data=self._data(),
            live=live,
            report=report,
            summary=self.summary,
            pace=self.history.pace(),
            engines=self.engines,
            sprt=self.sprt,
            causes=sorted(self._causes.items()),
            failures=sorted(self._failures, key=lambda each: each.order)[:MOST_TOLD],
            most_stderr=MOST_STDERR,
            most_transcript=MOST_TRANSCRIPT,
            identities=self._identities,
            first_moves=sorted(
                report.first_moves.items(), key=lambda item: (-item[1].games, item[0])
            ),
            outlook=self._outlook(),
            openings=self.openings.results(),
            paired=self.paired,
            quantiles=self.times.quantiles(),
            figures=figures.of(
                report, self.history, self.times, self.sprt, self._first_move_chart(report)
            ),
        )

    def _first_move_chart(self, report: Results) -> Markup:
        if self.board is None:
            return figures.NOTHING
        return figures.first_moves(report.first_moves, self.board, self._first_cells)

    def _outlook(self) -> Outlook | None:
        """When the sequential test will end, which counts complete pairs."""
        if self.sprt is None:
            return None
        return self.sprt.outlook(self.summary.pairing(*self.engines).pairs)

    def _data(self) -> dict[str, Any]:
        """What the script needs; see page.js."""
        games = [data for _, data in sorted(self._games, key=lambda item: item[0])]
        board = {"board": self.board.as_data()} if self.board else {}
        return {
            "engines": self.engines,
            "openings": self.openings.names(),
            "games": games,
            **board,
        }

    def _facts(self) -> Iterator[str]:
        rules = self.rules
        game = self.board.game.title if self.board else rules.game
        yield f"{game} {rules.width}{TIMES}{rules.height}"
        yield from (f"{name} {value}" for name, value in rules.options.items())
        if rules.control.main is not None:
            yield f"time {format_time(rules.control)}"
        yield count(self.summary.games, "game")
        if self._times:
            days = [
                datetime.fromtimestamp(time, UTC).date().isoformat()
                for time in (min(self._times), max(self._times))
            ]
            yield days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"
        machines = sorted(name for name in self._machines if name)
        if machines:
            yield machines[0] if len(machines) == 1 else f"{len(machines)} machines"
