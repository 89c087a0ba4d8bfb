"""Plays a game for both sides.

Uses the engine's list of legal moves, our rules if it is one of our games, or trial and error.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pinchtp import games
from pinchtp._core import PASS, SWAP
from pinchtp.check.check import CheckFailed, CheckSkipped
from pinchtp.check.probe import EngineProbe
from pinchtp.games import Color
from pinchtp.games.notation import COLUMNS, NotationError, random_turn
from pinchtp.games.session import IllegalMove, Session

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
GAME_ID = "gogui-rules_game_id"
SIDE_TO_MOVE = "gogui-rules_side_to_move"

# A clock with little time per move, for checks to which the quality of a move does not matter.
HURRY = "time_settings 0 1 10"

MOST_PLIES = 8  # per point of the board, after which a random game is abandoned
_TRIALS = 40  # points tried if the engine does not list legal moves
_VERTEX = re.compile(r"[A-HJ-Z][1-9][0-9]?", re.IGNORECASE | re.ASCII)


def is_vertex(text: str, size: int = len(COLUMNS)) -> bool:
    """Returns whether a text is a point of a square board of this size."""
    if not _VERTEX.fullmatch(text):
        return False
    return COLUMNS.index(text[0].upper()) < size and int(text[1:]) <= size


def new_game(probe: EngineProbe, size: int | None = None, clock: str = HURRY) -> None:
    """Sets up an empty board; default: the size for quick checks. Raises CheckSkipped."""
    size = size or probe.facts.size
    if size:
        probe.ask_or_skip(f"boardsize {size}")
    if clock and probe.lists("time_settings") and "time_settings" not in probe.facts.hung:
        probe.ask(clock)
    probe.ask_or_skip("clear_board")


def snapshot(probe: EngineProbe) -> dict[str, str]:
    """Returns the responses to all queries of the state. Raises CheckSkipped if there are none."""
    if not probe.facts.observers:
        raise CheckSkipped("no command shows the state: showboard is not listed")
    return {question: probe.ask_or_skip(question) for question in probe.facts.observers}


@contextmanager
def require_unchanged(probe: EngineProbe, what: str) -> Iterator[None]:
    """Raises CheckFailed if the `with` block changes the state."""
    before = snapshot(probe)
    yield
    compare(before, snapshot(probe), f"after {what}")


def compare(expected: dict[str, str], reported: dict[str, str], when: str) -> None:
    """Raises CheckFailed if two snapshots differ."""
    for question, text in expected.items():
        if reported[question] != text:
            line, instead = _first_difference(text, reported[question])
            raise CheckFailed(f"{when}, {question} returns {instead!r} instead of {line!r}")


def _first_difference(text: str, other: str) -> tuple[str, str]:
    lines = text.split("\n")
    others = other.split("\n")
    for line, instead in zip(lines, others, strict=False):
        if line != instead:
            return line.strip(), instead.strip()
    return f"{len(lines)} lines", f"{len(others)} lines"


def listed_moves(probe: EngineProbe, color: Color) -> list[str] | None:
    """Returns the engine's list of legal moves of a color, or None."""
    if probe.lists("gogui-rules_legal_moves"):
        return probe.ask_or_skip("gogui-rules_legal_moves").split()
    if probe.lists("all_legal"):
        return probe.ask_or_skip(f"all_legal {color.letter}").split()
    return None


def sizes_of(game: games.GameType | None, usual: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the usual sizes that a game allows, or else its own; all of them if it is unknown."""
    if game is None:
        return usual
    return tuple(size for size in usual if game.smallest <= size <= game.largest) or game.size[:1]


class TrialGame:
    """A new game, played for both sides.

    color: the expected side to move. history: the moves played, with their colors.
    size: of the board; the usual one if the engine rejects all. rules: the same game by our own
    rules; None if they do not include it, or if the engine deviates from them.
    """

    def __init__(self, probe: EngineProbe, size: int | None = None, clock: str = HURRY) -> None:
        new_game(probe, size, clock)
        self.probe = probe
        self.history: list[tuple[Color, str]] = []
        self.size = size or probe.facts.size or sizes_of(probe.facts.game, QUICK_SIZES[-1:])[0]
        self.rules = _session(probe.facts.game, self.size)
        self._color = self.rules.to_move if self.rules else Color.BLACK
        self._random = random.Random(1)

    @property
    def color(self) -> Color:
        """The side to move. Raises CheckSkipped if the engine reports an invalid color.

        Our rules come first, so that an engine that reports the wrong side fails only checks of it.
        """
        if self.rules:
            return self.rules.to_move
        if self.probe.lists(SIDE_TO_MOVE):
            return _color(self.probe.ask_or_skip(SIDE_TO_MOVE))
        if listed_moves(self.probe, self._color) == [] and listed_moves(
            self.probe, self._color.opponent
        ):
            self._color = self._color.opponent
        return self._color

    def advance(self, count: int = 1) -> tuple[Color, str]:
        """Makes `count` legal moves, passes only if nothing else is legal; returns the last one.

        Each step of a multi-step move counts. Raises CheckSkipped if no legal move is found, or if
        a listed move is rejected.
        """
        for _ in range(count):
            color = self.color
            moves = listed_moves(self.probe, color)
            if moves is None:
                self._play_unlisted(color)
                continue
            points = [move for move in moves if move.lower() != "pass"] or moves
            if not points:
                raise CheckSkipped("the game ended too early")
            self.play(color, self._random.choice(points))
        return self.history[-1]

    def turn(self) -> tuple[Color, str]:
        """Makes a complete move like `advance`; returns its last step."""
        last = self.advance()
        while self.rules and self.rules.position.mid_turn:
            last = self.advance()
        return last

    def play(self, color: Color, move: str) -> None:
        """Makes a move. Raises CheckSkipped if it is rejected."""
        self.probe.ask_or_skip(f"play {color.letter} {move}")
        self.note(color, move)

    def note(self, color: Color, move: str) -> None:
        """Records a move that the engine made."""
        self.history.append((color, move))
        self._color = color.opponent
        try:
            if self.rules:
                self.rules.play(color, *self.rules.parse(move))
        except (NotationError, IllegalMove):
            self.rules = None

    def is_move(self, text: str, listed: list[str] | None) -> bool:
        """Returns whether a text is `pass`, `resign`, or a legal move of the side to move.

        listed: the engine's legal moves, for games that our rules do not include.
        """
        if text.lower() in ("pass", "resign"):
            return True
        if self.rules:
            return _is_legal(self.rules, text)
        moves = {move.upper() for move in listed or ()}
        first = text.upper().partition(",")[0]  # the rest are steps of the same move
        is_point = is_vertex(first, self.size) and (listed is None or first in moves)
        return is_point or text.upper() in moves

    def is_over(self) -> bool:
        """Returns whether the game is over. Raises CheckSkipped if that is unknown."""
        if self.probe.lists("gogui-rules_legal_moves"):
            return not self.probe.ask_or_skip("gogui-rules_legal_moves").split()
        if self.probe.lists("winner"):
            return self.probe.ask_or_skip("winner").strip().lower() != "none"
        if self.rules:
            return self.rules.is_over
        raise CheckSkipped("cannot detect the end of a game: no gogui-rules_legal_moves, no winner")

    def illegal(self) -> str:
        """Returns an earlier move that is now illegal. Raises CheckSkipped if there is none."""
        moves = listed_moves(self.probe, self.color) or []
        legal = {move.upper() for move in moves}
        for _, move in self.history:
            if move.upper() not in legal and move.lower() != "pass":
                return move
        raise CheckSkipped("found no illegal move")

    def points(self) -> list[str]:
        """Returns all points of the board in random order."""
        points = [f"{x}{y + 1}" for x in COLUMNS[: self.size] for y in range(self.size)]
        self._random.shuffle(points)
        return points

    def _play_unlisted(self, color: Color) -> None:
        if self.rules and not self.rules.is_over:
            turn = random_turn(self.rules.position, self._random.choice, avoid=(SWAP, PASS))
            self.play(color, self.rules.format(turn))
        else:
            self._try(color)

    def _try(self, color: Color) -> None:
        used = {move for _, move in self.history}
        free = [point for point in self.points() if point not in used]
        for point in free[:_TRIALS]:
            if self.probe.ask(f"play {color.letter} {point}").ok:
                self.note(color, point)
                return
        raise CheckSkipped(f"found no legal move for {color}")


def _color(reported: str) -> Color:
    """Parses a color reported by the engine. Raises CheckSkipped."""
    try:
        return Color.read(reported.strip())
    except ValueError:
        raise CheckSkipped(f"{SIDE_TO_MOVE} returns an invalid color: {reported!r}") from None


def play_to_end(probe: EngineProbe) -> TrialGame:
    """Plays a random game to its end. Raises CheckSkipped if no end is detected."""
    game = TrialGame(probe)
    most = MOST_PLIES * game.size**2
    for _ in range(most):
        if game.is_over():
            return game
        game.advance()
    raise CheckSkipped(f"a random game has not ended after {most} moves")


class WrongGame(Exception):
    """The engine plays another game than was said."""


def learn_facts(probe: EngineProbe) -> None:
    """Queries the facts about an engine; those that it does not report stay unknown.

    Raises WrongGame.
    """
    facts = probe.facts
    facts.name = _optional(probe, "name") or ""
    facts.version = _optional(probe, "version") or ""
    names = _optional(probe, "list_commands")
    facts.listed = None if names is None else names.split()
    reported = _read_game(probe)
    if facts.game and reported and reported != facts.game:
        raise WrongGame(f"the engine plays {reported.title}, not {facts.game.title}")
    facts.game = facts.game or reported
    facts.large = _find_size(probe, LARGE_SIZES)
    facts.size = _find_size(probe, QUICK_SIZES)
    _optional(probe, "clear_board")
    facts.observers = [observer for observer in OBSERVERS if _is_steady(probe, observer)]


def _read_game(probe: EngineProbe) -> games.GameType | None:
    """Returns the game that the engine reports, or None if it is not one of ours."""
    reported = _optional(probe, GAME_ID) if probe.lists(GAME_ID) else None
    return next((game for game in games.GAMES.values() if game.id == reported), None)


def _session(game: games.GameType | None, size: int) -> Session | None:
    """Returns a new game by our rules, or None if they do not allow the size."""
    try:
        return Session(game, size, size) if game else None
    except ValueError:
        return None


def _is_legal(session: Session, text: str) -> bool:
    """Returns whether a text is a legal move, but not a swap, which controllers do not support."""
    try:
        moves = session.parse(text)
        if SWAP in moves:
            return False
        session.play(session.to_move, *moves)
    except (NotationError, IllegalMove):
        return False
    session.undo()
    return True


def _find_size(probe: EngineProbe, usual: tuple[int, ...]) -> int | None:
    sizes = sizes_of(probe.facts.game, usual)
    return next((size for size in sizes if _optional(probe, f"boardsize {size}") is not None), None)


def _is_steady(probe: EngineProbe, question: str) -> bool:
    if not probe.lists(question.split(maxsplit=1)[0]):
        return False
    text = _optional(probe, question)
    return text is not None and text == _optional(probe, question)


def _optional(probe: EngineProbe, line: str) -> str | None:
    try:
        return probe.ask_or_skip(line)
    except CheckSkipped:
        return None
