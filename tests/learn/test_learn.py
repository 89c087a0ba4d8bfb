"""Training: games on disk, samples, and equal output of the model and the engine."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import networks
import numpy as np
import pytest
from clients import FOLDER

if not (FOLDER.parent / "tools" / "learn").is_dir():
    pytest.skip("tools/ is missing", allow_module_level=True)

from learn import samples
from learn.games import SelfPlayGame, read_shard, shard
from learn.plan import PlayPlan, TrainPlan
from learn.play import ShardTask, play, play_shard

Sizes = dict[tuple[int, int], samples.Samples]

PLAY = PlayPlan(boards={"5x5": 1.0, "6x4": 1.0}, visits=60, blunders=0.1)


@pytest.fixture(scope="module")
def records() -> list[SelfPlayGame]:
    rng = np.random.default_rng(1)
    return [play("pinch", None, PLAY, rng) for _ in range(40)]


def test_shard_round_trip(records: list[SelfPlayGame], tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    path.write_bytes(shard(records))
    for written, read in zip(records, read_shard(path), strict=True):
        for name, value in vars(written).items():
            if name == "targets":
                pairs = zip(value, read.targets, strict=True)
                assert all(
                    np.array_equal(a, b) for x, y in pairs for a, b in zip(x, y, strict=True)
                )
            else:
                np.testing.assert_array_equal(value, getattr(read, name))


def test_lost_positions_have_targets() -> None:
    """Searches prove all moves of some of them lost."""
    plan = PlayPlan(boards={"3x3": 1.0}, visits=400)
    rng = np.random.default_rng(1)
    for record in [play("pinch", None, plan, rng) for _ in range(5)]:
        for searched, (moves, weights) in zip(record.searched, record.targets, strict=True):
            assert bool(searched) == bool(len(moves))
            assert len(moves) == len(weights)


def test_same_seed_gives_same_games() -> None:
    network = bytes(networks.file("pinch"))
    tasks = [ShardTask("pinch", PLAY, network, (1, 0, seed), 3) for seed in (3, 3, 4)]
    first, again, other = map(play_shard, tasks)
    assert first == again != other


def test_network_searches_record_surprise(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    task = ShardTask("pinch", PLAY, bytes(networks.file("pinch")), (1,), 4)
    path.write_bytes(play_shard(task))
    surprises = np.concatenate([record.surprises for record in read_shard(path)])
    searched = np.concatenate([record.searched for record in read_shard(path)])
    assert np.isnan(surprises[searched == 0]).all()
    assert (surprises[searched == 1] > 0).all()


def batch(found: Sizes, size: tuple[int, int], seed: int) -> samples.Batch:
    """Returns all samples of a board size, each in a random symmetry."""
    every = np.arange(len(found[size]))
    return samples.orient(found[size], size, every, np.random.default_rng(seed))


def test_samples_take_perspective_of_mover(records: list[SelfPlayGame]) -> None:
    found = samples.build("pinch", records, TrainPlan())
    assert set(found) == {(5, 5), (6, 4), (4, 6)}
    for size in found:
        each = batch(found, size, 1)
        columns, rows = size
        assert each.planes.shape == (len(each.value), 16, rows, columns)
        np.testing.assert_allclose(each.policy.sum(1), 1, atol=0.01)
        assert (each.value >= 0).all()
        assert (each.value <= 1).all()
        stones = (each.planes[:, 0] > 0) | (each.planes[:, 1] > 0)
        assert (each.legal[:, :-2] != stones.reshape(len(stones), -1)).all()
        assert (each.policy[~each.legal] == 0).all()
    # The winner usually owns more at the end.
    square = batch(found, (5, 5), 1)
    owned = (square.ownership.astype(float) - 1).sum((1, 2))
    assert np.corrcoef(owned, square.value)[0, 1] > 0.5


def test_batches_turn_targets_like_planes(records: list[SelfPlayGame]) -> None:
    """The same position in two symmetries: points are moved alike in all of its arrays."""
    found = samples.build("pinch", records, TrainPlan())
    first, second = (batch(found, (6, 4), seed) for seed in (1, 2))
    turned = 0
    for i in range(len(first.value)):
        images = [first.planes[i, :2], second.planes[i, :2]]
        flips = [
            axes for axes in ((), 1, 2, (1, 2)) if (np.flip(images[0], axes) == images[1]).all()
        ]
        moved = [first, second]
        policy, legal = (
            [getattr(each, name)[i, :-2].reshape(1, 4, 6) for each in moved]
            for name in ("policy", "legal")
        )
        owned = [each.ownership[i][None] for each in moved]
        assert any(
            all((np.flip(one, axes) == other).all() for one, other in (policy, legal, owned))
            for axes in flips
        )
        turned += () not in flips
    assert turned > len(first.value) / 2


@pytest.mark.parametrize("game", ["pinch", "capture-go"])
def test_images_of_oblong_boards_have_one_size(game: str) -> None:
    rng = np.random.default_rng(1)
    plan = PlayPlan(boards={"6x4": 1.0}, visits=30)
    found = samples.build(game, [play(game, None, plan, rng) for _ in range(3)], TrainPlan())
    shapes = {batch(found, size, 1).planes.shape[2:][::-1] for size in found}
    assert shapes == set(found)


@pytest.mark.slow
def test_engine_output_equals_trained_model() -> None:
    """Runs in a subprocess: JAX starts threads, and other tests fork."""
    if find_spec("jax") is None or find_spec("optax") is None:
        pytest.skip("pip install '.[learn]'")
    program = [sys.executable, str(FOLDER / "support" / "trained_network.py")]
    done = subprocess.run(program, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert "engine equals the trained network" in done.stdout
