"""Compares two search settings in games with equal visits.

Openings are balanced, and each is played twice with colors reversed. Examples:

    python tools/lab/tune.py --games 200 --visits 400 cpuct=1.4 cpuct=1.8
    python tools/lab/tune.py --network none --visits 2000 amaf_visits=300 amaf_visits=1000
    python tools/lab/tune.py exploration=0.1,expand_visits=8 exploration=0.3,expand_visits=4
"""

from __future__ import annotations

import argparse
import math
from typing import Any

from pinchtp import _core
from pinchtp.base.ratings import score_interval
from pinchtp.base.terminal import with_progress
from pinchtp.games import GAMES, PIE, Position
from pinchtp.games.session import Session
from pinchtp.match.make_openings import OpeningSearch, balanced_openings
from pinchtp.player.network import Networks
from pinchtp.player.settings import Settings
from pinchtp.report.playing import DRAW

MEMORY = 128  # MB per tree
WINDOW = 0.2  # allowed bias of an opening, which both sides play with both colors


def options(text: str) -> dict[str, Any]:
    """Parses settings such as `exploration=0.1,expand_visits=8`."""
    pairs = dict(part.split("=") for part in text.split(","))
    return {name: float(value) for name, value in pairs.items()}


def list_options() -> str:
    """Returns the search settings with their defaults, one per line."""
    lines = [
        f"{option.name:17} {option.help}"
        + ("" if option.default is None else f" (default: {option.default:g})")
        for option in _core.search_options()
    ]
    return "settings:\n  " + "\n  ".join(lines)


def starts(game: str, size: int, count: int, seed: int) -> list[Position]:
    """Returns `count` balanced positions after three stones."""
    rules = {PIE.name: False}
    search = OpeningSearch(game, (size, size), rules, plies=3, visits=400, window=WINDOW, seed=seed)
    found = []
    for text, _ in balanced_openings(search, count):
        session = Session.at(GAMES[game], GAMES[game].start(size, size, **rules), [])
        for move in text.split():
            session.play(session.to_move, *session.parse(move))
        found.append(session.position)
    return found


def play(
    start: Position,
    players: list[dict[str, Any]],
    network: _core.Network | None,
    given: argparse.Namespace,
    seed: int,
) -> int | None:
    """Plays a game between two settings; returns its result as in Position.result."""
    searches = [
        _core.Search(start, memory_mb=MEMORY, network=network, **player) for player in players
    ]
    position = start
    while position.result is None:
        search = searches[position.to_move]
        # Adds the visits kept from earlier moves, so that both sides get equally many new ones.
        search.run(math.inf, search.report().visits + given.visits, given.threads, seed)
        move = search.report().choices[0].move
        position = position.play(move)
        for each in searches:
            each.advance(move)
    return position.result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0],
        epilog=list_options(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("one", type=options)
    parser.add_argument("other", type=options)
    parser.add_argument("--game", choices=GAMES, default=next(iter(GAMES)))
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--visits", type=int, default=400)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--network", help="network file, or none (default: the packaged one)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    settings = Settings()
    try:
        if given.network:
            settings.set("network", given.network)
        networks = Networks(settings.network)
        start = GAMES[given.game].start(given.size, given.size)
        for setting in (given.one, given.other):
            _core.Search(start, memory_mb=MEMORY, network=networks.of(start), **setting)
    except ValueError as error:  # before the search for openings
        parser.error(str(error))

    pairs = [0] * 5  # by half points of the first setting
    found = list(starts(given.game, given.size, (given.games + 1) // 2, given.seed))
    for number, start in enumerate(with_progress(found, "pairs of games")):
        halves = 0
        for color in (0, 1):
            players = [given.one, given.other][:: 1 if color == 0 else -1]
            result = play(start, players, networks.of(start), given, 2 * number + color)
            halves += 2 if result == color else 1 if result == DRAW else 0
        pairs[halves] += 1
    low, high = score_interval(pairs)
    won = sum(halves * count for halves, count in enumerate(pairs)) / 2
    print(
        f"{given.one} won {won:g} of {2 * sum(pairs)} ({low:.1%} to {high:.1%}) "
        f"against {given.other}"
    )


if __name__ == "__main__":
    main()
