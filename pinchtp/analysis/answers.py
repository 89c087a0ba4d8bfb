"""Answers to queries, with KataGo's names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pinchtp._core import PASS, SWAP, Position, Report
from pinchtp.analysis.queries import Query
from pinchtp.games import Color
from pinchtp.games.game import PIECES, color_of
from pinchtp.games.notation import point_of, points_from_top
from pinchtp.games.session import Session
from pinchtp.player.candidates import CandidateMove, candidates

DIGITS = 6
ILLEGAL = -1.0  # the prior of an illegal move
NO_SCORE = 0.0  # these games have none; KaTrain fails where the field is missing


class Findings(NamedTuple):
    """What is known about a position.

    raw, priors: the network's winrate and the probabilities of legal moves. ownership: by point,
    for Black.
    """

    session: Session
    report: Report
    raw: float | None
    priors: list[float] | None
    ownership: list[float] | None


def answer(
    query: Query, turn: int, found: Findings, *, is_during_search: bool = False
) -> dict[str, Any]:
    """Returns the answer of a search."""
    session, report = found.session, found.report
    side = _perspective(query, session)
    known = [] if report.winrate is None else candidates(session, report)
    moves = [_move_info(query, session, each, order) for order, each in enumerate(known)]
    root = _root_info(session, report.winrate, report.visits, side, found.raw)
    result = _head(query, turn, is_during_search=is_during_search)
    result |= {"moveInfos": moves, "rootInfo": root}
    if query.include_policy and found.priors is not None and session.game.places_stones:
        result["policy"] = _policy(session, found.priors)
    if found.ownership is not None:
        result["ownership"] = _ownership(query, session, found.ownership)
    return result


def answer_at_end(query: Query, turn: int, session: Session) -> dict[str, Any]:
    """Returns the answer for a game that is over: its result and its stones, and no moves."""
    winrate = 0.5 if session.winner is None else float(session.winner == session.to_move)
    side = _perspective(query, session)
    root = _root_info(session, winrate, 0, side, None)
    result = _head(query, turn) | {"moveInfos": [], "rootInfo": root}
    if query.include_ownership:
        result["ownership"] = _ownership(query, session, _final_owners(session.position))
    return result


def no_results(query: Query, turn: int) -> dict[str, Any]:
    """Returns the answer for a turn that was terminated before its search."""
    return _head(query, turn) | {"noResults": True}


def _head(query: Query, turn: int, *, is_during_search: bool = False) -> dict[str, Any]:
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": is_during_search}


def _perspective(query: Query, session: Session) -> Color:
    """Returns the color whose winrates are reported."""
    word = query.override_settings.get("reportAnalysisWinratesAs", "BLACK")
    return {"BLACK": Color.BLACK, "WHITE": Color.WHITE}.get(word, session.to_move)


def _root_info(
    session: Session, winrate: float | None, visits: int, side: Color, raw: float | None
) -> dict[str, Any]:
    to_move = session.to_move
    info: dict[str, Any] = {
        "currentPlayer": to_move.capital,
        "visits": visits,
        "thisHash": f"{hash(session.position) % 2**64:016X}",
    }
    if winrate is not None:
        info |= _values(winrate if side == to_move else 1 - winrate)
    if raw is not None:
        info["rawWinrate"] = round(raw if side == to_move else 1 - raw, DIGITS)
    return info


def _values(winrate: float) -> dict[str, float]:
    utility = round(2 * winrate - 1, DIGITS)
    return {"winrate": round(winrate, DIGITS), "utility": utility, "scoreLead": NO_SCORE}


def _move_info(query: Query, session: Session, move: CandidateMove, order: int) -> dict[str, Any]:
    ours = _perspective(query, session) == session.to_move
    bound = move.lcb if ours else 1 - move.lcb
    line = move.line[: query.analysis_pv_len]
    return {
        "move": move.line[0],
        "order": order,
        "visits": move.visits,
        "edgeVisits": move.visits,
        "weight": float(move.visits),
        **_values(move.winrate if ours else 1 - move.winrate),
        "lcb": round(bound, DIGITS),
        "utilityLcb": round(2 * bound - 1, DIGITS),
        "prior": round(move.prior, DIGITS),
        "pv": list(line),
        **({"pvVisits": move.line_visits[: len(line)]} if query.include_pv_visits else {}),
    }


def _ownership(
    query: Query, session: Session, owners: Sequence[float] | Mapping[int, float]
) -> list[float]:
    """Returns ownership row by row from the top. owners: by point, for Black."""
    sign = 1 if _perspective(query, session) == Color.BLACK else -1
    points = points_from_top(session.start.width, session.start.height)
    return [round(sign * owners[point], DIGITS) for point in points]


def _final_owners(position: Position) -> dict[int, float]:
    """Returns for each point 1 for a black piece, -1 for a white one, 0 otherwise."""
    sign = {cell: 1.0 if color_of(cell) == Color.BLACK else -1.0 for cell in PIECES}
    cells = enumerate(position.cells())
    return {point_of(at, position.width): sign.get(cell, 0.0) for at, cell in cells}


def _policy(session: Session, priors: list[float]) -> list[float]:
    """Returns priors of points, row by row from the top, and of a pass or swap; -1: illegal."""
    by_move = dict(zip(session.position.legal_moves(), priors, strict=True))
    other = by_move.get(SWAP, by_move.get(PASS, ILLEGAL))
    points = points_from_top(session.start.width, session.start.height)
    return [round(prior, DIGITS) for prior in (*(by_move.get(p, ILLEGAL) for p in points), other)]
