"""Match pages as documents, for tests."""

import json
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from match_records import write_page

from pinchtp.base.clock import TimeControl
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import GameRecord

RULES: Mapping[str, Any] = {"size": (5, 4), "time": TimeControl.none()}
ELSEWHERE: Mapping[str, Any] = dict(RULES) | {"game": "go", "size": (9, 9), "referee": False}


class Document(HTMLParser):
    """A parser that collects a page's text, elements and nesting errors."""

    VOID = ("meta", "link", "input", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts.append(data)
        elif self._open and self._open[-1] != "style":
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


def page(
    records: Sequence[GameRecord],
    folder: Path,
    engines: Sequence[str] = ("one", "two"),
    rules: Mapping[str, Any] = RULES,
    title: str = "A match",
    **options: Any,
) -> str:
    """Returns the page of a match. rules, options: fields of MatchPlan."""
    path = folder / "match.html"
    plan = MatchPlan(tuple(EngineConfig(name) for name in engines), **(dict(rules) | options))
    size = write_page(records, path, title=title, plan=plan)
    assert size == path.stat().st_size
    return path.read_text("utf-8")


def data_of(text: str) -> dict[str, Any]:
    data = json.loads(Document(text).scripts[0])
    assert isinstance(data, dict)
    return data
