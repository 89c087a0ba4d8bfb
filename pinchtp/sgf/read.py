"""A game from SGF, checked from start to end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from pinchtp._core import PASS, SWAP
from pinchtp.base.clock import COUNT, SECONDS, parse_overtime
from pinchtp.base.streams import gtp_text
from pinchtp.games import GAMES, PIE, Color, GameType, Position, RuleValue
from pinchtp.games.game import BANNED, without_stones
from pinchtp.games.history import PlayedMove, TimeLeft, undo_points
from pinchtp.games.notation import SWAP_WORDS, SwapSpelling, point
from pinchtp.games.session import GameHeader, IllegalMove, IncompleteTurn, Session
from pinchtp.sgf.nodes import (
    APPLICATION,
    BANS,
    KINGS_ARE,
    RESIGN_WORDS,
    RESIGNATIONS,
    SWAPPED,
    WHOLE_MOVE,
    Node,
    SgfError,
    board_size,
    column_row,
    default_comment,
    for_black,
    is_move,
    is_pass,
    main_line,
    sgfmill,
    shown,
)
from pinchtp.sgf.write import SETUP, stones

GO = "1"  # its GM


class SgfGame(NamedTuple):
    """A game from its start to its end.

    doubt: a sign that it is a record of another game, or empty.
    """

    start: Position
    turns: tuple[PlayedMove, ...]
    info: GameHeader
    doubt: str = ""

    def load_into(self, session: Session, before: int | None = None) -> None:
        """Makes this the session's game, up to the position before that move (None: to the end).

        Moves are counted from 1 as undo takes them back; before 0 is before 1.
        """
        made = undo_points(self.turns)
        number = len(made) + 1 if before is None else max(before, 1)
        end = made[number - 1] if number <= len(made) else None
        session.load(self.start, self.turns[:end], self.info)


def from_sgf(data: bytes, game: GameType, **options: RuleValue) -> SgfGame:
    """Reads a game.

    game: the game it has to be. options: its rule options if the record has none; default:
    the game's own.
    Raises SgfError.
    """
    return from_nodes(main_line(data), game, **options)


def from_nodes(nodes: list[Node], game: GameType, **options: RuleValue) -> SgfGame:
    """Reads a game from the nodes of its main line; see from_sgf()."""
    first = next((i for i, node in enumerate(nodes) if is_move(node)), len(nodes))
    text = _texts(nodes[0])
    rules = _check_rules(nodes, text, game, options)
    nodes, first = _with_handicap(nodes, first, game)
    replay = _start(nodes[: first + 1], game, rules)
    is_ours = text("AP").startswith(f"{APPLICATION}:")
    for i, node in enumerate(nodes[first:]):
        _follow(replay, node, _texts(node, like=nodes[0]), is_ours=is_ours, may_set_up=i == 0)
    if (found := re.match(r"([BW])\+R", text("RE"), re.IGNORECASE)) and not replay.is_over:
        replay.resign(Color.read(found[1]).opponent)
    info = _info(text, has_comment=first > 0)
    return SgfGame(replay.start, tuple(replay.history), info, rules.doubt)


def _info(text: Callable[[str], str], *, has_comment: bool) -> GameHeader:
    """Returns the header in the root, whose comment may belong to a move."""
    black, white, date, name = (text(key).replace("\n", " ") for key in ("PB", "PW", "DT", "GN"))
    comment = text("C") if has_comment else ""
    return GameHeader(black, white, date, name, comment, parse_overtime(text("TM"), text("OT")))


def _texts(node: Node, like: Node | None = None) -> Callable[[str], str]:
    """A reader of a node's texts by property, in the charset of the root; empty if there is none.

    Without a charset it is UTF-8 if it can be, since that is what files without one mostly are, and
    ISO-8859-1 as the standard has it.
    """
    charset = (like or node).get("CA", [b""])[0].decode("ascii", "replace").strip()

    def text(name: str) -> str:
        raw = sgfmill().text_value(node.get(name, [b""])[0])
        for encoding in (charset, "utf-8"):
            if re.fullmatch(_CHARSETS, encoding, re.IGNORECASE):
                with suppress(LookupError, UnicodeError):
                    return gtp_text(raw.decode(encoding))
        return gtp_text(raw.decode("latin-1"))

    return text


# Charsets found in files; some other codecs of Python do not decode text.
_CHARSETS = r"utf-8|(iso|windows|shift|euc|koi8)[-_][-_0-9a-z]{1,10}|(cp|gb|big|latin)[-0-9k]{1,5}"


class _Rules(NamedTuple):
    """Rules of a game, and whether colors are exchanged at its start; doubt: as in SgfGame."""

    options: dict[str, RuleValue]
    swapped: bool = False
    doubt: str = ""


def _check_rules(
    nodes: list[Node], text: Callable[[str], str], game: GameType, options: dict[str, RuleValue]
) -> _Rules:
    """Returns the rules in a record. Raises SgfError for another game."""
    number = text("GM")
    if number not in ("", GO, "11"):
        raise SgfError(f"GM[{shown(number.encode())}] is another game")
    name, *words = (word.strip().lower() for word in text("RU").split(","))
    if name in GAMES and name != game.name:
        raise SgfError(f"a record of {name}, not of {game.name}")
    if name == game.name:
        try:
            agreed = {option.name: option.from_sgf(words) for option in game.options}
        except ValueError as error:
            raise SgfError(str(error)) from None
        return _Rules(agreed, SWAPPED in words)
    # Other programs do not write whether a swap was possible. If one was made, it was possible,
    # regardless of our settings.
    made = any(value.lower().decode("latin-1") in SWAP_WORDS for value in _moves(nodes))
    lasting = {each.name for each in game.options if not each.opening}
    agreed = {name: value for name, value in options.items() if name in lasting}
    agreed[PIE.name] = bool(options.get(PIE.name)) or made
    return _Rules(agreed, doubt="" if game.sgf_number else _doubt(number, text("RE"), game))


def _doubt(number: str, result: str, game: GameType) -> str:
    """Returns a sign that a game is Go, or an empty text. Sabaki writes GM[1] for every game.

    Raises SgfError for a result in points.
    """
    if number in ("", GO) and re.match(r"[BW]\+[0-9]", result, re.IGNORECASE):
        score = shown(result.encode())
        raise SgfError(f"a record of Go with its points, RE[{score}], not of {game.name}")
    return f"GM[{GO}] is Go; read as {game.title}" if number == GO else ""


def _with_handicap(nodes: list[Node], first: int, game: GameType) -> tuple[list[Node], int]:
    """The nodes with Black's stones in advance as setup, and the number of the first move.

    Some records have them as consecutive moves; HA is their number.
    """
    value = nodes[0].get("HA", [b"0"])[0].strip()
    stones = int(value) if game.handicap and re.fullmatch(rb"[0-9]{1,3}", value) else 0
    given = nodes[first : first + stones]
    if any("AB" in node for node in nodes) or not stones or not all("B" in node for node in given):
        return nodes, first
    setup: Node = {"AB": [node["B"][0] for node in given], "PL": [b"W"]}
    return [{**nodes[0], **setup}, *nodes[1:first], *nodes[first + stones :]], first


def _moves(nodes: list[Node]) -> Iterable[bytes]:
    for node in nodes:
        yield from (
            value.strip() for name in ("B", "W", WHOLE_MOVE) for value in node.get(name, [])
        )


def _start(nodes: list[Node], game: GameType, rules: _Rules) -> Session:
    """A session at the start of the game; nodes: those to the first move, it included."""
    width, height = board_size(nodes[0])
    try:
        session = Session(game, width, height, **rules.options)
        usual = session.start
        is_set_up = any(node.keys() & {"AB", "AW", "AE"} for node in nodes)
        cells = without_stones(usual.cells()) if is_set_up else bytearray(usual.cells())
        to_move = None
        for node in nodes:
            for name, cell in (("AE", 0), ("AB", 1), ("AW", 2), (BANS, BANNED)):
                for row in _rows(node, name, width, height):
                    cells[row] = bytes([cell]) * (row.stop - row.start)
            for row in _rows(node, KINGS_ARE, width, height):
                cells[row] = bytes(cell + 2 if cell in (1, 2) else cell for cell in cells[row])
            to_move = _color(node.get("PL"), to_move)
        if to_move is None:
            begins = [color for color in Color if color.capital in nodes[-1]]
            to_move = begins[0] if begins else Color(usual.to_move)
        if bytes(cells) != usual.cells() or to_move != usual.to_move or rules.swapped:
            session.set_up(session.position_of(bytes(cells), to_move, swapped=rules.swapped))
    except ValueError as error:
        raise SgfError(str(error)) from None
    return session


def _color(values: list[bytes] | None, otherwise: Color | None) -> Color | None:
    if values is None:
        return otherwise
    word = values[0].strip().lower()
    if word in (b"1", b"2"):
        return Color(int(word) - 1)
    try:
        return Color.read(word.decode("latin-1"))
    except ValueError:
        raise SgfError(f"PL[{shown(word)}]: invalid color") from None


def _rows(node: Node, name: str, width: int, height: int) -> Iterator[slice]:
    """The points of a list as parts of rows among the cells; `aa:cc` is a rectangle.

    SGF names each point once. More names than points are rejected, which bounds the work.
    """
    left = width * height
    for value in node.get(name, []):
        low, _, high = value.partition(b":")
        (x1, y1), (x2, y2) = (column_row(each, width, height) for each in (low, high or low))
        left -= (abs(x1 - x2) + 1) * (abs(y1 - y2) + 1)
        if left < 0:
            raise SgfError(f"{name} names more points than the board has")
        for y in range(min(y1, y2), max(y1, y2) + 1):
            yield slice(y * width + min(x1, x2), y * width + max(x1, x2) + 1)


def _follow(
    replay: Session, node: Node, text: Callable[[str], str], *, is_ours: bool, may_set_up: bool
) -> None:
    """Makes the move of a node, if there is one. Raises SgfError."""
    number = len(undo_points(replay.history)) + 1
    try:
        if is_move(node):
            _make(replay, node, text, is_ours=is_ours)
        elif replay.history and (comment := text("C")):
            last = replay.history[-1]
            replay.history[-1] = replace(last, comment=f"{last.comment}\n{comment}".strip())
        if not may_set_up:
            _check_shown(replay, node)
    except (SgfError, IllegalMove) as error:
        raise SgfError(f"move {number}: {error}") from None


def _check_shown(replay: Session, node: Node) -> None:
    """Raises SgfError unless setup in the middle of a game shows the position as it is."""
    position = replay.position
    board = stones(position)
    for cell, name in enumerate(SETUP):
        for row in _rows(node, name, position.width, position.height):
            if set(board[row]) != {cell}:
                raise SgfError(f"{name} shows another board than the moves lead to")
    if is_move(node) or replay.is_over:
        return
    if _color(node.get("PL"), replay.to_move) != replay.to_move:
        raise SgfError("the side to move changes in the middle of the game")


def _make(replay: Session, node: Node, text: Callable[[str], str], *, is_ours: bool) -> None:
    """Makes a node's move."""
    color = RESIGNATIONS.get(node.get("N", [b""])[0])
    values: list[bytes] = []  # a resignation
    if "B" in node or "W" in node:
        color, values = (Color.BLACK, node["B"]) if "B" in node else (Color.WHITE, node["W"])
    if len(values) > 1 or ("B" in node and "W" in node) or color is None:
        raise SgfError("two moves in one node")
    whole = text(WHOLE_MOVE)
    moves: tuple[int, ...] = ()
    if values:
        moves = _whole_turn(whole, values[0], replay) if whole else _turn(values[0], replay)
    winrate = _winrate(text("SBKV"), color) if is_ours else None
    comment = text("C")
    if not moves:
        replay.resign(color, winrate=winrate, comment=comment)
    elif len(moves) > 1 and replay.game.notation.multi_part:
        _make_parts(replay, color, moves, winrate, comment)
    else:
        replay.play(color, *moves, winrate=winrate, comment=comment)
    last = replay.history[-1]
    comment = "" if comment == default_comment(last) else comment
    replay.history[-1] = replace(last, comment=comment, left=_left(text, color))


def _make_parts(
    replay: Session, color: Color, moves: tuple[int, ...], winrate: float | None, comment: str
) -> None:
    """Makes a turn, which may be incomplete at the end of a record."""
    try:
        replay.play(color, *moves, winrate=winrate, comment=comment)
    except IncompleteTurn:
        for move in moves:
            replay.play(color, move)
        replay.history[-1] = replace(replay.history[-1], winrate=winrate, comment=comment)


def _whole_turn(text: str, value: bytes, replay: Session) -> tuple[int, ...]:
    """Returns the moves of a turn written as text. value: one of its points, or empty."""
    moves = _turn_of_text(text.strip().lower(), replay)
    size = replay.start.width, replay.start.height
    if value.strip() and point(*column_row(value, *size)) not in moves:
        raise SgfError(f"{WHOLE_MOVE} is another move than {shown(value)}")
    return moves


def _turn(value: bytes, replay: Session) -> tuple[int, ...]:
    """The moves that a value names in a position; none: a resignation."""
    word = sgfmill().text_value(value).strip().lower().decode("latin-1")
    width, height = replay.start.width, replay.start.height
    if _are_points(word, replay):
        pairs = (word[at : at + 2].encode() for at in range(0, len(word), 2))
        return tuple(point(*column_row(pair, width, height)) for pair in pairs)
    if word in RESIGN_WORDS:
        return ()
    if word in SWAP_WORDS:
        return (SWAP,)
    if word in ("", "pass") or is_pass(word, width, height):
        return (SWAP if replay.position.swap_open and not replay.is_over else PASS,)
    if not replay.game.places_stones:
        return _turn_of_text(word, replay)
    moves = (point(*column_row(value, width, height)),)
    return (SWAP,) if replay.position.swap_open and moves == replay.moves else moves


def _turn_of_text(word: str, replay: Session) -> tuple[int, ...]:
    """The moves of a turn written as text; `i6,h5` are parts of one in Bushka."""
    if word == SwapSpelling.PASS:
        return (PASS,)
    parts, position = tuple[int, ...](), replay.position
    try:
        if replay.game.places_stones or "[" in word or "," not in word:
            return replay.parse(word)
        for text in word.split(","):
            (part,) = replay.game.notation.parse(text, position)
            parts, position = (*parts, part), position.play(part)
    except ValueError as error:  # no move, or not a legal one
        raise SgfError(str(error)) from None
    return parts


def _are_points(word: str, replay: Session) -> bool:
    """Returns whether a value is the points of a multi-step move.

    On large boards `pass`, `swap` and `resign` are points too. There they are not words, except
    where every turn has one part: after the first stone, and after the end.
    """
    game = replay.game
    if (
        not (game.places_stones and game.notation.multi_part)
        or replay.position.swap_open
        or replay.is_over
    ):
        return False
    last = chr(ord("a") + max(replay.start.width, replay.start.height) - 1)
    return re.fullmatch(rf"(?>(?:[a-{last}]{{2}}){{2,}})", word) is not None


def _left(text: Callable[[str], str], color: Color) -> TimeLeft | None:
    """Returns the time left on the mover's clock in a node: BL or WL, and OB or OW."""
    seconds, stones = text(f"{color.capital}L"), text(f"O{color.capital}")
    if not re.fullmatch(SECONDS, seconds):
        return None
    return TimeLeft(float(seconds), int(stones) if re.fullmatch(COUNT, stones) else None)


def _winrate(text: str, color: Color) -> float | None:
    """The mover's chance to win, from SBKV."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", text) or float(text) > 100:
        return None
    return round(for_black(float(text), color) / 100, 4)
