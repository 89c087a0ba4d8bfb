"""The files of a run: damaged, locked, moved, on a full disk; each with its message."""

import resource
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import networks
import numpy as np
import pytest
from clients import FOLDER

if not (FOLDER.parent / "tools" / "learn").is_dir():
    pytest.skip("tools/ is missing", allow_module_level=True)

from learn.files import RunError
from learn.gate import Verdict
from learn.plan import Plan, PlanError, PlayPlan, TrainPlan
from learn.play import ShardTask, play_shard
from learn.run import Run

from pinchtp.base.process import ExitStatus

NETWORKS = FOLDER.parent / "tools/learn/runs/networks"
PLAN = """
generations = 1
[first]
games = 50
boards = {"5x5" = 1}
visits = 20
"""

needs_jax = pytest.mark.skipif(
    find_spec("jax") is None or find_spec("optax") is None, reason="pip install '.[learn]'"
)


def learn(
    plan: Path, folder: Path, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a plan, in a process that calls `before` first."""
    return subprocess.run(
        [sys.executable, "-m", "tools.learn", str(plan), "--folder", str(folder)],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        preexec_fn=before,
    )


def shard() -> bytes:
    return play_shard(ShardTask("pinch", PlayPlan(boards={"5x5": 1.0}, visits=20), None, (1,), 50))


def with_games(folder: Path, content: bytes) -> Path:
    """Returns the only shard of a run, with this content."""
    path = folder / "generation-000" / "shard-00000.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("content", ["", "{", "[]", '{"game": "chess"}', '{"train": {"rate": -1}}'])
def test_damaged_plan_is_named(tmp_path: Path, content: str) -> None:
    known = tmp_path / "plan.json"
    known.write_text(content)
    with pytest.raises(RunError) as refusal:
        Run(Plan(), tmp_path, print)
    if content:
        assert str(refusal.value).startswith(f"{known} is damaged: ")
    assert str(refusal.value).endswith("if the directory belongs to this plan, remove that file")
    assert known.read_text() == content


def test_damaged_results_are_named(tmp_path: Path) -> None:
    run = Run(Plan(generations=2), tmp_path, print)
    first, second = run.generations
    first.folder.mkdir()
    for content in ("", "{}x", '{"pears": 1}'):
        (first.folder / "verdict.json").write_text(content)
        with pytest.raises(RunError, match=r"verdict\.json is damaged.*the match is played again"):
            run.best_before(second)
    first.write("verdict.json", vars(Verdict()))
    first.candidate.write_bytes(bytes(networks.file())[:-1])
    with pytest.raises(RunError, match=r"candidate\.network is damaged: .* its checksum is wrong"):
        run.best_before(second)
    first.candidate.unlink()
    with pytest.raises(RunError, match=r"candidate\.network cannot be read: No such file"):
        run.best_before(second)
    (first.folder / "losses.json").write_text("")
    with pytest.raises(RunError, match=r"losses\.json is damaged: .*; remove it"):
        _ = first.losses


def test_half_a_shard_is_named(tmp_path: Path) -> None:
    run = Run(Plan(generations=1), tmp_path, print)
    whole = shard()
    path = with_games(tmp_path, whole)
    for content in (b"", whole[:100], whole[: len(whole) // 2], whole[:-1]):
        path.write_bytes(content)
        with pytest.raises(RunError, match=r"shard-00000\.npz is damaged: .*; remove it"):
            run.sample_games(3)
    path.write_bytes(whole)
    assert len(run.sample_games(3)) == 3


def test_folder_is_locked(tmp_path: Path) -> None:
    run = Run(Plan(), tmp_path, print)
    with pytest.raises(RunError, match=f"{tmp_path} is in use by another process"):
        Run(Plan(), tmp_path, print)
    del run
    Run(Plan(), tmp_path, print)


class Refusal(Exception):
    """Raised in place of games."""


class NoGames(ThreadPoolExecutor):
    """An executor that plays nothing."""

    def submit(self, *args: object, **details: object) -> object:  # type: ignore[override]
        raise Refusal


def begin(plan: Plan, folder: Path) -> Run:
    """Returns a run that reached its games."""
    run = Run(plan, folder, print)
    with pytest.raises(Refusal):
        run.go(NoGames(1), lambda: None)
    return run


def test_run_with_a_start_can_be_moved(tmp_path: Path) -> None:
    original, elsewhere, other = (tmp_path / name for name in ("a.network", "b.network", "c"))
    original.write_bytes(bytes(networks.file()))
    begin(Plan(start=str(original)), tmp_path / "run")
    original.rename(elsewhere)
    moved = (tmp_path / "run").rename(tmp_path / "moved")
    begin(Plan(start=str(elsewhere)), moved)
    elsewhere.unlink()
    run = begin(Plan(start=str(original)), moved)
    assert run.best_before(run.generations[0]) == bytes(networks.file())
    other.write_bytes(bytes(networks.file(seed=2)))
    del run
    with_games(moved, b"")
    for plan in (Plan(start=str(other)), Plan()):
        with pytest.raises(PlanError, match="contains a run with another plan"):
            Run(plan, moved, print)


def test_run_without_games_takes_another_plan(tmp_path: Path) -> None:
    files = [tmp_path / "a.network", tmp_path / "b.network"]
    for seed, file in enumerate(files):
        file.write_bytes(bytes(networks.file(seed=seed)))
    folder = tmp_path / "run"
    with pytest.raises(PlanError, match="cannot start: network missing"):
        begin(Plan(start="missing"), folder)
    for file in files:
        run = begin(Plan(start=str(file), first=PlayPlan(visits=60)), folder)
        assert run.best_before(run.generations[0]) == file.read_bytes()
        del run


def test_games_alone_can_be_learned_otherwise(tmp_path: Path) -> None:
    Run(Plan(), tmp_path, print)
    other = Plan(train=TrainPlan(rate=1e-3, batch=32))
    Run(other, tmp_path, print)
    (tmp_path / "generation-000").mkdir()
    (tmp_path / "generation-000" / "parameters.npz").touch()
    with pytest.raises(PlanError, match="contains a run with another plan"):
        Run(Plan(), tmp_path, print)
    Run(other, tmp_path, print)


def test_full_disk_is_named(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    done = learn(
        plan, tmp_path / "run", partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100, 100))
    )
    assert done.returncode == ExitStatus.FAILURE
    assert done.stderr.startswith(f"learn: {tmp_path / 'run' / 'plan.json'} cannot be written: ")
    assert len(done.stderr.splitlines()) == 1


@needs_jax
@pytest.mark.slow
def test_too_few_positions_end_a_run_until_the_batch_is_smaller(tmp_path: Path) -> None:
    plan, folder = tmp_path / "plan.toml", tmp_path / "run"
    games = with_games(folder, shard())
    plan.write_text(PLAN + "[train]\nbatch = 4096")
    done = learn(plan, folder)
    assert done.returncode == ExitStatus.WRONG_USE, done.stderr
    assert "train.batch = 4096, train.window = 400000: generation 0 has " in done.stderr
    plan.write_text(PLAN + "[train]\nbatch = 64\nwindow = 100")
    done = learn(plan, folder)
    assert done.returncode == ExitStatus.WRONG_USE, done.stderr
    assert "train.window = 100: generation 0 has 0 positions in this window" in done.stderr
    plan.write_text(PLAN + "[train]\nbatch = 64\npasses = 0.1")
    games.write_bytes(games.read_bytes()[:-100])
    done = learn(plan, folder)
    assert done.returncode == ExitStatus.FAILURE, done.stderr
    assert f"{games} is damaged: " in done.stderr
    assert "remove it: an incomplete generation plays it again" in done.stderr


@needs_jax
@pytest.mark.slow
@pytest.mark.parametrize(
    ("factor", "status", "reason"),
    [
        (1e30, ExitStatus.FAILURE, "loss of step 1 is "),
        (np.nan, ExitStatus.WRONG_USE, "cannot start: "),
    ],
)
def test_numbers_that_are_not_finite_end_a_run(
    tmp_path: Path, factor: float, status: ExitStatus, reason: str
) -> None:
    plan, folder, start = (tmp_path / name for name in ("plan.toml", "run", "start.npz"))
    with np.load(NETWORKS / "first.npz") as file:
        np.savez(start, *(np.float32(factor) * file[name] for name in file.files))
    plan.write_text(f'start_parameters = "{start}"\n{PLAN}')
    with_games(folder, shard())
    done = learn(plan, folder)
    assert done.returncode == status, done.stderr
    assert reason in done.stderr
    assert not list(folder.glob("*/candidate.network"))
    assert not list(folder.glob("*/parameters.npz"))
