"""The page of a run, which shows its progress, in a single file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from pinchtp.base.text import count
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.html.charts import Axis, ChartLine, legend, line_chart, round_ends
from pinchtp.html.document import PageTemplate, write_document
from pinchtp.html.replay import ReplayBoard
from pinchtp.render.svg import position_svg

from .files import writing
from .games import SelfPlayGame
from .run import Generation, Run

TEMPLATE = PageTemplate(__package__, "run.html")
SAMPLES = 4  # games shown


def write_page(run: Run, path: Path) -> None:
    """Writes the page of a run. Raises RunError."""
    generations = [generation for generation in run.generations if generation.shards]
    done = [generation for generation in generations if generation.verdict is not None]
    page = TEMPLATE.render(
        title=f"Learning {GAMES[run.plan.game].title}",
        facts=[
            f"{run.plan.network.channels} channels, {count(run.plan.network.blocks, 'block')}",
            f"{len(done)} of {count(run.plan.generations, 'generation')}",
        ],
        rows=[_row(generation) for generation in generations],
        strength=_strength(done),
        losses=_losses(done),
        samples=[_picture(run.plan.game, record) for record in run.sample_games(SAMPLES)],
    )
    with writing(path):
        write_document(path, page)


def _row(generation: Generation) -> dict[str, Any]:
    losses = generation.losses
    verdict = generation.verdict
    return {
        "number": generation.number,
        "shards": len(generation.shards),
        "positions": losses.get("positions"),
        "minutes": losses.get("minutes"),
        "losses": losses.get("losses", {}),
        "verdict": "" if verdict is None else str(verdict),
    }


def _strength(done: list[Generation]) -> Markup | None:
    """Draws the Elo of the best network after each generation, the first at 0."""
    elo = 0.0
    points = []
    for each in done:
        assert each.verdict is not None
        if each.verdict.is_accepted:
            elo += each.verdict.elo
        points.append((float(each.number), elo))
    return _chart([ChartLine("best network", points)], "Elo points") if len(points) > 1 else None


def _losses(done: list[Generation]) -> Markup | None:
    names = sorted({name for each in done for name in each.losses.get("losses", {})})
    lines = [
        ChartLine(
            name,
            [
                (float(each.number), each.losses["losses"][name])
                for each in done
                if name in each.losses.get("losses", {})
            ],
        )
        for name in names
    ]
    return legend(names) + _chart(lines, "nats, or a share") if lines and len(done) > 1 else None


def _chart(lines: list[ChartLine], title: str) -> Markup:
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points]
    x = Axis(min(xs), max(xs), "generation", whole=True)
    return line_chart(lines, x, Axis(*round_ends(min(0.0, *ys), max(ys)), title), title)


def _picture(game: str, record: SelfPlayGame) -> dict[str, Any]:
    """Draws the end of a game, with move numbers on the stones."""
    position = GAMES[game].start(record.width, record.height, pie=record.pie)
    session = Session.at(GAMES[game], position, [])
    board = ReplayBoard(session)
    written: dict[int, str] = {}
    for number, move in enumerate(record.moves.tolist(), 1):
        before = session.position.cells()
        session.play(session.to_move, move)
        after = session.position.cells()
        placed = [cell for cell in range(len(after)) if after[cell] and not before[cell]]
        written |= dict.fromkeys(placed, str(number))
    cells = session.position.cells()
    written = {cell: text for cell, text in written.items() if cells[cell]}
    result = ("Black wins", "White wins", "Draw")[record.result]
    label = f"{record.width}x{record.height}: {result} after {count(len(record.moves), 'move')}"
    return {"label": label, "board": Markup(position_svg(board.session, cells, written, label))}
