"""Engines that play: when one is to move, and what becomes of its move."""

from __future__ import annotations

import asyncio
from time import monotonic

from pinchtp.board import messages as m
from pinchtp.board.engines.engine import Stopped
from pinchtp.board.engines.host import Host
from pinchtp.board.engines.pool import EngineFailed, Seat
from pinchtp.board.engines.report import black_chance
from pinchtp.board.engines.spelling import Generated
from pinchtp.board.table.rating import rating_of
from pinchtp.board.table.table import with_winrate
from pinchtp.board.table.view import COLOR_NAMES
from pinchtp.games import Color

BY_ITS_WORD = 1  # visits behind an engine's opinion of its own move: any analysis knows better


class Opponents:
    """Lets engines move in a room whenever it is their turn."""

    def __init__(self, room: Host) -> None:
        self.thinking: m.Thinking | None = None
        self._room = room
        self._job: object = None  # the move that is wanted; results of others are dropped
        self._seat: Seat | None = None  # of the engine that thinks about it

    def advance(self) -> None:
        """Lets an engine think if it is its turn."""
        table, room = self._room.table, self._room
        engine = table.mover.engine
        waits = self.thinking or table.is_over or not table.live or not room.is_visited
        if waits or engine is None or room.is_held_back:
            return
        self._start(engine, table.mover.level)

    def move_once(self, engine: int) -> None:
        """Lets an engine move for the side to move, whoever plays that."""
        if self._room.table.is_over or self.thinking:
            return
        self._start(engine, self._room.table.mover.level)

    def stop(self) -> None:
        """The move that is being thought about is not wanted any more."""
        if self.thinking is not None and self._seat is not None:
            self._seat.interrupt_foreground()
        self.thinking, self._job = None, None

    def rate(self) -> None:
        """Rates a game that has ended between the visitor and an engine."""
        room, table = self._room, self._room.table
        humans = [color for color in Color if table.player(color).engine is None]
        if not table.is_over or not table.rated or len(humans) != 1:
            return
        table.rated = False
        player = table.player(humans[0].opponent)
        assert player.engine is not None
        opponent = rating_of(self._level(player.level))
        if opponent is None:
            return
        winner = table.winner
        score = 0.5 if winner is None else float(winner == humans[0])
        game = table.game.name
        sentence = room.ratings.add(game, opponent, score, adapts=player.level.adaptive)
        room.send(m.RatingChanged(room.ratings.message(game), sentence))

    def _level(self, level: m.Level) -> m.Level:
        """A level as an engine understands it."""
        if not level.adaptive:
            return level
        return m.Level(number=self._room.ratings.message(self._room.table.game.name).adaptive)

    def _start(self, engine: int, wanted: m.Level) -> None:
        level = self._level(wanted)
        self._seat = self._room.seat(engine)
        self.thinking = m.Thinking(engine, COLOR_NAMES[self._room.table.to_move])
        self._job = job = object()
        self._room.start(self._think(job, self._seat, level))
        self._room.changed()

    async def _think(self, job: object, seat: Seat, level: m.Level) -> None:
        table = self._room.table
        began = monotonic()
        seen = table.session
        session = seen.copy()
        clocks = None
        if table.clocks is not None:
            clocks = {color: table.clock(color) for color in Color}
        try:
            generated = await seat.run(lambda each: each.generate(session, level, clocks))
        except EngineFailed:
            if job is self._job:
                self._give_up()
            raise
        except Stopped:
            if job is self._job:
                self._give_up()
            return
        human = any(table.player(color).engine is None for color in Color)
        if not human and table.pace:
            await asyncio.sleep(max(0.0, table.pace - (monotonic() - began)))
        if job is self._job:
            self.thinking, self._job = None, None
            self._make(generated)

    def _give_up(self) -> None:
        """No move has come: the game waits for the visitor."""
        self.thinking, self._job = None, None
        self._room.table.live = False
        self._room.table.pause_clock()
        self._room.changed()

    def _make(self, generated: Generated) -> None:
        room, table = self._room, self._room.table
        color = table.to_move
        if not table.check_time():
            if generated.moves:
                table.make(generated.moves)
            else:
                table.resign(color)
            if generated.winrate is not None:
                black = black_chance(generated.winrate, color)
                with_winrate(table.node, black, BY_ITS_WORD)
        room.moved()
