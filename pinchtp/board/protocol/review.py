"""The review of a game."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pinchtp.board.protocol.base import Chance, ColorName, Message, Part
from pinchtp.board.protocol.board import VariationMove


class ListedMistake(Part, frozen=True):
    """A mistake in a reviewed game, for which to find a better move.

    number: the number of the move. solved: whether the visitor has found a better move.
    """

    number: int
    color: ColorName
    move: str
    loss: Chance
    solved: bool


class WorstMove(Part, frozen=True):
    """A mistake listed by a review. best: the engine's principal variation."""

    node: int
    number: int
    color: ColorName
    move: str
    loss: Chance
    best: list[VariationMove]
    mark: str

    def without_answer(self, *, solved: bool) -> ListedMistake:
        """Returns the mistake without the best moves. solved: see ListedMistake."""
        return ListedMistake(self.number, self.color, self.move, self.loss, solved)


class ForcedMove(Part, frozen=True):
    """A move that lost by force. line: the opponent's win after it."""

    node: int
    number: int
    color: ColorName
    move: str
    sentence: str
    line: list[VariationMove]


class Review(Message, frozen=True):
    """The progress of a review and the biggest mistakes so far.

    own: the worst moves of each human, for which to find better moves. forced: the moves that are
    proven to lose; empty until the review is complete.
    """

    done: int
    total: int
    running: bool
    worst: list[WorstMove]
    own: list[WorstMove]
    forced: list[ForcedMove]

    def renumber(self, ids: Mapping[int, int]) -> Review:
        """Returns the review with the ids of another tree, without moves that are not in it.

        ids: the new ids by the old ones.
        """
        moves = {
            name: [
                msgspec.structs.replace(each, node=ids[each.node])
                for each in getattr(self, name)
                if each.node in ids
            ]
            for name in ("worst", "own", "forced")
        }
        return msgspec.structs.replace(self, **moves)
