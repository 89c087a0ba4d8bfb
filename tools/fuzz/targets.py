"""What is fuzzed: each target takes bytes, and raises nothing whatever they are."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from fuzz.sessions import Play
from fuzz.source import Source

from pinchtp.client.client import Response
from pinchtp.client.errors import ProtocolError
from pinchtp.games import GAMES, Color, Position
from pinchtp.games.notation import NotationError
from pinchtp.games.session import Session
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.grammar import clean, parse_arguments, parse_line
from pinchtp.gtp.registry import COMMANDS
from pinchtp.match.game import controller
from pinchtp.player.settings import Settings
from pinchtp.records import RecordError, from_sgf, to_sgf
from pinchtp.render import PictureError, read_board

Target = Callable[[bytes], None]


def sessions(data: bytes) -> None:
    """Any commands in any game; see Play."""
    Play(Source(data)).run()


def lines(data: bytes) -> None:
    """A line is freed of what is ignored, taken apart, and its arguments are read."""
    source = Source(data)
    command = source.choice(list(COMMANDS.values()))
    text = clean(source.rest().decode("utf-8", "surrogateescape"))
    assert clean(text) == text
    with suppress(GtpError):
        parse_arguments(command.grammar, text)
    if not text:
        return
    with suppress(GtpError):
        line = parse_line(text)
        assert " " not in line.name
        assert text.endswith(line.arguments)


def sgf(data: bytes) -> None:
    """A record of any game is refused, or is a game that is written and read back."""
    source = Source(data)
    game = source.choice(list(GAMES.values()))
    try:
        record = from_sgf(source.rest(), game)
    except RecordError as refusal:
        if not str(refusal).isprintable():
            raise AssertionError("a reason that cannot be printed") from refusal
        return
    session = Session(game, *game.size)
    record.put_on(session)
    again = from_sgf(to_sgf(session).encode(), game)
    assert again.start == record.start
    assert [turn.move for turn in again.turns] == [turn.move for turn in record.turns]


def toml(data: bytes) -> None:
    """A file of settings sets them or is refused."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        with suppress(ValueError):
            Settings().load(Path(file.name))


def notation(data: bytes) -> None:
    """Any text is no move, or some moves; a legal one has a text that is read as itself."""
    source = Source(data)
    game = source.choice(list(GAMES.values()))
    position = _position(game.name, source.below(8))
    text = source.rest().decode("utf-8", "surrogateescape")
    try:
        moves = game.notation.parse(text, position)
    except NotationError:
        return
    assert text.isascii()
    after = position
    for move in moves:
        if not after.is_legal(move):
            return
        after = after.play(move)
    if not after.mid_turn:
        again = game.notation.format(position, moves)
        assert game.notation.parse(again, position) == moves, (text, again)


@cache
def _position(name: str, plies: int) -> Position:
    """A position that the same moves always lead to."""
    game = GAMES[name]
    position = game.start(*(game.size if game.smallest == game.largest else (5, 4)))
    for ply in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(moves[(7 * ply + 3) % len(moves)])
    return position


def pictures(data: bytes) -> None:
    """Any text is no picture, or shows a board that can be set up or is refused."""
    source = Source(data)
    game = source.choice(list(GAMES.values()))
    text = source.rest().decode("utf-8", "surrogateescape")
    try:
        shown = read_board(text, game)
    except PictureError:
        return
    assert len(shown.cells) == shown.width * shown.height
    with suppress(ValueError):
        game.set_up(shown.width, shown.height, shown.cells, Color(shown.to_move))


def answers(data: bytes) -> None:
    """What an engine answers to a match runner is understood, or is a breach of the protocol."""
    source = Source(data)
    scale = source.choice([1.0, 10_000.0])
    try:
        response = Response.parse(source.rest())
        generated = controller._from_analysis(response, scale)
    except ProtocolError as breach:
        if not str(breach).isprintable():
            raise AssertionError("a breach that cannot be printed") from breach
        return
    assert generated.winrate is None or 0 <= generated.winrate <= 1
    explained = controller._explained(response.text)
    assert explained is None or 0 <= explained <= 1


TARGETS: dict[str, Target] = {
    target.__name__: target for target in (lines, sessions, sgf, toml, notation, pictures, answers)
}
