"""The reader of a game with its variations, in one walk with one session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from pinchtp.games import Color, GameType, RuleValue
from pinchtp.games.history import NO_EXTRAS
from pinchtp.games.session import IllegalMove
from pinchtp.records.errors import RecordError
from pinchtp.records.game import RecordedTree, RecordNode
from pinchtp.records.sgf.nodes import end_of_moves, is_move
from pinchtp.records.sgf.read import (
    BOARD,
    WITH_MOVE,
    Notes,
    check_setup,
    comment_of,
    make_move,
    open_game,
)
from pinchtp.records.sgf.syntax import GameTree, SgfNode, main_line, only_text


def walk(
    tree: GameTree,
    game: GameType,
    options: Mapping[str, RuleValue],
    plies: int | None = None,
    *,
    variations: bool,
) -> RecordedTree:
    """Reads a game. game, options: see open_game().

    plies: the number of moves of the main line to read, 1 or more; None: all. variations: whether
    to read the variations; otherwise they remain texts. Raises RecordError for an invalid main
    line.
    """
    places = [(part, i) for part in main_line(tree) for i in range(len(part.nodes))]
    nodes = [part.nodes[i] for part, i in places]
    end = end_of_moves(nodes, plies)
    result = only_text(nodes[0], "RE") if end == len(nodes) else ""
    return _Walk(nodes[:end], game, options).read(places[:end], result, variations=variations)


@dataclass(eq=False, slots=True)
class _Place:
    """A node of the game during the walk.

    depth: the length of the history there. number: the number of its move. notes: of all nodes of
    the file that are read as this node.
    """

    node: RecordNode
    depth: int = 0
    number: int = 0
    notes: Notes = field(default_factory=Notes)


class _Walk:
    """A session that is taken down each line and back."""

    def __init__(
        self, nodes: list[SgfNode], game: GameType, options: Mapping[str, RuleValue]
    ) -> None:
        self._root = nodes[0]
        self._opening = open_game(nodes, game, options)
        self._session = self._opening.session
        self._start = _Place(RecordNode(), notes=self._opening.notes)
        self._places = [self._start]
        self._known: dict[tuple[object, ...], _Place] = {}  # by the place before, and the move

    def read(
        self, places: list[tuple[GameTree, int]], result: str, *, variations: bool
    ) -> RecordedTree:
        """Reads the nodes of the main line, and then the variations that branch off.

        result: of the game, as in RE; empty if it is unknown or later moves are not read.
        """
        opening = self._opening
        session = self._session
        line = [self._start]
        waiting: list[tuple[GameTree, _Place]] = []  # variations, with the places before them
        for count, (tree, i) in enumerate(places):
            if count >= opening.nodes:
                place = self._step(line[-1], tree, i, is_first=count == opening.nodes)
                line += [place] if place is not line[-1] else []
            if i == len(tree.nodes) - 1:
                if variations and count >= opening.set_up:
                    waiting += [(child, line[-1]) for child in reversed(tree.children[1:])]
                else:
                    line[-1].notes.variations += [child.text for child in tree.children[1:]]
        if (found := re.match(r"([BW])\+R", result, re.IGNORECASE)) and not session.is_over:
            session.resign(Color.read(found[1]).opponent)
            line.append(self._new_place(line[-1]))
        info = replace(opening.info, result="" if session.is_over else result)
        self._read_variations(waiting)
        for place in self._places:
            _finish(place)
        notes = self._start.notes
        info = replace(info, comment=notes.comment, extras=notes.extras)
        main = [place.node for place in line]
        return RecordedTree(session.game, session.start, main, info, opening.doubt)

    def _read_variations(self, waiting: list[tuple[GameTree, _Place]]) -> None:
        """Reads variations, beginning with those at the end of the main line."""
        while waiting:
            tree, place = waiting.pop()
            for i in range(len(tree.nodes)):
                try:
                    place = self._step(place, tree, i)
                except RecordError as error:
                    place.node.refused.append(str(error))
                    place.notes.variations.append(tree.text_from(i))
                    break
            else:
                waiting += [(child, place) for child in reversed(tree.children)]

    def _step(self, place: _Place, tree: GameTree, i: int, *, is_first: bool = False) -> _Place:
        """Reads a node; returns the place after it, or the same place if it has no move.

        is_first: whether the node may set up the start. Raises RecordError.
        """
        node = tree.nodes[i]
        session = self._session
        del session.history[place.depth :]
        read = BOARD | {"C"}
        try:
            if is_move(node):
                read |= make_move(session, node, is_ours=self._opening.is_ours)
            if not is_first:
                check_setup(session, node)
        except (RecordError, IllegalMove) as error:
            raise RecordError(f"move {place.number + 1}: {error}") from None
        comment = comment_of(node)
        if len(session.history) > place.depth:
            last = session.history[-1]
            comment = last.comment
            place = self._new_place(place)
            place.node.texts.append(partial(tree.text_from, i))
            if last is not place.node.entries[-1]:  # the entry of an equal move before stays
                read -= WITH_MOVE
        place.notes.comments.append(comment)
        place.notes.add(node, node if node is self._root else read)
        return place

    def _new_place(self, before: _Place) -> _Place:
        """Returns the place after the last moves of the session; the same place for equal moves."""
        history = self._session.history
        entries = tuple(history[before.depth :])
        key = (before, *((entry.color, entry.move) for entry in entries))
        if key not in self._known:
            moves = sum(not entry.same_turn for entry in entries)
            place = _Place(RecordNode(entries), len(history), before.number + moves)
            before.node.children.append(place.node)
            self._known[key] = place
            self._places.append(place)
        return self._known[key]


def _finish(place: _Place) -> None:
    """Sets the comment and extras of a node's last entry, from all its nodes in the file."""
    comment = place.notes.comment
    extras = place.notes.extras
    entries = place.node.entries
    if entries and (comment != entries[-1].comment or extras != NO_EXTRAS):
        last = replace(entries[-1], comment=comment, extras=extras)
        place.node.entries = (*entries[:-1], last)
