"""Sessions by the names and records that users give."""

from __future__ import annotations

from collections.abc import Mapping

from pinchtp.games import GAMES
from pinchtp.games.game import GameType, RuleValue
from pinchtp.games.session import Session
from pinchtp.sgf import SgfError, from_sgf, game_in_sgf

DEFAULT = next(iter(GAMES))


def game_names() -> tuple[str, ...]:
    """Returns the names of the games."""
    return tuple(GAMES)


def definition(name: str) -> GameType:
    """Returns the definition of a game. Raises ValueError for an unknown name."""
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r}; there are {', '.join(GAMES)}")
    return GAMES[name]


def parse_sgf(text: str | bytes, game: str, rules: Mapping[str, RuleValue]) -> Session:
    """Returns a session with the game of a record. Raises SgfError.

    game: if the record does not name it. rules: that the record does not state.
    """
    data = text.encode() if isinstance(text, str) else text
    named = game_in_sgf(data) or (definition(game) if game else None)
    if named is None:
        raise SgfError("the record does not name its game; give game=, one of game_names()")
    record = from_sgf(data, named, **rules)
    session = Session.at(named, record.start)
    record.load_into(session)
    return session
