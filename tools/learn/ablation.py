"""What a part of training is worth: the network trained otherwise on a run's games plays the run's.

    python -m tools.learn.ablation tools/learn/runs/nine.toml ../nine train.ownership=0

Each change is a line of TOML, of the plan's table [train]; several are tried one after the other.
All generations are trained anew, on the same games, in the folder --out; then the last network
plays the run's last one. Stopped and started again, it goes on.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

from .gate import hold
from .plan import Plan, PlanError, plan_from, read_plan
from .run import Generation, Run


def changed(plan: Plan, line: str) -> Plan:
    """The plan after a line such as `train.ownership=0`. Raises PlanError."""
    try:
        after = plan_from(tomllib.loads(line), plan)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{line!r}: {error}") from None
    if replace(after, train=plan.train) != plan:
        raise PlanError(f"{line!r}: the games are there, only [train] can be another")
    return after


def trained(plan: Plan, games: Path, folder: Path) -> Generation:
    """The last generation of a run in a folder of its own, trained on the games of another."""
    run = Run(plan, folder, lambda line: print(line, flush=True))
    for generation in run.generations:
        generation.folder.mkdir(exist_ok=True)
        for shard in Generation(games / generation.folder.name, generation.number).shards:
            if not (generation.folder / shard.name).exists():
                os.link(shard, generation.folder / shard.name)
        run.train(generation)
    return run.generations[-1]


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.learn.ablation", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("plan", type=Path, metavar="run.toml", help="what the run was")
    parser.add_argument("folder", type=Path, help="where the run is kept")
    parser.add_argument("changes", nargs="+", metavar="CHANGE", help="such as train.ownership=0")
    parser.add_argument("--out", type=Path, default=Path("ablation"), help="a folder for networks")
    parser.add_argument("--pairs", type=int, default=100, help="of games on each board")
    options = parser.parse_args()
    try:
        plan = read_plan(options.plan)
        base = Run(plan, options.folder, print).generations[-1].candidate.read_bytes()
        plan = replace(plan, gate=replace(plan.gate, pairs=options.pairs))
        for change, other in [(line, changed(plan, line)) for line in options.changes]:
            generation = trained(other, options.folder, options.out / change.replace(" ", ""))
            print(f"{change}: {hold(other, generation.folder, base)}", flush=True)
    except (PlanError, OSError) as error:
        print(f"ablation: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
