"""Records of Abstract Play (abstractplay.com), a site on which Pinch is played.

Sources: the schema of its records (AbstractPlay/recranks, src/schemas/gamerecord.json) and its
rules of Pinch (AbstractPlay/gameslib, src/games/pinch.ts, version 20260423).

A record is JSON: a header, and rounds of one move for each seat. Seat 1 joins top and bottom and
moves first. A swap is not a move: it exchanges the seats of the players, and the header records it.
Its Pinch is our Pinch with relocation; its Flip Pinch is our Pinch. Cells are `a1` to `u21`,
including the letter i; a move of several parts is `e5,c3,h8`.

The rules are the same except in one case. If a captured stone has no legal point although an
unchanged empty cell is left, our rules take it off the board; Abstract Play rejects the move. It
also accepts `e5` alone when captured stones have yet to be placed, and drops them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial

import msgspec
from msgspec import Raw, Struct, field

from pinchtp._core import SWAP
from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.game import PIECES, count_cells
from pinchtp.games.history import NO_EXTRAS, Turn
from pinchtp.games.notation import coordinates, point
from pinchtp.games.session import GameHeader, IncompleteTurn, Session
from pinchtp.records.errors import RecordError
from pinchtp.records.game import OneLine, RecordFormat, UnreadGame, Usual

NAME = "Pinch"
SITE_GAMES = [game for game in GAMES.values() if game.abstract_play is not None]  # the site's games
SIZES = (9, 13, 17, 19, 21)
DEFAULT_SIZE = 17
SITE = "Abstract Play"
OWN_SITE = "pinchtp"  # the site in the records of games that it did not have
RESIGN = "resign"
ENDINGS = {  # other moves that end a game, and their meaning
    "timeout": "{loser} ran out of time",
    "draw": "the players agreed on a draw",
    "abandoned": "the game was abandoned",
}


class Move(Struct):
    """A move. Its results, which follow from the rules, are ignored."""

    move: str


class Seat(Struct):
    """A player, by the seat at the end of the game. result: the winner has the higher one."""

    name: str = ""
    result: float | None = None


class Kind(Struct):
    """The game. variants: their names or ids; empty: relocation on 17x17."""

    name: str
    variants: list[str] = field(default_factory=list)


class Site(Struct, omit_defaults=True):
    name: str = ""
    gameid: str | int | float = ""


class Header(Struct, rename="kebab", omit_defaults=True):
    """The header of a game. pied, pie_invoked: either means that the second player swapped."""

    game: Kind
    site: Site = field(default_factory=Site)
    date_start: str = ""
    date_end: str = ""
    date_generated: str = ""
    unrated: bool = False
    pied: bool = False
    pie_invoked: bool = False
    players: list[Seat] = field(default_factory=list)


class Record(Struct):
    """A game. moves: rounds of one move per seat; the last round may have only one move."""

    header: Header
    moves: list[list[str | Move | None]]


def games(data: bytes, usual: Usual) -> list[UnreadGame]:
    """Returns the games of a text, which has a record or a list of records. Raises RecordError."""
    return [
        OneLine(RecordFormat.ABSTRACT_PLAY, partial(_load, text), usual) for text in split(data)
    ]


def _load(text: Raw) -> Session:
    return to_session(parse(text))


def is_json(data: bytes) -> bool:
    """Returns whether a text is JSON rather than SGF."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def split(data: bytes) -> list[Raw]:
    """Returns the records of a text, which has a record or a list of records. Raises RecordError.

    The records are texts for parse(), because parsed records take ten times the memory.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    where = ""
    try:
        if text[:1] != b"[":
            texts = [Raw(text)]
        elif not (texts := msgspec.json.decode(text, type=list[Raw])):
            raise RecordError("the list of records is empty")
        for number, each in enumerate(texts, 1):
            where = f"record {number}: " if len(texts) > 1 else ""
            parse(each)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"not a record of {SITE}: {where}{error}") from None
    return texts


def parse(text: Raw) -> Record:
    """Returns the record of a text from split()."""
    return msgspec.json.decode(text, type=Record)


# --- from a record


def to_session(record: Record) -> Session:
    """Returns the game of a record, checked by the rules. Raises RecordError."""
    game, size = _kind(record.header.game)
    session = Session(game, size, size)
    moves = [cell for round_ in record.moves for cell in round_ if cell is not None]
    ending = ""
    for number, cell in enumerate(moves, 1):
        text = (cell.move if isinstance(cell, Move) else cell).strip().lower().replace(" ", "")
        if number == 2 and _is_swapped(record):
            _swap(session)
        if text in ENDINGS:
            ending = text
        elif ending:
            raise RecordError(f"move {number}, {text}: the game ended before it")
        else:
            _play(session, number, text, record)
    if len(moves) < 2 and _is_swapped(record):
        _swap(session)
    _check_winner(session, record)
    session.info = _info(record, session, ending)
    return session


def _kind(kind: Kind) -> tuple[GameType, int]:
    """Returns the game and board size. Raises RecordError for others."""
    if kind.name.strip().lower() != NAME.lower():
        raise RecordError(f"a record of {kind.name}: of {SITE}'s games, only {NAME} can be read")
    game = next(game for game in SITE_GAMES if not game.abstract_play)
    size = DEFAULT_SIZE
    named = {name.lower(): game for game in SITE_GAMES for name in game.abstract_play or ()}
    for variant in kind.variants:
        word = variant.strip().lower()
        if found := re.fullmatch(r"size-(\d{1,3})|(\d{1,3})x\2 board", word):
            size = int(found[1] or found[2])
        elif word in named:
            game = named[word]
        elif not word.startswith(("#", "default")):  # `#board`, `Default ruleset`
            raise RecordError(f"unknown variant {variant[:20]!r} of {NAME}")
    if size not in SIZES:
        raise RecordError(f"a board of {size}x{size}: {SITE} has {_sizes()}")
    return game, size


def _is_swapped(record: Record) -> bool:
    return record.header.pied or record.header.pie_invoked


def _swap(session: Session) -> None:
    """Swaps after the first move. Raises RecordError."""
    try:
        session.play(session.to_move, SWAP)
    except ValueError as error:
        raise RecordError(f"the swap after move 1: {error}") from None


def _play(session: Session, number: int, text: str, record: Record) -> None:
    """Plays a move. Raises RecordError."""
    color = session.to_move
    try:
        if text == RESIGN:
            loser = _loser(record)
            session.resign(color if loser is None else _color(loser, record))
        else:
            session.play(color, *map(_point, text.split(",")))
        is_complete = session.is_over or not session.position.mid_turn
    except IncompleteTurn:
        is_complete = False
    except ValueError as error:
        raise RecordError(f"move {number}, {text}: {error}") from None
    if not is_complete:
        raise RecordError(
            f"move {number}, {text}: a captured stone is not put down; {SITE} takes it off, but by "
            "the rules it has to be put down while a point is legal"
        )


def _point(cell: str) -> int:
    """Returns the point of a cell. Raises ValueError."""
    found = re.fullmatch(r"([a-y])([1-9][0-9]?)", cell)
    if not found:
        raise ValueError(f"{cell!r} is not a cell such as e5")
    return point(ord(found[1]) - ord("a"), int(found[2]) - 1)


def _loser(record: Record) -> int | None:
    """Returns the seat of the loser, from 0; None if the results do not show it."""
    match [player.result for player in record.header.players]:
        case [float() | int() as first, float() | int() as second] if first != second:
            return int(first > second)
    return None


def _color(seat: int, record: Record) -> Color:
    """Returns the color of a seat at the end of the game.

    A swap exchanges the seats of the players, but not their colors.
    """
    return Color(seat ^ _is_swapped(record))


def _check_winner(session: Session, record: Record) -> None:
    loser = _loser(record)
    if session.winner is None or loser is None:
        return
    recorded = _color(loser, record).opponent
    if recorded != session.winner:
        raise RecordError(
            f"{recorded.title} won by its results, {session.winner.title} by its moves"
        )


def _info(record: Record, session: Session, ending: str) -> GameHeader:
    header = record.header
    names = [player.name for player in header.players[:2]] + [""] * 2
    black, white = names[1::-1] if _is_swapped(record) else names[:2]
    loser = _loser(record)
    comment = ENDINGS.get(ending, "").format(
        loser="a player" if loser is None else _color(loser, record).title
    )
    days = [header.date_start[:10], header.date_end[:10]]
    date = ",".join(dict.fromkeys(day for day in days if read_days(day)))
    comment = comment[:1].upper() + comment[1:]
    result = "" if session.is_over else _result(record, ending)
    name = _name(header.site)
    return GameHeader(black, white, date, name, comment, result=result, extras=NO_EXTRAS)


def _name(site: Site) -> str:
    """Returns the name of a game; _site() is the inverse."""
    words = [site.name] * (site.name != OWN_SITE) + [f"{site.gameid}"] * bool(site.name)
    return " ".join(filter(None, words))


def _result(record: Record, ending: str) -> str:
    """Returns the result in the header, as in SGF; empty without one."""
    loser = _loser(record)
    if loser is None:
        return {"draw": "0", "abandoned": "Void"}.get(ending, "")
    return f"{_color(loser, record).opponent.capital}+{'T' if ending == 'timeout' else ''}"


# --- to a record


def to_record(session: Session) -> Record:
    """Returns the record of a finished game. A game without a date, or with one that read_days()
    does not know, gets the current one.

    Raises RecordError for a game that Abstract Play does not have or would reject.
    """
    _check_recordable(session)
    size = session.start.width
    turns = [turn for turn in session.turns() if not turn.after_end]
    swapped = any(turn.moves == (SWAP,) for turn in turns)
    texts = [_text(number, turn) for number, turn in enumerate(turns, 1) if turn.moves != (SWAP,)]
    variants = [f"{size}x{size} board", *(session.game.abstract_play or ())[-1:]]
    written = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    days = read_days(session.info.date)
    played = [f"{day}T00:00:00.000Z" for day in days] or [written]
    names = {
        Color.BLACK: session.info.black or "Black",
        Color.WHITE: session.info.white or "White",
    }
    seats = [Color(seat ^ swapped) for seat in Color]
    players = [Seat(names[color], int(color == session.winner)) for color in seats]
    header = Header(
        Kind(NAME, variants),
        _site(session),
        played[0],
        played[-1],
        written,
        pied=swapped,
        players=players,
    )
    return Record(header, [list(texts[at : at + 2]) for at in range(0, len(texts), 2)])


def _check_recordable(session: Session) -> None:
    """Raises RecordError for a game that Abstract Play does not have or would reject."""
    game = session.game
    size = session.start.width
    if game not in SITE_GAMES:
        raise RecordError(f"{SITE} has {' and '.join(game.title for game in SITE_GAMES)} only")
    if size not in SIZES or session.start.height != size:
        raise RecordError(f"{SITE} has no {size}x{session.start.height} board, only {_sizes()}")
    if session.start != game.start_of(session.start):
        raise RecordError(f"{SITE} has no games that start from a position")
    if game.rules_of(session.start) != game.rules():
        raise RecordError(f"{SITE} has no games without the pie rule")
    if not session.is_over:
        raise RecordError(f"the game is not over, and {SITE} has records only of finished games")


def read_days(text: str) -> list[date]:
    """Returns the days of a game, the first one first; empty for a text without whole dates.

    text: as SGF's DT, one date or several separated by commas.
    """
    try:
        return sorted(date.fromisoformat(day) for day in text.split(","))
    except ValueError:
        return []


def _site(session: Session) -> Site:
    name = session.info.name
    if name == SITE or name.startswith(f"{SITE} "):
        return Site(SITE, name.removeprefix(SITE).strip())
    return Site(OWN_SITE, "" if name == session.game.title else name)


def encode(records: Sequence[Record]) -> bytes:
    """Returns the JSON of a record, or of a list of several records, without a final newline."""
    return join([pack(record) for record in records])


def pack(record: Record) -> bytes:
    """Returns a record as a text for join(), which takes a tenth of the record's memory."""
    return msgspec.json.encode(record)


def join(texts: Sequence[bytes]) -> bytes:
    """Returns the JSON of packed records; see encode()."""
    data = texts[0] if len(texts) == 1 else b"[" + b",".join(texts) + b"]"
    return msgspec.json.format(data, indent=2)


def _text(number: int, turn: Turn) -> str:
    """Returns the text of a move. Raises RecordError if Abstract Play would reject it."""
    if turn.after.mid_turn:
        raise RecordError(f"move {number} is not complete")
    if not turn.moves:
        return RESIGN
    text = ",".join(map(_cell, turn.moves))
    before = turn.before.cells()
    after = turn.after.cells()
    unchanged = before.count(0) - len(turn.moves)
    if unchanged and count_cells(after, PIECES) <= count_cells(before, PIECES):
        raise RecordError(
            f"move {number}, {text}: a captured stone without a legal point is taken off the board;"
            f" {SITE} refuses such a move while an unchanged empty cell is left"
        )
    return text


def _cell(move: int) -> str:
    x, y = coordinates(move)
    return f"{chr(ord('a') + x)}{y + 1}"


def _sizes() -> str:
    return ", ".join(f"{size}x{size}" for size in SIZES)
