"""The server: the loaded visitors, the routes, and a WebSocket for each page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from traceback import format_exc

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pinchtp.base.streams import warn
from pinchtp.base.text import sentence_of
from pinchtp.board.pages import Page, to_json
from pinchtp.board.protocol.answers import Notice
from pinchtp.board.requests.handler import handle
from pinchtp.board.storage.saved_table import read_invitation
from pinchtp.board.visitor import Shared, Visitor
from pinchtp.board.web.addresses import PublicAddress
from pinchtp.board.web.guard import POLICY_VIOLATION, Guard
from pinchtp.board.web.keys import ENDED, INVITED, Keys, Role
from pinchtp.board.web.page_files import PageFiles
from pinchtp.render.svg import board_svg

MOST_PAGES = 8  # per visitor and role
IDLE = 60.0  # seconds before a saved visitor without pages is unloaded
MOST_AT_ONCE = 4  # requests of a page that take long
SEND_SECONDS = 20.0  # maximum for sending a message, before its page counts as disconnected

TRY_LATER = 1013  # WebSocket close code
UPDATED = "the board was updated: reload this page"


class Visitors:
    """The loaded visitors."""

    def __init__(self, make_shared: Callable[[], Shared], most: int) -> None:
        """make_shared: called in the running event loop. most: maximum number of visitors."""
        self._make_shared = make_shared
        self._most = most
        self._shared: Shared | None = None
        self._here: dict[str, Visitor] = {}
        self._leaving: dict[str, asyncio.Task[None]] = {}

    async def find(self, name: str) -> Visitor | None:
        """Returns the visitor with an id; None if the server is full.

        Raises OSError if the visitor's file cannot be read now.
        """
        if (leaving := self._leaving.pop(name, None)) is not None:
            leaving.cancel()
        while name not in self._here and len(self._here) >= self._most:
            if not await self._put_one_away():
                return None
        if name not in self._here:
            self._here[name] = Visitor(self._share(), name)
        return self._here[name]

    def has_invited(self, name: str, number: str) -> bool:
        """Returns whether a visitor's invitation is open, without loading the visitor.

        Raises OSError if the visitor's file cannot be read now.
        """
        if name in self._here:
            return self._here[name].table.invitation == number
        return read_invitation(self._share().store.load(name)) == number

    def _share(self) -> Shared:
        """Returns the state common to all visitors, created at its first use."""
        if self._shared is None:
            self._shared = self._make_shared()
            self._shared.store.loaded = self._here.keys()
        return self._shared

    async def draw_board(self, name: str) -> str:
        """Returns the SVG of a visitor's board for the first paint; empty if it cannot be shown."""
        visitor = None
        with suppress(OSError):  # the socket reports it
            visitor = await self.find(name)
        if visitor is None:
            return ""
        self.unload_later(name)  # until its socket opens
        return board_svg(visitor.table.session, for_page=True)

    @property
    def keeps_unsaved(self) -> bool:
        """Whether a visitor without pages stays loaded only because the game cannot be saved."""
        return any(not (each.is_saved or each.pages) for each in self._here.values())

    async def _put_one_away(self) -> bool:
        """Unloads a saved visitor without pages, to free its place; returns False without one."""
        free = (id for id, each in self._here.items() if each.is_saved and not each.pages)
        name = next(free, None)
        if name is None:
            return False
        if (leaving := self._leaving.pop(name, None)) is not None:
            leaving.cancel()
        await self._unload(name)
        return True

    async def _unload(self, name: str) -> None:
        """Closes a visitor. An error is printed and does not affect the caller."""
        try:
            await self._here.pop(name).close()
        except Exception:
            warn(f"pinchtp board: a visitor was not closed properly:\n{format_exc()}")

    def unload_later(self, name: str) -> None:
        """Closes a visitor after IDLE seconds, unless one of its pages is connected by then."""
        visitor = self._here.get(name)
        if visitor is not None and not visitor.pages and name not in self._leaving:
            self._leaving[name] = asyncio.get_running_loop().create_task(self._wait(name))

    async def close(self) -> None:
        """Saves and closes all visitors, and stops all engines."""
        for task in self._leaving.values():
            task.cancel()
        for name in list(self._here):
            await self._unload(name)
        if self._shared is not None:
            self._shared.aside.shutdown(wait=False, cancel_futures=True)
            await self._shared.pool.close()

    async def _wait(self, name: str) -> None:
        await asyncio.sleep(IDLE)
        while not self._here[name].is_saved:  # its autosave tries again
            await asyncio.sleep(IDLE)
        del self._leaving[name]
        await self._unload(name)


def make_application(
    visitors: Visitors, keys: Keys, hosts: Iterable[str], public: PublicAddress | None = None
) -> Guard:
    """Returns the server as an ASGI application. hosts, public: see Guard."""
    page = PageFiles()

    async def home(request: Request) -> Response:
        return page.home(request, await visitors.draw_board(request.scope["visitor"]))

    async def invitation_page(request: Request) -> Response:
        invitation = keys.find_invitation(request.path_params["token"])
        if invitation is None:
            return Response(status_code=404)
        return page.home(request, await visitors.draw_board(invitation[0]), up="../")

    async def socket(websocket: WebSocket) -> None:
        token = websocket.path_params.get("token")
        invitation = keys.find_invitation(token) if token else None
        await websocket.accept()
        if websocket.path_params.get("version", page.version) != page.version:
            await _refuse(websocket, UPDATED, for_good=True)
        elif invitation is not None:
            await visit(websocket, visitors, *invitation)
        elif token:
            await _refuse(websocket, ENDED, for_good=True)
        else:
            await visit(websocket, visitors, websocket.scope["visitor"])

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await visitors.close()

    app = Starlette(
        routes=[
            Route("/", home),
            Route(f"{INVITED}{{token}}", invitation_page),
            *(
                WebSocketRoute(f"{path}/socket", socket)
                for path in (
                    "",
                    "/{version}",
                    f"{INVITED}{{token}}",
                    f"{INVITED}{{token}}/{{version}}",
                )
            ),
            Route("/{version}/{path:path}", page.file),
        ],
        middleware=[Middleware(GZipMiddleware)],
        lifespan=lifespan,
    )
    return Guard(app, keys, visitors.has_invited, hosts, public)


async def visit(
    websocket: WebSocket, visitors: Visitors, name: str, role: Role = "owner", invitation: str = ""
) -> None:
    """Serves the accepted WebSocket of a page. name: of the table's visitor."""
    try:
        if role != "owner" and not visitors.has_invited(name, invitation):
            await _refuse(websocket, ENDED, for_good=True)
            return
        visitor = await visitors.find(name)
    except OSError as error:
        warn(f"pinchtp board: cannot read a visitor's game: {error}")
        await _refuse(websocket, f"cannot read the game: {error.strerror}")
        return
    if why := _find_obstacle(visitors, visitor, role, invitation):
        await _refuse(websocket, why, for_good=why == ENDED)
        visitors.unload_later(name)  # `find` has cancelled its unloading
        return
    assert visitor
    scope = websocket.scope
    page = Page(is_host=scope["is_host"], role=role, address=scope["address"])
    tasks: list[asyncio.Task[None]] = []
    try:
        visitor.enter(page)
        loop = asyncio.get_running_loop()
        tasks += [
            loop.create_task(_deliver(page, websocket)),
            loop.create_task(_listen(websocket, visitor, page)),
        ]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        try:
            visitor.leave(page)
        finally:
            visitors.unload_later(name)
            for task in tasks:
                task.cancel()
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ended, Exception):
                    raise ended


async def _refuse(websocket: WebSocket, why: str, *, for_good: bool = False) -> None:
    """Closes the WebSocket of a page that cannot be served, now or for good. why: the reason."""
    sentence = sentence_of(why)
    await websocket.send_text(to_json(Notice("error", sentence)))
    await websocket.close(POLICY_VIOLATION if for_good else TRY_LATER, sentence)


def _find_obstacle(visitors: Visitors, visitor: Visitor | None, role: Role, invitation: str) -> str:
    """Returns the reason why a page cannot be served; empty if it can. visitor: None: no place."""
    if visitor is None and visitors.keeps_unsaved:
        return "server full, because it cannot save games; its owner may have to free disk space"
    if visitor is None:
        return "server full; its owner can start it with a larger --visitors"
    if sum(page.role == role for page in visitor.pages) >= MOST_PAGES:
        return "too many watchers" if role == "watcher" else "too many open tabs"
    if role != "owner" and invitation != visitor.table.invitation:  # ended while it was loaded
        return ENDED
    return ""


async def _deliver(page: Page, websocket: WebSocket) -> None:
    """Sends queued messages until the page disconnects or does not read them."""
    with suppress(WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
        while not page.is_done:
            text = await page.next()
            async with asyncio.timeout(SEND_SECONDS):
                await websocket.send_text(text)


async def _listen(websocket: WebSocket, visitor: Visitor, page: Page) -> None:
    """Starts the requests of a page in order; one that takes long does not delay the others.

    The end of the connection cancels them.
    """
    running: set[asyncio.Task[None]] = set()
    async with asyncio.TaskGroup() as group:
        while True:
            try:
                text = await websocket.receive_text()
            except (WebSocketDisconnect, RuntimeError, KeyError):  # disconnected, or sent bytes
                break
            if (rest := handle(visitor, page, text)) is not None:
                task = group.create_task(rest)
                running.add(task)
                task.add_done_callback(running.discard)
            if len(running) >= MOST_AT_ONCE:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)
        for task in running:
            task.cancel()
