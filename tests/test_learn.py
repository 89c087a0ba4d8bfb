"""Training: games on disk, what is made of them, and that the engine says what was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from clients import FOLDER

from pinchtp import _core
from pinchtp.games import GAMES

pytest.importorskip("jax", reason="pip install '.[learn]'")
if not (FOLDER.parent / "tools" / "learn").is_dir():
    pytest.skip("the tools are not here", allow_module_level=True)

from learn import export, model, samples, train
from learn.games import GameRecord, read_shard, write_shard
from learn.play import PlayOptions, play

OPTIONS = PlayOptions(boards=((5, 5, 1.0), (6, 4, 1.0)), visits=60, taught=1.0, blunders=0.1)


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    rng = np.random.default_rng(1)
    return [play("pinch", None, OPTIONS, rng) for _ in range(40)]


def test_a_shard_holds_what_was_written(records: list[GameRecord], tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    write_shard(path, records)
    assert [entry.name for entry in tmp_path.iterdir()] == ["some.npz"]
    for written, read in zip(records, read_shard(path), strict=True):
        for name, value in vars(written).items():
            if name == "targets":
                pairs = zip(value, read.targets, strict=True)
                assert all(
                    np.array_equal(a, b) for x, y in pairs for a, b in zip(x, y, strict=True)
                )
            else:
                np.testing.assert_array_equal(value, getattr(read, name))


def test_the_same_seed_plays_the_same_games() -> None:
    games = [
        play("pinch", None, OPTIONS, np.random.default_rng(3)).moves.tolist() for _ in range(2)
    ]
    assert games[0] == games[1]


def test_samples_are_seen_from_the_player_to_move(records: list[GameRecord]) -> None:
    found = samples.build("pinch", records, 0)
    assert set(found) == {(5, 5), (6, 4), (4, 6)}
    for (columns, rows), each in found.items():
        assert each.planes.shape == (len(each), 16, rows, columns)
        np.testing.assert_allclose(each.policy.sum(1), 1, atol=0.01)
        assert (each.value >= 0).all()
        assert (each.value <= 1).all()
        stones = (each.planes[:, 0] > 0) | (each.planes[:, 1] > 0)
        assert (each.policy[:, :-2][stones.reshape(len(each), -1)] == 0).all()
    # Who has won owns more than the other at the end, as a rule.
    square = found[5, 5]
    owned = (square.ownership.astype(float) - 1).sum((1, 2))
    assert np.corrcoef(owned, square.value)[0, 1] > 0.5


@pytest.mark.slow
def test_the_engine_says_what_was_trained(records: list[GameRecord]) -> None:
    """The exported integers and the trained floats agree, on boards of other sizes too."""
    shape = model.Shape(planes=16, channels=8, blocks=2, head=8, hidden=16)
    data = {(5, 5): samples.build("pinch", records, 0)[5, 5]}  # each size is compiled anew
    lines: list[str] = []
    parameters, statistics = train.train(shape, data, epochs=8, batch=32, tell=lines.append)
    first = float(np.log(2))
    assert train.evaluate(parameters, statistics, data, batch=32)["value"] < first
    network = _core.Network(
        weights=export.to_bytes(shape, parameters, statistics), **shape.as_dict()
    )
    rng = np.random.default_rng(2)
    for width, height in ((5, 5), (4, 7), (9, 9)):
        position = GAMES["pinch"].start(width, height)
        for _ in range(6):
            position = position.play(int(rng.choice(position.legal_moves())))
            is_turned = (position.to_move == 1) != position.swapped
            rows, columns = (width, height) if is_turned else (height, width)
            planes = position.planes().reshape(-1, rows, columns).transpose(1, 2, 0)[None] / 127
            said, _ = model.apply(parameters, statistics, planes.astype(np.float32), training=False)
            winrate, priors, _ = position.evaluate(network)
            assert winrate == pytest.approx(1 / (1 + np.exp(-float(said["value"][0]))), abs=0.02)
            places = samples.turned(width, height, is_turned, False, False)
            logits = np.asarray(said["policy"][0])[places[position.legal_moves()]]
            expected = np.exp(logits - logits.max())
            np.testing.assert_allclose(priors, expected / expected.sum(), atol=0.02)
