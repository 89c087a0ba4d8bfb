"""A visitor's table: the game tree, the displayed node, the players and the clocks.

Our rules check every move. This module does not block, use engines or send messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import token_hex
from time import monotonic, strftime, time

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.board.protocol.players import PlayerChoice, Players, Strength, TimeSetting
from pinchtp.board.protocol.review import Review
from pinchtp.board.protocol.state import Teaching
from pinchtp.board.tree import Node, RequestError, Tree
from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.notation import NotationError, point_of
from pinchtp.games.session import GameHeader, IllegalMove, Session

PACE = 1.0  # minimum seconds per move between two engines, for spectators
FIRST_SIZE = 9, 9  # of the first game of a new visitor, which should be short
UNBOUNDED = 1e6  # seconds; the expiry of a clock with more is not scheduled
ADAPTS = "Adaptive"  # the name of the adaptive opponent's level
FIRST_PLAYERS = Players(white=PlayerChoice(engine=0, level=Strength(ADAPTS, adaptive=True)))


class Table:
    """A game with its variations.

    engines: the names of the engines, by the numbers that players have.
    live: whether engines move on their turn.
    time: the visitor's clocks, or None; puzzles have none.
    paused: the node that a paused game has reached.
    unrated: the reason why the result does not count for the rating, or empty.
    counted: whether the result has been counted.
    rating_change: a sentence about the new rating, or empty.
    played: Unix time of the last move.
    header: names, title and date.
    is_loaded: whether the options are those of a loaded record rather than the visitor's choice.
    id: its id in the library.
    review: the last review of the game, or None.
    puzzle: the id of the puzzle on the board, or empty.
    before: the id of the stored game that puzzles have replaced, or empty.
    unplayed: the game without moves that puzzles have replaced, as in its file, or empty.
    solved: the ids of puzzles that the visitor has solved.
    friend: the color of an invited player, or None.
    invitation: the number of the invitation, or empty.
    undo_asked: the color whose player asks to take back, or None.
    to_judge: the visitor's last move during its evaluation, before the opponent's reply, or None.
    remark: the warning about that move, or None.
    """

    def __init__(self, engines: Sequence[str] = ()) -> None:
        """Creates the table of a new visitor: a short game against the adaptive opponent.

        engines: the names of the board's engines.
        """
        self.engines = list(engines)
        self.teach = False
        self.pace = PACE
        self.solved: set[str] = set()
        self.to_judge: Node | None = None
        self.remark: Teaching | None = None
        self.friend: Color | None = None
        self.invitation = ""
        self.undo_asked: Color | None = None
        self.is_loaded = False
        self._began: float | None = None  # start of the running clock
        self._known = 0  # entries of the session's history already in the tree
        self.begin_first()

    # --- games

    def begin_first(self) -> None:
        """Starts the game of a new visitor."""
        self.begin(Session(next(iter(GAMES.values())), *FIRST_SIZE), FIRST_PLAYERS)

    def begin(  # noqa: PLR0913
        self,
        session: Session,
        players: Players | None = None,
        time: TimeSetting | None = None,
        handicap: int = 0,
        *,
        is_loaded: bool = False,
        puzzle: str = "",
    ) -> None:
        """Starts a game from the start of a session. is_loaded, puzzle: see Table.

        Raises RequestError for an invalid time control.
        """
        control = control_of(time)
        self.options = dict(session.options)
        self.tree = Tree(session.game, session.start)
        self._renew(is_loaded=is_loaded, puzzle=puzzle)
        if time is not None and not puzzle:
            self.tree.root.clocks = {color: Clock.start(control) for color in Color}
        self.time = time
        self.handicap = handicap
        self.players = players or Players()
        self.header = GameHeader(date=strftime("%Y-%m-%d"))
        self.unrated = "it started from a set-up position" if self.tree.is_set_up else ""
        if handicap:
            self.unrated = "it has handicap stones"
        self.counted = False
        self.rating_change = ""
        self._enter(self.tree.root)
        self._reach(self.node)
        self.live = True

    def rematch(self) -> None:
        """Restarts the game with the colors of the players reversed."""
        players = Players(black=self.players.white, white=self.players.black)
        self.friend = None if self.friend is None else self.friend.opponent
        session = Session.at(self.game, self.tree.start)
        self.begin(session, players, self.time, self.handicap, is_loaded=self.is_loaded)

    def set_up(
        self, game: GameType, size: tuple[int, int], cells: Sequence[int], to_move: Color
    ) -> None:
        """Starts a game from a set-up position. Raises RequestError if it is invalid.

        The options are those of the table if it has the same game, otherwise the defaults.
        """
        options = self.options if game is self.game else game.rules()
        try:
            start = game.set_up(
                *size, bytes(cell % 256 for cell in cells), to_move, options=options
            )
            usual = game.start(*size, **options)
            is_usual = usual.cells() == start.cells() and usual.to_move == start.to_move
            session = Session(game, *size, **options)
            session.set_up(usual if is_usual else start)
        except ValueError as error:
            raise RequestError(f"invalid position of {game.title}: {error}") from None
        is_loaded = self.is_loaded and game is self.game
        self.begin(session, self.chosen_players, self.time, is_loaded=is_loaded)
        self.live = False
        self.unrated = "it started from a set-up position"

    def pose(self, puzzle: str, session: Session, before: str, unplayed: str) -> None:
        """Starts a puzzle, without engines and clocks.

        puzzle: its id. session: at its position. before, unplayed: see Table.
        """
        self.begin(session, self.chosen_players, self.time, is_loaded=self.is_loaded, puzzle=puzzle)
        self.live = False
        self.unrated = "it began from a puzzle"
        self.before = before
        self.unplayed = unplayed

    def load(
        self, tree: Tree, node: Node, options: Mapping[str, bool | int], header: GameHeader
    ) -> None:
        """Replaces the game by a loaded one, and displays a node of it."""
        self.tree = tree
        self.options = dict(options)
        self.header = header
        self._renew(is_loaded=True)
        self.time = None
        self.handicap = 0
        self.unrated = "it was loaded"
        self.counted = False
        self.rating_change = ""
        self.return_to(node)

    def _renew(self, *, is_loaded: bool, puzzle: str = "") -> None:
        """Resets the fields that belong to the previous game."""
        self.id = new_id()
        self.is_loaded = is_loaded
        self.played = 0
        self.puzzle = puzzle
        self.before = ""
        self.unplayed = ""
        self.review: Review | None = None

    # --- players

    @property
    def players(self) -> Players:
        """Both players; humans in a puzzle, and never engines in a game with an invited friend."""
        return Players() if self.puzzle else self._players

    @players.setter
    def players(self, players: Players) -> None:
        choices = (
            PlayerChoice() if self.friend is not None and choice.engine is not None else choice
            for choice in (players.black, players.white)
        )
        self._players = Players(*choices)

    def find_player(self, name: str) -> PlayerChoice:
        """Returns the player of a stored or loaded game: an engine of the board, or a human."""
        if name in self.engines:
            return PlayerChoice(engine=self.engines.index(name))
        return PlayerChoice(name=name)

    @property
    def chosen_players(self) -> Players:
        """The players of the visitor's games: in a puzzle, those of the game before it."""
        return self._players

    @property
    def proposed_players(self) -> Players:
        """The players of the next game, unless the visitor chooses others."""
        return FIRST_PLAYERS if self.is_of_others and self.friend is None else self.chosen_players

    @property
    def is_of_others(self) -> bool:
        """Whether both players have names of a loaded record."""
        return self.is_loaded and bool(self._players.black.name and self._players.white.name)

    def seat_friend(self, color: Color) -> None:
        """Gives a color to an invited friend; the players become humans."""
        self.friend = color
        self.players = self._players

    # --- state

    @property
    def game(self) -> GameType:
        return self.tree.game

    @property
    def to_move(self) -> Color:
        return self.session.to_move

    @property
    def mover(self) -> PlayerChoice:
        """The player of the side to move."""
        return self.player(self.to_move)

    @property
    def is_held_back(self) -> bool:
        """Whether the opponent waits for the evaluation of the visitor's last move."""
        return self.to_judge is not None or self.remark is not None

    @property
    def is_in_play(self) -> bool:
        """Whether the game has reached the displayed node, rather than only the visitor."""
        return self.live or self.node is self.paused

    @property
    def reached(self) -> Node:
        """The node that the game has reached; the displayed node may be another one."""
        return self.paused if not self.live and self.paused in self.tree else self.node

    @property
    def has_ended(self) -> bool:
        """Whether the game has ended, even if an earlier position or a variation is displayed."""
        if self.reached is self.node:
            return self.is_over
        return self.paused.flag_fell is not None or self._is_paused_at_end

    @property
    def awaits_engine(self) -> bool:
        """Whether an engine is to move in a live game."""
        return self.live and self.mover.engine is not None and not self.is_over

    def player(self, color: Color) -> PlayerChoice:
        return self.players.black if color == Color.BLACK else self.players.white

    @property
    def is_over(self) -> bool:
        return self.session.is_over or self.node.flag_fell is not None

    @property
    def is_played(self) -> bool:
        """Whether an engine plays."""
        return any(self.player(color).engine is not None for color in Color)

    @property
    def teaches(self) -> bool:
        """Whether the teacher evaluates moves.

        Not in puzzles, in games with an invited friend and in paused games with an engine.
        """
        return (
            self.teach
            and not self.puzzle
            and self.friend is None
            and not self.is_over
            and (self.live or not self.is_played)
        )

    @property
    def chosen(self) -> list[int]:
        """The steps of an incomplete move."""
        if not self.session.position.mid_turn:
            return []
        parts = self.session.history[self._known :]
        return [entry.move for entry in parts if entry.move is not None]

    def line(self) -> list[Node]:
        """Returns the displayed line, from the root to its end."""
        return self.tree.end_of_line(self.node).line()

    @property
    def is_with_friend(self) -> bool:
        """Whether a game with a friend is being played. Until its end the host may not pause it,
        show or delete earlier moves, nor get help.
        """
        return self.friend is not None and self.live and not self.is_over

    @property
    def friend_here(self) -> Color | None:
        """The color of an invited friend in the game on the board; None in a puzzle."""
        return None if self.puzzle else self.friend

    def check_without_friend(self) -> None:
        """Raises RequestError if a game with a friend is being played."""
        if self.is_with_friend:
            raise RequestError("not possible before the end of a game with a friend")

    def show(self, node: Node) -> None:
        """Displays a node and pauses the game; resume() continues it."""
        if self.live:
            self.pause()
        self._enter(node)

    def resume(self) -> None:
        """Continues the game from the displayed node. Raises RequestError if it is over."""
        self._check_not_over()
        if not self.is_in_play:
            self.unrate("it was resumed from another position")
        self._go_on()

    def _go_on(self) -> None:
        """Continues the game from the displayed node; drops the rating change of an earlier end."""
        self.live = True
        self.rating_change = ""
        self.start_clock()

    def pause(self) -> None:
        """Pauses a live game: stops the clock and the engines' moves."""
        self.pause_clock()
        if self.live:
            self._reach(self.node)
        self.live = False

    def return_to(self, node: Node) -> None:
        """Displays a node, marks it as reached by the game, and pauses the game there."""
        self._enter(node)
        self._reach(node)
        self.live = False

    def _reach(self, node: Node) -> None:
        """Marks a node as reached by the game. The session has to be there."""
        self.paused = node
        self._is_paused_at_end = self.session.is_over

    def become_another(self) -> None:
        """Turns a finished game that was continued into another game, with a new id."""
        self.id = new_id()
        self.counted = False
        self.unrated = "it continues a finished game"

    def unrate(self, reason: str) -> None:
        """Excludes the game from the rating, unless it has ended. The first reason is kept."""
        if not self.is_over and not self.counted:
            self.unrated = self.unrated or reason

    def _enter(self, node: Node) -> None:
        self._began = self.undo_asked = None
        self.forget_lesson()
        self.node = node
        self.session = self.tree.session(node)
        self._known = len(self.session.history)

    # --- moves

    def play_part(self, at: int) -> bool:
        """Plays a click on a point; returns whether it completed a move. Raises RequestError."""
        self._check_not_over()
        width = self.session.position.width
        if at >= width * self.session.position.height:
            raise RequestError("that point is not on the board")
        return self._play((point_of(at, width),))

    def play_text(self, text: str) -> bool:
        """Plays a move in text form, or the rest of one; see `play_part`. Raises RequestError."""
        if text.strip().lower() == "resign":
            self.resign(self.to_move)
            return True
        self._check_not_over()
        try:
            moves = self.session.parse(text.strip())
        except NotationError as error:
            raise RequestError(str(error)) from None
        return self._play(moves)

    def make(self, moves: Sequence[int]) -> None:
        """Plays a move given by its steps. Raises RequestError if it is illegal."""
        self._check_not_over()
        self._play(tuple(moves))

    def judge_last(self) -> None:
        """Marks the visitor's last move for evaluation if the teacher is on."""
        if self.teaches and self.node.moves:
            self.to_judge = self.node
            self.pause_clock()  # the opponent has to wait

    def forget_lesson(self) -> None:
        """Drops the evaluation of the visitor's last move and the warning about it."""
        self.to_judge = self.remark = None

    def resign(self, color: Color) -> None:
        """Resigns for a color.

        Raises RequestError if the game has ended, on the board, on time or at another node.
        """
        self._check_not_over()
        if self.has_ended:
            raise RequestError("the game is over")
        self.cancel()
        try:
            self.session.resign(color)
        except IllegalMove as error:
            raise RequestError(str(error)) from None
        self._commit(f"{color} resigns")

    def cancel(self) -> None:
        """Cancels an incomplete move."""
        del self.session.history[self._known :]

    def can_undo(self, color: Color | None = None) -> bool:
        """Returns whether there is a move or a part of one to take back.

        color: consider only this player's moves.
        """
        if color is None:
            return self.node.parent is not None or bool(self.chosen)
        is_choosing = bool(self.chosen) and color == self.to_move
        return is_choosing or any(node.color == color for node in self.node.line())

    def undo(self, color: Color | None = None) -> None:
        """Takes back moves until a color, or any human, is to move. A resignation on the other
        player's turn is taken back alone. A game with a friend, who has agreed, then continues.

        Raises RequestError at the start.
        """
        if self.chosen:
            self.cancel()
            return
        if self.node.parent is None:
            raise RequestError("nothing to undo")
        node = self.node.parent
        if in_turn := self.node.color == self._to_move_at(node):
            node = self._find_turn(node, color)
        if self.live:
            self.unrated = self.unrated or "a move was taken back"
        continues = self.live or self.friend_here is not None
        is_live = continues and (not in_turn or self._mover_at(node).engine is None)
        self.show(node)
        if is_live:
            self._go_on()

    def _find_turn(self, node: Node, color: Color | None) -> Node:
        """Returns the last node up to this one where a color, or any human, is to move."""
        humans = any(self.player(color).engine is None for color in Color)
        while node.parent is not None and (
            self._to_move_at(node) != color
            if color is not None
            else humans and self._mover_at(node).engine is not None
        ):
            node = node.parent
        return node

    def _to_move_at(self, node: Node) -> Color:
        return Color(self.tree.position(node).to_move)

    def _mover_at(self, node: Node) -> PlayerChoice:
        return self.player(self._to_move_at(node))

    def _check_not_over(self) -> None:
        if self.check_time() or self.is_over:
            raise RequestError("the game is over")

    def _play(self, moves: tuple[int, ...]) -> bool:
        session = self.session
        try:
            session.play(session.to_move, *moves)
        except IllegalMove as error:
            raise RequestError(str(error)) from None
        if session.position.mid_turn:
            return False
        steps = [entry.move for entry in session.history[self._known :] if entry.move is not None]
        self._commit(self.game.notation.format(self.tree.position(self.node), steps))
        return True

    def _commit(self, text: str) -> None:
        """Adds the completed move to the tree."""
        if self.is_in_play:
            self.played = int(time())
        entries = self.session.history[self._known :]
        color = entries[-1].color
        continues = self._continues(color)
        try:
            node = self.tree.add(self.node, entries, text)
        except ValueError:
            self.cancel()
            raise
        if self.live and self.clocks is not None:
            spent = 0.0 if self._began is None else monotonic() - self._began
            mover = self._to_move_at(self.node)  # the other color may have resigned
            clock = self.clocks[mover]
            after = clock.after(spent) if node.moves else clock.during(spent)
            node.clocks = self.clocks | {mover: after}
        elif continues:
            self._reach(node)
            self.live |= self.friend_here is not None
        if self.live or continues:
            self._put_in_game(node)
        self.forget_lesson()
        self.node = node
        self._known = len(self.session.history)
        self._began = self.undo_asked = None
        self.start_clock()

    def _put_in_game(self, node: Node) -> None:
        """Makes a node the next of the main line, without the end of a game that was taken back."""
        if node.flag_fell is not None:
            node.flag_fell = None
            self.tree.record_edit(node)
        if not self.tree.is_main(node):
            self.tree.promote(node)

    def _continues(self, color: Color) -> bool:
        """Whether a color's move at the displayed node continues the game.

        A friend's game continues from any node, unless it has ended and the players try moves.
        """
        if self.friend_here is not None:
            return self.reached is self.node or not self.has_ended
        return self.node is self.paused and self.player(color).engine is None

    # --- clocks

    @property
    def clocks(self) -> dict[Color, Clock] | None:
        """The clocks at the displayed node, or at the last pause there; None without clocks."""
        return next((node.clocks for node in self.node.line()[::-1] if node.clocks), None)

    @property
    def runs(self) -> bool:
        """Whether a clock is running."""
        return self._began is not None

    def clock(self, color: Color) -> Clock:
        """Returns a color's clock at this moment."""
        assert self.clocks
        clock = self.clocks[color]
        if self._began is None or color != self.to_move:
            return clock
        return clock.during(monotonic() - self._began)

    @property
    def until_flag(self) -> float | None:
        """The seconds until the clock of the side to move, or its period, expires; or None."""
        if not self.runs:
            return None
        left = self.clock(self.to_move).left
        return left if left < UNBOUNDED else None

    def check_time(self) -> bool:
        """Ends the game if the flag of the side to move has fallen; returns whether it has."""
        if not self.runs or not self.clock(self.to_move).expired:
            return False
        self.pause_clock()
        self.cancel()
        self.node.flag_fell = self.to_move
        self.tree.record_edit(self.node)
        self.forget_lesson()
        return True

    def pause_clock(self) -> None:
        """Stops the clock of the side to move."""
        if self.runs:
            assert self.clocks
            self.node.clocks = self.clocks | {self.to_move: self.clock(self.to_move)}
            self.tree.record_change(self.node)
        self._began = None

    def start_clock(self) -> None:
        """Starts the clock of the side to move in a live game, after its first move."""
        is_playing = self.live and not self.is_over and self.node.parent is not None
        if is_playing and not self.is_held_back and self.clocks is not None and not self.runs:
            self._began = monotonic()

    @property
    def winner(self) -> Color | None:
        """The winner of a finished game; None for a draw."""
        if self.node.flag_fell is not None:
            return self.node.flag_fell.opponent
        return self.session.winner


def new_id() -> str:
    """Returns an id for a game."""
    return token_hex(8)


def control_of(time: TimeSetting | None) -> TimeControl:
    """Returns the time control of a setting. Raises RequestError if it is invalid."""
    if time is None:
        return TimeControl.none()
    if time.increment and (time.period or time.periods):
        raise RequestError("choose an increment or byo-yomi periods, not both")
    if bool(time.period) != bool(time.periods):
        raise RequestError("byo-yomi needs both the number of periods and their length")
    try:
        if time.periods:
            return TimeControl.byoyomi(time.main, time.period, time.periods)
        return TimeControl.fischer(time.main, time.increment)
    except ValueError as error:
        raise RequestError(str(error)) from None
