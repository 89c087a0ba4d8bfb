"""The reader of games: SGF, records of Abstract Play, links, position strings and moves.

read() accepts a text in any of these formats; read_sgf() and read_position() accept only one. A
game is checked by the rules when its read() is called.
"""

from __future__ import annotations

import re

from pinchtp.games import GameType
from pinchtp.games.session import Session
from pinchtp.records import abstract_play
from pinchtp.records.errors import RecordError
from pinchtp.records.game import GIVE_GAME, OneLine, RecordedGame, RecordFormat, UnreadGame, Usual
from pinchtp.records.link import is_link, load_link
from pinchtp.records.move_list import play_moves
from pinchtp.records.position_line import load_position, looks_like_board
from pinchtp.records.sgf.games import SgfText
from pinchtp.records.sgf.syntax import decode, has_game, parse

NOTHING_USUAL = Usual()

_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f]")


def read(data: bytes | str, usual: Usual = NOTHING_USUAL) -> list[UnreadGame]:
    """Returns the games of a text in any format.

    usual: the defaults. Positions and moves do not name their game, so they are read only if it has
    a game. Raises RecordError for a text in an unknown format.
    """
    raw = data.encode(errors="replace") if isinstance(data, str) else data
    if abstract_play.is_json(raw):
        return abstract_play.games(raw, usual)
    text = decode(data).lstrip("\ufeff \t\r\n")
    if is_link(text) and not text.startswith("("):
        return [OneLine(RecordFormat.LINK, lambda: load_link(text), usual)]
    if text.startswith("(") or has_game(text):
        return [*read_sgf(data, usual)]
    if not text:
        raise RecordError("nothing to load")
    if _BINARY.search(text):
        raise RecordError("this file is not a game record")
    if usual.game is None:
        advice = f"a position or a list of moves needs its game: {GIVE_GAME}"
        raise RecordError(f"not an SGF file: no game found; {advice}")
    return [_position_or_moves(text, usual.game, usual)]


def read_first(data: bytes | str, usual: Usual = NOTHING_USUAL) -> RecordedGame:
    """Returns the first game of a text; see read(). Raises RecordError."""
    return read(data, usual)[0].read()


def read_sgf(data: bytes | str, usual: Usual = NOTHING_USUAL) -> list[SgfText]:
    """Returns the games of an SGF text.

    Raises RecordError, with line and column, for invalid SGF.
    """
    games = parse(data)
    first = next(games)
    later = (SgfText(game.text, usual) for game in games)
    return [SgfText(first.text, usual, first), *later]


def read_position(text: str, session: Session) -> RecordedGame:
    """Returns the game of a position string.

    session: has the type and the options of the game; it is not changed. Raises RecordError, with
    row and column.
    """
    try:
        start, moves = load_position(text, session)
    except ValueError as error:
        raise RecordError(str(error)) from None
    return RecordedGame(session.game, start, tuple(moves))


def _position_or_moves(text: str, game: GameType, usual: Usual) -> UnreadGame:
    new = Session(game, *game.size, **usual.options)
    try:
        session = read_position(text, new).session()
        return OneLine(RecordFormat.POSITION, lambda: session, usual)
    except RecordError as error:
        no_position = error
    session = new if usual.start is None else Session.at(game, usual.start)
    try:
        play_moves(text, session)
    except RecordError as no_moves:
        if looks_like_board(text):
            raise RecordError(f"not a board: {no_position}") from None
        raise RecordError(f"neither a game record nor a list of moves: {no_moves}") from None
    return OneLine(RecordFormat.MOVES, lambda: session, usual)
