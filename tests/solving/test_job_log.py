"""Files of the results of a cluster's jobs: reading them, also after damage."""

import resource
from pathlib import Path
from random import Random

import pytest

from pinchtp._core import Position, Proof, Solver
from pinchtp.games import GAMES
from pinchtp.solving import job_tree
from pinchtp.solving.job_log import JobLog
from pinchtp.solving.job_tree import JobResult, JobTree, solve_job
from pinchtp.solving.store import SolverStoreError, open_store

PINCH = GAMES["pinch"]
START = PINCH.start(5, 4, pie=False)

Results = list[tuple[tuple[int, ...], JobResult]]


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> Results:
    """The results of the jobs of a proof that was broken off."""
    monkeypatch.setattr(job_tree, "LEAST_NODES", 30)
    solver = Solver(START, memory_mb=16)
    tree = JobTree(START)
    found: Results = []
    for _ in range(20):
        leaf = tree.next_job()
        assert leaf
        found.append((leaf.moves(), solve_job(solver, leaf.position, 30, lambda: False)))
        tree.add(leaf, found[-1][1])
    assert not tree.root.is_solved
    return found


def write(path: Path, results: Results) -> bytes:
    with JobLog(path, PINCH, START) as log:
        for moves, result in results:
            log.add(moves, result)
    return path.read_bytes()


def read(path: Path) -> Results:
    with JobLog(path, PINCH, START) as log:
        return log.results


def test_results_come_back(tmp_path: Path, results: Results) -> None:
    path = tmp_path / "jobs"
    write(path, results[:12])
    write(path, results[12:])
    assert read(path) == results
    tree = JobTree(START)
    restored = JobTree(START)
    for moves, result in results:
        leaf = tree.root
        for move in moves:
            leaf = next(child for child in leaf.children if child.move == move)
        tree.add(leaf, result)
        restored.restore(moves, result)
    assert restored.root.finding == tree.root.finding
    assert restored.nodes == tree.nodes


def test_result_without_its_leaf_is_ignored(results: Results) -> None:
    tree = JobTree(START)
    tree.restore(*results[0])
    finding = tree.root.finding
    tree.restore((*results[-1][0], 0, 1, 2), results[-1][1])
    tree.restore(*results[0])
    assert tree.root.finding == finding
    assert tree.nodes == results[0][1].nodes


def test_damaged_lines_are_ignored(tmp_path: Path, results: Results) -> None:
    path = tmp_path / "jobs"
    whole = write(path, results)
    header = whole.index(b"\n") + 1
    rng = Random(1)
    for _ in range(200):
        data = bytearray(whole)
        data[rng.randrange(header, len(data))] = rng.randrange(256)
        if rng.random() < 0.5:
            del data[rng.randrange(header, len(data)) :]
        path.write_bytes(data)
        kept = read(path)
        assert all(each in results for each in kept)
        write(path, results[:1])  # begins a line, whatever is before it
        assert read(path) == [*kept, results[0]]


@pytest.mark.parametrize("start", [PINCH.start(4, 4, pie=False), PINCH.start(5, 4)])
def test_log_of_another_start_is_refused(start: Position, tmp_path: Path, results: Results) -> None:
    path = tmp_path / "jobs"
    whole = write(path, results)
    with pytest.raises(SolverStoreError, match="of --game pinch --size 5x4 --no-pie: give these"):
        JobLog(path, PINCH, start)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("text", [b"{]", b"[1]\n", b"x" * 10_000, b"\0" * 10_000])
def test_other_files_are_refused(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(text)
    with pytest.raises(SolverStoreError, match="not a store of pinchtp solve"):
        JobLog(path, PINCH, START)
    assert path.read_bytes() == text


@pytest.mark.parametrize("length", [0, 1, 100, -1])
def test_header_that_was_interrupted_is_completed(
    length: int, tmp_path: Path, results: Results
) -> None:
    path = tmp_path / "jobs"
    header = write(path, [])
    path.write_bytes(header[:length])
    write(path, results)
    assert read(path) == results
    assert path.read_bytes().startswith(header)


def test_store_and_log_are_not_confused(tmp_path: Path, results: Results) -> None:
    store = tmp_path / "store"
    open_store(store, PINCH, START, 1).release()
    with pytest.raises(SolverStoreError, match="made without --cluster"):
        JobLog(store, PINCH, START)
    log = tmp_path / "jobs"
    write(log, results)
    with pytest.raises(SolverStoreError, match="made with --cluster"):
        open_store(log, PINCH, START, 1)


def test_failed_write_is_reported_once(tmp_path: Path, results: Results) -> None:
    path = tmp_path / "jobs"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with JobLog(path, PINCH, START) as log:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10, limits[1]))
        try:
            with pytest.raises(SolverStoreError, match="File too large"):
                log.add(*results[0])
            log.close()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert read(path) == []


def test_log_is_used_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "jobs"
    with JobLog(path, PINCH, START), pytest.raises(SolverStoreError, match="another process"):
        JobLog(path, PINCH, START)


def test_released_leaves_are_asked_again() -> None:
    tree = JobTree(START)
    asked = tree.next_job()
    assert tree.next_job() is None
    tree.release_all()
    assert tree.next_job() is asked
    assert tree.root.finding.value is Proof.UNKNOWN
