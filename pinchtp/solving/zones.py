"""Zones of proven wins in Pinch: the part of the board that a win depends on.

`core/search/solver/zones.hpp` defines them and says why they hold although stones flip; there they
speed the search up, here they make proofs short. A board is an int: eight bits a row from below, of
which a board of at most 7 columns leaves the last one empty. Stones are two boards, Black's and
White's, and a side is an index of them: 0 is Black, who joins top and bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

MOST_COLUMNS, MOST_ROWS = 7, 8

Stones = tuple[int, int]


def board_at(x: int, y: int) -> int:
    """Returns the board with only this point."""
    return 1 << (8 * y + x)


def single_points(board: int) -> Iterator[int]:
    """Yields the board's points, each as a board."""
    while board:
        point = board & -board
        yield point
        board ^= point


def in_row(board: int) -> int:
    """Returns the points to the left and right of these."""
    return board << 1 | board >> 1


def in_column(board: int) -> int:
    """Returns the points above and below these."""
    return board << 8 | board >> 8


def adjacent(board: int) -> int:
    """Returns the points in a row or a column beside these."""
    return in_row(board) | in_column(board)


def around(board: int) -> int:
    """Returns these points and all beside them, diagonally too."""
    row = board | in_row(board)
    return row | in_column(row)


def agree(one: Stones, other: Stones, zone: int) -> bool:
    """Returns whether two positions have the same stones on the zone."""
    return not ((one[0] ^ other[0]) | (one[1] ^ other[1])) & zone


class Zones:
    """Zones on boards of one size."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._height = height
        self.points = sum(board_at(x, y) for x in range(width) for y in range(height))
        columns, rows = (range((n - 1) // 2, n // 2 + 1) for n in (width, height))
        self.middle = sum(board_at(x, y) for x in columns for y in rows)
        row = sum(board_at(x, 0) for x in range(width))
        column = sum(board_at(0, y) for y in range(height))
        self._edges = [(row, row << 8 * (height - 1)), (column, column << (width - 1))]

    # -- play

    def play(self, stones: Stones, side: int, stone: int) -> Stones:
        """Returns the stones after a side's move."""
        own = stones[side] | stone | sum(flipped for _, flipped in waves(stones, side, stone))
        enemy = stones[1 - side] & ~own
        return (own, enemy) if side == 0 else (enemy, own)

    def is_connected(self, stones: Stones, side: int) -> bool:
        """Returns whether a chain of the side joins its edges."""
        low, high = self._edges[side]
        own = stones[side]
        reached = own & low
        while more := adjacent(reached) & own & ~reached:
            reached |= more
        return bool(reached & high)

    def empty(self, stones: Stones) -> int:
        """Returns the points without a stone."""
        return self.points & ~(stones[0] | stones[1])

    def reflections(self, *boards: int) -> Iterator[tuple[int, ...]]:
        """Yields the boards as they are, mirrored, turned upside down, and both."""
        for is_upside_down in (False, True):
            for is_mirrored in (False, True):
                yield tuple(self._reflect(board, is_mirrored, is_upside_down) for board in boards)

    def _reflect(self, board: int, is_mirrored: bool, is_upside_down: bool) -> int:
        rows = board.to_bytes(self._height, "little")
        if is_mirrored:
            rows = bytes(MIRRORED[row] >> (8 - self._width) for row in rows)
        return int.from_bytes(rows, "big" if is_upside_down else "little")

    # -- zones

    def of_win(self, stones: Stones, side: int, stone: int, zone: int) -> int:
        """Returns the zone of a side's win by a move; `zone` is that of the position after it."""
        closed = self.close(stones, side, stone, zone)
        cells = self.points & ~stones[1 - side]
        return closed | self._path(cells, side, closed, around)  # the other side is not connected

    def of_connection(self, stones: Stones, side: int, stone: int) -> int:
        """Returns the zone of a move that connects the side's edges."""
        own = self.play(stones, side, stone)[side]
        return self.of_win(stones, side, stone, self._path(own, side, stone, adjacent))

    def close(self, stones: Stones, side: int, stone: int, zone: int) -> int:
        """Returns the zone with what decides which of its stones a side's move flips.

        Without a stone: what keeps its stones as they are, whatever the side does outside.
        """
        own, enemy = stones[side], stones[1 - side]
        flips = waves(stones, side, stone)
        after = own | stone | sum(flipped for _, flipped in flips)
        zone |= stone
        done = 0
        while rest := zone & enemy & ~done:
            each = rest & -rest
            done |= each
            if each & after:
                before = next(before for before, flipped in flips if each & flipped)
                zone |= self._flipping_pair(each, before, own, zone)
            else:
                zone |= self._protection(each, after, enemy, zone)
        return zone

    def _pairs(self, stone: int) -> Iterator[tuple[int, int]]:
        """Yields the neighbors of a point that flank it at a right angle, in a circle."""
        steps = [stone << 1, stone << 8, stone >> 1, stone >> 8]
        for at in range(4):
            one, next_one = steps[at] & self.points, steps[(at + 1) % 4] & self.points
            if one and next_one:
                yield one, next_one

    def _flipping_pair(self, stone: int, before: int, own: int, zone: int) -> int:
        """Returns two stones that flip another one: those that add the least to the zone."""
        pairs = [one | other for one, other in self._pairs(stone) if not (one | other) & ~before]
        return min(
            (pair for pair in pairs if pair & ~own),
            key=lambda pair: (pair & ~zone).bit_count(),
        )

    def _protection(self, stone: int, after: int, enemy: int, zone: int) -> int:
        """Returns the points that show that a stone does not flip."""
        added = 0
        open_pairs = []
        for one, other in self._pairs(stone):
            safe = (one | other) & ~after
            if not safe:
                added |= one | other
            elif safe in (one, other):
                added |= safe
            else:
                open_pairs.append((one, other))
        for pair in open_pairs:
            if not any(point & (zone | added) for point in pair):
                # Rather a point that need not be protected itself, and is in the next pair too.
                added |= min(reversed(pair), key=lambda point: bool(point & enemy))
        return added

    def _path(self, cells: int, side: int, zone: int, step: Callable[[int], int]) -> int:
        """Returns a path of cells that joins a side's edges, with few of them outside the zone."""
        low, high = self._edges[side]
        reached = [low & cells & zone]  # in the order in which the search reaches them
        found = reached[0]
        while not found & high:
            fresh = step(found) & cells & zone & ~found
            fresh = fresh or (low | step(found)) & cells & ~found
            reached.append(fresh)
            found |= fresh
        point = found & high
        point &= -point
        path = point
        while not point & low:
            point = next(at for fresh in reached if (at := step(point) & fresh))
            point &= -point
            path |= point
        return path


def waves(stones: Stones, side: int, stone: int) -> list[tuple[int, int]]:
    """Returns the mover's stones before each wave of flips, and the stones that it flips."""
    own = stones[side] | stone
    enemy = stones[1 - side]
    found: list[tuple[int, int]] = []
    fresh = stone
    while True:
        in_rows = in_row(fresh)
        in_columns = in_column(fresh)
        fresh = enemy & (in_rows & in_column(own) | in_columns & in_row(own))
        if not fresh:
            return found
        found.append((own, fresh))
        own |= fresh
        enemy &= ~fresh


MIRRORED = [int(f"{row:08b}"[::-1], 2) for row in range(256)]
