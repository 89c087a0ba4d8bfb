"""Games between the small engines of `engines.players`, for tests of matches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clients import FOLDER

from pinchtp.match.controller import Controller
from pinchtp.match.game import play_game
from pinchtp.match.model import EngineSpec, GameRecord, Opening, Task
from pinchtp.match.rules import Deadlines, GameRules

PATIENCE = 20.0  # seconds; never waited for in a passing test
SHORT = 0.4  # seconds that engines get which do not answer

# Hung engines have no clock here, so that it is `move` which they exceed.
DEADLINES = Deadlines(startup=PATIENCE, command=PATIENCE, move=SHORT, grace=SHORT)


def player(engine: str, *arguments: object, **options: Any) -> EngineSpec:
    """An engine of `engines.players`; options are those of EngineSpec."""
    words = [sys.executable, "-S", "-E", str(FOLDER / "engines" / "start.py"), engine]
    options.setdefault("name", engine)
    return EngineSpec(command=" ".join([*words, *map(str, arguments)]), **options)


FILLER = player("Filler", 3)
TWIN = player("Twin", 5)


def rules(size: int = 5, **options: Any) -> GameRules:
    """Pinch on a small board; options are those of GameRules."""
    options.setdefault("deadlines", DEADLINES)
    return GameRules("pinch", size, size, **options)


def task(black: EngineSpec, white: EngineSpec, *opening: str, number: int = 0) -> Task:
    return Task(number, number // 2, black.name, white.name, Opening("test", opening), number)


@contextmanager
def seated(
    black: EngineSpec, white: EngineSpec, deadlines: Deadlines = DEADLINES, **options: Any
) -> Iterator[tuple[Controller, Controller]]:
    """The two engines, ended at the end; options are those of Controller."""
    with (
        Controller(black, deadlines=deadlines, **options) as first,
        Controller(white, deadlines=deadlines, **options) as second,
    ):
        yield first, second


def duel(
    black: EngineSpec, white: EngineSpec, *opening: str, given: GameRules | None = None
) -> GameRecord:
    """One game."""
    given = given or rules()
    with seated(black, white, given.deadlines, memory_mb=given.memory_mb) as engines:
        return play_game(task(black, white, *opening), given, *engines)
