"""Counts the positions that a search proves within a number of visits.

    python tools/lab/proven.py --game pinch-remove --size 4 --plies 1-6 --positions 40

Positions come from random moves without the pie rule; the network is the packaged one.
"""

from __future__ import annotations

import argparse
from statistics import median

from half_played import add_options, random_positions

from pinchtp._core import Proof
from pinchtp.player.player import Player
from pinchtp.player.settings import Settings

NO_LIMIT = 3600.0  # seconds; the visits are the limit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_options(parser, game="pinch-remove", size=4, plies="1-6")
    parser.add_argument("--visits", type=int, default=20_000, help="per position")
    parser.add_argument("--network", help="network file (default: the packaged one)")
    options = parser.parse_args()
    settings = Settings()
    settings.set("game", options.game)
    if options.network:
        settings.set("network", options.network)
    player = Player(settings)
    proven = 0
    visits = []
    for position in random_positions(options):
        search = player.new_search(position)
        search.run(NO_LIMIT, options.visits, 1, options.seed)
        report = search.report()
        proven += report.choices[0].proof != Proof.UNKNOWN
        visits.append(report.visits)
    print(
        f"{proven} of {options.positions} proven within {options.visits:,} visits; "
        f"{median(visits):,.0f} visits (median), {sum(visits):,} in all"
    )


if __name__ == "__main__":
    main()
