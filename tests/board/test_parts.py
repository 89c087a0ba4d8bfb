"""Parts of the board's server by themselves: ratings, the game tree, what engines say."""

from __future__ import annotations

import random

import pytest

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.board.engines.limits import EngineLimits
from pinchtp.board.engines.report import read_line
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.board.findings import read_graphics
from pinchtp.board.messages import Level
from pinchtp.board.rating import (
    Record,
    adapted,
    rated,
    rating_of,
)
from pinchtp.board.table import Table, mark_of
from pinchtp.board.tree import TreeError
from pinchtp.games import Color
from pinchtp.player.levels import LEVELS


@pytest.mark.parametrize("strength", [3, 8, 15])
def test_the_opponent_adjusts_to_win_about_half(strength: int) -> None:
    """A visitor as strong as a level, who wins by the logistic law of Elo."""
    source = random.Random(1)
    record, wins = Record(), 0
    for game in range(600):
        lead = LEVELS[strength - 1].elo - LEVELS[round(record.level) - 1].elo
        won = source.random() < 1 / (1 + 10 ** (-lead / 400))
        wins += won and game >= 100
        record = adapted(record, float(won))
    assert 0.42 < wins / 500 < 0.58
    assert abs(record.level - strength) < 2.5


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_the_opponent_that_adjusts_has_a_level(score: float) -> None:
    record = Record()
    for _ in range(200):
        record = adapted(record, score)
    assert record.level == (len(LEVELS) if score else 1)


def test_a_rating_finds_the_visitors_strength() -> None:
    source, record = random.Random(2), Record()
    for _ in range(400):
        opponent = source.choice([900, 1200, 1500])
        won = source.random() < 1 / (1 + 10 ** ((opponent - 1350) / 400))
        record = rated(record, opponent, float(won))
    assert abs(record.rating - 1350) < 100
    assert record.deviation < 70
    assert record.games == 400


def test_what_levels_are_rated() -> None:
    ratings = [rating_of(Level(number=number)) for number in range(1, len(LEVELS) + 1)]
    assert ratings == sorted(set(ratings))
    for number, level in enumerate(LEVELS, 1):
        if level.temperature == 0 and not level.is_full_strength:
            assert rating_of(Level(visits=level.visits)) == rating_of(Level(number=number))
    assert rating_of(Level(visits=1)) == rating_of(Level(number=11))
    assert rating_of(Level(seconds=1.0)) is None


class Engine:
    """Notes what it is told."""

    def __init__(self, *commands: str) -> None:
        self.spec = EngineSpec("engine", "", own=False, memory_mb=1, patience=30.0)
        self.commands = frozenset(commands)
        self.told: list[str] = []

    def knows(self, command: str) -> bool:
        return command in self.commands

    def ask(self, line: str) -> str:
        self.told.append(line)
        return ""


def test_engines_are_told_levels_in_their_words() -> None:
    ours = Engine("kata-set-param", "pinchtp-param")
    limits = EngineLimits(ours)
    limits.set_level(Level())
    assert ours.told == []
    limits.set_level(Level(number=3))
    assert ours.told.pop(0) == "pinchtp-param level 3"
    ours.told.clear()
    limits.set_level(Level(number=len(LEVELS)))
    assert ours.told[0] == f"pinchtp-param level {len(LEVELS)}"
    assert ours.told[2] == "kata-set-param maxTime 1"
    ours.told.clear()
    limits.set_level(Level(visits=50))
    assert ours.told[:2] == [f"pinchtp-param level {len(LEVELS)}", "kata-set-param maxVisits 50"]
    foreign = Engine("kata-set-param")
    EngineLimits(foreign).set_level(Level(number=15))
    assert foreign.told[0] == f"kata-set-param maxVisits {LEVELS[14].visits}"
    plain = Engine()
    EngineLimits(plain).set_level(Level(number=15))
    assert plain.told == []


def test_an_engine_is_told_the_time_left_as_it_took_the_time_system() -> None:
    """One that knows main time and stones only is told spare periods as time left."""
    plain = Engine("time_settings", "time_left")
    control = TimeControl.byoyomi(10, 5, 3)
    clocks = {color: Clock(control, 5.0, 3) for color in Color}
    EngineLimits(plain).set_clocks(Color.BLACK, Level(), clocks)
    assert plain.told == ["time_settings 10 5 1", "time_left b 15 1", "time_left w 15 1"]
    deaf = Engine("play")
    EngineLimits(deaf).set_clocks(Color.BLACK, Level(), clocks)
    assert deaf.told == []


def test_an_answer_is_awaited_for_the_time_that_the_clock_has() -> None:
    plain = Engine("time_settings")
    limits, patience = EngineLimits(plain), plain.spec.patience
    for control, seconds in (
        (TimeControl.canadian(10, 30, 20), 40),
        (TimeControl.byoyomi(10, 5, 3), 25),
        (TimeControl.fischer(10, 2), 10),
    ):
        clocks = {color: Clock.start(control) for color in Color}
        assert limits.set_clocks(Color.BLACK, Level(), clocks) == seconds + patience


def test_lines_of_analysis() -> None:
    line = (
        "info move D4 visits 10 winrate 0.6 prior 0.1 lcb 0.5 order 1 pv D4 E5 info move pass "
        "visits 30 winrate 0.7 order 0 pv pass rootInfo visits 40 ownership 0.5 -2 x"
    )
    report = read_line(line, 1.0)
    assert report is not None
    assert [(info.move, info.visits) for info in report.infos] == [("pass", 30), ("D4", 10)]
    assert report.infos[1].pv == ("D4", "E5")
    assert report.ownership == (0.5, -1.0)
    leela = read_line("info move D4 visits 1 winrate 4321 order 0 pv D4", 10_000.0)
    assert leela is not None
    assert leela.best.winrate == pytest.approx(0.4321)
    for wrong in ("", "=", "info", "info move", "info move D4 winrate nan pv D4", "hello world"):
        assert read_line(wrong, 1.0) is None


def test_graphics_are_taken_from_strangers_with_care() -> None:
    points = {"A1": 0, "B1": 1}
    text = "COLOR #ff0000 A1 Z99\nCOLOR red B1\nLABEL B1 <b>\nLABEL Z1 no\nTEXT <i>"
    drawn, said = read_graphics(text, points)
    assert [(each.at, each.color, each.label) for each in drawn] == [
        (0, "#ff0000", ""),
        (1, "", "<b>"),
    ]
    assert said == "<i>"


def test_the_same_move_is_one_node() -> None:
    table = Table()
    table.play_text("c3")
    first = table.node
    table.show(table.tree.root)
    table.play_text("c3")
    assert table.node is first
    table.show(table.tree.root)
    table.play_text("d4")
    assert [node.text for node in table.tree] == ["", "C3", "D4"]
    table.tree.delete(first)
    with pytest.raises(TreeError):
        table.tree.node(first.id)


def test_marks_of_mistakes() -> None:
    losses = (None, 0.0, 0.049, 0.05, 0.1, 0.2, 1.0)
    names = ["", "", "", "inaccuracy", "mistake", "blunder", "blunder"]
    assert [mark_of(loss) for loss in losses] == names
