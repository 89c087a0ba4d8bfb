"""`pinchtp solve --cluster`: values, workers that die, and what ends a proof."""

import json
import os
import re
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from time import monotonic, sleep

import pytest
from clients import PATIENCE, PROGRAM, engine_settings
from cluster_hosts import Hosts
from linked_hosts import SCHEDULER, linked_hosts
from terminals import CTRL_C, Terminal

from pinchtp._core import Proof
from pinchtp.base.cluster import ClusterError
from pinchtp.base.process import ExitStatus
from pinchtp.gtp.engine import GtpEngine
from pinchtp.solving import job_tree
from pinchtp.solving.cluster import ClusterSolution, ClusterSolver
from pinchtp.solving.command import main

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def shared() -> Iterator[Hosts]:
    """Yields two workers for all tests that leave them alive."""
    with Hosts(distributed) as hosts:
        hosts.add()
        hosts.add()
        yield hosts


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    with Hosts(distributed) as hosts:
        hosts.add()
        yield hosts


def solved(capsys: pytest.CaptureFixture[str], options: str) -> dict[str, object]:
    """Returns what a command found, without what varies."""
    assert main([*options.split(), "--memory", "16", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return {name: found[name] for name in ("value", "winner", "each") if name in found}


@pytest.mark.parametrize(
    "options",
    [
        "--size 4",
        "--size 4 --no-pie",
        "--size 4 --no-pie --moves a1",
        "--size 5x4 --no-pie --moves c2",
        "--size 5x4 --moves c2",
        "--size 4x3 --no-pie --each",
        "--size 4x3 --game capture-go",
        "--size 4x3 --game pinch-remove --no-pie",
    ],
)
def test_cluster_finds_the_values_of_one_solver(
    shared: Hosts,
    options: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(job_tree, "LEAST_NODES", 200)
    alone = solved(capsys, options)
    assert solved(capsys, f"{options} --cluster {shared.address}") == alone


def solver_at(address: str, memory: int = 16, size: int = 5) -> tuple[GtpEngine, ClusterSolver]:
    engine = GtpEngine(engine_settings(size=(size, size), pie=False, memory=memory))
    return engine, ClusterSolver(address, engine.settings, engine.session)


def test_job_of_a_killed_worker_is_done_by_another(hosts: Hosts) -> None:
    engine, solver = solver_at(hosts.address)
    solutions: list[ClusterSolution] = []

    def solve() -> None:
        solutions.append(solver.solve(engine.session.position, PATIENCE, lambda: False))

    thread = threading.Thread(target=solve)
    thread.start()
    while not solver.nodes:  # the first job is done, and more are under way
        sleep(0.01)
    hosts.kill()
    hosts.add()
    thread.join()
    solver.close()
    (solution,) = solutions
    assert solution.value is Proof.WIN
    assert solution.line


def test_proof_that_runs_out_of_time_leaves_workers_free(shared: Hosts) -> None:
    engine, solver = solver_at(shared.address, size=7)
    solution = solver.solve(engine.session.position, 0.5, lambda: False)
    assert (solution.value, solution.line) == (Proof.UNKNOWN, ())
    solver.close()
    with distributed.Client(shared.address) as client:
        deadline = monotonic() + PATIENCE
        while any(client.processing().values()):
            assert monotonic() < deadline
            sleep(0.05)


def test_time_may_run_out_while_jobs_start(shared: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, solver = solver_at(shared.address)
    times = chain([0.0, 0.0], repeat(1.0))
    monkeypatch.setattr("pinchtp.solving.cluster.monotonic", lambda: next(times))
    with closing(solver):
        solution = solver.solve(engine.session.position, 0.5, lambda: False)
    assert solution.value is Proof.UNKNOWN


def test_repeatedly_failing_workers_end_the_proof(shared: Hosts) -> None:
    engine, solver = solver_at(shared.address, memory=1 << 40)
    with closing(solver), pytest.raises(ClusterError, match="workers failed again: MemoryError"):
        solver.solve(engine.session.position, PATIENCE, lambda: False)


def test_proof_file_does_not_go_with_a_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--size", "3", "--proof", "file", "--cluster", "local:1"])
    assert ended.value.code == 2
    assert "--proof: cannot be used with --cluster" in capsys.readouterr().err


def test_proof_continues_where_its_time_ended(
    shared: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_tree, "LEAST_NODES", 200)
    engine, solver = solver_at(shared.address)
    position = engine.session.position
    with closing(solver):
        solution = solver.solve(position, PATIENCE, lambda: solver.nodes > 0)
        assert (solution.value, solution.nodes) == (Proof.UNKNOWN, solver.nodes)
        solver.proof_numbers = (1, 1)
        assert solver.solve(position, 0.01, lambda: False).value is Proof.UNKNOWN
        assert solver.proof_numbers != (1, 1)
        assert solver.solve(position, PATIENCE, lambda: False).value is Proof.WIN


def asked(log: Path) -> list[str]:
    """Returns the moves to the positions of all jobs in a log."""
    return re.findall(r"^[0-9a-f]{8} \[(\[.*?\])", log.read_text(), re.MULTILINE)


@pytest.mark.parametrize("options", ["--size 5 --no-pie", "--size 5x4 --no-pie --each"])
def test_killed_proof_asks_no_job_twice(
    options: str, shared: Hosts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "jobs"
    command = [*options.split(), f"--cluster={shared.address}", f"--store={log}", "--memory=16"]
    patch = "from pinchtp.solving import job_tree, command; job_tree.LEAST_NODES = 500; "
    run = f"import sys; {patch}sys.exit(command.main(sys.argv[1:]))"
    kills = 0
    while kills < 3:
        with subprocess.Popen([sys.executable, "-P", "-c", run, *command]) as proof:
            jobs = len(asked(log)) if log.exists() else 0
            while proof.poll() is None and (not log.exists() or len(asked(log)) < jobs + 5):
                sleep(0.01)
            assert proof.poll() is None
            proof.kill()
        kills += 1
    found = solved(capsys, " ".join(command))
    assert found == solved(capsys, options)
    assert len(set(asked(log))) == len(asked(log)) > 15


def test_full_disk_ends_a_proof_with_its_reason(shared: Hosts, tmp_path: Path) -> None:
    """Simulated by a limit on file sizes, which the header of the log does not reach."""
    log = tmp_path / "jobs"
    done = subprocess.run(
        [*PROGRAM, "solve", "--size=5", f"--cluster={shared.address}", f"--store={log}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (300, 300)),
    )
    assert done.returncode == 1
    assert done.stderr == f"pinchtp solve: --store: {log}: File too large\n"


def test_lost_reader_ends_a_proof_silently(shared: Hosts) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, "solve", "--size=3", f"--cluster={shared.address}"],
        check=False,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_interrupt_at_a_terminal_is_not_for_the_workers() -> None:
    options = ["--size=6", "--no-pie", "--memory=16", "--cluster=local:2"]
    with Terminal("solve", *options) as terminal:
        terminal.expect("Ctrl-C stops")
        terminal.type(CTRL_C)
        terminal.expect("unknown nodes ")
        assert terminal.status() == ExitStatus.INTERRUPTED
        assert terminal.output.count("\n") <= 1


def test_unreachable_cluster_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pinchtp.base.cluster.CONNECTING", 0.5)
    assert main(["--size", "3", "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "pinchtp solve: cluster: 'tcp://127.0.0.1:1': " in capsys.readouterr().err


@pytest.mark.nightly
def test_proof_survives_a_lost_host(tmp_path: Path) -> None:
    with linked_hosts() as (near, far):
        running = [near.start_scheduler()]
        try:
            running += [near.start_worker(), far.start_worker()]
            sleep(5)  # both workers are there
            words = ["--size", "5", "--no-pie", "--each", "--json"]
            answer = tmp_path / "answer.json"
            with answer.open("wb") as file:
                running.append(
                    near.start(*PROGRAM, "solve", *words, f"--cluster=tcp://{SCHEDULER}", out=file)
                )
                sleep(5)
                assert running[-1].poll() is None
                far.ip("link", "set", far.link, "down")
                assert running[-1].wait(20 * PATIENCE) == 0
        finally:
            for each in reversed(running):
                each.kill()
                each.wait()
    found = json.loads(answer.read_text())
    wins = {move for move, value in found["each"].items() if value == "win"}
    assert wins == {column + row for column in "BCD" for row in "234"}
