"""The start of a game in SGF, and the move of a node."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from pinchtp._core import PASS, SWAP
from pinchtp.games import PIE, Color, GameType, RuleValue
from pinchtp.games.game import BANNED, without_stones
from pinchtp.games.history import RecordExtras, TimeLeft
from pinchtp.games.notation import SWAP_WORDS, SwapSpelling, point
from pinchtp.games.session import NO_LIMIT, GameHeader, IncompleteTurn, Session
from pinchtp.games.winrate import Winrate
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf.nodes import (
    APPLICATION,
    BANS,
    KINGS_ARE,
    RESIGN_WORDS,
    RESIGNATIONS,
    SETUP,
    SINGLE,
    SWAPPED,
    WHOLE_MOVE,
    board_size,
    column_row,
    default_comment,
    find_named_game,
    is_move,
    is_pass,
    shown,
    stones,
)
from pinchtp.records.sgf.overtime import COUNT, SECONDS, parse_overtime
from pinchtp.records.sgf.syntax import (
    SgfNode,
    first_text,
    only_text,
    text_value,
)

GO = "1"  # its GM


class Notes:
    """Comments, unread properties and unread variations of some nodes, in the order of the file.

    The properties are those of one node, and of further nodes if a property has several values but
    may have only one.
    """

    def __init__(self) -> None:
        self.comments: list[str] = []
        self.variations: list[str] = []
        self._nodes: list[dict[str, list[str]]] = [{}]
        self._taken = {WHOLE_MOVE}  # properties that the last of these nodes cannot get
        self._seen: set[tuple[str, str]] = set()

    def add(self, node: SgfNode, read: Collection[str]) -> None:
        """Adds the properties of a node that are not in `read`.

        A value that an earlier node had too is not added.
        """
        new = {
            name: added
            for name, values in node.items()
            if name not in read
            and (added := [value for value in values if (name, value) not in self._seen])
        }
        # A node with only the name of a resignation would be one.
        if self._taken & new.keys() and RESIGNATIONS.keys().isdisjoint(new.get("N", ())):
            self._nodes.append({})
            self._taken = set()
        self._taken |= SINGLE & node.keys()
        self._seen.update((name, value) for name, values in node.items() for value in values)
        for name, values in new.items():
            self._nodes[-1].setdefault(name, []).extend(values)

    @property
    def comment(self) -> str:
        return "\n".join(dict.fromkeys(filter(None, self.comments)))

    @property
    def extras(self) -> RecordExtras:
        first, *further = (
            tuple((name, tuple(values)) for name, values in node.items()) for node in self._nodes
        )
        return RecordExtras(first, tuple(self.variations), tuple(further))


class RecordOpening(NamedTuple):
    """A game before its first move.

    session: at the start. nodes: the number of nodes before the first move. set_up: the number of
    the last node that changes the start, from 0. is_ours: whether we wrote the record. doubt: as in
    RecordedGame. info, notes: the header and the notes of the nodes.
    """

    session: Session
    nodes: int
    set_up: int
    is_ours: bool
    doubt: str
    info: GameHeader
    notes: Notes


def open_game(
    nodes: list[SgfNode], game: GameType, options: Mapping[str, RuleValue]
) -> RecordOpening:
    """Reads the start of a game.

    nodes: of its main line. game: the game that the root names, or another if it names none.
    options: the rule options if the root has none. Raises RecordError.
    """
    root = nodes[0]
    first = next((i for i, node in enumerate(nodes) if is_move(node)), len(nodes))
    rules = _check_rules(nodes, game, options)
    count = first + _handicap(nodes, first, game)
    start = nodes[: first + 1]
    if count > first:
        handicap = {"AB": [node["B"][0] for node in nodes[first:count]], "PL": ["W"]}
        start = [SgfNode(root | handicap), *nodes[1:first]]
    session = _start(start, game, rules)
    info, read = _header(root, game)
    notes = Notes()
    notes.add(root, read | MOVE if first == 0 else read)
    for node in nodes[1:count]:
        notes.add(node, BOARD | MOVE | {"C"})
    notes.comments = [comment_of(node) for node in nodes[:count]]
    set_up = [i for i, node in enumerate(start) if node.keys() & SETS_UP]
    last = count - 1 if count > first else max(set_up, default=0)
    return RecordOpening(session, count, last, _is_ours(root), rules.doubt, info, notes)


def _is_ours(root: SgfNode) -> bool:
    """Returns whether we wrote a record."""
    return first_text(root, "AP").startswith(f"{APPLICATION}:")


# --- the header

SETTINGS = {"GM", "FF", "CA", "SZ", "RU", "GN", "DT", "PB", "PW", "RE", "C", KINGS_ARE, BANS}
ONE_VALUE = {"DT", "GN", "PB", "PW", "RE", "TM", "OT"}  # several values are preserved unread
BOARD = {"AB", "AW", "AE", "PL"}
MOVE = {"B", "W", WHOLE_MOVE}
WITH_MOVE = {"BL", "WL", "OB", "OW", "SBKV"}  # which the entry of a move may have
SETS_UP = BOARD | {KINGS_ARE, BANS}


def _header(root: SgfNode, game: GameType) -> tuple[GameHeader, set[str]]:
    """Returns the header of a root, and the names of the properties that were read."""
    black, white, date, name = (only_text(root, key) for key in ("PB", "PW", "DT", "GN"))
    control = parse_overtime(only_text(root, "TM"), only_text(root, "OT"))
    read = SETTINGS | BOARD | ({"TM", "OT"} if control != NO_LIMIT else set())
    read -= {key for key in ONE_VALUE if len(root.get(key, [])) > 1}
    read |= {"HA"} if game.handicap else set()
    return GameHeader(black, white, date, name, control=control), read


def comment_of(node: SgfNode) -> str:
    return "\n".join(map(text_value, node.get("C", [])))


class _Rules(NamedTuple):
    """The rules of a game.

    swapped: whether the colors are exchanged at its start. doubt: as in RecordedGame.
    """

    options: dict[str, RuleValue]
    swapped: bool = False
    doubt: str = ""


def _check_rules(nodes: list[SgfNode], game: GameType, options: Mapping[str, RuleValue]) -> _Rules:
    """Returns the rules in a record. Raises RecordError for another game."""
    root = nodes[0]
    number = first_text(root, "GM")
    if number not in ("", GO, "11"):
        raise RecordError(f"GM[{shown(number)}] is another game")
    name, *words = (word.strip().lower() for word in first_text(root, "RU").split(","))
    if name in (game.name, game.title.lower()):
        try:
            agreed = {option.name: option.from_sgf(words) for option in game.options}
        except ValueError as error:
            raise RecordError(str(error)) from None
        return _Rules(agreed, SWAPPED in words)
    # Other programs do not write whether a swap was possible. If a swap was played, it was
    # possible, regardless of our settings.
    has_swap = any(value.lower() in SWAP_WORDS for value in _moves(nodes))
    lasting = {option.name for option in game.options if not option.opening}
    agreed = {name: value for name, value in options.items() if name in lasting}
    agreed[PIE.name] = bool(options.get(PIE.name, game.rules().get(PIE.name))) or has_swap
    return _Rules(agreed, doubt="" if find_named_game(root) else _doubt(root, game))


def _doubt(root: SgfNode, game: GameType) -> str:
    """Returns the reason why a record that does not name its game may be of another game.

    Sabaki writes GM[1] for all games. Raises RecordError for a result in points, which is Go.
    """
    number = first_text(root, "GM")
    result = first_text(root, "RE")
    if number in ("", GO) and re.match(r"[BW]\+[0-9]", result, re.IGNORECASE):
        score = shown(result)
        raise RecordError(f"a record of Go with its points, RE[{score}], not of {game.name}")
    if game.sgf_number and "RU" not in root:
        return ""
    why = f"GM[{GO}] is Go" if number == GO else "neither RU nor GN names its game"
    return f"{why}; read as {game.title}"


def _handicap(nodes: list[SgfNode], first: int, game: GameType) -> int:
    """Returns the number of handicap stones that a record has as consecutive moves of Black.

    HA is the number of handicap stones.
    """
    value = first_text(nodes[0], "HA")
    count = int(value) if game.handicap and re.fullmatch(r"[0-9]{1,3}", value) else 0
    moves = nodes[first : first + count]
    if any("AB" in node for node in nodes) or not all("B" in node for node in moves):
        return 0
    return len(moves)


def _moves(nodes: list[SgfNode]) -> Iterable[str]:
    for node in nodes:
        yield from (
            value.strip() for name in ("B", "W", WHOLE_MOVE) for value in node.get(name, [])
        )


def _start(nodes: list[SgfNode], game: GameType, rules: _Rules) -> Session:
    """Returns a session at the start of the game. Raises RecordError.

    nodes: those up to and including the first move.
    """
    width, height = board_size(nodes[0])
    try:
        session = Session(game, width, height, **rules.options)
        usual = session.start
        is_set_up = any(node.keys() & {"AB", "AW"} for node in nodes)
        cells = without_stones(usual.cells()) if is_set_up else bytearray(usual.cells())
        to_move = None
        for node in nodes:
            for name, cell in (("AE", 0), ("AB", 1), ("AW", 2), (BANS, BANNED)):
                for row in _listed_rows(node, name, width, height):
                    cells[row] = bytes([cell]) * (row.stop - row.start)
            for row in _listed_rows(node, KINGS_ARE, width, height):
                cells[row] = bytes(cell + 2 if cell in (1, 2) else cell for cell in cells[row])
            to_move = _color(node.get("PL"), to_move)
        if to_move is None:
            begins = [color for color in Color if color.capital in nodes[-1]]
            to_move = begins[0] if begins else Color(usual.to_move)
        if bytes(cells) != usual.cells() or to_move != usual.to_move or rules.swapped:
            session.set_up(session.position_of(bytes(cells), to_move, swapped=rules.swapped))
    except ValueError as error:
        raise RecordError(str(error)) from None
    return session


def _color(values: list[str] | None, otherwise: Color | None) -> Color | None:
    if values is None:
        return otherwise
    word = values[0].strip().lower()
    if word in ("1", "2"):
        return Color(int(word) - 1)
    try:
        return Color.read(word)
    except ValueError:
        raise RecordError(f"PL[{shown(word)}]: invalid color") from None


def _listed_rows(node: SgfNode, name: str, width: int, height: int) -> Iterator[slice]:
    """Yields the points of a list as slices of rows in the cells; `aa:cc` is a rectangle.

    SGF lists each point once. A list of more points than the board has raises RecordError, which
    bounds the work.
    """
    left = width * height
    for value in node.get(name, []):
        low, _, high = value.partition(":")
        (x1, y1), (x2, y2) = (column_row(each, width, height) for each in (low, high or low))
        left -= (abs(x1 - x2) + 1) * (abs(y1 - y2) + 1)
        if left < 0:
            raise RecordError(f"{name} names more points than the board has")
        for y in range(min(y1, y2), max(y1, y2) + 1):
            yield slice(y * width + min(x1, x2), y * width + max(x1, x2) + 1)


def check_setup(replay: Session, node: SgfNode) -> None:
    """Raises RecordError if setup in the middle of a game differs from the position."""
    position = replay.position
    board = stones(position) if node.keys() & set(SETUP) else b""
    for cell, name in enumerate(SETUP):
        for row in _listed_rows(node, name, position.width, position.height):
            if set(board[row]) != {cell}:
                raise RecordError(f"{name} shows another board than the moves lead to")
    if is_move(node) or replay.is_over:
        return
    if _color(node.get("PL"), replay.to_move) != replay.to_move:
        raise RecordError("the side to move changes in the middle of the game")


def make_move(replay: Session, node: SgfNode, *, is_ours: bool) -> set[str]:
    """Plays the move of a node; returns the names of the properties that were read.

    Raises RecordError and IllegalMove.
    """
    is_resignation = not node.keys() & {"B", "W"}
    color = RESIGNATIONS.get(first_text(node, "N"))
    values: list[str] = []
    if not is_resignation:
        color, values = (Color.BLACK, node["B"]) if "B" in node else (Color.WHITE, node["W"])
    if len(values) > 1 or ("B" in node and "W" in node) or color is None:
        raise RecordError("two moves in one node")
    whole = first_text(node, WHOLE_MOVE)
    moves: tuple[int, ...] = ()
    if values:
        moves = _whole_turn(whole, values[0], replay) if whole else _turn(values[0], replay)
    winrate = _winrate(only_text(node, "SBKV"), color) if is_ours else None
    if not moves:
        replay.resign(color, winrate=winrate)
    elif len(moves) > 1 and replay.game.notation.multi_part:
        _play_parts(replay, color, moves, winrate)
    else:
        replay.play(color, *moves, winrate=winrate)
    last = replay.history[-1]
    left = _read_time_left(node, color)
    comment = "" if comment_of(node) == default_comment(last) else comment_of(node)
    if comment or left is not None:
        replay.history[-1] = replace(last, comment=comment, left=left)
    read = {"N"} if is_resignation else {"B", "W", WHOLE_MOVE}
    read |= set() if winrate is None else {"SBKV"}
    read |= set() if left is None else {f"{color.capital}L"}
    return read | (set() if left is None or left.overtime_count is None else {f"O{color.capital}"})


def _play_parts(
    replay: Session, color: Color, moves: tuple[int, ...], winrate: float | None
) -> None:
    """Plays a turn, which may be incomplete at the end of a record."""
    try:
        replay.play(color, *moves, winrate=winrate)
    except IncompleteTurn:
        for move in moves:
            replay.play(color, move)
        replay.history[-1] = replace(replay.history[-1], winrate=winrate)


def _whole_turn(text: str, value: str, replay: Session) -> tuple[int, ...]:
    """Returns the moves of a turn in MV. value: of B or W, one of its points or empty."""
    moves = _turn_of_text(text.strip().lower(), replay)
    size = replay.start.width, replay.start.height
    if value.strip() and point(*column_row(value, *size)) not in moves:
        raise RecordError(f"{WHOLE_MOVE} is another move than {shown(value)}")
    return moves


def _turn(value: str, replay: Session) -> tuple[int, ...]:
    """Returns the moves of a value of B or W in a position; empty for a resignation."""
    word = text_value(value).strip().lower()
    width, height = replay.start.width, replay.start.height
    if _are_points(word, replay):
        pairs = (word[at : at + 2] for at in range(0, len(word), 2))
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
    """Returns the moves of a turn as text; in Bushka, `i6,h5` has the steps of a turn."""
    if word == SwapSpelling.PASS:
        return (PASS,)
    parts = tuple[int, ...]()
    position = replay.position
    try:
        if replay.game.places_stones or "[" in word or "," not in word:
            return replay.parse(word)
        for text in word.split(","):
            (part,) = replay.game.notation.parse(text, position)
            parts = (*parts, part)
            position = position.play(part)
    except ValueError as error:  # not a move, or an illegal one
        raise RecordError(str(error)) from None
    return parts


def _are_points(word: str, replay: Session) -> bool:
    """Returns whether a value has the points of a multi-step move.

    On large boards, `pass`, `swap` and `resign` are points too. There they are words only where
    turns have one part: after the first stone, and after the end of the game.
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


def _read_time_left(node: SgfNode, color: Color) -> TimeLeft | None:
    """Returns the time left on the mover's clock, from BL or WL and OB or OW."""
    seconds, count = only_text(node, f"{color.capital}L"), only_text(node, f"O{color.capital}")
    if not re.fullmatch(SECONDS, seconds):
        return None
    return TimeLeft(float(seconds), int(count) if re.fullmatch(COUNT, count) else None)


def _winrate(text: str, color: Color) -> float | None:
    """Returns the mover's winrate, in [0, 1], from SBKV; None if it is invalid."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", text) or float(text) > 100:
        return None
    return round(Winrate(float(text) / 100, Color.BLACK).pov(color), 4)
