"""Limits of connections.

uvicorn limits only their total number, so that one client could occupy all of them with incomplete
requests.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0  # maximum, from the connection or the last response to the end of a request
SHARE = 8  # one address may hold 1/SHARE of all connections, or LEAST_SHARE
LEAST_SHARE = 32  # connections


class BoundedConnection(H11Protocol):
    """A connection that is closed if a request does not arrive in time, or if its address has too
    many connections.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._count_same_address() > max(LEAST_SHARE, (self.limit_concurrency or 0) // SHARE):
            transport.abort()
        else:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.DONE:
            self._stop_deadline()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_deadline()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is not h11.DONE:
            self._await_request()

    def _count_same_address(self) -> int:
        """Returns the number of connections from the address of this one."""
        if not self.client:
            return 1
        clients = (getattr(connection, "client", None) for connection in self.connections)
        return sum(client is not None and client[0] == self.client[0] for client in clients)

    def _await_request(self) -> None:
        self._stop_deadline()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
