"""Training: games on disk, samples, and equal output of the model and the engine."""

from __future__ import annotations

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
from learn.games import GameRecord, read_shard, shard
from learn.plan import PlayPlan, TrainPlan
from learn.play import ShardTask, play, play_shard

PLAY = PlayPlan(boards={"5x5": 1.0, "6x4": 1.0}, visits=60, taught=1.0, blunders=0.1)


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    rng = np.random.default_rng(1)
    return [play("pinch", None, PLAY, rng) for _ in range(40)]


def test_shard_round_trip(records: list[GameRecord], tmp_path: Path) -> None:
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


def test_samples_take_perspective_of_mover(records: list[GameRecord]) -> None:
    found = samples.build("pinch", records, 0, TrainPlan())
    assert set(found) == {(5, 5), (6, 4), (4, 6)}
    for (columns, rows), each in found.items():
        assert each.planes.shape == (len(each), 16, rows, columns)
        np.testing.assert_allclose(each.policy.sum(1), 1, atol=0.01)
        assert (each.value >= 0).all()
        assert (each.value <= 1).all()
        stones = (each.planes[:, 0] > 0) | (each.planes[:, 1] > 0)
        assert (each.policy[:, :-2][stones.reshape(len(each), -1)] == 0).all()
    # The winner usually owns more at the end.
    square = found[5, 5]
    owned = (square.ownership.astype(float) - 1).sum((1, 2))
    assert np.corrcoef(owned, square.value)[0, 1] > 0.5


@pytest.mark.slow
def test_engine_output_equals_trained_model() -> None:
    """Runs in a subprocess: JAX starts threads, and other tests fork."""
    if find_spec("jax") is None or find_spec("optax") is None:
        pytest.skip("pip install '.[learn]'")
    program = [sys.executable, str(FOLDER / "support" / "trained_network.py")]
    done = subprocess.run(program, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert "agrees" in done.stdout
