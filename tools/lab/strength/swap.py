"""Measures the pie rule: which first stones White should swap, and whether games are even.

    python -m tools.lab.strength.swap                      maps and games of Pinch, 9x9 to 13x13
    python -m tools.lab.strength.swap --size 19 --games 0  a map only
    python -m tools.lab.strength.swap --table              the table only, from stored results

A map gives Black's winrate after each first stone, in percent, without a swap, like
pinchtp-swap_map. One engine plays both sides of the games, and chooses openings and swaps.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from pinchtp._core import SWAP
from pinchtp.base.command_line import arg_type
from pinchtp.base.intervals import share_interval
from pinchtp.base.option_types import Int
from pinchtp.base.terminal import with_progress
from pinchtp.games import GAMES, MAX_SIZE, MIN_SIZE, Color
from pinchtp.games.notation import COLUMNS, format_move, point
from pinchtp.games.session import Session
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.search_info import opening_winrates
from pinchtp.player.levels import LEVELS
from pinchtp.player.settings import Settings
from pinchtp.report.playing import play_game

from . import storage
from .levels import COUNT, MEMORY, Mover

SWAPPED = [game.name for game in GAMES.values() if game.swaps]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=SWAPPED, default="pinch", help="default: pinch")
    parser.add_argument(
        "--size",
        type=arg_type(Int(MIN_SIZE, MAX_SIZE)),
        nargs="+",
        default=[9, 11, 13],
        help="boards, default: 9 11 13",
    )
    parser.add_argument(
        "--games", type=arg_type(Int(0, COUNT.most)), default=200, help="games per board, or 0"
    )
    parser.add_argument("--visits", type=int, default=1500, help="visits per move of these games")
    parser.add_argument(
        "--opening-visits", type=int, default=2000, help="visits per first stone of the maps"
    )
    parser.add_argument("--table", action="store_true", help="write the table only")
    asked = parser.parse_args()
    if not asked.table:
        for size in asked.size:
            found = {
                "map": swap_map(asked.game, size, asked.opening_visits),
                "map visits": asked.opening_visits,
                **play_games(asked.game, size, asked.games, asked.visits),
            }
            storage.save("swap", storage.load("swap") | {f"{asked.game} {size}x{size}": found})
    storage.show("swap", tables(storage.load("swap")))


def swap_map(game: str, size: int, visits: int) -> list[list[int]]:
    """Returns Black's winrates in percent after each first stone, rows from the top."""
    engine = GtpEngine(Settings(game=game, size=(size, size), memory=MEMORY, seed=1))
    rates = opening_winrates(engine, visits)
    return [[round(100 * rates[point(x, y)]) for x in range(size)] for y in reversed(range(size))]


def play_games(game: str, size: int, games: int, visits: int) -> dict[str, Any]:
    """Plays self-play games with the pie rule.

    openings: Black's first stones, and how often each was played. swaps: by White. won: by White,
    who could swap.
    """
    openings: Counter[str] = Counter()
    swaps = won = 0
    for number in with_progress(range(games), "games"):
        session = Session(GAMES[game], size, size, pie=True)
        winner = play_game(session, dict.fromkeys(Color, Mover(len(LEVELS), visits, number)))[
            "winner"
        ]
        opening, reply, *_ = session.moves
        openings[format_move(opening)] += 1
        swaps += reply == SWAP
        won += winner == Color.WHITE
    common = dict(openings.most_common())
    return {"games": games, "visits": visits, "openings": common, "swaps": swaps, "won": won}


def tables(figures: dict[str, Any]) -> str:
    """Returns the tables in Markdown, a part for each board."""
    return "\n".join(_part(name, found) for name, found in figures.items())


def _part(name: str, found: dict[str, Any]) -> str:
    size = len(found["map"])
    rows = [[size - at, *row] for at, row in enumerate(found["map"])]
    lines = [["", *COLUMNS[:size]], *rows]
    drawn = "\n".join(" ".join(f"{each:>2}" for each in line) for line in lines)
    return f"{name}{_games(found)}\n\n```\n{drawn}\n```\n"


def _games(found: dict[str, Any]) -> str:
    if found["games"] == 0:
        return ":"
    won = share_interval(found["won"], found["games"])
    openings = ", ".join(f"{text} {count}" for text, count in found["openings"].items())
    return (
        f": White, who may swap, won {found['won']} of {found['games']} games "
        f"({won.low:.0%} to {won.high:.0%}) and swapped in {found['swaps']}.\n"
        f"Black's first stones, {found['visits']} visits: {openings}."
    )


if __name__ == "__main__":
    main()
