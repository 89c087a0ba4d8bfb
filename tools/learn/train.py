"""Training: from samples and a network to begin with to a better one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from . import model
from .model import Shape, Tree
from .samples import Samples, batches

LOSS_WEIGHTS = {"policy": 1.0, "value": 1.5, "ownership": 0.15}


@partial(jax.jit, static_argnames="optimizer", donate_argnums=(1, 2, 3))
def _step(
    optimizer: Any, parameters: Tree, statistics: Tree, state: Any, batch: dict[str, jax.Array]
) -> tuple[Tree, Tree, Any, dict[str, jax.Array]]:
    def loss(parameters: Tree) -> tuple[jax.Array, tuple[Tree, dict[str, jax.Array]]]:
        outputs, after = model.apply(parameters, statistics, batch["planes"], training=True)
        parts = model.losses(outputs, batch)
        total = sum((LOSS_WEIGHTS[name] * part for name, part in parts.items()), jnp.zeros(()))
        return total, (after, parts)

    gradients, (statistics, parts) = jax.grad(loss, has_aux=True)(parameters)
    updates, state = optimizer.update(gradients, state, parameters)
    return optax.apply_updates(parameters, updates), statistics, state, parts


def train(  # noqa: PLR0913  (what is trained, and how)
    shape: Shape,
    samples: dict[tuple[int, int], Samples],
    *,
    epochs: float,
    batch: int = 256,
    rate: float = 3e-3,
    seed: int = 0,
    start: tuple[Tree, Tree] | None = None,
    tell: Callable[[str], None] = print,
) -> tuple[Tree, Tree]:
    """Parameters and statistics after so many epochs; the rate falls to nothing (cosine)."""
    rng = np.random.default_rng(seed)
    parameters, statistics = start or model.initial(shape, seed)
    an_epoch = sum(len(each) // batch for each in samples.values())
    steps = max(1, round(epochs * an_epoch))
    schedule = optax.warmup_cosine_decay_schedule(
        rate / 20, rate, min(100, steps // 4), steps, rate / 100
    )
    optimizer = optax.chain(
        optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=1e-4)
    )
    state = optimizer.init(parameters)
    done = 0
    sums: dict[str, list[float]] = {}
    while done < steps:
        for each in batches(samples, batch, rng):
            parameters, statistics, state, parts = _step(
                optimizer, parameters, statistics, state, model.arrays(each)
            )
            for name, part in parts.items():
                sums.setdefault(name, []).append(part)
            done += 1
            if done % 200 == 0 or done == steps:
                means = " ".join(
                    f"{name} {float(jnp.mean(jnp.array(values[-200:]))):.4f}"
                    for name, values in sums.items()
                )
                tell(f"step {done}/{steps}: {means}")
            if done == steps:
                break
    return parameters, statistics


@partial(jax.jit)
def _evaluate(
    parameters: Tree, statistics: Tree, batch: dict[str, jax.Array]
) -> dict[str, jax.Array]:
    outputs, _ = model.apply(parameters, statistics, batch["planes"], training=False)
    parts = model.losses(outputs, batch)
    agrees = jnp.argmax(outputs["policy"], 1) == jnp.argmax(batch["policy"], 1)
    return parts | {"top-1": jnp.mean(agrees)}


def evaluate(
    parameters: Tree, statistics: Tree, samples: dict[tuple[int, int], Samples], batch: int = 256
) -> dict[str, float]:
    """Mean losses on samples that were not trained on."""
    parts: dict[str, list[float]] = {}
    for each in batches(samples, batch, np.random.default_rng(0)):
        for name, part in _evaluate(parameters, statistics, model.arrays(each)).items():
            parts.setdefault(name, []).append(float(part))
    return {name: float(np.mean(values)) for name, values in parts.items()}
