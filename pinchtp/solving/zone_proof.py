"""Proofs of Pinch by zones: claims about all positions with the same stones on a part of the board.

`.?../XO../.... b: C3 1` claims that Black, to move, wins every undecided position that matches this
board, with anything at `?`. The winning move is C3: the position after it matches the claim one
line before, or a reflection of that claim. Without a number, the move connects the sides.

`.?../XO../.... w: 3 1 7` claims that White, to move, loses. The claim three lines before proves it
if White moves at a `?`; the other claims prove it if White moves at the first `.`, the second, and
so on. Without a `?`, the first of these numbers is missing.

`tools/check_zones.py` explains why this proves a win. For every first stone of 5x5, it takes 33,000
lines; strategy.py takes 1,084,000.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, product

import numpy as np

from pinchtp._core import Position, Proof, Solver
from pinchtp.games import PIE, Color, GameType
from pinchtp.games.notation import coordinates, format_move, point
from pinchtp.render.text import EMPTY, NO_POINT, STONES
from pinchtp.solving.strategy import LOST, ProofError
from pinchtp.solving.zones import (
    MOST_COLUMNS,
    MOST_ROWS,
    Closure,
    Stones,
    Zones,
    agree,
    board_at,
    single_points,
)

SIDES = (Color.BLACK, Color.WHITE)


@dataclass(frozen=True, eq=False)
class Claim:
    """A line of the proof.

    answer: the winner's move, or None. uses: the claims that the claim relies on, in order.
    """

    stones: Stones
    zone: int
    side: int  # to move
    answer: int | None
    uses: list[Claim]


@dataclass(frozen=True)
class Match:
    """A claim that matches a position or its reflection.

    zone: the zone of the claim, in the orientation of the position.
    """

    claim: Claim
    zone: int


@dataclass(frozen=True)
class Defense:
    """The position after a move of the loser, and a matching claim."""

    stones: Stones
    match: Match


class ZoneProof:
    """The claims that prove wins, in the order of the proof."""

    @staticmethod
    def fits(game: GameType, start: Position) -> bool:
        """Returns whether positions with the rules and size of a start can be proven by zones."""
        is_small = start.width <= MOST_COLUMNS and start.height <= MOST_ROWS
        return game.has_zones and is_small and not game.rules_of(start)[PIE.name]

    def __init__(self, start: Position, solver: Solver, show: Callable[[str], None]) -> None:
        """show: called with the number of claims so far."""
        self._size = (start.width, start.height)
        self._zones = Zones(start.width, start.height)
        self._solver = solver
        self._show = show
        self._claims: list[Claim] = []
        self._wins = [ClaimList(self._zones) for _ in SIDES]  # by the side to move
        self._losses = [ClaimList(self._zones) for _ in SIDES]
        self._connections: dict[tuple[int, int, int, int], Claim] = {}
        self._roots: list[Claim] = []

    def add(self, start: Position, winner: Color) -> None:
        """Adds the claims that prove that a color wins from a position. Raises ProofError."""
        if start.result is None:
            self._roots.append(self._prove(start, stones_of(start), SIDES.index(winner)).claim)

    def lines(self) -> list[str]:
        """Returns the lines of the proof file, without unused claims."""
        needed = set(self._roots)
        for claim in reversed(self._claims):  # a claim comes after those that it uses
            if claim in needed:
                needed.update(claim.uses)
        claims = [claim for claim in self._claims if claim in needed]
        numbers = {claim: number for number, claim in enumerate(claims)}
        return [self._line(claim, numbers) for claim in claims]

    def _line(self, claim: Claim, numbers: dict[Claim, int]) -> str:
        width, height = self._size
        rows = (
            "".join(sign(claim, board_at(x, y)) for x in range(width))
            for y in reversed(range(height))
        )
        words = [str(numbers[claim] - numbers[use]) for use in claim.uses]
        if claim.answer is not None:
            words.insert(0, format_move(move_at(claim.answer)))
        return f"{'/'.join(rows)} {SIDES[claim.side].letter}: {' '.join(words)}"

    def _prove(self, position: Position, stones: Stones, winner: int) -> Match:
        """Returns an existing or new claim that matches a position."""
        side = SIDES.index(Color(position.to_move))
        if side == winner:
            match = self._known_win(stones, side)
            prove = self._prove_win
        else:
            match = self._losses[side].find(stones)
            prove = self._prove_loss
        if match:
            return match
        claim = prove(position, stones, side)
        self._claims.append(claim)
        (self._wins if side == winner else self._losses)[side].add(claim)
        return Match(claim, claim.zone)

    def _known_win(self, stones: Stones, side: int) -> Match | None:
        """Returns a claim that a side wins, without a search."""
        if claim := self._connection(stones, side):
            return Match(claim, claim.zone)
        return self._wins[side].find(stones)

    def _connection(self, stones: Stones, side: int) -> Claim | None:
        """Returns the claim with the smallest zone that a side wins at once."""
        claims = [
            Claim(stones, self._zones.of_connection(stones, side, stone), side, stone, [])
            for stone in single_points(self._zones.empty(stones))
            if self._zones.is_connected(self._zones.play(stones, side, stone), side)
        ]
        if not claims:
            return None
        claim = min(claims, key=lambda each: each.zone.bit_count())
        black, white = stones
        key = side, black & claim.zone, white & claim.zone, claim.zone
        if key not in self._connections:
            self._connections[key] = claim
            self._claims.append(claim)
        return self._connections[key]

    def _prove_win(self, position: Position, stones: Stones, side: int) -> Claim:
        self._show(f"{len(self._claims):,} claims")
        solution = self._solver.solve(position, turns=1)
        if solution.value is not Proof.WIN or not solution.line:
            raise ProofError(LOST)
        move = solution.line[0]
        stone = board_at(*coordinates(move))
        after = self._zones.play(stones, side, stone)
        match = self._prove(position.play(move), after, side)
        zone = self._zones.of_win(stones, side, stone, match.zone)
        return Claim(stones, zone, side, stone, [match.claim])

    def _prove_loss(self, position: Position, stones: Stones, side: int) -> Claim:
        defenses: list[Defense] = []

        def defend(stone: int, zone: int) -> Defense:
            """Returns the claim about the position after a move that extends the zone least."""
            after = self._zones.play(stones, side, stone)
            fitting = [
                defense for defense in defenses if agree(after, defense.stones, defense.match.zone)
            ]
            if fitting:
                return min(fitting, key=lambda each: (each.match.zone & ~zone).bit_count())
            next_position = position.play(move_at(stone))
            defenses.append(Defense(after, self._prove(next_position, after, 1 - side)))
            return defenses[-1]

        empty = self._zones.empty(stones)
        if skipped := self._known_win(stones, 1 - side):
            defenses.append(Defense(stones, skipped))
        # A claim that also matches the position before the move covers all moves outside its zone.
        tried = chain(defenses, (defend(stone, 0) for stone in single_points(empty)))
        outside = next(
            (each for each in tried if agree(each.stones, stones, each.match.zone)), None
        )
        zone = outside.match.zone if outside else self._zones.points
        uses = dict[int, Claim]()
        closures = {0: Closure(self._zones, stones, side, 0)}
        closed_before = 0
        while closed_before != zone:
            closed_before = zone
            zone = closures[0].extend(zone)
            for stone in single_points(zone & empty):
                if stone not in uses:
                    match = defend(stone, zone).match
                    uses[stone] = match.claim
                    zone |= match.zone
                    closures[stone] = Closure(self._zones, stones, side, stone)
                zone = closures[stone].extend(zone)
        moves = [uses[stone] for stone in sorted(uses, key=self._place)]
        if outside and zone != self._zones.points:
            moves.insert(0, outside.match.claim)
        return Claim(stones, zone, side, None, moves)

    def _place(self, stone: int) -> tuple[int, int]:
        """Returns the place of a point on the board of a line, for sorting."""
        x, y = coordinates(move_at(stone))
        return -y, x


class ClaimList:
    """A list of claims to search by stones, grouped by the stones in the middle of the board."""

    def __init__(self, zones: Zones) -> None:
        self._zones = zones
        self._groups: dict[Stones, ClaimGroup] = defaultdict(ClaimGroup)

    def add(self, claim: Claim) -> None:
        unknown = [*single_points(self._zones.middle & ~claim.zone)]
        known = self._zones.middle & claim.zone
        black, white = claim.stones
        for signs in product(range(3), repeat=len(unknown)):
            filled = [
                sum(at for at, sign in zip(unknown, signs, strict=True) if sign == color)
                for color in (0, 1)
            ]
            self._groups[black & known | filled[0], white & known | filled[1]].add(claim)

    def find(self, stones: Stones) -> Match | None:
        """Returns the match with the smallest zone; None without a match."""
        best: tuple[int, Match] | None = None
        for number, (black, white) in enumerate(self._zones.reflections(*stones)):
            group = self._groups.get((black & self._zones.middle, white & self._zones.middle))
            for claim in group.find(black, white) if group else ():
                count = claim.zone.bit_count()
                if best is None or count < best[0]:
                    # Each reflection is its own inverse.
                    [zone] = list(self._zones.reflections(claim.zone))[number]
                    best = count, Match(claim, zone)
        return best and best[1]


class ClaimGroup:
    """Claims that agree on the stones in the middle of the board."""

    def __init__(self) -> None:
        self._claims: list[Claim] = []
        self._boards = np.zeros((3, 16), np.uint64)  # Black's, White's and the zone, by claim

    def add(self, claim: Claim) -> None:
        if len(self._claims) == self._boards.shape[1]:
            self._boards = np.pad(self._boards, [(0, 0), (0, len(self._claims))])
        self._boards[:, len(self._claims)] = *claim.stones, claim.zone
        self._claims.append(claim)

    def find(self, black: int, white: int) -> Iterator[Claim]:
        """Yields the claims that match a position with these stones."""
        blacks, whites, zones = self._boards[:, : len(self._claims)]
        differing = ((blacks ^ np.uint64(black)) | (whites ^ np.uint64(white))) & zones
        return (self._claims[at] for at in np.flatnonzero(differing == 0))


def stones_of(position: Position) -> Stones:
    """Returns Black's and White's stones."""
    boards = [0, 0]
    for cell, content in enumerate(position.cells()):
        if content:
            y, x = divmod(cell, position.width)
            boards[content - 1] |= board_at(x, y)
    black, white = boards
    return black, white


def move_at(stone: int) -> int:
    """Returns the move to a point."""
    row, column = divmod(stone.bit_length() - 1, 8)
    return point(column, row)


def sign(claim: Claim, at: int) -> str:
    """Returns the sign of a point in a claim's line."""
    if not at & claim.zone:
        return NO_POINT
    for color, stones in zip(SIDES, claim.stones, strict=True):
        if at & stones:
            return STONES[color]
    return EMPTY
