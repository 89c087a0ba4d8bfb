"""A game between two engines, from the empty board to its record."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import structs

from pinchtp.base.text import ENCODING, shorten, to_unicode
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
from pinchtp.games import Color
from pinchtp.games.notation import RESIGN
from pinchtp.games.winrate import Winrate
from pinchtp.match.option_types import DrawRule, ResignRule
from pinchtp.match.plan import MatchPlan
from pinchtp.match.playing.engine import MatchEngine, Score
from pinchtp.match.playing.referee import IllegalMove, Timekeeper, referee_for
from pinchtp.match.record import (
    DRAW,
    EngineIdentity,
    GameRecord,
    GameResult,
    MoveRecord,
    ScheduledGame,
    Termination,
    Violation,
    Winner,
    describe_winner,
)

_MOST_DETAIL = 1000  # characters

# Maximum moves per point without a referee, when the end of a game is unknown.
_MOST_PER_POINT = 4

# Subclasses before their base classes.
_TERMINATIONS: tuple[tuple[type[EngineError], Termination], ...] = (
    (MemoryExceeded, Termination.MEMORY),
    (EngineDied, Termination.DIED),
    (EngineTimeout, Termination.HUNG),
    (UnexpectedOutput, Termination.UNEXPECTED_OUTPUT),
    (ProtocolError, Termination.PROTOCOL),
)


class _Failure(Exception):
    """An engine failed. detail: a predicate, whose subject is the engine's name."""

    def __init__(self, color: Color, termination: Termination, detail: str) -> None:
        super().__init__(detail)
        self.color = color
        self.termination = termination
        self.detail = detail


def play_game(
    game: ScheduledGame, plan: MatchPlan, black: MatchEngine, white: MatchEngine
) -> GameRecord:
    """Plays a game and returns its record, even if an engine fails.

    An engine that fails is killed, unless it was only late; it is restarted when needed. Raises
    ValueError for an invalid game or opening, or for one MatchEngine on both sides.
    KeyboardInterrupt leaves the engines running.
    """
    if black is white:
        raise ValueError("a game needs two MatchEngines, even for an engine against itself")
    return _Game(game, plan, black, white).play()


class _Game:
    def __init__(
        self, game: ScheduledGame, plan: MatchPlan, black: MatchEngine, white: MatchEngine
    ) -> None:
        self._game = game
        self._plan = plan
        self._engines = {Color.BLACK: black, Color.WHITE: white}
        self._referee = referee_for(plan)
        self._clocks = {
            color: Timekeeper(plan.time_of(engine.config), plan.lag)
            for color, engine in self._engines.items()
        }
        self._moves: list[MoveRecord] = []
        self._late = 0.0  # seconds
        self._identities: dict[Color, EngineIdentity] = {}
        self._solving = 0.0  # seconds
        self._notes: list[str] = []  # texts of errors that did not change the result
        self._faults: list[Violation] = []

    def play(self) -> GameRecord:
        started = time.time()
        began = time.monotonic()
        waited = sum(engine.waited for engine in self._engines.values())
        try:
            self._begin()
            result = self._play_turns()
        except _Failure as failure:
            result = self._judge_failure(failure)
        seconds = time.monotonic() - began
        waited = sum(engine.waited for engine in self._engines.values()) - waited
        ours = max(0.0, seconds - waited - self._solving)
        return self._record(result, started, seconds, ours / max(1, len(self._moves)))

    # --- the course of a game

    def _begin(self) -> None:
        for color, engine in self._engines.items():
            with self._blaming(color):
                engine.start()
                self._identities[color] = engine.identity
                engine.begin(self._plan)
        for text in self._game.opening.moves:
            color = self._referee.to_move
            number = self._move_number
            try:
                self._referee.play(text)
            except IllegalMove as error:
                raise ValueError(f"opening {self._game.opening.name}: {text}: {error}") from None
            self._set_move(number, MoveRecord(color, self._referee.turn, book=True))
            for listener in Color:
                self._announce_move(listener, color)

    def _play_turns(self) -> GameResult:
        while True:
            if self._referee.is_over:
                return self._score_board()
            if not self._referee.mid_turn and (result := self._adjudicate()):
                return result
            if result := self._play_move():
                return result

    @property
    def _move_number(self) -> int:
        """The number of the current move, from 1; some of its steps may have been played."""
        return len(self._moves) + (not self._referee.mid_turn)

    def _play_move(self) -> GameResult | None:
        """Plays a move, or a step of one, from genmove to its announcement; returns a result if
        the game ends instead.
        """
        color = self._referee.to_move
        engine = self._engines[color]
        clock = self._clocks[color]
        number = self._move_number
        with self._blaming(color):
            engine.tell_time(color, clock.clock)
            try:
                reply = engine.genmove(color, self._timeout(clock), evaluate=self._plan.evaluations)
            except CommandRefused as refusal:
                return self._without_move(color, str(refusal))
        self._charge(color, reply.seconds)
        winrate = None if reply.winrate is None else float(reply.winrate)  # as it is stored
        if reply.move.lower() == RESIGN:
            self._referee.resign()
            return GameResult(color.opponent, Termination.RESIGNATION, f"{color} resigned")
        try:
            self._referee.play(reply.move, winrate)
        except IllegalMove as error:
            played = shorten(reply.move.encode(*ENCODING))
            why = str(error).replace(repr(reply.move), played)
            detail = f"played {played} as move {number}: {why}"
            raise _Failure(color, Termination.ILLEGAL, detail) from None
        if self._referee.to_move != color or self._referee.is_over:
            clock.end_turn()
        self._set_move(number, MoveRecord(color, self._referee.turn, reply.seconds, winrate))
        self._announce_move(color.opponent, color)
        return None

    def _set_move(self, number: int, move: MoveRecord) -> None:
        """Adds a move, or replaces it by itself with a further step. seconds: of this step."""
        earlier = sum(step.seconds for step in self._moves[number - 1 :])
        self._moves[number - 1 :] = [structs.replace(move, seconds=earlier + move.seconds)]

    def _timeout(self, clock: Timekeeper) -> float:
        """Returns the seconds until a searching engine counts as hung."""
        plan = self._plan
        seconds = clock.seconds
        return plan.move_deadline if seconds == math.inf else seconds + plan.grace

    def _charge(self, color: Color, seconds: float) -> None:
        """Deducts the time of a move or of a step of one. Raises _Failure if the flag falls."""
        clock = self._clocks[color]
        had = clock.seconds
        if clock.spend_part(seconds):
            self._late = seconds
            detail = (
                f"took {seconds:.3f} s for move {self._move_number} and had {had:.3f} s, lag "
                "included; its slowest response without a search took "
                f"{self._engines[color].lag:.3f} s"
            )
            raise _Failure(color, Termination.TIME, detail)

    def _without_move(self, color: Color, why: str) -> GameResult:
        """Returns the result after a rejected genmove: without a referee, the engines' score.

        Raises _Failure with a referee, or if the engines do not agree on a winner.
        """
        result = None if self._plan.referee else self._score_by_engines()
        if result is not None and result.winner is not None:
            return result
        raise _Failure(color, Termination.PROTOCOL, f"rejected genmove: {why}")

    def _announce_move(self, listener: Color, color: Color) -> None:
        """Sends the latest move to an engine. After the end of a game, a failure is only noted."""
        engine = self._engines[listener]
        move = self._referee.last_move_for(engine.config.swap_as)
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
            return _Failure(
                listener, Termination.PROTOCOL, f"rejected the legal move {move}: {why}"
            )
        return _Failure(listener, Termination.DISAGREED, f"rejected the move {move}: {why}")

    # --- results

    def _adjudicate(self) -> GameResult | None:
        plan = self._plan
        if result := adjudicate(self._moves, plan.resign, plan.draw):
            return result
        cap = plan.move_cap
        if cap is None and not plan.referee:
            cap = _MOST_PER_POINT * math.prod(plan.board)
        if cap is not None and len(self._moves) >= cap:
            return GameResult(DRAW, Termination.CAP, f"drawn after {cap} moves")
        if plan.solve is not None:
            began = time.monotonic()
            winner = self._referee.prove_winner(plan.solve)
            self._solving += time.monotonic() - began
            if winner is not None:
                return GameResult(winner, Termination.PROVEN, "proven by our solver")
        return None

    def _score_board(self) -> GameResult:
        """Returns the result on the board, by our rules or else by the engines' scores."""
        winner = self._referee.winner
        if winner is None:
            return self._score_by_engines() or GameResult(
                None, Termination.DISAGREED, "neither engine has a score"
            )
        for color in Color:
            self._compare_score(color, winner)
        return GameResult(winner, Termination.RULES)

    def _compare_score(self, color: Color, winner: Winner) -> None:
        """Notes a score that the board contradicts."""
        engine = self._engines[color]
        try:
            with self._blaming(color):
                score = engine.wrong_score(winner)
        except _Failure as failure:
            self._note(failure)
            return
        if score:
            self._notes.append(
                f"{engine.config.name} ({color}) reports {score}, but {describe_winner(winner)}"
            )
            self._faults.append(Violation(color, Termination.SCORE))

    def _score_by_engines(self) -> GameResult | None:
        """Returns the result by the engines' scores; None if neither engine has a score."""
        scores = self._scores()
        if not scores:
            return None
        detail = ", ".join(f"{color} reports {score.text}" for color, score in scores.items())
        winners = {score.winner for score in scores.values()}
        if len(winners) == 1 and (winner := winners.pop()) is not None:
            return GameResult(winner, Termination.SCORED, detail)
        return GameResult(None, Termination.DISAGREED, detail)

    def _scores(self) -> dict[Color, Score]:
        """Returns the scores of the engines that have one."""
        scores = {}
        for color, engine in self._engines.items():
            if not engine.is_running:  # a restarted engine does not have this game
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

    def _judge_failure(self, failure: _Failure) -> GameResult:
        """Returns the result of a failure: a loss; or a void game by the option `void`, or if it is
        unknown which engine failed.

        Kills the engine, whose state is unknown, unless it was only late.
        """
        engine = self._engines[failure.color]
        detail = f"{engine.config.name} ({failure.color}) {failure.detail}"
        if failure.termination is Termination.DISAGREED:
            return GameResult(None, failure.termination, detail)
        if failure.termination is not Termination.TIME:
            engine.kill()
        void = failure.termination in self._plan.void
        winner = None if void else failure.color.opponent
        return GameResult(winner, failure.termination, detail, failure.color)

    # --- engines

    @contextmanager
    def _blaming(self, color: Color) -> Iterator[None]:
        """Turns errors of an engine into a failure of its side, and kills the engine."""
        try:
            yield
        except EngineError as error:
            self._engines[color].kill()
            termination = next(
                (termination for kind, termination in _TERMINATIONS if isinstance(error, kind)),
                Termination.DIED,
            )
            prefix = "cannot be started: " if isinstance(error, EngineStartError) else ""
            raise _Failure(color, termination, f"{prefix}{error}") from None

    def _note(self, failure: _Failure) -> None:
        """Records a failure after the end, which does not change the result."""
        name = self._engines[failure.color].config.name
        self._notes.append(f"after the end {name} ({failure.color}) {failure.detail}")
        self._faults.append(Violation(failure.color, failure.termination))

    def _record(
        self, result: GameResult, started: float, seconds: float, overhead: float
    ) -> GameRecord:
        detail = to_unicode("; ".join(filter(None, [result.detail, *self._notes]))[:_MOST_DETAIL])
        has_failed = result.failed is not None or result.winner is None or bool(self._notes)
        return GameRecord(
            game=self._game,
            winner=result.winner,
            termination=result.termination,
            faults=tuple(self._faults),
            detail=detail,
            failed=result.failed,
            moves=tuple(self._moves),
            identities=self._identities,
            started=started,
            seconds=seconds,
            overhead=overhead,
            late=self._late,
            machine=platform.node(),
            stderr=self._engines[result.failed].stderr if result.failed is not None else "",
            transcript=to_unicode(self._transcript()) if has_failed else "",
            sgf=to_unicode(
                self._referee.sgf(self._game, result.winner, result.termination, detail)
            ),
        )

    def _transcript(self) -> str:
        return merge_transcripts(
            {str(color): engine.transcript for color, engine in self._engines.items()}
        )


# --- adjudication by the evaluations of both engines


def adjudicate(
    moves: Sequence[MoveRecord], resign: ResignRule | None, draw: DrawRule | None
) -> GameResult | None:
    """Returns the result if both engines evaluate the game as lost for one side, or as even."""
    return (_loss(moves, resign) if resign else None) or (_draw(moves, draw) if draw else None)


def _loss(moves: Sequence[MoveRecord], rule: ResignRule) -> GameResult | None:
    """Returns the result if both engines evaluated the latest moves as lost for the same side."""
    latest = _take_evaluated(moves, 2 * rule.moves)
    if not latest:
        return None
    for loser in Color:
        winrates = [
            Winrate(rate, move.color).pov(loser)
            for move in latest
            if (rate := move.winrate) is not None
        ]
        if max(winrates) <= rule.winrate:
            detail = f"both gave {loser} at most {max(winrates):.3f} in {len(latest)} moves"
            return GameResult(loser.opponent, Termination.AGREED, detail)
    return None


def _draw(moves: Sequence[MoveRecord], rule: DrawRule) -> GameResult | None:
    """Returns the result if both engines evaluated the latest moves as even."""
    latest = _take_evaluated(moves, 2 * rule.moves)
    if not latest or len(moves) - len(latest) + 1 < rule.begin:
        return None
    farthest = max(abs(move.winrate - 0.5) for move in latest if move.winrate is not None)
    if farthest > rule.margin:
        return None
    detail = f"both were within {farthest:.3f} of even in {len(latest)} moves"
    return GameResult(DRAW, Termination.AGREED, detail)


def _take_evaluated(moves: Sequence[MoveRecord], count: int) -> list[MoveRecord]:
    """Returns the latest `count` moves if both engines made and evaluated them; otherwise none."""
    latest = [move for move in moves[-count:] if not move.book and move.winrate is not None]
    are_of_both = {move.color for move in latest} == set(Color)
    return latest if len(latest) == count and are_of_both else []
