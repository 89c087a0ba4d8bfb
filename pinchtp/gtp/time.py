"""Clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import starmap
from time import process_time

from pinchtp.base.clock import TimeControl
from pinchtp.base.text import count
from pinchtp.games import Color
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine

System = tuple[Callable[..., TimeControl], str]
"""The constructor of a time system, and the names of its numbers."""
Systems = dict[str, System]

KGS_SYSTEMS: Systems = {
    "none": (TimeControl.none, ""),
    "absolute": (TimeControl.absolute, "MAIN"),
    "canadian": (TimeControl.canadian, "MAIN TIME STONES"),
    "byoyomi": (TimeControl.byoyomi, "MAIN TIME PERIODS"),
}
FISCHER_SYSTEMS: Systems = {
    "fischer": (TimeControl.fischer, "MAIN INCREMENT"),
    "fischer-capped": (TimeControl.fischer_capped, "MAIN INCREMENT CAP MOVE_CAP"),
}
KATA_SYSTEMS = KGS_SYSTEMS | FISCHER_SYSTEMS

NO_SYSTEM = (
    "`syntax error`: not a number after the system; `cannot set time: WHY`: unknown system, or "
    "missing, extra, negative or contradictory numbers; WHY ends with the usage"
)


def _usage(name: str, system: System) -> str:
    return f"{name} {system[1]}".rstrip()


def _usages(systems: Systems) -> str:
    return ", ".join(f"`{_usage(*each)}`" for each in systems.items())


@command(
    "time_settings",
    arguments.number("main_time"),
    arguments.number("byo_yomi_time"),
    arguments.integer("byo_yomi_stones"),
    fails="`syntax error`: a time is negative",
    effect="both players get new clocks, in seconds. byo_yomi_time 0: absolute, or no limit if "
    "main_time is 0 too; otherwise Canadian, or no limit if byo_yomi_stones is 0",
)
def time_settings(engine: GtpEngine, main: float, period: float, stones: int) -> None:
    """Sets the clocks of both players."""
    try:
        engine.session.set_time(TimeControl.gtp(main, period, stones))
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None
    engine.load_network()


@command(
    "time_left",
    arguments.color(),
    arguments.number("time"),
    arguments.integer("stones"),
    fails="`syntax error`: not a number of seconds and an integer",
    effect="the color's clock has these seconds for that number of stones; 0 stones: main time. "
    "Without a limit they become the limit; `0 0` keeps no limit",
)
def time_left(engine: GtpEngine, color: Color, seconds: float, stones: int) -> None:
    """Sets a player's clock during a game; otherwise the engine keeps its own."""
    try:
        engine.time.set_left(engine.session, color, seconds, stones)
    except ValueError as error:
        raise GtpError("syntax error", str(error)) from None


@command("cputime", answer="CPU time used so far in seconds; never decreases")
def cputime(engine: GtpEngine) -> str:
    """Returns the CPU time of the program."""
    return f"{process_time():.3f}"


@command(
    "kgs-time_settings",
    arguments.word("system"),
    arguments.number("main_time").optional(),
    arguments.number("byo_yomi_time").optional(),
    arguments.integer("byo_yomi_stones_or_periods").optional(),
    fails=NO_SYSTEM,
    effect=f"as time_settings; systems are {_usages(KGS_SYSTEMS)}",
)
def kgs_time_settings(
    engine: GtpEngine, system: str, main: float | None, period: float | None, count: int | None
) -> None:
    """Sets both clocks to a time system of KGS."""
    _set_system(engine, "kgs-time_settings", KGS_SYSTEMS, system, (main, period, count))


@command("kata-list_time_settings", answer="the systems of kata-time_settings")
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
    effect=f"as kgs-time_settings; also {_usages(FISCHER_SYSTEMS)}; a negative cap means no cap",
)
def kata_time_settings(engine: GtpEngine, system: str, *numbers: float | None) -> None:
    """Sets both clocks to a time system of KataGo."""
    _set_system(engine, "kata-time_settings", KATA_SYSTEMS, system, numbers)


def _set_system(
    engine: GtpEngine, name: str, systems: Systems, system: str, given: Iterable[float | None]
) -> None:
    """Sets the clocks for the command `name`. Raises GtpError with the usage of the command."""
    numbers = [number for number in given if number is not None]
    try:
        engine.session.set_time(_make_control(systems, system, numbers))
    except ValueError as error:
        known = systems.get(system.lower())
        shown = {system.lower(): known} if known else systems
        usage = " | ".join(starmap(_usage, shown.items()))
        raise GtpError(f"cannot set time: {error}; usage: {name} {usage}") from None
    engine.load_network()


def _make_control(systems: Systems, name: str, numbers: Sequence[float]) -> TimeControl:
    """Returns the time control of a system with its numbers. Raises ValueError."""
    system = systems.get(name.lower())
    if system is None:
        raise ValueError(f"unknown system {name!r}")
    construct, names = system
    wanted = len(names.split())
    if len(numbers) != wanted:
        raise ValueError(f"{name} takes {count(wanted, 'number')}, not {len(numbers)}")
    if construct in (TimeControl.canadian, TimeControl.byoyomi):
        if numbers[-1] != int(numbers[-1]):
            raise ValueError(f"{numbers[-1]:g} is not an integer")
        numbers = [*numbers[:-1], int(numbers[-1])]
        _, period, periods = numbers  # or stones
        if period > 0 and periods < 1:
            raise ValueError(f"{names.split()[-1]} must be at least 1")
        if period == 0 and periods > 0:
            raise ValueError("TIME must be longer than 0 s")
    return construct(*numbers)
