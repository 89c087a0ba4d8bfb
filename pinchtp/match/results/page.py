"""The page of a match: one self-contained HTML file.

Tables and charts are HTML and SVG; the games are data, from which the script (page.js) draws a list
and a board that replays them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from markupsafe import Markup
from msgspec import structs

from pinchtp.base.clock import format_time
from pinchtp.games import Color
from pinchtp.games.game import PIECES
from pinchtp.html.document import PageTemplate, json_data
from pinchtp.html.format import TIMES, count
from pinchtp.html.replay import Replay, ReplayBoard
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.referee import new_session
from pinchtp.match.record import DRAW, EngineIdentity, GameRecord, MoveRecord, Opening, Termination
from pinchtp.match.results import page_charts
from pinchtp.match.results.page_charts import MoveTimeStats, ScoreHistory
from pinchtp.match.results.sprt import SprtForecast
from pinchtp.match.results.stats import MatchStats, StatsReport, failures_of, is_failure, points_of
from pinchtp.render.svg import position_svg

MOST_FAILURES = 200  # shown in full
MOST_STDERR, MOST_TRANSCRIPT = 4000, 8000  # last characters shown

TEMPLATE = PageTemplate(
    "pinchtp.match.results",
    "page.html",
    styles=["board.css", "page.css"],
    scripts=["dom.js", "board.js", "curve.js", "viewer.js", "page.js"],
)


class MatchPage:
    """A page to which games are added one by one, and which can be written at any time."""

    def __init__(self, plan: MatchPlan) -> None:
        """Begins a page; without a referee it lists moves instead of boards."""
        self.plan = plan
        self.engines = engines = tuple(engine.name for engine in plan.engines)
        self.board = ReplayBoard(new_session(plan)) if plan.referee else None
        self.summary = MatchStats(engines)
        self.history = ScoreHistory(engines)
        self.openings = OpeningStats(engines, self.board)
        self.times = MoveTimeStats(engines)
        self._games: list[tuple[tuple[int, int], Markup]] = []
        self._failures: list[GameRecord] = []
        self._causes: Counter[Termination] = Counter()
        self._machines: Counter[str] = Counter()
        self._times: list[float] = []
        self._identities: dict[str, Counter[EngineIdentity]] = {name: Counter() for name in engines}
        self._first_cells: dict[str, int] = {}

    def add(self, record: GameRecord) -> None:
        """Adds a game, in any order. Raises ValueError for one between other engines."""
        self.summary.add(record)
        self.history.add(record)
        self.times.add(record)
        opening = self.openings.add(record)
        replay = self.board.replay(move.text for move in record.moves) if self.board else None
        data = game_data(record, replay, self.engines, opening)
        self._games.append((_order(record), json_data(data)))
        if is_failure(record) or record.transcript:  # stored for failures after the end too
            self._failures.append(_shortened(record))
        if not record.is_void:
            self._causes[record.cause] += 1
        self._add_circumstances(record)
        if replay is not None:
            self._add_first_move(record, replay)

    def _add_circumstances(self, record: GameRecord) -> None:
        """Adds the machine, the time and the identities of the engines."""
        self._machines[record.machine] += 1
        if record.started:
            self._times += [record.started, record.started + record.seconds]
        for color, identity in record.identities.items():
            self._identities[record.game.player(color)][identity] += 1

    def _add_first_move(self, record: GameRecord, replay: Replay) -> None:
        """Adds the cell of the first move; moves of several cells are not on the chart."""
        if replay.changes and len(replay.changes[0]) == 1:
            self._first_cells[record.moves[0].text] = replay.changes[0][0][0]

    def document(self, title: str, *, refresh: int = 0) -> str:
        """Returns the current page. refresh: seconds between its reloads; 0: never."""
        report = self.summary.report()
        return TEMPLATE.render(
            title=title,
            facts=list(self._facts()),
            data=self._data(),
            refresh=refresh,
            report=report,
            summary=self.summary,
            pace=self.history.pace(),
            engines=self.engines,
            sprt=self.plan.sprt,
            causes=sorted(self._causes.items()),
            failures=[
                (failure, next(iter(failures_of(failure)), ("", failure.cause)))
                for failure in sorted(self._failures, key=_order)[:MOST_FAILURES]
            ],
            most_stderr=MOST_STDERR,
            most_transcript=MOST_TRANSCRIPT,
            identities=self._identities,
            first_moves=sorted(
                report.first_moves.items(), key=lambda item: (-item[1].games, item[0])
            ),
            outlook=self._outlook(),
            openings=self.openings.results(),
            paired=self.plan.paired,
            quantiles=self.times.quantiles(),
            figures=page_charts.match_charts(
                report, self.history, self.times, self.plan.sprt, self._first_move_chart(report)
            ),
        )

    def _first_move_chart(self, report: StatsReport) -> Markup:
        if self.board is None:
            return page_charts.NOTHING
        return page_charts.first_moves(report.first_moves, self.board, self._first_cells)

    def _outlook(self) -> SprtForecast | None:
        """Returns the expected end of the sequential test, which counts complete pairs."""
        if self.plan.sprt is None:
            return None
        return self.plan.sprt.outlook(self.summary.pairs(*self.engines))

    def _data(self) -> Markup:
        """Returns the data of page.js as JSON."""
        games = Markup(",").join(data for _, data in sorted(self._games))
        board = {"board": self.board.as_data()} if self.board else {}
        rest = {"engines": self.engines, "openings": self.openings.names(), **board}
        return Markup("").join([json_data(rest)[:-1], Markup(',"games":['), games, Markup("]}")])

    def _facts(self) -> Iterator[str]:
        plan = self.plan
        game = self.board.game.title if self.board else plan.game
        yield f"{game} {TIMES.join(map(str, plan.board))}"
        yield from (f"{name} {value}" for name, value in plan.agreed.items())
        if plan.time.main is not None:
            yield f"time {format_time(plan.time)}"
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


def _order(record: GameRecord) -> tuple[int, int]:
    return record.game.display_number, record.game.attempt


def _shortened(record: GameRecord) -> GameRecord:
    """Returns a record without its moves, and with the ends of its texts."""
    return structs.replace(
        record,
        moves=(),
        sgf="",
        stderr=record.stderr[-MOST_STDERR - 1 :],  # one character more shows that it was cut
        transcript=record.transcript[-MOST_TRANSCRIPT - 1 :],
    )


_LETTERS = {DRAW: "d"} | {color: color.letter for color in Color}
_VOID, _NOBODY = "v", ""


def game_data(
    record: GameRecord, replay: Replay | None, engines: Sequence[str], opening: int
) -> list[Any]:
    """Returns a game for page.js: label, players, winner, cause, detail, moves, facts of each move,
    and the number of the opening.
    """
    game = record.game
    moves = record.moves
    return [
        game.label,
        engines.index(game.black),
        engines.index(game.white),
        _VOID if record.winner is None else _LETTERS[record.winner],
        record.cause,
        record.detail,
        _NOBODY if record.failed is None else _LETTERS[record.failed],
        "\n".join(move.text for move in moves),
        _colors(moves),
        sum(move.book for move in moves),
        " ".join(f"{1000 * move.seconds:.0f}" for move in moves),
        _winrates(moves),
        *_replayed(replay),
        opening,
    ]


def _replayed(replay: Replay | None) -> tuple[str | None, Sequence[int], Sequence[int]]:
    """Returns the changes of the board by the moves, where a referee knows them."""
    if replay is None or not any(replay.changes):
        return None, (), ()
    return replay.encode(), replay.swaps, replay.chain


def _colors(moves: Sequence[MoveRecord]) -> str:
    """Returns the letters of the movers, only the first if the colors alternate."""
    colors = "".join(_LETTERS[move.color] for move in moves)
    alternate = all(one != two for one, two in pairwise(colors))
    return colors[:1] if alternate else colors


def _winrates(moves: Sequence[MoveRecord]) -> str:
    """Returns the movers' winrates in thousandths; empty if no move has one."""
    if all(move.winrate is None for move in moves):
        return ""
    return " ".join("-" if move.winrate is None else f"{1000 * move.winrate:.0f}" for move in moves)


NO_BOARD = Markup("")
MOST_BOARDS = 24  # openings shown on boards; the table has all of them


@dataclass
class OpeningResults:
    """The finished games of one opening. points: of the first of two engines."""

    number: int
    opening: Opening
    black: int = 0
    draws: int = 0
    white: int = 0
    points: float = 0.0
    board: Markup = NO_BOARD

    @property
    def games(self) -> int:
        return self.black + self.draws + self.white

    @property
    def name(self) -> str:
        return self.opening.name or " ".join(self.opening.moves) or "none"

    @property
    def share(self) -> float:
        """Black's share of the points, in [0, 1]."""
        return (self.black + self.draws / 2) / self.games


class OpeningStats:
    """Collects games by their openings, which are numbered in order of appearance."""

    def __init__(self, engines: Sequence[str], board: ReplayBoard | None) -> None:
        self._first = engines[0]
        self._board = board
        self._found: dict[Opening, OpeningResults] = {}

    def add(self, record: GameRecord) -> int:
        """Adds a game, and returns the number of its opening."""
        opening = record.game.opening
        found = self._found.setdefault(opening, OpeningResults(len(self._found), opening))
        found.black += record.winner == Color.BLACK
        found.white += record.winner == Color.WHITE
        found.draws += record.winner == DRAW
        if not record.is_void and self._first in (record.game.black, record.game.white):
            found.points += points_of(record, self._first)
        return found.number

    def names(self) -> list[str]:
        """Returns the names of the openings, by number."""
        return [each.name for each in self._found.values()]

    def results(self) -> list[OpeningResults]:
        """Returns the openings with games, the most played first; empty without openings."""
        if not any(opening.moves for opening in self._found):
            return []
        found = sorted(self._found.values(), key=lambda each: (-each.games, each.name))
        for each in found[:MOST_BOARDS]:
            each.board = each.board or self._picture(each.opening)
        return [each for each in found if each.games]

    def _picture(self, opening: Opening) -> Markup:
        """Returns the position after the opening, with its stones numbered."""
        if self._board is None:
            return NO_BOARD
        replay = self._board.replay(opening.moves)
        label = f"The board after {' '.join(opening.moves) or 'no move'}"
        numbers = _numbers(self._board, replay)
        return Markup(position_svg(self._board.session, replay.final, numbers, label))


def _numbers(board: ReplayBoard, replay: Replay) -> dict[int, str]:
    """Returns, by cell, the number of the move that placed a stone there; flips do not count."""
    cells = list(board.start)
    numbers = {}
    for move, changes in enumerate(replay.changes, start=1):
        for cell, value in changes:
            if value in PIECES and cells[cell] not in PIECES:
                numbers[cell] = str(move)
            cells[cell] = value
    return numbers
