"""Playing a game without knowing its rules: what the engine itself lists, or else by trial."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pinchtp.check.probe import Probe
from pinchtp.check.registry import CheckFailed, Skipped

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # GTP 2 section 2.11: no I
QUICK_SIZES = (5, 7, 9, 13, 19)
LARGE_SIZES = (13, 11, 9, 19, 7, 5)
OBSERVERS = (
    "showboard",
    "gogui-rules_board",
    "gogui-rules_side_to_move",
    "gogui-rules_legal_moves",
    "all_legal b",
    "all_legal w",
    "list_stones b",
    "list_stones w",
)
OTHER = {"b": "w", "w": "b"}

# A clock that leaves little for a move: checks that need any move should not wait for a good one.
HURRY = "time_settings 0 1 10"

MOST_PLIES = 8  # times the number of points, after which a random game is given up
_TRIALS = 40  # points tried where nothing lists the legal ones
_VERTEX = re.compile(r"[A-HJ-Z][1-9][0-9]?", re.IGNORECASE | re.ASCII)


def is_vertex(text: str, size: int = len(COLUMNS)) -> bool:
    """Is this a point of a square board of that size?"""
    if not _VERTEX.fullmatch(text):
        return False
    return COLUMNS.index(text[0].upper()) < size and int(text[1:]) <= size


def is_move(text: str, legal: list[str] | None, size: int) -> bool:
    """Is this a word that controllers know, or one of the game's own notation, and legal?"""
    if text.lower() in ("pass", "resign"):
        return True
    listed = {move.upper() for move in legal or ()}
    first = text.upper().partition(",")[0]  # what follows are parts of the same move
    return text.upper() in listed or (is_vertex(first, size) and (legal is None or first in listed))


def new_game(probe: Probe, size: int | None = None, clock: str = HURRY) -> None:
    """An empty board of that size, the quick one by default. Raises Skipped."""
    size = size or probe.facts.size
    if size:
        probe.need(f"boardsize {size}")
    if clock and probe.lists("time_settings") and "time_settings" not in probe.facts.hung:
        probe.ask(clock)
    probe.need("clear_board")


def snapshot(probe: Probe) -> dict[str, str]:
    """The answers to all questions that show the state. Raises Skipped if there are none."""
    if not probe.facts.observers:
        raise Skipped("nothing shows the state: showboard is not listed")
    return {question: probe.need(question) for question in probe.facts.observers}


@contextmanager
def unchanged(probe: Probe, what: str) -> Iterator[None]:
    """Raises CheckFailed if the state after the `with` block is not that before it."""
    before = snapshot(probe)
    yield
    compare(before, snapshot(probe), f"after {what}")


def compare(expected: dict[str, str], found: dict[str, str], when: str) -> None:
    """Raises CheckFailed if two snapshots differ."""
    for question, text in expected.items():
        if found[question] != text:
            line, instead = _first_difference(text, found[question])
            raise CheckFailed(f"{when}, {question} says {instead!r} where it said {line!r}")


def _first_difference(text: str, other: str) -> tuple[str, str]:
    lines, others = text.split("\n"), other.split("\n")
    for line, instead in zip(lines, others, strict=False):
        if line != instead:
            return line.strip(), instead.strip()
    return f"{len(lines)} lines", f"{len(others)} lines"


def listed_moves(probe: Probe, color: str) -> list[str] | None:
    """The legal moves of a color as the engine tells them; None if it does not."""
    if probe.lists("gogui-rules_legal_moves"):
        return probe.need("gogui-rules_legal_moves").split()
    if probe.lists("all_legal"):
        return probe.need(f"all_legal {color}").split()
    return None


def is_over(probe: Probe) -> bool:
    """Is the game over? Raises Skipped if the engine does not tell."""
    if probe.lists("gogui-rules_legal_moves"):
        return not probe.need("gogui-rules_legal_moves").split()
    if not probe.lists("winner"):
        raise Skipped("nothing tells when a game is over: no gogui-rules_legal_moves, no winner")
    return probe.need("winner").strip().lower() != "none"


class Game:
    """A new game in which moves are made for both sides.

    color: who is believed to move next, `b` or `w`. history: color and move, as they were played.
    size: of the board; 19 if the engine takes none of the usual sizes.
    """

    def __init__(self, probe: Probe, size: int | None = None, clock: str = HURRY) -> None:
        new_game(probe, size, clock)
        self.probe = probe
        self.history: list[tuple[str, str]] = []
        self._color = "b"
        self.size = size or probe.facts.size or QUICK_SIZES[-1]
        self._random = random.Random(1)

    @property
    def color(self) -> str:
        if self.probe.lists("gogui-rules_side_to_move"):
            return self.probe.need("gogui-rules_side_to_move").strip().lower()[:1]
        if listed_moves(self.probe, self._color) == [] and listed_moves(
            self.probe, OTHER[self._color]
        ):
            self._color = OTHER[self._color]
        return self._color

    def advance(self, count: int = 1) -> tuple[str, str]:
        """Makes so many legal moves, passes only where there is nothing else; returns the last one.

        Raises Skipped if there is none to be found, or if a listed move is refused.
        """
        for _ in range(count):
            color = self.color
            moves = listed_moves(self.probe, color)
            if moves is None:
                self._try(color)
                continue
            points = [move for move in moves if move.lower() != "pass"] or moves
            if not points:
                raise Skipped("the game ended too early")
            self.play(color, self._random.choice(points))
        return self.history[-1]

    def play(self, color: str, move: str) -> None:
        """Makes a move. Raises Skipped if it is refused."""
        self.probe.need(f"play {color} {move}")
        self.note(color, move)

    def note(self, color: str, move: str) -> None:
        """A move was made."""
        self.history.append((color, move))
        self._color = OTHER[color]

    def illegal(self) -> str:
        """A move that can be read but not made: what was played before. Raises Skipped."""
        moves = listed_moves(self.probe, self.color) or []
        legal = {move.upper() for move in moves}
        for _, move in self.history:
            if move.upper() not in legal and move.lower() != "pass":
                return move
        raise Skipped("found no illegal move")

    def points(self) -> list[str]:
        """All points of the board in an order of its own."""
        points = [f"{x}{y + 1}" for x in COLUMNS[: self.size] for y in range(self.size)]
        self._random.shuffle(points)
        return points

    def _try(self, color: str) -> None:
        used = {move for _, move in self.history}
        free = [point for point in self.points() if point not in used]
        for point in free[:_TRIALS]:
            if self.probe.ask(f"play {color} {point}").ok:
                self.note(color, point)
                return
        raise Skipped(f"found no legal move for {color}")


def finished_game(probe: Probe) -> Game:
    """A random game played to its end. Raises Skipped if it has none, or if nothing shows it."""
    is_over(probe)
    game = Game(probe)
    most = MOST_PLIES * (probe.facts.size or QUICK_SIZES[-1]) ** 2
    for _ in range(most):
        if is_over(probe):
            return game
        game.advance()
    raise Skipped(f"a random game has not ended after {most} moves")


def survey(probe: Probe) -> None:
    """Learns the facts about an engine. What does not work is left out."""
    facts = probe.facts
    facts.name = _optional(probe, "name") or ""
    facts.version = _optional(probe, "version") or ""
    names = _optional(probe, "list_commands")
    facts.listed = None if names is None else names.split()
    facts.large = _accepted_size(probe, LARGE_SIZES)
    facts.size = _accepted_size(probe, QUICK_SIZES)
    _optional(probe, "clear_board")
    facts.observers = [each for each in OBSERVERS if _is_steady(probe, each)]


def _accepted_size(probe: Probe, sizes: tuple[int, ...]) -> int | None:
    return next((size for size in sizes if _optional(probe, f"boardsize {size}") is not None), None)


def _is_steady(probe: Probe, question: str) -> bool:
    if not probe.lists(question.split(maxsplit=1)[0]):
        return False
    text = _optional(probe, question)
    return text is not None and text == _optional(probe, question)


def _optional(probe: Probe, line: str) -> str | None:
    try:
        return probe.need(line)
    except Skipped:
        return None
