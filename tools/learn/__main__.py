"""`python -m tools.learn`: games of self-play, and networks trained on them.

    python -m tools.learn play games/ --games 6000 --boards 9x9:4,7x7:1,8x8:1,11x11:1,13x13:0.5
    python -m tools.learn train games/ --out pinch.network --epochs 2
    python -m tools.learn play more/ --games 2000 --network pinch.network

Games are kept in shards, each complete or not there; `play` goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from pinchtp.games import GAMES
from pinchtp.network import NetworkFile, load, read

from .games import GameRecord, read_shard, write_shard
from .play import PlayOptions, play

GAMES_A_SHARD = 50
TESTED = 20  # one shard of so many is kept apart to judge a network by
SHARD = re.compile(r"shard-(\d+)\.npz")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.learn", description=__doc__)
    parser.add_argument("--game", default="pinch", choices=tuple(GAMES))
    parser.add_argument("--seed", type=int, default=0)
    commands = parser.add_subparsers(required=True)
    playing = commands.add_parser("play", help="games of the engine against itself")
    playing.set_defaults(run=_play)
    playing.add_argument("folder", type=Path, help="where the shards go")
    playing.add_argument("--games", type=int, default=1000, help="in the folder at the end")
    playing.add_argument("--network", type=Path, help="none: random playouts judge")
    playing.add_argument(
        "--boards", type=_boards, default=_boards("9x9:1"), metavar="WxH:SHARE,..."
    )
    playing.add_argument("--visits", type=int, help="of a search that teaches")
    training = commands.add_parser("train", help="a network from the games of some folders")
    training.set_defaults(run=_train)
    training.add_argument("folders", type=Path, nargs="+")
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--channels", type=int, default=16)
    training.add_argument("--blocks", type=int, default=2)
    training.add_argument("--epochs", type=float, default=2)
    training.add_argument("--note", default="", help="told in the file")
    options = parser.parse_args()
    options.run(options)


def _boards(text: str) -> tuple[tuple[int, int, float], ...]:
    """Boards and how often each is played: 9x9:2,7x8:1."""
    boards = []
    for part in text.split(","):
        size, _, share = part.partition(":")
        width, height = size.split("x")
        boards.append((int(width), int(height), float(share or 1)))
    return tuple(boards)


def _shards(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if SHARD.fullmatch(path.name))


def _play(options: argparse.Namespace) -> None:
    options.folder.mkdir(parents=True, exist_ok=True)
    settings = PlayOptions(boards=options.boards)
    network = None
    if options.network is not None:
        start = GAMES[options.game].start(*GAMES[options.game].size)
        network = load(read(options.network), start, str(options.network))
    else:  # a simulation costs little, and every search teaches
        settings = replace(settings, visits=2000, taught=1.0)
    if options.visits is not None:
        settings = replace(settings, visits=options.visits)
    for number in range(-(-options.games // GAMES_A_SHARD)):
        path = options.folder / f"shard-{number:06}.npz"
        if path.exists():
            continue
        rng = np.random.default_rng([options.seed, number])
        began = time.monotonic()
        records = [play(options.game, network, settings, rng) for _ in range(GAMES_A_SHARD)]
        write_shard(path, records)
        positions = sum(int((record.searched > 0).sum()) for record in records)
        print(f"{path}: {positions} positions in {time.monotonic() - began:.0f} s", flush=True)


def _records(paths: list[Path]) -> Iterator[GameRecord]:
    for path in paths:
        yield from read_shard(path)


def _train(options: argparse.Namespace) -> None:
    from . import export, model, samples, train  # noqa: PLC0415  (JAX takes seconds)

    shards = [path for folder in options.folders for path in _shards(folder)]
    tested = shards[::TESTED] if len(shards) > 1 else []
    taught = [path for path in shards if path not in tested] or shards
    data = samples.build(options.game, _records(taught), options.seed)
    count = sum(len(each) for each in data.values())
    print(f"{len(taught)} shards, {count} positions", flush=True)
    planes = GAMES[options.game].start(*GAMES[options.game].size).plane_names
    shape = model.Shape(len(planes), options.channels, options.blocks)
    parameters, statistics = train.train(
        shape,
        data,
        epochs=options.epochs,
        seed=options.seed,
        tell=lambda line: print(line, flush=True),
    )
    origin = {
        "trained": time.strftime("%Y-%m-%d"),
        "positions": count,
        "epochs": options.epochs,
        "note": options.note,
    }
    weights = export.to_bytes(shape, parameters, statistics)
    file = NetworkFile(options.game, tuple(planes), shape.as_dict(), weights, origin)
    options.out.write_bytes(bytes(file))
    if tested:
        losses = train.evaluate(
            parameters, statistics, samples.build(options.game, _records(tested), 1), batch=64
        )
        print(" ".join(f"{name} {loss:.4f}" for name, loss in losses.items()))


if __name__ == "__main__":
    main()
