"""Building: a clone of the commit, and a run of pip for each wheel."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .run import run

SOURCE = Path(__file__).resolve().parents[2]


@contextmanager
def clone() -> Iterator[Path]:
    """Yields a directory with only the sources of the commit."""
    with tempfile.TemporaryDirectory(prefix="pinchtp-") as folder:
        run(["git", "clone", "-q", "--shared", "--no-checkout", SOURCE, folder])
        run(["git", "-C", folder, "checkout", "-q", "--detach", _git("rev-parse", "HEAD")])
        yield Path(folder)


def build(source: Path, target: str, python: str, folder: Path) -> Path:
    """Builds a wheel for a target into the directory; returns its path.

    python: an interpreter with the version of the wheel; for abi3, any from 3.12.
    """
    environment = os.environ | {
        "PINCHTP_TARGET": target,
        "PINCHTP_ZIG": f'"{sys.executable}" -m ziglang',
        "SOURCE_DATE_EPOCH": _git("log", "-1", "--format=%ct"),
    }
    with tempfile.TemporaryDirectory() as made:
        run([python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", made, source], environment)
        (wheel,) = Path(made).iterdir()
        folder.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(wheel, folder))


def _git(*words: str) -> str:
    return run(["git", "-C", SOURCE, *words]).strip()
