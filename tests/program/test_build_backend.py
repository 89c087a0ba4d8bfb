"""Which compiler builds the package: `tools/build_backend.py`, with compilers made up."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import build_backend
import pytest


def tool(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    return tmp_path


def test_container_has_the_files_of_the_backend(tmp_path: Path) -> None:
    root = Path(build_backend.__file__).parents[1]
    for source, target in re.findall(
        "^COPY (tools/[^ ]+) /source/([^ ]+)$", (root / "tools" / "Containerfile").read_text(), re.M
    ):
        place = tmp_path / target
        if (root / source).is_dir():
            shutil.copytree(root / source, place)
        else:
            place.mkdir()
            shutil.copy(root / source, place)
    done = subprocess.run(
        [sys.executable, "-c", "import build_backend; print(build_backend.__file__)"],
        cwd=tmp_path / "tools",
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path))


def test_first_compiler_that_works_is_enough(folder: Path) -> None:
    assert not build_backend.has_compiler()
    tool(folder, "c++", "exit 1")
    assert not build_backend.has_compiler()
    tool(folder, "clang++", 'case "$*" in *-std=c++20*) exit 0;; esac; exit 1')
    assert build_backend.has_compiler()


def test_chosen_compiler_alone_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(folder, "g++", "exit 0")
    monkeypatch.setenv("CXX", "old-compiler -m64")
    assert not build_backend.has_compiler()
    tool(folder, "old-compiler", '[ "$1" = -m64 ]')
    assert build_backend.has_compiler()


def test_compiler_of_this_machine_needs_nothing(folder: Path) -> None:
    tool(folder, "c++", "exit 0")
    assert build_backend.get_requires_for_build_wheel() == [
        each for each in build_backend.get_requires_for_build_wheel() if "zig" not in each
    ]
    with build_backend._compiler():
        assert "CMAKE_ARGS" not in os.environ


def test_missing_headers_are_named_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(folder))
    with pytest.raises(SystemExit, match=r"Python\.h is missing: .* python3-dev"):
        build_backend.get_requires_for_build_wheel()


def test_without_a_compiler_zig_is_required_and_used(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build_backend.ZIG in build_backend.get_requires_for_build_wheel()
    assert build_backend.ZIG in build_backend.get_requires_for_build_editable()
    assert "no working C++20 compiler found" in capsys.readouterr().out
    with build_backend._compiler():
        chosen = dict(each[2:].split("=", 1) for each in os.environ["CMAKE_ARGS"].split())
        assert set(build_backend.TOOLS) < set(chosen)
        script = Path(chosen["CMAKE_CXX_COMPILER"])
        assert "-m ziglang c++ -mcpu=baseline " in script.read_text()
        done = subprocess.run([script, "--version"], capture_output=True, text=True, check=False)
        assert "ziglang" in done.stdout + done.stderr
    assert not script.exists()


def test_target_is_built_by_zig_where_another_compiler_works(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool(folder, "c++", "exit 0")
    monkeypatch.setenv("PINCHTP_TARGET", "linux-aarch64")
    assert build_backend.ZIG in build_backend.get_requires_for_build_wheel()
    before = dict(os.environ)
    with build_backend._compiler():
        chosen = dict(each[2:].split("=", 1) for each in os.environ["CMAKE_ARGS"].split())
        assert chosen["CMAKE_SYSTEM_PROCESSOR"] == "aarch64"
        assert "-target aarch64-linux-gnu.2.17 " in Path(chosen["CMAKE_CXX_COMPILER"]).read_text()
    assert dict(os.environ) == before


def test_unknown_target_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCHTP_TARGET", "amiga")
    with pytest.raises(ValueError, match="no platform 'amiga'; expected one of"):
        build_backend.get_requires_for_build_wheel()


def test_zig_makes_a_library_for_a_bundle(tmp_path: Path) -> None:
    script = build_backend.SCRIPT.format(zig="/bin/echo", command="c++")
    given = ["-bundle", "-Wl,@some symbols", "a file.o"]
    done = subprocess.run(
        [tool(tmp_path, "zig", script), *given], capture_output=True, text=True, check=True
    )
    library = "-dynamiclib -Wl,-undefined,dynamic_lookup a file.o"
    assert done.stdout == f"c++ {library}\n"
