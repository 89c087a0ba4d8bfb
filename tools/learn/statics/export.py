"""Writes learned weights as a table of the core."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .fit import PAIRS, PATTERNS, POINTS, ROWS, Floats, Weights

HEADER = Path(__file__).parents[3] / "pinchtp/core/evaluation/static_eval/bushka_weights.hpp"
MOST = 2000  # largest weight in points


def write(weights: Weights, origin: str, path: Path = HEADER) -> None:
    """Writes the table. origin: text for a comment."""
    windows = _points(weights.windows).reshape(PAIRS // 2, PATTERNS)
    kings = _points(weights.kings).reshape(ROWS, 3)
    men, few_kings, turn, few_turn = (int(each) for each in _points(weights.others))
    comment = "".join(f"// {line}\n" for line in origin.splitlines())
    path.write_text(
        f"""// clang-format off
// The weights of the static evaluation of Bushka (bushka.hpp), in points for White.
//
// Written by `python -m tools.learn.statics`; do not edit.
{comment}#pragma once

#include <cstdint>

namespace pinchtp::bushka_weights {{

inline constexpr int kPointsPerLogit = {POINTS};
inline constexpr int kMenIfFew = {men};
inline constexpr int kKingsIfFew = {few_kings};
inline constexpr int kTurn = {turn};
inline constexpr int kTurnIfFew = {few_turn};

// [row from the owner's back rank][square from the edge to the middle]
inline constexpr std::int16_t kKings[{ROWS}][3] = {_table(kings)};

// [lower row of a pair from White's back rank][pattern]
inline constexpr std::int16_t kWindows[{PAIRS // 2}][{PATTERNS}] = {_table(windows)};

}}  // namespace pinchtp::bushka_weights
""",
        "utf-8",
    )


def _points(values: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.clip(np.rint(values * POINTS), -MOST, MOST).astype(np.int64)


def _table(rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> str:
    lines = []
    for row in rows:
        numbers = [str(each) for each in row]
        parts = [", ".join(numbers[i : i + 20]) for i in range(0, len(numbers), 20)]
        lines.append("{" + ",\n  ".join(parts) + "},\n")
    return "{\n" + "".join(lines) + "}"
