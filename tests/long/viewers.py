"""Checks that Go programs show random records of other games correctly.

    python tests/long/viewers.py 1000 --seed 1       1000 games of each kind

Each record is read by sgfmill, shown turn by turn on boards with and without Go's captures
(tests/support/go_viewers.py), and read back.
"""

import argparse
import random
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "support")]

from go_viewers import assert_shown  # noqa: E402  (after the path is set)
from record_games import random_session  # noqa: E402

from pinchtp.base.terminal import with_progress  # noqa: E402
from pinchtp.games import GAMES  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="?", type=int, default=100, help="per kind (default: 100)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name, game in GAMES.items():
        rng = random.Random(f"{name} {options.seed}")
        turns = 0
        for _ in with_progress(range(options.games), f"games of {name}"):
            session = random_session(game, rng, square=True)
            assert_shown(session)
            turns += len(session.turns())
        print(f"{name}: {options.games} games, {turns} turns, all shown and read")


if __name__ == "__main__":
    main()
