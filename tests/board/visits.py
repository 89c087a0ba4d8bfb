"""Visits to `pinchtp board` without a browser: a server, and a page's side of the socket."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from time import monotonic
from typing import Any, Self

from clients import FOLDER, PATIENCE, PROGRAM, bounded
from websockets.sync.client import connect

from pinchtp.base.process import Resource

SCRIPT = FOLDER / "engines" / "first_point.sh"

START = "\nimport sys; from pinchtp.board.command import main; sys.exit(main(sys.argv[1:]))"

Found = dict[str, Any]


class Board(Resource):
    """A running server. address: host and port; key: of its first URL; url: for browsers."""

    def __init__(self, data: Path, *arguments: str, patch: str = "") -> None:
        """patch: Python statements run before it starts, e.g. to shorten timeouts."""
        self.data = data
        self._arguments = arguments
        self._program = (
            [*PROGRAM, "board"] if not patch else [sys.executable, "-P", "-c", patch + START]
        )
        self.port = 0
        self.start()

    def start(self, *more: str) -> None:
        """Starts it; later again at the same port. more: arguments for this start."""
        where = ("--port", str(self.port), "--data", str(self.data))
        self.process = subprocess.Popen(
            [*self._program, "--no-browser", *where, *self._arguments, *more],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stderr
        self.said = ""
        with bounded(self.process):
            while "Ctrl-C" not in self.said:
                line = self.process.stderr.readline()
                assert line, self.said
                self.said += line
        found = re.search(r"(\S+)/\?key=(\S+)", self.said)
        assert found
        self.key = found[2]
        self.port = int(re.findall(r"http://\S+:([0-9]+)", self.said)[-1])
        self.address = f"127.0.0.1:{self.port}"
        self.url = found[1] if "--origin" in self._arguments else f"http://{self.address}"

    def close(self) -> None:
        self.stop()

    def stop(self, *, kill: bool = False) -> str:
        """Ends it by SIGTERM or SIGKILL; returns its output since the start."""
        self.process.kill() if kill else self.process.terminate()
        _, said = self.process.communicate(timeout=PATIENCE)
        return said or ""

    def get(self, path: str, method: str = "GET", **headers: str) -> HTTPResponse:
        """Sends a request; names of headers have underscores for hyphens."""
        connection = HTTPConnection(self.address, timeout=PATIENCE)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=given)
        response = connection.getresponse()
        response.body = response.read()  # type: ignore[attr-defined]
        connection.close()
        return response

    def cookie(self) -> str:
        """Returns the cookie of a new visitor."""
        response = self.get(f"/?key={self.key}")
        assert response.status == 303
        return response.headers["Set-Cookie"].split(";")[0]

    def visit(self, cookie: str = "") -> "Visit":
        """Opens a page's socket, as a new visitor unless a cookie is given."""
        return Visit(self, cookie or self.cookie())


class Visit(Resource):
    """A page's side of the socket. seen: the latest message of each type."""

    def __init__(
        self, board: Board, cookie: str, host: str = "", path: str = "", **options: Any
    ) -> None:
        """host, path: of the page's address."""
        self.cookie = cookie
        self.path = path
        self.seen: dict[str, Found] = {}
        self.notices: list[str] = []
        self._stack = ExitStack()
        options = {
            "origin": f"http://{board.address}",
            "max_size": None,
            "additional_headers": {"Cookie": cookie},
        } | options
        self._socket = self._stack.enter_context(
            connect(
                f"ws://{host or board.address}{path}/socket",
                sock=socket.create_connection(("127.0.0.1", board.port)),
                **options,
            )
        )

    def __enter__(self) -> Self:
        self.wait("tree")
        return self

    def close(self) -> None:
        self._stack.close()

    @property
    def state(self) -> Found:
        return self.seen["state"]

    def send(self, type: str, **fields: Any) -> None:
        self.send_text(json.dumps({"type": type, **fields}))

    def send_text(self, text: str) -> None:
        self._socket.send(text)

    def wait(
        self,
        *types: str,
        where: Callable[[Found], bool] = lambda _: True,
        timeout: float = PATIENCE,
    ) -> Found:
        """Returns the next message of one of these types that satisfies `where`."""
        deadline = monotonic() + timeout
        while True:
            text = self._socket.recv(timeout=max(0.001, deadline - monotonic()))
            message: Found = json.loads(text)
            if message["type"] == "tree" and not message["whole"]:
                message = with_changes(self.seen["tree"], message)
            self.seen[message["type"]] = message
            if message["type"] == "notice":
                self.notices.append(message["text"])
            if message["type"] in types and where(message):
                return message

    def ask(self, type: str, answer: str, **fields: Any) -> Found:
        """Sends a request and returns its answer of a type; fails if it is rejected."""
        self.send(type, **fields)
        found = self.wait(answer, "refused")
        assert found["type"] == answer, found
        return found

    def refused(self, type: str, **fields: Any) -> str:
        """Sends a request that must be rejected; returns the reason."""
        self.send(type, id=77, **fields)
        found = self.wait("refused")
        assert found["request"] == 77
        return str(found["text"])

    def until(self, holds: Callable[[Found], bool], timeout: float = PATIENCE) -> Found:
        """Waits until a condition on the state holds."""
        if holds(self.state):
            return self.state
        return self.wait("state", where=holds, timeout=timeout)

    def new_game(
        self, game: str, size: int | tuple[int, int] | None = None, **fields: Any
    ) -> Found:
        """Starts a game, by default between two humans."""
        size = (size, size) if isinstance(size, int) else size
        return self.ask("new-game", "state", game=game, size=size, **fields)

    def moves(self) -> list[str]:
        """Returns the moves of the displayed line."""
        while self.state["node"] not in self.seen["tree"]["line"]:
            self.wait("tree")
        nodes = {node["id"]: node for node in self.seen["tree"]["nodes"]}
        return [nodes[number]["move"] for number in self.seen["tree"]["line"][1:]]


def with_changes(tree: Found, message: Found) -> Found:
    """Returns the whole tree after a message with its changes."""
    nodes = {each["id"]: each for each in (*tree["nodes"], *message["nodes"])}
    line = tree["line"][: message["kept"]] + message["line"]
    return tree | {"nodes": list(nodes.values()), "line": line}


def engine(number: int = 0, visits: int | None = 20, **level: Any) -> Found:
    """Returns an engine as a player."""
    return {"engine": number, "level": {"visits": visits, **level}}


def script(fault: str = "", flag: Path | None = None) -> str:
    """Returns the command of the scripted engine."""
    return f"{SCRIPT} {fault} {flag or ''}".strip()
