"""Zones of proven wins in Pinch: the part of the board that a win depends on.

`core/search/solver/zones.hpp` defines them and explains why they are valid although stones flip.
There they speed up the search; here they shorten proofs.

A board is an int with eight bits per row, from the lowest row up. The last bit of a row is empty,
because boards have at most 7 columns. Stones are two boards, Black's and White's. A side is an
index into stones: 0 is Black, who joins top and bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

MOST_COLUMNS, MOST_ROWS = 7, 8

Stones = tuple[int, int]


def board_at(x: int, y: int) -> int:
    """Returns the board with only this point."""
    return 1 << (8 * y + x)


def single_points(board: int) -> Iterator[int]:
    """Yields the points of a board, each as a board."""
    while board:
        point = board & -board
        yield point
        board ^= point


def in_row(board: int) -> int:
    """Returns the points to the left and right of a board's points."""
    return board << 1 | board >> 1


def in_column(board: int) -> int:
    """Returns the points above and below a board's points."""
    return board << 8 | board >> 8


def adjacent(board: int) -> int:
    """Returns the points adjacent to a board's points, in rows and columns."""
    return in_row(board) | in_column(board)


def around(board: int) -> int:
    """Returns a board's points and their neighbors, including diagonal ones."""
    row = board | in_row(board)
    return row | in_column(row)


def agree(one: Stones, other: Stones, zone: int) -> bool:
    """Returns whether two positions have the same stones on a zone."""
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
        self.corners = {at: self._corners_of(at) for at in single_points(self.points)}
        self._edges = [(row, row << 8 * (height - 1)), (column, column << (width - 1))]

    # --- play

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
        """Yields the boards unchanged, mirrored, flipped upside down, and both."""
        for is_upside_down in (False, True):
            for is_mirrored in (False, True):
                yield tuple(self._reflect(board, is_mirrored, is_upside_down) for board in boards)

    def _reflect(self, board: int, is_mirrored: bool, is_upside_down: bool) -> int:
        rows = board.to_bytes(self._height, "little")
        if is_mirrored:
            rows = bytes(MIRRORED[row] >> (8 - self._width) for row in rows)
        return int.from_bytes(rows, "big" if is_upside_down else "little")

    def _corners_of(self, at: int) -> list[tuple[int, int]]:
        """Returns the pairs of a point's neighbors at right angles to it, in circular order."""
        steps = [each & self.points for each in (at << 1, at << 8, at >> 1, at >> 8)]
        pairs = zip(steps, [*steps[1:], steps[0]], strict=True)
        return [(one, other) for one, other in pairs if one and other]

    # -- zones

    def of_win(self, stones: Stones, side: int, stone: int, zone: int) -> int:
        """Returns the zone of a side's win by a move. zone: of the position after the move."""
        closed = Closure(self, stones, side, stone).extend(zone)
        cells = self.points & ~stones[1 - side]
        return closed | self._path(cells, side, closed, around)  # the other side is not connected

    def of_connection(self, stones: Stones, side: int, stone: int) -> int:
        """Returns the zone of a move that connects the side's edges."""
        own = self.play(stones, side, stone)[side]
        return self.of_win(stones, side, stone, self._path(own, side, stone, adjacent))

    def _path(self, cells: int, side: int, zone: int, step: Callable[[int], int]) -> int:
        """Returns a path of cells that joins a side's edges, with few cells outside the zone.

        Raises ValueError if there is none.
        """
        low, high = self._edges[side]
        layers = [low & cells & zone]  # in the order of the search
        reached = layers[0]
        while not reached & high:
            fresh = step(reached) & cells & zone & ~reached
            fresh = fresh or (low | step(reached)) & cells & ~reached
            if not fresh:
                raise ValueError("no path joins the edges")
            layers.append(fresh)
            reached |= fresh
        point = reached & high
        point &= -point
        path = point
        while not point & low:
            point = next(at for layer in layers if (at := step(point) & layer))
            point &= -point
            path |= point
        return path


class Closure:
    """Extends zones by the points that determine which of their stones a move flips.

    With stone 0, there is no move: zones are extended by the points that protect their stones from
    all moves of the side outside the zone.
    """

    def __init__(self, zones: Zones, stones: Stones, side: int, stone: int) -> None:
        self._corners = zones.corners
        self._stone = stone
        self._own, self._enemy = stones[side], stones[1 - side]
        self._waves = waves(stones, side, stone)
        self._after = self._own | stone | sum(flipped for _, flipped in self._waves)
        self._decided = 0  # stones that the zone determines

    def extend(self, zone: int) -> int:
        """Returns a zone with the points that it lacks. It contains those returned before."""
        zone |= self._stone
        while undecided := zone & self._enemy & ~self._decided:
            stone = undecided & -undecided
            self._decided |= stone
            zone |= self._flip(stone, zone) if stone & self._after else self._safety(stone, zone)
        return zone

    def _flip(self, stone: int, zone: int) -> int:
        """Returns the pair of stones that flips a stone and adds the fewest points to the zone."""
        before = next(before for before, flipped in self._waves if stone & flipped)
        pairs = [one | other for one, other in self._corners[stone]]
        return min(
            (pair for pair in pairs if not pair & ~before and pair & ~self._own),
            key=lambda pair: (pair & ~zone).bit_count(),
        )

    def _safety(self, stone: int, zone: int) -> int:
        """Returns the points that prove that a stone does not flip."""
        added = 0
        open_pairs = []
        for one, other in self._corners[stone]:
            safe = (one | other) & ~self._after
            if not safe:
                added |= one | other
            elif safe in (one, other):
                added |= safe
            else:
                open_pairs.append((one, other))
        for one, other in open_pairs:
            if not (one | other) & (zone | added):
                # Prefer a point that needs no protection, and the one that the next pair shares.
                added |= one if other & self._enemy and not one & self._enemy else other
        return added


def waves(stones: Stones, side: int, stone: int) -> list[tuple[int, int]]:
    """Returns the waves of flips: the mover's stones before each, and the stones that it flips."""
    own = stones[side] | stone
    enemy = stones[1 - side]
    result: list[tuple[int, int]] = []
    fresh = stone
    while True:
        in_rows = in_row(fresh)
        in_columns = in_column(fresh)
        fresh = enemy & (in_rows & in_column(own) | in_columns & in_row(own))
        if not fresh:
            return result
        result.append((own, fresh))
        own |= fresh
        enemy &= ~fresh


MIRRORED = [int(f"{row:08b}"[::-1], 2) for row in range(256)]
