"""Stores of the solver: they survive kills, and damaged ones are never believed."""

import errno
import json
import mmap
import random
import subprocess
from io import FileIO
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from clients import PATIENCE, PROGRAM

from pinchtp._core import Position, Proof, Solver
from pinchtp.games import GAMES
from pinchtp.solving.command import main
from pinchtp.solving.store import HEADER_BYTES, SolverStoreError, open_store

SEED = 9


def solve(capsys: pytest.CaptureFixture[str], store: Path, *options: str) -> dict[str, object]:
    assert main([*options, "--memory", "1", "--json", "--store", str(store)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    answer: dict[str, object] = json.loads(out)
    return answer


def refused(capsys: pytest.CaptureFixture[str], store: Path, *options: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*options, "--memory", "1", "--store", str(store)])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    ["--size 4", "--size 4 --each", "--game pinch-remove --size 3x4", "--game capture-go --size 4"],
)
def test_stored_answer_is_found_again(
    options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    first = solve(capsys, store, *options.split())
    again = solve(capsys, store, *options.split())
    assert int(str(again.pop("nodes"))) < int(str(first.pop("nodes"))) / 10
    assert again["value"] == first["value"]
    assert again.get("each") == first.get("each")


@pytest.mark.parametrize(
    "options",
    [
        "--size 3x4",
        "--size 3 --no-pie",
        "--size 3 --game pinch-remove",
    ],
)
def test_store_of_other_positions_is_refused(
    options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    solve(capsys, store, "--size", "3")
    before = store.read_bytes()
    reason = "it is a store of --game pinch --size 3x3 --pie: give these options, or another file"
    assert f"--store: {store}: {reason}" in refused(capsys, store, *options.split())
    assert store.read_bytes() == before


def test_store_with_another_size_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    solve(capsys, store, "--size", "3")
    assert main(["--size", "3", "--memory", "2", "--store", str(store)]) == 0
    assert capsys.readouterr().err == f"pinchtp solve: --store: {store} keeps its size, 1 MB\n"
    assert store.stat().st_size == HEADER_BYTES + (1 << 20)


def test_store_of_other_version_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    solve(capsys, store, "--size", "3")
    monkeypatch.setattr("pinchtp.solving.store.__version__", "99.0")
    assert "made by another build of pinchtp (0.1.0, this is 99.0): give" in refused(
        capsys, store, "--size", "3"
    )


def test_store_with_other_entries_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    with monkeypatch.context() as older:
        older.setattr("pinchtp.solving.store.TABLE_VERSION", 1)
        solve(capsys, store, "--size", "3")
    assert "made by another build of pinchtp" in refused(capsys, store, "--size", "3")


def test_other_file_is_rejected_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "text"
    store.write_text("my notes")
    assert "not a store of pinchtp solve" in refused(capsys, store, "--size", "3")
    assert store.read_text() == "my notes"
    assert "No such file or directory" in refused(capsys, tmp_path / "no" / "store", "--size", "3")


def test_truncated_store_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    solve(capsys, store, "--size", "3")
    with store.open("r+b") as file:
        file.truncate(100_000)
    expected = HEADER_BYTES + (1 << 20)
    assert f"the file has 100000 bytes, expected {expected}" in refused(
        capsys, store, "--size", "3"
    )


def test_damaged_header_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    solve(capsys, store, "--size", "3")
    whole = store.read_bytes()
    draw = random.Random(SEED)
    for _ in range(50):
        damaged = bytearray(whole)
        damaged[draw.randrange(250)] ^= 1 << draw.randrange(8)
        store.write_bytes(damaged)
        with pytest.raises(SolverStoreError):
            open_store(store, GAMES["pinch"], GAMES["pinch"].start(3, 3), 1)


def test_header_without_its_version_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    solve(capsys, store, "--size", "3")
    store.write_bytes(store.read_bytes().replace(b'"pinchtp solve"', b'"pinchtp_solve"', 1))
    assert "or its header is damaged" in refused(capsys, store, "--size", "3")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file without an end")
@pytest.mark.parametrize("options", [[], ["--cluster", "local:1"]], ids=str)
def test_device_is_refused(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    reason = refused(capsys, Path("/dev/full"), "--size", "3", *options)
    assert "--store: /dev/full: not a regular file" in reason


def test_store_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    memory = open_store(store, GAMES["pinch"], GAMES["pinch"].start(3, 3), 1)
    assert "in use by another process" in refused(capsys, store, "--size", "3")
    memory.release()


@pytest.mark.parametrize("length", [100_000, 3 << 20])  # shorter and longer than the new store
def test_interrupted_new_store_begins_again(
    length: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    store.write_bytes(bytes(length))
    assert solve(capsys, store, "--size", "3")["value"] == "loss"


def test_file_that_only_begins_with_zeros_is_rejected_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "image"
    content = bytes(100_000) + b"my disk"
    store.write_bytes(content)
    assert "not a store of pinchtp solve" in refused(capsys, store, "--size", "3")
    assert store.read_bytes() == content


@pytest.mark.parametrize("exists", [False, True])
def test_store_without_space_is_not_created(
    exists: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reserve(file: FileIO, length: int) -> None:
        file.write(bytes(length // 2))
        raise OSError(errno.ENOSPC, "No space left on device")

    store = tmp_path / "store"
    if exists:
        store.touch()
    with monkeypatch.context() as full:
        full.setattr("pinchtp.solving.store._reserve", reserve)
        assert "No space left on device" in refused(capsys, store, "--size", "3")
    assert [each.stat().st_size for each in tmp_path.iterdir()] == [0] * exists
    assert solve(capsys, store, "--size", "3")["value"] == "loss"


@pytest.mark.parametrize("length", [0, 64, 127])
def test_solver_needs_memory(length: int) -> None:
    with pytest.raises(ValueError, match="128 bytes, aligned"):
        solver_with(GAMES["pinch"].start(3, 3), memoryview(mmap.mmap(-1, 4096))[:length])


def test_solver_needs_the_memory_itself() -> None:
    """numpy could convert other arrays to bytes, into memory that is freed at once."""
    solver = Solver(GAMES["pinch"].start(3, 3), memory_mb=1)
    for dtype in (np.int8, np.bool_):
        with pytest.raises(TypeError, match="uint8"):
            solver.attach(np.zeros(1 << 12, dtype))  # type: ignore[arg-type]


def solver_with(position: Position, memory: memoryview) -> Solver:
    solver = Solver(position, memory_mb=1)
    solver.attach(memory)
    return solver


def damage(memory: memoryview, draw: random.Random) -> None:
    """Flips bits, overwrites, moves or clears parts that are not empty."""
    used = [at for at in range(0, len(memory), 32) if any(memory[at : at + 32])]
    for _ in range(draw.randint(1, len(used))):
        at = draw.choice(used) + draw.randrange(32)
        length = min(draw.choice([1, 1, 2, 8, 32, 100]), len(memory) - at)
        match draw.randrange(4):
            case 0:
                memory[at] ^= 1 << draw.randrange(8)
            case 1:
                memory[at : at + length] = draw.randbytes(length)
            case 2:
                memory[at : at + length] = bytes(length)
            case _:
                source = draw.randrange(len(memory) - length)
                memory[at : at + length] = bytes(memory[source : source + length])


@pytest.mark.parametrize(
    "count", [6, pytest.param(200, marks=[pytest.mark.nightly, pytest.mark.slow])]
)
@pytest.mark.parametrize("game", ["pinch", "pinch-remove", "capture-go"])
def test_damaged_entries_are_not_believed(game: str, count: int) -> None:
    start = GAMES[game].start(4, 3, pie=False)
    positions = [start.play(move) for move in start.legal_moves()]
    positions = [position for position in positions if position.result is None]
    whole = memoryview(mmap.mmap(-1, 1 << 16))
    solver = solver_with(start, whole)
    values = [solver.solve(position).value for position in positions]
    assert Proof.UNKNOWN not in values
    for seed in range(count):
        damaged = memoryview(mmap.mmap(-1, len(whole)))
        damaged[:] = whole
        damage(damaged, random.Random(seed))
        solver = solver_with(start, damaged)
        assert [solver.solve(position).value for position in positions] == values, seed


@pytest.mark.parametrize(
    ("size", "kills"),
    [
        pytest.param("5x4", 4, marks=pytest.mark.slow),
        pytest.param("5x5", 100, marks=[pytest.mark.nightly, pytest.mark.slow]),
    ],
)
def test_killed_proof_resumes(size: str, kills: int, tmp_path: Path) -> None:
    options = ["--size", size, "--no-pie", "--each", "--memory", "64", "--json"]
    command = [*PROGRAM, "solve", *options]
    expected = json.loads(subprocess.check_output(command))
    draw = random.Random(SEED)
    command += ["--store", str(tmp_path / "store")]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            sleep(draw.uniform(0, 2))
            process.kill()
    answer = json.loads(subprocess.check_output(command, timeout=PATIENCE))
    assert answer["each"] == expected["each"]
    assert answer["nodes"] < 1.1 * expected["nodes"]
