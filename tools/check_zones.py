"""Checks proofs of Pinch by zones (pinchtp/solving/zone_proof.py) by the reference implementation.

The points of a line other than `?` are its zone. It claims that one player wins every position with
the same zone and player to move that is reachable from an empty board and in which neither side is
connected. Checking the position with empty points for all `?` is sufficient:

A move changes the zone in the same way in all of them if, of every two neighbors at a right angle
of each opposing stone in the zone that does not flip, both are in the zone, or one that the mover
does not own after the move. Stones that flip here flip everywhere, by stones of the zone, wave by
wave. Of the others, the first to flip would need a neighbor in the zone that the mover got before.

When the winner is to move, the loser is not connected: steps in the eight directions lead from one
of the winner's edges to the other, inside the zone and without a stone of the loser. A move
connects only its own player. And the loser always has a move: a full board without a connection has
two crossing pairs of stones, of which the last would have flipped the other pair.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from reference import Pinch
from reference.base import Color, Point, opponent

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without column I
COLORS: dict[str, Color] = {"b": "black", "w": "white"}
STONES: dict[str, Color | None] = {"X": "black", "O": "white", ".": None}

Zone = dict[Point, Color | None]  # the color of the stone on each point


class Claim(NamedTuple):
    """This color wins every position with this zone and this color to move."""

    zone: Zone
    to_move: Color
    winner: Color


def read_point(word: str, width: int, height: int) -> Point:
    """Returns the point of a text. Raises ValueError."""
    x, y = COLUMNS.index(word[:1]), int(word[1:]) - 1
    if not (x < width and 0 <= y < height):
        raise ValueError(f"{word} is off the board")
    return x, y


def reflections(width: int, height: int) -> list[tuple[range, range]]:
    """Returns the columns and rows of a board's reflections; the first is the identity."""
    columns, rows = range(width), range(height)
    return list(product((columns, columns[::-1]), (rows, rows[::-1])))


class Claims:
    """The proven claims, on boards of one size."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.points = set(product(range(width), range(height)))
        self.proven: list[Claim] = []

    def add(self, line: str) -> None:
        """Adds a line's claim. Raises ValueError, KeyError or IndexError if it is not proven."""
        before, answer = line.split(": ")
        board, letter = before.split(" ")
        zone = self.read(board)
        to_move = COLORS[letter]
        start = self.position(zone, to_move)
        if answer[:1] in COLUMNS:
            move, *numbers = answer.split()
            winner = to_move
            afters = self.after_win(zone, start, read_point(move, self.width, self.height))
        else:
            numbers = answer.split()
            winner = opponent(to_move)
            afters = self.after_loss(zone, start, winner)
        if len(numbers) != len(afters):
            raise ValueError(f"expected {len(afters)} numbers, got {len(numbers)}")
        for number, after in zip(numbers, afters, strict=True):
            if not 1 <= int(number) <= len(self.proven):
                raise ValueError(f"there is no claim {number} lines before")
            if not self.applies(self.proven[-int(number)], zone, after, winner):
                raise ValueError(f"the claim {number} lines before does not apply")
        self.proven.append(Claim(zone, to_move, winner))

    def read(self, board: str) -> Zone:
        rows = board.split("/")[::-1]
        if [len(row) for row in rows] != [self.width] * self.height:
            raise ValueError("wrong board size")
        signs = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
        return {at: STONES[sign] for at, sign in signs.items() if sign != "?"}

    def position(self, zone: Zone, to_move: Color) -> Pinch:
        """Returns the position with empty points outside the zone."""
        black, white = (
            frozenset(at for at in zone if zone[at] == color) for color in COLORS.values()
        )
        size = (self.width, self.height)
        start = Pinch(*size, pie=False, black=black, white=white, to_move=to_move)
        if start.winner is not None:
            raise ValueError("the game is over")
        return start

    def after_win(self, zone: Zone, start: Pinch, at: Point) -> list[Pinch]:
        """Returns the position after the winner's move, if the game is not over then."""
        if not self.is_blocked(zone, start):
            raise ValueError(f"{opponent(start.to_move)} may be connected")
        after = self.play(zone, start, at)
        return [] if after.winner == start.to_move else [after]

    def after_loss(self, zone: Zone, start: Pinch, winner: Color) -> list[Pinch]:
        """Returns the positions after the loser's moves."""
        empty = sorted((at for at in zone if zone[at] is None), key=lambda at: (-at[1], at[0]))
        afters = [self.play(zone, start, at) for at in empty]
        if len(zone) < len(self.points):
            self.check_certain(zone, start.to_move, start)
            afters.insert(0, replace(start, to_move=winner))  # a move outside
        return afters

    def play(self, zone: Zone, start: Pinch, at: Point) -> Pinch:
        """Returns the position after a move that changes the zone in the same way everywhere."""
        if at not in zone:
            raise ValueError("move outside the zone")
        after = start.play(at)
        self.check_certain(zone, start.to_move, after)
        return after

    def check_certain(self, zone: Zone, mover: Color, after: Pinch) -> None:
        """Checks that no stone of the zone flips only in other positions. Raises ValueError."""
        stones = after.stones()
        known = {at for at in zone if stones.get(at) != mover}
        for x, y in (at for at in zone if stones.get(at) == opponent(mover)):
            for dx, dy in product((-1, 1), repeat=2):
                pair = {(x + dx, y), (x, y + dy)}
                if pair <= self.points and not (pair & known or pair <= zone.keys()):
                    raise ValueError(f"a stone next to {pair} may flip")

    def applies(self, claim: Claim, zone: Zone, after: Pinch, winner: Color) -> bool:
        """Returns whether a claim applies to this position, or to a reflection of it."""
        if (claim.to_move, claim.winner) != (after.to_move, winner):
            return False
        stones = after.stones()
        for xs, ys in reflections(self.width, self.height):
            image = {(xs[x], ys[y]): color for (x, y), color in claim.zone.items()}
            if all(at in zone and stones.get(at) == color for at, color in image.items()):
                return True
        return False

    def prove(self, position: Pinch, winner: Color) -> bool:
        """Returns whether one of the claims applies to this position."""
        zone = dict.fromkeys(self.points) | dict(position.stones())
        return any(self.applies(claim, zone, position, winner) for claim in self.proven)

    def is_blocked(self, zone: Zone, start: Pinch) -> bool:
        """Returns whether the zone shows that the player not to move is not connected."""
        cells = {at for at in zone if zone[at] != opponent(start.to_move)}
        low, high = start.sides(start.to_move)
        reached = set[Point]()
        fresh = cells & low
        while fresh:
            reached |= fresh
            near = {(x + dx, y + dy) for x, y in fresh for dx, dy in product((-1, 0, 1), repeat=2)}
            fresh = near & cells - reached
        return bool(reached & high)
