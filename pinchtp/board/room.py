"""A visitor's room: the table, the pages that show it, and the engines that play and study there.

Requests come in one at a time. Each changes the table at once, or starts a task that changes it
later; whatever changed is told to all pages of the visitor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

from pinchtp import __version__, render
from pinchtp.board import messages as m
from pinchtp.board.engines.engine import EngineSpec, Stopped
from pinchtp.board.engines.opponents import Opponents
from pinchtp.board.engines.pool import EngineFailed, Pool, Seat, Teller
from pinchtp.board.engines.studies import Studies
from pinchtp.board.table.rating import Ratings
from pinchtp.board.table.registry import game_infos, levels
from pinchtp.board.table.table import CannotDo, Table, mark_of
from pinchtp.board.table.tree import TreeError
from pinchtp.board.table.view import COLOR_NAMES, board_of, cells_of, legal_of
from pinchtp.games import Color

SAVE_AFTER = 0.2  # seconds in which further changes are waited for


class Page(Protocol):
    """A page that shows the table."""

    def send(self, text: str) -> None:
        """Sends a message; never waits."""


class Room(Teller):
    """Everything of one visitor."""

    def __init__(
        self, specs: list[EngineSpec], pool: Pool, save: Callable[[Room], None], table: Table
    ) -> None:
        """save: keeps the room on disk; called soon after a change."""
        self.table = table
        self.ratings = Ratings()
        self.pages: set[Page] = set()
        self.watched = False
        self._specs, self._pool, self._save = specs, pool, save
        self._seats: dict[int, Seat] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._saving: asyncio.TimerHandle | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._infos: list[m.EngineInfo] = [
            m.EngineInfo(spec.name, "" if spec.own else spec.command) for spec in specs
        ]
        self._told_tree = ""
        self.opponents = Opponents(self)
        self.studies = Studies(self)

    # --- pages

    def enter(self, page: Page) -> None:
        """A page has come."""
        self.pages.add(page)
        for message in (self._hello(), self._state(), self._tree()):
            page.send(m.written(message))
        self.opponents.advance()
        self.studies.follow()

    def leave(self, page: Page) -> None:
        """A page has gone; without one nothing thinks any more."""
        self.pages.discard(page)
        if not self.pages:
            self.studies.stop_all()
            self.opponents.stop()
            self.table.pause_clock()
            self.watched = False

    def send(self, message: m.Message) -> None:
        """Tells all pages."""
        text = m.written(message)
        for page in list(self.pages):
            page.send(text)

    def changed(self) -> None:
        """The table has changed: pages are told, the clock is watched, and it is kept."""
        self.send(self._state())
        tree = m.written(self._tree())
        if tree != self._told_tree:
            self._told_tree = tree
            for page in list(self.pages):
                page.send(tree)
        self._watch_clock()
        self.keep()

    def keep(self) -> None:
        """Has the room saved soon."""
        if self._saving is None:
            loop = asyncio.get_running_loop()
            self._saving = loop.call_later(SAVE_AFTER, self.save_now)

    def save_now(self) -> None:
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        self._save(self)

    async def close(self) -> None:
        """Ends everything that runs, and keeps the table."""
        self.studies.stop_all()
        self.opponents.stop()
        if self._flag:
            self._flag.cancel()
        self.table.pause_clock()
        self.save_now()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for seat in self._seats.values():
            await seat.close()
        self._seats.clear()

    # --- requests

    def handle(self, page: Page, request: m.Requests) -> None:
        """Does what a page asks for; says why if it cannot be done."""
        name = str(request.__struct_config__.tag).replace("-", "_")
        try:
            getattr(self, f"on_{name}")(request, page)
        except (CannotDo, TreeError) as error:
            page.send(m.written(m.Refused(request.id, str(error))))

    def on_new_game(self, request: m.NewGame, page: Page) -> None:
        self._check_players(request.players)
        self._leave_position()
        self.table.new_game(request)
        self.moved()

    def on_rematch(self, request: m.Rematch, page: Page) -> None:
        self._leave_position()
        self.table.rematch(request.exchange)
        self.moved()

    def on_play(self, request: m.Play, page: Page) -> None:
        self._check_turn(request.node)
        self._human_moves(lambda: self.table.play_part(request.at))

    def on_play_turn(self, request: m.PlayTurn, page: Page) -> None:
        self._check_turn(request.node)
        self._human_moves(lambda: self.table.play_text(request.text))

    def on_swap(self, request: m.Swap, page: Page) -> None:
        self._check_turn(None)
        self._human_moves(lambda: self.table.play_text("swap"))

    def on_pass(self, request: m.Pass, page: Page) -> None:
        self._check_turn(None)
        self._human_moves(lambda: self.table.play_text("pass"))

    def on_cancel(self, request: m.Cancel, page: Page) -> None:
        self.table.cancel()
        self.changed()

    def on_undo(self, request: m.Undo, page: Page) -> None:
        self._leave_position()
        self.table.undo()
        self.moved()

    def on_resign(self, request: m.Resign, page: Page) -> None:
        self._leave_position()
        table = self.table
        humans = [color for color in Color if table.player(color).engine is None]
        table.resign(humans[0] if len(humans) == 1 else table.to_move)
        self.moved()

    def on_go(self, request: m.Go, page: Page) -> None:
        self._show(self.table.tree.node(request.node))

    def on_step(self, request: m.Step, page: Page) -> None:
        line = self.table.line()
        at = line.index(self.table.node) + request.by
        self._show(line[max(0, min(at, len(line) - 1))])

    def on_pause(self, request: m.Pause, page: Page) -> None:
        self.opponents.stop()
        self.table.pause_clock()
        self.table.live = False
        self.changed()

    def on_resume(self, request: m.Resume, page: Page) -> None:
        if self.table.is_over:
            raise CannotDo("the game is over")
        self.table.live = True
        self.table.resume_clock()
        self.moved()

    def on_think(self, request: m.Think, page: Page) -> None:
        self._check_engine(request.engine)
        self.opponents.move_once(request.engine)

    def on_set_players(self, request: m.SetPlayers, page: Page) -> None:
        self._check_players(request.players)
        self.opponents.stop()
        self.table.players = request.players
        self.moved()

    def on_set_options(self, request: m.SetOptions, page: Page) -> None:
        if request.teach is not None:
            self.table.teach = request.teach
        if request.pace is not None:
            self.table.pace = request.pace
        self.moved()

    def on_answer_teaching(self, request: m.AnswerTeaching, page: Page) -> None:
        self.studies.end_teaching()
        if request.take_back:
            self.on_undo(m.Undo(), page)
        else:
            self.moved()

    def on_comment(self, request: m.Comment, page: Page) -> None:
        self.table.tree.node(request.node).comment = request.text
        self.changed()

    def on_delete(self, request: m.Delete, page: Page) -> None:
        table = self.table
        node = table.tree.node(request.node)
        if node in table.node.line():
            self._leave_position()
            table.live = False
        table.tree.delete(node)
        if node in table.node.line() and node.parent is not None:
            table.show(node.parent)
        self.moved()

    def on_promote(self, request: m.Promote, page: Page) -> None:
        self.table.tree.promote(self.table.tree.node(request.node))
        self.changed()

    def on_set_up(self, request: m.SetUp, page: Page) -> None:
        self._leave_position()
        self.table.set_up(request)
        self.moved()

    def on_load(self, request: m.Load, page: Page) -> None:
        from pinchtp.board.table.importing import read  # noqa: PLC0415  (readers of files are heavy)

        tree, node, options = read(request.text, self.table)
        self._leave_position()
        self.table.load(tree, node, options)
        self.moved()

    def on_export(self, request: m.Export, page: Page) -> None:
        from pinchtp.board.table.importing import sgf_of  # noqa: PLC0415

        session = self.table.session
        text = {
            "sgf": lambda: sgf_of(self.table, self._names()),
            "svg": lambda: render.board_svg(session),
            "text": lambda: render.board_text(session),
        }[request.kind]()
        suffix = {"text": "txt"}.get(request.kind, request.kind)
        name = f"{session.game.name}-{len(self.table.node.line()) - 1}.{suffix}"
        page.send(m.written(m.Exported(request.id, request.kind, name, text)))

    def on_analyze(self, request: m.Analyze, page: Page) -> None:
        self._check_engine(request.engine)
        self.studies.analyze(request.on, request.engine, request.ownership)

    def on_ask_overlay(self, request: m.AskOverlay, page: Page) -> None:
        self._check_engine(request.engine)
        self.studies.overlay(request.engine, request.command)

    def on_ask_hint(self, request: m.AskHint, page: Page) -> None:
        self._check_engine(request.engine)
        self.studies.hint(request.engine)

    def on_solve(self, request: m.Solve, page: Page) -> None:
        self._check_engine(request.engine)
        self.studies.solve(request.engine, request.seconds)

    def on_ask_review(self, request: m.AskReview, page: Page) -> None:
        self._check_engine(request.engine)
        self.studies.review(request.engine, request.visits)

    def on_stop(self, request: m.Stop, page: Page) -> None:
        if request.task == "move":
            self.on_pause(m.Pause(), page)
        else:
            self.studies.stop(request.task)

    def on_console_command(self, request: m.ConsoleCommand, page: Page) -> None:
        self._check_engine(request.engine)
        self.studies.console(request.engine, request.line, request.id)

    def on_watch(self, request: m.Watch, page: Page) -> None:
        self.watched = request.on

    def on_ask_rules(self, request: m.AskRules, page: Page) -> None:
        from pinchtp.board.table.lessons import lesson  # noqa: PLC0415  (looked at seldom)

        page.send(m.written(lesson(request.game, request.id)))

    # --- what requests and tasks have in common

    def _check_turn(self, node: int | None) -> None:
        """A click that was meant for another position, or for an engine's turn, is refused."""
        table = self.table
        if node is not None and node != table.node.id:
            raise CannotDo("the board has changed meanwhile")
        if self.studies.teaching is not None:
            raise CannotDo("first say whether to take the last move back")
        if table.live and table.mover.engine is not None and not table.is_over:
            raise CannotDo(f"it is the turn of {self.name(table.mover)}")

    def _human_moves(self, move: Callable[[], bool]) -> None:
        before = self.table.node
        if self.table.check_time():
            self.moved()
            return
        is_whole = move()
        if is_whole:
            self.studies.human_moved(before)
            self.moved()
        else:
            self.changed()

    def _check_engine(self, number: int) -> None:
        if number >= len(self._specs):
            raise CannotDo(f"there is no engine {number + 1}")

    def _check_players(self, players: m.Players) -> None:
        for player in (players.black, players.white):
            self._check_engine(player.engine or 0)

    def _show(self, node: Any) -> None:
        if node is self.table.node and not self.table.chosen:
            return
        self._leave_position()
        self.table.pause_clock()
        self.table.show(node)
        self.table.live = False
        self.moved()

    def _leave_position(self) -> None:
        """What was thought about the position is not wanted any more."""
        self.opponents.stop()
        self.studies.leave()

    def moved(self) -> None:
        """Another position is shown, or others play."""
        self.opponents.rate()
        self.changed()
        self.studies.follow()
        self.opponents.advance()

    @property
    def is_visited(self) -> bool:
        """Whether any page shows the table."""
        return bool(self.pages)

    @property
    def is_held_back(self) -> bool:
        """Whether the opponent has to wait until the last move was judged."""
        return self.studies.holds_back

    def advance(self) -> None:
        """Lets an engine move if it is its turn."""
        self.opponents.advance()

    def name(self, player: m.Player) -> str:
        """A player's name, for sentences."""
        if player.name:
            return player.name
        return "the human" if player.engine is None else self._specs[player.engine].name

    # --- engines

    def seat(self, number: int) -> Seat:
        """The engine of that number, at this table."""
        if number not in self._seats:
            self._seats[number] = self._pool.seat(self._specs[number], self)
        return self._seats[number]

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that uses an engine; what goes wrong with that is told."""
        task = asyncio.get_running_loop().create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        with suppress(Stopped):
            try:
                await work
            except EngineFailed:
                pass  # has been told
            finally:
                self.tell_engines()

    def tell_engines(self) -> None:
        """Tells pages what is new about the engines."""
        for number, seat in self._seats.items():
            info = seat.engine.info()
            if info.started and info != self._infos[number]:
                self._infos[number] = info
                self.send(self._hello())

    def traffic(self, engine: Seat, kind: str, line: str) -> None:
        if self.watched:
            self.send(m.Console([m.ConsoleLine(self._number(engine), kind, line)]))

    def failed(self, engine: Seat, reason: str, *, again: bool) -> None:
        number = self._number(engine)
        name = self._specs[number].name
        after = "it was started again, and the position restored" if again else "it is given up"
        level = "warning" if again else "error"
        self.send(m.Notice(level, f"{name} {reason}; {after}", number))  # type: ignore[arg-type]

    def waits(self, engine: Seat) -> None:
        number = self._number(engine)
        text = f"{self._specs[number].name} waits: as many engines as may run are at work"
        self.send(m.Notice("info", text, number))

    def _number(self, seat: Seat) -> int:
        return next(number for number, each in self._seats.items() if each is seat)

    # --- messages

    def _names(self) -> tuple[str, str]:
        """The players' names for a record: empty for a human who gave none."""
        players = (self.table.players.black, self.table.players.white)
        names = [each.name if each.engine is None else self.name(each) for each in players]
        return names[0], names[1]

    def _hello(self) -> m.Hello:
        return m.Hello(__version__, game_infos(), list(self._infos), levels())

    def _state(self) -> m.State:
        table, session = self.table, self.table.session
        result = table.result()
        position = session.position
        legal = legal_of(session)
        if table.is_over:
            legal = m.Legal([], [], swap=False, can_pass=False, todo="", refusals={})
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
            swap=table.swap_sentence(),
            standing=result.sentence if result else render.standing(session),
            result=result,
            players=table.players,
            clocks=self._clocks(),
            time=table.time,
            live=table.live,
            thinking=self.opponents.thinking,
            teaching=self.studies.teaching,
            teach=table.teach,
            rated=table.rated,
            rating=self.ratings.message(table.game.name),
            can=self._can(legal),
            tasks=self.studies.running(),
            move_text=table.node.text,
            announcement=table.announcement(),
            pace=table.pace,
        )

    def _clocks(self) -> m.Clocks | None:
        table = self.table
        if table.clocks is None:
            return None
        clocks = {}
        for color in Color:
            clock = table.clock(color)
            running = table.runs and color == table.to_move and not table.is_over
            clocks[color] = m.Clock(min(clock.left, 1e9), clock.stones, running)
        return m.Clocks(clocks[Color.BLACK], clocks[Color.WHITE])

    def _can(self, legal: m.Legal) -> list[str]:
        table = self.table
        goes_on = not table.is_over
        engine_moves = table.live and table.mover.engine is not None
        yes = {
            "undo": table.node.parent is not None or bool(table.chosen),
            "redo": bool(table.node.children),
            "resign": goes_on and any(table.player(each).engine is None for each in Color),
            "rematch": len(table.tree) > 1,
            "hint": goes_on and not engine_moves,
            "think": goes_on and not engine_moves,
            "resume": goes_on and table.is_played and not table.live,
            "pause": goes_on and table.live and table.is_played,
            "swap": legal.swap and not engine_moves,
            "pass": legal.can_pass and not engine_moves,
            "cancel": bool(table.chosen),
            "review": len(table.line()) > 1,
            "solve": goes_on,
            "analyze": True,
        }
        return [name for name, is_so in yes.items() if is_so]

    def _tree(self) -> m.Tree:
        table = self.table
        nodes = [
            m.Node(
                id=node.id,
                parent=node.parent.id if node.parent else None,
                color=None if node.color is None else COLOR_NAMES[node.color],
                move=node.text,
                points=table.move_points(node),
                comment=node.comment,
                black=node.black,
                loss=node.loss,
                mark=mark_of(node.loss),
            )
            for node in table.tree
        ]
        return m.Tree(nodes, [node.id for node in table.line()], table.name)

    def _watch_clock(self) -> None:
        """Looks again when the time of the side to move would be up."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if not self.table.runs or self.table.is_over:
            return
        clock = self.table.clock(self.table.to_move)
        left = clock.left + clock.control.period * max(0, clock.stones or clock.control.periods)
        if left < 1e6:
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(min(clock.left, left) + 0.01, self._look_at_clock)

    def _look_at_clock(self) -> None:
        self._flag = None
        if self.table.check_time():
            self._leave_position()
            self.moved()
        else:
            self._watch_clock()
            self.send(self._state())
