"""Messages about a table: board, legal moves, state and tree."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from time import time

from pinchtp._core import PASS, SWAP
from pinchtp.base.text import count
from pinchtp.board.protocol.base import ColorName, shown_name
from pinchtp.board.protocol.board import (
    BoardMarker,
    BoardView,
    Captured,
    Legal,
    LegalTurn,
)
from pinchtp.board.protocol.library import GameSummary
from pinchtp.board.protocol.players import PlayerChoice
from pinchtp.board.protocol.review import WorstMove
from pinchtp.board.protocol.state import (
    Clocks,
    ClockView,
    Rating,
    Result,
    RuleNote,
    State,
    Thinking,
)
from pinchtp.board.protocol.tree import TreeNode, TreeView
from pinchtp.board.rule_notes import find_notes
from pinchtp.board.table import Table
from pinchtp.board.tree import Node, RequestError, Tree
from pinchtp.games import LIFTED, Color, Position, markers
from pinchtp.games.game import BANNED, NO_CELL, PIECES, own_cells
from pinchtp.games.notation import (
    cell_of,
    cells_of,
    coordinates,
    format_move,
    is_point,
    point_of,
    whole_turns,
)
from pinchtp.games.session import Session
from pinchtp.games.symmetry import opens_swap
from pinchtp.render.cascade import distances_in_chain, flip_steps
from pinchtp.render.svg import ground_svg
from pinchtp.render.text import side_owners, status_text
from pinchtp.review.mistakes import mark

MOST_TURNS = 1000  # legal moves in a message; positions of real games have fewer

COLOR_NAMES: dict[Color, ColorName] = {Color.BLACK: "black", Color.WHITE: "white"}


def describe_board(session: Session) -> BoardView:
    """Returns the current board, with the last move and its captures."""
    position = session.position
    notation = session.game.notation
    owners = side_owners(session)
    chain = cells_of(position.winning_chain, position.width)
    return BoardView(
        width=position.width,
        height=position.height,
        cells=_list_cells(position),
        columns=list(notation.columns[: position.width]),
        rows=[notation.row_label(y) for y in range(position.height)],
        ground=ground_svg(session),
        chain=chain,
        distances=distances_in_chain(chain, position.width, position.height),
        last=cells_of(session.last_points(), position.width),
        captured=_list_captures(session),
        notes=[
            BoardMarker(
                marker.name, COLOR_NAMES[marker.color], cells_of(marker.points, position.width)
            )
            for marker in markers(position)
            if marker.points
        ],
        lifted=[COLOR_NAMES[marker.color] for marker in markers(position) if marker.name == LIFTED],
        top_owner=COLOR_NAMES[owners[0]] if owners else None,
    )


def _list_cells(position: Position) -> list[int]:
    return [-1 if cell == NO_CELL else cell for cell in position.cells()]


def no_legal_moves() -> Legal:
    """Returns an empty list of legal moves, for a finished game or an engine's turn."""
    return Legal([], [], pass_loses=False, todo="", refusals={})


def _show_legal(session: Session, moves: list[int]) -> Legal:
    """Returns the legal moves of the side to move."""
    position = session.position
    points = cells_of(moves, position.width)
    return Legal(
        points=points,
        turns=[] if session.game.places_stones else _list_turns(session),
        pass_loses=PASS in moves and position.play(PASS).result == 1 - position.to_move,
        todo=_describe_next_step(session),
        refusals=_explain_refusals(session, set(points)) if session.game.places_stones else {},
    )


def _list_turns(session: Session) -> list[LegalTurn]:
    position = session.position
    enemies = own_cells(Color(position.to_move).opponent)
    turns: list[LegalTurn] = []
    for parts, after in islice(whole_turns(position), MOST_TURNS):
        taken = [
            at
            for at, (old, new) in enumerate(zip(position.cells(), after.cells(), strict=True))
            if old in enemies and new not in PIECES
        ]
        text = "-".join(name_point(session, part) for part in parts)
        turns.append(LegalTurn(text, cells_of(parts, position.width), taken))
    return turns


def name_point(session: Session, move: int) -> str:
    """Returns the name of a point in the board's coordinates."""
    if not is_point(move):
        return format_move(move)
    x, y = coordinates(move)
    return session.game.notation.columns[x] + session.game.notation.row_label(y)


def _describe_next_step(session: Session) -> str:
    """Returns a sentence about the next step of an incomplete move, or an empty string."""
    position = session.position
    if not position.mid_turn:
        return ""
    lifted = [str(marker.color) for marker in markers(position) if marker.name == LIFTED]
    if lifted:
        more = f", then {count(len(lifted) - 1, 'more stone')}" if len(lifted) > 1 else ""
        return f"Place a lifted {lifted[0]} stone{more}."
    enemies = own_cells(Color(position.to_move).opponent)
    cells = position.cells()
    if all(cells[cell_of(move, position.width)] in enemies for move in position.legal_moves()):
        return "Several captures end there: choose a stone to capture."
    return "Choose a destination."


def _explain_refusals(session: Session, legal: set[int]) -> dict[int, str]:
    """Returns the reasons why empty points are illegal."""
    position = session.position
    return {
        at: session.why_illegal(point_of(at, position.width))
        for at, cell in enumerate(position.cells())
        if cell in (0, BANNED) and at not in legal
    }


def _list_captures(session: Session) -> list[Captured]:
    """Returns the captures of the last move, in the order of its cascade."""
    turn = session.last_turn
    if turn is None:
        return []
    position = session.position
    before = turn.before.cells()
    taken = cells_of(session.captured_points(), position.width)
    steps = flip_steps(turn, set(taken))
    captures = [Captured(at, before[at], steps.get(at, 1)) for at in taken]
    return sorted(captures, key=lambda capture: capture.step)


@dataclass(frozen=True)
class Activity:
    """The activity of engines and disk for a table; see State."""

    thinking: Thinking | None = None
    tasks: list[str] = field(default_factory=list)
    analysis_paused: bool = False
    saved: bool = True
    unrated: str = ""
    away: tuple[Color, ...] = ()


def describe_state(table: Table, rating: Rating, activity: Activity) -> State:
    """Returns the state of a table and its engines."""
    session = table.session
    result = _find_result(session, table.node)
    position = session.position
    moves = [] if table.is_over or table.awaits_engine else position.legal_moves()
    board = describe_board(session)
    return State(
        game=table.game.name,
        options=dict(table.options),
        handicap=table.handicap,
        board=board,
        serial=table.tree.serial,
        node=table.node.id,
        number=len(table.node.line()) - 1,
        to_move=COLOR_NAMES[table.to_move],
        legal=_show_legal(session, moves) if moves else no_legal_moves(),
        chosen=cells_of(table.chosen, position.width),
        standing=result.sentence if result else status_text(session),
        result=result,
        ended=table.has_ended,
        players=table.players,
        proposed=table.proposed_players,
        clocks=_show_clocks(table),
        time=table.time,
        live=table.live,
        thinking=activity.thinking,
        teaching=table.remark,
        teach=table.teach,
        unrated=activity.unrated,
        rating=rating,
        rating_change=table.rating_change if table.is_in_play else "",
        can=_list_requests(table, moves),
        tasks=activity.tasks,
        analysis_paused=activity.analysis_paused,
        move_text=table.node.text,
        announcement=_announce_move(table, result, board.captured),
        pace=table.pace,
        saved=activity.saved,
        seat="" if table.friend_here is None else COLOR_NAMES[table.friend_here.opponent],
        undo_asked=None if table.undo_asked is None else COLOR_NAMES[table.undo_asked],
        away=[COLOR_NAMES[color] for color in activity.away],
        puzzle=table.puzzle,
        loaded=table.is_loaded,
        solved=_list_improved(table),
        before=_list_cells(table.tree.position(table.node)) if table.chosen else [],
        rule_notes=_find_rule_notes(table, board),
    )


def summarize_game(table: Table, names: tuple[str, str]) -> GameSummary:
    """Returns the summary of a table's game for the library. names: of Black and White."""
    end = table.reached
    session = table.tree.session(end)
    result = _find_result(session, end)
    players = table.players.black, table.players.white
    nameless = [
        color
        for color, player, name in zip(Color, players, names, strict=True)
        if player.engine is None and not name
    ]
    return GameSummary(
        id=table.id,
        title=shown_name(table.header.name),
        game=table.game.name,
        date=shown_name(table.header.date),
        black=_add_level(names[0], players[0]),
        white=_add_level(names[1], players[1]),
        result="" if result is None else result.sentence,
        width=session.position.width,
        height=session.position.height,
        moves=sum(bool(node.moves) for node in end.line()),  # without a resignation
        board=describe_board(session),
        stored=int(time()),
        played=table.played,
        human=COLOR_NAMES[nameless[0]] if len(nameless) == 1 else None,
        winner="" if result is None else result.winner,
        lessons=[
            mistake.without_answer(solved=_has_better(table.tree, mistake.node))
            for mistake in _list_own_mistakes(table)
        ],
    )


def _find_rule_notes(table: Table, board: BoardView) -> list[RuleNote]:
    """Returns the notes on the rules that the last turn illustrates; none if only engines play."""
    if all(table.player(color).engine is not None for color in Color):
        return []
    return find_notes(table.session, board)


def _list_improved(table: Table) -> list[int]:
    """Returns the nodes of mistakes for which the visitor has found a better move."""
    nodes = [mistake.node for mistake in _list_own_mistakes(table)]
    return [node for node in nodes if _has_better(table.tree, node)]


def _list_own_mistakes(table: Table) -> list[WorstMove]:
    return [] if table.review is None else table.review.own


def _has_better(tree: Tree, number: int) -> bool:
    """Returns whether an alternative to a mistake was evaluated and is not a mistake.

    number: the id of the mistake's node.
    """
    with suppress(RequestError):  # the mistake was deleted
        parent = tree.node(number).parent
        tried = parent.children if parent is not None else []
        return any(node.loss is not None and not mark(node.loss) for node in tried)
    return False


def _add_level(name: str, player: PlayerChoice) -> str:
    """Returns the name of a player, with the strength of an engine."""
    level = player.level
    if player.engine is None:
        return name
    strength = f"{level.name[:1].lower()}{level.name[1:]}"
    if not strength and level.visits is not None:
        strength = f"{level.visits:,} visits"
    if not strength and level.seconds is not None:
        strength = f"{level.seconds:g} s per move"
    return ", ".join(filter(None, [name, strength]))


def _find_result(session: Session, node: Node) -> Result | None:
    """Returns the result of the game at a node; None if unfinished. session: at the node."""
    if node.flag_fell is not None:
        winner = node.flag_fell.opponent
        sentence = f"{winner.title} wins: {node.flag_fell.title}'s time is up"
        return Result(COLOR_NAMES[winner], sentence)
    if not session.is_over:
        return None
    name = "draw" if session.winner is None else COLOR_NAMES[session.winner]
    return Result(name, status_text(session))


def _announce_move(table: Table, result: Result | None, captured: list[Captured]) -> str:
    """Returns the last move in words, for screen readers."""
    node = table.node
    if node.color is None or table.chosen:
        return ""
    color = node.color.title
    if SWAP in node.moves:
        sentence = f"{color} has swapped: the first stone is {node.color} now"
        if owners := side_owners(table.session):
            sides = "top and bottom" if owners[0] == node.color else "left and right"
            sentence += f", and {color} joins {sides}"
    elif not node.moves:
        sentence = f"{color} resigns"
    else:
        sentence = f"{color} plays {node.text}"
        width = table.session.position.width
        points = [point_of(at, width) for at in sorted(each.at for each in captured)]
        names = ", ".join(name_point(table.session, point) for point in points)
        sentence += f", capturing {names}" if names else ""
    return f"{sentence}. {result.sentence}." if result else f"{sentence}."


def _show_clocks(table: Table) -> Clocks | None:
    if table.clocks is None:
        return None
    clocks = {}
    for color in Color:
        clock = table.clock(color)
        running = table.runs and color == table.to_move and not table.is_over
        clocks[color] = ClockView(min(clock.left, 1e9), clock.overtime_count, running)
    return Clocks(clocks[Color.BLACK], clocks[Color.WHITE])


def _list_requests(table: Table, moves: list[int]) -> list[str]:
    """Returns the available requests. moves: the legal moves."""
    unfinished = not table.is_over
    alone = not table.is_with_friend
    runs_alone = table.is_played or table.clocks is not None  # without a human's move
    plays_on = not (table.is_over or table.has_ended)
    may_resign = plays_on and (table.is_in_play or not table.is_played)
    yes = {
        "undo": table.can_undo(),
        "resign": may_resign and any(table.player(each).engine is None for each in Color),
        "rematch": table.is_over,
        "hint": unfinished and alone and not table.awaits_engine,
        "think": plays_on and alone and not table.awaits_engine,
        "resume": unfinished and not table.live and runs_alone,
        "pause": unfinished and alone and table.live and runs_alone,
        "swap": SWAP in moves,
        "pass": PASS in moves,
        "go": alone,
        "review": alone and len(table.line()) > 1,
        "solve": unfinished and alone,
        "analyze": alone,
        "opening": opens_swap(table.game, table.session.position),
    }
    return [name for name, is_so in yes.items() if is_so]


def describe_tree(table: Table) -> TreeView:
    """Returns the game tree and the displayed line."""
    return TreeView(_describe_nodes(table, table.tree), list_line(table))


def describe_tree_change(table: Table, revision: int, line: list[int]) -> TreeView:
    """Returns the changes since a revision of the tree. line: the line displayed then."""
    now = list_line(table)
    pairs = enumerate(zip(line, now, strict=False))
    same = next((at for at, (old, new) in pairs if old != new), min(len(line), len(now)))
    nodes = _describe_nodes(table, table.tree.nodes_changed_since(revision))
    return TreeView(nodes, now[same:], whole=False, kept=same)


def list_line(table: Table) -> list[int]:
    """Returns the ids of the displayed line."""
    return [node.id for node in table.line()]


def _describe_nodes(table: Table, nodes: Iterable[Node]) -> list[TreeNode]:
    return [
        TreeNode(
            id=node.id,
            parent=node.parent.id if node.parent else None,
            color=None if node.color is None else COLOR_NAMES[node.color],
            move=node.text,
            points=cells_of(node.moves, table.tree.start.width),
            comment=node.comment,
            black=node.black_winrate,
            loss=node.loss,
            mark=mark(node.loss),
        )
        for node in nodes
    ]
