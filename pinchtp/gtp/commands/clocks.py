"""Time."""

from __future__ import annotations

from time import process_time

from pinchtp.clock import TimeControl
from pinchtp.games import Color
from pinchtp.gtp import grammar
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.registry import command


@command(
    "time_settings",
    grammar.number("main_time"),
    grammar.number("byo_yomi_time"),
    grammar.integer("byo_yomi_stones"),
    fails="`syntax error`: a time is negative",
    effect="both players get fresh clocks, in seconds: absolute if byo_yomi_time is 0, without a "
    "limit if it is not and byo_yomi_stones is 0 or if all three are 0, else Canadian",
)
def time_settings(engine: Engine, main: float, period: float, stones: int) -> str:
    """Sets the clocks of both players."""
    try:
        engine.session.set_time(TimeControl.gtp(main, period, stones))
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None
    return ""


@command(
    "time_left",
    grammar.color(),
    grammar.number("time"),
    grammar.integer("stones"),
    fails="`syntax error`: no clock was set that could show this",
    effect="the color's clock shows so many seconds, for so many stones; 0 stones: main time",
)
def time_left(engine: Engine, color: Color, seconds: float, stones: int) -> str:
    """Sets a player's clock in mid-game; without it the engine keeps the clock itself."""
    session = engine.session
    try:
        session.set_clock(color, session.clock(color).set_left(seconds, stones))
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None
    return ""


@command("cputime", answer="seconds of processor time, which never fall")
def cputime(engine: Engine) -> str:
    """Tells the processor time that the program has used."""
    return f"{process_time():.3f}"
