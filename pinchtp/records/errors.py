"""The errors of records."""

from __future__ import annotations

from pinchtp.games import GameType


class RecordError(ValueError):
    """An invalid record, a game that cannot be recorded, or a file that cannot be read or written.

    The message has the reason, and the place in the text if the format has places.
    """


class OtherGame(RecordError):
    """A record is not of the required game. game: that of the record."""

    def __init__(self, game: GameType, required: GameType) -> None:
        super().__init__(f"a record of {game.name}, not of {required.name}")
        self.game = game
