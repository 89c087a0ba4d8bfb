"""Compares two settings of the search by games against each other, the same visits for both.

Each opening, a random first stone without a swap, is played twice with colors changed. Example:

    python tools/tune.py --games 200 --visits 2000 --size 9 amaf_visits=300 amaf_visits=1000
    python tools/tune.py exploration=0.1,expand_visits=8 exploration=0.3,expand_visits=4
"""

from __future__ import annotations

import argparse
import math
import random
from typing import Any

from pinchtp import _core
from pinchtp.games import GAMES, Position


def options(text: str) -> dict[str, Any]:
    """The settings named in a text such as `exploration=0.1,expand_visits=8`."""
    pairs = dict(part.split("=") for part in text.split(","))
    return {name: int(value) if value.isdigit() else float(value) for name, value in pairs.items()}


def play(
    start: Position, players: list[dict[str, Any]], visits: int, threads: int, seed: int
) -> int | None:
    """One game between Black's and White's settings; its result as of Position.result."""
    searches = [_core.Search(start, memory_mb=128, **each) for each in players]
    position = start
    while position.result is None:
        search = searches[position.to_move]
        # Visits kept from before count as well: both sides get the same number of new ones.
        search.run(math.inf, search.report().visits + visits, threads, seed)
        move = search.report().choices[0].move
        position = position.play(move)
        for each in searches:
            each.advance(move)
    return position.result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("one", type=options)
    parser.add_argument("other", type=options)
    parser.add_argument("--game", choices=GAMES, default=next(iter(GAMES)))
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--visits", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    rng = random.Random(given.seed)
    won = 0
    for number in range(given.games // 2):
        empty = GAMES[given.game].start(given.size, given.size, pie=False)
        start = empty.play(rng.choice(empty.legal_moves()))
        for black in (0, 1):
            players = [given.one, given.other][:: 1 if black == 0 else -1]
            result = play(start, players, given.visits, given.threads, number)
            won += result == black
    games = 2 * (given.games // 2)
    share = won / games
    error = 1.96 * math.sqrt(max(share * (1 - share), 0.25 / games) / games)
    print(f"{given.one} won {won} of {games}: {share:.3f} +- {error:.3f} against {given.other}")


if __name__ == "__main__":
    main()
