"""What an engine at a table is told of levels and clocks."""

from __future__ import annotations

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.board.messages import Strength
from pinchtp.board.table_engine import EngineCommand, TableEngine
from pinchtp.client import Response
from pinchtp.games import Color
from pinchtp.player.levels import LEVELS


class Told(TableEngine):
    """Notes what it is told."""

    def __init__(self, *commands: str) -> None:
        spec = EngineCommand("engine", "", own=False, memory_mb=1, patience=30.0)
        super().__init__(spec, lambda kind, line: None)
        self.commands = frozenset(commands)
        self.told: list[str] = []

    def send(self, line: str, timeout: float | None = None) -> Response:
        self.told.append(line)
        return Response(True, None, "")


def test_engines_are_told_levels_in_their_words() -> None:
    ours = Told("kata-set-param", "pinchtp-param")
    ours.set_level(Strength())
    assert ours.told == []
    ours.set_level(Strength(number=3))
    assert ours.told.pop(0) == "pinchtp-param level 3"
    ours.told.clear()
    ours.set_level(Strength(number=len(LEVELS)))
    assert ours.told[0] == f"pinchtp-param level {len(LEVELS)}"
    assert ours.told[2] == "kata-set-param maxTime 1"
    ours.told.clear()
    ours.set_level(Strength(visits=50))
    assert ours.told[:2] == [f"pinchtp-param level {len(LEVELS)}", "pinchtp-param visits 50"]
    foreign = Told("kata-set-param")
    foreign.set_level(Strength(number=15))
    assert foreign.told[0] == f"kata-set-param maxVisits {LEVELS[14].visits}"
    leela = Told("lz-setoption")
    leela.set_level(Strength(visits=50))
    assert leela.told == ["lz-setoption name visits value 50"]
    plain = Told("play")
    plain.set_level(Strength(number=15))
    assert plain.told == []


def test_an_engine_is_told_the_time_left_as_it_took_the_time_system() -> None:
    """One that knows main time and stones only is told spare periods as time left."""
    plain = Told("time_settings", "time_left")
    control = TimeControl.byoyomi(10, 5, 3)
    clocks = {color: Clock(control, 5.0, 3) for color in Color}
    plain.set_clocks(Color.BLACK, Strength(), clocks)
    assert plain.told == ["time_settings 10 5 1", "time_left b 15 1", "time_left w 15 1"]
    deaf = Told("play")
    deaf.set_clocks(Color.BLACK, Strength(), clocks)
    assert deaf.told == []


def test_an_answer_is_awaited_for_the_time_that_the_clock_has() -> None:
    plain = Told("time_settings")
    for control, seconds in (
        (TimeControl.canadian(10, 30, 20), 40),
        (TimeControl.byoyomi(10, 5, 3), 25),
        (TimeControl.fischer(10, 2), 10),
    ):
        clocks = {color: Clock.start(control) for color in Color}
        timeout = plain.set_clocks(Color.BLACK, Strength(), clocks)
        assert timeout == seconds + plain.spec.patience
