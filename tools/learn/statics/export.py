"""Writes learned weights as a table of the core."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from .network import CELLS, UNITS, Weights

HEADER = Path(__file__).parents[3] / "pinchtp/core/evaluation/static_eval/bushka_weights.hpp"
ONE = 256  # a hidden unit's limit
POINTS_PER_LOGIT = 100
OUTPUTS_PER_POINT = 16


def write(weights: Weights, origin: str, path: Path = HEADER) -> None:
    """Writes the table. origin: text for a comment."""
    outputs = POINTS_PER_LOGIT * OUTPUTS_PER_POINT
    # The weights are [man, king][own, enemy]; the table is [own, enemy][man, king].
    inputs = np.reshape(weights["inputs"], (2, 2, len(CELLS), UNITS)).swapaxes(0, 1) * ONE
    most = np.abs(inputs).max(axis=(0, 1)).sum(axis=0) + np.abs(weights["bias"] * ONE)
    if most.max() > np.iinfo(np.int16).max:
        raise ValueError("the inputs of a hidden unit may exceed 16 bits")
    comment = "".join(f"// {line}\n" for line in origin.splitlines())
    path.write_text(
        f"""// clang-format off
// The weights of the static evaluation of Bushka (bushka.hpp), as integers.
//
// Written by `python -m tools.learn.statics`; do not edit.
{comment}#pragma once

#include <cstdint>

namespace pinchtp::bushka_weights {{

inline constexpr int kUnits = {UNITS};
inline constexpr int kOne = {ONE};  // a hidden unit's limit
inline constexpr int kPointsPerLogit = {POINTS_PER_LOGIT};
inline constexpr int kOutputsPerPoint = {OUTPUTS_PER_POINT};

// [own, enemy][man, king][square, from the viewer's back rank][hidden unit]
inline constexpr std::int16_t kInputs[2][2][{len(CELLS)}][kUnits] = {_braces(inputs)};
inline constexpr std::int16_t kBias[kUnits] = {_braces(weights["bias"] * ONE)};

// [of the side to move, of its opponent]
inline constexpr std::int16_t kOutputs[2][kUnits] = {_braces(weights["outputs"] * outputs)};
inline constexpr int kOutputBias = {_braces(weights["output_bias"] * outputs * ONE)};

}}  // namespace pinchtp::bushka_weights
""",
        "utf-8",
    )


def _braces(values: ArrayLike) -> str:
    values = np.asarray(values)
    if values.ndim == 0:
        return str(round(float(values)))
    return "{" + (", " if values.ndim == 1 else ",\n").join(map(_braces, values)) + "}"
