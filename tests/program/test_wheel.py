"""The wheel as a user gets it: in an environment with nothing else, on processors old and new."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from clients import FOLDER

from pinchtp.report.implementation import SourceSize, count

SOURCE = FOLDER.parent
STORED = FOLDER / "data" / "signature.txt"
TIMEOUT = 1200

EMULATOR = "qemu-x86_64"
OLDEST, OLD, NEW = "qemu64", "Nehalem", "max"  # of 2003; of 2008, without AVX; the newest there is

# All games and layouts, as in the signature, in an eighth of the time.
SHORT_SIGNATURE = """
from pinchtp.bench import signature
signature.PLAYOUTS, signature.VISITS, signature.PLIES = 50, 1000, 1
print(*signature.signature())
"""

pytestmark = pytest.mark.slow


def run(command: list[str], **given: object) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, check=False, **given
    )  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (SOURCE / "pyproject.toml").is_file():
        pytest.skip("the sources are not here")
    made = os.environ.get("PINCHTP_WHEEL_FOLDER")  # .ci/run has made it, by the same command
    folder = Path(made) if made else tmp_path_factory.mktemp("wheel")
    if not made:
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w"]
        run([*command, str(folder), str(SOURCE)])
    (wheel,) = folder.iterdir()
    return wheel


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the interpreter of an environment with the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    run([*pip, "install", "-q", "--no-compile", str(wheel)])
    return python


def test_wheel_contents(wheel: Path) -> None:
    _, _, interpreter, abi, platform = wheel.stem.split("-")
    here = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    limited = sys.version_info >= (3, 12)  # nanobind's stable ABI begins there
    assert (interpreter, abi) == (("cp312", "abi3") if limited else (here, here))
    assert platform == sysconfig.get_platform().replace("-", "_").replace(".", "_")
    names = zipfile.ZipFile(wheel).namelist()
    suffix = ".abi3.so" if limited else sysconfig.get_config_var("EXT_SUFFIX")
    assert f"pinchtp/_core{suffix}" in names
    assert not [name for name in names if name.endswith((".cpp", ".hpp", ".txt.in"))]
    assert not [name for name in names if not name.startswith(("pinchtp/", "pinchtp-"))]
    assert {"pinchtp/__init__.py", "pinchtp/_core.pyi"} <= set(names)
    assert {"pinchtp/html/style.css", "pinchtp/html/templates/frame.html"} <= set(names)


def test_wheel_counts_the_lines_of_its_sources(wheel: Path) -> None:
    counted = zipfile.ZipFile(wheel).read("pinchtp/report/implementation.json")
    sizes = {name: SourceSize(**size) for name, size in json.loads(counted).items()}
    assert sizes == count(SOURCE / "pinchtp" / "core")


def test_wheel_plays_in_a_bare_environment(python: Path, tmp_path: Path) -> None:
    program = python.with_name("pinchtp")
    said = run([str(program), "--visits", "100"], input="genmove b\nquit\n", cwd=tmp_path)
    assert said.startswith("= ")
    assert said.endswith("\n\n= \n\n")


def emulated(processor: str) -> list[str]:
    """Returns the command that runs a program of another processor."""
    emulator = shutil.which(EMULATOR)
    if emulator is None or os.uname().machine != "x86_64":
        pytest.skip("no emulator of x86-64 is installed")
    # On some hosts the BLAS of NumPy does not recognize an emulated processor as an old one.
    blas = ["-E", "OPENBLAS_CORETYPE=Nehalem"] if processor == OLD else []
    return [emulator, *blas, "-cpu", processor]


def test_wheel_plays_on_the_oldest_processor(python: Path, tmp_path: Path) -> None:
    """The engine needs plain x86-64 only, without numpy, which needs more."""
    program = [str(python), "-m", "pinchtp", "--visits", "20", "--seed", "1", "-e", "genmove b"]
    expected = run(program, cwd=tmp_path)  # first: it also compiles the modules
    assert run([*emulated(OLDEST), *program], cwd=tmp_path) == expected


def test_old_processor_computes_the_same(python: Path, tmp_path: Path) -> None:
    """Outside of the kernels chosen at run time nothing needs what an old processor lacks."""
    program = [str(python), "-c", SHORT_SIGNATURE]
    expected = run(program, cwd=tmp_path)
    assert run([*emulated(OLD), *program], cwd=tmp_path) == expected


@pytest.mark.nightly
@pytest.mark.parametrize("processor", [OLD, NEW])
def test_any_processor_has_the_signature(python: Path, processor: str, tmp_path: Path) -> None:
    command = [*emulated(processor), str(python), "-m", "pinchtp", "bench", "--signature"]
    assert run(command, cwd=tmp_path) == STORED.read_text()
