"""What a part of learning is worth: the network of a changed run plays that of the run.

    python -m tools.learn.ablation tools/learn/runs/nine.toml ../nine train.ownership=0

Each change is a line of TOML, of the plan's tables [network], [train] or [play]; several are tried
one after the other, each in a folder of its own in --out. Games that the change leaves as they are
are those of the run: all of them unless [play] is another, otherwise those of the first generation.
The rest is played and trained anew; then the last network plays the run's last one. Stopped and
started again, it goes on.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from pinchtp.base.process import ExitStatus

from .gate import Verdict, hold
from .plan import Plan, PlanError, plan_from, read_plan
from .run import Generation, Run
from .workers import players


def changed(plan: Plan, line: str) -> Plan:
    """The plan after a line such as `train.ownership=0`. Raises PlanError."""
    try:
        after = plan_from(tomllib.loads(line), plan)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{line!r}: {error}") from None
    if replace(after, network=plan.network, train=plan.train, play=plan.play) != plan:
        raise PlanError(f"{line!r}: only [network], [train] and [play] can be another")
    return after


def same_games(plan: Plan, other: Plan, run: Run) -> list[Generation]:
    """The generations of a run whose games another plan would play alike."""
    if other.play == plan.play:
        return run.generations
    return run.generations[:1] if not plan.start else []


def learned(run: Run, games: list[Generation], executor: Executor) -> Generation:
    """The last generation of a run that is given the games of the first ones."""
    for known, generation in zip(games, run.generations, strict=False):
        generation.folder.mkdir(exist_ok=True)
        for shard in known.shards:
            if not (generation.folder / shard.name).exists():
                os.link(shard, generation.folder / shard.name)
    run.go(executor, lambda: None)
    return run.generations[-1]


def compared(plan: Plan, candidate: Generation, base: Generation, pairs: int) -> Verdict:
    """The match of two networks, beside the generation of the first."""
    folder = candidate.folder / "against-base"
    folder.mkdir(exist_ok=True)
    (folder / candidate.candidate.name).write_bytes(candidate.candidate.read_bytes())
    gate = replace(plan.gate, pairs=pairs)
    return hold(replace(plan, gate=gate), folder, base.candidate.read_bytes())


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
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes that play")
    options = parser.parse_args()
    try:
        plan = read_plan(options.plan)
        base = Run(plan, options.folder, print)
        others = [(line, changed(plan, line)) for line in options.changes]
        with players(options.workers, None) as executor:
            for line, other in others:
                run = Run(other, options.out / line.replace(" ", ""), print)
                last = learned(run, same_games(plan, other, base), executor)
                verdict = compared(other, last, base.generations[-1], options.pairs)
                print(f"{line}: {verdict}", flush=True)
    except (PlanError, OSError) as error:
        print(f"ablation: {error}", file=sys.stderr)
        return ExitStatus.WRONG_USE
    return ExitStatus.SUCCESS


if __name__ == "__main__":
    sys.exit(main())
