"""A run of learning: self-play, training, a match against the best network so far, and again.

Its folder holds all it knows, so that it can be ended at any moment and goes on:

    plan.json                           what is done here
    generation-000/shard-00000.npz      games, each shard complete or not there
    generation-000/training.npz         a training under way
    generation-000/parameters.npz       what was trained, to go on from
    generation-000/candidate.network    the same for the engine
    generation-000/losses.json          of training
    generation-000/gate-9x9.match       the match against the best network before
    generation-000/verdict.json         what came of it; the generation is complete
    index.html                          how it goes

Everything follows from the plan: a game from the seed, its generation and the number of its shard,
a network from the games. So a run that was ended and goes on finds the same as one that was not.
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
TESTED = 20  # one shard in this number is kept apart to judge a network by

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Generation:
    """One generation's files."""

    folder: Path
    number: int

    @property
    def shards(self) -> list[Path]:
        """The games that there are, in their order."""
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
        """What training said; empty before its end."""
        return _read_json(self.folder / "losses.json")

    @property
    def verdict(self) -> Verdict | None:
        """What came of the match, None before its end."""
        told = _read_json(self.folder / "verdict.json")
        return Verdict(**told) if told else None

    def write(self, name: str, told: dict[str, Any]) -> None:
        replace_file(self.folder / name, json.dumps(told, indent=1).encode())


def _read_json(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


class Run:
    """A run in its folder. Raises PlanError for a folder in which another run was begun."""

    def __init__(self, plan: Plan, folder: Path, tell: Tell) -> None:
        self.plan, self.folder, self._tell = plan, folder, tell
        folder.mkdir(parents=True, exist_ok=True)
        known = folder / "plan.json"
        if known.exists():
            # More generations may be asked for later.
            before = replace(plan_from(_read_json(known)), generations=plan.generations)
            if before != plan:
                raise PlanError(
                    f"{folder} holds a run by another plan ({known}); name another folder"
                )
        replace_file(known, json.dumps(plan.as_dict(), indent=1).encode())

    @property
    def generations(self) -> list[Generation]:
        """All that the plan asks for, those to come as well."""
        return [
            Generation(self.folder / f"generation-{number:03}", number)
            for number in range(self.plan.generations)
        ]

    def go(self, executor: Executor, after_step: Callable[[], None]) -> None:
        """Does what is left. executor: plays the games. after_step: called when there is news.

        Raises PlanError if it cannot begin with what the plan names.
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
        """Reads what the run begins with: not after hours of games. Raises PlanError."""
        try:
            if self.plan.start:
                load(read(Path(self.plan.start)), self._empty_board, self.plan.start)
            if self.plan.start_parameters:
                from .train import load_tree  # noqa: PLC0415  (JAX takes seconds)

                load_tree(Path(self.plan.start_parameters), self._initial()[1])
        except (OSError, ValueError) as error:
            raise PlanError(f"this run cannot begin: {error}") from None

    @property
    def _empty_board(self) -> _core.Position:
        game = GAMES[self.plan.game]
        return game.start(*game.size)

    def _initial(self) -> tuple[Any, Any]:
        """The shape of the plan's networks, and where training begins if nothing is known."""
        from .model import Shape, initial  # noqa: PLC0415  (JAX takes seconds)

        shape = Shape(planes=len(self._empty_board.planes()), **self.plan.as_dict()["network"])
        return shape, initial(shape, self.plan.seed)

    def best_before(self, generation: Generation) -> bytes | None:
        """The best network's file before a generation, None where there is none."""
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
            self._tell(
                f"generation {generation.number}: {done} of {len(tasks)} shards played, "
                f"{left / 60:.0f} minutes left"
            )

    def train(self, generation: Generation) -> None:
        """Trains a generation's network, unless there is one, on its games and those before."""
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
        train.train(training, data, checkpoint=generation.checkpoint, tell=self._tell)
        losses = train.evaluate(training, tested)
        train.save_tree(generation.parameters, (training.parameters, training.statistics))
        weights = export.to_bytes(shape, training.parameters, training.statistics)
        origin = {"generation": generation.number, "positions": count, "steps": steps}
        planes = tuple(self._empty_board.plane_names)
        file = NetworkFile(self.plan.game, planes, shape.as_dict(), weights, origin)
        told = {"positions": count, "steps": steps, "minutes": (time.monotonic() - began) / 60}
        generation.write("losses.json", told | {"losses": losses})
        replace_file(generation.candidate, bytes(file))
        generation.checkpoint.unlink(missing_ok=True)

    def _parameters_before(self, generation: Generation, like: Any) -> Any:
        """What the newest network before was trained to, None where there is none."""
        from .train import load_tree  # noqa: PLC0415  (JAX takes seconds)

        paths = [each.parameters for each in self.generations[: generation.number]]
        if self.plan.start_parameters:
            paths.insert(0, Path(self.plan.start_parameters))
        known = [path for path in paths if path.exists()]
        return load_tree(known[-1], like) if known else None

    def _samples(self, generation: Generation) -> tuple[Any, Any, int]:
        """Batches to train on and batches to judge by, and how many positions the former have."""
        from .samples import Batches, build, joined  # noqa: PLC0415  (training alone needs it)

        plan, parts, tested, count = self.plan.train, [], [], 0
        for seed, path in self._newest_first(generation):
            part = build(self.plan.game, read_shard(path), (self.plan.seed, *seed), plan)
            size = sum(map(len, part.values()))
            if count + size > plan.window:
                break
            if seed[-1] % TESTED == TESTED - 1:
                tested.append(part)
            else:
                parts.append(part)
                count += size
        return (
            Batches(joined(parts), plan.batch, self.plan.seed),
            Batches(joined(tested), plan.batch // 4, self.plan.seed),
            count,
        )

    def _newest_first(self, generation: Generation) -> Iterator[tuple[tuple[int, int, int], Path]]:
        """Shards with what seeds their reflections."""
        for each in reversed(self.generations[: generation.number + 1]):
            for number, path in reversed(list(enumerate(each.shards))):
                yield (generation.number, each.number, number), path

    def _try(self, generation: Generation) -> None:
        best = self.best_before(generation)
        verdict = Verdict() if best is None else hold(self.plan, generation.folder, best)
        generation.write("verdict.json", vars(verdict))
        self._tell(f"generation {generation.number}: {verdict}")

    def sample_games(self, count: int) -> list[GameRecord]:
        """Games of the newest generation that has any."""
        for generation in reversed(self.generations):
            if shards := generation.shards:
                return list(read_shard(shards[-1]))[:count]
        return []
