"""Sessions for the names, sizes and records that users give."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as shorten

from pinchtp.api.arguments import check_type, is_whole, wrong
from pinchtp.games import GAMES, find_game
from pinchtp.games.game import GameType, RuleValue
from pinchtp.games.session import Session
from pinchtp.records.game import RecordedGame, Usual
from pinchtp.records.reader import read_first, read_sgf

DEFAULT = next(iter(GAMES))


def game_names() -> tuple[str, ...]:
    """Returns the names of the games, such as `pinch`; the first one is the default."""
    return tuple(GAMES)


def board_size(game: GameType, size: object) -> tuple[int, int]:
    """Returns the columns and rows of a board.

    size: columns and rows, one number for both, or None for the default of the game. Raises
    ValueError for a size that the game does not have.
    """
    if size is None:
        return game.size
    sides = tuple(size) if isinstance(size, tuple | list) else (size, size)
    if len(sides) == 2 and all(map(is_whole, sides)):
        width, height = map(int, sides)
        if game.smallest <= min(sides) and max(sides) <= game.largest:
            return width, height
    advice = f"{game.title} has {game.sizes}; give a number, or (columns, rows)"
    raise ValueError(f"size: {shorten(size)}: {advice}")


def parse_sgf(text: str | bytes, game: str, rules: Mapping[str, RuleValue]) -> Session:
    """Returns a session with the first game of an SGF text.

    game: of a record that does not name it; empty: none. rules: rule options that the record does
    not state. Raises RecordError for an invalid record, and ValueError for an invalid argument.
    """
    check_type("text", text, str | bytes, "the text of an SGF record")
    return _to_session(read_sgf(text, _usual(game, rules))[0].read(), rules)


def parse_record(text: bytes, game: str, size: object, rules: Mapping[str, RuleValue]) -> Session:
    """Returns a session with the first game of a text in any format.

    size: of the board of a list of moves, see board_size(). game, rules, errors: see parse_sgf().
    """
    return _to_session(read_first(text, _usual(game, rules, size)), rules)


def _usual(game: str, rules: Mapping[str, RuleValue], size: object = None) -> Usual:
    if size is None:
        return Usual(find_game(game) if game else None, rules)
    if not game:
        raise wrong("size", size, "the game too, such as game='pinch'")
    named = find_game(game)
    return Usual(named, rules, named.start(*board_size(named, size), **rules))


def _to_session(record: RecordedGame, rules: Mapping[str, RuleValue]) -> Session:
    """Returns a session with a recorded game.

    Raises ValueError for rule options that the game does not have, even if it needs none.
    """
    record.game.rules(rules)
    return record.session()
