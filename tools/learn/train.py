"""Training of a network on samples."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from optax.contrib import MuonDimensionNumbers, muon

from . import model, pruning
from .files import RunError, store
from .model import Shape, Tree
from .plan import TrainPlan
from .samples import Batch, Batches

POLICY, VALUE = 1.0, 1.5  # weights of these losses
TRAINED = ("policy", "value", "ownership")
LOSSES = (*TRAINED, "top-1")
REPORTED = 1000  # steps whose losses are averaged
KEPT = 2000  # steps between two checkpoints
TRUNK = ("stem", "blocks")  # the parts of a network whose matrices Muon trains
MUON_RATE = 2.5  # times the rate of AdamW
MEASURED = 150  # batches for the importance of weights
DIVERGED = "training diverged; lower train.rate, or train.further_rate of a network that continues"


class Training:
    """A network in training: parameters, running statistics, the optimizer's state.

    Muon (K. Jordan, 2024), its updates scaled as in J. Liu et al., "Muon is Scalable for LLM
    Training" (2025), trains the matrices of the trunk, and AdamW the rest.

    steps: in total; the rate rises, then falls to 0 (cosine). plan: rates, losses and pruning.
    start: initial parameters and statistics; what is pruned there stays so.
    """

    def __init__(
        self, shape: Shape, steps: int, plan: TrainPlan, seed: int, start: tuple[Tree, Tree] | None
    ) -> None:
        rate = plan.rate if start is None else plan.further_rate
        schedule = optax.warmup_cosine_decay_schedule(
            rate / 20, rate, min(100, steps // 4), steps, rate / 100
        )
        self._optimizer = muon(
            lambda step: MUON_RATE * schedule(step),
            weight_decay=1e-4,
            adam_learning_rate=schedule,
            muon_weight_dimension_numbers=_matrices,
            consistent_rms=0.2,  # as large as the updates of AdamW
        )
        self.steps = steps
        self.done = 0
        self.parameters, self.statistics = start or model.initial(shape, seed)
        self._state = self._optimizer.init(self.parameters)
        weights = dict(zip(TRAINED, (POLICY, VALUE, plan.ownership), strict=True))
        loss = _loss_of(weights)
        self._gradient = jax.jit(jax.grad(loss, has_aux=True))
        self._step = jax.jit(_step_of(self._optimizer, loss), donate_argnums=(0, 1, 2))
        self._kept = pruning.kept(self.parameters)
        self._pruned = pruning.stages(plan.pruned, steps)

    def step(self, batch: Batch) -> dict[str, jax.Array]:
        """Trains on a batch; returns its losses."""
        losses: dict[str, jax.Array]
        self.parameters, self.statistics, self._state, losses = self._step(
            self.parameters, self.statistics, self._state, model.arrays(batch), self._kept
        )
        self.done += 1
        return losses

    def prune(self, batches: Batches) -> None:
        """Prunes the share that the plan has for this step, if any."""
        share = self._pruned.get(self.done)
        if share is None:
            return

        def gradient(number: int) -> Tree:
            batch = model.arrays(batches[number])
            return self._gradient(self.parameters, self.statistics, batch)[0]

        importance = pruning.measure_importance(self.parameters, gradient, MEASURED)
        self.parameters = pruning.prune(self.parameters, importance, share)
        self._kept = pruning.kept(self.parameters)

    def save(self, path: Path) -> None:
        """Saves the training to a file."""
        save_tree(path, (self.parameters, self.statistics, self._state, np.int64(self.done)))

    def restore(self, path: Path) -> None:
        """Restores the state from a file of the same training."""
        like = (self.parameters, self.statistics, self._state, np.int64(self.done))
        self.parameters, self.statistics, self._state, done = load_tree(path, like)
        self.done = int(done)
        self._kept = pruning.kept(self.parameters)


def save_tree(path: Path, tree: Tree) -> None:
    """Saves the arrays of a tree to a file, in order. Raises RunError."""
    file = io.BytesIO()
    np.savez(file, *(np.asarray(leaf) for leaf in jax.tree.leaves(tree)))
    store(path, file.getvalue())


def load_tree(path: Path, like: Tree) -> Tree:
    """Reads a tree with the shape of another from a file.

    Raises ValueError if they differ or a number is not finite, and other errors for damaged files.
    """
    return _tree(path, _arrays(path), like)


def load_start(path: Path, like: tuple[Tree, Tree]) -> tuple[Tree, Tree]:
    """Reads the parameters and statistics that a network starts with, like `load_tree`.

    They may be from another game whose planes are the first ones of this game, like Pinch's for its
    variants: the weights of the other planes are 0.
    """
    arrays = _arrays(path)
    stem = like[0]["stem"]["weights"]
    index = next(index for index, leaf in enumerate(jax.tree.leaves(like)) if leaf is stem)
    if index < len(arrays) and arrays[index].ndim == stem.ndim:
        further = max(0, stem.shape[2] - arrays[index].shape[2])
        arrays[index] = jnp.pad(arrays[index], [(0, 0), (0, 0), (0, further), (0, 0)])
    start: tuple[Tree, Tree] = _tree(path, arrays, like)
    return start


def _arrays(path: Path) -> list[jax.Array]:
    with path.open("rb") as opened, np.load(opened) as file:
        return [jnp.asarray(file[name]) for name in file.files]


def _tree(path: Path, arrays: list[jax.Array], like: Tree) -> Tree:
    leaves, structure = jax.tree.flatten(like)
    shapes = [np.shape(leaf) for leaf in leaves]
    if [array.shape for array in arrays] != shapes:
        raise ValueError(f"{path}: parameters of another network")
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError(f"{path}: it contains numbers that are not finite")
    return jax.tree.unflatten(structure, arrays)


def _matrices(parameters: Tree) -> Tree:
    """Returns the inputs and outputs of each matrix that Muon trains; None for the rest."""

    def axes(path: tuple[Any, ...], values: jax.Array) -> MuonDimensionNumbers | None:
        if path[0].key not in TRUNK or values.ndim == 1:
            return None
        outputs = values.ndim - 1
        return MuonDimensionNumbers(tuple(range(outputs)), outputs)

    return jax.tree_util.tree_map_with_path(axes, parameters)


def _loss_of(weights: dict[str, float]) -> Callable[..., tuple[Any, ...]]:
    """Returns the function that training minimizes; weights: of each loss."""

    def loss(
        parameters: Tree, statistics: Tree, batch: dict[str, jax.Array]
    ) -> tuple[jax.Array, tuple[Tree, dict[str, jax.Array]]]:
        outputs, after = model.apply(parameters, statistics, batch["planes"], training=True)
        parts = model.losses(outputs, batch)
        total = sum((weights[name] * part for name, part in parts.items()), jnp.zeros(()))
        return total, (after, parts)

    return loss


def _step_of(optimizer: Any, loss: Callable[..., Any]) -> Callable[..., tuple[Any, ...]]:
    """Returns a function that takes one step. kept: factors of the parameters, 0 if pruned."""

    def step(
        parameters: Tree, statistics: Tree, state: Any, batch: dict[str, jax.Array], kept: Tree
    ) -> tuple[Tree, Tree, Any, dict[str, jax.Array]]:
        gradients, (statistics, parts) = jax.grad(loss, has_aux=True)(parameters, statistics, batch)
        gradients = jax.tree.map(jnp.multiply, gradients, kept)
        updates, state = optimizer.update(gradients, state, parameters)
        updated = jax.tree.map(jnp.multiply, optax.apply_updates(parameters, updates), kept)
        return updated, statistics, state, parts

    return step


def train(
    training: Training,
    batches: Batches,
    *,
    checkpoint: Path | None = None,
    log: Callable[[str], None] = print,
) -> None:
    """Runs the remaining steps of a training. checkpoint: the file for regular saves.

    The same samples, seed and machine give the same network, interrupted or not. Raises RunError at
    a loss that is not finite.
    """
    recent: list[dict[str, jax.Array]] = []
    while training.done < training.steps:
        training.prune(batches)
        batch = batches[training.done]  # built while JAX computes the previous step
        _check_losses(training.done, recent[-1:])
        recent.append(training.step(batch))
        if training.done % REPORTED == 0 or training.done == training.steps:
            _check_losses(training.done, recent[-1:])
            means = {name: np.mean([losses[name] for losses in recent]) for name in TRAINED}
            content = " ".join(f"{name} {mean:.4f}" for name, mean in means.items())
            log(f"step {training.done} of {training.steps}: {content}")
            recent = []
        if checkpoint is not None and training.done % KEPT == 0:
            training.save(checkpoint)


def _check_losses(step: int, losses: list[dict[str, jax.Array]]) -> None:
    for name, loss in ((name, float(each[name])) for each in losses for name in TRAINED):
        if not np.isfinite(loss):
            raise RunError(f"the {name} loss of step {step} is {loss}: {DIVERGED}")


@jax.jit
def _evaluate(
    parameters: Tree, statistics: Tree, batch: dict[str, jax.Array]
) -> dict[str, jax.Array]:
    outputs, _ = model.apply(parameters, statistics, batch["planes"], training=False)
    agrees = jnp.argmax(model.legal_logits(outputs, batch), 1) == jnp.argmax(batch["policy"], 1)
    return model.losses(outputs, batch) | {"top-1": jnp.mean(agrees)}


def evaluate(training: Training, batches: Batches) -> dict[str, float]:
    """Returns mean losses on held-out samples, and the top-1 accuracy of moves."""
    parts = [
        _evaluate(training.parameters, training.statistics, model.arrays(batches[step]))
        for step in range(batches.a_pass)
    ]
    return (
        {name: float(np.mean([part[name] for part in parts])) for name in LOSSES} if parts else {}
    )
