"""Playing games for measurements: players, games, and stored games."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from pinchtp.engine.own import OwnEngine
from pinchtp.games import Color
from pinchtp.games.history import Turn
from pinchtp.games.notation import random_turn
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.games.winrate import Winrate
from pinchtp.player.player import Limits
from pinchtp.report.subject import ReportSubject

StopCheck: TypeAlias = Callable[[], bool]
DRAW = 2


class Cancelled(Exception):
    """A unit of work was cancelled; it has no result."""


def never() -> bool:
    """Returns False: the work is not cancelled."""
    return False


class MoveChooser(Protocol):
    """A player of one color in one game."""

    def choose(self, session: Session) -> PlayResult: ...


class SearchMover:
    """A player that searches: the engine with a number of visits per move."""

    def __init__(
        self,
        subject: ReportSubject,
        visits: int,
        seed: int,
        stop: StopCheck = never,
        *,
        judged_by_network: bool = True,
    ) -> None:
        settings = subject.settings(judged_by_network=judged_by_network)
        settings.seed = seed
        self._engine = OwnEngine(settings)
        self._limits = Limits(visits=visits, should_stop=stop)
        self._stop = stop

    def choose(self, session: Session) -> PlayResult:
        """Raises Cancelled."""
        result = self._engine.play(session, self._limits)
        if self._stop():
            raise Cancelled
        return result


class RandomMover:
    """A player that chooses each move, or step of a turn, uniformly at random."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, session: Session) -> PlayResult:
        return PlayResult.of(session, random_turn(session.position, self._random.choice))


def play_game(
    session: Session, players: Mapping[Color, MoveChooser], stop: StopCheck = never
) -> dict[str, Any]:
    """Plays a session's game to its end; returns it in types of JSON.

    `turns`: the moves of each turn. `chances`: the mover's winrate in each turn by its own
    evaluation, None if unknown. `winner`: 0 black, 1 white, 2 a draw. Raises Cancelled.
    """
    winrates = []
    while not session.is_over and not session.is_full:
        if stop():
            raise Cancelled
        result = players[session.to_move].choose(session)
        session.play(session.to_move, *result.moves)
        winrates.append(None if result.winrate is None else round(result.winrate, 4))
    winner = DRAW if session.winner is None else int(session.winner)
    return {
        "turns": [list(turn.moves) for turn in session.turns()],
        "chances": winrates,
        "winner": winner,
    }


def find_score(winner: Color | None, color: Color) -> float:
    """Returns the score of a color in a game: 1 for a win, 0.5 for a draw, 0 for a loss."""
    return float(Winrate.of_result(winner, color))


def read_winner(game: Mapping[str, Any]) -> Color | None:
    """Returns the winner of a game of play_game(); None if drawn."""
    return None if game["winner"] == DRAW else Color(game["winner"])


class PlayedGame:
    """A played game, replayed from the store.

    turns: with the positions before and after. winrates: of each turn, as evaluated by its player;
    None if unknown. winner: a color, None if drawn. first: the first player.
    """

    def __init__(self, session: Session, stored: Mapping[str, Any]) -> None:
        """session: a new game, in which the moves are played."""
        for moves in stored["turns"]:
            session.play(session.to_move, *moves)
        self.session = session
        self.first = Color(session.start.to_move)
        self.turns: list[Turn] = session.turns()
        self.winner = read_winner(stored)
        self.winrates = [
            Winrate.if_known(chance, turn.color)
            for turn, chance in zip(self.turns, stored["chances"], strict=True)
        ]

    @property
    def length(self) -> int:
        """The number of turns; a swap is one."""
        return len(self.turns)

    @property
    def is_swapped(self) -> bool:
        return self.session.position.swapped


def branching(turn: Turn) -> int:
    """Returns the number of choices in a turn.

    For a turn of several steps, this is the product of the choices of its steps: its mean over
    random turns is the number of turns (D. Knuth, "Estimating the efficiency of backtrack
    programs", 1975).
    """
    position = turn.before
    product = 1
    for move in turn.moves:
        product *= len(position.legal_moves())
        position = position.play(move)
    return product
