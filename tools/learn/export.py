"""Writes trained parameters as a network file of the engine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .model import EPSILON, INNER_RANGE, ONE, TRUNK_RANGE, Tree, weight_step
from .plan import QUAD

Array = NDArray[np.float32]


def to_bytes(parameters: Tree, statistics: Tree) -> bytes:
    """Returns the weights in the core's format (core/evaluation/network/network.hpp).

    Raises ValueError for weights that are not finite.
    """
    trunk_step = TRUNK_RANGE / ONE
    inner_step = INNER_RANGE / ONE
    parts = [_convolution(parameters["stem"], statistics["stem"], 1 / ONE, trunk_step)]
    for block, stats in zip(parameters["blocks"], statistics["blocks"], strict=True):
        pool = np.asarray(block["pool"]["weights"]) * (inner_step / trunk_step)
        parts += [
            _convolution(block["first"], stats["first"], trunk_step, inner_step),
            _floats(pool),
            _convolution(block["second"], stats["second"], inner_step, trunk_step),
            _floats(np.ones(1)),
        ]
    pool = np.asarray(parameters["points_pool"]["weights"]) * (trunk_step / inner_step)
    board = parameters["board"]
    parts += [
        _convolution(parameters["points"], statistics["points"], trunk_step, inner_step),
        _floats(pool),
        _convolution(parameters["points_out"], None, inner_step, 1.0),
        _floats(np.asarray(board["weights"]) * trunk_step),
        _floats(board["bias"]),
        _floats(parameters["board_out"]["weights"]),
        _floats(parameters["board_out"]["bias"]),
    ]
    return b"".join(parts)


def _floats(values: Tree) -> bytes:
    array = np.asarray(values, "<f4")
    if not np.isfinite(array).all():
        raise ValueError("a weight of the network is not a finite number")
    return array.tobytes()


def _convolution(layer: Tree, statistics: Tree | None, step_in: float, step_out: float) -> bytes:
    """Returns integer weights, scale and bias of a layer with its normalization."""
    weights = np.asarray(layer["weights"], np.float32)
    step = np.asarray(weight_step(layer["weights"]))
    integers = np.clip(np.round(weights / step), -ONE, ONE).astype(np.int8)
    factor: Array = np.ones(weights.shape[3], np.float32)
    bias = np.asarray(layer["bias"], np.float32)
    if statistics is not None:
        deviation = np.sqrt(np.asarray(statistics["variance"], np.float32) + np.float32(EPSILON))
        factor = np.asarray(layer["gain"], np.float32) / deviation
        bias = bias - np.asarray(statistics["mean"], np.float32) * factor
    return (
        _ordered(integers).tobytes()
        + _floats(step * factor * step_in / step_out)
        + _floats(bias / step_out)
    )


def _ordered(weights: NDArray[np.int8]) -> NDArray[np.int8]:
    """Reorders [row, column, input, output] to [output/4][tap][input/4][output%4][input%4]."""
    rows, columns, inputs, outputs = weights.shape
    quads = weights.reshape(rows * columns, inputs // QUAD, QUAD, outputs // QUAD, QUAD)
    return np.ascontiguousarray(quads.transpose(3, 0, 1, 4, 2))
