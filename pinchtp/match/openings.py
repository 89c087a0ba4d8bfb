"""Openings from files: a text list, an SGF collection, or a folder of SGF files.

In a text list each line is one opening, its moves separated by spaces; `#` starts a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pinchtp.base.files import read_file
from pinchtp.games.session import Session
from pinchtp.match.plan import MatchPlan, PlanError
from pinchtp.match.record import Opening
from pinchtp.match.referee import IllegalMove, new_session, referee_for
from pinchtp.records.sgf import SgfError, SgfNode, from_nodes, is_move, main_lines, move_texts

SGF_SUFFIX = ".sgf"


def read_openings(path: Path, plan: MatchPlan, plies: int | None = None) -> tuple[Opening, ...]:
    """Returns all openings of a file or directory, the first `plies` moves of each.

    With a referee every move is checked. Raises PlanError with the file and the place.
    """
    try:
        found = list(_folder(path, plan, plies) if path.is_dir() else _file(path, plan, plies))
    except OSError as error:
        raise PlanError(f"openings: {error.filename or path}: {error.strerror}") from None
    if not found:
        raise PlanError(f"openings: {path} has no openings")
    cut = [Opening(each.name, each.moves[:plies]) for each in found]
    return tuple(check_opening(each, plan) for each in cut)


def parse_openings(lines: Sequence[str], plan: MatchPlan, source: str) -> tuple[Opening, ...]:
    """Returns the openings of a text list's lines. Raises PlanError."""
    return tuple(check_opening(each, plan) for each in _lines(lines, source))


def check_opening(opening: Opening, plan: MatchPlan) -> Opening:
    """Returns the opening with its moves in our notation.

    Raises PlanError if a move is illegal, or the game is over after the last.
    """
    referee = referee_for(plan)
    moves = []
    for text in opening.moves:
        try:
            moves.append(referee.play(text))
        except IllegalMove as error:
            raise PlanError(f"openings: {opening.name}: {text}: {error}") from None
    if referee.is_over:
        raise PlanError(f"openings: {opening.name}: the game is over after it")
    return Opening(opening.name, tuple(moves))


def _folder(path: Path, plan: MatchPlan, plies: int | None) -> Iterator[Opening]:
    for file in sorted(path.iterdir()):
        if _is_sgf(file):
            yield from _collection(file, plan, plies)


def _is_sgf(path: Path) -> bool:
    return path.suffix.lower() == SGF_SUFFIX


def _file(path: Path, plan: MatchPlan, plies: int | None) -> Iterator[Opening]:
    if _is_sgf(path):
        return _collection(path, plan, plies)
    try:
        return _lines(read_file(path).decode("utf-8-sig").splitlines(), path.name)
    except UnicodeDecodeError:
        raise PlanError(
            f"openings: {path}: not a text file; SGF files must end in {SGF_SUFFIX}"
        ) from None


def _lines(lines: Sequence[str], source: str) -> Iterator[Opening]:
    for number, line in enumerate(lines, 1):
        if moves := line.partition("#")[0].split():
            yield Opening(f"{source}:{number}", tuple(moves))


def _collection(path: Path, plan: MatchPlan, plies: int | None) -> Iterator[Opening]:
    try:
        games = main_lines(read_file(path))
    except SgfError as error:
        raise PlanError(f"openings: {path}: not an SGF file of openings: {error}") from None
    for number, nodes in enumerate(games, 1):
        name = f"{path.name}:{number}"
        try:
            yield Opening(name, _sgf_moves(_cut(nodes, plies), plan))
        except SgfError as error:
            raise PlanError(f"openings: {name}: {error}") from None


def _cut(nodes: list[SgfNode], plies: int | None) -> list[SgfNode]:
    """Returns the nodes before move `plies` + 1, which may be invalid in our games."""
    moves = [at for at, node in enumerate(nodes) if is_move(node)]
    return nodes if plies is None else nodes[: moves[plies] if plies < len(moves) else None]


def _sgf_moves(nodes: list[SgfNode], plan: MatchPlan) -> tuple[str, ...]:
    """Returns the moves of a game, checked by our rules with a referee. Raises SgfError."""
    if not plan.referee:
        return tuple(move_texts(nodes))
    usual = new_session(plan)
    start, turns, *_ = from_nodes(nodes, usual.game, **usual.options)
    if (start.width, start.height) != plan.board:
        width, height = plan.board
        raise SgfError(f"it is on a board of {start.width}x{start.height}, not {width}x{height}")
    if (start.cells(), start.to_move) != (usual.start.cells(), usual.start.to_move):
        raise SgfError("it starts from a set-up position: openings consist of moves")
    played = Session.at(usual.game, start, turns)
    return tuple(text for turn in played.turns() if turn.moves for text in played.texts(turn))
