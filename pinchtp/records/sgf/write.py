"""The writer of SGF, with setup where Go viewers would show another board."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from pinchtp import __version__
from pinchtp._core import PASS
from pinchtp.base.clock import TimeControl, seconds_text
from pinchtp.games import Color
from pinchtp.games.game import BANNED, KINGS, PIECES, own_cells, stone_of
from pinchtp.games.history import NO_EXTRAS, RecordExtras, TimeLeft, Turn
from pinchtp.games.notation import adjacent_cells, cell_of, coordinates, is_point, point_of
from pinchtp.games.session import NO_LIMIT, Session
from pinchtp.games.winrate import Winrate
from pinchtp.records.sgf.nodes import (
    APPLICATION,
    BANS,
    KINGS_ARE,
    SETUP,
    SWAPPED,
    WHOLE_MOVE,
    default_comment,
    percent,
    resignation,
    stones,
)
from pinchtp.records.sgf.overtime import overtime_text
from pinchtp.records.sgf.syntax import SgfNode, Writer, escape

PROGRAM = f"{APPLICATION} {__version__}"

BLACK_PIECES = PIECES[::2]
LEAST_HANDICAP = 2  # in HA


class Variation(Protocol):
    """A turn, and the variations that follow it."""

    @property
    def turn(self) -> Turn: ...
    @property
    def branches(self) -> Sequence[Variation]: ...


def to_sgf(session: Session, date: str = "") -> str:
    """Returns a session's game as SGF, with the variations of its record, without a final newline.

    date: the date, as YYYY-MM-DD, of a game without one that started in this program.
    """
    return variations_to_sgf(session, _Line(session.turns()).branches, date)


def variations_to_sgf(session: Session, branches: Sequence[Variation], date: str = "") -> str:
    """Returns a game with variations as SGF, without a final newline.

    session: at the end of the main line, which has the result. branches: the turns that follow the
    start. date: see to_sgf().
    """
    writer = Writer()
    writer.text("(")
    extras = session.info.extras or NO_EXTRAS
    root = game_node(session, date, has_winrates=_has_winrates(branches))
    for node in (root, *_further_nodes(extras)):
        writer.node(node)
    _write(writer, session, _list_following(branches, extras))
    writer.text(")")
    return str(writer)


def variation_to_sgf(session: Session, variation: Variation) -> str:
    """Returns the text of a variation of a session's game, as in the extras of a record."""
    writer = Writer()
    _write(writer, session, [")", variation, "("])
    return str(writer)


def _has_winrates(branches: Sequence[Variation]) -> bool:
    """Returns whether one of the turns has a winrate."""
    waiting = list(branches)
    while waiting:
        variation = waiting.pop()
        if variation.turn.winrate is not None:
            return True
        waiting += variation.branches
    return False


def _write(writer: Writer, session: Session, waiting: list[Variation | str]) -> None:
    """Writes turns with their branches, and texts. waiting: last first; it is emptied."""
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            writer.text(part)
            continue
        for node in turn_nodes(session, part.turn):
            writer.node(node)
        waiting += _list_following(part.branches, part.turn.extras)


@dataclass(frozen=True)
class _Line:
    """A line without branches, as a variation. count: the number of turns up to this one."""

    turns: Sequence[Turn]
    count: int = 0

    @property
    def turn(self) -> Turn:
        return self.turns[self.count - 1]

    @property
    def branches(self) -> Sequence[Variation]:
        return [_Line(self.turns, self.count + 1)] if self.count < len(self.turns) else []


def _list_following(branches: Sequence[Variation], extras: RecordExtras) -> list[Variation | str]:
    """Returns the turns and texts that follow a node, last first."""
    if len(branches) == 1 and not extras.variations:
        return [branches[0]]
    parts: list[Variation | str] = [part for branch in branches for part in ("(", branch, ")")]
    if extras.variations and not branches:
        parts = ["(;)"]  # otherwise the first variation would be the main line
    return [*parts, *extras.variations][::-1]


def game_node(session: Session, date: str, *, has_winrates: bool) -> SgfNode:
    """Returns the root of a record.

    date: see to_sgf(). has_winrates: whether turns have winrates, which are read in our files only.
    """
    info = session.info
    start = session.start
    extras = info.extras or NO_EXTRAS
    square = start.width == start.height
    is_ours = info.extras is None
    texts = {
        "GM": str(session.game.sgf_number or ""),
        "FF": "4",
        "CA": "UTF-8",
        "SZ": f"{start.width}" if square else f"{start.width}:{start.height}",
        "RU": _rules(session),
        "GN": info.name,
        "DT": info.date or (date if is_ours else ""),
        "PB": info.black,
        "PW": info.white,
        "RE": _result(session),
        "C": info.comment,
        **_time(session.control if is_ours and session.control != NO_LIMIT else info.control),
    }
    usual = {"GN": session.game.title}
    if is_ours:
        usual |= {f"P{color.capital}": _player(session, color) for color in Color}
    preserved = dict(extras.properties)
    texts |= {
        name: text for name, text in usual.items() if not texts[name] and name not in preserved
    }
    ours = {name: [escape(text)] for name, text in texts.items() if text} | _setup(session)
    if is_ours or has_winrates:
        ours["AP"] = [f"{APPLICATION}:{escape(__version__)}"]
    return SgfNode(ours | _list_preserved(extras, ours))


def _list_preserved(extras: RecordExtras, written: Collection[str]) -> dict[str, list[str]]:
    """Returns the preserved properties that are not already written."""
    return {name: list(values) for name, values in extras.properties if name not in written}


def _further_nodes(extras: RecordExtras) -> list[SgfNode]:
    """Returns the preserved nodes without a move."""
    return [{name: list(values) for name, values in node} for node in extras.nodes]


def _time(control: TimeControl) -> dict[str, str]:
    """Returns TM and OT; neither without a limit."""
    if control.main is None:
        return {}
    return {"TM": seconds_text(control.main), "OT": overtime_text(control)}


def _rules(session: Session) -> str:
    game = session.game
    start = session.start
    values = game.rules_of(start)
    agreed = [option.to_sgf(values[option.name]) for option in game.options]
    return ", ".join([game.name, *filter(None, agreed), *[SWAPPED] * start.swapped])


def _player(session: Session, color: Color) -> str:
    """Returns our program's name if it chose a move of the color; otherwise empty."""
    ours = any(entry.color == color and entry.winrate is not None for entry in session.history)
    return PROGRAM if ours else ""


def _result(session: Session) -> str:
    """Returns RE: B+R (by resignation), B+ (on the board) or 0 (a draw).

    Before the end of the game, it is the result of the record.
    """
    if not session.is_over:
        return session.info.result
    if session.winner is None:
        return "0"
    return session.winner.capital + ("+" if session.resigned is None else "+R")


def _setup(session: Session) -> dict[str, list[str]]:
    """Returns the pieces of the start, and the side to move unless it follows from the rules."""
    start = session.start
    usual = session.game.start_of(start)
    setup: dict[str, list[str]] = {"AB": [], "AW": [], KINGS_ARE: [], BANS: []}
    for i, cell in enumerate(start.cells()):
        here = vertex(point_of(i, start.width), start.height)
        if cell in PIECES:
            setup["AB" if cell in BLACK_PIECES else "AW"].append(here)
        if cell in KINGS:
            setup[KINGS_ARE].append(here)
        if cell == BANNED:
            setup[BANS].append(here)
    if start != usual or start.to_move == Color.WHITE:
        setup["PL"] = [Color(start.to_move).capital]
    handicap = 0 if setup["AW"] or start.to_move == Color.BLACK else len(setup["AB"])
    if session.game.handicap and handicap >= LEAST_HANDICAP:
        setup["HA"] = [str(handicap)]
    return {name: values for name, values in setup.items() if values}


def turn_nodes(session: Session, turn: Turn) -> list[SgfNode]:
    """Returns the node of a turn, and the nodes without a move that follow.

    One of them is a setup node if Go viewers would show another board: SGF forbids move and setup
    in one node.
    """
    node = SgfNode()
    if not turn.moves:
        node["N"] = [resignation(turn.color)]
    else:
        node |= _move(session, turn)
    if turn.left is not None:
        node |= _describe_time_left(turn.left, turn.color)
    if turn.winrate is not None:
        node["SBKV"] = [percent(Winrate(turn.winrate, turn.color).black())]
    if comment := turn.comment or default_comment(turn):
        node["C"] = [escape(comment)]
    node |= _list_preserved(turn.extras, node)
    setup = corrections(turn)
    to_move = Color(turn.after.to_move).capital
    nodes = [node, SgfNode({**setup, "PL": [to_move]})] if setup or turn.after.mid_turn else [node]
    return nodes + _further_nodes(turn.extras)


def _describe_time_left(left: TimeLeft, color: Color) -> dict[str, list[str]]:
    """Returns BL or WL, and OB or OW: the time left on the mover's clock after the move."""
    node = {f"{color.capital}L": [seconds_text(left.seconds)]}
    if left.overtime_count is not None:
        node[f"O{color.capital}"] = [f"{left.overtime_count}"]
    return node


def _move(session: Session, turn: Turn) -> dict[str, list[str]]:
    """Returns B or W, with the point of a placed stone or Go's pass, and MV if necessary."""
    point = played_point(turn)
    node = {turn.color.capital: ["" if point is None else vertex(point, session.start.height)]}
    if turn.moves not in ((point,), (PASS,)):
        node[WHOLE_MOVE] = [escape(_text(session, turn))]
    return node


def _text(session: Session, turn: Turn) -> str:
    """Returns the text of a turn; for an incomplete turn, its squares."""
    notation = session.game.notation
    if not turn.after.mid_turn:
        return notation.format(turn.before, turn.moves)
    return ",".join(notation.format(turn.after, (move,)) for move in turn.moves)


# --- boards in Go viewers, and the setup properties that correct them


def played_point(turn: Turn) -> int | None:
    """Returns the first empty point on which a turn has placed an own stone; None without one."""
    width = turn.before.width
    own = own_cells(turn.color)
    before = turn.before.cells()
    after = turn.after.cells()
    for move in filter(is_point, turn.moves):
        cell = cell_of(move, width)
        if before[cell] not in PIECES and after[cell] in own:
            return move
    return None


def corrections(turn: Turn) -> dict[str, list[str]]:
    """Returns setup properties for the points that a Go viewer may show wrongly after a turn.

    Some viewers remove stones without liberties, as in Go, and others do not. Each point that
    either of them shows wrongly is set.
    """
    width, height = turn.before.width, turn.before.height
    as_placed = bytearray(stones(turn.before))
    point = played_point(turn)
    if point is not None:
        as_placed[cell_of(point, width)] = stone_of(turn.color)
    as_in_go = as_placed.copy()
    if point is not None:
        _capture(as_in_go, cell_of(point, width), width)
    setup: dict[str, list[str]] = {}
    after = stones(turn.after)
    if as_placed == as_in_go == after:
        return setup
    for at, true in enumerate(after):
        if not as_placed[at] == as_in_go[at] == true:
            setup.setdefault(SETUP[true], []).append(vertex(point_of(at, width), height))
    return setup


def vertex(move: int, height: int) -> str:
    """Returns a point in the notation of SGF: column and row from the upper left."""
    x, y = coordinates(move)
    return chr(ord("a") + x) + chr(ord("a") + height - 1 - y)


def _capture(cells: bytearray, placed: int, width: int) -> None:
    """Removes the stones that a stone captures in Go: enemies without liberties, then its group."""
    adjacent = adjacent_cells(width, len(cells) // width)
    for at in (*chain(*adjacent[placed]), placed):
        if at == placed or cells[at] == 3 - cells[placed]:
            for dead in _group_without_liberty(cells, at, width):
                cells[dead] = 0


def _group_without_liberty(cells: bytearray, at: int, width: int) -> set[int]:
    """Returns the stones of the group at a cell; empty if it has a liberty."""
    adjacent = adjacent_cells(width, len(cells) // width)
    group = {at}
    waiting = [at]
    while waiting:
        for near in chain(*adjacent[waiting.pop()]):
            if cells[near] == 0:
                return set()
            if cells[near] == cells[at] and near not in group:
                group.add(near)
                waiting.append(near)
    return group
