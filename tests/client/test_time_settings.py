"""Time systems as commands of GTP."""

from __future__ import annotations

import pytest

from pinchtp.base.clock import TimeControl
from pinchtp.client.time_settings import spell, time_commands

CAPPED = TimeControl.fischer_capped(60, 5, 90, 30)


@pytest.mark.parametrize(
    ("control", "commands"),
    [
        (TimeControl.none(), []),
        (TimeControl.absolute(60), ["time_settings 60 0 0"]),
        (TimeControl.canadian(60, 30, 5), ["time_settings 60 30 5"]),
        (TimeControl.canadian(0, 0.1, 1), ["time_settings 0 0.1 1"]),
        (TimeControl.byoyomi(0, 5, 1), ["time_settings 0 5 1"]),
        (
            TimeControl.byoyomi(60, 5, 3),
            [
                "kgs-time_settings byoyomi 60 5 3",
                "kata-time_settings byoyomi 60 5 3",
                "time_settings 60 5 1",
            ],
        ),
        (TimeControl.fischer(60, 5), ["kata-time_settings fischer 60 5", "time_settings 55 5 1"]),
        (TimeControl.fischer(3, 5), ["kata-time_settings fischer 3 5", "time_settings 0 3 1"]),
        (
            CAPPED,
            ["kata-time_settings fischer-capped 60 5 90 30", "time_settings 25 5 1"],
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
