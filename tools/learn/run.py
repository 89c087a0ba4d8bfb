"""A training run: self-play, training, a match against the best network so far, and again.

Its directory has the whole state, so that it can be ended at any moment and resumed:

    plan.json                           the plan
    generation-000/shard-00000.npz      games, each shard complete or absent
    generation-000/training.npz         a training in progress
    generation-000/parameters.npz       trained parameters, to continue from
    generation-000/candidate.network    the same for the engine
    generation-000/losses.json          of training
    generation-000/gate-9x9.match       the match against the previous best network
    generation-000/verdict.json         its result; the generation is complete
    index.html                          progress

Everything is deterministic: a game follows from the seed, its generation and its shard number, a
network from the games. So a resumed run gives the same result as one without interruption.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pinchtp import _core
from pinchtp.base.files import replace_file
from pinchtp.games import GAMES
from pinchtp.player.network import NetworkFile, load, read

from .games import GameRecord, read_shard
from .gate import Verdict, hold
from .plan import Plan, PlanError, PlayPlan, plan_from
from .play import ShardTask, play_shard

SHARD_GAMES = 50
TESTED = 20  # one shard in this number is held out for evaluation

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
        """Returns the losses of training; empty before its end."""
        return _read_json(self.folder / "losses.json")

    @property
    def verdict(self) -> Verdict | None:
        """Returns the result of the match, or None before its end."""
        content = _read_json(self.folder / "verdict.json")
        return Verdict(**content) if content else None

    def write(self, name: str, content: dict[str, Any]) -> None:
        replace_file(self.folder / name, json.dumps(content, indent=1).encode())


def _read_json(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


class Run:
    """A run in its directory. Raises PlanError for a directory of another run."""

    def __init__(self, plan: Plan, folder: Path, log: Log) -> None:
        self.plan, self.folder, self._log = plan, folder, log
        folder.mkdir(parents=True, exist_ok=True)
        known = folder / "plan.json"
        if known.exists():
            # The number of generations may be raised later.
            before = replace(plan_from(_read_json(known)), generations=plan.generations)
            if before != plan:
                raise PlanError(
                    f"{folder} contains a run with another plan ({known}); choose another directory"
                )
        replace_file(known, json.dumps(plan.as_dict(), indent=1).encode())

    @property
    def generations(self) -> list[Generation]:
        """Returns all generations of the plan, including future ones."""
        return [
            Generation(self.folder / f"generation-{number:03}", number)
            for number in range(self.plan.generations)
        ]

    def go(self, executor: Executor, after_step: Callable[[], None]) -> None:
        """Runs the remaining steps. executor: plays the games. after_step: called on progress.

        Raises PlanError if the start files of the plan are invalid.
        """
        if any(each.verdict is None for each in self.generations):
            self._check_start()
        for generation in self.generations:
            if generation.verdict is None:
                generation.folder.mkdir(exist_ok=True)
                self._play(generation, executor)
                after_step()
                self.train(generation)
                self._try(generation)
                after_step()

    def _check_start(self) -> None:
        """Checks the start files before hours of games. Raises PlanError."""
        try:
            if self.plan.start:
                load(read(Path(self.plan.start)), self._empty_board, self.plan.start)
            if self.plan.start_parameters:
                from .train import load_tree  # noqa: PLC0415  (JAX takes seconds)

                load_tree(Path(self.plan.start_parameters), self._initial()[1])
        except (OSError, ValueError) as error:
            raise PlanError(f"cannot start: {error}") from None

    @property
    def _empty_board(self) -> _core.Position:
        game = GAMES[self.plan.game]
        return game.start(*game.size)

    def _initial(self) -> tuple[Any, Any]:
        """Returns the shape of the plan's networks, and initial parameters."""
        from .model import Shape, initial  # noqa: PLC0415  (JAX takes seconds)

        shape = Shape(planes=len(self._empty_board.planes()), **self.plan.as_dict()["network"])
        return shape, initial(shape, self.plan.seed)

    def best_before(self, generation: Generation) -> bytes | None:
        """Returns the best network's file before a generation, or None."""
        path = Path(self.plan.start) if self.plan.start else None
        for earlier in self.generations[: generation.number]:
            if earlier.verdict is not None and earlier.verdict.is_accepted:
                path = earlier.candidate
        return None if path is None else path.read_bytes()

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
            replace_file(generation.shard(tasks[task]), task.result())
            left = (time.monotonic() - began) / done * (len(tasks) - done)
            self._log(
                f"generation {generation.number}: {done} of {len(tasks)} shards played, "
                f"{left / 60:.0f} minutes left"
            )

    def train(self, generation: Generation) -> None:
        """Trains a generation's network, unless present, on its games and earlier ones."""
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
        train.train(training, data, checkpoint=generation.checkpoint, log=self._log)
        losses = train.evaluate(training, tested)
        train.save_tree(generation.parameters, (training.parameters, training.statistics))
        weights = export.to_bytes(shape, training.parameters, training.statistics)
        origin = {"generation": generation.number, "positions": count, "steps": steps}
        planes = tuple(self._empty_board.plane_names)
        file = NetworkFile(self.plan.game, planes, shape.as_dict(), weights, origin)
        content = {"positions": count, "steps": steps, "minutes": (time.monotonic() - began) / 60}
        generation.write("losses.json", content | {"losses": losses})
        replace_file(generation.candidate, bytes(file))
        generation.checkpoint.unlink(missing_ok=True)

    def _parameters_before(self, generation: Generation, like: Any) -> Any:
        """Returns the parameters of the previous network, or None."""
        from .train import load_tree  # noqa: PLC0415  (JAX takes seconds)

        paths = [each.parameters for each in self.generations[: generation.number]]
        if self.plan.start_parameters:
            paths.insert(0, Path(self.plan.start_parameters))
        known = [path for path in paths if path.exists()]
        return load_tree(known[-1], like) if known else None

    def _samples(self, generation: Generation) -> tuple[Any, Any, int]:
        """Returns batches for training and for evaluation, and the number of training positions."""
        from .samples import Batches, build, joined  # noqa: PLC0415  (needed for training only)

        plan, parts, tested, count = self.plan.train, [], [], 0
        for number, path in self._newest_first(generation):
            part = build(self.plan.game, read_shard(path), plan)
            size = sum(map(len, part.values()))
            if count + size > plan.window:
                break
            if number % TESTED == TESTED - 1:
                tested.append(part)
            else:
                parts.append(part)
                count += size
        return (
            Batches(joined(parts), plan.batch, self.plan.seed),
            Batches(joined(tested), plan.batch // 4, self.plan.seed),
            count,
        )

    def _newest_first(self, generation: Generation) -> Iterator[tuple[int, Path]]:
        """Yields shards with their numbers in their generations."""
        for each in reversed(self.generations[: generation.number + 1]):
            yield from reversed(list(enumerate(each.shards)))

    def _try(self, generation: Generation) -> None:
        best = self.best_before(generation)
        verdict = Verdict()
        if best is not None and self.plan.gate.pairs > 0:
            verdict = hold(self.plan, generation.folder, best)
        generation.write("verdict.json", vars(verdict))
        self._log(f"generation {generation.number}: {verdict}")

    def sample_games(self, count: int) -> list[GameRecord]:
        """Returns games of the newest generation with any."""
        for generation in reversed(self.generations):
            if shards := generation.shards:
                return list(read_shard(shards[-1]))[:count]
        return []
