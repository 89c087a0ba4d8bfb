"""Records with variations: all lines of a game, written and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from pinchtp.games import GAMES, Game
from pinchtp.games.history import Turn
from pinchtp.games.rule_options import RuleValue
from pinchtp.games.session import Session
from pinchtp.sgf.reading import Record, from_nodes
from pinchtp.sgf.sgf import Node, RecordError, sgfmill
from pinchtp.sgf.tree import checked_size
from pinchtp.sgf.writing import game_node, turn_nodes

MAX_STEPS = 40_000  # nodes that are read to check all lines; each line is checked from its start


class Branch(Protocol):
    """A turn and what follows it."""

    @property
    def turn(self) -> Turn: ...
    @property
    def branches(self) -> Sequence[Branch]: ...


def variations_to_sgf(session: Session, branches: Sequence[Branch], date: str = "") -> str:
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


def variations_from_sgf(data: bytes, game: Game, **options: RuleValue) -> Iterator[Record]:
    """Reads the lines of a game one by one, the main line first; see from_sgf.

    A variation that breaks the rules is left out, and so are those that would take too long. Raises
    RecordError for the main line.
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
        except RecordError:
            continue
        yield record


def game_of(data: bytes) -> Game | None:
    """The game that a record says it is; None if it does not say. Raises RecordError."""
    rules = next(_lines(data))[0].get("RU", [b""])[0]
    return GAMES.get(rules.decode("latin-1").partition(",")[0].strip().lower())


def _lines(data: bytes) -> Iterator[list[Node]]:
    """The nodes of every line of the first game, from the root to its end, the main line first."""
    checked_size(data)
    try:
        tree = sgfmill().parse_sgf_game(data)
    except ValueError as error:
        raise RecordError(f"no SGF: {error}") from None
    waiting: list[tuple[list[Node], object]] = [([], tree)]
    while waiting:
        before, each = waiting.pop()
        line = before + list(each.sequence)  # type: ignore[attr-defined]
        children = each.children  # type: ignore[attr-defined]
        if not children:
            yield line
        waiting += [(line, child) for child in reversed(children)]
