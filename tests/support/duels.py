"""Games between the small engines of `engines.players`, for tests of matches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clients import FOLDER

from pinchtp.base.clock import TimeControl
from pinchtp.match.engine import MatchEngine
from pinchtp.match.engine_spec import EngineSpec
from pinchtp.match.game import play_game
from pinchtp.match.record import GameRecord, Opening, Task
from pinchtp.match.rules import Deadlines, GameRules

PATIENCE = 20.0  # seconds; never waited for in a passing test
SHORT = 1.0  # seconds that engines get which do not answer

DEADLINES = Deadlines(startup=PATIENCE, command=PATIENCE, move=PATIENCE, grace=SHORT)


def player(engine: str, *arguments: object, **options: Any) -> EngineSpec:
    """An engine of `engines.players`; options are those of EngineSpec."""
    words = [sys.executable, "-S", "-E", str(FOLDER / "engines" / "start.py"), engine]
    options.setdefault("name", engine)
    return EngineSpec(command=" ".join([*words, *map(str, arguments)]), **options)


# On the board of 5x5, after which Black wins by A5.
ALMOST_WON = ("A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4")

FILLER = player("Filler", 3)
TWIN = player("Twin", 5)
TIMELESS = player("Twin", 5, name="timeless", time=TimeControl.none())


def rules(size: int = 5, **options: Any) -> GameRules:
    """Pinch on a small board; options are those of GameRules."""
    options.setdefault("deadlines", DEADLINES)
    return GameRules("pinch", size, size, **options)


def task(black: EngineSpec, white: EngineSpec, *opening: str, number: int = 0) -> Task:
    return Task(number, number // 2, black.name, white.name, Opening("test", opening), number)


@contextmanager
def seated(
    black: EngineSpec, white: EngineSpec, deadlines: Deadlines = DEADLINES, **options: Any
) -> Iterator[tuple[MatchEngine, MatchEngine]]:
    """The two engines, ended at the end; options are those of MatchEngine."""
    with (
        MatchEngine(black, deadlines=deadlines, **options) as first,
        MatchEngine(white, deadlines=deadlines, **options) as second,
    ):
        yield first, second


def duel(
    black: EngineSpec, white: EngineSpec, *opening: str, given: GameRules | None = None
) -> GameRecord:
    """One game."""
    given = given or rules()
    with seated(black, white, given.deadlines, memory_mb=given.memory_mb) as engines:
        return play_game(task(black, white, *opening), given, *engines)
