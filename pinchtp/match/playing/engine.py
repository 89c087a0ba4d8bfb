"""An engine that takes part in a match, its scores, and its check before the first game."""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pinchtp.base.clock import format_time
from pinchtp.client import (
    CommandRefused,
    EngineError,
    EngineStartError,
    EngineTimeout,
    split_command,
)
from pinchtp.client.engine import SHOWN, EngineProcess
from pinchtp.client.option_commands import NODES, PONDER
from pinchtp.games import GAMES, Color
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.playing.log import EngineLog
from pinchtp.match.playing.referee import RulesReferee, referee_for
from pinchtp.match.record import DRAW, EngineIdentity, Winner

SCORE_TIMEOUT = 5.0  # seconds that an engine may take for a score where a referee decides

_SCORE = re.compile(r"(?:([BW])\+.*|0(?:\.0*)?|draw|jigo)", re.IGNORECASE | re.DOTALL)
_WINNERS: dict[str, Winner] = {"B": Color.BLACK, "W": Color.WHITE, "": DRAW}


@dataclass(frozen=True, slots=True)
class Score:
    """A response to final_score. winner: None if the engine cannot decide."""

    text: str
    winner: Winner | None

    @classmethod
    def read(cls, text: str) -> Score:
        match = _SCORE.fullmatch(text)
        winner = _WINNERS[match[1].upper() if match[1] else ""] if match else None
        return cls(text[:SHOWN], winner)


class MatchEngine(EngineProcess):
    """An engine over the games of a match.

    identity: of the program that was started last. has_clock: whether it received the time of the
    latest game, or that has no clock.
    """

    identity: EngineIdentity

    def __init__(
        self,
        config: EngineConfig,
        plan: MatchPlan,
        cores: Collection[int] | None = None,
    ) -> None:
        """cores: as of EngineProcess."""
        super().__init__(
            config.command,
            folder=config.folder,
            env=config.environment,
            startup=config.startup,
            start_timeout=plan.startup_deadline,
            timeout=plan.command_deadline,
            memory_mb=plan.memory,
            cores=cores,
            transcript=EngineLog(plan.log).transcript(config.name) if plan.log else None,
        )
        self.config = config
        self.has_clock = True
        self._scores = True  # whether wrong_score() asks the engine

    def start(self) -> None:
        if self.client is None:
            super().start()
            config = self.config
            binary = binary_hash(config.command, config.folder, config.environment)
            self.identity = EngineIdentity(self.name, self.version, config.command, binary)

    def begin(self, plan: MatchPlan) -> None:
        """Starts a new game, and the engine unless it runs. Raises NotSupported for refusals."""
        self.new_game(plan.game if plan.referee else None, *plan.board)
        if not plan.referee:
            for name, value in plan.agreed.items():
                if self.knows(name):
                    self.demand(f"{name} {value}")
        config = self.config
        nodes = plan.nodes if config.nodes is None else config.nodes
        ponder = plan.ponder if config.ponder is None else config.ponder
        if nodes is not None:
            self.set_option(NODES, nodes)
        if ponder is not None:
            self.set_option(PONDER, str(ponder).lower())
        self.has_clock = self.announce_time(config.time or plan.time)
        self.lag = 0.0

    def final_score(self, timeout: float | None = None) -> Score | None:
        """Returns the engine's result of the game; None if it has no final_score."""
        known = self.knows("final_score")
        text = self.try_ask("final_score", timeout).strip() if known else ""
        return Score.read(text) if text else None

    def wrong_score(self, winner: Winner) -> str:
        """Returns the engine's score of a game if it contradicts the referee's winner, else "".

        An engine that disagrees, or takes longer than SCORE_TIMEOUT, is not asked again, since many
        score by the rules of Go, which may take minutes.
        """
        if not (self._scores and self.is_running):  # a restarted engine does not have this game
            return ""
        timeout = min(SCORE_TIMEOUT, self.timeout)
        try:
            score = self.final_score(timeout)
        except EngineTimeout:
            self.kill()
            text = f"nothing within {timeout:g} s"
        else:
            if score is None or score.winner in (None, winner):
                return ""
            text = score.text
        self._scores = False
        return text


def binary_hash(
    command: str | Sequence[str], folder: str | None = None, env: Mapping[str, str] | None = None
) -> str:
    """Returns a hash over the files that a command line names: the program, scripts, nets.

    folder, env: those of the engine. Raises EngineStartError if the command line cannot be split.
    """
    program, *arguments = split_command(command)
    path = {**os.environ, **(env or {})}.get("PATH")
    executable = shutil.which(program, path=path) or program
    total = hashlib.sha256()
    for name in (executable, *arguments):
        file = str(Path(folder or ".") / name)
        if os.path.isfile(file):  # unlike pathlib's, False for whatever cannot be a name
            with suppress(OSError):
                status = os.stat(file)
                total.update(_file_hash(file, status.st_size, status.st_mtime_ns))
    return total.hexdigest()[:16]


@lru_cache(maxsize=256)
def _file_hash(path: str, size: int, changed: int) -> bytes:
    """Returns the hash of a file with this size and time of change. Raises OSError."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


# --- the check before the first game

# Random games that an engine has to follow. An engine of another game rejects one of their moves or
# scores them wrongly, which is only a warning, since the referee decides.
_RANDOM_GAMES = 4
_MOST_MOVES = 600

_GAME_ID = "gogui-rules_game_id"


class EngineRejected(RuntimeError):
    """The engine cannot take part; the message names it and the reason."""


@dataclass(frozen=True)
class Preflight:
    """An engine that can take part. Warnings are sentences for users, or empty."""

    identity: EngineIdentity
    score_warning: str = ""
    time_warning: str = ""


def check_engine(config: EngineConfig, plan: MatchPlan) -> Preflight:
    """Starts an engine, reads its name and version, and stops it.

    With a referee it has to accept the moves of a few random games, including the swap; if its
    final_score disagrees about a result, or no clock can be sent, there is a warning. Raises
    EngineRejected; ValueError for a size that the game does not have.
    """
    referee_for(plan)  # fails before the engine is started
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
    time = format_time(config.time or plan.time)
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

    Returns a warning if the engine scores it differently, else an empty text. Raises
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
            raise EngineRejected(f"engine {name} refuses {what}: {refusal}") from None
    winner = referee.winner
    score = "" if winner is None else engine.wrong_score(winner)
    if not score:
        return ""
    return (
        f"engine {name} scores {GAMES[plan.game].title} differently: it answered {score} where "
        f"{winner} has won; the referee decides"
    )
