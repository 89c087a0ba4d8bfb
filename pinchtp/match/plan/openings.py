"""Openings from files: a text list, an SGF collection, or a folder of SGF files.

In a text list each line is one opening, its moves separated by blanks; `#` begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pinchtp.match.game.judge import IllegalMove, judge_for
from pinchtp.match.game.rules import GameRules
from pinchtp.match.game.task import Opening
from pinchtp.match.plan.plan import PlanError
from pinchtp.notation import COLUMNS, SwapSpelling

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
    from sgfmill import sgf_grammar  # type: ignore[import-untyped]  # noqa: PLC0415

    try:
        games = sgf_grammar.parse_sgf_collection(path.read_bytes())
    except ValueError as error:
        raise PlanError(f"openings: {path} is no SGF: {error}") from None
    for number, game in enumerate(games, 1):
        nodes = list(sgf_grammar.main_sequence_iter(game))
        height = _height(nodes[0])
        moves = [
            _text(values[0], height)
            for node in nodes
            for name, values in node.items()
            if name in ("B", "W")
        ]
        yield Opening(f"{path.name}:{number}", tuple(moves))


def _height(root: dict[str, Any]) -> int:
    """Rows of the board, as SZ has them."""
    size = root.get("SZ", [b"19"])[0].decode("ascii", "replace")
    try:
        return int(size.rpartition(":")[2])
    except ValueError:
        raise PlanError(f"openings: SZ[{size}] is no size of a board") from None


def _text(value: bytes, height: int) -> str:
    """A move of SGF as text: two letters, column and row from the upper left, or a word."""
    text = value.decode("ascii", "replace").strip()
    if len(text) == 2 and text.isalpha() and text.islower():
        x, y = (ord(letter) - ord("a") for letter in text)
        if x < len(COLUMNS) and y < height:
            return f"{COLUMNS[x]}{height - y}"
    return text or "pass"
