"""Serves the page of a match to browsers on this machine while the match is played.

Every program on this machine may read the page, as it contains nothing secret. Web pages from
elsewhere cannot: a request whose Host header is not one of our names is refused, which prevents DNS
rebinding.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pinchtp.base.sqlite import StoreError
from pinchtp.html.document import encoded
from pinchtp.match.export import match_page, page_title
from pinchtp.match.progress import Display
from pinchtp.match.runner import Runner
from pinchtp.match.store import Store
from pinchtp.match.worker import WorkerPool

ADDRESS = "127.0.0.1"
NAMES = (ADDRESS, "localhost")  # by which a browser may know us

_SHARE = 10  # at most one part in so many of the time goes into making pages
_TIMEOUT = 30.0  # seconds for a request to come, and for the server to start

# As a child of the one who plays the match, until that one has ended or closes its standard input.
_PROGRAM = """
import sys
from pinchtp.match.serve import serve_until_end_of_input
serve_until_end_of_input(sys.argv[1], int(sys.argv[2]))
"""


class LivePage:
    """The page of a store, made anew when games were added. Thread-safe."""

    def __init__(self, db: Path) -> None:
        """Raises StoreError."""
        self._db, self._lock = db, threading.Lock()
        with Store.open(db) as store:
            plan = store.plan()
        self._page, self._title = match_page(plan), page_title(plan)
        self._seen = -1  # games in the page
        self._next = 0.0  # moment before which it is not made again
        self._content = b""

    def content(self) -> bytes:
        """The document as it stands now. Raises StoreError or sqlite3.Error."""
        with self._lock:
            if time.monotonic() >= self._next:
                self._update()
            return self._content

    def _update(self) -> None:
        began = time.monotonic()
        with Store.open(self._db) as store:
            for record in store.records(skip=max(self._seen, 0)):
                self._page.add(record)
        games = self._page.attempts
        if games != self._seen:
            self._seen = games
            self._content = encoded(self._page.document(self._title, live=True))
        ended = time.monotonic()
        self._next = ended + (_SHARE - 1) * (ended - began)


class PageServer(ThreadingHTTPServer):
    """Serves the page of a store. url: where it is."""

    daemon_threads = True

    def __init__(self, db: Path, port: int) -> None:
        """port: 0 takes a free one. Raises StoreError, and OSError for a port that is in use."""
        self.page = LivePage(db)
        super().__init__((ADDRESS, port), _Handler)
        self.hosts = {f"{name}:{self.server_port}" for name in NAMES}
        if self.server_port == 80:
            self.hosts |= set(NAMES)
        self.url = f"http://{ADDRESS}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no error; the rest is reported as usual."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pinchtp", ""
    timeout = _TIMEOUT

    def do_GET(self) -> None:
        if self.headers.get("Host") not in self.server.hosts:
            return self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "There is no such host here.")
        if self.path.partition("?")[0] != "/":
            return self._refuse(HTTPStatus.NOT_FOUND, "There is nothing but the page of the match.")
        try:
            content = self.server.page.content()
        except (StoreError, sqlite3.Error) as error:
            return self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        if self.headers.get("If-None-Match") == tag:
            return self._send(HTTPStatus.NOT_MODIFIED, b"", tag)
        return self._send(HTTPStatus.OK, content, tag)

    do_HEAD = do_GET

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing: the terminal belongs to the match."""

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(status, f"{why}\n".encode(), kind="text/plain")

    def _send(
        self, status: HTTPStatus, content: bytes, tag: str = "", kind: str = "text/html"
    ) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(content)),
            "Cache-Control": "no-cache",
            "ETag": tag,
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
        }.items():
            if value and (status != HTTPStatus.NOT_MODIFIED or name != "Content-Length"):
                self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def serve_until_end_of_input(db: str, port: int) -> None:
    """Serves in the background of another process; says where, or why not, in one line."""
    os.nice(10)  # the engines come first
    try:
        server = PageServer(Path(db), port)
    except (StoreError, OSError) as error:
        print(_reason(error, port), flush=True)
        return
    print(server.url, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with contextlib.suppress(OSError):
        sys.stdin.buffer.read()


def _reason(error: Exception, port: int) -> str:
    if isinstance(error, OSError):
        return f"port {port} of {ADDRESS} cannot be used: {error.strerror}"
    return str(error)


class ServedDisplay:
    """Shows a match as another display does, and serves its page."""

    def __init__(self, display: Display, db: Path, port: int) -> None:
        self._display, self._db, self._port = display, db, port
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._display.__enter__()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, str(self._db), str(self._port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at a terminal is for the runner alone
        )
        threading.Thread(target=self._tell_where, args=(self._process,), daemon=True).start()
        return self

    def _tell_where(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        said = process.stdout.readline().decode().strip()
        served = said.startswith("http:")
        if said:
            self.tell(f"the page of the match is at {said}" if served else f"no page: {said}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe
                with contextlib.suppress(OSError):
                    pipe.close()
        self._display.__exit__(kind, error, trace)

    def tell(self, message: str) -> None:
        self._display.tell(message)

    def show(self, runner: Runner, pool: WorkerPool) -> None:
        self._display.show(runner, pool)
