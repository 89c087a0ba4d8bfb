"""Reviews of a line, and teaching during a game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from time import monotonic

from pinchtp.board.engines.evaluation import Evaluation, JobContext, Worker
from pinchtp.board.engines.findings import read_variation
from pinchtp.board.engines.jobs import (
    ChartTask,
    ExpectTask,
    Job,
    JudgeMoveTask,
    ReviewTask,
    Task,
    TeachTask,
)
from pinchtp.board.engines.pool import EngineFailed
from pinchtp.board.engines.table_engine import TableEngine
from pinchtp.board.protocol.board import VariationMove
from pinchtp.board.protocol.review import ForcedMove, Review, WorstMove
from pinchtp.board.protocol.state import Teaching
from pinchtp.board.tree import Node, Tree
from pinchtp.board.view import COLOR_NAMES
from pinchtp.client import CommandRefused
from pinchtp.client.engine import Stopped
from pinchtp.engine.analysis import Solved
from pinchtp.games import Color
from pinchtp.games.session import Session
from pinchtp.review.forced import ForcedLoss, solve_positions
from pinchtp.review.mistakes import mark, winrate_loss, worst

REVIEW_SECONDS = 20.0  # time limit per position
PROOF_SECONDS = 4.0  # time limit of all proofs
MOST_TURNS = 5  # turns of a forced win in a sentence
LESSONS = 3  # worst moves of a human, for which to find better ones
CHART_VISITS = 100  # per position; about a second per game

TEACHING_SECONDS = 1.5
TEACHING_VISITS = 600
TEACHING_LOSS = 0.10  # winrate loss from which a move is pointed out


async def review(context: JobContext, job: Job[ReviewTask]) -> None:
    """Evaluates every move of the displayed line; sends mistakes and proven losing moves."""
    tree = context.table.tree
    nodes = context.table.line()
    visits = job.task.visits
    done = 0
    was: Evaluation | None = None
    try:
        for at, node in enumerate(nodes):
            now = await context.evaluate(job.engine, node, visits, REVIEW_SECONDS, background=True)
            _check_complete(tree, nodes)
            if was is not None:
                tree.set_loss(node, move_loss(node, was, now))
            was = now
            done = at + 1
            context.send(_review(context, nodes, done, running=True))
        forced = await _find_forced_losses(context, job, nodes)
        _check_complete(tree, nodes)
        context.table.review = _review(context, nodes, done, running=False, forced=forced)
        context.send(context.table.review)
    except (asyncio.CancelledError, EngineFailed, Stopped):
        if context.table.tree is tree:  # not another game
            kept = [node for node in nodes if node in tree]
            context.send(_review(context, kept, min(done, len(kept)), running=False))
        raise


def _check_complete(tree: Tree, nodes: Sequence[Node]) -> None:
    """Raises Stopped if moves of a line were deleted."""
    if nodes[-1] not in tree:  # deleted with any move before it
        raise Stopped


async def evaluate_game(context: JobContext, job: Job[ChartTask]) -> None:
    """Evaluates the positions of a finished game, for its graph, by our engine at full strength."""
    if not context.slot(job.engine).engine.spec.own:
        return  # other engines may not support analysis
    for node in job.node.line():
        await context.evaluate(job.engine, node, CHART_VISITS, REVIEW_SECONDS, background=True)


def move_loss(node: Node, was: Evaluation, now: Evaluation) -> float:
    """Returns the winrate loss of a node's move."""
    assert node.color is not None
    best = was.line[0].text if was.line else ""
    return winrate_loss(node.color, node.text, best, was.analysis.winrate, now.analysis.winrate)


async def _find_forced_losses(
    context: JobContext, job: Job[ReviewTask], nodes: Sequence[Node]
) -> list[ForcedMove]:
    """Returns the moves that are proven to lose."""
    start, *moves = nodes
    moves = [node for node in moves if node.moves]  # without a resignation
    sessions = [context.table.tree.session(node) for node in [start, *moves]]
    solved: dict[Session, tuple[Solved, float]] = {}  # kept when a foreground job interrupts this

    def solve_all(engine: TableEngine) -> list[Solved]:
        def solve(session: Session, seconds: float) -> tuple[Solved, float]:
            if session not in solved:
                solved[session] = _solve(engine, session, seconds)
            return solved[session]

        return solve_positions(sessions, PROOF_SECONDS, solve)

    values = await context.slot(job.engine).run_in_background(solve_all)
    losses = (
        _find_forced_loss(number, node, session, *around)
        for number, (node, session, around) in enumerate(
            zip(moves, sessions[1:], pairwise(values), strict=True), 1
        )
    )
    return [loss for loss in losses if loss is not None]


def _solve(engine: TableEngine, session: Session, seconds: float) -> tuple[Solved, float]:
    """Returns the solver's result for a position, unknown if it takes longer, and its seconds."""
    began = monotonic()
    try:
        value = engine.solve(session, seconds, engine.spec.patience)
    except CommandRefused:
        value = Solved.unknown()
    engine.check_stop()  # a foreground job may have interrupted it
    return value, monotonic() - began


def _find_forced_loss(
    number: int, node: Node, session: Session, before: Solved, after: Solved
) -> ForcedMove | None:
    """Returns the forced loss by a node's move; None if it is not proven.

    session: after the move. before, after: the results before and after the move.
    """
    assert node.color is not None
    forced = ForcedLoss.of(node.color, before, after)
    if forced is None:
        return None
    return ForcedMove(
        node=node.id,
        number=number,
        color=COLOR_NAMES[node.color],
        move=node.text,
        sentence=forced.sentence(MOST_TURNS),
        line=read_variation(session, after.line),
    )


def _review(
    context: JobContext,
    nodes: Sequence[Node],
    done: int,
    *,
    running: bool,
    forced: Sequence[ForcedMove] = (),
) -> Review:
    """Returns the progress and the biggest mistakes so far."""
    humans = [color for color in Color if context.table.player(color).engine is None]
    own = [
        node
        for color in humans
        for node in worst((each for each in nodes if each.color == color and each.moves), LESSONS)
    ]
    listed, lessons = (
        [_worst(context, node, nodes.index(node)) for node in each] for each in (worst(nodes), own)
    )
    return Review(done, len(nodes), running, listed, lessons, list(forced))


def _worst(context: JobContext, node: Node, number: int) -> WorstMove:
    assert node.color is not None
    known = context.evaluations.get(node.parent)
    return WorstMove(
        node=node.id,
        number=number,
        color=COLOR_NAMES[node.color],
        move=node.text,
        loss=node.loss or 0,
        best=known.line if known else [],
        mark=mark(node.loss),
    )


async def judge_move(context: JobContext, job: Job[JudgeMoveTask]) -> None:
    """Evaluates a move, such as an alternative to a mistake, and stores its loss in the tree."""
    node = job.node
    visits = job.task.visits
    assert node.parent is not None
    was = await context.evaluate(job.engine, node.parent, visits, REVIEW_SECONDS)
    now = await context.evaluate(job.engine, node, visits, REVIEW_SECONDS)
    context.table.tree.set_loss(node, move_loss(node, was, now))


async def expect(context: JobContext, job: Job[ExpectTask]) -> None:
    """Evaluates the position while the visitor is thinking."""
    await context.evaluate(0, job.node, TEACHING_VISITS, TEACHING_SECONDS, background=True)


async def teach(context: JobContext, job: Job[TeachTask]) -> None:
    """Evaluates the visitor's move before the opponent's reply, and warns about a mistake."""
    table = context.table
    node = job.node
    assert node.parent is not None
    try:
        was = await context.evaluate(0, node.parent, TEACHING_VISITS, TEACHING_SECONDS)
        now = await context.evaluate(0, node, TEACHING_VISITS, TEACHING_SECONDS)
        loss = move_loss(node, was, now)
        table.tree.set_loss(node, loss)
        if loss >= TEACHING_LOSS and was.line:
            table.remark = _remark(node, was, now, loss)
    finally:
        if table.to_judge is node:
            table.to_judge = None


WORK: dict[type[Task], Worker] = {
    ReviewTask: review,
    ChartTask: evaluate_game,
    JudgeMoveTask: judge_move,
    ExpectTask: expect,
    TeachTask: teach,
}


def _remark(node: Node, was: Evaluation, now: Evaluation, loss: float) -> Teaching:
    """Returns the warning about a mistake."""
    assert node.color is not None
    before = was.analysis.winrate.pov(node.color)
    after = max(0.0, before - loss)
    best = was.line[0]
    sentence = (
        f"{node.text} drops your winrate from {before:.0%} to {after:.0%}. "
        f"{best.text} was better."
        + (f" {_describe_expected(node.color, now.line)}" if now.line else "")
    )
    return Teaching(best, now.line, sentence)


def _describe_expected(color: Color, line: Sequence[VariationMove]) -> str:
    """Returns the expected continuation in words. color: of the mistake."""
    if line[0].text == "swap":
        return f"{color.opponent.title} would swap."
    return f"Expected now: {' '.join(each.text for each in line[:3])}."
