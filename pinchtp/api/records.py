"""Games from files."""

from __future__ import annotations

from os import PathLike

from pinchtp.api.arguments import file_name
from pinchtp.api.game import Game
from pinchtp.api.sessions import definition, parse_sgf
from pinchtp.base.files import read_file
from pinchtp.games.game import RuleValue
from pinchtp.records.errors import RecordError
from pinchtp.records.reader import read_session
from pinchtp.records.sgf import SgfError


def read_sgf(path: str | PathLike[str], game: str = "", **rules: RuleValue) -> Game:
    """Returns the game in an SGF file; arguments as of Game.from_sgf().

    Raises SgfError for a file that cannot be read or is not such a game.
    """
    file = file_name("path", path)
    try:
        data = read_file(file)
        return Game.of_session(parse_sgf(data, game, rules))
    except OSError as error:
        raise SgfError(f"{path}: {error.strerror}") from None
    except SgfError as error:
        raise SgfError(f"{path}: {error}") from None


def read_record(path: str | PathLike[str], game: str = "", **rules: RuleValue) -> Game:
    """Returns the first game of a file: SGF, or a record of Abstract Play.

    Arguments as of Game.from_sgf(). Raises RecordError.
    """
    file, usual = file_name("path", path), definition(game) if game else None
    try:
        session = read_session(read_file(file), usual, **rules)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    session.game.rules(rules)  # of the game, even where the record states its own
    return Game.of_session(session)
