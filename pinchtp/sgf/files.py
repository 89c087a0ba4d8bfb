"""SGF files: a game's record kept up to date, and all variations of a game."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import strftime
from typing import Protocol

from pinchtp.base.files import replace_file
from pinchtp.base.streams import warn
from pinchtp.games import GAMES, GameType, Position
from pinchtp.games.game import RuleValue
from pinchtp.games.history import Turn
from pinchtp.games.session import Session
from pinchtp.sgf.nodes import Node, SgfError, checked_size, sgfmill
from pinchtp.sgf.read import SgfGame, from_nodes
from pinchtp.sgf.write import game_node, to_sgf, turn_nodes

MAX_BYTES = 1 << 20  # a long game with a comment on every move takes a tenth of that


def write_file(path: str, text: str) -> None:
    """Replaces a file by a text and a line feed, as replace_file() does. Raises SgfError."""
    try:
        replace_file(path, text.encode() + b"\n")
    except OSError as error:
        raise SgfError(error.strerror) from None


def today() -> str:
    """The date as SGF writes it."""
    return strftime("%Y-%m-%d")


class SgfAutosave:
    """Keeps a file up to date with a running game."""

    def __init__(self, path: Path) -> None:
        """Raises SgfError if the file cannot exist."""
        target = os.path.realpath(path)
        if not os.path.isdir(os.path.dirname(target)):
            raise SgfError(f"{path}: there is no such folder")
        if os.path.lexists(target) and not os.path.isfile(target):
            raise SgfError(f"{path}: it is not a regular file")
        self._path = str(path)
        self._start: Position | None = None
        self._written: tuple[object, ...] = ()
        self._has_failed = False

    def update(self, session: Session) -> None:
        """Writes the game if it has changed; call it after every possible change.

        A game stays on disk until a move of the next one is made. A file that cannot be written is
        named on stderr, once; the game continues.
        """
        state = (session.start, tuple(session.history), session.info, session.control)
        is_new = session.start is not self._start
        if state == self._written or (is_new and _is_bare(session)):
            return
        self._start, self._written = session.start, state
        try:
            write_file(self._path, to_sgf(session, today()))
            self._has_failed = False
        except (SgfError, MemoryError) as error:
            if not self._has_failed:
                warn(f"pinchtp: {self._path}: {str(error) or 'out of memory'}")
            self._has_failed = True


def _is_bare(session: Session) -> bool:
    """Whether nothing has happened on an empty board."""
    return not session.history and not any(session.start.cells())


MAX_STEPS = 40_000  # nodes read to check all lines; each line is checked from its start


class Variation(Protocol):
    """A turn and what follows it."""

    @property
    def turn(self) -> Turn: ...
    @property
    def branches(self) -> Sequence[Variation]: ...


def variations_to_sgf(session: Session, branches: Sequence[Variation], date: str = "") -> str:
    """The record of a game with all its lines, as to_sgf writes one.

    session: the game's main line, from which the result is taken. branches: what follows the start.
    """
    sgf = sgfmill()
    tree = sgf.Coarse_game_tree()
    tree.sequence = [game_node(session, date)]
    waiting = [(tree, branches)]
    while waiting:
        parent, following = waiting.pop()
        while len(following) == 1:
            parent.sequence += turn_nodes(session, following[0].turn)
            following = following[0].branches
        for branch in following:
            child = sgf.Coarse_game_tree()
            child.sequence = turn_nodes(session, branch.turn)
            parent.children.append(child)
            waiting.append((child, branch.branches))
    text: str = sgf.serialise_game_tree(tree).decode()
    return text.rstrip("\n")


def variations_from_sgf(data: bytes, game: GameType, **options: RuleValue) -> Iterator[SgfGame]:
    """Reads the lines of a game one by one, the main line first; see from_sgf.

    A variation that breaks the rules is left out, and so are those that would take too long. Raises
    SgfError for the main line.
    """
    lines = _lines(data)
    yield from_nodes(next(lines), game, **options)
    steps = 0
    for line in lines:
        steps += len(line)
        if steps > MAX_STEPS:
            return
        try:
            record = from_nodes(line, game, **options)
        except SgfError:
            continue
        yield record


def game_in_sgf(data: bytes) -> GameType | None:
    """Returns the game named in a record, or None. Raises SgfError."""
    return named_game(next(_lines(data)))


def named_game(nodes: list[Node]) -> GameType | None:
    """Returns the game named in the root, or None."""
    rules = nodes[0].get("RU", [b""])[0]
    return GAMES.get(rules.decode("latin-1").partition(",")[0].strip().lower())


def _lines(data: bytes) -> Iterator[list[Node]]:
    """The nodes of every line of the first game, from the root to its end, the main line first."""
    checked_size(data)
    try:
        tree = sgfmill().parse_sgf_game(data)
    except ValueError as error:
        raise SgfError(f"no SGF: {error}") from None
    waiting: list[tuple[list[Node], object]] = [([], tree)]
    while waiting:
        before, each = waiting.pop()
        line = before + list(each.sequence)  # type: ignore[attr-defined]
        children = each.children  # type: ignore[attr-defined]
        if not children:
            yield line
        waiting += [(line, child) for child in reversed(children)]
