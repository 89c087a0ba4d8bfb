"""Trains a small network and compares its output with the engine's output of its export.

A program for test_learn.py: JAX starts threads, and tests fork.
"""

import sys
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import jax
import networks
import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from learn import export, model, samples, train
from learn.plan import PlayPlan, TrainPlan
from learn.play import play

from pinchtp import _core
from pinchtp.games import GAMES

PLAY = PlayPlan(boards={"5x5": 1.0}, visits=60, blunders=0.1)
SHAPE = model.Shape(planes=16, channels=8, blocks=2, head=8, hidden=16)


def compare(width: int, height: int, trained: model.Tree, network: _core.Network) -> None:
    """Asserts that both give the same output along a random game."""
    rng = np.random.default_rng(2)
    apply = jax.jit(partial(model.apply, training=False))
    position = GAMES["pinch"].start(width, height)
    for _ in range(6):
        position = position.play(int(rng.choice(position.legal_moves())))
        is_turned = bool((position.to_move == 1) != position.swapped)
        rows, columns = (width, height) if is_turned else (height, width)
        planes = position.planes().reshape(-1, rows, columns).transpose(1, 2, 0)[None] / model.ONE
        said, _ = apply(*trained, planes.astype(np.float32))
        winrate, priors, _ = position.evaluate(network)
        assert abs(winrate - 1 / (1 + np.exp(-float(said["value"][0])))) < 0.02
        places = samples.policy_indices(width, height, is_turned, False, False)
        logits = np.asarray(said["policy"][0])[places[position.legal_moves()]]
        expected = np.exp(logits - logits.max())
        np.testing.assert_allclose(priors, expected / expected.sum(), atol=0.02)


def compare_start(trained: tuple[model.Tree, model.Tree]) -> None:
    """Asserts that a variant starts with Pinch's network, whatever its further planes contain."""
    shape = replace(SHAPE, planes=SHAPE.planes + 8)
    with TemporaryDirectory() as folder:
        path = Path(folder, "start.npz")
        train.save_tree(path, trained)
        start = train.load_start(path, model.initial(shape, 1))
    planes = np.random.default_rng(3).random((4, 5, 5, shape.planes), np.float32)
    expected, _ = model.apply(*trained, planes[..., : SHAPE.planes], training=False)
    found, _ = model.apply(*start, planes, training=False)
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, atol=1e-4)


def check_step(training: train.Training, batch: samples.Batch) -> None:
    """Asserts that a step changes the matrices of the trunk by about as much in all directions."""

    def matrices() -> list[np.ndarray]:
        blocks = training.parameters["blocks"]
        return [np.reshape(block["first"]["weights"], (-1, SHAPE.channels)) for block in blocks]

    before = matrices()
    training.step(batch)
    for old, new in zip(before, matrices(), strict=True):
        amounts = np.linalg.svd(new - old, compute_uv=False)
        assert amounts.max() < 1.8 * amounts.min(), amounts


def count_zero_blocks(training: train.Training) -> list[int]:
    """Returns the number of pruned blocks of each convolution."""
    blocks = training.parameters["blocks"]
    layers = [block[name]["weights"] for block in blocks for name in ("first", "second")]
    quads = [np.reshape(layer, (9, SHAPE.channels // 4, 4, -1, 4)) for layer in layers]
    return [int((~layer.any((2, 4))).sum()) for layer in quads]


def check_pruning(trained: tuple[model.Tree, model.Tree], data: samples.Batches) -> train.Training:
    """Asserts that half of the blocks become zero, and stay so in further training."""
    pruned = train.Training(SHAPE, 16, TrainPlan(pruned=0.5), 0, trained)
    assert sum(count_zero_blocks(pruned)) == 0
    train.train(pruned, data)
    zeros = count_zero_blocks(pruned)
    assert sum(zeros) == 4 * 9 * 4 // 2  # four convolutions of nine taps and two by two quads
    further = train.Training(SHAPE, 2, TrainPlan(), 0, (pruned.parameters, pruned.statistics))
    train.train(further, data)
    assert count_zero_blocks(further) == zeros
    return further


def main() -> None:
    rng = np.random.default_rng(1)
    records = [play("pinch", None, PLAY, rng) for _ in range(40)]
    data = samples.Batches(samples.build("pinch", records, TrainPlan()), 32, 0)
    training = train.Training(SHAPE, 8 * data.a_pass, TrainPlan(), 0, None)
    check_step(training, data[0])
    train.train(training, data)
    losses = train.evaluate(training, data)
    assert losses["value"] < np.log(2), losses
    assert losses["top-1"] > 0.3, losses
    trained = (training.parameters, training.statistics)
    network = networks.of_weights(asdict(SHAPE), export.to_bytes(*trained))
    for width, height in ((5, 5), (4, 7), (9, 9)):
        compare(width, height, trained, network)
    compare_start(trained)
    pruned = check_pruning(trained, data)
    trained = (pruned.parameters, pruned.statistics)
    network = networks.of_weights(asdict(SHAPE), export.to_bytes(*trained))
    compare(9, 9, trained, network)
    print("engine equals the trained network")


if __name__ == "__main__":
    main()
