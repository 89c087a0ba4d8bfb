"""Openings from files: a text list, an SGF collection, or a folder of SGF files.

In a text list each line is one opening, its moves separated by blanks; `#` begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pinchtp.match.game.judge import IllegalMove, judge_for
from pinchtp.match.game.rules import GameRules
from pinchtp.match.game.task import Opening
from pinchtp.match.plan.plan import PlanError
from pinchtp.notation import SwapSpelling
from pinchtp.records import RecordError, move_texts

SGF_SUFFIX = ".sgf"


def read_openings(path: Path, rules: GameRules, plies: int | None = None) -> tuple[Opening, ...]:
    """All openings of a file or folder, the first `plies` moves of each.

    With a referee every move is judged. Raises PlanError that names the file and the place.
    """
    try:
        found = list(_folder(path) if path.is_dir() else _file(path))
    except OSError as error:
        raise PlanError(f"openings: {error.filename or path}: {error.strerror}") from None
    if not found:
        raise PlanError(f"openings: {path} holds no opening")
    cut = [Opening(each.name, each.moves[:plies]) for each in found]
    return tuple(check_opening(each, rules) for each in cut)


def parse_openings(lines: Sequence[str], rules: GameRules, source: str) -> tuple[Opening, ...]:
    """The openings of a text list's lines. Raises PlanError."""
    return tuple(check_opening(each, rules) for each in _lines(lines, source))


def check_opening(opening: Opening, rules: GameRules) -> Opening:
    """The opening, its moves spelled as records have them.

    Raises PlanError if a move is illegal, or nothing is left to be played.
    """
    judge = judge_for(rules)
    moves = []
    for text in opening.moves:
        try:
            moves.append(judge.play(text, SwapSpelling.PASS))
        except IllegalMove as error:
            raise PlanError(f"openings: {opening.name}: {text}: {error}") from None
    if judge.is_over:
        raise PlanError(f"openings: {opening.name}: the game is over after it")
    return Opening(opening.name, tuple(moves))


def _folder(path: Path) -> Iterator[Opening]:
    for file in sorted(path.iterdir()):
        if file.suffix == SGF_SUFFIX:
            yield from _collection(file)


def _file(path: Path) -> Iterator[Opening]:
    if path.suffix == SGF_SUFFIX:
        return _collection(path)
    try:
        return _lines(path.read_text("utf-8").splitlines(), path.name)
    except UnicodeDecodeError:
        raise PlanError(f"openings: {path} is no text, and not named *{SGF_SUFFIX}") from None


def _lines(lines: Sequence[str], source: str) -> Iterator[Opening]:
    for number, line in enumerate(lines, 1):
        if moves := line.partition("#")[0].split():
            yield Opening(f"{source}:{number}", tuple(moves))


def _collection(path: Path) -> Iterator[Opening]:
    try:
        games = move_texts(path.read_bytes())
    except RecordError as error:
        raise PlanError(f"openings: {path} is no SGF file of openings: {error}") from None
    for number, moves in enumerate(games, 1):
        yield Opening(f"{path.name}:{number}", moves)
