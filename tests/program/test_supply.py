"""Builds by others: the source archive, and the versions that pyproject.toml allows."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import supply
from clients import FOLDER

SOURCE = FOLDER.parent


def test_lowest_versions_pin_every_dependency() -> None:
    if not (SOURCE / "pyproject.toml").is_file():
        pytest.skip("the sources are not here")
    constraints = supply.lowest_versions()
    assert "msgspec" in [constraint.partition("==")[0] for constraint in constraints]
    for constraint in constraints:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+", constraint)


@pytest.mark.slow
def test_archive_has_all_sources(tmp_path: Path) -> None:
    """Builds and tests without git are the same."""
    if not (SOURCE / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    if importlib.util.find_spec("build") is None:
        pytest.skip("the package build is not installed")
    command = ["git", "-C", str(SOURCE), "ls-files", "-co", "--exclude-standard"]
    known = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    sources = supply.unpacked(supply.make_archive(tmp_path), tmp_path / "sources")
    packed = [str(path.relative_to(sources)) for path in sources.rglob("*") if path.is_file()]
    assert for_others(packed) == for_others(known)


def for_others(names: list[str]) -> set[str]:
    """Returns the names without those only the project's checks, git and package indexes use."""
    return {name for name in names if not name.startswith((".ci/", ".gitignore", "PKG-INFO"))}


@pytest.mark.nightly
@pytest.mark.skipif(sys.version_info[:2] != (3, supply.OLDEST), reason="the oldest has them")
@pytest.mark.parametrize("name", ["lowest", "clang"])
def test_package_is_built_and_works(name: str, tmp_path: Path) -> None:
    """From the archive, with the lowest versions of dependencies, and another compiler."""
    found = {case.name: case for case in supply.cases()}
    if name not in found:
        pytest.skip(f"there is no case {name} here")
    assert supply.tested(found[name], supply.make_archive(tmp_path), supply.QUICK)
