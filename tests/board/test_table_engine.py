"""Levels and clocks sent to an engine at a table."""

import pytest

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.board.engines.table_engine import EngineCommand, TableEngine, without_files
from pinchtp.board.protocol.players import Strength
from pinchtp.client import Response
from pinchtp.client.engine import Stopped
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.player.levels import LEVELS


class Recorder(TableEngine):
    """An engine that records the commands sent to it."""

    def __init__(self, *commands: str) -> None:
        spec = EngineCommand("engine", "", own=False, memory_mb=1, patience=30.0)
        self.warnings: list[str] = []
        super().__init__(spec, lambda kind, line: None, self.warnings.append)
        self.commands = frozenset(commands)
        self.sent: list[str] = []

    def send(self, line: str, timeout: float | None = None) -> Response:
        self.sent.append(line)
        return Response(True, None, "")


def test_level_is_sent_in_the_engines_dialect() -> None:
    ours = Recorder("kata-set-param", "pinchtp-param")
    ours.set_level(Strength())
    assert ours.sent == []
    ours.set_level(Strength(number=3))
    assert ours.sent.pop(0) == "pinchtp-param level 3"
    ours.sent.clear()
    ours.set_level(Strength(number=len(LEVELS)))
    assert ours.sent[0] == f"pinchtp-param level {len(LEVELS)}"
    assert ours.sent[2] == "kata-set-param maxTime 1"
    ours.sent.clear()
    ours.set_level(Strength(visits=50))
    assert ours.sent[:2] == [f"pinchtp-param level {len(LEVELS)}", "pinchtp-param visits 50"]
    foreign = Recorder("kata-set-param")
    foreign.set_level(Strength(number=15))
    assert foreign.sent[0] == f"kata-set-param maxVisits {LEVELS[14].visits}"
    leela = Recorder("lz-setoption")
    leela.set_level(Strength(visits=50))
    assert leela.sent == ["lz-setoption name visits value 50"]
    plain = Recorder("play")
    plain.set_level(Strength(number=15))
    assert plain.sent == []


def test_time_left_matches_the_accepted_time_system() -> None:
    """Spare periods count as time left without byo-yomi support."""
    plain = Recorder("time_settings", "time_left")
    control = TimeControl.byoyomi(10, 5, 3)
    clocks = {color: Clock(control, 5.0, 3) for color in Color}
    plain.set_clocks(Color.BLACK, Strength(), clocks)
    assert plain.sent == ["time_settings 10 5 1", "time_left b 15 1", "time_left w 15 1"]
    deaf = Recorder("play")
    deaf.set_clocks(Color.BLACK, Strength(), clocks)
    deaf.set_clocks(Color.WHITE, Strength(), clocks)
    assert deaf.sent == []
    assert deaf.warnings == ["accepts no command for the time 10+3x5: it has no clock"]


def test_timeout_follows_the_clock() -> None:
    plain = Recorder("time_settings")
    for control, seconds in (
        (TimeControl.canadian(10, 30, 20), 40),
        (TimeControl.byoyomi(10, 5, 3), 25),
        (TimeControl.fischer(10, 2), 10),
    ):
        clocks = {color: Clock.start(control) for color in Color}
        timeout = plain.set_clocks(Color.BLACK, Strength(), clocks)
        assert timeout == seconds + plain.spec.patience


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pinchtp", "pinchtp --no-files"),
        ("/usr/bin/pinchtp --game {game}", "/usr/bin/pinchtp --no-files --game {game}"),
        ("'/a b/pinchtp' --level 3", "'/a b/pinchtp' --no-files --level 3"),
        ("nice -n 5 python -m pinchtp", "nice -n 5 python -m pinchtp --no-files"),
        ("./other --as pinchtp-like", "./other --as pinchtp-like"),
    ],
)
def test_our_program_gets_no_files(command: str, expected: str) -> None:
    assert without_files(command) == expected


@pytest.mark.parametrize(
    ("command", "seconds"),
    [("kata-set-param", 10), ("time_settings", 10), ("play", 40)],
)
def test_timeout_of_a_timed_move_is_twice_its_limit(command: str, seconds: int) -> None:
    engine = Recorder(command)
    assert engine.set_clocks(Color.BLACK, Strength(seconds=5), None) == seconds


def test_stopped_engine_starts_no_search() -> None:
    engine = Recorder("play")
    engine.stop.set()
    with pytest.raises(Stopped):
        engine.generate(Session(GAMES["pinch"], 5, 5), Strength(), None)
    assert engine.client is None
    assert engine.sent == []
