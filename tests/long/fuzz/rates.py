"""Search results: winrates are computed and consistent."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clients import PROGRAM, say, server
from duels import duel, game_plan
from fuzz.cases import case
from fuzz.pipes import command_line
from fuzz.sessions import Fault
from fuzz.source import Source

from pinchtp._core import Report, Search
from pinchtp.games import ALPHA_BETA, GAMES, Color
from pinchtp.match.option_types import DrawRule, ResignRule
from pinchtp.match.plan import EngineConfig
from pinchtp.match.record import DRAW, Termination
from pinchtp.player.levels import LEVELS

DRAWLESS = {"pinch", "capture-go"}  # in a regular game
HEALTHY = {Termination.RULES, Termination.RESIGNATION, Termination.AGREED, Termination.CAP}
EAGER: Mapping[str, Any] = {
    "resign": ResignRule(0.1, 3),
    "draw": DrawRule(0.001, 2, 4),
    "move_cap": 60,
}

SWAP_VISITS = 3000
AGREE = 0.08  # maximum change of Black's winrate from his first stone to the swap response
NODE_BYTES = 16  # of a tree node or table entry, at least


def levels(data: bytes) -> None:
    """A game of a small match between two levels, adjudicated early."""
    source = Source(data)
    chosen = GAMES[source.choice(list(GAMES))]
    side = 4 + source.below(4)
    size = chosen.size if chosen.smallest == chosen.largest else (side, side)
    black, white = (_at_level(chosen.name, name, source) for name in "ab")
    given = replace(game_plan(game=chosen.name, **EAGER), size=size)
    record = duel(black, white, given=given)
    found = f"{record.termination}: {record.detail}"
    playing = f"in {chosen.name} {size}, {black.command} against {white.command}"
    if record.termination not in HEALTHY or record.faults:
        raise Fault("a game went wrong", f"{found} {record.faults}", playing)
    if chosen.name not in DRAWLESS:
        return
    if record.winner is DRAW and record.termination == Termination.AGREED:
        raise Fault("a draw in a game without draws", found, playing)
    for color in Color:
        rates = Counter(move.winrate for move in record.moves if move.color == color)
        if rates[0.5] > 1:
            raise Fault("a winrate without a search", "50 %", playing)


def _at_level(game: str, name: str, source: Source) -> EngineConfig:
    level = 1 + source.below(len(LEVELS))
    seed = source.byte()
    values = {"game": game, "level": level, "visits": 200, "memory": 16, "seed": seed}
    return EngineConfig(name, " ".join([*PROGRAM, *command_line(values)]))


def swaps(data: bytes) -> None:
    """Checks that winrates at Black's first stone, White's response and the next move agree."""
    source = Source(data)
    game = source.choice([game for game in GAMES.values() if game.swaps])
    width = source.choice([4, 5, 6, 7, 8, 9, 11, 13, 19])
    height = width if source.below(2) else max(4, width - source.below(3))
    seed = source.byte()
    engine = server(width, height, game=game.name, pie=True, visits=SWAP_VISITS, seed=seed)
    session = engine.engine.session
    rates = []
    while len(session.turns()) < 3 and not session.is_over:
        color = session.to_move
        say(engine, f"genmove {color.letter}")
        rate = session.history[-1].winrate
        if rate is not None:
            rates.append(rate if color == Color.BLACK else 1 - rate)
    if session.is_over or not rates:
        return
    if max(rates) - min(rates) > AGREE:
        shown = " ".join(f"{rate:.3f}" for rate in rates)
        made = " ".join(session.texts(turn)[0] for turn in session.turns())
        playing = f"in {game.name} {width}x{height} with seed {seed}"
        raise Fault("winrates of Black that disagree", f"{shown} after {made}", playing)


def searches(data: bytes) -> None:
    """Reports of a running search, with any number of threads, in little memory."""
    source = Source(data)
    chosen = case(source)
    position = GAMES[chosen.game].start(chosen.width, chosen.height, **chosen.rules)
    rng = random.Random(data)
    for _ in range(source.below(12)):
        after = position.play(rng.choice(position.legal_moves()))
        if after.result is not None:
            break
        position = after
    method = source.choice(["tree", *(ALPHA_BETA for _ in GAMES[chosen.game].searches[2:])])
    memory = 1 + source.below(2)
    threads = source.choice([1, 4, 16])
    search = Search(position, method=method, memory_mb=memory)
    legal = set(position.legal_moves())

    def check(report: Report) -> bool:
        what = f"of {method} with {memory} MB, {threads} threads, in {chosen}"
        if report.nodes > (memory << 20) // NODE_BYTES:
            raise Fault("more nodes than fit the memory", str(report.nodes), what)
        if not {choice.move for choice in report.choices} <= legal:
            raise Fault("a choice that is not legal", "", what)
        rates = [report.winrate, *(choice.winrate for choice in report.choices)]
        if not all(0 <= rate <= 1 for rate in rates if rate is not None):
            raise Fault("a winrate out of range", "", what)
        return False

    search.run(0.03, 2**31, threads, 1, lambda: check(search.report()))
    check(search.report())
