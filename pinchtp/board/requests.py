"""What pages ask for, request by request."""

from __future__ import annotations

from collections.abc import Callable

from pinchtp import render
from pinchtp.board import messages as m
from pinchtp.board.room import Page, Room
from pinchtp.board.table.table import CannotDo
from pinchtp.board.table.tree import Node, TreeError
from pinchtp.games import Color


class Requests:
    """Does in a room what its pages ask for."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def handle(self, page: Page, request: m.Requests) -> None:
        """Does what a page asks for; says why if it cannot be done."""
        self._room.attention.touch()
        name = str(request.__struct_config__.tag).replace("-", "_")
        try:
            getattr(self, f"on_{name}")(request, page)
        except (CannotDo, TreeError) as error:
            page.send(m.written(m.Refused(request.id, str(error))))
        else:
            if request.id:
                page.send(m.written(m.Accepted(request.id)))

    def on_new_game(self, request: m.NewGame, page: Page) -> None:
        self._check_players(request.players)
        self._room.leave_position()
        self._room.table.new_game(request)
        self._room.moved()

    def on_rematch(self, request: m.Rematch, page: Page) -> None:
        self._room.leave_position()
        self._room.table.rematch(request.exchange)
        self._room.moved()

    def on_play(self, request: m.Play, page: Page) -> None:
        self._check_turn(request.node)
        self._human_moves(lambda: self._room.table.play_part(request.at))

    def on_play_turn(self, request: m.PlayTurn, page: Page) -> None:
        self._check_turn(request.node)
        self._human_moves(lambda: self._room.table.play_text(request.text))

    def on_swap(self, request: m.Swap, page: Page) -> None:
        self._check_turn(None)
        self._human_moves(lambda: self._room.table.play_text("swap"))

    def on_pass(self, request: m.Pass, page: Page) -> None:
        self._check_turn(None)
        self._human_moves(lambda: self._room.table.play_text("pass"))

    def on_cancel(self, request: m.Cancel, page: Page) -> None:
        self._room.table.cancel()
        self._room.changed()

    def on_undo(self, request: m.Undo, page: Page) -> None:
        self._room.leave_position()
        self._room.table.undo()
        self._room.moved()

    def on_resign(self, request: m.Resign, page: Page) -> None:
        self._room.leave_position()
        table = self._room.table
        humans = [color for color in Color if table.player(color).engine is None]
        table.resign(humans[0] if len(humans) == 1 else table.to_move)
        self._room.moved()

    def on_go(self, request: m.Go, page: Page) -> None:
        self._show(self._room.table.tree.node(request.node))

    def on_step(self, request: m.Step, page: Page) -> None:
        line = self._room.table.line()
        at = line.index(self._room.table.node) + request.by
        self._show(line[max(0, min(at, len(line) - 1))])

    def on_pause(self, request: m.Pause, page: Page) -> None:
        self._room.opponents.stop()
        self._room.table.pause_clock()
        self._room.table.live = False
        self._room.changed()

    def on_resume(self, request: m.Resume, page: Page) -> None:
        if self._room.table.is_over:
            raise CannotDo("the game is over")
        self._room.table.live = True
        self._room.table.resume_clock()
        self._room.moved()

    def on_think(self, request: m.Think, page: Page) -> None:
        self._check_engine(request.engine)
        self._room.opponents.move_once(request.engine)

    def on_set_players(self, request: m.SetPlayers, page: Page) -> None:
        self._check_players(request.players)
        self._room.opponents.stop()
        self._room.table.players = request.players
        self._room.moved()

    def on_set_options(self, request: m.SetOptions, page: Page) -> None:
        if request.teach is not None:
            self._room.table.teach = request.teach
        if request.pace is not None:
            self._room.table.pace = request.pace
        self._room.moved()

    def on_answer_teaching(self, request: m.AnswerTeaching, page: Page) -> None:
        self._room.studies.teacher.end()
        if request.take_back:
            self.on_undo(m.Undo(), page)
        else:
            self._room.moved()

    def on_comment(self, request: m.Comment, page: Page) -> None:
        self._room.table.tree.node(request.node).comment = request.text
        self._room.changed()

    def on_delete(self, request: m.Delete, page: Page) -> None:
        table = self._room.table
        node = table.tree.node(request.node)
        if node in table.node.line():
            self._room.leave_position()
            table.live = False
        table.tree.delete(node)
        if node in table.node.line() and node.parent is not None:
            table.show(node.parent)
        self._room.moved()

    def on_promote(self, request: m.Promote, page: Page) -> None:
        self._room.table.tree.promote(self._room.table.tree.node(request.node))
        self._room.changed()

    def on_set_up(self, request: m.SetUp, page: Page) -> None:
        self._room.leave_position()
        self._room.table.set_up(request)
        self._room.moved()

    def on_load(self, request: m.Load, page: Page) -> None:
        from pinchtp.board.table.importing import read  # noqa: PLC0415  (readers of files are heavy)

        tree, node, options = read(request.text, self._room.table)
        self._room.leave_position()
        self._room.table.load(tree, node, options)
        self._room.moved()

    def on_export(self, request: m.Export, page: Page) -> None:
        from pinchtp.board.table.importing import sgf_of  # noqa: PLC0415

        session = self._room.table.session
        text = {
            "sgf": lambda: sgf_of(self._room.table, self._room.names()),
            "svg": lambda: render.board_svg(session),
            "text": lambda: render.board_text(session),
        }[request.kind]()
        suffix = {"text": "txt"}.get(request.kind, request.kind)
        name = f"{session.game.name}-{len(self._room.table.node.line()) - 1}.{suffix}"
        page.send(m.written(m.Exported(request.id, request.kind, name, text)))

    def on_analyze(self, request: m.Analyze, page: Page) -> None:
        self._check_engine(request.engine)
        if request.on:
            self._room.studies.analysis.start(request.engine, request.ownership)
        else:
            self._room.studies.analysis.stop()

    def on_ask_overlay(self, request: m.AskOverlay, page: Page) -> None:
        self._check_engine(request.engine)
        self._room.studies.questions.overlay(request.engine, request.command)

    def on_ask_hint(self, request: m.AskHint, page: Page) -> None:
        self._check_engine(request.engine)
        self._room.studies.questions.hint(request.engine)

    def on_solve(self, request: m.Solve, page: Page) -> None:
        self._check_engine(request.engine)
        self._room.studies.questions.solve(request.engine, request.seconds)

    def on_ask_review(self, request: m.AskReview, page: Page) -> None:
        self._check_engine(request.engine)
        self._room.studies.reviewer.start(request.engine, request.visits)

    def on_stop(self, request: m.Stop, page: Page) -> None:
        if request.task == "move":
            self.on_pause(m.Pause(), page)
        else:
            self._room.studies.stop(request.task)

    def on_console_command(self, request: m.ConsoleCommand, page: Page) -> None:
        self._check_engine(request.engine)
        self._room.studies.questions.console(request.engine, request.line, request.id)

    def on_attend(self, request: m.Attend, page: Page) -> None:
        self._room.attention.show(page, is_seen=request.visible)

    def on_watch(self, request: m.Watch, page: Page) -> None:
        self._room.console_is_open = request.on

    def on_ask_rules(self, request: m.AskRules, page: Page) -> None:
        from pinchtp.board.table.lessons import lesson  # noqa: PLC0415  (looked at seldom)

        page.send(m.written(lesson(request.game, request.id)))

    def _check_turn(self, node: int | None) -> None:
        """A click that was meant for another position, or for an engine's turn, is refused."""
        table = self._room.table
        if node is not None and node != table.node.id:
            raise CannotDo("the board has changed meanwhile")
        if self._room.studies.teacher.remark is not None:
            raise CannotDo("first say whether to take the last move back")
        if table.awaits_engine:
            raise CannotDo(f"it is the turn of {self._room.name(table.mover)}")

    def _human_moves(self, move: Callable[[], bool]) -> None:
        before = self._room.table.node
        if self._room.table.check_time():
            self._room.moved()
            return
        is_whole = move()
        if is_whole:
            self._room.studies.teacher.human_moved(before)
            self._room.moved()
        else:
            self._room.changed()

    def _check_engine(self, number: int) -> None:
        if number >= len(self._room.specs):
            raise CannotDo(f"there is no engine {number + 1}")

    def _check_players(self, players: m.Players) -> None:
        for player in (players.black, players.white):
            self._check_engine(player.engine or 0)

    def _show(self, node: Node) -> None:
        if node is self._room.table.node and not self._room.table.chosen:
            return
        self._room.leave_position()
        self._room.table.pause_clock()
        self._room.table.show(node)
        self._room.table.live = False
        self._room.moved()
