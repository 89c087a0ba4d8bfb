"""Referees: our rules, or the engines themselves. Matches know the rules of games here only."""

from __future__ import annotations

import random
from typing import Protocol

from pinchtp._core import SWAP, Proof, Solver
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import NotationError, SwapSpelling
from pinchtp.games.session import GameHeader, IllegalMove, Session
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import DRAW, Draw, ScheduledGame, Termination, Winner
from pinchtp.sgf import to_sgf, today

__all__ = ["IllegalMove", "NoReferee", "Referee", "RulesReferee", "referee_for"]

PASSES_TO_END = 2

SOLVER_MB = 128
_SOLVE_EVERY = 4  # turns: a proof found a little later still saves most of what is left to save

# How a result that is not the board's is written in SGF, as in Go: on time, or forfeited.
_SGF_SUFFIX = {Termination.TIME: "T", Termination.AGREED: "R", Termination.PROVEN: ""}
_SGF_FORFEIT = "F"


class Referee(Protocol):
    """A game in progress, and what is known of its state."""

    @property
    def to_move(self) -> Color: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def winner(self) -> Winner | None:
        """None while the game goes on, and if only the engines know."""

    def play(self, text: str, winrate: float | None = None) -> str:
        """Makes a move for the color to move, and returns its text as records have it.

        Raises IllegalMove, which says why.
        """

    def last_move_for(self, swap_as: SwapSpelling) -> str:
        """The latest move, for an engine that spells a swap so."""

    def resign(self) -> None:
        """The color to move resigns."""

    def proven(self, seconds: float) -> Winner | None:
        """The winner under perfect play, if our solver proves it within that time, in seconds."""

    def sgf(
        self, game: ScheduledGame, winner: Winner | None, cause: Termination, comment: str
    ) -> str:
        """The record of the game, empty if the moves are known only to the engines."""


def referee_for(plan: MatchPlan) -> Referee:
    """Returns the referee of a match. Raises ValueError for a game or a size that our rules do not
    know.
    """
    return RulesReferee(plan) if plan.referee else NoReferee()


class RulesReferee:
    """A referee by our rules."""

    def __init__(self, plan: MatchPlan) -> None:
        """Raises ValueError for a game, a size or an option that there is not."""
        self._session = new_session(plan)
        self._control = plan.time
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
    def winner(self) -> Winner | None:
        if not self._session.is_over:
            return None
        winner = self._session.winner
        return DRAW if winner is None else winner

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
        self._turns += 1
        self._is_swap = moves == (SWAP,)
        self._latest = self._session.game.notation.format(before, moves)
        return self._latest

    def last_move_for(self, swap_as: SwapSpelling) -> str:
        return swap_as.value if self._is_swap else self._latest

    def resign(self) -> None:
        self._session.resign(self.to_move)

    def proven(self, seconds: float) -> Winner | None:
        if self._turns == 0 or self._turns % _SOLVE_EVERY:
            return None
        position, side = self._session.position, self.to_move
        if self._solver is None:
            self._solver = Solver(position, memory_mb=SOLVER_MB)
        winners: dict[Proof, Winner] = {
            Proof.WIN: side,
            Proof.LOSS: side.opponent,
            Proof.DRAW: DRAW,
        }
        return winners.get(self._solver.solve(position, seconds).value)

    def sgf(
        self, game: ScheduledGame, winner: Winner | None, cause: Termination, comment: str
    ) -> str:
        self._session.info = GameHeader(
            black=game.black,
            white=game.white,
            name=f"game {game.display_number}",
            comment=comment,
            control=self._control,
        )
        text = to_sgf(self._session, today())
        if self.is_over or winner is None:
            return text
        # A session has no other result than the board's and a resignation.
        return text.replace("(;", f"(;RE[{_sgf_result(winner, cause)}]", 1)

    def random_turn(self, source: random.Random) -> str:
        """The text of any legal turn that is no swap; there is one while the game goes on."""
        position, moves = self._session.position, list[int]()
        while not moves or position.mid_turn:
            moves.append(source.choice([each for each in position.legal_moves() if each != SWAP]))
            position = position.play(moves[-1])
        return self._session.format(moves)


class NoReferee:
    """No rules: the engines take turns, and two passes or a resignation end the game."""

    winner = None

    def __init__(self) -> None:
        self.to_move = Color.BLACK
        self._passes = 0
        self._resigned = False
        self._latest = ""

    @property
    def is_over(self) -> bool:
        return self._resigned or self._passes >= PASSES_TO_END

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

    def proven(self, seconds: float) -> Winner | None:
        return None

    def sgf(
        self, game: ScheduledGame, winner: Winner | None, cause: Termination, comment: str
    ) -> str:
        return ""


def new_session(plan: MatchPlan) -> Session:
    """Returns a new game of a match. Raises ValueError for a size that it does not have."""
    game = GAMES[plan.game]
    return Session(game, *plan.board, **game.rules(plan.agreed))


def _sgf_result(winner: Winner, cause: Termination) -> str:
    if isinstance(winner, Draw):
        return "0"
    return f"{winner.capital}+{_SGF_SUFFIX.get(cause, _SGF_FORFEIT)}"
