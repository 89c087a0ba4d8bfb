"""Time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import process_time

from pinchtp.base.clock import TimeControl
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
    fails="`syntax error`: not a number of seconds and a whole number of stones",
    effect="the color's clock shows these seconds, for that number of stones; 0 stones: main time. "
    "Where no limit was set, these seconds are all there is; `0 0` is still no limit",
)
def time_left(engine: Engine, color: Color, seconds: float, stones: int) -> str:
    """Sets a player's clock in mid-game; without it the engine keeps the clock itself."""
    try:
        engine.time.set_left(engine.session, color, seconds, stones)
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None
    return ""


@command("cputime", answer="seconds of processor time used so far; never decreases")
def cputime(engine: Engine) -> str:
    """Reports the processor time that the program has used."""
    return f"{process_time():.3f}"


@command(
    "kgs-time_settings",
    grammar.word("system"),
    grammar.number("main_time").optional(),
    grammar.number("byo_yomi_time").optional(),
    grammar.integer("byo_yomi_stones_or_periods").optional(),
    fails="`syntax error`: no such system, or its numbers are missing, too many or negative",
    effect="as time_settings; systems are `none`, `absolute MAIN`, `canadian MAIN TIME STONES`, "
    "`byoyomi MAIN TIME PERIODS`",
)
def kgs_time_settings(
    engine: Engine, system: str, main: float | None, period: float | None, count: int | None
) -> str:
    """Sets the clocks of both players, as KGS knows them."""
    return _set_system(engine, KGS_SYSTEMS, system, (main, period, count))


@command("kata-list_time_settings", answer="the systems that kata-time_settings knows")
def kata_list_time_settings(engine: Engine) -> str:
    """Lists time systems."""
    return " ".join(KATA_SYSTEMS)


@command(
    "kata-time_settings",
    grammar.word("system"),
    grammar.number("number").optional(),
    grammar.number("number").optional(),
    grammar.number("number").optional(),
    grammar.number("number").optional(),
    fails="`syntax error`: no such system, or its numbers are missing, too many or negative",
    effect="as kgs-time_settings; also `fischer MAIN INCREMENT` and "
    "`fischer-capped MAIN INCREMENT CAP MOVE_CAP`, where a negative cap is none",
)
def kata_time_settings(engine: Engine, system: str, *numbers: float | None) -> str:
    """Sets the clocks of both players, as KataGo knows them."""
    return _set_system(engine, KATA_SYSTEMS, system, numbers)


# Each time system with the numbers that it takes.
KGS_SYSTEMS: dict[str, tuple[Callable[..., TimeControl], int]] = {
    "none": (TimeControl.none, 0),
    "absolute": (TimeControl.absolute, 1),
    "canadian": (TimeControl.canadian, 3),
    "byoyomi": (TimeControl.byoyomi, 3),
}
KATA_SYSTEMS = KGS_SYSTEMS | {
    "fischer": (TimeControl.fischer, 2),
    "fischer-capped": (TimeControl.fischer_capped, 4),
}


def _set_system(
    engine: Engine,
    systems: dict[str, tuple[Callable[..., TimeControl], int]],
    system: str,
    given: Iterable[float | None],
) -> str:
    numbers = [number for number in given if number is not None]
    if system.lower() not in systems:
        raise GtpError("syntax error", f"{system!r} is not one of {', '.join(systems)}")
    made, count = systems[system.lower()]
    if len(numbers) != count:
        raise GtpError("syntax error", f"{system} takes {count} numbers, not {len(numbers)}")
    if made in (TimeControl.canadian, TimeControl.byoyomi):
        if numbers[-1] != int(numbers[-1]):
            raise GtpError("syntax error", f"{numbers[-1]:g} is not a whole number")
        numbers[-1] = int(numbers[-1])
    try:
        engine.session.set_time(made(*numbers))
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None
    return ""
