"""Analysis commands."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from pinchtp._core import Report
from pinchtp.engine.analysis import Candidate, as_pass, candidates
from pinchtp.engine.restriction import RestrictionError, read_steps, restrict
from pinchtp.games import MAX_SIZE, Color
from pinchtp.games.notation import NotationError, points_from_top
from pinchtp.games.session import Session
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import ChosenTurn, GtpEngine
from pinchtp.gtp.input import ScriptInput
from pinchtp.player.player import Limits

if TYPE_CHECKING:
    import pyparsing as pp


DEFAULT_INTERVAL = 1.0  # seconds between reports
LEAST_INTERVAL = 0.01
MOST_LENGTH = 20_000  # characters of the options; a list of every point takes 2500

# KataGo's switches: those with an effect, and those accepted without one.
REPORTED = ("ownership", "rootInfo", "pvVisits", "pvEdgeVisits")
ACCEPTED = ("movesOwnership", "ownershipStdev", "movesOwnershipStdev", "noResultValue")
PV_VISITS = ("pvVisits", "pvEdgeVisits")  # equal here, because the tree has no transpositions


LEELA, KATAGO = 10_000, 1  # dialects, by the scale of their winrates and priors


@dataclass(frozen=True)
class AnalysisRequest:
    """The options of an analysis.

    interval: seconds between reports. least_moves, most_moves: the number of candidates. pv_visits:
    the keys of the visits of the principal variation to report. allowed: the moves to consider;
    empty: all. avoided: moves not to consider.
    """

    interval: float = DEFAULT_INTERVAL
    least_moves: int = 0
    most_moves: int = 2**31
    ownership: bool = False
    root_info: bool = False
    pv_visits: frozenset[str] = frozenset()
    allowed: frozenset[str] = frozenset()
    avoided: frozenset[str] = frozenset()


def _option_grammar() -> pp.ParserElement:
    import pyparsing as pp  # noqa: PLC0415  (start-up time)

    interval = arguments.duration("value").grammar()
    boolean = arguments.boolean("value").grammar()
    color = arguments.color()
    moves = arguments.move_list("moves")
    plies = arguments.integer("n")
    restricted = color.grammar() + moves.grammar() + plies.grammar()
    option = (  # after a key, the grammar commits to its value, for a precise error
        (pp.Keyword("interval") - interval)
        | (pp.Keyword("minmoves") - plies.grammar())
        | (pp.Keyword("maxmoves") - arguments.count("n").grammar())
        | (pp.one_of([*REPORTED, *ACCEPTED], as_keyword=True) - boolean)
        | (pp.one_of("allow avoid", as_keyword=True) - restricted)
    )
    is_short = pp.Regex(f"(?=.{{0,{MOST_LENGTH}}}$)").set_name("fewer options").suppress()
    keys = ", ".join(["interval", "minmoves", "maxmoves", "allow", "avoid", *REPORTED, *ACCEPTED])
    end = pp.Regex("$").set_name(f"one of the keys {keys}").suppress()
    return is_short + pp.Group(pp.ZeroOrMore(pp.Group(option))) + end


OPTIONS = arguments.Argument("[key value]...", _option_grammar)


def request(
    color: Color, centiseconds: float | None, options: Iterable[Sequence[Any]]
) -> AnalysisRequest:
    """Returns the request for the arguments of a command.

    Restrictions of the other color's moves are ignored, and so are the depths of restrictions.
    """
    values_by_key: dict[str, Any] = {} if centiseconds is None else {"interval": centiseconds}
    restricted: dict[str, set[str]] = {"allow": set(), "avoid": set()}
    for name, *values in options:
        if name in restricted:
            if values[0] == color:
                restricted[name].update(values[1].split(","))
        else:
            values_by_key[name] = values[0]
    seconds = values_by_key.get("interval", 100 * DEFAULT_INTERVAL) / 100
    return AnalysisRequest(
        interval=max(seconds, LEAST_INTERVAL),
        least_moves=values_by_key.get("minmoves", 0),
        most_moves=values_by_key.get("maxmoves", 2**31),
        ownership=values_by_key.get("ownership", False),
        root_info=values_by_key.get("rootInfo", False),
        pv_visits=frozenset(key for key in PV_VISITS if values_by_key.get(key)),
        allowed=frozenset(restricted["allow"]),
        avoided=frozenset(restricted["avoid"]),
    )


def info_line(
    session: Session,
    report: Report,
    asked: AnalysisRequest,
    dialect: int,
    played: Sequence[int] = (),
) -> str:
    """Returns the candidates in one line, best first, each with its principal variation at the end.

    report: of a search that has a winrate. played: a turn whose further steps were searched; the
    candidate with its first step gets all its steps.
    """
    shown = [
        _as_played(session, candidate, played)
        for candidate in candidates(session, report, asked.least_moves)[: asked.most_moves]
    ]
    keys = [key for key in PV_VISITS if key in asked.pv_visits and dialect == KATAGO]
    return " ".join(_info(candidate, order, dialect, keys) for order, candidate in enumerate(shown))


def _info(candidate: Candidate, order: int, dialect: int, keys: Iterable[str]) -> str:
    assert candidate.prior is not None  # our search has both
    assert candidate.lcb is not None
    line = [as_pass(text) for text in candidate.pv]
    parts = [
        f"info move {line[0]} visits {candidate.visits}",
        f"winrate {_share(candidate.winrate, dialect)} prior {_share(candidate.prior, dialect)}",
        f"lcb {_share(candidate.lcb, dialect)}",
        f"order {order} pv {' '.join(line)}",
    ]
    if candidate.pv_visits:
        parts += (f"{key} {' '.join(map(str, candidate.pv_visits))}" for key in keys)
    return " ".join(parts)


def _share(value: float, dialect: int) -> str:
    return f"{value:.6f}" if dialect == KATAGO else str(round(value * dialect))


MOST_NAMED = 2 * MAX_SIZE * MAX_SIZE  # moves of avoid and allow; reading one of Bushka takes 2 ms
POLL_INTERVAL = 0.002  # seconds between checks for input while no search is running

ARGUMENTS = (
    arguments.color().optional(),
    arguments.duration("interval").optional(),
    OPTIONS,
)

STREAM = (
    "per interval (in centiseconds) a line of `info move M visits N winrate R prior P lcb L "
    "order K pv M ...`, best move first, until the next line of input, even an empty one"
)
KEYS = (
    "; keys are interval, minmoves, maxmoves{}, avoid and allow (COLOR MOVE,MOVE... DEPTH, for the "
    "first move; of multi-step moves for the first step, which each MOVE is)"
)
LZ_KEYS = KEYS.format("")
KATA_KEYS = KEYS.format(", ownership, rootInfo, pvVisits, pvEdgeVisits")
CANNOT_RESTRICT = "cannot restrict moves"
OUT_OF_TURN = (
    "`it is C's turn`: the color is not to move; `syntax error`: an unknown key, or a "
    "negative interval; "
    f"`{CANNOT_RESTRICT}: WHY`: avoid and allow leave no legal move, or name a point off the board "
    "or more than the first step of a move"
)
LZ_SCALE = "; R, P and L are in ten-thousandths"
KATA_SCALE = "; R, P and L are in 0..1"


def _register(prefix: str, dialect: int, wording: str, extras: str) -> None:
    """Registers the two commands of a dialect."""

    def analyze(
        engine: GtpEngine, color: Color | None, interval: float | None, options: list[Any]
    ) -> Iterator[str]:
        _, asked = _check_request(engine, color, interval, options)
        if engine.session.is_over:
            return iter(())
        return _lines_until_input(engine, asked, _read_allowed_moves(engine, asked), dialect)

    def genmove_analyze(
        engine: GtpEngine, color: Color | None, interval: float | None, options: list[Any]
    ) -> Iterator[str]:
        return _genmove_analyze(engine, color, interval, options, dialect)

    analyze.__doc__ = f"Analyzes the position until more input comes, {wording}."
    genmove_analyze.__doc__ = f"Chooses a move and makes it, reporting on the search {wording}."
    command(f"{prefix}analyze", *ARGUMENTS, answer=STREAM + extras, fails=OUT_OF_TURN)(analyze)
    command(
        f"{prefix}genmove_analyze",
        *ARGUMENTS,
        answer=f"lines as from {prefix}analyze during the search, and one more if the remaining "
        "steps of M differ from the expected ones; then `play M`, with M as from genmove",
        fails=OUT_OF_TURN,
        effect="as genmove; input does not end the search, except `# interrupt`",
    )(genmove_analyze)


_register("lz-", LEELA, "in Leela Zero's format", LZ_SCALE + LZ_KEYS)
_register("kata-", KATAGO, "in KataGo's format", KATA_SCALE + KATA_KEYS)
_register("", KATAGO, "in the format that Sabaki prefers", KATA_SCALE + KATA_KEYS)


@command(
    "kata-search_analyze",
    *ARGUMENTS,
    answer="as kata-genmove_analyze",
    fails=OUT_OF_TURN,
)
def kata_search_analyze(
    engine: GtpEngine, color: Color | None, interval: float | None, options: list[Any]
) -> Iterator[str]:
    """Chooses a move without making it, reporting on the search in KataGo's format."""
    return _genmove_analyze(engine, color, interval, options, KATAGO, commit=False)


CANCELLABLE = "`play cancelled` if a line was received during the search"


@command(
    "kata-search_analyze_cancellable",
    *ARGUMENTS,
    answer=f"as kata-search_analyze; {CANCELLABLE}",
    fails=OUT_OF_TURN,
)
def kata_search_analyze_cancellable(
    engine: GtpEngine, color: Color | None, interval: float | None, options: list[Any]
) -> Iterator[str]:
    """Chooses a move without making it, reporting on the search; any input cancels."""
    _, asked = _check_request(engine, color, interval, options)
    if engine.session.is_over:
        return iter(["play pass"])
    return _search_cancellable(engine, asked, _read_allowed_moves(engine, asked))


@command(
    "kata-search_cancellable",
    arguments.color().optional(),
    answer=f"`play M`, or {CANCELLABLE}",
    fails="`it is C's turn`: the color is not to move",
)
def kata_search_cancellable(engine: GtpEngine, color: Color | None) -> Iterator[str]:
    """Chooses a move without making it; any input cancels."""
    if engine.session.is_over:
        return iter(["play pass"])
    if color is not None:
        engine.check_turn(color)
    lines = _search_cancellable(engine, AnalysisRequest(interval=math.inf), [])
    return (line for line in lines if line.startswith("play"))


@command("stop")
def stop(engine: GtpEngine) -> None:
    """Ends an analysis, as any line does."""


def _check_request(
    engine: GtpEngine, color: Color | None, interval: float | None, options: Iterable[Sequence[Any]]
) -> tuple[Color, AnalysisRequest]:
    """Returns the color to analyze, by default that to move, and the request. Raises GtpError."""
    color = engine.session.to_move if color is None else color
    if not engine.session.is_over:
        engine.check_turn(color)
    return color, request(color, interval, options)


def _lines_until_input(
    engine: GtpEngine, asked: AnalysisRequest, allowed: list[int], dialect: int
) -> Iterator[str]:
    session = engine.session
    attention = engine.attention
    # The next line of a script has always arrived; its analysis ends after the first interval.
    is_script = isinstance(attention, ScriptInput)
    should_stop = attention.is_interrupted if is_script else attention.is_waiting
    due = monotonic() + asked.interval
    for step in count():
        limits = Limits(max(due - monotonic(), 0.0), should_stop=should_stop, allowed=allowed)
        report = engine.player.search(session, limits, step)
        if report.winrate is not None:
            root = _describe_root(engine, report, asked, dialect)
            yield info_line(engine.session, report, asked, dialect) + root
        # The search of a solved position ends early, but its analysis continues.
        while not should_stop() and monotonic() < due:
            sleep(POLL_INTERVAL)
        if attention.is_waiting():
            return
        # Writing a line takes time. That does not delay the next line, unless it would leave the
        # search less than half of the interval.
        due = max(due + asked.interval, monotonic() + asked.interval / 2)


def _genmove_analyze(  # noqa: PLR0913  (the arguments of the command, its dialect and effect)
    engine: GtpEngine,
    color: Color | None,
    interval: float | None,
    options: Iterable[Sequence[Any]],
    dialect: int,
    *,
    commit: bool = True,
) -> Iterator[str]:
    color, asked = _check_request(engine, color, interval, options)
    allowed = [] if engine.session.is_over else _read_allowed_moves(engine, asked)
    if engine.pass_if_over(color, commit=commit):
        return iter(["play pass"])
    lines = _lines_until_move(engine, color, asked, allowed, dialect)
    return _with_move(engine, color, lines, commit=commit)


Lines = Generator[str, None, tuple[Report, ChosenTurn | None]]


def _with_move(engine: GtpEngine, color: Color, lines: Lines, *, commit: bool) -> Iterator[str]:
    report, turn = yield from lines
    assert turn is not None  # it cannot be cancelled
    if commit:
        engine.commit(color, report, turn)
    yield f"play {turn.text}"


def _lines_until_move(  # noqa: PLR0913  (the options of the search and of its lines)
    engine: GtpEngine,
    color: Color,
    asked: AnalysisRequest,
    allowed: list[int],
    dialect: int,
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> Lines:
    """Yields lines during a search for a move; returns its last report and the turn.

    is_cancelled: ends the search, without a turn.
    """
    root = ""
    for report in engine.search(color, asked.interval, allowed, is_cancelled):
        if report.winrate is not None:
            root = _describe_root(engine, report, asked, dialect)
            yield info_line(engine.session, report, asked, dialect) + root
    if is_cancelled is not None and is_cancelled():
        return report, None
    turn = engine.choose_turn(report)
    if report.winrate is not None and _differs(engine.session, report, turn.moves):
        # The choice of the further steps has moved on in the tree.
        yield info_line(engine.session, report, asked, dialect, turn.moves) + root
    return report, turn


def _differs(session: Session, report: Report, moves: Sequence[int]) -> bool:
    """Returns whether a turn and the candidate with the same first step differ in later steps."""
    shown = candidates(session, report)
    return any(_as_played(session, candidate, moves) is not candidate for candidate in shown)


def _as_played(session: Session, candidate: Candidate, moves: Sequence[int]) -> Candidate:
    """Returns a candidate with the further steps of a turn, if it begins with the same step.

    moves: the steps of the turn; empty for a resignation. A single step is not changed.
    """
    if len(moves) < 2:
        return candidate
    steps = session.parse(candidate.move)
    if steps == tuple(moves) or steps[0] != moves[0]:
        return candidate
    text = session.format(moves)
    return replace(candidate, move=text, pv=(text,), pv_visits=candidate.pv_visits[:1])


def _search_cancellable(
    engine: GtpEngine, asked: AnalysisRequest, allowed: list[int]
) -> Iterator[str]:
    color = engine.session.to_move
    attention = engine.attention
    _, turn = yield from _lines_until_move(
        engine,
        color,
        asked,
        allowed,
        KATAGO,
        is_cancelled=lambda: attention.is_cancelled() or attention.is_interrupted(),
    )
    yield f"play {'cancelled' if turn is None else turn.text}"


def _read_allowed_moves(engine: GtpEngine, asked: AnalysisRequest) -> list[int]:
    """Returns the moves to consider; empty without a restriction.

    Raises GtpError for an invalid restriction, or if no legal move is left.
    """
    if not (asked.allowed or asked.avoided):
        return []
    if len(asked.allowed | asked.avoided) > MOST_NAMED:
        raise GtpError("syntax error", f"avoid and allow can name at most {MOST_NAMED} moves")
    session = engine.session
    try:
        allowed = read_steps(session, asked.allowed) if asked.allowed else None
        return restrict(session, allowed, read_steps(session, asked.avoided))
    except RestrictionError as error:
        raise GtpError(f"{CANNOT_RESTRICT}: {error}") from None
    except NotationError as error:
        raise GtpError("syntax error", str(error)) from None


def _describe_root(engine: GtpEngine, report: Report, asked: AnalysisRequest, dialect: int) -> str:
    """Returns the requested end of a line about the position itself, with a space before it.

    KataGo's ownership is a number per point, by rows from the top, from 1 (the side to move) to -1.
    """
    parts = [""]
    if asked.root_info and dialect == KATAGO:
        parts.append(f"rootInfo visits {report.visits} winrate {report.winrate:.6f}")
    if asked.ownership and dialect == KATAGO:
        position = engine.session.position
        sign = engine.session.to_move.sign
        values = engine.player.ownership(engine.session)
        points = points_from_top(position.width, position.height)
        parts.append(f"ownership {' '.join(f'{sign * values[point]:.3f}' for point in points)}")
    return " ".join(parts)
