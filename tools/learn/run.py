"""A training run: repeats self-play, training, and a match against the best network so far.

Its directory has the whole state, so it can be stopped at any moment and resumed:

    plan.json                           the plan
    lock                                held by the process of the run
    start.network, start.npz            the files that the plan starts with, if any
    generation-000/shard-00000.npz      games, each shard complete or absent
    generation-000/training.npz         a training in progress
    generation-000/parameters.npz       trained parameters, to continue from
    generation-000/candidate.network    the network for the engine
    generation-000/losses.json          of training
    generation-000/gate-9x9.match       the match against the previous best network
    generation-000/verdict.json         its result, which completes the generation
    index.html                          progress

Everything is deterministic: the seed, the generation and the shard number determine a game, and the
games a network. So a resumed run gives the same result as one without interruption.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.player.network import NetworkFile, load, parse, read

from .files import DAMAGE, RunError, hold_alone, reading, store, writing
from .games import SelfPlayGame, read_shard
from .gate import Verdict, hold
from .plan import Plan, PlanError, PlayPlan, plan_from
from .play import ShardTask, play_shard

SHARD_GAMES = 50
TESTED = 20  # one in this many games of a shard is held out for evaluation
PLAYED_AGAIN = "remove it: an incomplete generation plays it again"
MADE_AGAIN = "restore it, or remove its directory and those of later generations to rerun them"

Log = Callable[[str], None]


@dataclass(frozen=True)
class Generation:
    """The files of a generation."""

    folder: Path
    number: int

    @property
    def shards(self) -> list[Path]:
        """Returns the existing shards in order."""
        return sorted(self.folder.glob("shard-*.npz"))

    def shard(self, number: int) -> Path:
        return self.folder / f"shard-{number:05}.npz"

    @property
    def checkpoint(self) -> Path:
        return self.folder / "training.npz"

    @property
    def parameters(self) -> Path:
        return self.folder / "parameters.npz"

    @property
    def candidate(self) -> Path:
        return self.folder / "candidate.network"

    @property
    def losses(self) -> dict[str, Any]:
        """Returns the losses of training; empty before its end. Raises RunError."""
        path = self.folder / "losses.json"
        with reading(path, "remove it: the page does not need it"):
            return _read_json(path)

    @property
    def verdict(self) -> Verdict | None:
        """Returns the result of the match, or None before its end. Raises RunError."""
        path = self.folder / "verdict.json"
        with reading(path, "remove it: the match is played again"):
            content = _read_json(path)
            return Verdict(**content) if content else None

    def write(self, name: str, content: dict[str, Any]) -> None:
        store(self.folder / name, json.dumps(content, indent=1).encode())


def _read_json(path: Path) -> dict[str, Any]:
    """Returns the object in a file, empty if there is none. Raises ValueError."""
    content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if not isinstance(content, dict):
        raise ValueError("not a JSON object")
    return content


def _is_same_start(kept: Path, given: str, earlier: str) -> bool:
    """Returns whether two plans start with the same file, which may have moved since.

    kept: the run's copy.
    """
    if given == earlier or not (given and earlier):
        return given == earlier
    if not kept.exists():
        return False
    with reading(Path(given), "it must be a file"):
        return not Path(given).exists() or Path(given).read_bytes() == kept.read_bytes()


class Run:
    """A run in its directory, which is locked while this object lives.

    Raises PlanError for a directory with games of another plan, and RunError for one that is in
    use, or whose plan cannot be read.
    """

    def __init__(self, plan: Plan, folder: Path, log: Log) -> None:
        self.plan = plan
        self.folder = folder
        self._log = log
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        hold_alone(self, folder)
        known = folder / "plan.json"
        if known.exists():
            with reading(known, "if the directory belongs to this plan, remove that file"):
                before = plan_from(_read_json(known))
            if self._has_games and not self._continues(before):
                raise PlanError(
                    f"{folder} contains a run with another plan ({known}); choose another directory"
                )
            for kept in self._changed_starts(before):
                kept.unlink(missing_ok=True)
            if (before.network, before.train) != (plan.network, plan.train):
                for generation in self.generations:
                    generation.checkpoint.unlink(missing_ok=True)
        store(known, json.dumps(asdict(plan), indent=1).encode())

    def _continues(self, before: Plan) -> bool:
        """Returns whether this run's plan can resume the run of an earlier plan."""
        plan = self.plan
        # The number of generations may be raised later.
        before = replace(before, generations=plan.generations)
        if not self._changed_starts(before):
            before = replace(before, start=plan.start, start_parameters=plan.start_parameters)
        if not any(generation.parameters.exists() for generation in self.generations):
            # So far there are only games, which other training may use.
            before = replace(before, network=plan.network, train=plan.train, gate=plan.gate)
        return before == plan

    @property
    def _has_games(self) -> bool:
        """Returns whether anything has been played or trained, in any generation."""
        return any(self.folder.glob("generation-*/*.npz"))

    def _changed_starts(self, before: Plan) -> list[Path]:
        """Returns the run's copies of start files that an earlier plan does not have in common."""
        starts = zip(self._starts, (before.start, before.start_parameters), strict=True)
        return [
            kept for (kept, given), earlier in starts if not _is_same_start(kept, given, earlier)
        ]

    @property
    def _starts(self) -> tuple[tuple[Path, str], ...]:
        """Returns the run's copies of start files, each with the plan's name of the original."""
        return (
            (self.folder / "start.network", self.plan.start),
            (self.folder / "start.npz", self.plan.start_parameters),
        )

    @property
    def generations(self) -> list[Generation]:
        """Returns all generations of the plan, including future ones."""
        return [
            Generation(self.folder / f"generation-{number:03}", number)
            for number in range(self.plan.generations)
        ]

    def go(self, executor: Executor, after_step: Callable[[], None]) -> None:
        """Runs the remaining steps. executor: plays the games. after_step: called on progress.

        Raises PlanError for start files that are invalid, or training that has too few positions,
        and RunError if a file cannot be read or written, or training diverges.
        """
        if any(each.verdict is None for each in self.generations):
            self._check_start()
        for generation in self.generations:
            if generation.verdict is None:
                generation.folder.mkdir(exist_ok=True)
                self._play(generation, executor)
                after_step()
                self.train(generation)
                self._run_gate(generation)
                after_step()

    def _check_start(self) -> None:
        """Checks the start files before hours of games, and copies them. Raises PlanError."""
        (network, parameters) = [
            kept if kept.exists() or not given else Path(given) for kept, given in self._starts
        ]
        try:
            if self.plan.start:
                load(read(network), self._empty_board, str(network))
            if self.plan.start_parameters:
                from .train import load_start  # noqa: PLC0415  (JAX takes seconds)

                load_start(parameters, self._initial()[1])
        except (OSError, *DAMAGE) as error:
            raise PlanError(f"cannot start: {error}") from None
        for kept, given in self._starts:
            if given and not kept.exists():
                store(kept, Path(given).read_bytes())

    @property
    def _empty_board(self) -> _core.Position:
        game = GAMES[self.plan.game]
        return game.start(*game.size)

    def _initial(self) -> tuple[Any, Any]:
        """Returns the shape of the plan's networks, and initial parameters."""
        from .model import Shape, initial  # noqa: PLC0415  (JAX takes seconds)

        shape = Shape(planes=len(self._empty_board.planes()), **asdict(self.plan.network))
        return shape, initial(shape, self.plan.seed)

    def best_before(self, generation: Generation) -> bytes | None:
        """Returns the best network's file before a generation, or None."""
        path, given = self._starts[0]
        known = [(path, "remove it: it is copied again from the plan's `start`")] if given else []
        known += [
            (earlier.candidate, MADE_AGAIN)
            for earlier in self.generations[: generation.number]
            if earlier.verdict is not None and earlier.verdict.is_accepted
        ]
        if not known:
            return None
        path, remedy = known[-1]
        with reading(path, remedy):
            data = path.read_bytes()
            parse(data, path.name)
            return data

    def _play(self, generation: Generation, executor: Executor) -> None:
        network = self.best_before(generation)
        plan: PlayPlan = self.plan.play if network is not None else self.plan.first
        numbers = range(-(-plan.games // SHARD_GAMES))
        began = time.monotonic()
        tasks = {
            executor.submit(
                play_shard,
                ShardTask(
                    self.plan.game,
                    plan,
                    network,
                    (self.plan.seed, generation.number, number),
                    min(SHARD_GAMES, plan.games - number * SHARD_GAMES),
                ),
            ): number
            for number in numbers
            if not generation.shard(number).exists()
        }
        for done, task in enumerate(as_completed(tasks), 1):
            store(generation.shard(tasks[task]), task.result())
            left = (time.monotonic() - began) / done * (len(tasks) - done)
            self._log(
                f"generation {generation.number}: {done} of {len(tasks)} shards played, "
                f"{left / 60:.0f} minutes left"
            )

    def train(self, generation: Generation) -> None:
        """Trains a generation's network on its games and earlier ones, unless it exists."""
        if generation.candidate.exists():
            return
        from . import export, train  # noqa: PLC0415  (JAX takes seconds)

        data, tested, count = self._samples(generation)
        plan = self.plan.train
        shape, initial = self._initial()
        start = self._parameters_before(generation, initial)
        steps = max(1, round(plan.passes * data.a_pass))
        training = train.Training(shape, steps, plan, self.plan.seed, start)
        began = time.monotonic()
        if generation.checkpoint.exists():
            with reading(generation.checkpoint, "remove it: the training starts over"):
                training.restore(generation.checkpoint)
        train.train(training, data, checkpoint=generation.checkpoint, log=self._log)
        losses = train.evaluate(training, tested)
        try:
            weights = export.to_bytes(training.parameters, training.statistics)
        except ValueError as error:
            raise RunError(f"generation {generation.number}: {error}: {train.DIVERGED}") from None
        train.save_tree(generation.parameters, (training.parameters, training.statistics))
        origin = {"generation": generation.number, "positions": count, "steps": steps}
        planes = tuple(self._empty_board.plane_names)
        file = NetworkFile(self.plan.game, planes, asdict(shape), weights, origin)
        content = {"positions": count, "steps": steps, "minutes": (time.monotonic() - began) / 60}
        generation.write("losses.json", content | {"losses": losses})
        store(generation.candidate, bytes(file))
        generation.checkpoint.unlink(missing_ok=True)

    def _parameters_before(self, generation: Generation, like: Any) -> Any:
        """Returns the parameters of the previous network, or None."""
        from .train import load_start  # noqa: PLC0415  (JAX takes seconds)

        start, given = self._starts[1]
        paths = [start] if given else []
        paths += [each.parameters for each in self.generations[: generation.number]]
        known = [path for path in paths if path.exists()]
        if not known:
            return None
        with reading(known[-1], MADE_AGAIN):
            return load_start(known[-1], like)

    def _samples(self, generation: Generation) -> tuple[Any, Any, int]:
        """Returns batches for training and for evaluation, and the number of training positions."""
        from .samples import Batches, build, join  # noqa: PLC0415  (needed for training only)

        plan = self.plan.train
        parts = []
        tested = []
        count = 0
        for path in self._newest_first(generation):
            with reading(path, PLAYED_AGAIN):
                games = list(read_shard(path))
                held_out = build(self.plan.game, games[TESTED - 1 :: TESTED], plan)
                del games[TESTED - 1 :: TESTED]
                part = build(self.plan.game, games, plan)
            size = sum(map(len, part.values()))
            if count + size > plan.window:
                break
            tested.append(held_out)
            parts.append(part)
            count += size
        data = Batches(join(parts), plan.batch, self.plan.seed)
        if not data.a_pass:
            raise PlanError(
                f"train.batch = {plan.batch}, train.window = {plan.window}: generation "
                f"{generation.number} has {count} positions in this window, too few for a batch on "
                "any board; change these, or play more games"
            )
        return data, Batches(join(tested), plan.batch // 4, self.plan.seed), count

    def _newest_first(self, generation: Generation) -> Iterator[Path]:
        """Yields the shards of the generations so far, newest first."""
        for each in reversed(self.generations[: generation.number + 1]):
            yield from reversed(each.shards)

    def _run_gate(self, generation: Generation) -> None:
        best = self.best_before(generation)
        verdict = Verdict()
        if best is not None and self.plan.gate.pairs > 0:
            verdict = hold(self.plan, generation.folder, best)
        generation.write("verdict.json", vars(verdict))
        self._log(f"generation {generation.number}: {verdict}")

    def sample_games(self, count: int) -> list[SelfPlayGame]:
        """Returns games of the newest generation that has any."""
        for generation in reversed(self.generations):
            if shards := generation.shards:
                with reading(shards[-1], PLAYED_AGAIN):
                    return list(read_shard(shards[-1]))[:count]
        return []
