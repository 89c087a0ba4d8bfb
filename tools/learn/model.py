"""The network in training: the layers of core/evaluation/network, with floats rounded like the
engine's integers (quantization-aware training; Jacob et al., 2018).

Activations are in the range of their layer and are rounded to 127 steps of it; convolution weights
are rounded to 127 steps of the largest weight per output channel. Gradients ignore the rounding.
Batch normalization is folded into scale and bias when a network is exported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .plan import QUAD

ONE = 127  # the largest activation, as kOne in the core
BOARD_OUTPUTS = 3  # value, pass, swap
TRUNK_RANGE = 6.0  # real value of 127
INNER_RANGE = 4.0
MOMENTUM = 0.98  # of the running statistics
EPSILON = 1e-4
ILLEGAL = -1e9  # logit of a move that the engine never considers

Tree = Any  # nested dicts of arrays


@dataclass(frozen=True)
class Shape:
    """Dimensions of a network, as NetworkShape in the core."""

    planes: int
    channels: int
    blocks: int
    head: int
    hidden: int


def _convolution(rng: np.random.Generator, taps: int, inputs: int, outputs: int) -> Tree:
    size = 3 if taps == 9 else 1
    weights = rng.standard_normal((size, size, inputs, outputs)) * (2 / (taps * inputs)) ** 0.5
    return {"weights": weights}


def _dense(rng: np.random.Generator, inputs: int, outputs: int, gain: float = 1.0) -> Tree:
    return {"weights": gain * rng.standard_normal((inputs, outputs)) * (2 / inputs) ** 0.5}


def _norm(outputs: int) -> Tree:
    return {"gain": np.ones(outputs), "bias": np.zeros(outputs)}


def _statistics(outputs: int) -> Tree:
    return {"mean": np.zeros(outputs), "variance": np.ones(outputs)}


def initial(shape: Shape, seed: int) -> tuple[Tree, Tree]:
    """Returns initial parameters, and running statistics of normalized layers.

    Uses numpy: JAX would first compile a function for each shape, which takes seconds.
    """
    rng = np.random.default_rng(seed)
    c = shape.channels
    parameters: Tree = {
        "stem": _convolution(rng, 9, shape.planes, c) | _norm(c),
        "blocks": [],
    }
    statistics: Tree = {"stem": _statistics(c), "blocks": []}
    for _ in range(shape.blocks):
        parameters["blocks"].append(
            {
                "first": _convolution(rng, 9, c, c) | _norm(c),
                "pool": _dense(rng, 2 * c, c, 0.1),
                "second": _convolution(rng, 9, c, c) | _norm(c) | {"gain": np.full(c, 0.5)},
            }
        )
        statistics["blocks"].append({"first": _statistics(c), "second": _statistics(c)})
    parameters["points"] = _convolution(rng, 1, c, shape.head) | _norm(shape.head)
    statistics["points"] = _statistics(shape.head)
    parameters["points_pool"] = _dense(rng, 3 * c, shape.head, 0.1)
    parameters["points_out"] = _convolution(rng, 1, shape.head, QUAD) | {"bias": np.zeros(QUAD)}
    parameters["board"] = _dense(rng, 3 * c, shape.hidden) | {"bias": np.zeros(shape.hidden)}
    parameters["board_out"] = _dense(rng, shape.hidden, BOARD_OUTPUTS, 0.5) | {
        "bias": np.zeros(BOARD_OUTPUTS)
    }
    return jax.tree.map(jnp.float32, parameters), jax.tree.map(jnp.float32, statistics)


def weight_step(weights: jax.Array) -> jax.Array:
    """Returns the value of one of the 127 steps, per output channel."""
    return jnp.maximum(jnp.max(jnp.abs(weights), axis=(0, 1, 2)), 1e-8) / ONE


def _pass_through(exact: jax.Array, rounded: jax.Array) -> jax.Array:
    return exact + jax.lax.stop_gradient(rounded - exact)


def rounded_weights(weights: jax.Array) -> jax.Array:
    step = jax.lax.stop_gradient(weight_step(weights))
    return _pass_through(weights, jnp.clip(jnp.round(weights / step), -ONE, ONE) * step)


def rectified(values: jax.Array, extent: float) -> jax.Array:
    """Returns a layer's activations: clipped to its range, rounded to steps, halves up."""
    clipped = jnp.clip(values, 0, extent)
    return _pass_through(clipped, jnp.floor(clipped * (ONE / extent) + 0.5) * (extent / ONE))


def convolve(layer: Tree, inputs: jax.Array) -> jax.Array:
    # The core counts rows from the bottom, and so do the planes: the taps need no flip.
    return jax.lax.conv_general_dilated(
        inputs,
        rounded_weights(layer["weights"]),
        (1, 1),
        "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )


def _normalize(
    layer: Tree, statistics: Tree, values: jax.Array, training: bool
) -> tuple[Any, Tree]:
    if training:
        mean = jnp.mean(values, (0, 1, 2))
        variance = jnp.var(values, (0, 1, 2))
        statistics = {
            "mean": MOMENTUM * statistics["mean"] + (1 - MOMENTUM) * jax.lax.stop_gradient(mean),
            "variance": MOMENTUM * statistics["variance"]
            + (1 - MOMENTUM) * jax.lax.stop_gradient(variance),
        }
    else:
        mean, variance = statistics["mean"], statistics["variance"]
    factor = layer["gain"] * jax.lax.rsqrt(variance + EPSILON)
    return (values - mean) * factor + layer["bias"], statistics


def _pooled(values: jax.Array) -> tuple[jax.Array, jax.Array]:
    return jnp.mean(values, (1, 2)), jnp.max(values, (1, 2))


def by_size(width: int, height: int) -> float:
    """Returns the factor of the means in the heads, which encodes the board size."""
    return 0.125 * ((width + height) * 0.5 - 9.0)


def apply(
    parameters: Tree, statistics: Tree, planes: jax.Array, *, training: bool
) -> tuple[dict[str, jax.Array], Tree]:
    """Returns the network's output and the updated statistics.

    planes: [n, height, width, planes], from 0 to 1. Returns logits: value [n], policy
    [n, height * width + 2], ownership [n, height, width].
    """
    new: Tree = {"blocks": []}
    values, new["stem"] = _normalize(
        parameters["stem"], statistics["stem"], convolve(parameters["stem"], planes), training
    )
    trunk = rectified(values, TRUNK_RANGE)
    for block, before in zip(parameters["blocks"], statistics["blocks"], strict=True):
        values, first = _normalize(
            block["first"], before["first"], convolve(block["first"], trunk), training
        )
        inner = rectified(values, INNER_RANGE)
        bias = jnp.concatenate(_pooled(inner), axis=1) @ block["pool"]["weights"]
        values, second = _normalize(
            block["second"], before["second"], convolve(block["second"], inner), training
        )
        trunk = rectified(values + bias[:, None, None, :] + trunk, TRUNK_RANGE)
        new["blocks"].append({"first": first, "second": second})
    mean, most = _pooled(trunk)
    pooled = jnp.concatenate([mean, mean * by_size(planes.shape[2], planes.shape[1]), most], axis=1)
    values, new["points"] = _normalize(
        parameters["points"], statistics["points"], convolve(parameters["points"], trunk), training
    )
    bias = pooled @ parameters["points_pool"]["weights"]
    head = rectified(values + bias[:, None, None, :], INNER_RANGE)
    points = convolve(parameters["points_out"], head) + parameters["points_out"]["bias"]
    hidden = jnp.maximum(pooled @ parameters["board"]["weights"] + parameters["board"]["bias"], 0)
    board = hidden @ parameters["board_out"]["weights"] + parameters["board_out"]["bias"]
    policy = jnp.concatenate([points[..., 0].reshape(len(planes), -1), board[:, 1:3]], axis=1)
    return {"value": board[:, 0], "policy": policy, "ownership": points[..., 1]}, new


def legal_logits(outputs: dict[str, jax.Array], batch: dict[str, jax.Array]) -> jax.Array:
    """Returns the policy's logits, without a chance for illegal moves."""
    return jnp.where(batch["legal"], outputs["policy"], ILLEGAL)


def losses(outputs: dict[str, jax.Array], batch: dict[str, jax.Array]) -> dict[str, jax.Array]:
    """Returns cross entropies: weighted batch means in nats, for the policy over legal moves."""
    policy = -jnp.sum(batch["policy"] * jax.nn.log_softmax(legal_logits(outputs, batch)), axis=1)
    value = _binary(outputs["value"], batch["value"])
    ownership = jnp.mean(_binary(outputs["ownership"], batch["ownership"]), axis=(1, 2))
    return {
        "policy": jnp.mean(policy * batch["weight"]),
        "value": jnp.mean(value * batch["weight"]),
        "ownership": jnp.mean(ownership * batch["weight"]),
    }


def _binary(logits: jax.Array, target: jax.Array) -> jax.Array:
    return jax.nn.softplus(logits) - target * logits


def arrays(batch: Any) -> dict[str, np.ndarray]:
    """Returns a batch of samples as arrays for the network and the losses."""
    return {
        "planes": batch.planes.transpose(0, 2, 3, 1).astype(np.float32) / ONE,
        "policy": batch.policy.astype(np.float32),
        "legal": batch.legal,
        "value": batch.value,
        "ownership": batch.ownership.astype(np.float32) / 2,
        "weight": batch.weight,
    }
