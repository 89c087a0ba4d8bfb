"""The page of a match: one self-contained HTML file.

Tables and charts are HTML and SVG. The games are data, which the script (page.js) shows as a list
and on a board for replay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from markupsafe import Markup
from msgspec import structs

from pinchtp.base.clock import format_time
from pinchtp.base.text import count
from pinchtp.games import Color
from pinchtp.html.document import PageTemplate, json_data
from pinchtp.html.format import TIMES
from pinchtp.html.replay import Replay, ReplayBoard
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.referee import new_session
from pinchtp.match.record import DRAW, EngineIdentity, GameRecord, MoveRecord, Opening, Termination
from pinchtp.match.results import page_charts
from pinchtp.match.results.move_times import MoveTimeStats
from pinchtp.match.results.opening_stats import OpeningResults, OpeningStats
from pinchtp.match.results.score_history import ScoreHistory
from pinchtp.match.results.sprt import SprtForecast
from pinchtp.match.results.stats import MatchStats, StatsReport, failures_of, is_failure
from pinchtp.match.results.tables import DIFFERENT_TIMES

MAX_FAILURES = 200  # shown in full
MAX_OPENING_BOARDS = 24  # the table has all openings
MAX_STDERR = 4000  # last characters shown
MAX_TRANSCRIPT = 8000  # last characters shown

TEMPLATE = PageTemplate(
    "pinchtp.match.results",
    "page.html",
    styles=["board.css", "page.css"],
    scripts=["dom.js", "board.js", "curve.js", "viewer.js", "page.js"],
)


class MatchPage:
    """The page of a match. Games are added one by one, and it can be written at any time."""

    def __init__(self, plan: MatchPlan) -> None:
        """Creates a page without games. Without a referee it shows moves, but no boards."""
        self.plan = plan
        self.engines = engines = tuple(engine.name for engine in plan.engines)
        self.board = ReplayBoard(new_session(plan)) if plan.referee else None
        self.summary = MatchStats(engines)
        self.history = ScoreHistory(engines)
        self.openings = OpeningStats(engines)
        self.times = MoveTimeStats(engines)
        self._games: list[tuple[tuple[int, int], Markup]] = []
        self._failures: list[GameRecord] = []
        self._terminations: Counter[Termination] = Counter()
        self._machines: Counter[str] = Counter()
        self._times: list[float] = []
        self._identities: dict[str, Counter[EngineIdentity]] = {name: Counter() for name in engines}
        self._first_cells: dict[str, int] = {}
        self._opening_boards: dict[Opening, Markup] = {}

    def add(self, record: GameRecord) -> None:
        """Adds a game, in any order. Raises ValueError for one between other engines."""
        self.summary.add(record)
        self.history.add(record)
        self.times.add(record)
        opening = self.openings.add(record)
        replay = self.board.replay(move.text for move in record.moves) if self.board else None
        data = game_data(record, replay, self.engines, opening)
        self._games.append((_order(record), json_data(data)))
        if is_failure(record) or record.transcript:  # failures after the end have one too
            self._failures.append(_shorten(record))
        if not record.is_void:
            self._terminations[record.termination] += 1
        self._add_circumstances(record)
        if replay is not None:
            self._add_first_move(record, replay)

    def _add_circumstances(self, record: GameRecord) -> None:
        """Adds the machine, the time, and the identities of the engines."""
        self._machines[record.machine] += 1
        if record.started:
            self._times += [record.started, record.started + record.seconds]
        for color, identity in record.identities.items():
            self._identities[record.game.player(color)][identity] += 1

    def _add_first_move(self, record: GameRecord, replay: Replay) -> None:
        """Adds the cell of the first move, unless the move changes several cells."""
        if replay.changes and len(replay.changes[0]) == 1:
            self._first_cells[record.moves[0].text] = replay.changes[0][0][0]

    def document(self, title: str, *, refresh: int = 0) -> str:
        """Returns the current page. refresh: seconds between reloads; 0: never."""
        report = self.summary.report()
        openings = self.openings.results()
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
            terminations=sorted(self._terminations.items()),
            failures=[
                (failure, next(iter(failures_of(failure)), ("", failure.termination)))
                for failure in sorted(self._failures, key=_order)[:MAX_FAILURES]
            ],
            failed_games=len(self._failures),
            most_stderr=MAX_STDERR,
            most_transcript=MAX_TRANSCRIPT,
            identities=self._identities,
            first_moves=sorted(
                report.first_moves.items(), key=lambda item: (-item[1].games, item[0])
            ),
            outlook=self._outlook(),
            openings=openings,
            opening_boards=self._boards_after(openings[:MAX_OPENING_BOARDS]),
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

    def _boards_after(self, openings: Sequence[OpeningResults]) -> list[Markup]:
        """Returns a board for each opening, none without a referee. Each is drawn only once."""
        if self.board is None:
            return []
        for results in openings:
            if results.opening not in self._opening_boards:
                board = page_charts.opening_board(self.board, results.opening)
                self._opening_boards[results.opening] = board
        return [self._opening_boards[results.opening] for results in openings]

    def _outlook(self) -> SprtForecast | None:
        """Returns the expected end of the sequential test, which counts complete pairs."""
        if self.plan.sprt is None:
            return None
        return self.plan.sprt.outlook(self.summary.pairs(*self.engines))

    def _data(self) -> Markup:
        """Returns the data for page.js as JSON."""
        games = Markup(",").join(data for _, data in sorted(self._games))
        board = {"board": self.board.as_data()} if self.board else {}
        rest = {"engines": self.engines, "openings": self.openings.names(), **board}
        return Markup("").join([json_data(rest)[:-1], Markup(',"games":['), games, Markup("]}")])

    def _facts(self) -> Iterator[str]:
        plan = self.plan
        game = self.board.game.title if self.board else plan.game
        yield f"{game} {TIMES.join(map(str, plan.board))}"
        yield from (f"{name} {value}" for name, value in plan.agreed.items())
        time = plan.shared_time()
        if time is None:
            yield DIFFERENT_TIMES
        elif time.main is not None:
            yield f"time {format_time(time)}"
        yield count(self.summary.games, "game")
        if self._times:
            days = [
                datetime.fromtimestamp(time).date().isoformat()
                for time in (min(self._times), max(self._times))
            ]
            yield days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"
        machines = sorted(name for name in self._machines if name)
        if machines:
            yield machines[0] if len(machines) == 1 else f"{len(machines)} machines"


def _order(record: GameRecord) -> tuple[int, int]:
    return record.game.display_number, record.game.attempt


def _shorten(record: GameRecord) -> GameRecord:
    """Returns a record without its moves, with only the ends of its texts."""
    return structs.replace(
        record,
        moves=(),
        sgf="",
        stderr=record.stderr[-MAX_STDERR - 1 :],  # one character more shows that it was cut
        transcript=record.transcript[-MAX_TRANSCRIPT - 1 :],
    )


_LETTERS = {DRAW: "d"} | {color: color.letter for color in Color}
_VOID = "v"
_NOBODY = ""


def game_data(
    record: GameRecord, replay: Replay | None, engines: Sequence[str], opening: int
) -> dict[str, Any]:
    """Returns a game for page.js, with the facts of all moves as texts, which keep the page small.

    black, white: numbers of engines. opening: the number of the opening.
    """
    game = record.game
    moves = record.moves
    return {
        "label": game.label,
        "black": engines.index(game.black),
        "white": engines.index(game.white),
        "winner": _VOID if record.winner is None else _LETTERS[record.winner],
        "cause": record.termination,
        "detail": record.detail,
        "failed": _NOBODY if record.failed is None else _LETTERS[record.failed],
        "moves": "\n".join(move.text for move in moves),
        "colors": _colors(moves),
        "book": sum(move.book for move in moves),
        "times": " ".join(f"{1000 * move.seconds:.0f}" for move in moves),
        "winrates": _winrates(moves),
        **_encode_replay(replay),
        "opening": opening,
    }


def _encode_replay(replay: Replay | None) -> dict[str, Any]:
    """Returns the changes of the board by each move, the swaps, and the winning chain."""
    if replay is None or not any(replay.changes):
        return {"changes": None, "swaps": (), "chain": ()}
    return {"changes": replay.encode(), "swaps": replay.swaps, "chain": replay.chain}


def _colors(moves: Sequence[MoveRecord]) -> str:
    """Returns the letters of the movers' colors; only the first letter if they alternate."""
    colors = "".join(_LETTERS[move.color] for move in moves)
    alternate = all(one != two for one, two in pairwise(colors))
    return colors[:1] if alternate else colors


def _winrates(moves: Sequence[MoveRecord]) -> str:
    """Returns the movers' winrates in thousandths; empty if no move has one."""
    if all(move.winrate is None for move in moves):
        return ""
    return " ".join("-" if move.winrate is None else f"{1000 * move.winrate:.0f}" for move in moves)
