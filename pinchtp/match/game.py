"""One game between two engines, from the empty board to its record, whatever the engines do."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pinchtp.base.streams import ENCODING, shorten, storable
from pinchtp.client import (
    CommandRefused,
    EngineDied,
    EngineError,
    EngineStartError,
    EngineTimeout,
    MemoryExceeded,
    ProtocolError,
    UnexpectedOutput,
    merge_transcripts,
)
from pinchtp.client.identity import EngineIdentity
from pinchtp.games import Color
from pinchtp.match.engine import MatchEngine, Score
from pinchtp.match.option_types import DrawRule, ResignRule
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import (
    DRAW,
    Cause,
    Ending,
    Fault,
    GameRecord,
    MoveRecord,
    ScheduledGame,
    Winner,
)
from pinchtp.match.referee import IllegalMove, referee_for
from pinchtp.match.timekeeper import Timekeeper

RESIGN = "resign"

_MOST_DETAIL = 1000  # characters

# Without a referee the end of a game is unknown; this number of moves per point is enough for any.
_MOST_PER_POINT = 4

_CAUSES: tuple[tuple[type[EngineError], Cause], ...] = (  # subclasses before their base classes
    (MemoryExceeded, Cause.MEMORY),
    (EngineDied, Cause.DIED),
    (EngineTimeout, Cause.HUNG),
    (UnexpectedOutput, Cause.BABBLED),
    (ProtocolError, Cause.PROTOCOL),
)


class _Failure(Exception):
    """An engine did not do its part. The detail goes on from its name."""

    def __init__(self, color: Color, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.color, self.cause, self.detail = color, cause, detail


def play_game(
    game: ScheduledGame, plan: MatchPlan, black: MatchEngine, white: MatchEngine
) -> GameRecord:
    """Plays a game; whatever an engine does, there is a record.

    An engine that fails is killed, unless it was only late, and started again when it is needed.
    Raises ValueError for what is no engine's fault: a game or an opening that the rules do not
    allow, or one controller for both sides. KeyboardInterrupt passes through; the engines are then
    as they are.
    """
    if black is white:
        raise ValueError("a game needs two controllers, also for an engine against itself")
    return _Game(game, plan, black, white).play()


class _Game:
    def __init__(
        self, game: ScheduledGame, plan: MatchPlan, black: MatchEngine, white: MatchEngine
    ) -> None:
        self._game, self._plan = game, plan
        self._engines = {Color.BLACK: black, Color.WHITE: white}
        self._referee = referee_for(plan)
        self._clocks = {
            color: Timekeeper(engine.spec.time or plan.time, plan.lag)
            for color, engine in self._engines.items()
        }
        self._moves: list[MoveRecord] = []
        self._identities: dict[Color, EngineIdentity] = {}
        self._solving = 0.0  # seconds
        self._notes: list[str] = []  # what did not change the result, and whose fault it is
        self._faults: list[Fault] = []

    def play(self) -> GameRecord:
        started, began = time.time(), time.monotonic()
        waited = sum(engine.waited for engine in self._engines.values())
        try:
            self._begin()
            ending = self._go_on()
        except _Failure as failure:
            ending = self._lost(failure)
        seconds = time.monotonic() - began
        waited = sum(engine.waited for engine in self._engines.values()) - waited
        ours = max(0.0, seconds - waited - self._solving)
        return self._record(ending, started, seconds, ours / max(1, len(self._moves)))

    # --- the course of a game

    def _begin(self) -> None:
        for color, engine in self._engines.items():
            with self._blaming(color):
                self._identities[color] = engine.identity
                engine.begin(self._plan)
        for text in self._game.opening.moves:
            color = self._referee.to_move
            try:
                played = self._referee.play(text)
            except IllegalMove as error:
                raise ValueError(f"opening {self._game.opening.name}: {text}: {error}") from None
            self._moves.append(MoveRecord(color, played, book=True))
            for listener in Color:
                self._tell(listener, color)

    def _go_on(self) -> Ending:
        while True:
            if self._referee.is_over:
                return self._scored()
            if ending := self._adjudicated():
                return ending
            if ending := self._turn():
                return ending

    def _turn(self) -> Ending | None:
        """One move, or a part of it, from genmove to its announcement; an ending if there is
        none.
        """
        color = self._referee.to_move
        engine, clock = self._engines[color], self._clocks[color]
        with self._blaming(color):
            engine.tell_time(color, clock.clock)
            try:
                reply = engine.genmove(
                    color, self._patience(clock), evaluate=self._plan.evaluations
                )
            except CommandRefused as refusal:
                return self._without_move(color, str(refusal))
        self._charge(color, reply.seconds)
        if reply.text.lower() == RESIGN:
            self._referee.resign()
            return Ending(color.opponent, Cause.RESIGNATION, f"{color} resigned")
        try:
            text = self._referee.play(reply.text, reply.winrate)
        except IllegalMove as error:
            played = shorten(reply.text.encode(*ENCODING))
            why = str(error).replace(repr(reply.text), played)
            detail = f"played {played} as move {len(self._moves) + 1}: {why}"
            raise _Failure(color, Cause.ILLEGAL, detail) from None
        if self._referee.to_move != color or self._referee.is_over:
            clock.end_turn()
        self._moves.append(MoveRecord(color, text, reply.seconds, reply.winrate))
        self._tell(color.opponent, color)
        return None

    def _patience(self, clock: Timekeeper) -> float:
        """Seconds until an engine that thinks counts as hung."""
        plan, seconds = self._plan, clock.seconds
        return plan.move_deadline if seconds == math.inf else seconds + plan.grace

    def _charge(self, color: Color, seconds: float) -> None:
        """Takes the time of a move, or a part of it, off the mover's clock. Raises _Failure if the
        flag falls.
        """
        clock = self._clocks[color]
        had = clock.seconds
        if clock.spend_part(seconds):
            number = len(self._moves) + 1
            detail = (
                f"took {seconds:.3f} s for move {number} and had {had:.3f} s, lag included; its "
                f"slowest answer without thought took {self._engines[color].lag:.3f} s"
            )
            raise _Failure(color, Cause.TIME, detail)

    def _without_move(self, color: Color, why: str) -> Ending:
        """The engine refused to move: it failed, unless only the engines know when the game ends
        and agree on the score.
        """
        ending = None if self._plan.referee else self._score_by_engines()
        if ending is not None and ending.winner is not None:
            return ending
        raise _Failure(color, Cause.PROTOCOL, f"refused genmove: {why}")

    def _tell(self, listener: Color, color: Color) -> None:
        """Announces the latest move to an engine. Once the game is over its result stands, whatever
        the engine then does.
        """
        engine = self._engines[listener]
        move = self._referee.last_move_for(engine.spec.swap_as)
        try:
            with self._blaming(listener):
                try:
                    engine.play(color, move)
                except CommandRefused as refusal:
                    raise self._refusal(listener, move, str(refusal)) from None
        except _Failure as failure:
            if not self._referee.is_over:
                raise
            self._note(failure)

    def _refusal(self, listener: Color, move: str, why: str) -> _Failure:
        if self._plan.referee:
            return _Failure(listener, Cause.PROTOCOL, f"refused the legal move {move}: {why}")
        return _Failure(listener, Cause.DISAGREED, f"refused the move {move}: {why}")

    # --- endings

    def _adjudicated(self) -> Ending | None:
        plan = self._plan
        if ending := adjudicate(self._moves, plan.resign, plan.draw):
            return ending
        cap = plan.move_cap
        if cap is None and not plan.referee:
            cap = _MOST_PER_POINT * math.prod(plan.board)
        if cap is not None and len(self._moves) >= cap:
            return Ending(DRAW, Cause.CAP, f"drawn after {cap} moves")
        if plan.solve is not None:
            began = time.monotonic()
            winner = self._referee.proven(plan.solve)
            self._solving += time.monotonic() - began
            if winner is not None:
                return Ending(winner, Cause.PROVEN, "proven by our solver")
        return None

    def _scored(self) -> Ending:
        """The end on the board, as our rules see it; or as the engines do, if there are none."""
        winner = self._referee.winner
        if winner is None:
            return self._score_by_engines() or Ending(
                None, Cause.DISAGREED, "neither engine can tell the score"
            )
        for color in Color:
            self._compare_score(color, winner)
        return Ending(winner, Cause.RULES)

    def _compare_score(self, color: Color, winner: Winner) -> None:
        """Notes a score that the board contradicts."""
        engine = self._engines[color]
        try:
            with self._blaming(color):
                said = engine.wrong_score(winner)
        except _Failure as failure:
            self._note(failure)
            return
        if said:
            outcome = "the game is drawn" if winner == DRAW else f"{winner} has won"
            self._notes.append(f"{engine.spec.name} ({color}) says {said}, but {outcome}")
            self._faults.append(Fault(color, Cause.SCORE))

    def _score_by_engines(self) -> Ending | None:
        """The result according to the engines; None if neither has one."""
        scores = self._scores()
        if not scores:
            return None
        detail = ", ".join(f"{color} says {score.text}" for color, score in scores.items())
        winners = {score.winner for score in scores.values()}
        if len(winners) == 1 and (winner := winners.pop()) is not None:
            return Ending(winner, Cause.SCORED, detail)
        return Ending(None, Cause.DISAGREED, detail)

    def _scores(self) -> dict[Color, Score]:
        """The result according to each engine that has one."""
        scores = {}
        for color, engine in self._engines.items():
            if not engine.is_running:  # another start would know nothing of this game
                continue
            try:
                with self._blaming(color):
                    score = engine.final_score()
            except _Failure as failure:
                self._note(failure)
                continue
            if score:
                scores[color] = score
        return scores

    def _lost(self, failure: _Failure) -> Ending:
        """The ending by a failure: a loss, or a void game where policy or doubt make it one.

        The state of the engine is unknown then: it is started again, unless it was only late.
        """
        engine = self._engines[failure.color]
        detail = f"{engine.spec.name} ({failure.color}) {failure.detail}"
        if failure.cause is Cause.DISAGREED:
            return Ending(None, failure.cause, detail)
        if failure.cause is not Cause.TIME:
            engine.kill()
        void = failure.cause in self._plan.void
        winner = None if void else failure.color.opponent
        return Ending(winner, failure.cause, detail, failure.color)

    # --- engines

    @contextmanager
    def _blaming(self, color: Color) -> Iterator[None]:
        """Turns errors of an engine into a failure of its side, and ends the engine."""
        try:
            yield
        except EngineError as error:
            self._engines[color].kill()
            cause = next((cause for kind, cause in _CAUSES if isinstance(error, kind)), Cause.DIED)
            begun = "cannot be started: " if isinstance(error, EngineStartError) else ""
            raise _Failure(color, cause, f"{begun}{error}") from None

    def _note(self, failure: _Failure) -> None:
        """Remembers a failure that comes too late to change the result."""
        name = self._engines[failure.color].spec.name
        self._notes.append(f"after the end {name} ({failure.color}) {failure.detail}")
        self._faults.append(Fault(failure.color, failure.cause))

    def _record(
        self, ending: Ending, started: float, seconds: float, overhead: float
    ) -> GameRecord:
        detail = storable("; ".join(filter(None, [ending.detail, *self._notes]))[:_MOST_DETAIL])
        keep = ending.failed is not None or ending.winner is None or bool(self._notes)
        return GameRecord(
            game=self._game,
            winner=ending.winner,
            cause=ending.cause,
            faults=tuple(self._faults),
            detail=detail,
            failed=ending.failed,
            moves=tuple(self._moves),
            identities=self._identities,
            started=started,
            seconds=seconds,
            overhead=overhead,
            machine=platform.node(),
            stderr=self._engines[ending.failed].stderr if ending.failed is not None else "",
            transcript=storable(self._transcript()) if keep else "",
            sgf=storable(self._referee.sgf(self._game, ending.winner, ending.cause, detail)),
        )

    def _transcript(self) -> str:
        return merge_transcripts(
            {str(color): each.transcript for color, each in self._engines.items()}
        )


# --- adjudication by the evaluations of both engines


def adjudicate(
    moves: Sequence[MoveRecord], resign: ResignRule | None, draw: DrawRule | None
) -> Ending | None:
    """The end of a game with these moves so far, if both see it lost by one side, or even."""
    return (_loss(moves, resign) if resign else None) or (_draw(moves, draw) if draw else None)


def _loss(moves: Sequence[MoveRecord], rule: ResignRule) -> Ending | None:
    """The end if in the latest moves of both sides both saw the same one lost."""
    latest = _judged(moves, 2 * rule.moves)
    if len({move.color for move in latest}) < len(Color):
        return None
    for loser in Color:
        chances = [
            rate if move.color == loser else 1 - rate
            for move in latest
            if (rate := move.winrate) is not None
        ]
        if max(chances) <= rule.winrate:
            detail = f"both gave {loser} {max(chances):.3f} at the most in {len(latest)} moves"
            return Ending(loser.opponent, Cause.AGREED, detail)
    return None


def _draw(moves: Sequence[MoveRecord], rule: DrawRule) -> Ending | None:
    """The end if in the latest moves of both sides both saw even chances."""
    latest = _judged(moves, 2 * rule.moves)
    if len({move.color for move in latest}) < len(Color):
        return None
    if len(moves) - len(latest) + 1 < rule.begin:
        return None
    farthest = max(abs(move.winrate - 0.5) for move in latest if move.winrate is not None)
    if farthest > rule.margin:
        return None
    detail = f"both were within {farthest:.3f} of even in {len(latest)} moves"
    return Ending(DRAW, Cause.AGREED, detail)


def _judged(moves: Sequence[MoveRecord], count: int) -> list[MoveRecord]:
    """The latest `count` moves, if all are the engines' own and have evaluations."""
    latest = [move for move in moves[-count:] if not move.book]
    known = len(latest) == count and all(move.winrate is not None for move in latest)
    return latest if known else []
