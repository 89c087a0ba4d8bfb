"""Fits the network of Bushka's static evaluation to results of games.

The side to move and its opponent both see the board from their own back rank, as INPUTS of 0 or 1:
own men, enemy men, own kings and enemy kings, by square. Both views go through the same hidden
units, limited to 0 to 1. Half of the units see the mirrored view by the weights of the other half,
so mirrored boards have the same value.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.typing import ArrayLike
from numpy.typing import NDArray

from pinchtp.games import Color

from .games import CAPTURES, RESULT, TURN

SIDE = 10
ROWS = 9  # from White's back rank to Black's
UNITS = 16  # hidden units, without the mirrored ones

PASSES = 8
BATCH = 1024
RATE = 4e-3
HELD_OUT = 10  # one game in ten is held out

Table = NDArray[np.uint8]
Weights = dict[str, jax.Array]


def squares_of_row(row: int) -> list[int]:
    """Returns the squares of a row as cell indices, in the order of their letters."""
    number = ROWS // 2 - row  # numbering of the rules
    return [
        y * SIDE + x
        for x in range(SIDE)
        for y in range(SIDE)
        if x - y == number and 4 <= x + y <= 14
    ]


SQUARES = [squares_of_row(row) for row in range(ROWS)]
CELLS = np.concatenate(SQUARES)
INPUTS = 4 * len(CELLS)
# The square, and the input, that one becomes if the board is mirrored.
_ends = np.cumsum([len(row) for row in SQUARES])
MIRROR = np.concatenate([row[::-1] for row in np.split(np.arange(len(CELLS)), _ends[:-1])])
MIRRORED = np.concatenate([len(CELLS) * kind + MIRROR for kind in range(4)])


def quiet(table: Table) -> Table:
    """Returns the quiet positions: those without captures for the side to move."""
    found: Table = table[table[:, CAPTURES] == 0]
    return found


def views(table: Table) -> tuple[Table, Table]:
    """Returns positions as in games.py as the side to move and as its opponent see them.

    Two arrays uint8 [positions, INPUTS].
    """
    cells = table[:, CELLS]
    men, kings = (
        {color: (cells == value + color).astype(np.uint8) for color in (Color.WHITE, Color.BLACK)}
        for value in (1, 3)
    )
    white = np.concatenate(
        [men[Color.WHITE], men[Color.BLACK], kings[Color.WHITE], kings[Color.BLACK]], axis=1
    )
    # Rotated by half a turn, the squares are in reverse order.
    black = np.concatenate(
        [
            pieces[:, ::-1]
            for pieces in (
                men[Color.BLACK],
                men[Color.WHITE],
                kings[Color.BLACK],
                kings[Color.WHITE],
            )
        ],
        axis=1,
    )
    is_white = table[:, TURN, None] == Color.WHITE
    return np.where(is_white, white, black), np.where(is_white, black, white)


def outcomes(table: Table) -> NDArray[np.float32]:
    """Returns the results for the side to move: 0, 0.5 or 1."""
    results = table[:, RESULT].astype(np.float32) / 2
    return np.where(table[:, TURN] == Color.WHITE, results, 1 - results)


def logits(weights: Weights, own: ArrayLike, enemy: ArrayLike) -> jax.Array:
    """Returns the values of positions for the side to move. own, enemy: its view and the other."""
    hidden = [
        jnp.clip(seen @ weights["inputs"] + weights["bias"], 0, 1)
        for view in (jnp.asarray(own, jnp.float32), jnp.asarray(enemy, jnp.float32))
        for seen in (view, view[:, MIRRORED])
    ]
    outputs = weights["outputs"]
    return (
        (hidden[0] + hidden[1]) @ outputs[0]
        + (hidden[2] + hidden[3]) @ outputs[1]
        + weights["output_bias"]
    )


def loss(weights: Weights, own: ArrayLike, enemy: ArrayLike, outcome: ArrayLike) -> jax.Array:
    """Returns the mean log loss of the predicted outcomes."""
    predicted = logits(weights, own, enemy)
    return jnp.mean(jax.nn.softplus(predicted) - jnp.asarray(outcome) * predicted)


def initial(rng: np.random.Generator) -> Weights:
    """Returns random weights, with all hidden units within their limits at first."""
    return {
        "inputs": jnp.asarray(rng.normal(0, 0.15, (INPUTS, UNITS)), jnp.float32),
        "bias": jnp.full(UNITS, 0.1),
        "outputs": jnp.asarray(rng.normal(0, 0.4, (2, UNITS)), jnp.float32),
        "output_bias": jnp.zeros(()),
    }


def fit(table: Table, seed: int = 1, show: Callable[[str], None] = print) -> tuple[Weights, str]:
    """Returns the weights, and their loss on positions held out as text.

    table: quiet positions, grouped by game.
    """
    own, enemy = views(table)
    outcome = outcomes(table)
    held = len(table) // HELD_OUT
    rng = np.random.default_rng(seed)
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
        left = float(loss(weights, own[:held], enemy[:held], outcome[:held]))
        show(f"pass {number} of {PASSES}: loss {left:.4f} on positions held out")
    return weights, f"loss {left:.4f} on positions held out"
