"""A run and its budget: the next unit, the end of the run, and resumption after a kill."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from clients import FOLDER
from cluster_hosts import Hosts

from pinchtp.base.process import ExitStatus
from pinchtp.report.budget import TimeBudget
from pinchtp.report.experiment import Endless, Experiment, Measurements, UnitResult, WorkUnit
from pinchtp.report.games import RandomGames
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.run import MeasurementRun
from pinchtp.report.store import ReportStore
from pinchtp.report.subject import ReportSubject
from pinchtp.report.workers import ClusterWorkers, ThreadWorkers

SUBJECT = ReportSubject.of("pinch", (4, 4), visits=10)


class Sleep(Endless):
    """Takes a certain time and returns its number."""

    name: ClassVar[str] = "sleep"
    description: ClassVar[str] = "sleep"
    weight: ClassVar[float] = 1.0
    first_seconds: ClassVar[float] = 0.01
    seconds = 0.01

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            if stop():
                raise Cancelled
            time.sleep(0.001)
        return unit.number


class LongSleep(Sleep):
    name: ClassVar[str] = "nap"
    weight: ClassVar[float] = 3.0
    seconds = 0.02


class Broken(Endless):
    name: ClassVar[str] = "broken"
    description: ClassVar[str] = "a defect"
    first_seconds: ClassVar[float] = 0.01
    weight: ClassVar[float] = 1.0

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        raise RuntimeError("a defect")


class Alone(Sleep):
    name: ClassVar[str] = "alone"
    alone: ClassVar[bool] = True
    most: ClassVar[int | None] = 5
    parallel: ClassVar[list[int]] = []


def run(  # noqa: PLR0913
    path: Path,
    experiments: Collection[Experiment],
    seconds: float,
    *,
    jobs: int = 2,
    exact: dict[str, int] | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[MeasurementRun, list[list[str]]]:
    """Returns the run, and the running experiments each time it yielded."""
    workers = ThreadWorkers(SUBJECT, jobs)
    with ReportStore(path, SUBJECT) as store:
        made = MeasurementRun(
            store,
            {each.name: each for each in experiments},
            seconds,
            workers,
            exact=exact,
            is_stopped=is_stopped,
        )
        seen = [made.running for _ in made.measure()]
        workers.close()
    return made, seen


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_units_of_a_stopped_cluster_are_cancelled() -> None:
    unit = WorkUnit("random", 0)
    with Hosts(pytest.importorskip("distributed")) as hosts:
        hosts.add()
        workers = ClusterWorkers(SUBJECT, hosts.address)
        with closing(workers):
            assert workers.free() == 1
            workers.start(RandomGames(), unit)
            workers.stop()
            assert workers.wait(0) == [UnitResult(unit)]


# --- the budget


@pytest.mark.parametrize("jobs", [1, 2])
def test_run_reports_units_under_way(tmp_path: Path, jobs: int) -> None:
    _, seen = run(tmp_path / "a.db", [Sleep()], 10.0, jobs=jobs, exact={"sleep": 20})
    assert len(seen) >= 20 / jobs
    assert all(names == ["sleep"] for names in seen)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only units advance, by the time that they would sleep."""
    now = [0.0]

    def measure(self: Sleep, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> int:
        now[0] += self.seconds
        return unit.number

    for module in ("experiment", "run"):
        monkeypatch.setattr(f"pinchtp.report.{module}.monotonic", lambda: now[0])
    monkeypatch.setattr(Sleep, "measure", measure)
    return now


def test_budget_is_kept_and_shared_by_weight(tmp_path: Path, clock: list[float]) -> None:
    made, _ = run(tmp_path / "a.db", [Sleep(), LongSleep()], 2.0, jobs=1)
    assert 1.9 <= clock[0] <= 2
    ratio = made.measurements.seconds("nap") / made.measurements.seconds("sleep")
    assert 2 <= ratio <= 4


def test_larger_budget_continues_the_run(tmp_path: Path, clock: list[float]) -> None:
    first, _ = run(tmp_path / "a.db", [Sleep()], 3.0, jobs=1)
    started = clock[0]
    second, _ = run(tmp_path / "a.db", [Sleep()], 3.5, jobs=1)
    assert clock[0] - started < 0.6
    assert second.measurements.count("sleep") > first.measurements.count("sleep")
    third, _ = run(tmp_path / "a.db", [Sleep()], 3.5, jobs=1)
    assert third.measurements.count("sleep") <= second.measurements.count("sleep") + 4


def test_unit_beyond_the_budget_is_not_chosen() -> None:
    budget = TimeBudget(10, 1, {"sleep": Sleep()}, Measurements(SUBJECT))
    unit = WorkUnit("sleep", 0, seconds=5.0)
    assert budget.choose([unit], {}, 6.0) == unit
    assert budget.choose([unit], {}, 4.0) is None


def test_needed_budget_is_enough(tmp_path: Path) -> None:
    """Also where no other unit may run in parallel."""
    one = Alone()
    other = LongSleep()
    one.first_seconds = 0.5  # type: ignore[misc]
    experiments: dict[str, Experiment] = {each.name: each for each in (one, other)}
    budget = TimeBudget(1, 4, experiments, Measurements(SUBJECT))
    units = [WorkUnit("alone", 0), WorkUnit("nap", 0)]
    seconds = budget.estimate_need(one)
    chosen = [
        replace(budget, seconds=each).choose(units, {}, each) for each in (seconds, seconds / 2)
    ]
    assert [each and each.experiment for each in chosen] == ["alone", "nap"]


def test_overdue_unit_is_stopped(tmp_path: Path) -> None:
    slow = LongSleep()
    slow.seconds = 60
    began = time.monotonic()
    made, _ = run(tmp_path / "a.db", [slow], 1.5)
    assert time.monotonic() - began < 20
    assert made.measurements.count("nap") == 0


def test_alone_experiment_runs_alone(tmp_path: Path) -> None:
    made, seen = run(tmp_path / "a.db", [Alone(), Sleep()], 3.0)
    assert made.measurements.count("alone") == 5
    assert ["alone", "sleep"] not in seen


def test_exact_units_ignore_the_budget(tmp_path: Path) -> None:
    made, _ = run(tmp_path / "a.db", [Sleep(), LongSleep()], 0.001, exact={"sleep": 7})
    assert (made.measurements.count("sleep"), made.measurements.count("nap")) == (7, 0)


def test_defect_ends_only_its_experiment(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made, _ = run(tmp_path / "a.db", [Broken(), Sleep()], 2.0)
    assert "RuntimeError: a defect" in capfd.readouterr().err
    assert list(made.failed) == ["broken"]
    assert made.measurements.count("sleep") > 5


def test_stopped_run_ends_soon(tmp_path: Path) -> None:
    slow = LongSleep()
    slow.seconds = 60
    began = time.monotonic()
    run(tmp_path / "a.db", [slow], 600, is_stopped=lambda: time.monotonic() - began > 0.3)
    assert time.monotonic() - began < 20


# --- kills

REPORT = [
    sys.executable,
    "-P",
    "-m",
    "pinchtp",
    "report",
    "--game",
    "pinch",
    "--size",
    "4",
    "--visits",
    "30",
    "--jobs",
    "2",
    "--sections",
    "length,positions,balance,ladder,drama,moves,samples",
    "--quiet",
]


def units_of(path: Path) -> list[tuple[str, int, str]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT experiment, number, data FROM unit").fetchall()
    finally:
        connection.close()


def is_written(store: Path) -> bool:
    """Whether the run that has it open has kept a unit, or is about to."""
    log = store.with_name(f"{store.name}-wal")
    return log.exists() and log.stat().st_size > 0


@pytest.mark.slow
def test_killed_run_loses_and_repeats_nothing(tmp_path: Path) -> None:
    """The same sections in the end; nothing measured twice, nothing lost."""
    source = random.Random(1)
    kept = set()
    went_on = 0
    command = [*REPORT, "--out", str(tmp_path / "out"), "--budget", "1h"]
    store = tmp_path / "out" / "report.db"
    for kill in range(6):
        process = subprocess.Popen(command, cwd=FOLDER.parent)
        deadline = time.monotonic() + 300
        while kill % 3 < 2 and not is_written(store):  # every third is killed while it begins
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(source.uniform(0, 0.25))
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = set(units_of(store))
        assert kept <= now  # nothing is lost, and nothing has become another
        went_on += kept != now
        kept = now
    assert went_on >= 3
    assert len({each[0] for each in kept}) >= 3
    with sqlite3.connect(store) as connection:
        (used,) = connection.execute("SELECT total(seconds) FROM run").fetchone()
    connection.close()
    command[-1] = f"{used + 2:.1f}s"
    subprocess.run(command, cwd=FOLDER.parent, check=True, timeout=300)
    now = units_of(store)
    assert kept < set(now)
    assert len({each[:2] for each in now}) == len(now)
    for name in {each[0] for each in now}:  # no gaps: all repeated units have ended
        numbers = sorted(number for other, number, _ in now if other == name)
        assert len(numbers) >= numbers[-1] - 1
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert set(report["sections"]) == {
        "length",
        "positions",
        "balance",
        "ladder",
        "drama",
        "moves",
        "samples",
    }
    again = [*REPORT, "--out", str(tmp_path / "again"), "--units"]
    again.append(
        ",".join(
            f"{name}={count}"
            for name, count in report["units"].items()
            if name not in ("positions",)
        )
    )
    subprocess.run(again, cwd=FOLDER.parent, check=True, timeout=300)
    found = {(name, number): data for name, number, data in units_of(store)}
    for name, number, data in units_of(tmp_path / "again" / "report.db"):
        assert found.get((name, number), data) == data


def test_interrupt_keeps_measured_units(tmp_path: Path) -> None:
    command = [*REPORT[:-1], "--out", str(tmp_path), "--budget", "1h"]
    process = subprocess.Popen(
        command, cwd=FOLDER.parent, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    deadline = time.monotonic() + 300
    while not (tmp_path / "report.html").exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    _, output = process.communicate(timeout=300)
    assert process.returncode == ExitStatus.INTERRUPTED
    assert "The same command continues" in output
    assert "Traceback" not in output
    assert json.loads((tmp_path / "report.json").read_text())["units"]
