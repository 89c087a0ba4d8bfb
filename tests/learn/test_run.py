"""Training runs: validation of plans, and equal results of interrupted runs."""

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, CancelledError, ThreadPoolExecutor
from dataclasses import asdict, fields, replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import networks
import numpy as np
import pytest
from clients import FOLDER
from match_records import finished_games

if not (FOLDER.parent / "tools" / "learn").is_dir():
    pytest.skip("tools/ is missing", allow_module_level=True)

from learn import ablation, gate, workers
from learn.ablation import change_plan
from learn.files import RunError
from learn.gate import Verdict, hold
from learn.plan import GatePlan, NetworkPlan, Plan, PlanError, PlayPlan, TrainPlan, read_plan
from learn.play import ShardTask, play, play_shard
from learn.run import Run

from pinchtp.base.clock import TimeControl
from pinchtp.base.cluster import ClusterError
from pinchtp.base.process import ExitStatus
from pinchtp.match.results.store import MatchStore
from pinchtp.player.network import find_packaged, read

PLAN = """
game = "pinch"
generations = 2
[network]
channels = 8
blocks = 1
[first]
games = 60
boards = {"5x5" = 1}
visits = 100
[play]
games = 110
boards = {"5x5" = 1}
visits = 40
[train]
passes = 1
batch = 32
[gate]
boards = ["5x5"]
pairs = 4
visits = 20
"""

LONGEST = 60.0  # seconds per run, even on a busy machine

needs_jax = pytest.mark.skipif(
    find_spec("jax") is None or find_spec("optax") is None, reason="pip install '.[learn]'"
)


def start(plan: Path, folder: Path) -> subprocess.Popen[str]:
    """Starts a run in a process; JAX's compilation cache is next to the plan."""
    kept = {
        "JAX_COMPILATION_CACHE_DIR": str(plan.parent / "compiled"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tools.learn", str(plan), "--folder", str(folder)],
        cwd=FOLDER.parent,
        env=os.environ | kept,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def found(folder: Path) -> dict[str, bytes]:
    """Returns the files of a run that do not depend on time: all but matches and times."""
    names = ("shard-*.npz", "parameters.npz", "candidate.network", "verdict.json")
    paths = [path for name in names for path in sorted(folder.glob(f"*/{name}"))]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@needs_jax
@pytest.mark.slow
@pytest.mark.parametrize("kills", [1, pytest.param(10, marks=pytest.mark.nightly)])
def test_killed_run_gives_same_result(tmp_path: Path, kills: int) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    began = time.monotonic()
    whole = start(plan, tmp_path / "whole")
    output, _ = whole.communicate(timeout=600)
    seconds = time.monotonic() - began
    assert whole.returncode == 0, output
    expected = found(tmp_path / "whole")
    assert len(expected) == 2 + 3 + 2 * 3
    assert "2 of 2 generations" in (tmp_path / "whole" / "index.html").read_text("utf-8")
    rng = random.Random(1)
    for _ in range(kills):
        killed = start(plan, tmp_path / "killed")
        time.sleep(rng.uniform(0.1, 0.8) * min(seconds, LONGEST))
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate()
    again = start(plan, tmp_path / "killed")
    output, _ = again.communicate(timeout=600)
    assert again.returncode == 0, output
    assert found(tmp_path / "killed") == expected
    assert read(tmp_path / "killed/generation-001/candidate.network").origin["generation"] == 1


def test_empty_plan_has_defaults() -> None:
    plan = Plan()
    assert plan.first.visits > plan.play.visits
    assert json.loads(json.dumps(asdict(plan)))["gate"]["pairs"] == plan.gate.pairs


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("gaem = 'pinch'", "unknown key gaem: did you mean "),
        ("game = 'chess'", "game = 'chess': expected pinch, "),
        ("[play]\ngames = '5'", "play.games = '5': give an integer from 1 to "),
        ("[play]\nnoise = 2", "play.noise = 2: give a number from 0 to 1"),
        ("[play]\nnoise_total = 0", "play.noise_total = 0: give a number from 0.01 to 1000"),
        ("[play]\nblunders = 1", "play.blunders = 1: give a number from 0 to 0.9"),
        ("[play]\nboards = {'9x9' = 0}", "play.boards: expected boards with their frequencies, "),
        ("[train]\nbatch = 0", "train.batch = 0: give an integer from 8 to 4096"),
        ("[train]\nwindow = 0", "train.window = 0: give an integer from 1 to "),
        ("[train]\nwindow = 63", "train.window = 63: a single batch has 64 positions"),
        ("[train]\npasses = nan", "train.passes = nan: give a number from 0.01 to 1000"),
        ("[train]\nrate = -1", "train.rate = -1: give a number from 1e-07 to 1"),
        ("[train]\nvalue_of_search = 7", "train.value_of_search = 7: give a number from 0 to 1"),
        ("[gate]\nboards = []", "gate.boards = []: give boards, each once"),
        ("[gate]\nboards = '9'", "gate.boards = '9': expected a value such as ['9x9', '13x13']"),
        ("game = true", "game = true: expected a value such as 'pinch'"),
        ("[play]\ngames = true", "play.games = true: give an integer from 1 to "),
        ("[gate]\nboards = [9]", "'9': expected columns and rows, such as 9x9"),
        ("[network]\nhead = 260", "network.head = 260: give a multiple of 4 from 4 to 256"),
        ("[play]\nboards = {'9by9' = 1}", "'9by9': expected columns and rows, such as 9x9"),
        ("[gate]\nboards = ['99x9']", "'99x9': pinch has 2 to 25 columns and rows"),
        ("play = 3", "play: expected a table"),
        ("[network]\nchannels = 5", "network.channels = 5: give a multiple of 4 from 4 to "),
    ],
)
def test_invalid_plan_is_rejected(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(PlanError) as refusal:
        read_plan(path)
    assert str(refusal.value).startswith(f"{path}: {reason}")


def test_plan_without_toml_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    for content in (b"game = ", b"\xff", b"seed = " + b"[" * 5000):
        path.write_bytes(content)
        with pytest.raises(PlanError, match=r"plan\.toml"):
            read_plan(path)
    with pytest.raises(PlanError, match=r"none\.toml cannot be read: No such file"):
        read_plan(tmp_path / "none.toml")


@pytest.mark.parametrize("end", ["least", "most"])
def test_games_can_be_played_at_both_ends_of_the_ranges(end: str) -> None:
    ranges = {each.name: each.metadata.get("accepted") for each in fields(PlayPlan)}
    values = {
        name: getattr(accepted, end)
        for name, accepted in ranges.items()
        if accepted is not None and name not in ("games", "visits")
    }
    for name, value in values.items():
        plan = replace(PlayPlan(boards={"3x3": 1.0}, visits=20), **{name: value})
        record = play("pinch", networks.network(), plan, np.random.default_rng(1))
        assert len(record.moves) == len(record.searched)


def test_folder_belongs_to_one_plan(tmp_path: Path) -> None:
    Run(Plan(generations=1), tmp_path, print)
    Run(Plan(generations=3), tmp_path, print)
    (tmp_path / "generation-000").mkdir()
    (tmp_path / "generation-000" / "shard-00000.npz").touch()
    with pytest.raises(PlanError, match="contains a run with another plan"):
        Run(Plan(seed=2), tmp_path, print)


def test_old_run_accepts_new_keys(tmp_path: Path) -> None:
    Run(Plan(), tmp_path, print)
    file = tmp_path / "plan.json"
    saved = json.loads(file.read_text())
    del saved["train"]["ownership"], saved["generations"]
    file.write_text(json.dumps(saved))
    Run(Plan(), tmp_path, print)
    assert json.loads(file.read_text())["train"]["ownership"] == Plan().train.ownership


OTHER = FOLDER.parent / "tools/learn/runs/networks/capture-go.npz"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('start = "none.network"', "cannot be read: No such file"),
        (f'start = "{find_packaged("capture-go")}"', "a network for capture-go, not for pinch"),
        pytest.param(
            f'start_parameters = "{OTHER}"', "parameters of another network", marks=needs_jax
        ),
    ],
)
def test_invalid_start_fails_before_games(tmp_path: Path, line: str, reason: str) -> None:
    plan, folder = tmp_path / "plan.toml", tmp_path / "run"
    plan.write_text(line)
    run = start(plan, folder)
    output, _ = run.communicate(timeout=LONGEST)
    assert run.returncode == ExitStatus.WRONG_USE
    assert output.startswith("learn: cannot start: ")
    assert reason in output
    assert not list(folder.glob("generation-*"))


def test_complete_run_needs_no_start_files(tmp_path: Path) -> None:
    run = Run(Plan(start="none.network", generations=1), tmp_path, print)
    (generation,) = run.generations
    generation.folder.mkdir()
    generation.write("verdict.json", vars(Verdict()))
    with ThreadPoolExecutor(1) as executor:
        run.go(executor, lambda: None)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (PlanError("batch = 0"), ExitStatus.WRONG_USE),
        (RunError("x is damaged"), ExitStatus.FAILURE),
        (OSError(28, "No space left on device", "x"), ExitStatus.FAILURE),
        (BrokenExecutor(), ExitStatus.FAILURE),
        (CancelledError(), ExitStatus.FAILURE),
        (ClusterError("cluster: nobody answers"), ExitStatus.FAILURE),
        (KeyboardInterrupt(), ExitStatus.INTERRUPTED),
        (ImportError("No module named 'tools'"), ExitStatus.WRONG_USE),
    ],
)
def test_ablation_reports_failure(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    status: ExitStatus,
) -> None:
    monkeypatch.setattr(sys, "argv", ["ablation", "x.toml", str(tmp_path), "train.batch=0"])
    monkeypatch.setattr(ablation, "read_plan", Mock(side_effect=error))
    assert ablation.main() == status
    assert capsys.readouterr().err.startswith("ablation: ")


def test_dead_workers_of_a_cluster_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "Cluster", Mock())
    last = SimpleNamespace(address="tcp://x:1")
    with (
        pytest.raises(RunError, match=r"workers died during self-play: .* Then start the run"),
        workers.players(1, "tcp://x:2"),
    ):
        raise distributed.KilledWorker("play", last, 3)


def test_interrupted_processes_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They ignore Ctrl-C until they are ready; it would print a traceback."""
    monkeypatch.setattr(workers, "_end_with_parent", None)

    def interrupt() -> None:
        with workers.players(1, None) as pool:
            assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN
            pool.submit(time.sleep, 2 * LONGEST)
            raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert time.monotonic() - began < LONGEST


def test_ablation_changes_plan_tables() -> None:
    plan = Plan(generations=3)
    assert change_plan(plan, "network.channels = 24").network == NetworkPlan(channels=24)
    assert change_plan(plan, "train.ownership = 0").train.ownership == 0
    both = change_plan(plan, "play = { pie = 1, visits = 100 }").play
    assert (both.pie, both.visits, both.games) == (1, 100, plan.play.games)
    assert change_plan(plan, "train.ownership = 0").generations == 3
    for line, reason in [
        ("train.ownership", "'train.ownership': "),
        ("train.owner = 0", "unknown key train.owner: did you mean "),
        ("first.games = 5", "'first.games = 5': only [network], [train] and [play] "),
    ]:
        with pytest.raises(PlanError) as refusal:
            change_plan(plan, line)
        assert str(refusal.value).startswith(reason)


def test_ablation_needs_a_finished_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with pytest.raises(RunError, match="contains no run"):
        ablation.finished_run(Plan(), folder)
    assert not folder.exists()
    run = Run(Plan(generations=2), folder, print)
    run.generations[0].folder.mkdir()
    run.generations[0].write("verdict.json", vars(Verdict()))
    del run  # it locks the directory
    with pytest.raises(RunError, match="generation 1 is not finished"):
        ablation.finished_run(Plan(generations=2), folder)
    assert ablation.finished_run(Plan(generations=1), folder).generations[-1].number == 0


def test_ablation_keeps_its_networks_beside_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "nine"
    monkeypatch.setattr(ablation, "read_plan", lambda _: Plan())
    monkeypatch.setattr(ablation, "finished_run", Mock())
    monkeypatch.setattr(sys, "argv", ["ablation", "x.toml", str(folder), "train.batch=256"])
    monkeypatch.setattr(ablation, "Run", Mock(side_effect=RunError("no games")))
    assert ablation.main() == ExitStatus.FAILURE
    assert capsys.readouterr().err == "ablation: no games\n"
    (_, made, _), _ = ablation.Run.call_args
    assert made == tmp_path / "nine-ablation" / "train.batch=256"


@needs_jax
@pytest.mark.nightly
def test_ablation_reuses_unchanged_games(tmp_path: Path) -> None:
    plan, whole, out = tmp_path / "plan.toml", tmp_path / "whole", tmp_path / "out"
    plan.write_text(PLAN)
    output, _ = start(plan, whole).communicate(timeout=600)
    assert (whole / "generation-001" / "verdict.json").exists(), output
    program = [sys.executable, "-m", "tools.learn.ablation", str(plan), str(whole)]
    changes = ["network.channels=12", "train.ownership=0.15", "play.blunders=0"]
    done = subprocess.run(
        [*program, *changes, "--out", str(out), "--pairs", "2"],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith(tuple(changes))]
    assert [line.partition(": ")[0] for line in lines] == changes
    base, otherwise, alike, played = (
        found(folder) for folder in (whole, *(out / change for change in changes))
    )
    network, shard = "generation-001/candidate.network", "generation-001/shard-00000.npz"
    assert base[network] == alike[network]
    assert base[network] not in (otherwise[network], played[network])
    assert base[shard] == otherwise[shard] == alike[shard] != played[shard]
    first = [name for name in base if name.startswith("generation-000")]
    assert [base[name] for name in first] == [played[name] for name in first]


def test_moved_gate_resumes(tmp_path: Path) -> None:
    """On 3x3 there are fewer balanced openings than pairs."""
    plan = Plan(gate=GatePlan(boards=("3x3",), pairs=50, visits=10, plies=1))
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    (before / "candidate.network").write_bytes(bytes(networks.file()))
    verdict = hold(plan, before, bytes(networks.file(seed=2)))
    assert 1 <= sum(verdict.pairs) < 50
    before.rename(after)
    games = finished_games(after / "gate-3x3.match")
    assert hold(plan, after, bytes(networks.file(seed=2))) == verdict
    assert finished_games(after / "gate-3x3.match") == games
    with MatchStore.open(after / "gate-3x3.match") as match:
        assert match.plan().time == TimeControl.none()


def test_gate_with_more_pairs_continues(tmp_path: Path) -> None:
    """With fewer pairs, it keeps those played."""
    (tmp_path / "candidate.network").write_bytes(bytes(networks.file()))

    def played(pairs: int, plies: int = 2) -> int:
        limits = GatePlan(boards=("6x6",), pairs=pairs, visits=10, plies=plies)
        return sum(hold(Plan(gate=limits), tmp_path, bytes(networks.file(seed=2))).pairs)

    assert [played(1), played(3), played(2)] == [1, 3, 3]
    with pytest.raises(RunError, match=r"opening 1 is .*, or move it away to start over"):
        played(3, plies=1)


QUITS = """
import sys
for line in sys.stdin:
    if line.startswith("genmove"):
        break
    print(line, end="", flush=True)
"""


def test_failed_games_accept_no_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = Plan(gate=GatePlan(boards=("3x3",), pairs=1, visits=10, plies=1))
    (tmp_path / "candidate.network").write_bytes(bytes(networks.file()))
    best = bytes(networks.file(seed=2))
    command = gate.command_of

    def fail(network: Path, plan: Plan) -> str:
        words = command(network, plan)
        if network.name == "candidate.network":
            return words
        quits = shlex.join([sys.executable, "-c", QUITS])
        return shlex.join(["sh", "-c", f"{quits} | {words}"])

    with monkeypatch.context() as patch:
        patch.setattr(gate, "command_of", fail)
        with pytest.raises(RunError, match=r"the match on 3x3: 2 of 2 games could not be played"):
            hold(plan, tmp_path, best)
    assert "best" in capsys.readouterr().err
    assert sum(hold(plan, tmp_path, best).pairs) == 1


def test_every_shard_has_games_for_evaluation(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    run = Run(Plan(generations=1, train=TrainPlan(batch=8)), tmp_path, print)
    (generation,) = run.generations
    generation.folder.mkdir()
    small = PlayPlan(boards={"5x5": 1.0}, visits=20)
    generation.shard(0).write_bytes(play_shard(ShardTask("pinch", small, None, (1,), 40)))
    data, tested, count = run._samples(generation)
    assert tested.a_pass > 0
    assert count == sum(map(len, data.samples.values()))


def test_strength_stays_finite() -> None:
    assert Verdict().elo == 0
    assert 400 < Verdict([0, 0, 0, 0, 40]).elo < 1000
    assert Verdict([0, 0, 40, 0, 0]).elo == 0
    assert str(Verdict([1, 0, 2, 0, 5], {"5x5": [12, 16]}, True)).startswith("accepted: 75.0% (")
