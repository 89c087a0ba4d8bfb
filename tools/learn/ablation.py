"""Ablations: matches of the network of a changed run against the network of the run.

    python -m tools.learn.ablation tools/learn/runs/nine.toml ../nine train.ownership=0

Each change is a line of TOML, from the plan's tables [network], [train] or [play]; several are
tried one after another, each in its own directory in --out, here ../nine-ablation. Games that a
change does not affect are taken from the run: all of them unless [play] changes, otherwise those of
the first generation. The rest is played and trained again; then the last network plays against the
run's last one. An interrupted ablation resumes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from pinchtp.base.command_line import arg_type
from pinchtp.base.option_types import Int

from .files import RunError, store
from .gate import Verdict, hold
from .plan import Plan, PlanError, plan_from, read_plan
from .run import Generation, Run
from .workers import PROCESSES, players, run_program


def change_plan(plan: Plan, line: str) -> Plan:
    """Returns the plan changed by a line such as `train.ownership=0`. Raises PlanError."""
    try:
        after = plan_from(tomllib.loads(line), plan)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{line!r}: {error}") from None
    if replace(after, network=plan.network, train=plan.train, play=plan.play) != plan:
        raise PlanError(f"{line!r}: only [network], [train] and [play] can change")
    return after


def same_games(plan: Plan, other: Plan, run: Run) -> list[Generation]:
    """Returns the run's generations whose games another plan does not change."""
    if other.play == plan.play:
        return run.generations
    return run.generations[:1] if not plan.start else []


def train_with_games(run: Run, games: list[Generation], executor: Executor) -> Generation:
    """Completes a run that reuses games; returns its last generation."""
    for known, generation in zip(games, run.generations, strict=False):
        generation.folder.mkdir(exist_ok=True)
        for shard in known.shards:
            if not (generation.folder / shard.name).exists():
                _link(shard, generation.folder / shard.name)
    run.go(executor, lambda: None)
    return run.generations[-1]


def _link(shard: Path, path: Path) -> None:
    """Makes a shard available in another directory; copies it if that is on another disk."""
    try:
        os.link(shard, path)
    except OSError:
        store(path, shard.read_bytes())


def finished_run(plan: Plan, folder: Path) -> Run:
    """Returns the finished run in a directory. Raises RunError, and PlanError as Run does."""
    if not (folder / "plan.json").exists():
        raise RunError(f"{folder} contains no run: give the directory of a finished run")
    run = Run(plan, folder, print)
    for generation in run.generations:
        if generation.verdict is None:
            raise RunError(
                f"{folder}: generation {generation.number} is not finished: "
                "complete the run first, by python -m tools.learn"
            )
    return run


def compare(plan: Plan, candidate: Generation, base: Generation, pairs: int) -> Verdict:
    """Plays the match of two networks in the candidate's directory."""
    folder = candidate.folder / "against-base"
    folder.mkdir(exist_ok=True)
    store(folder / candidate.candidate.name, candidate.candidate.read_bytes())
    gate = replace(plan.gate, pairs=pairs)
    return hold(replace(plan, gate=gate), folder, base.candidate.read_bytes())


def main() -> int:
    """Runs the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.learn.ablation", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("plan", type=Path, metavar="run.toml", help="plan of the run")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="directory of the run")
    parser.add_argument("changes", nargs="+", metavar="CHANGE", help="such as train.ownership=0")
    parser.add_argument(
        "--out", type=Path, help="directory for networks (default: FOLDER-ablation)"
    )
    parser.add_argument(
        "--pairs", type=arg_type(Int(1, 100_000)), default=100, help="game pairs per board"
    )
    parser.add_argument(
        "--workers", type=arg_type(PROCESSES), default=os.cpu_count(), help="self-play processes"
    )
    options = parser.parse_args()
    folder = options.folder.resolve()
    out = options.out or folder.with_name(f"{folder.name}-ablation")

    def go() -> None:
        plan = read_plan(options.plan)
        base = finished_run(plan, folder)
        others = [(line, change_plan(plan, line)) for line in options.changes]
        with players(options.workers, None) as executor:
            for line, other in others:
                run = Run(other, out / line.replace(" ", ""), print)
                last = train_with_games(run, same_games(plan, other, base), executor)
                verdict = compare(other, last, base.generations[-1], options.pairs)
                print(f"{line}: {verdict}", flush=True)

    return run_program("ablation", go)


if __name__ == "__main__":
    sys.exit(main())
