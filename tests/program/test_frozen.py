"""Programs frozen by PyInstaller, which have no Python to start."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import pinchtp
from pinchtp import _core, cli

ADVICE = "a program frozen by PyInstaller cannot start the Python that this needs"


NEED_PYTHON = [
    ["match", "--engine", "a=x", "--engine", "b=y", "--games", "2", "--size", "3"],
    ["board", "--no-browser"],
]


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "frozen", True, raising=False)


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("arguments", NEED_PYTHON)
def test_command_that_needs_python_is_refused(
    arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 1
    printed = capfd.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert ADVICE in printed.err
    assert not list(Path().iterdir())


@pytest.mark.usefixtures("frozen")
def test_match_from_python_is_refused() -> None:
    with pytest.raises(RuntimeError, match=ADVICE):
        pinchtp.play_match({"a": "x", "b": "y"}, size=3, games=2)


@pytest.mark.usefixtures("frozen")
def test_engine_works() -> None:
    with pinchtp.Engine(memory=16) as engine:
        assert engine.play(pinchtp.Game(size=3), visits=5).move


# --- a real one


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a frozen program that runs pinchtp's command line."""
    pytest.importorskip("PyInstaller", reason="PyInstaller is not installed")
    folder = tmp_path_factory.mktemp("frozen")
    package = Path(pinchtp.__file__).parent
    shutil.copytree(package, folder / "pinchtp", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(_core.__file__, folder / "pinchtp")
    script = folder / "program.py"
    script.write_text("import sys\nfrom pinchtp import cli\nsys.exit(cli.main(sys.argv[1:]))\n")
    excluded = [f"--exclude-module={name}" for name in ("jax", "scipy", "pytest", "playwright")]
    command = [sys.executable, "-m", "PyInstaller", "--collect-all=pinchtp", *excluded, script.name]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "dist" / "program" / "program"


def run_program(program: Path, arguments: list[str], folder: Path) -> CompletedProcess[str]:
    command = [program, *arguments]
    return subprocess.run(
        command, cwd=folder, input="c3\nquit\n", capture_output=True, text=True, check=False
    )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["--size", "5", "--visits", "20", "-e", "genmove b"], r"= [A-E][1-5]\n\n"),
        (["solve", "--size", "3"], r"loss [A-C][1-3] .* nodes [0-9]+\n"),
        (["review", "game.sgf", "--visits", "20"], r"Pinch 5x5, 3 moves\.(.*\n)+"),
        (["play", "--size", "5", "--visits", "20"], r"(.*\n)+.*The game was not saved.*\n"),
    ],
)
def test_frozen_program_plays(
    program: Path, arguments: list[str], printed: str, tmp_path: Path
) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[5]RU[pinch];B[cc];W[bb];B[dd])")
    done = run_program(program, arguments, tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)
    assert re.fullmatch(printed, done.stdout)


@pytest.mark.nightly
@pytest.mark.parametrize("arguments", NEED_PYTHON)
def test_frozen_program_refuses_in_one_sentence(
    program: Path, arguments: list[str], tmp_path: Path
) -> None:
    done = run_program(program, arguments, tmp_path)
    assert done.stderr.startswith(f"pinchtp: {ADVICE}: ")
    assert (done.stdout, done.stderr.count("\n"), done.returncode) == ("", 1, 1)
    assert not list(tmp_path.iterdir())
