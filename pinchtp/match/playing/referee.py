"""Referees, with our rules or with the engines' own, and their clocks.

No other module of this package applies the rules.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Protocol

from pinchtp._core import SWAP, Proof, Solver
from pinchtp.base.clock import Clock, TimeControl
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import NotationError, SwapSpelling, random_turn
from pinchtp.games.session import GameHeader, IllegalMove, Session
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import DRAW, Draw, ScheduledGame, Termination, Winner
from pinchtp.records.sgf import to_sgf, today

__all__ = ["IllegalMove", "NoReferee", "Referee", "RulesReferee", "Timekeeper", "referee_for"]

PASSES_TO_END = 2

SOLVER_MB = 128
_SOLVE_EVERY = 4  # turns; a proof a few turns later still saves most of the remaining game

# Suffixes of SGF results that are not decided on the board, as in Go: on time, or forfeited.
_SGF_SUFFIX = {Termination.TIME: "T", Termination.AGREED: "R", Termination.PROVEN: ""}
_SGF_FORFEIT = "F"

_INSTANT = 1e-9  # seconds left on a clock that expired within the margin


class Referee(Protocol):
    """A game in progress, refereed by our rules or by the engines."""

    @property
    def to_move(self) -> Color: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def mid_turn(self) -> bool:
        """Whether the latest move is incomplete; False without rules."""

    @property
    def winner(self) -> Winner | None:
        """The winner; None during the game, and without rules."""

    @property
    def turn(self) -> str:
        """The text of the latest turn, of which the latest move may be only a step."""

    def play(self, text: str, winrate: float | None = None) -> str:
        """Makes a move, or a step of one, for the color to move; returns its text in our notation.

        Raises IllegalMove with the reason.
        """

    def last_move_for(self, swap_as: SwapSpelling) -> str:
        """Returns the text of the latest move, or step, for an engine. swap_as: its word for a
        swap.
        """

    def resign(self) -> None:
        """Resigns for the color to move."""

    def prove_winner(self, seconds: float) -> Winner | None:
        """Returns the winner under perfect play, if our solver proves it within these seconds."""

    def sgf(
        self, game: ScheduledGame, winner: Winner | None, termination: Termination, comment: str
    ) -> str:
        """Returns the game as SGF, empty without rules."""


def referee_for(plan: MatchPlan) -> Referee:
    """Returns the referee of a match. Raises ValueError for a game or size that our rules do not
    support.
    """
    return RulesReferee(plan) if plan.referee else NoReferee()


class RulesReferee:
    """A referee by our rules."""

    def __init__(self, plan: MatchPlan) -> None:
        """Raises ValueError for an invalid game, size or option."""
        self._session = new_session(plan)
        self._plan = plan
        self._latest = ""
        self._is_swap = False  # the latest move
        self._turns = 0
        self._solver: Solver | None = None

    @property
    def to_move(self) -> Color:
        return self._session.to_move

    @property
    def is_over(self) -> bool:
        return self._session.is_over

    @property
    def mid_turn(self) -> bool:
        return self._session.position.mid_turn

    @property
    def winner(self) -> Winner | None:
        if not self._session.is_over:
            return None
        winner = self._session.winner
        return DRAW if winner is None else winner

    @property
    def turn(self) -> str:
        turn = self._session.last_turn
        return self._session.game.notation.format(turn.before, turn.moves) if turn else ""

    @property
    def swap_open(self) -> bool:
        return self._session.position.swap_open

    def play(self, text: str, winrate: float | None = None) -> str:
        try:
            moves = self._session.parse(text)
        except NotationError as error:
            raise IllegalMove(str(error)) from None
        before = self._session.position
        self._session.play(self.to_move, *moves, winrate=winrate)
        self._turns += not self.mid_turn
        self._is_swap = moves == (SWAP,)
        self._latest = self._session.game.notation.format(before, moves)
        return self._latest

    def last_move_for(self, swap_as: SwapSpelling) -> str:
        return swap_as.value if self._is_swap else self._latest

    def resign(self) -> None:
        self._session.resign(self.to_move)

    def prove_winner(self, seconds: float) -> Winner | None:
        if self._turns == 0 or self._turns % _SOLVE_EVERY:
            return None
        position = self._session.position
        side = self.to_move
        if self._solver is None:
            self._solver = Solver(position, memory_mb=SOLVER_MB)
        winners: dict[Proof, Winner] = {
            Proof.WIN: side,
            Proof.LOSS: side.opponent,
            Proof.DRAW: DRAW,
        }
        return winners.get(self._solver.solve(position, seconds).value)

    def sgf(
        self, game: ScheduledGame, winner: Winner | None, termination: Termination, comment: str
    ) -> str:
        self._session.info = GameHeader(
            black=game.black,
            white=game.white,
            name=f"game {game.display_number}",
            comment=comment,
            control=self._plan.shared_time(game.black, game.white) or TimeControl.none(),
            result="" if winner is None else _sgf_result(winner, termination),
        )
        return to_sgf(self._session, today())

    def random_turn(self, source: random.Random) -> str:
        """Returns the text of a random legal turn except the swap, before the end of the game."""
        turn = random_turn(self._session.position, source.choice, avoid=(SWAP,))
        return self._session.format(turn)


class NoReferee:
    """A referee without rules: the engines alternate; two passes or a resignation end the game."""

    winner = None
    mid_turn = False

    def __init__(self) -> None:
        self.to_move = Color.BLACK
        self._passes = 0
        self._resigned = False
        self._latest = ""

    @property
    def is_over(self) -> bool:
        return self._resigned or self._passes >= PASSES_TO_END

    @property
    def turn(self) -> str:
        return self._latest

    def play(self, text: str, winrate: float | None = None) -> str:
        is_pass = text.lower() == "pass"
        self._passes = self._passes + 1 if is_pass else 0
        self._latest = "pass" if is_pass else text
        self.to_move = self.to_move.opponent
        return self._latest

    def last_move_for(self, swap_as: SwapSpelling) -> str:
        return self._latest

    def resign(self) -> None:
        self._resigned = True

    def prove_winner(self, seconds: float) -> Winner | None:
        return None

    def sgf(
        self, game: ScheduledGame, winner: Winner | None, termination: Termination, comment: str
    ) -> str:
        return ""


def new_session(plan: MatchPlan) -> Session:
    """Returns a new game of a match. Raises ValueError for an invalid size."""
    game = GAMES[plan.game]
    return Session(game, *plan.board, **game.rules(plan.agreed))


def _sgf_result(winner: Winner, termination: Termination) -> str:
    if isinstance(winner, Draw):
        return "0"
    return f"{winner.capital}+{_SGF_SUFFIX.get(termination, _SGF_FORFEIT)}"


class Timekeeper:
    """The referee's clock of one player.

    A turn is charged as a whole, even if it has several steps. clock: the player's view of it;
    during a turn without the increment at its end. lag: seconds by which the flag falls late. In
    main time they are available once per game, since a player without time could otherwise move
    forever; each overtime period renews them.
    """

    def __init__(self, control: TimeControl, lag: float) -> None:
        self.clock = Clock.start(control)
        self._lag = lag
        self._margin = lag
        self._before = self.clock  # at the start of the turn
        self._spent = 0.0  # seconds of the turn

    @property
    def seconds(self) -> float:
        """Seconds until the flag falls, including the margin; may be infinite."""
        return self._before.until_flag + self._margin - self._spent

    def spend_part(self, seconds: float) -> bool:
        """Deducts the seconds of a step of a turn; returns whether the flag has fallen."""
        self._spent += seconds
        flag = self._before.until_flag
        if self._spent - flag > self._margin:
            self.clock = self._before.after(self._spent)
            return True
        shown = self._before.during(min(self._spent, max(0.0, flag - _INSTANT)))
        cap = self._before.control.move_cap
        if cap is not None:  # engines know it as the limit of one response
            shown = replace(shown, left=min(shown.left, max(_INSTANT, cap - self._spent)))
        self.clock = shown
        return False

    def end_turn(self) -> None:
        """Ends a turn: adds the increment, starts a new period, or counts the move."""
        flag = self._before.until_flag
        after = self._before.after(self._spent)
        if after.expired:  # by less than the margin
            after = self._before.after(max(0.0, flag - _INSTANT))
            self._margin -= self._spent - flag
        was_main = self._before.overtime_count == 0
        if after.overtime_count and (was_main or after.left == after.control.period):
            self._margin = self._lag
        self.clock = self._before = after
        self._spent = 0.0
