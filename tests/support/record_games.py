"""Games and records for the tests of records."""

from __future__ import annotations

from collections.abc import Iterator

from clients import FOLDER
from sgfmill import sgf

from pinchtp.games import GAMES, GameType, RuleValue
from pinchtp.games.history import PlayedMove
from pinchtp.games.notation import format_move, parse_move
from pinchtp.games.session import Session
from pinchtp.records.game import RecordedGame, RecordedTree, Usual
from pinchtp.records.reader import read_sgf
from pinchtp.records.sgf import to_sgf
from pinchtp.records.sgf.syntax import parse_first, text_value

DATA = FOLDER / "data" / "sgf"
PINCH = GAMES["pinch"]

REFUSED_FILES = {
    "chess": "GM[3] is another game",
    "go": "a record of Go with its points, RE[B+2.5], not of pinch",
    "littlegolem": "move 2: this game is played without the pie rule",
    "torn": "invalid SGF: line 1, column 42: '[' of a value without a closing ']'",
}


def from_sgf(data: str | bytes, game: GameType, **options: RuleValue) -> RecordedGame:
    """Returns the main line of the first game, which has to be of this game."""
    return read_sgf(data, Usual(game, options, is_required=True))[0].read()


def read(data: str | bytes, game: GameType = PINCH, *, pie: bool = True) -> RecordedGame:
    return from_sgf(data, game, pie=pie)


def lines(record: RecordedTree) -> Iterator[tuple[PlayedMove, ...]]:
    """Yields the histories of all lines, the main line first."""
    waiting = [(record.main[0], tuple[PlayedMove, ...]())]
    while waiting:
        node, before = waiting.pop()
        line = before + node.entries
        if not node.children:
            yield line
        waiting += [(child, line) for child in reversed(node.children)]


def loaded(data: str | bytes, before: int | None = None, *, pie: bool = True) -> Session:
    """Returns a session of another size and with moves, after it has loaded a record."""
    session = played("b2", width=3, height=3)
    read(data, pie=pie).load_into(session, before)
    return session


def played(*moves: str, width: int = 5, height: int = 5, pie: bool = True) -> Session:
    """Returns a game of Pinch with these moves, which may include `resign`."""
    session = Session(PINCH, width, height, pie=pie)
    for move in moves:
        if move == "resign":
            session.resign(session.to_move)
        else:
            session.play(session.to_move, parse_move(move, session.position))
    return session


def moves(session: Session) -> list[str]:
    """Returns the moves as text: `black E5`, `white resign`."""
    return [
        f"{turn.color} {'resign' if turn.move is None else format_move(turn.move)}"
        for turn in session.history
    ]


def in_one_line(session: Session) -> str:
    return to_sgf(session).replace("\n", "")


ANEW = {"AP", "CA", "FF", "GM", "RU", "AB", "AW", "AE", "PL", "GN"}  # set by the writer


def texts_in(record: str | bytes) -> set[tuple[str, str]]:
    """Returns the names and texts of a file's first game, except ANEW."""
    waiting = [parse_first(record)]
    found: set[tuple[str, str]] = set()
    while waiting:
        tree = waiting.pop()
        waiting += tree.children
        for node in tree.nodes:
            for name in node.keys() - ANEW:
                found.update((name, text_value(value)) for value in node[name])
    return found


def properties(session: Session) -> dict[str, str]:
    """Returns the root properties of a session's record, as read by sgfmill."""
    root = sgf.Sgf_game.from_string(to_sgf(session)).get_root()
    return {name: root.get_raw(name).decode() for name in root.properties()}
