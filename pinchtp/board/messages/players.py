"""Who plays, how strong, and with how much time: said by both sides."""

from __future__ import annotations

from typing import Annotated

import msgspec

from pinchtp.board.messages.base import (
    Name,
    Part,
    Seconds,
)
from pinchtp.player.levels import LEVELS


class Level(Part, frozen=True):
    """How strong an engine plays: by a level, by visits or by seconds a move; all None: as it was
    started.

    name: for people, empty for one made by the visitor. number: a level of ours (`--level`);
    engines that know no levels get its visits. adaptive: the level follows the results, so that the
    visitor wins about half of the games. rating: Elo as we estimate it, None if unknown.
    """

    name: Name = ""
    number: Annotated[int, msgspec.Meta(ge=1, le=len(LEVELS))] | None = None
    visits: Annotated[int, msgspec.Meta(ge=1, le=2**31)] | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0.01, le=3600)] | None = None
    adaptive: bool = False
    rating: int | None = None


class Player(Part, frozen=True):
    """Who plays a color. engine: the number of an engine in Hello.engines, None for a human."""

    engine: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    level: Level = Level()
    name: Name = ""


class Players(Part, frozen=True):
    """Both players."""

    black: Player = Player()
    white: Player = Player()


class TimeSetting(Part, frozen=True):
    """Clocks: main time, then what is added after each move, or periods of byo-yomi."""

    main: Seconds
    increment: Seconds = 0.0
    period: Seconds = 0.0
    periods: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
