"""The output of a review: text for a terminal, JSON, and annotated SGF."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from pinchtp import __version__
from pinchtp.base.text import count
from pinchtp.games import Color
from pinchtp.games.history import NO_EXTRAS, Turn
from pinchtp.games.session import Session
from pinchtp.html.format import percent
from pinchtp.records.sgf import today, variation_to_sgf, variations_to_sgf
from pinchtp.render.text import status_text
from pinchtp.review.forced import SENTENCE, ForcedLoss
from pinchtp.review.mistakes import LEAST_LOSS
from pinchtp.review.review import GameReview, ReviewedMove

CURVE_WIDTH, CURVE_HEIGHT = 72, 8  # columns and rows
BLOCKS = " ▁▂▃▄▅▆▇█"
ASCII_BLOCKS = "    ::::#"
MOST_TURNS = 5  # of a variation


# --- text


def text(review: GameReview, *, ascii_only: bool = False) -> str:
    """Returns the review for a terminal: the graph, all moves, and the worst moves."""
    parts = [heading(review)]
    if review.moves:
        parts.append("\n".join(["Black's winrate", *curve(review, ascii_only=ascii_only)]))
        parts.append("\n".join([HEAD, *map(_row, review.moves)]))
    parts.append(conclusion(review))
    return "\n\n".join(filter(None, parts))


def heading(review: GameReview) -> str:
    """Returns the game and its result."""
    session = review.session
    size = f"{session.start.width}x{session.start.height}"
    moves = count(len(review.moves), "move")
    return f"{session.game.title} {size}, {moves}. {status_text(session)}"


def curve(review: GameReview, *, ascii_only: bool = False) -> list[str]:
    """Returns Black's winrate after each move as a bar chart, with its axis."""
    values = [move.black for move in review.moves]
    step = -(-len(values) // CURVE_WIDTH)  # moves per column
    chunks = (values[at : at + step] for at in range(0, len(values), step))
    columns = [max(chunk, key=lambda value: abs(value - 0.5)) for chunk in chunks]
    blocks = ASCII_BLOCKS if ascii_only else BLOCKS
    lines = []
    for row in reversed(range(CURVE_HEIGHT)):
        filled = (round(8 * (value * CURVE_HEIGHT - row)) for value in columns)
        bars = "".join(blocks[min(max(each, 0), 8)] for each in filled)
        label = {CURVE_HEIGHT - 1: "100 %", CURVE_HEIGHT // 2 - 1: " 50 %", 0: "  0 %"}.get(row, "")
        lines.append(f"{label:5} |{bars}".rstrip())
    marks = "".join(
        f"{at * step + 1:<10}" for at in range(0, len(columns), 10)
    )  # every tenth column has its move
    return [*lines, f"       {marks}".rstrip()]


HEAD = "     move                  Black   loss"


def _row(move: ReviewedMove) -> str:
    lossy = f"{percent(move.loss):>5}  {move.mark}" if move.loss >= LEAST_LOSS else ""
    name = f"{move.color} {move.text}"
    return f"{move.number:>4} {name:20}{percent(move.black):>7}{lossy and '  ' + lossy}"


def conclusion(review: GameReview) -> str:
    """Returns the worst moves with better ones, the moves that lost by force, and mean losses."""
    lines = []
    if mistakes := review.worst():
        lines.append("Worst moves")
    for move in mistakes:
        lines.append(
            f"{move.number:>4} {move.color} {move.text} lost {percent(move.loss)} "
            f"({percent(move.before.winrate)} to {percent(move.winrate)})"
            f"{_advice(move)}"
        )
    if proven := [move for move in review.moves if move.forced]:
        lines.append("Forced losses")
    lines += [
        f"{move.number:>4} {move.color} {move.text} {describe_forced_loss(move)}" for move in proven
    ]
    losses = {color.title: review.mean_loss(color) for color in Color}
    means = [f"{name} {percent(loss)}" for name, loss in losses.items() if loss is not None]
    return "\n".join([*lines, *([f"Mean loss per move: {', '.join(means)}"] if means else [])])


def better(move: ReviewedMove) -> str:
    """Returns the principal variation that the engine prefers to a move; empty without one."""
    return " ".join(text for _, text in move.better[:MOST_TURNS])


def _advice(move: ReviewedMove) -> str:
    return f", better: {better(move)}" if move.better else ""


def describe_forced_loss(move: ReviewedMove) -> str:
    """Returns a sentence on how a move lost by force; empty without a proof."""
    return move.forced.sentence(MOST_TURNS) if move.forced else ""


# --- JSON


def as_json(review: GameReview) -> str:
    """Returns the review as JSON. Winrates are in 0..1, for Black unless named otherwise."""
    session = review.session
    document = {
        "version": __version__,
        "engine": review.engine,
        "game": session.game.name,
        "width": session.start.width,
        "height": session.start.height,
        "result": status_text(session),
        "winner": str(session.winner) if session.winner is not None else None,
        "moves": [_entry(move) for move in review.moves],
        "worst": [move.number for move in review.worst()],
        "mean_loss": {str(color): review.mean_loss(color) for color in Color},
    }
    return json.dumps(document, indent=1)


def _entry(move: ReviewedMove) -> dict[str, Any]:
    return {
        "number": move.number,
        "color": str(move.color),
        "move": move.text,
        "black_winrate": round(move.black, 4),
        "loss": round(move.loss, 4),
        "mark": move.mark,
        "visits": move.after.visits,
        "better": [text for _, text in move.better] if move.loss else [],
        "forced_loss": move.forced and _encode_forced_loss(move.forced),
    }


def _encode_forced_loss(proof: ForcedLoss) -> dict[str, Any]:
    before, after = proof.before, proof.after
    return {"before": before.value, "best": list(before.line), "line": list(after.line)}


# --- SGF


@dataclass
class AnnotatedTurn:
    """A turn of a record, and the turns that follow it."""

    turn: Turn
    branches: list[AnnotatedTurn] = field(default_factory=list)


# Lines of comments as _annotate() writes them, in files whose winrates are read.
_OURS = re.compile(rf"winrate \d+ %(, \w+: lost \d+ %(, better: .*)?)?|{SENTENCE.pattern}")


def as_sgf(review: GameReview) -> str:
    """Returns the game with winrates, comments, and variations with better play at mistakes.

    The comments replace those of an earlier review. Its variations are kept; others are added.
    """
    session = review.session
    reviewed = iter(review.moves)
    first: list[AnnotatedTurn] = []
    branches = first
    extras = session.info.extras or NO_EXTRAS
    for turn in session.turns():
        move = next(reviewed) if turn.moves and not turn.after_end else None
        node = AnnotatedTurn(turn if move is None else _annotate(move))
        branches.append(node)
        if move is not None and move.loss >= LEAST_LOSS:
            known = {"".join(text.split()) for text in extras.variations}
            for variation in _variation(session, move):
                if "".join(variation_to_sgf(session, variation).split()) not in known:
                    branches.append(variation)
        branches = node.branches
        extras = turn.extras
    return variations_to_sgf(session, first, today())


def _annotate(move: ReviewedMove) -> Turn:
    is_ours = move.turn.winrate is not None
    lines = move.turn.comment.split("\n")
    others = [line for line in lines if not (is_ours and _OURS.fullmatch(line))]
    comment = f"winrate {percent(move.winrate)}"
    if move.mark:
        comment += f", {move.mark}: lost {percent(move.loss)}{_advice(move)}"
    comments = filter(None, ["\n".join(others), comment, describe_forced_loss(move)])
    return replace(move.turn, winrate=move.winrate, comment="\n".join(comments))


def _variation(session: Session, move: ReviewedMove) -> Sequence[AnnotatedTurn]:
    """Returns the engine's variation in place of a move."""
    replay = Session.at(session.game, move.turn.before)
    for color, text in move.better[:MOST_TURNS]:
        replay.play(color, *replay.parse(text))
    nodes = [AnnotatedTurn(turn) for turn in replay.turns()]
    for node, following in pairwise(nodes):
        node.branches.append(following)
    return nodes[:1]
