"""The page of a review: the graph, the worst moves with their boards, and all moves."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from pinchtp import __version__
from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.html.charts import Axis, ChartLine, line_chart
from pinchtp.html.document import PageTemplate
from pinchtp.html.format import percent
from pinchtp.render.svg import board_svg
from pinchtp.review.mistakes import LEAST_LOSS
from pinchtp.review.output import better, describe_forced_loss, heading
from pinchtp.review.review import GameReview, ReviewedMove

TEMPLATE = PageTemplate("pinchtp.review", "review.html", styles=["review.css"])


@dataclass(frozen=True)
class MistakeBoard:
    """A mistake with a picture of the board after it. picture: a data URL."""

    move: ReviewedMove
    better: str
    picture: str


def document(review: GameReview, name: str, effort: str) -> str:
    """Returns the page. name: of the file. effort: the limits and the engine, in words."""
    last = len(review.moves)
    chart = line_chart(
        [ChartLine("Black", [(move.number, move.black) for move in review.moves])],
        Axis(1, max(last, 2), "move", whole=True),
        Axis(0, 1, format=percent, marked={0.5: ""}),
        "Black's winrate after each move",
    )
    losses = {color.title: review.mean_loss(color) for color in Color}
    return TEMPLATE.render(
        title=f"Review of {name}",
        facts=[heading(review), effort, f"pinchtp {__version__}"],
        chart=chart,
        review=review,
        mistakes=[_board(review.session, move) for move in review.worst()],
        losses={name: loss for name, loss in losses.items() if loss is not None},
        least_loss=LEAST_LOSS,
        better=better,
        forced=describe_forced_loss,
    )


def _board(session: Session, move: ReviewedMove) -> MistakeBoard:
    replay = Session.at(session.game, move.turn.before)
    replay.play(move.color, *move.turn.moves)
    svg = base64.b64encode(board_svg(replay).encode()).decode()
    return MistakeBoard(move, better(move), f"data:image/svg+xml;base64,{svg}")
