"""Fuzz targets: each takes bytes and raises if something is wrong."""

import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from clients import Program, engine_settings
from damage import Hunt
from fuzz.cases import CASES, case, player
from fuzz.commands import Line, tally
from fuzz.endings import endings
from fuzz.memory import attempt
from fuzz.pipes import Conversation, Talk, command_line
from fuzz.rates import levels, searches, swaps
from fuzz.sessions import Fault, Play
from fuzz.source import Source
from fuzz.texts import links, loaded, networks, plans, queries, tables
from fuzz.traces import BYTE_ORDER_MARK, traces
from go_viewers import assert_shown
from record_games import from_sgf, random_session
from soak import OPTIONS, Soak

from pinchtp.client import engine
from pinchtp.client.analysis_lines import read_explained_winrate
from pinchtp.client.client import Response
from pinchtp.client.errors import ProtocolError
from pinchtp.games import GAMES, Color, Position
from pinchtp.games.notation import NotationError
from pinchtp.games.session import Session
from pinchtp.gtp import GtpError
from pinchtp.gtp.arguments import clean, parse_line
from pinchtp.gtp.commands import COMMANDS
from pinchtp.player.levels import LEVELS
from pinchtp.player.settings import Settings
from pinchtp.records.errors import RecordError
from pinchtp.records.position_line import parse_position
from pinchtp.records.sgf import to_sgf

Target = Callable[[bytes], None]

CHOICES = 4000  # bytes, enough for every command three times
LONG = 20_000  # bytes, enough for about 3000 commands
VISITS, MOST_VISITS = 50, 5000
GAMES_OF_A_STORE = 40


def sessions(data: bytes) -> None:
    """Any commands in any game, on any board, with any settings; see Play."""
    source = Source(data)
    chosen = case(source)
    Play(engine_settings(**chosen.settings, **player(source, chosen))).run(source)


def boards(data: bytes) -> None:
    """Every command at the start of a game, after a few moves, and after more.

    The first two bytes are the number of the case.
    """
    chosen = CASES[int.from_bytes(data[:2]) % len(CASES)]
    source = Source(random.Random(data).randbytes(CHOICES))
    play = Play(engine_settings(**chosen.settings, **player(source, chosen)))
    for moves in (0, 3, 20):
        for _ in range(moves):
            play.send(f"play {play.color()} {play.move(source)}")
        play.run_all(source)


def scripts(data: bytes) -> None:
    """A line of settings, `game=bushka visits=5`, then the session's lines."""
    first, *lines = data.decode("utf-8", "surrogateescape").split("\n")
    settings = Settings()
    for each in first.split():
        name, _, value = each.partition("=")
        with suppress(ValueError):
            settings.set(name, value)
    settings.visits = min(settings.visits or VISITS, MOST_VISITS)
    vars(settings).update(files=False, record=None, memory=1, threads=min(settings.threads, 4))
    try:
        play = Play(settings)
    except ValueError:
        return
    while lines:
        line = lines.pop(0)
        count = next((i for i, each in enumerate(lines) if clean(each)), len(lines))
        play.send(Line(line, tuple(lines[:count])), looks=count)
        del lines[:count]
    play.check_record()


def pipes(data: bytes) -> None:
    """Any commands, as in sessions, sent to a process; see Conversation. Bytes are a seed."""
    source = Source(random.Random(data).randbytes(LONG))
    chosen = case(source)
    values = chosen.settings | player(source, chosen) | {"ponder": not source.below(4)}
    with Talk(*command_line(values)) as talk:
        Conversation(talk, source).run()
        if rest := talk.finish():
            talk.fail("extra output", rest)


def rulebook(data: bytes) -> None:
    """A game checked by the reference implementation; see tests/long/soak.py. Bytes are a seed."""
    with Program(*OPTIONS) as program:
        soak = Soak(program, random.Random(data))
        soak.play_game()
    tally["commands"] += soak.commands


def memory(data: bytes) -> None:
    """A session under a memory limit of 40 MB to 1 GB; see memory.py."""
    limit = 40 + Source(data).below(961)
    outcome = attempt(limit)
    if outcome.fault:
        raise Fault("out of memory is not survived", outcome.fault, f"under {limit} MB")
    tally["commands refused"] += outcome.refused


def stores(data: bytes) -> None:
    """Repair of a damaged match database; see tests/long/damage.py. Bytes are a seed."""
    with tempfile.TemporaryDirectory() as folder:
        hunt = Hunt(Path(folder), GAMES_OF_A_STORE, random.Random(data))
        hunt.damage(most=3, within=None)
    tally["games"] += hunt.figures.games
    tally["games saved"] += hunt.figures.saved


def viewers(data: bytes) -> None:
    """A random record in Go programs; see tests/long/viewers.py. Bytes are a seed."""
    game = Source(data).choice(list(GAMES.values()))
    assert_shown(random_session(game, random.Random(data), square=True))


def lines(data: bytes) -> None:
    """Cleaning, splitting and argument parsing of a line."""
    source = Source(data)
    command = source.choice(list(COMMANDS.values()))
    text = clean(source.rest().decode("utf-8", "surrogateescape"))
    assert clean(text) == text
    with suppress(GtpError):
        command.argument_list.parse(text)
    if not text:
        return
    with suppress(GtpError):
        line = parse_line(text)
        assert " " not in line.name
        assert text.endswith(line.arguments)


def sgf(data: bytes) -> None:
    """A record is rejected, or round-trips, and is a record of this game only."""
    source = Source(data)
    game = source.choice(list(GAMES.values()))
    text = source.rest()
    try:
        record = from_sgf(text, game)
    except RecordError as refusal:
        if not str(refusal).isprintable():
            raise AssertionError("a reason that cannot be printed") from refusal
        return
    assert from_sgf(BYTE_ORDER_MARK + text, game) == record
    session = Session(game, *game.size)
    record.load_into(session)
    written = to_sgf(session).encode()
    again = from_sgf(written, game)
    assert again.start == record.start
    assert [turn.move for turn in again.history] == [turn.move for turn in record.history]
    for other in GAMES.values():
        if other is not game:
            with suppress(RecordError):
                from_sgf(written, other)
                raise AssertionError(f"a record of {game.title} is taken for {other.title}")


def toml(data: bytes) -> None:
    """A settings file is applied or rejected, with any byte order mark."""
    found: list[Settings | None] = []
    for text in (data, BYTE_ORDER_MARK + data):
        settings = Settings()
        with tempfile.NamedTemporaryFile() as file:
            file.write(text)
            file.flush()
            try:
                settings.load(Path(file.name))
            except ValueError:
                found.append(None)
            else:
                found.append(settings)
    assert data.startswith(BYTE_ORDER_MARK) or found[0] == found[1]


def notation(data: bytes) -> None:
    """Text is rejected or is a list of moves; a legal move's text is read as itself."""
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
    """A position after fixed moves."""
    game = GAMES[name]
    position = game.start(*(game.size if game.smallest == game.largest else (5, 4)))
    for ply in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(moves[(7 * ply + 3) % len(moves)])
    return position


def pictures(data: bytes) -> None:
    """Text is rejected, or is a diagram whose board is set up or rejected."""
    source = Source(data)
    game = source.choice(list(GAMES.values()))
    text = source.rest().decode("utf-8", "surrogateescape")
    try:
        shown = parse_position(text, game)
    except RecordError:
        return
    assert len(shown.cells) == shown.width * shown.height
    with suppress(ValueError):
        game.set_up(shown.width, shown.height, shown.cells, Color(shown.to_move))


def answers(data: bytes) -> None:
    """An engine's response is understood by a match runner, or breaks the protocol."""
    source = Source(data)
    scale = source.choice([1.0, 10_000.0])
    try:
        response = Response.parse(source.rest())
        generated = engine._read_analyzed_move(response, Color.BLACK, scale)
    except ProtocolError as breach:
        if not str(breach).isprintable():
            raise AssertionError("a breach that cannot be printed") from breach
        return
    assert generated.winrate is None or 0 <= generated.winrate <= 1
    explained = read_explained_winrate(response.text)
    assert explained is None or 0 <= explained <= 1


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        *(lines, sessions, boards, scripts, pipes, traces, rulebook, levels, swaps, searches),
        *(memory, stores, viewers, sgf, toml, notation, pictures, answers, endings),
        *(queries, links, loaded, tables, networks, plans),
    )
}


def numbered_cases() -> Iterator[bytes]:
    """Inputs of `boards`, one per case."""
    return (number.to_bytes(2) for number in range(len(CASES)))


def every_level() -> Iterator[bytes]:
    """Inputs of `levels`: every level in every game."""
    return (
        bytes([game, 1, level, 1, len(LEVELS) - 1 - level, 2])
        for game in range(len(GAMES))
        for level in range(len(LEVELS))
    )


ORDERED: dict[str, Callable[[], Iterator[bytes]]] = {
    "boards": numbered_cases,
    "levels": every_level,
}
"""Inputs that precede the random ones."""
