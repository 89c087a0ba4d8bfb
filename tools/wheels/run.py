"""Programs that must succeed."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

TIMEOUT = 3600  # seconds


class ProgramError(Exception):
    """A program that failed, with the end of its output."""


def run(
    command: Sequence[str | Path],
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> str:
    """Returns the output of a program; raises ProgramError if it fails."""
    done = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    if done.returncode:
        words = " ".join(map(str, command))
        raise ProgramError(f"{words}: exit status {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout
