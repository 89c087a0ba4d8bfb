"""Clocks."""

from __future__ import annotations

import re
from time import monotonic

from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import TrialGame
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.client import EngineError, EngineTimeout
from pinchtp.games import Color

LAG = 0.25  # seconds of overrun allowed for a busy machine
SUDDEN_DEATH = 2.0  # seconds for a game of the moves below
MOVES = 3  # for each color

# As sent by GoGui, twogtp, gomill and servers: no limit, absolute, time per move, Canadian.
SETTINGS = ("0 1 0", "300 0 0", "0 30 1", "600 30 10")

OTHER_SETTINGS = {
    "kgs-time_settings": ("none", "absolute 300", "canadian 300 30 5", "byoyomi 300 30 3"),
    "kata-time_settings": ("none", "absolute 300", "canadian 300 30 5", "byoyomi 300 30 3"),
}
SECONDS = ("cputime", "gomill-cpu_time")


def _timed_move(game: TrialGame, most: float) -> float:
    """Returns the seconds of a genmove. Raises CheckSkipped without a move, CheckFailed if late."""
    color = game.color
    if "genmove" in game.probe.facts.hung:
        raise CheckSkipped("genmove gets no response")
    began = monotonic()
    try:
        reply = game.probe.ask(f"genmove {color.letter}", most + LAG)
    except EngineTimeout:
        raise CheckFailed(f"genmove takes over {most + LAG:.2f} s of {most:.2f} s") from None
    except EngineError as error:
        raise CheckSkipped(f"at genmove the engine {error}") from None
    if not reply.ok or reply.text.lower() == "resign":
        raise CheckSkipped(f"the response to 'genmove {color.letter}' is {reply}")
    game.note(color, reply.text)
    return monotonic() - began


@check(
    "T1",
    "time_settings and time_left accept what clients send",
    "`0 1 0`, an overtime for no stones, is GoGui's notation for no limit; some stop at an error.",
)
def settings(probe: EngineProbe) -> None:
    probe.require("time_settings")
    TrialGame(probe)
    for numbers in SETTINGS:
        reply = probe.ask(f"time_settings {numbers}")
        check_that(reply.ok, f"'time_settings {numbers}' is rejected: {reply.text}")
    if probe.lists("time_left"):
        for line in ("time_left b 100 0", "time_left white 20 7"):
            reply = probe.ask(line)
            check_that(reply.ok, f"after Canadian settings {line!r} is rejected: {reply.text}")


@check(
    "T2",
    "genmove keeps to 1 s per move",
    "A referee ends the game at the first late move.",
)
def time_per_move(probe: EngineProbe) -> str:
    probe.require("time_settings")
    game = TrialGame(probe, probe.facts.large, "time_settings 0 1 1")
    taken = []
    for _ in range(2):
        if probe.lists("time_left"):
            probe.ask_or_skip(f"time_left {game.color.letter} 1 1")
        taken.append(_timed_move(game, 1.0))
    return f"at most {max(taken):.2f} s"


@check(
    "T3",
    "genmove keeps to a sudden-death clock without time_left",
    "gogui-twogtp never sends time_left: the engine must keep its own clock.",
)
def own_clock(probe: EngineProbe) -> str:
    probe.require("time_settings")
    game = TrialGame(probe, probe.facts.large, f"time_settings {SUDDEN_DEATH:g} 0 0")
    left = dict.fromkeys(Color, SUDDEN_DEATH)
    for _ in range(2 * MOVES):
        color = game.color
        left[color] -= _timed_move(game, left[color])
    least = min(left.values())
    if least < 0:
        return f"overruns it by {-least:.2f} s, as a busy machine may"
    return f"{least:.2f} s of {SUDDEN_DEATH:g} s left after {MOVES} moves"


@check(
    "T4",
    "cputime is a number of seconds that never decreases",
    "twogtp and gomill compute the time of a game as the difference of two responses.",
)
def cpu_time(probe: EngineProbe) -> None:
    for name in probe.filter_listed(*SECONDS):
        game = TrialGame(probe)
        last = 0.0
        for _ in range(3):
            text = probe.ask(name).text
            check_that(
                re.fullmatch(r"[0-9]+(\.[0-9]*)?", text), f"the response to {name} is {text!r}"
            )
            check_that(float(text) >= last, f"{name} decreases from {last} to {text}")
            last = float(text)
            game.advance()


@check(
    "T5",
    "the time systems of kgs- and kata-time_settings are accepted",
    "A server announces the time system; an engine that rejects it plays without a clock.",
)
def other_settings(probe: EngineProbe) -> None:
    for name in probe.filter_listed(*OTHER_SETTINGS):
        for arguments in OTHER_SETTINGS[name]:
            reply = probe.ask(f"{name} {arguments}")
            check_that(reply.ok, f"'{name} {arguments}' is rejected: {reply.text}")


@check(
    "T6",
    "kata-list_time_settings lists systems that kata-time_settings accepts",
    "A client chooses from the list.",
)
def listed_settings(probe: EngineProbe) -> str:
    probe.require("kata-list_time_settings", "kata-time_settings")
    numbers = {"none": "", "fischer": "300 5", "fischer-capped": "300 5 600 60"}
    numbers |= {"absolute": "300", "canadian": "300 30 5", "byoyomi": "300 30 3"}
    names = probe.ask("kata-list_time_settings").text.split()
    check_that(names, "it lists none")
    for name in names:
        if name in numbers:
            line = f"kata-time_settings {name} {numbers[name]}".strip()
            reply = probe.ask(line)
            check_that(reply.ok, f"{line!r} is rejected: {reply.text}")
    return " ".join(names)
