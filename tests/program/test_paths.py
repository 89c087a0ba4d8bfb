"""Files that guides and comments name exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ = (".md", ".py", ".js", ".hpp", ".cpp")
# In capitals a part stands for others: `tests/core/test_GAME.py`.
NAMED = re.compile(r"`([a-z0-9_./-]+\.(?:py|js|hpp|cpp|md|css))`")


def tracked() -> list[Path]:
    """Returns the files of the repository."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [Path(line) for line in done.stdout.splitlines() if (ROOT / line).is_file()]


def test_named_files_exist() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    files = tracked()
    ends = {"/".join(path.parts[at:]) for path in files for at in range(len(path.parts))}
    missing = [
        (str(path), name)
        for path in files
        if path.suffix in READ
        for name in NAMED.findall((ROOT / path).read_text("utf-8"))
        if name.lstrip("./") not in ends
    ]
    assert missing == []
