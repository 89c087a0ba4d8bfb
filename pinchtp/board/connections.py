"""Connections with limits: a deadline for each request, and a share for each address.

uvicorn bounds the number of all connections only, so that one client with half-sent requests could
hold all of them.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0  # to send a request, from the connection or from the last response
SHARE, LEAST_SHARE = 8, 32  # one address may hold 1/SHARE of all connections, or LEAST_SHARE


class BoundedConnection(H11Protocol):
    """A connection that is closed if no request arrives in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._of_same_address() > max(LEAST_SHARE, (self.limit_concurrency or 0) // SHARE):
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

    def _of_same_address(self) -> int:
        """Returns the number of connections from the address of this one."""
        clients = [getattr(each, "client", None) for each in self.connections]
        return [each[0] for each in clients if each].count(self.client[0]) if self.client else 1

    def _await_request(self) -> None:
        self._stop_deadline()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
