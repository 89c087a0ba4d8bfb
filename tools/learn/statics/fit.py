"""Fits the network of Bushka's static evaluation to results of games."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax

from .network import INPUTS, UNITS, Table, Weights, logits, outcomes, views

PASSES = 8
BATCH = 1024
RATE = 4e-3
HELD_OUT = 10  # the first of this many parts of the positions is held out
SEED = 1


def fit(table: Table) -> tuple[Weights, float]:
    """Returns the weights, and their loss on held-out positions, printed after each pass.

    table: quiet positions, grouped by game.
    """
    own, enemy = views(table)
    outcome = outcomes(table)
    held = len(table) // HELD_OUT
    rng = np.random.default_rng(SEED)
    weights = initial(rng)
    steps = (len(table) - held) // BATCH
    optimizer = optax.adamw(optax.cosine_decay_schedule(RATE, PASSES * steps), weight_decay=1e-4)
    state = optimizer.init(weights)

    @jax.jit
    def step(
        weights: Weights, state: optax.OptState, *batch: jax.Array
    ) -> tuple[Weights, optax.OptState]:
        updates, state = optimizer.update(jax.grad(loss)(weights, *batch), state, weights)
        return optax.apply_updates(weights, updates), state

    for number in range(1, PASSES + 1):
        shuffled = held + rng.permutation(len(table) - held)
        for batch in shuffled[: steps * BATCH].reshape(steps, BATCH):
            weights, state = step(weights, state, own[batch], enemy[batch], outcome[batch])
        left = float(loss(weights, *map(jnp.asarray, (own[:held], enemy[:held], outcome[:held]))))
        print(f"pass {number} of {PASSES}: loss {left:.4f} on held-out positions")
    return weights, left


def initial(rng: np.random.Generator) -> Weights:
    """Returns random weights, for which nearly all hidden units are within their limits."""
    return {
        "inputs": jnp.asarray(rng.normal(0, 0.15, (INPUTS, UNITS)), jnp.float32),
        "bias": jnp.full(UNITS, 0.1),
        "outputs": jnp.asarray(rng.normal(0, 0.4, (2, UNITS)), jnp.float32),
        "output_bias": jnp.zeros(()),
    }


def loss(weights: Weights, own: jax.Array, enemy: jax.Array, outcome: jax.Array) -> jax.Array:
    """Returns the mean log loss of the predicted outcomes."""
    predicted = logits(weights, own.astype(jnp.float32), enemy.astype(jnp.float32))
    return jnp.mean(jax.nn.softplus(predicted) - outcome * predicted)
