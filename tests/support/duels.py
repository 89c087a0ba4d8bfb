"""Games between the small engines of `engines.players`, for tests of matches."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from clients import FOLDER, PATIENCE

from pinchtp.base.clock import TimeControl
from pinchtp.games import Color
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.playing.engine import MatchEngine
from pinchtp.match.playing.game import play_game
from pinchtp.match.record import GameRecord, Opening, ScheduledGame, Termination, Winner

SHORT = 1.0  # seconds for engines that do not respond
PROGRAM = f"{sys.executable} -P -m pinchtp"  # our engine
MATCH = [*PROGRAM.split(), "match"]


def player(engine: str, *arguments: object, **options: Any) -> EngineConfig:
    """An engine of `engines.players`; options are those of EngineConfig."""
    words = [sys.executable, "-S", "-E", str(FOLDER / "engines" / "start.py"), engine]
    options.setdefault("name", engine)
    return EngineConfig(command=" ".join([*words, *map(str, arguments)]), **options)


# On 5x5; Black then wins by A5.
ALMOST_WON = ("A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4")

FILLER = player("FixedOrder", 3)
TWIN = player("Twin", 5)
TWO = [f"--engine=a={FILLER.command}", f"--engine=b={TWIN.command}", "--size=5"]
TIMELESS = player("Twin", 5, name="timeless", time=TimeControl.none())


def game_plan(size: int = 5, **options: Any) -> MatchPlan:
    """A match of Pinch on a small board; options are the fields of MatchPlan."""
    patient = {f"{name}_deadline": PATIENCE for name in ("startup", "command", "move")}
    usual: dict[str, Any] = {
        "size": (size, size),
        "time": TimeControl.none(),
        "grace": SHORT,
        **patient,
    }
    return MatchPlan((FILLER, TWIN), **(usual | options))


def match_of(*engines: EngineConfig, **options: Any) -> MatchPlan:
    """A match of these engines on a small board; options as of game_plan()."""
    return replace(game_plan(**options), engines=engines)


def scheduled_game(
    black: EngineConfig, white: EngineConfig, *opening: str, number: int = 0
) -> ScheduledGame:
    names = black.name, white.name
    pairing = names if number % 2 == 0 else names[::-1]
    return ScheduledGame(pairing, number, Opening("test", opening), display_number=number + 1)


@contextmanager
def seated(
    black: EngineConfig, white: EngineConfig, plan: MatchPlan | None = None
) -> Iterator[tuple[MatchEngine, MatchEngine]]:
    """Yields the two engines and ends them afterwards."""
    plan = plan or game_plan()
    with MatchEngine(black, plan) as first, MatchEngine(white, plan) as second:
        yield first, second


def duel(
    black: EngineConfig, white: EngineConfig, *opening: str, given: MatchPlan | None = None
) -> GameRecord:
    """Plays one game."""
    given = given or game_plan()
    with seated(black, white, given) as engines:
        return play_game(scheduled_game(black, white, *opening), given, *engines)


def outcome(record: GameRecord) -> tuple[Winner | None, Termination, Color | None]:
    """The winner, the termination, and the side that failed."""
    return record.winner, record.termination, record.failed
