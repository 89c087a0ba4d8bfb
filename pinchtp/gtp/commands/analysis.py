"""Analysis commands."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from time import monotonic, sleep
from typing import Any

from pinchtp._core import Report
from pinchtp.games import MAX_SIZE, Color
from pinchtp.games.notation import NotationError
from pinchtp.gtp import analysis_format, grammar
from pinchtp.gtp.analysis_format import KATAGO, LEELA, AnalysisRequest, Style
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.registry import command
from pinchtp.player.player import Limits

MOST_NAMED = 2 * MAX_SIZE * MAX_SIZE  # to read one as a move of Bushka takes 2 ms
POLL_INTERVAL = 0.002  # seconds between looks for input while nothing is searched

ARGUMENTS = (
    grammar.color().optional(),
    grammar.number("interval").optional(),
    analysis_format.OPTIONS,
)
GENMOVE_ARGUMENTS = (grammar.color(), *ARGUMENTS[1:])

STREAM = (
    "every interval (hundredths of a second) a line of `info move M visits N winrate R prior P "
    "lcb L order K pv M ...`, best move first, until any line comes in, an empty one too"
)
KATA_OPTIONS = (
    "; keys are interval, minmoves, maxmoves, avoid and allow (COLOR MOVE,MOVE... DEPTH, for the "
    "first move), and for KataGo's also ownership and rootInfo"
)
OUT_OF_TURN = "`it is C's turn`: the color is not to move; `syntax error`: an unknown key"
LZ_SCALE = "; R, P and L are in ten-thousandths"
KATA_SCALE = "; R, P and L are in 0..1"


def _register(prefix: str, style: Style, dialect: str, extras: str) -> None:
    """Makes a dialect's two commands."""

    def analyze(
        engine: Engine, color: Color | None, interval: float | None, options: list[Any]
    ) -> Iterator[str]:
        return _analyze(engine, color, interval, options, style)

    def genmove_analyze(
        engine: Engine, color: Color, interval: float | None, options: list[Any]
    ) -> Iterator[str]:
        return _genmove_analyze(engine, color, interval, options, style)

    analyze.__doc__ = f"Analyzes the position until more input comes, {dialect}."
    genmove_analyze.__doc__ = f"Chooses a move and makes it, reporting on the search {dialect}."
    command(f"{prefix}analyze", *ARGUMENTS, answer=STREAM + extras, fails=OUT_OF_TURN)(analyze)
    command(
        f"{prefix}genmove_analyze",
        *GENMOVE_ARGUMENTS,
        answer=f"lines as of {prefix}analyze while it thinks, then `play M`, M as of genmove",
        fails=OUT_OF_TURN,
        effect="as genmove; input does not end the search, save `# interrupt`",
    )(genmove_analyze)


_register("lz-", LEELA, "in Leela Zero's format", LZ_SCALE)
_register("kata-", KATAGO, "in KataGo's format", KATA_SCALE + KATA_OPTIONS)
_register("", KATAGO, "in the format that Sabaki prefers", KATA_SCALE + KATA_OPTIONS)


@command(
    "kata-search_cancellable",
    grammar.color().optional(),
    answer="`play M`, or `play cancelled` if a line came in before the search was done",
    fails="`it is C's turn`: the color is not to move",
)
def kata_search_cancellable(engine: Engine, color: Color | None) -> Iterator[str]:
    """Chooses a move without making it, until more input comes."""
    if color is not None and not engine.session.is_over:
        engine.check_turn(color)
    return _search_cancellable(engine)


@command("stop")
def stop(engine: Engine) -> str:
    """Does nothing but end an analysis, as any line does."""
    return ""


def _analyze(
    engine: Engine,
    color: Color | None,
    interval: float | None,
    options: Iterable[Sequence[Any]],
    style: Style,
) -> Iterator[str]:
    session = engine.session
    asked = _checked(engine, session.to_move if color is None else color, interval, options)
    if session.is_over:
        return iter(())
    return _lines_until_input(engine, asked, _allowed(engine, asked), style)


def _checked(
    engine: Engine, color: Color, interval: float | None, options: Iterable[Sequence[Any]]
) -> AnalysisRequest:
    if not engine.session.is_over:
        engine.check_turn(color)
    return analysis_format.request(color, interval, options)


def _lines_until_input(
    engine: Engine, asked: AnalysisRequest, allowed: list[int], style: Style
) -> Iterator[str]:
    session, waiting = engine.session, engine.attention.waiting
    due = monotonic() + asked.interval
    while True:
        limits = Limits(max(due - monotonic(), 0.0), should_stop=waiting, allowed=allowed)
        report = engine.player.think(session, limits)
        if report.winrate is not None:
            yield _line(engine, report, asked, style)
        # A position that is solved needs no more search, but its analysis goes on.
        while not waiting() and monotonic() < due:
            sleep(POLL_INTERVAL)
        if waiting():
            return
        # To write a line takes its time, which does not delay the next one, unless it takes so long
        # that little would be left for the search.
        due = max(due + asked.interval, monotonic() + asked.interval / 2)


def _genmove_analyze(
    engine: Engine,
    color: Color,
    interval: float | None,
    options: Iterable[Sequence[Any]],
    style: Style,
) -> Iterator[str]:
    asked = _checked(engine, color, interval, options)
    allowed = [] if engine.session.is_over else _allowed(engine, asked)
    if engine.is_over_for(color, commit=True):
        return iter(["play pass"])
    return _lines_until_move(engine, color, asked, allowed, style)


def _lines_until_move(
    engine: Engine, color: Color, asked: AnalysisRequest, allowed: list[int], style: Style
) -> Iterator[str]:
    for report in engine.search(color, asked.interval, allowed):
        if report.winrate is not None:
            yield _line(engine, report, asked, style)
    yield f"play {engine.commit(color, report)}"


def _search_cancellable(engine: Engine) -> Iterator[str]:
    if engine.session.is_over:
        yield "play pass"
        return
    color = engine.session.to_move
    *_, report = engine.search(color, math.inf, should_stop=engine.attention.cancelled)
    yield "play " + ("cancelled" if engine.attention.cancelled() else engine.spelled(report))


def _allowed(engine: Engine, asked: AnalysisRequest) -> list[int]:
    """The moves to consider, empty without restriction. Raises GtpError if none is left."""
    if not (asked.allowed or asked.avoided):
        return []
    legal = engine.session.position.legal_moves()
    avoided, allowed = (_first_parts(engine, each) for each in (asked.avoided, asked.allowed))
    kept = [m for m in legal if m not in avoided and (m in allowed or not asked.allowed)]
    if not kept:
        raise GtpError("syntax error", "avoid and allow leave no legal move")
    return kept


def _first_parts(engine: Engine, texts: Collection[str]) -> set[int]:
    """The moves that these texts name; of turns of several parts, the first. Raises GtpError."""
    if len(texts) > MOST_NAMED:
        raise GtpError("syntax error", f"avoid and allow name at most {MOST_NAMED} moves")
    try:
        return {engine.session.parse(text)[0] for text in texts}
    except NotationError as error:
        raise GtpError("syntax error", str(error)) from None


def _line(engine: Engine, report: Report, asked: AnalysisRequest, style: Style) -> str:
    """The line of a report, whose winrate has to be known."""
    parts = [analysis_format.info_line(engine.session, report, asked, style)]
    if asked.root_info and style is KATAGO:
        parts.append(analysis_format.root_info(report))
    if asked.ownership and style is KATAGO:
        position = engine.session.position
        values = engine.player.ownership(engine.session)
        parts.append(analysis_format.ownership(values, position.width, position.height))
    return " ".join(parts)
