"""What engines at work in a room may ask of it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

from pinchtp.board import messages as m
from pinchtp.board.engines.pool import Seat
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.board.table.rating import Ratings
from pinchtp.board.table.table import Table


class Host(Protocol):
    """A room, as those see it who let engines play and study there."""

    specs: list[EngineSpec]
    table: Table
    ratings: Ratings

    @property
    def is_visited(self) -> bool:
        """Whether any page shows the table."""

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at it."""

    @property
    def is_held_back(self) -> bool:
        """Whether the opponent has to wait until the last move was judged."""

    def seat(self, number: int) -> Seat:
        """The engine of that number, at this table."""

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that uses an engine; what goes wrong with that is told."""

    def send(self, message: m.Message) -> None:
        """Tells all pages."""

    def changed(self) -> None:
        """The table has changed, or what runs there."""

    def moved(self) -> None:
        """Another position is shown."""

    def advance(self) -> None:
        """Lets an engine move if it is its turn."""

    def name(self, player: m.Player) -> str:
        """A player's name, for sentences."""

    def tell_engines(self) -> None:
        """Tells pages what is new about the engines."""
