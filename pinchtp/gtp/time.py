"""Clocks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap
from time import process_time

from pinchtp.base.clock import (
    FISCHER_SYSTEMS,
    KATA_SYSTEMS,
    KGS_SYSTEMS,
    System,
    Systems,
    TimeControl,
    named_control,
)
from pinchtp.games import Color
from pinchtp.gtp import arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.errors import GtpError

NO_SYSTEM = (
    "`syntax error`: what follows the system is no number; `cannot set time: WHY`: no such system, "
    "or its numbers are missing, too many, negative or at odds; WHY ends with the usage"
)


def _usage(name: str, system: System) -> str:
    return f"{name} {system[1]}".rstrip()


def _listed(systems: Systems) -> str:
    return ", ".join(f"`{_usage(*each)}`" for each in systems.items())


@command(
    "time_settings",
    arguments.number("main_time"),
    arguments.number("byo_yomi_time"),
    arguments.integer("byo_yomi_stones"),
    fails="`syntax error`: a time is negative",
    effect="both players get fresh clocks, in seconds: absolute if byo_yomi_time is 0, without a "
    "limit if it is not and byo_yomi_stones is 0 or if all three are 0, else Canadian",
)
def time_settings(engine: GtpEngine, main: float, period: float, stones: int) -> str:
    """Sets the clocks of both players."""
    try:
        engine.session.set_time(TimeControl.gtp(main, period, stones))
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None
    return ""


@command(
    "time_left",
    arguments.color(),
    arguments.number("time"),
    arguments.integer("stones"),
    fails="`syntax error`: not a number of seconds and a whole number of stones",
    effect="the color's clock shows these seconds, for that number of stones; 0 stones: main time. "
    "Where no limit was set, these seconds are all there is; `0 0` is still no limit",
)
def time_left(engine: GtpEngine, color: Color, seconds: float, stones: int) -> str:
    """Sets a player's clock in mid-game; without it the engine keeps the clock itself."""
    try:
        engine.time.set_left(engine.session, color, seconds, stones)
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None
    return ""


@command("cputime", answer="seconds of processor time used so far; never decreases")
def cputime(engine: GtpEngine) -> str:
    """Reports the processor time that the program has used."""
    return f"{process_time():.3f}"


@command(
    "kgs-time_settings",
    arguments.word("system"),
    arguments.number("main_time").optional(),
    arguments.number("byo_yomi_time").optional(),
    arguments.integer("byo_yomi_stones_or_periods").optional(),
    fails=NO_SYSTEM,
    effect=f"as time_settings; systems are {_listed(KGS_SYSTEMS)}",
)
def kgs_time_settings(
    engine: GtpEngine, system: str, main: float | None, period: float | None, count: int | None
) -> str:
    """Sets the clocks of both players, as KGS knows them."""
    return _set_system(engine, "kgs-time_settings", KGS_SYSTEMS, system, (main, period, count))


@command("kata-list_time_settings", answer="the systems that kata-time_settings knows")
def kata_list_time_settings(engine: GtpEngine) -> str:
    """Lists time systems."""
    return " ".join(KATA_SYSTEMS)


@command(
    "kata-time_settings",
    arguments.word("system"),
    arguments.number("number").optional(),
    arguments.number("number").optional(),
    arguments.number("number").optional(),
    arguments.number("number").optional(),
    fails=NO_SYSTEM,
    effect=f"as kgs-time_settings; also {_listed(FISCHER_SYSTEMS)}, where a negative cap is none",
)
def kata_time_settings(engine: GtpEngine, system: str, *numbers: float | None) -> str:
    """Sets the clocks of both players, as KataGo knows them."""
    return _set_system(engine, "kata-time_settings", KATA_SYSTEMS, system, numbers)


def _set_system(
    engine: GtpEngine, name: str, systems: Systems, system: str, given: Iterable[float | None]
) -> str:
    """Sets the clocks for a command of that name. Raises GtpError that shows how it is used."""
    numbers = [number for number in given if number is not None]
    try:
        engine.session.set_time(named_control(systems, system, numbers))
    except ValueError as error:
        found = systems.get(system.lower())
        meant = {system.lower(): found} if found else systems
        usage = " | ".join(starmap(_usage, meant.items()))
        raise GtpError(f"cannot set time: {error}; usage: {name} {usage}") from None
    return ""
