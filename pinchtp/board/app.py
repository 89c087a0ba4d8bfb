"""The server: the page's files, and a WebSocket for each page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pinchtp.board import messages as m
from pinchtp.board.engines.pool import EnginePool
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.board.guard import Guard
from pinchtp.board.page_files import PageFiles
from pinchtp.board.requests import handle
from pinchtp.board.saving import Store
from pinchtp.board.visitor import Page, Shared, Visitor
from pinchtp.render import board_svg

MOST_PAGES = 8  # of one visitor
IDLE = 60.0  # seconds after which a visitor without pages is put away

TRY_LATER = 1013  # a code with which a socket is closed


class Visitors:
    """All visitors who are here, or have just left."""

    def __init__(
        self, specs: list[EngineSpec], store: Store, *, engines: int, most: int, idle: float
    ) -> None:
        """engines: how many run at once; most: visitors at once; idle: see Shared."""
        self._specs, self._store, self._most = specs, store, most
        self._engines, self._idle = engines, idle
        self._shared: Shared | None = None
        self._here: dict[str, Visitor] = {}
        self._leaving: dict[str, asyncio.Task[None]] = {}

    async def find(self, name: str) -> Visitor | None:
        """The visitor with that id; None if there are too many others."""
        if (leaving := self._leaving.pop(name, None)) is not None:
            leaving.cancel()
        while name not in self._here and len(self._here) >= self._most:
            if not await self._put_one_away():
                return None
        if name not in self._here:
            if self._shared is None:  # there is an event loop by now
                pool = EnginePool(self._engines)
                self._shared = Shared(self._specs, pool, self._store, self._idle)
            self._here[name] = Visitor(self._shared, name)
        return self._here[name]

    async def picture(self, name: str) -> str:
        """A visitor's board, for a page whose program is not there yet; empty if nobody else can
        come in now.
        """
        visitor = await self.find(name)
        if visitor is None:
            return ""
        self.left(name)  # until its socket comes
        return board_svg(visitor.table.session, for_page=True)

    async def _put_one_away(self) -> bool:
        """Makes place for a visitor; False if all are in use."""
        name = next((each for each, visitor in self._here.items() if not visitor.pages), None)
        if name is None:
            return False
        if (leaving := self._leaving.pop(name, None)) is not None:
            leaving.cancel()
        await self._here.pop(name).close()
        return True

    def left(self, name: str) -> None:
        """A page of a visitor has gone."""
        visitor = self._here.get(name)
        if visitor is not None and not visitor.pages and name not in self._leaving:
            self._leaving[name] = asyncio.get_running_loop().create_task(self._wait(name))

    async def close(self) -> None:
        """Ends all visits, which are kept on disk, and all engines."""
        for task in self._leaving.values():
            task.cancel()
        for visitor in self._here.values():
            await visitor.close()
        self._here.clear()
        if self._shared is not None:
            await self._shared.pool.close()

    async def _wait(self, name: str) -> None:
        await asyncio.sleep(IDLE)
        del self._leaving[name]
        await self._here.pop(name).close()


def application(visitors: Visitors, store: Store, key: str, hosts: Iterable[str]) -> Guard:
    """The whole server as an ASGI application."""
    page = PageFiles()

    async def home(request: Request) -> Response:
        return page.home(request, await visitors.picture(request.scope["visitor"]))

    async def socket(websocket: WebSocket) -> None:
        await visit(websocket, visitors)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await visitors.close()

    app = Starlette(
        routes=[
            Route("/", home),
            WebSocketRoute("/socket", socket),
            Route("/{version}/{path:path}", page.file),
        ],
        lifespan=lifespan,
    )
    return Guard(app, store, key, hosts)


async def visit(websocket: WebSocket, visitors: Visitors) -> None:
    """One page, from its coming to its going."""
    name = websocket.scope["visitor"]
    await websocket.accept()
    visitor = await visitors.find(name)
    if visitor is None or len(visitor.pages) >= MOST_PAGES:
        why = "too many people play here" if visitor is None else "the board is open too often"
        await websocket.send_text(m.written(m.Notice("error", f"{why.capitalize()}.")))
        await websocket.close(TRY_LATER, why)
        return
    page = Page()
    delivery = asyncio.get_running_loop().create_task(_deliver(page, websocket))
    try:
        visitor.enter(page)
        await _listen(websocket, visitor, page)
    finally:
        visitor.leave(page)
        visitors.left(name)
        delivery.cancel()
        with suppress(asyncio.CancelledError):
            await delivery


async def _deliver(page: Page, websocket: WebSocket) -> None:
    """Sends what waits, until the page goes."""
    with suppress(WebSocketDisconnect, RuntimeError, OSError):
        while not page.is_slow:
            await websocket.send_text(await page.next())
        await websocket.close(TRY_LATER, "the page is too slow")


async def _listen(websocket: WebSocket, visitor: Visitor, page: Page) -> None:
    """Does what a page asks for, one request after another."""
    while True:
        try:
            text = await websocket.receive_text()
        except (WebSocketDisconnect, RuntimeError, KeyError):  # gone; or it sent bytes
            return
        handle(visitor, page, text)
        await asyncio.sleep(0)
