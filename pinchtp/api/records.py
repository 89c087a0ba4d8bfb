"""Games in files, for the Python interface."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike

from pinchtp.api.arguments import file_name
from pinchtp.api.game import Game
from pinchtp.api.sessions import parse_record, parse_sgf
from pinchtp.base.files import read_file
from pinchtp.games.game import RuleValue
from pinchtp.games.session import Session
from pinchtp.records.errors import RecordError


def read_sgf(path: str | PathLike[str], game: str = "", **rules: RuleValue) -> Game:
    """Returns the first game of an SGF file, without its variations.

    game: the game of a record that does not name it.
    rules: rule options that the record does not state.

    Raises RecordError for a file that cannot be read or is not a record of one of our games, and
    ValueError for an invalid argument.
    """
    return _read(path, lambda data: parse_sgf(data, game, rules))


def read_record(
    path: str | PathLike[str],
    game: str = "",
    size: int | tuple[int, int] | None = None,
    **rules: RuleValue,
) -> Game:
    """Returns the first game of a file in any format, without its variations.

    The file may contain SGF, a record of Abstract Play or a link to a game; with `game` also a
    position string or moves.

    game: the game of a record that does not name it.
    size: the board of a list of moves, as (columns, rows) or one number for both; default: the size
    of the game.
    rules: rule options that the record does not state.

    Raises RecordError for a file that cannot be read or is not a record of one of our games, and
    ValueError for an invalid argument.
    """
    return _read(path, lambda data: parse_record(data, game, size, rules))


def _read(path: str | PathLike[str], parse: Callable[[bytes], Session]) -> Game:
    """Returns the game of a file. Raises RecordError with the name of the file."""
    file = file_name("path", path)
    try:
        return Game.of_session(parse(read_file(file)))
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
