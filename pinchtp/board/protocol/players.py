"""The players of a game, their strength and their time."""

from __future__ import annotations

from typing import Annotated

import msgspec

from pinchtp.board.protocol.base import Chance, EngineNumber, Name, Part, Seconds
from pinchtp.player.levels import LEVELS


class Strength(Part, frozen=True):
    """The strength of an engine: a level, visits or seconds per move; all None: its default.

    name: a label; empty if the visitor chose the numbers. number: a `--level` of pinchtp; engines
    without levels get its visits. random: the share of random moves, in [0, 1]. adaptive: whether
    the level follows the results, so that the visitor wins about half of the games. rating: the
    estimated Elo rating, or None.
    """

    name: Name = ""
    number: Annotated[int, msgspec.Meta(ge=1, le=len(LEVELS))] | None = None
    visits: Annotated[int, msgspec.Meta(ge=1, le=2**31)] | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0.01, le=3600)] | None = None
    random: Chance = 0.0
    adaptive: bool = False
    rating: int | None = None


class PlayerChoice(Part, frozen=True):
    """The player of a color. engine: an index in Hello.engines; None for a human."""

    engine: EngineNumber | None = None
    level: Strength = Strength()
    name: Name = ""


class Players(Part, frozen=True):
    """Both players."""

    black: PlayerChoice = PlayerChoice()
    white: PlayerChoice = PlayerChoice()


class TimeSetting(Part, frozen=True):
    """A time control: main time with an increment per move, or with byo-yomi periods."""

    main: Seconds
    increment: Seconds = 0.0
    period: Seconds = 0.0
    periods: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
