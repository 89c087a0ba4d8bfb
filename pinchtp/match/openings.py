"""Openings from files: a text list, an SGF collection, or a directory of SGF files.

In a text list each line is one opening, its moves separated by spaces; `#` starts a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pinchtp.base.files import read_file
from pinchtp.games.session import Session
from pinchtp.match.plan import MatchPlan, PlanError
from pinchtp.match.playing.referee import IllegalMove, new_session, referee_for
from pinchtp.match.record import Opening
from pinchtp.records.errors import RecordError
from pinchtp.records.game import RecordedGame, Usual
from pinchtp.records.move_list import move_words
from pinchtp.records.reader import read_sgf

SGF_SUFFIX = ".sgf"


def read_openings(path: Path, plan: MatchPlan) -> tuple[Opening, ...]:
    """Returns the openings of a file or directory. Raises PlanError with the file and the place."""
    try:
        openings = list(_folder(path, plan) if path.is_dir() else _file(path, plan))
    except OSError as error:
        raise PlanError(f"openings: {error.filename or path}: {error.strerror}") from None
    if not openings:
        raise PlanError(f"openings: {path} contains no openings")
    return tuple(check_opening(opening, plan) for opening in openings)


def parse_openings(lines: Sequence[str], plan: MatchPlan, source: str) -> tuple[Opening, ...]:
    """Returns the openings from the lines of a text list. Raises PlanError."""
    return tuple(check_opening(line, plan) for line in _lines(lines, source))


def check_opening(opening: Opening, plan: MatchPlan) -> Opening:
    """Returns the opening with its moves in our notation, at most `opening_plies` of the plan.

    With a referee, every move is checked. Raises PlanError if a move is illegal, the last one is
    incomplete, or the opening ends the game.
    """
    referee = referee_for(plan)
    moves = []
    for text in opening.moves[: plan.opening_plies]:
        try:
            moves.append(referee.play(text))
        except IllegalMove as error:
            raise PlanError(f"openings: {opening.name}: {text}: {error}") from None
    if referee.is_over:
        raise PlanError(f"openings: {opening.name}: the game is over after this opening")
    if referee.mid_turn:
        raise PlanError(f"openings: {opening.name}: {moves[-1]}: incomplete move; add its steps")
    return Opening(opening.name, tuple(moves))


def _folder(path: Path, plan: MatchPlan) -> Iterator[Opening]:
    for file in sorted(path.iterdir()):
        if _is_sgf(file):
            yield from _collection(file, plan)


def _is_sgf(path: Path) -> bool:
    return path.suffix.lower() == SGF_SUFFIX


def _file(path: Path, plan: MatchPlan) -> Iterator[Opening]:
    if _is_sgf(path):
        return _collection(path, plan)
    try:
        return _lines(read_file(path).decode("utf-8-sig").splitlines(), path.name)
    except UnicodeDecodeError:
        raise PlanError(
            f"openings: {path}: not a text file; SGF files must end in {SGF_SUFFIX}"
        ) from None


def _lines(lines: Sequence[str], source: str) -> Iterator[Opening]:
    for number, line in enumerate(lines, 1):
        words = list(move_words(line))
        for color, word in words:
            if color is not None:
                raise PlanError(
                    f"openings: {source}:{number}: color before {word!r}; give moves only"
                )
        if words:
            yield Opening(f"{source}:{number}", tuple(word for _, word in words))


def _collection(path: Path, plan: MatchPlan) -> Iterator[Opening]:
    usual = new_session(plan) if plan.referee else None
    try:
        terms = Usual(usual.game, usual.options, is_required=True) if usual else Usual()
        games = read_sgf(read_file(path), terms)
    except RecordError as error:
        raise PlanError(f"openings: {path}: not an SGF file of openings: {error}") from None
    plies = plan.opening_plies
    for number, game in enumerate(games, 1):
        name = f"{path.name}:{number}"
        try:
            moves = game.move_texts(plies) if usual is None else _moves(game.read(plies), usual)
            yield Opening(name, tuple(moves))
        except RecordError as error:
            raise PlanError(f"openings: {name}: {error}") from None


def _moves(record: RecordedGame, usual: Session) -> Iterator[str]:
    """Yields the moves of a game. usual: a new game of the match. Raises RecordError."""
    start = record.start
    if (start.width, start.height) != (usual.start.width, usual.start.height):
        size = f"{usual.start.width}x{usual.start.height}"
        raise RecordError(f"the opening is for a board of {start.width}x{start.height}, not {size}")
    if (start.cells(), start.to_move) != (usual.start.cells(), usual.start.to_move):
        raise RecordError("it starts from a set-up position: openings consist of moves")
    played = record.session()
    for turn in played.turns():
        if turn.moves:
            yield from played.texts(turn)
