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

from pinchtp.base.streams import note
from pinchtp.board import messages as m
from pinchtp.board.engines.pool import Pool
from pinchtp.board.engines.spec import EngineSpec
from pinchtp.board.guard import Guard
from pinchtp.board.page_files import PageFiles
from pinchtp.board.requests import Requests
from pinchtp.board.room import House, Room
from pinchtp.board.saving import Store
from pinchtp.board.table.keeping import restored, saved
from pinchtp.render import board_svg

MOST_PAGES = 8  # of one visitor
MOST_WAITING = 2000  # messages that a page has not taken yet
IDLE = 60.0  # seconds after which a room without pages is put away

TRY_LATER = 1013  # a code with which a socket is closed


class Socket:
    """A page that is connected. Messages wait here until it takes them."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._waiting: list[str] = []
        self._ready = asyncio.Event()
        self.is_slow = False

    def send(self, text: str) -> None:
        """Sends a message later. Of a stream only the latest is kept while the page is behind."""
        if text.startswith(STREAMED):
            self._waiting = [each for each in self._waiting if not each.startswith(STREAMED)]
        self._waiting.append(text)
        self.is_slow = len(self._waiting) > MOST_WAITING
        self._ready.set()

    async def deliver(self) -> None:
        """Sends what waits, until the page goes."""
        while not self.is_slow:
            await self._ready.wait()
            self._ready.clear()
            while self._waiting and not self.is_slow:
                await self._socket.send_text(self._waiting.pop(0))


STREAMED = '{"type":"analysis"'


class Rooms:
    """The rooms of all visitors who are here."""

    def __init__(
        self,
        specs: list[EngineSpec],
        store: Store,
        *,
        engines: int,
        most: int,
        idle: float,
    ) -> None:
        """engines: how many run at once; most: rooms at once; idle: see House."""
        self._specs, self._store, self._most = specs, store, most
        self._engines, self._idle = engines, idle
        self._house: House | None = None
        self._rooms: dict[str, Room] = {}
        self._leaving: dict[str, asyncio.Task[None]] = {}

    async def room(self, visitor: str) -> Room | None:
        """The room of a visitor; None if there are too many."""
        if (leaving := self._leaving.pop(visitor, None)) is not None:
            leaving.cancel()
        while visitor not in self._rooms and len(self._rooms) >= self._most:
            if not await self._put_one_away():
                return None
        if visitor not in self._rooms:
            if self._house is None:
                self._house = House(self._specs, Pool(self._engines), self._idle)
            table, ratings = restored(self._store.load(visitor))
            self._rooms[visitor] = Room(
                self._house, lambda each: self._save(visitor, each), table, ratings
            )
        return self._rooms[visitor]

    async def picture(self, visitor: str) -> str:
        """A visitor's board, for a page whose program is not there yet; empty if nobody else can
        come in now.
        """
        room = await self.room(visitor)
        if room is None:
            return ""
        self.left(visitor)  # until its socket comes
        return board_svg(room.table.session, for_page=True)

    async def _put_one_away(self) -> bool:
        """Makes place for a visitor; False if all rooms are in use."""
        visitor = next((each for each, room in self._rooms.items() if not room.pages), None)
        if visitor is None:
            return False
        if (leaving := self._leaving.pop(visitor, None)) is not None:
            leaving.cancel()
        await self._rooms.pop(visitor).close()
        return True

    def left(self, visitor: str) -> None:
        """A page of a visitor has gone."""
        room = self._rooms.get(visitor)
        if room is not None and not room.pages and visitor not in self._leaving:
            self._leaving[visitor] = asyncio.get_running_loop().create_task(self._wait(visitor))

    async def close(self) -> None:
        """Ends all rooms, which are kept on disk, and all engines."""
        for task in self._leaving.values():
            task.cancel()
        for room in self._rooms.values():
            await room.close()
        self._rooms.clear()
        if self._house is not None:
            await self._house.pool.close()

    async def _wait(self, visitor: str) -> None:
        await asyncio.sleep(IDLE)
        del self._leaving[visitor]
        await self._rooms.pop(visitor).close()

    def _save(self, visitor: str, room: Room) -> None:
        try:
            self._store.save(visitor, saved(room.table, room.ratings))
        except OSError as error:
            note(f"pinchtp board: the table cannot be kept: {error.strerror}")


def application(rooms: Rooms, store: Store, key: str, hosts: Iterable[str]) -> Guard:
    """The whole server as an ASGI application."""
    page = PageFiles()

    async def home(request: Request) -> Response:
        return page.home(request, await rooms.picture(request.scope["visitor"]))

    async def socket(websocket: WebSocket) -> None:
        await visit(websocket, rooms)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await rooms.close()

    app = Starlette(
        routes=[
            Route("/", home),
            WebSocketRoute("/socket", socket),
            Route("/{version}/{path:path}", page.file),
        ],
        lifespan=lifespan,
    )
    return Guard(app, store, key, hosts)


async def visit(websocket: WebSocket, rooms: Rooms) -> None:
    """One page, from its coming to its going."""
    visitor = websocket.scope["visitor"]
    await websocket.accept()
    room = await rooms.room(visitor)
    if room is None or len(room.pages) >= MOST_PAGES:
        why = "too many people play here" if room is None else "the board is open too often"
        await websocket.send_text(m.written(m.Notice("error", f"{why.capitalize()}.")))
        await websocket.close(TRY_LATER, why)
        return
    page = Socket(websocket)
    delivery = asyncio.get_running_loop().create_task(_deliver(page, websocket))
    try:
        room.enter(page)
        await _listen(websocket, room, page)
    finally:
        room.leave(page)
        rooms.left(visitor)
        delivery.cancel()
        with suppress(asyncio.CancelledError):
            await delivery


async def _deliver(page: Socket, websocket: WebSocket) -> None:
    with suppress(WebSocketDisconnect, RuntimeError, OSError):
        await page.deliver()
        await websocket.close(TRY_LATER, "the page is too slow")


async def _listen(websocket: WebSocket, room: Room, page: Socket) -> None:
    """Does what a page asks for, one request after another."""
    requests = Requests(room)
    while True:
        try:
            text = await websocket.receive_text()
        except (WebSocketDisconnect, RuntimeError, KeyError):  # gone; or it sent bytes
            return
        try:
            request = m.read_request(text)
        except m.BadRequest as error:
            page.send(m.written(m.Refused(0, str(error))))
            continue
        requests.handle(page, request)
        await asyncio.sleep(0)
