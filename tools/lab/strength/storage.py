"""Storage of measured results in this directory, and of their tables in README.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from pinchtp.base.files import replace_file

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"


def load(name: str) -> dict[str, Any]:
    """Returns the results of that name; empty if there are none."""
    path = FOLDER / f"{name}.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def save(name: str, figures: dict[str, Any]) -> None:
    text = json.dumps(figures, indent=1)
    compact = re.sub(r"\[[^][{}]*\]", lambda found: " ".join(found[0].split()), text)
    replace_file(FOLDER / f"{name}.json", (compact + "\n").encode())


def replace_table(document: str, part: str, table: str) -> str:
    """Returns the document with the table between the marks of a part replaced."""
    marks = rf"(?<=<!-- {part}: begin -->\n).*?(?=<!-- {part}: end -->)"
    assert re.search(marks, document, re.DOTALL), part
    return re.sub(marks, lambda _: table, document, flags=re.DOTALL)


def show(part: str, table: str) -> None:
    """Writes a table into README.md."""
    README.write_text(replace_table(README.read_text("utf-8"), part, table), "utf-8")


def markdown(rows: list[list[str]]) -> str:
    """Returns a table with a heading and right-aligned columns."""
    heading, *others = rows
    lines = [heading, ["--:"] * len(heading), *others]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
