"""Drama: lead changes, the time of the decision, and the turns of a sample game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from markupsafe import Markup

from pinchtp.base.intervals import mean_interval, share_interval
from pinchtp.base.text import count
from pinchtp.games import Color
from pinchtp.games.game import BANNED
from pinchtp.games.session import Session
from pinchtp.games.winrate import EVEN, Winrate
from pinchtp.html.charts import Axis, ChartLine, legend, line_chart, round_ends
from pinchtp.html.format import percent, plain
from pinchtp.player.player import Limits, Player
from pinchtp.render.svg import CellMark, marks_svg
from pinchtp.report.experiment import Experiment, Measurements, WorkUnit
from pinchtp.report.figures import Figure, FigureUnit, select_quotable
from pinchtp.report.games import StrongGames
from pinchtp.report.playing import Cancelled, PlayedGame, StopCheck
from pinchtp.report.section import Block, Chart, Section, SectionResult
from pinchtp.report.sections.material import Material
from pinchtp.report.subject import ReportSubject

GAME = 0  # the unit of the strong games that is the sample game
BLOCK = 5  # turns per unit
ROUNDS = 10  # maximum searches of a turn


class SampleExperiment(Experiment):
    """An experiment that searches each turn of one game three times: with all moves, without the
    best move, and with the opponent to move instead.

    Each unit searches BLOCK turns. All turns are searched before any is searched again.
    """

    name = "sample"
    description = "searches of every turn of a sample game"
    weight = 6
    least = 30

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        game = measurements.done(StrongGames.name).get(GAME)
        if game is None:
            return None
        blocks = -(-len(game["turns"]) // BLOCK)
        number = self.free_number(measurements, running, ROUNDS * blocks)
        return None if number is None else self.unit(number, game["turns"])

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        turns = unit.task
        blocks = -(-len(turns) // BLOCK)
        begin = unit.number % blocks * BLOCK
        session = subject.session()
        evaluated = []
        for number, moves in enumerate(turns[: begin + BLOCK]):
            if number >= begin:
                seed = subject.unit_seed(self.name, unit.number, number)
                evaluated.append({"turn": number, **_values(subject, session, seed, stop)})
            session.play(session.to_move, *moves)
        return {"turns": evaluated}


def _values(
    subject: ReportSubject, session: Session, seed: int, stop: StopCheck
) -> dict[str, float | None]:
    """Returns the mover's winrates after the best move, after the second-best, and without one."""
    legal = session.position.legal_moves()
    player = Player(subject.settings())

    def search(where: Session, allowed: Collection[int] = ()) -> tuple[int, Winrate]:
        player.forget(seed)
        limits = Limits(visits=subject.visits, should_stop=stop, allowed=tuple(allowed))
        report = player.search(where, limits)
        if stop():
            raise Cancelled
        assert report.winrate is not None  # it had its visits
        return report.choices[0].move, Winrate(report.winrate, where.to_move)

    best, chance = search(session)
    others = [move for move in legal if move != best]
    null = null_move(subject, session)
    return {
        "best": round(chance, 4),
        "second": round(search(session, others)[1], 4) if others else None,
        "null": None if null is None else round(search(null)[1].pov(session.to_move), 4),
    }


def null_move(subject: ReportSubject, session: Session) -> Session | None:
    """Returns the same board with the opponent to move; None if that is not a valid position."""
    position = session.position
    if position.mid_turn or position.swap_open:
        return None
    cells = position.cells().translate(_WITHOUT_BANS)
    opponent = Color(position.to_move).opponent
    try:
        turned = subject.entry.set_up(
            position.width,
            position.height,
            cells,
            opponent,
            swapped=position.swapped,
            options=subject.entry.rules_of(position),
        )
    except ValueError:
        return None
    return None if turned.result is not None else Session.at(subject.entry, turned)


_WITHOUT_BANS = bytes(0 if cell == BANNED else cell for cell in range(256))


MARGIN = 0.05  # minimum distance of a leader's winrate from even
DECIDED = 0.9  # minimum winrate in a decided game
CRITICAL = 0.1  # minimum winrate loss by the second-best move in a critical turn
_CRITICAL_POINTS = f"{100 * CRITICAL:g} percentage points"
_LEADERS = 8  # minimum games with a leader for a point of the chart
STAGES = 20  # stages of the game at which the chart shows the leader's wins


class DramaSection(Section):
    name = "drama"
    title = "Drama"
    about = (
        "How exciting games are: how often the lead changes, how early games are decided, how many "
        "turns have only one good move, whether it is an advantage to move, and where pieces are "
        "placed and captured."
    )
    uses = (StrongGames.name, SampleExperiment.name)
    by_visits = ""

    def summarize(self, measurements: Measurements) -> SectionResult | None:
        games = measurements.games(StrongGames.name, measurements.subject.rules)
        if not games:
            return None
        turns = _sample_turns(measurements)
        material = Material(measurements.subject, games)
        figures = [*_describe_games(games), *material.figures(), *_describe_sample(turns)]
        data = {
            "leaders": _leaders(games),
            "sample": turns,
            **material.data(),
        }
        return SectionResult(figures, _draw_conclusions(figures), data)

    def blocks(self, summary: SectionResult, subject: ReportSubject) -> Sequence[Block]:
        data = summary.data
        blocks: list[Block] = []
        if data["leaders"]:
            blocks.append(_leader_chart(data["leaders"]))
        if data["sample"]:
            blocks += [_sample_chart(data["sample"]), _heat_chart(data["sample"])]
        blocks.append(
            _lines("Pieces by turn", data["material"], "pieces", "Mean pieces on the board.")
        )
        note = "Shares of the games that reached the turn."
        blocks.append(_lines("Types of turn", data["actions"], "share", note, percent))
        for key, title, note in (
            ("placed", "Where pieces are placed", "Pieces placed on each point per 100 games."),
            (
                "captured",
                "Where pieces are captured",
                "Pieces flipped or removed on each point per 100 games.",
            ),
            (
                "deciding",
                "Where games are decided",
                "Number of games out of 100 in which the point belongs to the winning connection, "
                "or to the stones around the winning capture.",
            ),
        ):
            if data[key]:
                blocks.append(_board_chart(title, data[key], note, subject))
        return blocks


# --- many games


def _describe_games(games: Sequence[PlayedGame]) -> list[Figure]:
    changes = [float(lead_changes(game)) for game in games]
    half = [leads for game in games if (leads := _leader_won(game, 0.5)) is not None]
    decided = [_find_decision(game) for game in games if game.winner is not None]
    return [
        Figure.of(
            "lead-changes",
            "Lead changes per game",
            mean_interval(changes),
            glance=True,
            method=f"The leader has a winrate of at least {percent(0.5 + MARGIN)}, as the mean of "
            "both players' latest searches.",
        ),
        Figure.of(
            "half-time",
            "Games won by the leader at half-time",
            share_interval(sum(half), len(half)),
            FigureUnit.SHARE,
            method="Share of the decisive games in which a player led at half-time.",
            glance=True,
        ),
        Figure.of(
            "decided",
            "Share of the game until it is decided",
            mean_interval(decided),
            FigureUnit.SHARE,
            method=f"Afterwards the winner's winrate never falls below {percent(DECIDED)}.",
        ),
    ]


def _draw_conclusions(figures: Sequence[Figure]) -> list[str]:
    nouns = {
        "lead-changes": ("The lead changes", "times per game on average"),
        "half-time": ("The leader at half-time wins", "of the games"),
    }
    return [
        f"{nouns[figure.key][0]} {figure.quote(nouns[figure.key][1], 'games')}."
        for figure in select_quotable(figures)
        if figure.key in nouns
    ]


def standings(game: PlayedGame) -> list[float]:
    """Returns the first player's winrate by turn, the mean of both players' latest searches.

    A search overrates the player to move; the mean cancels this.
    """
    known = [EVEN if winrate is None else winrate.pov(game.first) for winrate in game.winrates]
    return [fmean(known[max(0, at - 1) : at + 1]) for at in range(len(known))]


def lead_changes(game: PlayedGame) -> int:
    """Returns the number of lead changes."""
    chances = [chance for chance in standings(game) if abs(chance - 0.5) >= MARGIN]
    leaders = [chance > 0.5 for chance in chances]
    return sum(one != two for one, two in pairwise(leaders))


def _leader_won(game: PlayedGame, stage: float) -> bool | None:
    """Returns whether the leader at this share of the game won; None without leader or winner."""
    chance = standings(game)[min(int(stage * game.length), game.length - 1)]
    if abs(chance - 0.5) < MARGIN or game.winner is None:
        return None
    return bool(chance > 0.5) == (game.winner == game.first)


def _find_decision(game: PlayedGame) -> float:
    """Returns the share of the game after which the winner's winrate never falls below DECIDED."""
    assert game.winner is not None
    last = 0
    for turn, chance in enumerate(standings(game), start=1):
        if Winrate(chance, game.first).pov(game.winner) < DECIDED:
            last = turn
    return last / game.length


def _leaders(games: Sequence[PlayedGame]) -> list[tuple[float, float, float, float]]:
    """Returns points (share of the game, share of games won by its leader, low, high)."""
    points = []
    for stage in range(STAGES):
        won = [each for game in games if (each := _leader_won(game, stage / STAGES)) is not None]
        if len(won) >= min(_LEADERS, len(games)):
            one = share_interval(sum(won), len(won))
            points.append((stage / STAGES, one.value, one.low, one.high))
    return points


def _leader_chart(leaders: Sequence[Sequence[float]]) -> Chart:
    picture = line_chart(
        [
            ChartLine(
                "",
                [(at, value) for at, value, _, _ in leaders],
                [(low, high) for _, _, low, high in leaders],
            )
        ],
        Axis(0, 1, "share of the game played", percent, (0, 0.25, 0.5, 0.75, 1)),
        Axis(0, 1, format=percent, ticks=(0, 0.25, 0.5, 0.75, 1), marked={0.5: ""}),
        "Share of games won by the leader, by the share of the game played",
    )
    return Chart(
        "Games won by the leader",
        picture,
        "Share of games won by the player who leads at this point of the game.",
    )


# --- one game


def _sample_turns(measurements: Measurements) -> list[dict[str, Any]]:
    """Returns the turns of the sample game with mean winrates for the player to move."""
    searches_by_turn: dict[int, list[dict[str, Any]]] = {}
    for unit in measurements.results(SampleExperiment.name).values():
        for turn in unit["turns"]:
            searches_by_turn.setdefault(turn["turn"], []).append(turn)
    stored = measurements.results(StrongGames.name).get(GAME)
    if not searches_by_turn or stored is None:
        return []
    game = PlayedGame(measurements.subject.session(), stored)
    turns = []
    for number, searches in sorted(searches_by_turn.items()):
        means: dict[str, Any] = {
            "turn": number + 1,
            "first": game.turns[number].color == game.first,
            "searches": len(searches),
        }
        for key in ("best", "second", "null"):
            values = [search[key] for search in searches if search[key] is not None]
            means[key] = mean_interval(values).value if values else None
        turns.append(means)
    return turns


def _describe_sample(turns: Sequence[dict[str, Any]]) -> list[Figure]:
    if not turns:
        return []
    critical = [_is_critical(turn) for turn in turns if turn["second"] is not None]
    heats = [_heat(turn) for turn in turns if turn["null"] is not None]
    searches = min(turn["searches"] for turn in turns)
    least = count(searches, "search", "searches")
    how = f"In the sample game; means of at least {least} per turn."
    return [
        Figure.of(
            "critical",
            "Critical turns",
            share_interval(sum(critical), len(critical)),
            FigureUnit.SHARE,
            method="Turns with only one good move: any other move lowers the winrate by at least "
            f"{_CRITICAL_POINTS}. {how}",
        ),
        Figure.of(
            "hot",
            "Hot turns",
            share_interval(sum(heat > 0 for heat in heats), len(heats)),
            FigureUnit.SHARE,
            method=f"Turns in which moving is better than not moving. {how}",
        ),
        Figure.of(
            "heat",
            "Mean heat of a turn",
            mean_interval(heats),
            FigureUnit.POINTS,
            method=f"The winrate after the best move minus the winrate without a move. {how}",
        ),
    ]


def _is_critical(turn: dict[str, Any]) -> bool:
    return bool(turn["best"] - turn["second"] >= CRITICAL)


def _heat(turn: dict[str, Any]) -> float:
    return float(turn["best"] - turn["null"])


def _for_first(turn: dict[str, Any], key: str) -> float | None:
    value = turn[key]
    mover = Color.BLACK if turn["first"] else Color.WHITE  # as if Black were first
    return None if value is None else Winrate(value, mover).black()


def _sample_chart(turns: Sequence[dict[str, Any]]) -> Chart:
    names = {"best": "best move", "second": "second-best move", "null": "no move"}
    lines = [
        ChartLine(
            name,
            _over_two_turns(
                [
                    (turn["turn"], value)
                    for turn in turns
                    if (value := _for_first(turn, key)) is not None
                ]
            ),
        )
        for key, name in names.items()
    ]
    picture = line_chart(
        lines,
        Axis(1, max(2, len(turns)), "turn", whole=True),
        Axis(0, 1, format=percent, ticks=(0, 0.25, 0.5, 0.75, 1), marked={0.5: ""}),
        "First player's winrate by turn of the sample game",
    ) + legend(list(names.values()))
    note = (
        "The first player's winrate after the best move, after the second-best move, and without a "
        "move. Values are means of two turns, because a search overrates the player to move."
    )
    return Chart("A sample game", picture, note)


def _over_two_turns(points: Sequence[tuple[int, float]]) -> list[tuple[float, float]]:
    return [
        (turn, fmean(value for _, value in points[max(0, at - 1) : at + 1]))
        for at, (turn, _) in enumerate(points)
    ]


def _heat_chart(turns: Sequence[dict[str, Any]]) -> Chart:
    gain = [(turn["turn"], _heat(turn)) for turn in turns if turn["null"] is not None]
    only = [
        (turn["turn"], turn["best"] - turn["second"])
        for turn in turns
        if turn["second"] is not None
    ]
    values = [value for _, value in gain + only] or [0.0]
    names = ["over no move", "over the second-best move"]
    picture = line_chart(
        [ChartLine(names[0], gain), ChartLine(names[1], only)],
        Axis(1, max(2, len(turns)), "turn", whole=True),
        Axis(*round_ends(min(0.0, *values), max(0.1, *values)), format=percent, marked={0.0: ""}),
        "Winrate gained by the best move, by turn of the sample game",
    ) + legend(names)
    note = (
        "Winrate gained by the best move. A turn is hot if the gain over no move is positive, and "
        f"critical if the gain over the second-best move is at least {_CRITICAL_POINTS}."
    )
    return Chart("Heat of the sample game", picture, note)


# --- pictures


def _lines(title: str, values: dict[str, Any], unit: str, note: str, form: Any = plain) -> Chart:
    lines = [ChartLine(name, list(enumerate(by_turn, start=1))) for name, by_turn in values.items()]
    longest = max((len(line.points) for line in lines), default=1)
    high = max((value for line in lines for _, value in line.points), default=1)
    axis = (
        Axis(0, 1, format=percent) if form is percent else Axis(*round_ends(0, high), format=form)
    )
    picture = line_chart(
        lines, Axis(1, max(2, longest), "turn", whole=True), axis, f"{title}, {unit}"
    ) + legend([line.name for line in lines])
    return Chart(title, picture, note)


def _board_chart(title: str, values: dict[str, float], note: str, subject: ReportSubject) -> Chart:
    most = max(values.values()) or 1
    marks = {
        int(cell): CellMark.shade(value / most, f"{100 * value:.0f}", f"{value:.2f} per game")
        for cell, value in values.items()
        if value
    }
    return Chart(title, Markup(marks_svg(subject.session(), marks, title)), note)
