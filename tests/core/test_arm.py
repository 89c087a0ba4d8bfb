"""The core on 64-bit ARM: compiled here, run by an emulator, with the same results."""

import os
import shutil
import subprocess
from hashlib import blake2b
from pathlib import Path

import networks
import numpy as np
import pytest
from clients import FOLDER
from core.test_native import CORE, tool
from networks import SHAPE

from pinchtp import _core
from pinchtp.bench import signature
from pinchtp.games import GAMES, GameType

COMPILER = "aarch64-linux-gnu-g++"
EMULATOR = "qemu-aarch64"
PROCESSORS = ["max", "cortex-a53"]  # with dot-product instructions, and without
MOVES = [99, 132, 69, 165, 4]
WIDE_SHAPE = SHAPE | {"channels": 32, "blocks": 3, "head": 16}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the programs in tests/native; returns their folder."""
    if not CORE.is_dir():
        pytest.skip("the sources of the core are missing")
    for name in (COMPILER, EMULATOR):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
    folder = tmp_path_factory.mktemp("arm")
    configure = [
        *(tool("cmake"), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"),
        *("-S", str(CORE), "-B", str(folder)),
        *("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"),
        f"-DCMAKE_CXX_COMPILER={COMPILER}",
        f"-DPINCHTP_NATIVE_TESTS={FOLDER / 'native'}",
        *("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1"),
        "-DCMAKE_EXE_LINKER_FLAGS=-static",
    ]
    finished(configure)
    build(folder, "signature")
    return folder


def build(folder: Path, target: str) -> None:
    parallel = str(os.cpu_count() or 1)
    finished([tool("cmake"), "--build", str(folder), "--target", target, "--parallel", parallel])


def finished(command: list[str]) -> bytes:
    """Returns the output of a program, which must succeed."""
    done = subprocess.run(command, capture_output=True, timeout=3000, check=False)
    assert done.returncode == 0, (done.stdout[-3000:] + done.stderr[-3000:]).decode()
    return done.stdout


def emulated(built: Path, processor: str, *arguments: object) -> bytes:
    program = [EMULATOR, "-cpu", processor, str(built / "signature")]
    return finished([*program, *map(str, arguments)])


def found_there(built: Path, game: GameType, width: int, height: int) -> tuple[int, bytes]:
    """Returns signature.hash_searches() of the start of a game, by the emulated CPU."""
    options = [f"{name}={int(value)}" for name, value in game.rules().items()]
    output = emulated(built, "max", "playouts", game.name, width, height, *options)
    return int.from_bytes(output[-8:], "little"), output[:-8]


def output_here(shape: dict[str, int], width: int, height: int) -> bytes:
    """Returns signature.cpp's output for a network, by the core of this CPU."""
    network = networks.network(shape, 3)
    position = _core.new_position("pinch", width, height, pie=False)
    for move in MOVES:
        position = position.play(move)
    output = b""
    for image in range(position.symmetries):
        winrate, priors, ownership = position.evaluate(network, image)
        output += np.float32([winrate, *priors, *np.ravel(ownership)]).tobytes()
    search = _core.Search(position, memory_mb=16, network=network)
    search.run(1e6, 300, 1, 1)
    found = [(choice.move, choice.visits) for choice in search.report().choices]
    return output + np.array(found, "<u4").tobytes()


def compare_networks(built: Path, shape: dict[str, int], file: Path) -> None:
    file.write_bytes(networks.random_weights(shape, 3))
    for processor in PROCESSORS:
        sizes = [size for name, size in shape.items() if name != "planes"]
        given = (file, *sizes, 9, 8, *MOVES)
        assert emulated(built, processor, "network", *given) == output_here(shape, 9, 8)


@pytest.mark.nightly
def test_arm_computes_same_results(built: Path, tmp_path: Path) -> None:
    """Compares network output bit by bit, on CPUs with and without dot products, and the parts of
    the signature on one board.
    """
    compare_networks(built, SHAPE, tmp_path / "weights")
    game = GAMES["pinch"]
    position = _core.new_position("pinch", 9, 9, **game.rules())
    assert found_there(built, game, 9, 9) == signature.hash_searches(position)


@pytest.mark.nightly
def test_arm_computes_same_wide_network(built: Path, tmp_path: Path) -> None:
    compare_networks(built, WIDE_SHAPE, tmp_path / "weights")


@pytest.mark.nightly
def test_arm_has_same_signature(built: Path) -> None:
    nodes = 0
    digest = blake2b(digest_size=8)
    for game in GAMES.values():
        for width, height in signature.boards(game):
            count, output = found_there(built, game, width, height)
            nodes += count
            digest.update(output)
    stored = (FOLDER / "data" / "signature.txt").read_text("ascii").strip()
    assert f"{nodes} nodes, hash {digest.hexdigest()}" == stored


@pytest.mark.nightly
def test_native_tests_pass_on_arm(built: Path) -> None:
    for target in ("native_tests", "search_with_priors"):
        build(built, target)
        finished([EMULATOR, "-cpu", "max", str(built / target)])
