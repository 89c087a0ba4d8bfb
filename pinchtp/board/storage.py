"""Storage of visitors: their tables, a file each after every change, and their libraries."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import TypeVar

import msgspec
from msgspec import structs

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.base.files import read_file, replace_file
from pinchtp.board import messages as m
from pinchtp.board.rating import PlayerRating, Ratings
from pinchtp.board.table import Table, control_of
from pinchtp.board.tree import Node, RequestError, Tree
from pinchtp.games import GAMES, Color
from pinchtp.games.history import RecordExtras, TimeLeft
from pinchtp.games.session import GameHeader, Session

# --- a library: one file per game, with the summary for its list

MOST_BYTES = 16 << 20  # per visitor, some thousand games; the oldest are deleted first
_SHARE_LEFT = 7 / 8  # of these bytes, so that the next games need no look at the files

_ID = re.compile(r"[0-9a-f]{16}")
_KEPT, _DELETED = ".json", ".deleted"
_DAMAGED = ".damaged"  # set aside for the owner of the server, and not read again


class StoredGame(msgspec.Struct):
    """A stored game. table: see SavedTable."""

    summary: m.GameSummary
    table: msgspec.Raw


Stored = TypeVar("Stored")


class Library:
    """A directory of games. Methods raise RequestError for unknown games, and OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bytes: int | None = None  # of all files, at most; None before the first look

    def games(self) -> tuple[list[m.GameSummary], list[Path]]:
        """Returns the games, the last stored one first, and the damaged files it set aside."""
        found, damaged = [], []
        for file in self._folder.glob(f"*{_KEPT}"):
            try:
                found.append(_read(file).summary)
            except ValueError:
                damaged.append(_set_aside(file))
            except OSError:
                continue  # deleted meanwhile, or the disk fails
        return sorted(found, key=lambda each: -each.stored), damaged

    def save(self, summary: m.GameSummary, table: bytes) -> None:
        """Stores a game, or its new state."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        written = self._write(StoredGame(summary, msgspec.Raw(table)))
        if self._bytes is not None:
            self._bytes += written
        if self._bytes is None or self._bytes > MOST_BYTES:
            self._bytes = self._delete_oldest()

    def _delete_oldest(self) -> int:
        """Makes room, deleted games first, if the files are too large; returns the bytes left."""
        files = [(file, file.stat()) for file in self._folder.iterdir()]
        files.sort(key=lambda each: (each[0].suffix != _KEPT, -each[1].st_mtime))
        total = sum(stat.st_size for _, stat in files)
        if total <= MOST_BYTES:
            return total
        left = 0
        for file, stat in files:
            if left + stat.st_size <= MOST_BYTES * _SHARE_LEFT:
                left += stat.st_size
            else:
                file.unlink(missing_ok=True)
        return left

    def load(self, game: str) -> StoredGame:
        """Returns a stored game."""
        return self._checked(game, _KEPT)

    def rename(self, game: str, title: str) -> None:
        """Gives a game a title, which may be empty."""
        stored = self._checked(game, _KEPT)
        stored.summary = structs.replace(stored.summary, title=title)
        self._write(stored)

    def delete(self, game: str) -> None:
        """Removes a game from the list; `restore` brings it back."""
        self._checked(game, _KEPT)
        self._file(game, _KEPT).replace(self._file(game, _DELETED))

    def restore(self, game: str) -> None:
        """Brings a deleted game back."""
        self._checked(game, _DELETED)
        self._file(game, _DELETED).replace(self._file(game, _KEPT))

    def _checked(self, game: str, suffix: str) -> StoredGame:
        try:
            return _read(self._file(game, suffix))
        except (OSError, ValueError):
            raise RequestError("this game is not in the library") from None

    def _write(self, stored: StoredGame) -> int:
        """Writes a game; returns its bytes."""
        data = msgspec.json.encode(stored)
        replace_file(self._file(stored.summary.id, _KEPT), data)
        return len(data)

    def _file(self, game: str, suffix: str) -> Path:
        if not _ID.fullmatch(game):
            raise RequestError("this game is not in the library")
        return self._folder / f"{game}{suffix}"


def _read(file: Path) -> StoredGame:
    """Raises OSError, and ValueError for a damaged file."""
    return _decoded(read_file(file), StoredGame)


def _decoded(data: bytes, kind: type[Stored]) -> Stored:
    """Raises ValueError."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:  # text that is no UTF-8 is a ValueError already
        raise ValueError(str(error)) from None


def _set_aside(file: Path) -> Path:
    """Gives a damaged file another name; returns it."""
    with suppress(OSError):
        return file.replace(file.with_suffix(_DAMAGED))
    return file


# --- a file per visitor

MOST_VISITORS = 200  # stored; the least recently seen is deleted first


class VisitorStore:
    """A directory with one file per visitor, which is named by a hash of the cookie."""

    def __init__(self, folder: Path) -> None:
        """Creates the directory if missing. Raises OSError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder

    def save(self, visitor: str, data: bytes) -> None:
        """Saves a visitor's data. Raises OSError."""
        file = self._file(visitor)
        if not file.exists():
            self._forget_oldest()
        replace_file(file, data)

    def load(self, visitor: str) -> bytes:
        """Returns a visitor's data; empty if missing. Raises OSError."""
        with suppress(FileNotFoundError):
            return read_file(self._file(visitor))
        return b""

    def set_aside(self, visitor: str) -> Path:
        """Renames a visitor's damaged file, which `save` would replace; returns its new name."""
        return _set_aside(self._file(visitor))

    def _file(self, visitor: str) -> Path:
        return self._folder / f"{visitor}.json"

    def library(self, visitor: str) -> Library:
        """Returns a visitor's stored games."""
        return Library(self._folder / f"{visitor}.games")

    def _forget_oldest(self) -> None:
        files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST_VISITORS + 1)]:
            with suppress(OSError):
                file.unlink()
                file.with_suffix(_DAMAGED).unlink(missing_ok=True)
                rmtree(file.with_suffix(".games"), ignore_errors=True)


def usual_folder() -> Path:
    """Returns the default directory of saved games."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "pinchtp" / "board"


VERSION = 4


SavedClocks = list[tuple[float, int]]


class SavedNode(msgspec.Struct, omit_defaults=True):
    """A node. parent: index in the list; moves: empty for a resignation.

    clocks: of Black and White, as seconds and byo-yomi periods left. result: as in Node.
    properties, variations, left: of a record, kept to be written back.
    """

    parent: int
    color: int
    moves: list[int]
    text: str
    comment: str = ""
    black_winrate: float | None = None
    visits: int = 0
    loss: float | None = None
    flag_fell: int | None = None
    clocks: SavedClocks | None = None
    result: str = ""
    properties: tuple[tuple[str, tuple[str, ...]], ...] = ()
    variations: tuple[str, ...] = ()
    left: TimeLeft | None = None


class SavedTable(msgspec.Struct):
    """A saved visitor. cells, to_move, swapped: set-up position, or None.

    header: has the comment of the root. clocks: those of the root.
    """

    version: int
    id: str
    game: str
    width: int
    height: int
    options: dict[str, bool | int]
    cells: list[int] | None
    to_move: int
    swapped: bool
    nodes: list[SavedNode]
    at: int
    chosen: list[int]
    players: m.Players
    time: m.TimeSetting | None
    clocks: SavedClocks | None
    header: GameHeader
    handicap: int
    teach: bool
    pace: float
    live: bool
    unrated: str
    counted: bool
    friend: int | None
    invitation: str
    records: dict[str, PlayerRating]
    paused: int | None = None
    rating_change: str = ""
    puzzle: str = ""
    solved: list[str] = []


def save_table(table: Table, ratings: Ratings, invitation: str = "") -> bytes:
    """Returns the data of a table to save. invitation: its number, empty without."""
    start = table.tree.start
    nodes = list(table.tree)
    places = {node.id: at for at, node in enumerate(nodes)}
    return msgspec.json.encode(
        SavedTable(
            version=VERSION,
            id=table.id,
            game=table.game.name,
            width=start.width,
            height=start.height,
            options=table.options,
            cells=list(start.cells()) if table.tree.is_set_up else None,
            to_move=start.to_move,
            swapped=start.swapped,
            nodes=[_saved_node(table, node, places) for node in nodes[1:]],
            at=places[table.node.id],
            chosen=table.chosen,
            players=table.players,
            time=table.time,
            clocks=_saved_clocks(table, table.tree.root),
            header=replace(table.header, comment=table.tree.root.comment),
            handicap=table.handicap,
            teach=table.teach,
            pace=table.pace,
            live=table.live,
            unrated=table.unrated,
            counted=table.counted,
            friend=table.friend,
            invitation=invitation,
            records=ratings.records,
            paused=places.get(table.paused.id),
            rating_change=table.rating_change,
            puzzle=table.puzzle,
            solved=sorted(table.solved),
        )
    )


def _saved_clocks(table: Table, node: Node) -> SavedClocks | None:
    clocks = node.clocks
    if node is table.node and table.runs:
        clocks = {color: table.clock(color) for color in Color}
    if clocks is None:
        return None
    return [(min(clocks[each].left, 1e12), clocks[each].stones) for each in Color]


def _saved_node(table: Table, node: Node, places: dict[int, int]) -> SavedNode:
    assert node.parent is not None
    assert node.color is not None
    return SavedNode(
        parent=places[node.parent.id],
        color=node.color,
        moves=list(node.moves),
        text=node.text,
        comment=node.comment,
        black_winrate=node.black_winrate,
        visits=node.visits,
        loss=node.loss,
        flag_fell=node.flag_fell,
        clocks=_saved_clocks(table, node),
        result=node.result,
        properties=node.entries[-1].extras.properties,
        variations=node.entries[-1].extras.variations,
        left=node.entries[-1].left,
    )


def load_table(data: bytes) -> tuple[Table, Ratings, str]:
    """Restores a table with its ratings and invitation. Raises ValueError for damaged data."""
    table, kept = Table(), _decoded(data, SavedTable)
    _restore(table, kept)
    table.friend = None if kept.friend is None else Color(kept.friend)
    table.solved = set(kept.solved)
    return table, Ratings(kept.records), kept.invitation


class _SavedRatings(msgspec.Struct):
    """The part of SavedTable that outlives a damaged game."""

    records: dict[str, PlayerRating]


def ratings_in(data: bytes) -> Ratings:
    """Returns the ratings in damaged data of a table; new ones if they are damaged as well."""
    readable = data.decode(errors="replace").encode()
    with suppress(ValueError):
        return Ratings(_decoded(readable, _SavedRatings).records)
    return Ratings()


def reopen(table: Table, data: bytes) -> None:
    """Replaces a table's game by a saved one. Raises ValueError, and changes nothing then."""
    kept = _decoded(data, SavedTable)
    _restore(Table(), kept)
    _restore(table, kept)
    table.pause()


def _restore(table: Table, kept: SavedTable) -> None:
    """Replays the saved moves. Raises ValueError."""
    try:
        _replay(table, kept)
    except (LookupError, OverflowError, TypeError) as error:
        raise ValueError(f"damaged: {error}") from None


def _replay(table: Table, kept: SavedTable) -> None:
    """Raises what its parts raise for values out of range."""
    if kept.version != VERSION:
        raise ValueError(f"version {kept.version}")
    session = Session(GAMES[kept.game], kept.width, kept.height, **kept.options)
    if kept.cells is not None:
        cells, to_move = bytes(kept.cells), Color(kept.to_move)
        session.set_up(session.position_of(cells, to_move, swapped=kept.swapped))
    table.begin(session, kept.players, kept.time, kept.handicap)
    table.id, table.puzzle = kept.id, kept.puzzle
    table.header = replace(kept.header, comment="")
    table.tree.root.comment = kept.header.comment
    control = control_of(kept.time)
    _restore_clocks(table.tree.root, kept.clocks, control)
    nodes = [table.tree.root]
    for each in kept.nodes:
        parent = nodes[each.parent]
        if nodes[-1] is not parent or each is kept.nodes[0]:
            session = table.tree.session(parent)
        nodes.append(_restored_node(table.tree, parent, each, session))
        _restore_clocks(nodes[-1], each.clocks, control)
    table.show(nodes[kept.at if kept.paused is None else kept.paused])
    table.pause()
    table.show(nodes[kept.at])
    for part in kept.chosen:
        table.session.play(table.to_move, part)
    table.teach, table.pace = kept.teach, kept.pace
    table.live, table.unrated, table.counted = kept.live, kept.unrated, kept.counted
    table.rating_change = kept.rating_change


def _restore_clocks(node: Node, kept: SavedClocks | None, control: TimeControl) -> None:
    if kept is not None:
        node.clocks = {
            color: Clock(control, left, stones)
            for color, (left, stones) in zip(Color, kept, strict=True)
        }


def _restored_node(tree: Tree, parent: Node, kept: SavedNode, session: Session) -> Node:
    """Adds a saved node to its parent. session: at the parent; advanced to the new node."""
    known = len(session.history)
    if kept.moves:
        session.play(Color(kept.color), *kept.moves)
    else:
        session.resign(Color(kept.color))
    *parts, last = session.history[known:]
    extras = RecordExtras(kept.properties, kept.variations)
    last = replace(last, extras=extras, left=kept.left)
    node = tree.add(parent, [*parts, last], kept.text)
    node.comment, node.black_winrate, node.visits = kept.comment, kept.black_winrate, kept.visits
    node.loss, node.result = kept.loss, kept.result
    node.flag_fell = None if kept.flag_fell is None else Color(kept.flag_fell)
    return node
