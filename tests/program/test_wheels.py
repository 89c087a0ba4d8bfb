"""Wheels for all platforms: `tools/wheels`."""

import re
import subprocess
from pathlib import Path

import pytest
from clients import FOLDER

if not (FOLDER.parent / "tools" / "wheels").is_dir():
    pytest.skip("the tools are not here", allow_module_level=True)

from wheels import __main__ as command
from wheels.check import content_problems, is_core, path_problems, problems
from wheels.run import ProgramError, run
from wheels.targets import TARGETS

SOURCE = FOLDER.parent
WORKFLOW = SOURCE / ".github" / "workflows" / "release.yml"
NAME = "pinchtp-0.1.0"
CORE = "_core.cpython-311-x86_64-linux-gnu.so"
GOOD = [
    f"pinchtp/{CORE}",
    "pinchtp/__init__.py",
    "pinchtp/_core.pyi",
    "pinchtp/build.json",
    f"{NAME}.dist-info/METADATA",
]


@pytest.mark.parametrize(
    ("target", "interpreter", "abi", "module"),
    [
        ("linux-x86_64", "cp311", "cp311", CORE),
        ("linux-x86_64", "cp312", "abi3", "_core.abi3.so"),
        ("macos-arm64", "cp311", "cp311", "_core.cpython-311-darwin.so"),
        ("windows-x86_64", "cp311", "cp311", "_core.cp311-win_amd64.pyd"),
        ("windows-x86_64", "cp312", "abi3", "_core.pyd"),
    ],
)
def test_module_name_fits_platform(target: str, interpreter: str, abi: str, module: str) -> None:
    assert TARGETS[target].module(interpreter, abi) == module


def test_targets_have_tags_of_their_own() -> None:
    assert len({target.tag for target in TARGETS.values()}) == len(TARGETS)


def test_contents_with_one_core_and_no_sources_are_good() -> None:
    assert list(content_problems(GOOD, NAME, CORE)) == []


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ([*GOOD, "tests/conftest.py"], "tests/conftest.py does not belong to the package"),
        ([*GOOD, "pinchtp/core/vector.hpp"], "pinchtp/core/vector.hpp is a source file"),
        ([*GOOD, "pinchtp/_core.abi3.so"], "its compiled modules are"),
        (GOOD[1:], "its compiled modules are []"),
        (GOOD[:1] + GOOD[2:], "pinchtp/__init__.py is missing"),
    ],
)
def test_contents_name_each_problem(names: list[str], problem: str) -> None:
    (found,) = content_problems(names, NAME, CORE)
    assert found.startswith(problem)


def test_core_of_every_system_is_recognized() -> None:
    assert all(map(is_core, ["_core.abi3.so", "_core.pyd", "libcore.dylib", "core.dll"]))
    assert not is_core("pinchtp/_core.pyi")


def test_paths_of_the_machine_are_found() -> None:
    core = b"\0/tmp/pinchtp-x1/pinchtp/core/types.hpp\0/usr/lib\0./core/types.hpp\0/home/me/a.o\0"
    found = ["/home/me/a.o", "/tmp/pinchtp-x1/pinchtp/core/types.hpp"]
    assert list(path_problems(core)) == [
        f"the core contains a path of the build machine: {p}" for p in found
    ]


@pytest.mark.parametrize("name", ["pinchtp-0.1.0-cp311-cp311-linux_x86_64.whl", "notes.whl"])
def test_wheel_of_no_target_is_rejected(name: str) -> None:
    assert list(problems(Path(name))) == ["unknown target in its name"]


def test_empty_folder_is_a_failure(tmp_path: Path) -> None:
    options = command.make_parser().parse_args(["check", str(tmp_path)])
    assert command.check_all(options) == 1


def test_failed_program_is_an_error_with_its_output() -> None:
    with pytest.raises(ProgramError, match="exit status 3\nno good"):
        run(["sh", "-c", "echo no good; exit 3"])


def test_release_runs_nothing_but_scripts() -> None:
    if not WORKFLOW.is_file():
        pytest.skip("the workflow is not here")
    steps = re.findall(r"run: (\S+)(?: (\w+))?", WORKFLOW.read_text("utf-8").replace("run: {", ""))
    script = (SOURCE / ".ci" / "release").read_text("utf-8")
    assert [path for path, _ in steps] == [".ci/release", ".ci/run", ".ci/release", ".ci/release"]
    assert all(f"\n  {step})" in script for _, step in steps if step)


def test_release_of_another_version_is_refused(tmp_path: Path) -> None:
    script = SOURCE / ".ci" / "release"
    if not script.is_file():
        pytest.skip("the script is not here")
    command = [script, "publish", tmp_path, "v99.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("the tag is v99.0.0, the version ")
