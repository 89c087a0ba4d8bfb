"""Names: no class name stands for two things, in Python, stubs and scripts of pages."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from clients import PACKAGE


def classes(source: Path) -> list[str]:
    """Returns the names of the public classes that a source defines."""
    text = source.read_text("utf-8")
    if source.suffix == ".js":
        return re.findall(r"^(?:export )?(?:default )?class (\w+)", text, re.M)
    nodes = ast.walk(ast.parse(text))
    names = [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    return [name for name in names if not name.startswith("_")]


def test_class_names_are_unique() -> None:
    sources: dict[str, list[str]] = defaultdict(list)
    for pattern in ("*.py", "*.pyi", "*.js"):
        for source in sorted(PACKAGE.rglob(pattern)):
            for name in classes(source):
                sources[name].append(str(source.relative_to(PACKAGE)))
    assert len(sources) > 300
    assert {name: places for name, places in sources.items() if len(places) > 1} == {}
