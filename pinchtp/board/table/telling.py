"""What pages are told of a table: how it stands, and its game tree."""

from __future__ import annotations

from dataclasses import dataclass, field

from pinchtp import render
from pinchtp._core import SWAP
from pinchtp.board import messages as m
from pinchtp.board.table.table import Table, mark_of
from pinchtp.board.table.view import (
    COLOR_NAMES,
    board_of,
    cells_of,
    legal_of,
    nothing_legal,
    point_name,
)
from pinchtp.games import Color
from pinchtp.games.notation import format_move


@dataclass(frozen=True)
class Activity:
    """What engines do at a table; see m.State."""

    thinking: m.Thinking | None = None
    tasks: list[str] = field(default_factory=list)
    rests: bool = False


def state_of(table: Table, rating: m.Rating, activity: Activity) -> m.State:
    """The table as it stands, and what goes on there."""
    session = table.session
    result = _result(table)
    position = session.position
    is_closed = table.is_over or table.awaits_engine
    legal = nothing_legal() if is_closed else legal_of(session)
    return m.State(
        game=table.game.name,
        options=dict(table.options),
        handicap=table.handicap,
        board=board_of(session),
        node=table.node.id,
        number=len(table.node.line()) - 1,
        to_move=COLOR_NAMES[table.to_move],
        legal=legal,
        chosen=cells_of(table.chosen, position),
        swap=_swap_sentence(table),
        standing=result.sentence if result else render.standing(session),
        result=result,
        players=table.players,
        clocks=_clocks(table),
        time=table.time,
        live=table.live,
        thinking=activity.thinking,
        teaching=table.remark,
        teach=table.teach,
        rated=table.rated,
        rating=rating,
        can=_can(table, legal),
        tasks=activity.tasks,
        rests=activity.rests,
        move_text=table.node.text,
        announcement=_announcement(table, result),
        pace=table.pace,
    )


def _result(table: Table) -> m.Result | None:
    """How the game ended; None while it goes on."""
    if not table.is_over:
        return None
    winner = "draw" if table.winner is None else COLOR_NAMES[table.winner]
    late = table.node.late
    if late is not None:
        sentence = f"{late.opponent.title} wins: {late}'s time is up"
        return m.Result(winner, "time", sentence)
    cause = "board" if table.session.resigned is None else "resignation"
    return m.Result(winner, cause, render.standing(table.session))


def _swap_sentence(table: Table) -> str | None:
    """What a swap would do; None if none is possible."""
    if table.is_over or not table.session.position.swap_open:
        return None
    first = table.node.entries[-1].move
    assert first is not None
    mover, other = table.to_move, table.to_move.opponent
    name, opponent = mover.title, other.title
    return (
        f"{name} may swap colors instead of placing a stone: the stone on {format_move(first)} "
        f"turns {mover}, {name} takes over {opponent}'s sides, and {opponent} is to move"
    )


def _announcement(table: Table, result: m.Result | None) -> str:
    """The last move in words, for those who cannot see the board."""
    node = table.node
    if node.color is None or table.chosen:
        return ""
    color = node.color.title
    if SWAP in node.moves:
        told = (
            f"{color} has swapped: the first stone is {node.color} now, and {color} has its sides"
        )
    elif not node.moves:
        told = f"{color} resigns"
    else:
        told = f"{color} plays {node.text}"
        captured = [point_name(table.session, move) for move in table.session.captured()]
        told += f", capturing {', '.join(captured)}" if captured else ""
    return f"{told}. {result.sentence}." if result else f"{told}."


def _clocks(table: Table) -> m.Clocks | None:
    if table.clocks is None:
        return None
    clocks = {}
    for color in Color:
        clock = table.clock(color)
        running = table.runs and color == table.to_move and not table.is_over
        clocks[color] = m.Clock(min(clock.left, 1e9), clock.stones, running)
    return m.Clocks(clocks[Color.BLACK], clocks[Color.WHITE])


def _can(table: Table, legal: m.Legal) -> list[str]:
    """The requests that make sense now."""
    goes_on = not table.is_over
    yes = {
        "undo": table.node.parent is not None or bool(table.chosen),
        "resign": goes_on and any(table.player(each).engine is None for each in Color),
        "rematch": table.is_over,
        "hint": goes_on and not table.awaits_engine,
        "think": goes_on and not table.awaits_engine,
        "resume": goes_on and table.is_played and not table.live,
        "pause": goes_on and table.live and table.is_played,
        "swap": legal.swap,
        "pass": legal.can_pass,
        "review": len(table.line()) > 1,
        "solve": goes_on,
        "analyze": True,
    }
    return [name for name, is_so in yes.items() if is_so]


def tree_of(table: Table) -> m.Tree:
    """The game tree, and the line that is shown."""
    nodes = [
        m.Node(
            id=node.id,
            parent=node.parent.id if node.parent else None,
            color=None if node.color is None else COLOR_NAMES[node.color],
            move=node.text,
            points=cells_of(node.moves, table.tree.start),
            comment=node.comment,
            black=node.black,
            loss=node.loss,
            mark=mark_of(node.loss),
        )
        for node in table.tree
    ]
    return m.Tree(nodes, [node.id for node in table.line()])
