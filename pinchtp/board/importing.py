"""Import of pasted or dropped games; export as SGF, as a record and as a link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import quote, unquote

from pinchtp.base.streams import visible
from pinchtp.board.messages import MOST_NAME
from pinchtp.board.table import Table, control_of
from pinchtp.board.tree import Node, RequestError, Tree
from pinchtp.games import COLOR_WORDS, GAMES, Color, GameType
from pinchtp.games.history import Turn
from pinchtp.games.notation import NotationError
from pinchtp.games.session import NOTHING_KNOWN, GameHeader, IllegalMove, Session
from pinchtp.games.winrate import Winrate
from pinchtp.records import sgf
from pinchtp.records.abstract_play import encode, to_record
from pinchtp.records.errors import RecordError
from pinchtp.records.position_line import PositionError, load_position, position_line
from pinchtp.records.reader import read_session

UNNAMED = ("Black", "White")  # humans without a name
MOST_LINES = 3000  # variations read from a file, each from its start: some seconds


@dataclass(frozen=True)
class LoadedGame:
    """A game read from a text. node: to display.

    is_line: moves for the table's own tree. left_out: number of variations that were not read.
    doubt: as in SgfGame.
    """

    tree: Tree
    node: Node
    options: Mapping[str, bool | int]
    header: GameHeader = NOTHING_KNOWN
    is_line: bool = False
    left_out: int = 0
    doubt: str = ""


_ON_TIME = re.compile(r"([BW])\+T", re.IGNORECASE)  # a result
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f]")
_NUMBER = re.compile(r"[0-9]{1,4}\.+")  # move number


def read(text: str, table: Table) -> LoadedGame:
    """Parses a game. Raises RequestError.

    table: supplies the game unless the text names one; unchanged. Takes up to some seconds.
    """
    text = text.lstrip("\ufeff \t\r\n")
    if not text.strip():
        raise RequestError("nothing to load")
    if _BINARY.search(text):
        raise RequestError("this file is not a game record")
    if (linked := game_in_link(text)) is not None:
        return _from_session(linked)
    if text.startswith(("{", "[")):
        return _from_record(text.encode(errors="replace"))
    if text.startswith("("):
        return _from_sgf(text, table)
    try:
        return _from_position(text, table)
    except PositionError as no_position:
        try:
            return _from_moves(text, table)
        except RequestError as no_moves:
            raise RequestError(
                f"not recognized as a game record, board diagram ({no_position}) or move list "
                f"({no_moves})"
            ) from None


def sgf_of(table: Table, names: tuple[str, str]) -> str:
    """Returns the game tree as SGF. names: of Black and White, empty if unknown."""
    session = _main_line(table, names)
    branches = [_Branch(table.tree, child) for child in table.tree.root.children]
    return sgf.variations_to_sgf(session, branches)


def record_of(table: Table, names: tuple[str, str]) -> str:
    """Returns the main line as a record of Abstract Play. Raises RequestError if it has none."""
    session = _main_line(table, names)
    try:
        return encode([to_record(session)]).decode()
    except RecordError as error:
        raise RequestError(str(error)) from None


def _main_line(table: Table, names: tuple[str, str]) -> Session:
    """Returns the main line with its header. names: empty if unknown."""
    end = table.tree.end_of_line(table.tree.root)
    session = table.tree.session(end)
    black, white = names
    session.info = replace(
        table.header,
        black=black or table.header.black or UNNAMED[0],
        white=white or table.header.white or UNNAMED[1],
        comment=table.tree.root.comment,
        control=table.header.control if table.time is None else control_of(table.time),
        result=end.result if end.flag_fell is None else f"{end.flag_fell.opponent.capital}+T",
    )
    return session


@dataclass(frozen=True)
class _Branch:
    """An adapter of a tree node for the SGF writer."""

    tree: Tree
    node: Node

    @property
    def turn(self) -> Turn:
        node = self.node
        assert node.parent is not None
        assert node.color is not None
        before, last = self.tree.position(node.parent), node.entries[-1]
        return Turn(
            node.color, node.moves, before, last.position, node.winrate, node.comment, False,
            last.left, last.extras,
        )  # fmt: skip

    @property
    def branches(self) -> list[_Branch]:
        return [_Branch(self.tree, child) for child in self.node.children]


def _from_sgf(text: str, table: Table) -> LoadedGame:
    try:
        lines = sgf.parse_first(text)
        game = sgf.named_game(lines.nodes[0]) or table.game
        options = dict(table.options) if game is table.game else {}
        variations = sgf.variations_of(lines, game, **options)
        found = list(islice(variations, MOST_LINES))
        tree = Tree(game, found[0].start)
        ends = [
            _grow(tree, Session.at(game, record.start, record.turns))
            for record in found
            if record.start == tree.start
        ]
    except ValueError as error:
        raise RequestError(f"cannot load this SGF: {error}") from None
    header = found[0].info
    if won := _ON_TIME.match(header.result):
        ends[0].flag_fell = Color.read(won[1]).opponent
    ends[0].result = header.result
    tree.root.comment = header.comment
    black, white = (
        "" if name == unnamed else visible(name)[:MOST_NAME]
        for name, unnamed in zip((header.black, header.white), UNNAMED, strict=True)
    )
    title = "" if header.name == game.title else visible(header.name)[:MOST_NAME]
    header = replace(header, black=black, white=white, name=title, comment="", result="")
    left_out = sgf.count_lines(lines) - len(ends)
    return LoadedGame(
        tree, ends[0], game.rules_of(tree.start), header, left_out=left_out, doubt=found[0].doubt
    )


def _from_record(data: bytes) -> LoadedGame:
    """Reads a record of Abstract Play."""
    try:
        session = read_session(data)
    except RecordError as error:
        raise RequestError(f"cannot load this record: {error}") from None
    return _from_session(session)


def _from_session(session: Session) -> LoadedGame:
    tree = Tree(session.game, session.start)
    node = _grow(tree, session)
    tree.root.comment = session.info.comment
    info = session.info
    black, white, name = (visible(each)[:MOST_NAME] for each in (info.black, info.white, info.name))
    header = replace(info, black=black, white=white, name=name, comment="")
    return LoadedGame(tree, node, session.game.rules_of(tree.start), header)


def _grow(tree: Tree, session: Session) -> Node:
    """Adds a line to a tree; returns its last node."""
    node, at = tree.root, 0
    for turn in session.turns():
        if turn.after_end or turn.after.mid_turn:
            break
        count = max(1, len(turn.moves))
        texts = ", ".join(session.texts(turn)) if turn.moves else f"{turn.color} resigns"
        node = tree.add(node, session.history[at : at + count], texts)
        at += count
        node.comment = node.comment or turn.comment
        if turn.winrate is not None and node.black_winrate is None:
            node.black_winrate = Winrate(turn.winrate, turn.color).black()
    return node


def _from_position(text: str, table: Table) -> LoadedGame:
    """Reads a board diagram. Raises PositionError."""
    session = Session(table.game, *table.game.size, **table.options)
    try:
        start, history = load_position(text, session)
    except PositionError:
        raise
    except ValueError as error:
        raise PositionError(str(error)) from None
    return _from_session(Session.at(table.game, start, history))


def _from_moves(text: str, table: Table) -> LoadedGame:
    """Reads a list of moves from the start of the table's game."""
    tree = Tree(table.game, table.tree.start)
    session = tree.session(tree.root)
    node = tree.root
    for number, word in enumerate(_moves(text, table.game), 1):
        known = len(session.history)
        try:
            written = _make(session, word)
        except (NotationError, IllegalMove) as error:
            raise RequestError(f"move {number}, {word[:20]!r}: {error}") from None
        if not session.position.mid_turn:
            node = tree.add(node, session.history[known:], written)
    return LoadedGame(tree, node, table.options, is_line=True)


def _moves(text: str, game: GameType) -> Iterable[str]:
    """Returns the moves in a text, without numbers and colors."""
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words[:1] == ["play"]:
            words = words[1:]
        for word in words:
            bare = _NUMBER.sub("", word).strip(";")
            if bare and bare.lower() not in COLOR_WORDS:
                yield bare


def _make(session: Session, word: str) -> str:
    """Makes a move; returns its text."""
    color = session.to_move
    if word.lower() == "resign":
        session.resign(color)
        return f"{color} resigns"
    moves = session.parse(word)
    text = session.format(moves)
    if len(moves) == 1:
        session.play(color, moves[0])
        if session.position.mid_turn:
            raise IllegalMove("incomplete move; separate its steps with commas")
    else:
        session.play(color, *moves)
    return text


# --- a game as the text of a link: `pinch;9x9;e5.swap.c3`
#
# The parts are the game, the size, the rule options that differ from the default, a start that was
# set up (`at=` and a position string), and the moves. They stand in the fragment of an address,
# which no browser sends to a server.

MARK = "#game="  # begins the fragment
RESIGN = "resign-"
SAFE = "/:,+"  # in a fragment, besides letters, digits, - and _


def link_text(session: Session) -> str:
    """Returns the fragment of a link to a game."""
    game, start = session.game, session.start
    parts = [game.name, f"{start.width}x{start.height}"]
    rules = game.rules_of(start)
    parts += [
        f"{option.name}={str(rules[option.name]).lower()}"
        for option in game.options
        if rules[option.name] != option.default
    ]
    if start != game.start_of(start):
        parts.append("at=" + quote(position_line(Session.at(game, start)), SAFE))
    words = [
        word for turn in session.turns() if not turn.after_end for word in _words(session, turn)
    ]
    parts.append(".".join(quote(word.lower(), SAFE) for word in words))
    return MARK + ";".join(parts)


def _words(session: Session, turn: Turn) -> list[str]:
    """Returns the words of a turn: one, or one for each step of a turn that is not complete."""
    if not turn.moves:
        return [f"{RESIGN}{turn.color.letter}"]
    if turn.after.mid_turn:
        notation = session.game.notation
        return [notation.format(turn.after, (move,)) for move in turn.moves]
    return session.texts(turn)


def game_in_link(text: str) -> Session | None:
    """Returns the game of a link, or None for another text. Raises RequestError."""
    address, mark, fragment = text.strip().partition(MARK)
    if not mark or len(f"{address}{fragment}".split()) > 1:
        return None
    try:
        return _game(fragment)
    except (ValueError, PositionError) as error:
        raise RequestError(f"cannot load this link: {error}") from None


def _game(fragment: str) -> Session:
    name, size, *options, moves = fragment.split(";")
    sides = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", size)
    if name not in GAMES or not sides:
        raise ValueError(f"it begins with {name[:20]!r} and {size[:20]!r}, not a game and a size")
    given = dict(option.partition("=")[::2] for option in options)
    at = given.pop("at", "")
    game = GAMES[name]
    session = Session(game, int(sides[1]), int(sides[2]), **given)
    if at:
        start, history = load_position(unquote(at), session)
        session = Session.at(game, start, history)
    for number, word in enumerate(filter(None, moves.split(".")), 1):
        move = unquote(word)
        try:
            if move.startswith(RESIGN):
                session.resign(Color.read(move.removeprefix(RESIGN)))
            else:
                session.play(session.to_move, *session.parse(move))
        except ValueError as error:
            raise ValueError(f"move {number}, {move[:20]!r}: {error}") from None
    return session
