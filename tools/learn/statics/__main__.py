"""Trains the static evaluation of Bushka: games, then weights for the core.

python -m tools.learn.statics games FILE --games 2000 --visits 1500
python -m tools.learn.statics fit FILE...

Compile the core afterwards, since it contains the weights.
"""

from __future__ import annotations

import argparse
from hashlib import blake2b
from pathlib import Path

import numpy as np

from .export import HEADER, write
from .fit import fit
from .games import play
from .network import quiet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    games = tasks.add_parser("games", help="play games with the current weights")
    games.add_argument("file", type=Path)
    games.add_argument("--games", type=int, default=2000)
    games.add_argument("--visits", type=int, default=1500, help="visits per turn")
    games.add_argument("--seed", type=int, default=1)
    fitting = tasks.add_parser("fit", help="fit weights to the positions of these files")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--output", type=Path, default=HEADER, help="default: the core's table")
    options = parser.parse_args()
    if options.task == "games":
        if options.file.exists():
            games.error(f"{options.file} exists: give another name")
        if not options.file.parent.is_dir():
            games.error(f"{options.file.parent} is not a directory")
        np.save(
            options.file, np.concatenate(list(play(options.games, options.visits, options.seed)))
        )
        return
    if missing := [str(file) for file in options.files if not file.is_file()]:
        fitting.error(f"no such file: {', '.join(missing)}")
    table = quiet(np.concatenate([np.load(file) for file in options.files]))
    weights, loss = fit(table)
    digest = blake2b(table.tobytes(), digest_size=16).hexdigest()
    positions = f"{len(table):,} quiet positions (BLAKE2b {digest})"
    write(weights, f"From {positions}: loss {loss:.4f} on positions held out.", options.output)


if __name__ == "__main__":
    main()
