"""A visitor with one page that records its messages, without a server."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from board.shared import OUR_ENGINE, make_shared

from pinchtp.board.engines.table_engine import EngineCommand
from pinchtp.board.pages import Page
from pinchtp.board.requests.handler import handle
from pinchtp.board.storage.files import VisitorStore
from pinchtp.board.visitor import Visitor


class Recorder(Page):
    """A page that records its messages."""

    def __init__(self, *, is_host: bool) -> None:
        super().__init__(is_host=is_host)
        self.seen: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.seen.append(json.loads(text))

    def types(self) -> list[str]:
        """Returns the types of the messages since the last call."""
        found = [message["type"] for message in self.seen]
        self.seen = []
        return found


@asynccontextmanager
async def visiting(
    folder: Path,
    *,
    is_host: bool = True,
    engine: EngineCommand = OUR_ENGINE,
    store: type[VisitorStore] = VisitorStore,
) -> AsyncIterator[tuple[Visitor, Recorder]]:
    """A new visitor with one page."""
    shared = make_shared(folder, engine, store)
    visitor = Visitor(shared, "visitor")
    page = Recorder(is_host=is_host)
    visitor.enter(page)
    try:
        yield visitor, page
    finally:
        visitor.leave(page)
        await visitor.close()
        await shared.pool.close()


def ask(visitor: Visitor, page: Page, type: str, **fields: Any) -> None:
    """Sends a request that is handled immediately."""
    assert handle(visitor, page, json.dumps({"type": type, "id": 1, **fields})) is None


async def load(visitor: Visitor, page: Page, text: str) -> None:
    rest = handle(visitor, page, json.dumps({"type": "load", "id": 1, "text": text}))
    assert rest is not None
    await rest


def refusal(visitor: Visitor, page: Recorder, type: str, **fields: Any) -> str:
    """Sends a request that must be rejected, perhaps with other messages; returns the reason."""
    page.seen.clear()
    ask(visitor, page, type, **fields)
    (found,) = (each["text"] for each in page.seen if each["type"] == "refused")
    return str(found)
