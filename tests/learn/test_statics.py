"""The static evaluation of Bushka: its network as fitted, and as the core evaluates it."""

import os
import random
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from clients import FOLDER
from numpy.typing import NDArray

if not (FOLDER.parent / "tools" / "learn").is_dir():
    pytest.skip("tools/ is missing", allow_module_level=True)

from learn.statics import export, network
from learn.statics.games import CAPTURES, RESULT, ROW, TURN

from pinchtp import _core
from pinchtp.games import ALPHA_BETA, GAMES, Color, Position

GAME = GAMES["bushka"]
POINT = 1 / export.POINTS_PER_LOGIT


def weights_in(path: Path) -> network.Weights:
    """Reads a table of the core."""
    text = path.read_text("utf-8")

    def numbers(name: str, *shape: int) -> NDArray[np.float64]:
        (found,) = re.findall(rf"constexpr \S+ {name}\b[^=]* = ([^;]*);", text)
        return np.array([int(each) for each in re.findall(r"-?\d+", found)]).reshape(shape) * 1.0

    outputs = export.POINTS_PER_LOGIT * export.OUTPUTS_PER_POINT
    by_owner = numbers("kInputs", 2, 2, len(network.CELLS), network.UNITS) / export.ONE
    return {
        "inputs": by_owner.swapaxes(0, 1).reshape(network.INPUTS, network.UNITS),
        "bias": numbers("kBias", network.UNITS) / export.ONE,
        "outputs": numbers("kOutputs", 2, network.UNITS) / outputs,
        "output_bias": numbers("kOutputBias") / outputs / export.ONE,
    }


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


def table(positions: list[Position]) -> network.Table:
    rows = np.zeros((len(positions), ROW), np.uint8)
    for row, position in zip(rows, positions, strict=True):
        row[:-3] = np.frombuffer(position.cells(), np.uint8)
        row[TURN] = position.to_move
    return rows


def mirrored(rows: network.Table) -> network.Table:
    """Returns the positions with each row of squares in reverse order."""
    turned = rows.copy()
    turned[:, network.CELLS] = rows[:, network.CELLS[network.MIRROR]]
    return turned


def exchanged(rows: network.Table) -> network.Table:
    """Returns the positions turned by half a turn, with colors exchanged."""
    turned = rows.copy()
    other = np.array([0, 2, 1, 4, 3], np.uint8)
    turned[:, network.CELLS] = other[rows[:, network.CELLS[::-1]]]
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
    fitted = network.logits(weights_in(export.HEADER), *network.views(table(after)))
    core = -np.log(np.array(winrates) / (1 - np.array(winrates)))
    assert np.abs(fitted - core).max() < 2 * POINT


def test_symmetric_positions_have_equal_values() -> None:
    rows = table(starts_of_turns(1))
    weights = weights_in(export.HEADER)
    values = network.logits(weights, *network.views(rows))
    for changed in (mirrored(rows), exchanged(rows)):
        again = network.logits(weights, *network.views(changed))
        np.testing.assert_allclose(again, values, atol=1e-5)
    assert np.std(values) > 0.1


def test_fit_learns_results(tmp_path: Path) -> None:
    """Here the side with more men has won. In a subprocess: JAX starts threads."""
    if find_spec("jax") is None or find_spec("optax") is None:
        pytest.skip("pip install '.[learn]'")
    rng = np.random.default_rng(1)
    rows = np.zeros((20_000, ROW), np.uint8)
    rows[:, network.CELLS] = rng.choice([0, 0, 1, 2], (len(rows), len(network.CELLS)))
    rows[:, TURN] = rng.choice([Color.BLACK, Color.WHITE], len(rows))
    white, black = (
        (rows[:, network.CELLS] == 1 + color).sum(1) for color in (Color.WHITE, Color.BLACK)
    )
    rows[:, RESULT] = 1 + np.sign(white - black.astype(int))
    np.save(tmp_path / "games.npy", rows)
    command = [sys.executable, "-m", "tools.learn.statics", "fit", str(tmp_path / "games.npy")]
    output = ["--output", str(tmp_path / "weights.hpp")]
    subprocess.run([*command, *output], check=True, timeout=300, cwd=FOLDER.parent)
    values = network.logits(weights_in(tmp_path / "weights.hpp"), *network.views(rows))
    won, decided = network.outcomes(rows) == 1, white != black
    assert ((values > 0) == won)[decided].mean() > 0.95


def test_quiet_positions_and_results() -> None:
    rows = np.zeros((3, ROW), np.uint8)
    rows[:, TURN] = Color.WHITE, Color.BLACK, Color.WHITE
    rows[:, RESULT] = 2, 2, 1
    rows[:, CAPTURES] = 0, 0, 1
    assert list(network.outcomes(rows)) == [1, 0, 0.5]
    assert len(network.quiet(rows)) == 2


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ("games one.npy", "one.npy exists: give another name"),
        ("games nowhere/two.npy", "nowhere is not a directory"),
        ("fit one.npy three.npy", "no such file: three.npy"),
    ],
)
def test_files_are_checked_before_the_work(tmp_path: Path, task: str, reason: str) -> None:
    if find_spec("jax") is None or find_spec("optax") is None:
        pytest.skip("pip install '.[learn]'")
    (tmp_path / "one.npy").touch()
    done = subprocess.run(
        [sys.executable, "-m", "tools.learn.statics", *task.split()],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(FOLDER.parent)},
    )
    assert done.returncode == 2
    assert done.stderr.endswith(f"error: {reason}\n")
