"""The static evaluation of Bushka: the fitted network, and the core's integers of it."""

from __future__ import annotations

import random
import re
from importlib.util import find_spec

import numpy as np
import pytest
from clients import FOLDER
from numpy.typing import NDArray

if not (FOLDER.parent / "tools" / "learn").is_dir():
    pytest.skip("tools/ is missing", allow_module_level=True)
if find_spec("jax") is None:
    pytest.skip("jax is missing", allow_module_level=True)

import jax.numpy as jnp
from learn.statics import export, fit
from learn.statics.games import CAPTURES, RESULT, ROW, TURN

from pinchtp import _core
from pinchtp.games import ALPHA_BETA, GAMES, Color, Position

GAME = GAMES["bushka"]
POINT = 1 / export.POINTS_PER_LOGIT


def packaged() -> fit.Weights:
    """Returns the weights of the core, in the units of fit.py."""
    text = export.HEADER.read_text("utf-8")

    def numbers(name: str, *shape: int) -> NDArray[np.float32]:
        (found,) = re.findall(rf"constexpr \S+ {name}\b[^=]* = ([^;]*);", text)
        values = [float(each) for each in re.findall(r"-?\d+", found)]
        return np.array(values, np.float32).reshape(shape)

    outputs = export.POINTS_PER_LOGIT * export.OUTPUTS_PER_POINT
    by_owner = numbers("kInputs", 2, 2, fit.INPUTS // 4, fit.UNITS) / export.ONE
    weights = {
        "inputs": by_owner.swapaxes(0, 1).reshape(fit.INPUTS, fit.UNITS),
        "bias": numbers("kBias", fit.UNITS) / export.ONE,
        "outputs": numbers("kOutputs", 2, fit.UNITS) / outputs,
        "output_bias": numbers("kOutputBias") / outputs / export.ONE,
    }
    return {name: jnp.asarray(values) for name, values in weights.items()}


def starts_of_turns(seed: int) -> list[Position]:
    """Returns positions of a random game."""
    rng = random.Random(seed)
    position = GAME.start(*GAME.size)
    found = []
    while position.result is None and len(found) < 100:
        if not position.mid_turn:
            found.append(position)
        position = position.play(rng.choice(position.legal_moves()))
    return found


def table(positions: list[Position]) -> fit.Table:
    rows = np.zeros((len(positions), ROW), np.uint8)
    for row, position in zip(rows, positions, strict=True):
        row[:-3] = np.frombuffer(position.cells(), np.uint8)
        row[TURN] = position.to_move
    return rows


def mirrored(rows: fit.Table) -> fit.Table:
    """Returns the positions with each row of squares in reverse order."""
    turned = rows.copy()
    turned[:, fit.CELLS] = rows[:, fit.CELLS[fit.MIRROR]]
    return turned


def exchanged(rows: fit.Table) -> fit.Table:
    """Returns the positions turned by half a turn, with colors exchanged."""
    turned = rows.copy()
    other = np.array([0, 2, 1, 4, 3, 5], np.uint8)
    turned[:, fit.CELLS] = other[rows[:, fit.CELLS[::-1]]]
    turned[:, TURN] = Color.BLACK + Color.WHITE - rows[:, TURN]
    return turned


def test_core_evaluates_as_fitted() -> None:
    """Before a search, the value of a turn is that of the position after it."""
    after, winrates = [], []
    for position in (each for seed in range(3) for each in starts_of_turns(seed)):
        search = _core.Search(position, method=ALPHA_BETA, memory_mb=1)
        for choice in search.report().choices:
            end = position
            for move in choice.line:
                end = end.play(move)
            if end.result is None and {1, 2} & set(end.cells()):
                after.append(end)
                winrates.append(choice.winrate)
    assert len(after) > 900
    fitted = np.asarray(fit.logits(packaged(), *fit.views(table(after))))
    core = -np.log(np.array(winrates) / (1 - np.array(winrates)))
    assert np.abs(fitted - core).max() < 2 * POINT


def test_symmetric_positions_have_equal_values() -> None:
    rows = table(starts_of_turns(1))
    weights = fit.initial(np.random.default_rng(1))
    values = fit.logits(weights, *fit.views(rows))
    for changed in (mirrored(rows), exchanged(rows)):
        again = fit.logits(weights, *fit.views(changed))
        np.testing.assert_allclose(again, values, atol=1e-5)
    assert np.std(values) > 0.1


def test_fit_learns_results() -> None:
    """Here the side with more men has won."""
    rng = np.random.default_rng(1)
    rows = np.zeros((20_000, ROW), np.uint8)
    rows[:, fit.CELLS] = rng.choice([0, 0, 1, 2], (len(rows), len(fit.CELLS)))
    rows[:, TURN] = rng.choice([Color.BLACK, Color.WHITE], len(rows))
    white, black = (
        (rows[:, fit.CELLS] == 1 + color).sum(1) for color in (Color.WHITE, Color.BLACK)
    )
    rows[:, RESULT] = 1 + np.sign(white - black.astype(int))
    lines: list[str] = []
    weights, quality = fit.fit(rows, show=lines.append)
    assert len(lines) == fit.PASSES
    assert float(quality.split()[1]) < 0.2
    even = white == black
    right = (np.asarray(fit.logits(weights, *fit.views(rows))) > 0) == (fit.outcomes(rows) == 1)
    assert right[~even].mean() > 0.95


def test_quiet_positions_and_results() -> None:
    rows = np.zeros((3, ROW), np.uint8)
    rows[:, TURN] = Color.WHITE, Color.BLACK, Color.WHITE
    rows[:, RESULT] = 2, 2, 1
    rows[:, CAPTURES] = 0, 0, 1
    assert list(fit.outcomes(rows)) == [1, 0, 0.5]
    assert len(fit.quiet(rows)) == 2
