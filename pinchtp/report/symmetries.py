"""The symmetries of a game: maps of the board's points that preserve the game."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pinchtp.games import GameType, Position
from pinchtp.games.notation import cell_of, is_point, point_of
from pinchtp.games.symmetry import KEEP_SIDES, Symmetry, image

GAMES = 6  # random games that a symmetry must preserve
SEED = 1


@dataclass(frozen=True)
class PointMap:
    """A map of points. moves: the image of each point. sources: for each cell, its preimage."""

    moves: Mapping[int, int]
    sources: tuple[int, ...]

    def move(self, move: int) -> int:
        """Returns the image of a move; a move that is not a point is unchanged."""
        return self.moves.get(move, move)

    def cells(self, cells: bytes) -> bytes:
        return bytes([cells[source] for source in self.sources])


def symmetries(game: GameType, start: Position) -> list[PointMap]:
    """Returns all symmetries of the game from this start, the identity first.

    A rotation or reflection of the board is a symmetry if it preserves random games: mapped move by
    move, they have the mapped choices and boards, and the same results.
    """
    key = (game.name, start.width, start.height, tuple(sorted(start.options.items())))
    if key not in _known:
        _known[key] = [point_map for point_map in _maps(start) if _survives(point_map, start)]
    return _known[key]


_known: dict[tuple[object, ...], list[PointMap]] = {}


def classes(moves: Sequence[int], known: Iterable[PointMap]) -> dict[int, list[int]]:
    """Returns the classes of moves that are equal by symmetry, by the smallest move of each."""
    by_least: dict[int, set[int]] = {}
    maps = list(known)
    for move in moves:
        images = {point_map.move(move) for point_map in maps}
        by_least.setdefault(min(images), set()).update(images)
    return {least: sorted(images) for least, images in by_least.items()}


def canonical(position: Position, known: Sequence[PointMap]) -> tuple[bytes, int, bool, bool]:
    """Returns a key that is equal for a position and its images, and for no other positions."""
    cells = position.cells()
    least = min([point_map.cells(cells) for point_map in known[1:]] + [cells])
    return least, position.to_move, position.swapped, position.swap_open


def _maps(start: Position) -> list[PointMap]:
    """Returns the identity, the half turn and two reflections; on square boards, all eight maps."""
    ways: list[tuple[Symmetry, ...]] = [(), *((symmetry,) for symmetry in KEEP_SIDES)]
    if start.width == start.height:
        ways += [(*way, Symmetry.TRANSPOSE) for way in ways]
    maps = []
    for way in ways:
        moves = {}
        sources = [0] * (start.width * start.height)
        for cell in range(len(sources)):
            move = moved = point_of(cell, start.width)
            for symmetry in way:
                moved = image(symmetry, start, moved)
            moves[move] = moved
            sources[cell_of(moved, start.width)] = cell
        maps.append(PointMap(moves, tuple(sources)))
    return maps


def _survives(tried: PointMap, start: Position) -> bool:
    source = random.Random(SEED)
    return all(_game_survives(tried, start, source) for _ in range(GAMES))


def _game_survives(tried: PointMap, start: Position, source: random.Random) -> bool:
    """Returns whether the map preserves a random game."""
    position = twin = start
    while True:
        if tried.cells(position.cells()) != twin.cells() or position.result != twin.result:
            return False
        if position.result is not None:
            return True
        legal = position.legal_moves()
        if {tried.move(move) for move in legal} != set(twin.legal_moves()):
            return False
        move = legal[source.randrange(len(legal))]
        assert not is_point(move) or move in tried.moves
        position = position.play(move)
        twin = twin.play(tried.move(move))
