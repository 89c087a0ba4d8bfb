"""Responses to queries, with KataGo's names of fields."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from pinchtp._core import PASS, SWAP, Position
from pinchtp.analysis.queries import Query
from pinchtp.engine.analysis import Analysis, Candidate, as_pass
from pinchtp.games import Color
from pinchtp.games.game import PIECES, color_of
from pinchtp.games.notation import points_from_top
from pinchtp.games.session import Session
from pinchtp.games.winrate import Winrate

DIGITS = 6
ILLEGAL = -1.0  # the prior of an illegal move
NO_SCORE = 0.0  # our games have no score; KaTrain fails without the field


def answer(  # noqa: PLR0913  (the results for a position)
    query: Query,
    turn: int,
    session: Session,
    analysis: Analysis | None,
    evaluation: tuple[float, list[float]] | None,
    *,
    is_during_search: bool = False,
) -> dict[str, Any]:
    """Returns the response for a search.

    analysis: its result; None if it was stopped before its first visit. evaluation: the network's
    winrate and its priors of the legal moves; None without a network.
    """
    side = _perspective(query, session)
    moves = () if analysis is None else analysis.candidates
    root = _root_info(session, analysis, side)
    if evaluation is not None:
        raw = Winrate(evaluation[0], session.to_move)
        root["rawWinrate"] = round(raw.pov(side), DIGITS)
    result = _head(query, turn, is_during_search=is_during_search)
    result["moveInfos"] = [_move_info(query, each, order, side) for order, each in enumerate(moves)]
    result["rootInfo"] = root
    if query.include_policy and evaluation is not None and session.game.places_stones:
        result["policy"] = _policy(session, evaluation[1])
    if analysis is not None and analysis.owners is not None:
        result["ownership"] = _ownership(query, session, analysis.owners)
    return result


def answer_at_end(query: Query, turn: int, session: Session) -> dict[str, Any]:
    """Returns the response for a game that is over: its result and its stones, without moves."""
    root = _root_info(session, Analysis.of_result(session), _perspective(query, session))
    result = _head(query, turn) | {"moveInfos": [], "rootInfo": root}
    if query.include_ownership:
        result["ownership"] = _ownership(query, session, _final_owners(session.position))
    return result


def no_results(query: Query, turn: int) -> dict[str, Any]:
    """Returns the response for a turn that was terminated before its search."""
    return _head(query, turn) | {"noResults": True}


def _head(query: Query, turn: int, *, is_during_search: bool = False) -> dict[str, Any]:
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": is_during_search}


def _perspective(query: Query, session: Session) -> Color:
    """Returns the color whose winrates are reported."""
    return session.to_move if query.perspective is None else query.perspective


def _root_info(session: Session, analysis: Analysis | None, side: Color) -> dict[str, Any]:
    info: dict[str, Any] = {
        "currentPlayer": session.to_move.capital,
        "visits": 0 if analysis is None else analysis.visits,
        "thisHash": _hash(session.position),
    }
    if analysis is not None:
        info |= _values(analysis.winrate.pov(side))
    return info


def _hash(position: Position) -> str:
    """Returns the hash of a position, 32 hexadecimal digits, the same in every run.

    The hash in the core does not include the game and the size of the board.
    """
    low, high = position.hash128
    words = f"{position.game} {position.width} {position.height} {low} {high}"
    return hashlib.blake2b(words.encode(), digest_size=16).hexdigest().upper()


def _values(winrate: float) -> dict[str, float]:
    utility = round(2 * winrate - 1, DIGITS)
    return {"winrate": round(winrate, DIGITS), "utility": utility, "scoreLead": NO_SCORE}


def _move_info(query: Query, move: Candidate, order: int, side: Color) -> dict[str, Any]:
    assert move.lcb is not None  # our search has both
    assert move.prior is not None
    bound = move.lcb.pov(side)
    most = None if query.analysis_pv_len is None else query.analysis_pv_len + 1  # as in KataGo
    line = move.pv[:most]
    return {
        "move": as_pass(move.move),
        "order": order,
        "visits": move.visits,
        "edgeVisits": move.visits,
        "weight": float(move.visits),
        **_values(move.winrate.pov(side)),
        "lcb": round(bound, DIGITS),
        "utilityLcb": round(2 * bound - 1, DIGITS),
        "prior": round(move.prior, DIGITS),
        "pv": [as_pass(each) for each in line],
        **({"pvVisits": list(move.pv_visits[: len(line)])} if query.include_pv_visits else {}),
    }


def _ownership(query: Query, session: Session, owners: Sequence[Sequence[float]]) -> list[float]:
    """Returns the ownership of the points, by rows from the top.

    owners: by rows from the bottom, from 1 (black) to -1 (white).
    """
    sign = _perspective(query, session).sign
    return [round(sign * owner, DIGITS) for row in reversed(owners) for owner in row]


def _final_owners(position: Position) -> list[list[float]]:
    """Returns the owner of each point at the end, by rows from the bottom.

    It is 1 for a black piece, -1 for a white one, and otherwise 0.
    """
    owners = {cell: float(color_of(cell).sign) for cell in PIECES}
    values = [owners.get(cell, 0.0) for cell in position.cells()]
    return [values[at : at + position.width] for at in range(0, len(values), position.width)]


def _policy(session: Session, priors: list[float]) -> list[float]:
    """Returns the priors of the points, by rows from the top, and of a pass or swap.

    The prior of an illegal move is -1.
    """
    by_move = dict(zip(session.position.legal_moves(), priors, strict=True))
    other = by_move.get(SWAP, by_move.get(PASS, ILLEGAL))
    points = points_from_top(session.start.width, session.start.height)
    return [round(prior, DIGITS) for prior in (*(by_move.get(p, ILLEGAL) for p in points), other)]
