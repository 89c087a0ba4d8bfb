"""The check of an engine before the first game of a match."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pinchtp.base.clock import format_time
from pinchtp.client import CommandRefused, EngineError, EngineStartError
from pinchtp.games import GAMES
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.playing.engine import MatchEngine
from pinchtp.match.playing.referee import RulesReferee, referee_for
from pinchtp.match.record import EngineIdentity, describe_winner

# Random games that an engine must accept. An engine for another game rejects one of their moves, or
# scores them wrongly; a wrong score is only a warning, since the referee decides.
_RANDOM_GAMES = 4
_MOST_MOVES = 600

_GAME_ID = "gogui-rules_game_id"


class EngineRejected(RuntimeError):
    """The engine cannot take part; the message names it and the reason."""


@dataclass(frozen=True)
class Preflight:
    """The result for an engine that can take part. Warnings are sentences for users, or empty."""

    identity: EngineIdentity
    score_warning: str = ""
    time_warning: str = ""


def check_engine(config: EngineConfig, plan: MatchPlan) -> Preflight:
    """Starts an engine, reads its name and version, and stops it.

    With a referee, it must accept the moves of a few random games, including the swap. Returns
    warnings for a final_score that contradicts a result, and for a clock that cannot be set. Raises
    EngineRejected; ValueError for a size that the game does not have.
    """
    referee_for(plan)  # fails before the start of the engine
    for command in config.startup:
        if "\n" in command or not command.partition("#")[0].strip():
            raise EngineRejected(f"engine {config.name}: {command!r} is not one startup command")
    try:
        with MatchEngine(config, plan) as engine:
            engine.begin(plan)
            about_time = _time_warning(engine, plan)
            if not plan.referee:
                return Preflight(engine.identity, time_warning=about_time)
            _check_game(engine, plan)
            warnings = [_play_random_game(engine, plan, number) for number in range(_RANDOM_GAMES)]
            return Preflight(engine.identity, next(filter(None, warnings), ""), about_time)
    except EngineStartError as error:
        raise EngineRejected(f"engine {config.name} cannot be started: {error}") from None
    except EngineError as error:
        raise EngineRejected(f"engine {config.name} {error}") from None
    except CommandRefused as refusal:
        raise EngineRejected(
            f"engine {config.name} rejects a required command: {refusal}"
        ) from None


def check_engines(plan: MatchPlan) -> dict[str, Preflight]:
    """Checks each engine; results by name. Raises EngineRejected."""
    return {engine.name: check_engine(engine, plan) for engine in plan.engines}


def _time_warning(engine: MatchEngine, plan: MatchPlan) -> str:
    """Returns a warning if the engine accepts no clock for the game."""
    if engine.has_clock:
        return ""
    config = engine.config
    time = format_time(plan.time_of(config))
    refused = f"it rejects the time {time}; whole seconds may work"
    reason = refused if engine.knows("time_settings") else "it has no time_settings"
    return f"engine {config.name} plays without a clock and may lose on time: {reason}"


def _check_game(engine: MatchEngine, plan: MatchPlan) -> None:
    """Raises EngineRejected if the engine reports another of our games."""
    if not engine.knows(_GAME_ID):
        return
    game_id = engine.ask(_GAME_ID)
    names = {_plain(word): game for game in GAMES.values() for word in (game.name, game.title)}
    game = names.get(_plain(game_id))
    if game and game.name != plan.game:
        raise EngineRejected(
            f"engine {engine.config.name} plays {game_id}, not {GAMES[plan.game].title}: set the "
            "game on its command line"
        )


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def _play_random_game(engine: MatchEngine, plan: MatchPlan, number: int) -> str:
    """Plays a random game, with a swap if the number is odd.

    Returns a warning if the engine's score contradicts the result, else an empty text. Raises
    EngineRejected.
    """
    source = random.Random(number)
    name = engine.config.name
    referee = RulesReferee(plan)
    engine.begin(plan)
    for _ in range(_MOST_MOVES):
        if referee.is_over:
            break
        swaps = referee.swap_open and number % 2 == 1
        color = referee.to_move
        referee.play("swap" if swaps else referee.random_turn(source))
        move = referee.last_move_for(engine.config.swap_as)
        try:
            engine.play(color, move)
        except CommandRefused as refusal:
            what = f"a swap spelled {move!r} (see swap-as)" if swaps else f"the legal move {move}"
            raise EngineRejected(f"engine {name} rejects {what}: {refusal}") from None
    winner = referee.winner
    if winner is None or not (score := engine.wrong_score(winner)):
        return ""
    return (
        f"engine {name} scores {GAMES[plan.game].title} differently: it reports {score}, but "
        f"{describe_winner(winner)}; the referee decides"
    )
