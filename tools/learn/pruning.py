"""Pruning: blocks of convolution weights that stay zero, which the engine's dot products skip.

A block has the weights between four input and four output channels at one tap, as a `Term` of
core/evaluation/network/direct.hpp. Only the convolutions of the residual blocks are pruned. A
block's importance is the squared change of the loss, to first order, if it were zero (P. Molchanov
et al., "Importance Estimation for Neural Network Pruning", 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from .model import Tree
from .plan import QUAD

Scores = list[NDArray[np.float32]]  # [row, column, input / 4, output / 4] of each convolution

# Shares of what is to be pruned, and from which part of the steps on.
STAGES = ((0.0, 0.5), (1 / 8, 0.75), (1 / 4, 1.0))


def stages(share: float, steps: int) -> dict[int, float]:
    """Returns the share of blocks to prune by step: a network recovers between the stages."""
    return {round(part * steps): share * of_it for part, of_it in STAGES} if share else {}


def kept(parameters: Tree) -> Tree:
    """Returns factors of the parameters: 0 for those of pruned blocks, 1 for others."""
    factors = jax.tree.map(jnp.ones_like, parameters)
    for layer, factor in zip(_layers(parameters), _layers(factors), strict=True):
        factor["weights"] = _spread(_sums(np.square(layer["weights"])) > 0)
    return factors


def prune(parameters: Tree, importance: Scores, share: float) -> Tree:
    """Returns the parameters with this share of blocks at zero, the least important ones."""
    ranked = np.sort(np.concatenate([scores.ravel() for scores in importance]))
    count = int(share * len(ranked))
    pruned = jax.tree.map(lambda values: values, parameters)  # a copy of the dicts
    if count:
        for layer, scores in zip(_layers(pruned), importance, strict=True):
            layer["weights"] = layer["weights"] * _spread(scores > ranked[count - 1])
    return pruned


def measure_importance(parameters: Tree, gradient: Callable[[int], Tree], batches: int) -> Scores:
    """Returns the importance of each block.

    gradient: of the loss by the parameters, over a numbered batch.
    """
    importance = [np.zeros_like(_sums(layer["weights"])) for layer in _layers(parameters)]
    for number in range(batches):
        layers = zip(importance, _layers(parameters), _layers(gradient(number)), strict=True)
        for scores, layer, slope in layers:
            scores[:] += np.square(_sums(layer["weights"] * slope["weights"]))
    return importance


def _layers(parameters: Tree) -> Iterator[Tree]:
    for block in parameters["blocks"]:
        yield block["first"]
        yield block["second"]


def _sums(weights: jax.Array) -> NDArray[np.float32]:
    """Returns the sum of each block."""
    rows, columns, inputs, outputs = weights.shape
    blocks = np.reshape(weights, (rows, columns, inputs // QUAD, QUAD, outputs // QUAD, QUAD))
    sums: NDArray[np.float32] = blocks.sum((3, 5))
    return sums


def _spread(blocks: NDArray[np.bool_]) -> jax.Array:
    """Returns 1 or 0 for each weight, from a truth value for each block."""
    return jnp.asarray(blocks.repeat(QUAD, 2).repeat(QUAD, 3), jnp.float32)
