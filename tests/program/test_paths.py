"""Files, folders and functions that guides and comments name exist."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ = (".md", ".py", ".js", ".hpp", ".cpp")
# In capitals a part stands for others: `tests/core/test_GAME.py`, `has_SET()`.
NAMED = re.compile(
    r"`((?:pinchtp|tests|tools|findings)/[a-z0-9_./-]*"
    r"|[a-z0-9_./-]+(?:/|\.(?:pyi?|c?js|[hc]pp|h|md|css|sh|toml|txt|yml)))`"
)
CREATED = {"faults"}  # by a command of the guide
FUNCTION = re.compile(r"`(?:\w+\.)*(?!\w+_[A-Z])(\w+)\([^`]*\)`")
PLACED = re.compile(r"`(?:\w+\.)*(?!\w+_[A-Z])(\w+)(?:\(\))?` in `([a-z0-9_./]+\.\w+)`")


@cache
def texts() -> dict[str, str]:
    """Returns the files of the repository; those that are not text are empty."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    read = (*READ, ".pyi", ".cjs", ".sh")
    return {
        name: (ROOT / name).read_text("utf-8") if name.endswith(read) else ""
        for name in done.stdout.splitlines()
        if (ROOT / name).is_file()
    }


def ends(path: str) -> list[str]:
    """Returns the names of a path in texts: itself, and without its first folders."""
    parts = path.split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))]


def test_named_files_and_folders_exist() -> None:
    folders = {str(parent) for name in texts() for parent in Path(name).parents}
    known = CREATED.union(*(ends(path) for path in [*texts(), *folders]))
    missing = [
        (path, name)
        for path, text in texts().items()
        if path.endswith(READ)
        for name in NAMED.findall(text)
        if re.sub(r"^(\.\.?/)+|/$", "", name) not in known
    ]
    assert missing == []


def test_functions_named_in_guides_exist() -> None:
    """`swap()` somewhere, `choose_turn()` in `player/player.py` in that file."""
    sources = {path: text for path, text in texts().items() if not path.endswith(".md")}
    guides = {path: text for path, text in texts().items() if path.endswith(".md")}
    named = [(path, name) for path, text in guides.items() for name in FUNCTION.findall(text)]
    placed = [(path, *found) for path, text in guides.items() for found in PLACED.findall(text)]
    assert len(named) > 50
    assert len(placed) > 20
    known = set(re.findall(r"\w+", "\n".join(sources.values())))
    assert [each for each in named if each[1] not in known] == []
    assert [each for each in placed if not is_in_file(sources, *each[1:])] == []


def is_in_file(sources: dict[str, str], name: str, place: str) -> bool:
    """Whether a file that the place may mean has the name."""
    named = [text for path, text in sources.items() if place.removeprefix("../") in ends(path)]
    return any(re.search(rf"\b{name}\b", text) for text in named)
