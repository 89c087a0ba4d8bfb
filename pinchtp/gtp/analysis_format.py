"""Running analyses: what controllers ask for, and the lines that answer them.

The formats are those of Leela Zero (`lz-`), KataGo (`kata-`) and the plain `analyze` that Sabaki
prefers; see docs of those programs and protocol.md for what we leave out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pinchtp._core import PASS, SWAP, Report
from pinchtp.games import Color, Position
from pinchtp.games.notation import format_move, point, split_turns, whole_turns
from pinchtp.games.session import Session
from pinchtp.gtp import grammar
from pinchtp.player.levels import prior_shares

if TYPE_CHECKING:
    import pyparsing as pp

DEFAULT_INTERVAL = 1.0  # seconds between reports
LEAST_INTERVAL = 0.01
MOST_LENGTH = 20_000  # signs of the options; naming every point takes 2500

# What KataGo's users can switch on: what we report, and what we accept but do not report.
TOLD = ("ownership", "rootInfo")
UNTOLD = ("pvVisits", "pvEdgeVisits", "movesOwnership", "ownershipStdev", "movesOwnershipStdev")

CONFIDENCE = 1.96  # standard deviations below the mean at which lcb lies: 95 % of a normal curve


@dataclass(frozen=True)
class Style:
    """How a dialect writes winrates and priors: as a share of 1, or of ten thousand."""

    scale: int


LEELA = Style(scale=10_000)
KATAGO = Style(scale=1)


@dataclass(frozen=True)
class AnalysisRequest:
    """What an analysis reports. allowed: moves to consider, empty for all; interval in seconds."""

    interval: float = DEFAULT_INTERVAL
    least_moves: int = 0
    most_moves: int = 2**31
    ownership: bool = False
    root_info: bool = False
    allowed: frozenset[str] = frozenset()
    avoided: frozenset[str] = frozenset()


def _option_grammar() -> pp.ParserElement:
    import pyparsing as pp  # noqa: PLC0415  (as everything that makes grammars)

    number, boolean = grammar.number("value").grammar(), grammar.boolean("value").grammar()
    color, moves, plies = grammar.color(), grammar.move_list("moves"), grammar.integer("n")
    restricted = color.grammar() + moves.grammar() + plies.grammar()
    option = (  # a key is followed by its value, or the error is about that
        (pp.Keyword("interval") - number)
        | (pp.Keyword("minmoves") - plies.grammar())
        | (pp.Keyword("maxmoves") - grammar.count("n").grammar())
        | (pp.one_of([*TOLD, *UNTOLD], as_keyword=True) - boolean)
        | (pp.one_of("allow avoid", as_keyword=True) - restricted)
    )
    is_short = pp.Regex(f"(?=.{{0,{MOST_LENGTH}}}$)").set_name("fewer options").suppress()
    keys = ", ".join(["interval", "minmoves", "maxmoves", "allow", "avoid", *TOLD, *UNTOLD])
    end = pp.Regex("$").set_name(f"one of the keys {keys}").suppress()
    return is_short + pp.Group(pp.ZeroOrMore(pp.Group(option))) + end


OPTIONS = grammar.Argument("[key value]...", _option_grammar)


def request(
    color: Color, centiseconds: float | None, options: Iterable[Sequence[Any]]
) -> AnalysisRequest:
    """The request that a command's arguments make.

    Restrictions of the other color's moves, and of moves after the first, are ignored.
    """
    found: dict[str, Any] = {} if centiseconds is None else {"interval": centiseconds}
    restricted: dict[str, set[str]] = {"allow": set(), "avoid": set()}
    for name, *values in options:
        if name in restricted:
            if values[0] == color:
                restricted[name].update(values[1].split(","))
        else:
            found[name] = values[0]
    return AnalysisRequest(
        interval=max(found.get("interval", DEFAULT_INTERVAL * 100) / 100, LEAST_INTERVAL),
        least_moves=found.get("minmoves", 0),
        most_moves=found.get("maxmoves", 2**31),
        ownership=found.get("ownership", False),
        root_info=found.get("rootInfo", False),
        allowed=frozenset(restricted["allow"]),
        avoided=frozenset(restricted["avoid"]),
    )


def info_line(session: Session, report: Report, asked: AnalysisRequest, style: Style) -> str:
    """The best moves in one line, best first, each with its principal variation at the end.

    A move that was not visited is shown with the winrate of the position, which has to be known.
    """
    priors = prior_shares(report.choices)
    visited = sum(choice.visits > 0 for choice in report.choices)
    shown = min(max(visited, asked.least_moves, 1), asked.most_moves)
    return " ".join(
        _info(session, report, order, priors[choice.move], style)
        for order, choice in enumerate(report.choices[:shown])
    )


def root_info(report: Report) -> str:
    """KataGo's rootInfo: the position as a whole, whose winrate has to be known."""
    return f"rootInfo visits {report.visits} winrate {report.winrate:.6f}"


def ownership(values: Sequence[float], width: int, height: int) -> str:
    """KataGo's ownership: a number per point, rows from the top, for black."""
    points = [values[point(x, y)] for y in reversed(range(height)) for x in range(width)]
    return "ownership " + " ".join(f"{value:.3f}" for value in points)


def line_texts(
    session: Session, line: Iterable[int], *, parts: bool = False
) -> list[tuple[Color, str]]:
    """A line of play from the session's position: colors and turns, or their parts.

    The search may not have come to the end of a line's last turn. That turn is left out; but the
    first turn, which a client may play, gets the first legal parts.
    """
    notation = session.game.notation
    if not notation.has_parts:
        color = session.to_move
        return [(Color(color ^ at & 1), format_move(move)) for at, move in enumerate(line)]
    texts = []
    turns = list(split_turns(session.position, line))
    for number, (before, moves) in enumerate(turns, 1):
        color = Color(before.to_move)
        if parts or before.mid_turn:
            texts += [(color, format_move(move)) for move in moves]
        else:
            rest = _rest_of_turn(before, moves) if number == len(turns) else ()
            if not rest or not texts:
                texts.append((color, notation.format(before, moves + rest)))
    return texts


def _rest_of_turn(position: Position, moves: tuple[int, ...]) -> tuple[int, ...]:
    """The parts that a turn lacks after these, the first legal ones; none if it is whole."""
    for move in moves:
        position = position.play(move)
    return next(whole_turns(position)) if position.mid_turn else ()


def variation(session: Session, report: Report) -> str:
    """The principal variation as GoGui draws it, such as `b D4 w E5`: points only."""
    line = line_texts(session, report.choices[0].line, parts=True)
    special = {format_move(PASS), format_move(SWAP)}
    return " ".join(f"{color.letter} {text}" for color, text in line if text not in special)


def as_pass(text: str) -> str:
    """A move in an analysis: a swap is called pass, as clients know no other word."""
    return "pass" if text == "swap" else text


def _info(session: Session, report: Report, order: int, prior: float, style: Style) -> str:
    choice = report.choices[order]
    visits, winrate = choice.visits, choice.winrate
    if winrate is None:
        winrate = report.winrate
    assert winrate is not None
    spread = math.sqrt(winrate * (1 - winrate) / visits) if visits else 0.5
    lcb = max(0.0, winrate - CONFIDENCE * spread)
    line = [as_pass(text) for _, text in line_texts(session, choice.line)]
    parts = [
        f"info move {line[0]} visits {visits}",
        f"winrate {_share(winrate, style)} prior {_share(prior, style)} lcb {_share(lcb, style)}",
        f"order {order} pv {' '.join(line)}",
    ]
    return " ".join(parts)


def _share(value: float, style: Style) -> str:
    return f"{value:.6f}" if style.scale == 1 else str(round(value * style.scale))
