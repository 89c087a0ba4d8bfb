"""Time systems as commands of GTP."""

import pytest

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.client.time_settings import TimeSender, spell, time_commands

CAPPED = TimeControl.fischer_capped(60, 5, 90, 30)


@pytest.mark.parametrize(
    ("control", "commands"),
    [
        (TimeControl.none(), []),
        (TimeControl.absolute(60), ["time_settings 60 0 0"]),
        (TimeControl.canadian(60, 30, 5), ["time_settings 60 30 5", "time_settings 60 0 0"]),
        (TimeControl.canadian(0, 0.1, 1), ["time_settings 0 0.1 1"]),
        (TimeControl.byoyomi(0, 5, 1), ["time_settings 0 5 1"]),
        (
            TimeControl.byoyomi(60, 5, 3),
            [
                "kgs-time_settings byoyomi 60 5 3",
                "kata-time_settings byoyomi 60 5 3",
                "time_settings 60 5 1",
                "time_settings 60 0 0",
            ],
        ),
        (
            TimeControl.fischer(60, 5),
            ["kata-time_settings fischer 60 5", "time_settings 55 5 1", "time_settings 60 0 0"],
        ),
        (
            TimeControl.fischer(3, 5),
            ["kata-time_settings fischer 3 5", "time_settings 0 3 1", "time_settings 3 0 0"],
        ),
        (
            CAPPED,
            [
                "kata-time_settings fischer-capped 60 5 90 30",
                "time_settings 25 5 1",
                "time_settings 30 0 0",
            ],
        ),
        (
            TimeControl.fischer_capped(60, 0, 90, -1),
            ["kata-time_settings fischer-capped 60 0 90 -1", "time_settings 60 0 0"],
        ),
    ],
)
def test_time_commands_of_control(control: TimeControl, commands: list[str]) -> None:
    def word(value: str | float) -> str:
        return value if isinstance(value, str) else spell(value, whole=False)

    assert [" ".join(map(word, way.command)) for way in time_commands(control)] == commands


class WholeSeconds:
    """An engine that reads whole seconds only. accepted: the lines without an error."""

    def __init__(self) -> None:
        self.accepted: list[str] = []
        self.sender = TimeSender(["time_settings", "time_left"].__contains__, self.accepts)

    def accepts(self, line: str) -> bool:
        if "." not in line:
            self.accepted.append(line)
        return "." not in line


@pytest.mark.parametrize(
    ("control", "clock", "accepted"),
    [
        (TimeControl.fischer(10, 0.1), (7.6, 0), ["time_settings 10 0 0", "time_left b 7 0"]),
        (TimeControl.fischer(1, 0.1), (0.6, 0), ["time_settings 1 0 0", "time_left b 0 0"]),
        (TimeControl.fischer(10.5, 2), (9.5, 0), ["time_settings 8 2 1", "time_left b 7 0"]),
        (TimeControl.canadian(60, 0.5, 2), (0.3, 1), ["time_settings 60 0 0", "time_left b 0 0"]),
        (TimeControl.canadian(60, 9.5, 2), (8.5, 1), ["time_settings 60 9 2", "time_left b 8 1"]),
        (TimeControl.byoyomi(60, 0.5, 3), (59, 0), ["time_settings 60 0 0", "time_left b 59 0"]),
        (TimeControl.fischer_capped(60, 0.5, 90, 2), (50, 0), ["time_settings 2 0 0"]),
    ],
    ids=str,
)
def test_engine_of_whole_seconds_gets_nearest_clock(
    control: TimeControl, clock: tuple[float, int], accepted: list[str]
) -> None:
    engine = WholeSeconds()
    assert engine.sender.announce(control)
    engine.sender.send_time_left("b", Clock(control, *clock))
    assert engine.accepted[: len(accepted)] == accepted


@pytest.mark.parametrize(
    "control", [TimeControl.canadian(0, 0.1, 1), TimeControl.absolute(0.5)], ids=str
)
def test_whole_second_engine_never_gets_zero(control: TimeControl) -> None:
    engine = WholeSeconds()
    assert not engine.sender.announce(control)
    engine.sender.send_time_left("b", Clock.start(control))
    assert engine.accepted == []
    assert engine.sender.announce(TimeControl.none())


@pytest.mark.parametrize(
    ("seconds", "whole", "text"),
    [
        (5.0, False, "5"),
        (0.25, False, "0.25"),
        (0.2509, False, "0.25"),
        (59.9996, False, "59.999"),
        (1234.5678, False, "1234.567"),
        (59.9, True, "59"),
        (0.9, True, "0"),
        (1e6, False, "1000000"),
    ],
)
def test_spell_of_seconds_rounds_down(seconds: float, whole: bool, text: str) -> None:
    assert spell(seconds, whole=whole) == text
