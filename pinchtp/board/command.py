"""The command line of `pinchtp board`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import shutil
import signal
import socket
import sys
import webbrowser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.option_types import Float, Int, Megabytes
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import warn
from pinchtp.board.storage.files import MOST_VISITORS, VisitorStore, find_usual_folder
from pinchtp.board.web.addresses import (
    PublicAddressType,
    find_reachable,
    is_loopback,
    list_hosts,
    origin_of,
)
from pinchtp.board.web.keys import Keys, load_keys

if TYPE_CHECKING:
    import uvicorn

    from pinchtp.board.engines.table_engine import EngineCommand
    from pinchtp.board.web.guard import Guard

PORT = 8014
ADDRESS = "127.0.0.1"
ENGINES = 4  # running at a time, over all visitors
VISITORS = 16  # at a time
MEMORY = 2048  # MB per engine
IDLE = 15.0  # minutes without input before live analysis pauses
THINK = 60.0  # seconds per search for other machines, at most
PATIENCE = 60.0  # seconds of grace before a slow move counts as hung, at most
CONNECTIONS = 50  # per visitor
PING = 10.0  # seconds between pings of a page, and until one counts as lost
UNREAD = 30.0  # seconds until a connection ends whose data the other side does not take
TREE_MEMORY = 256  # MB for the tree of our engine: several may run

DESCRIPTION = """\
Opens a board in the browser to play, analyze, review and learn all games of pinchtp. The page loads
nothing from other servers. Engines are GTP programs that this command starts: pinchtp by default.
Access requires the printed address. Each visitor has a separate board, saved on disk."""

EPILOG = """\
examples:
  pinchtp board                                      on this machine only
  pinchtp board --engine './other --game {game}'     with another engine
  pinchtp board --engine pinchtp --engine './other'  two engines, which can play each other
  pinchtp board --listen 0.0.0.0                     for the local network
  pinchtp board --origin https://example.org/pinch   through a proxy

An engine's command may contain {game}, {width}, {height} and {options}, which stand for the values
of the current game; the engine is restarted when they change.

exit status:
  0    ended by Ctrl-C or a signal
  1    the address is unavailable, or the data directory is not writable
  2    invalid command line, or missing libraries
"""


def main(arguments: list[str]) -> int:
    """Runs `pinchtp board`; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        import PIL  # noqa: F401, PLC0415
        import segno  # noqa: F401, PLC0415
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
        import websockets  # noqa: F401, PLC0415
    except ImportError as error:
        parser.error(f"{error.name} is not installed: pip install 'pinchtp[board]'")
    _check_engines(parser, options.engine)
    try:
        store = VisitorStore(options.data, max(MOST_VISITORS, 2 * options.visitors))
        keys = load_keys(options.data, renew=options.new_key)
    except OSError as error:
        warn(f"pinchtp board: {options.data}: {error.strerror}")
        return ExitStatus.FAILURE
    try:
        listening = _listen(options.listen, options.port)
    except OSError as error:
        where = f"{options.listen}, port {options.port}"
        warn(f"pinchtp board: {where}: {error.strerror or error}; change --listen or --port")
        return ExitStatus.FAILURE
    with listening:
        return _serve(options, store, keys, listening)


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp board", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="COMMAND",
        help="GTP engine for play and analysis; repeatable (default: pinchtp)",
    )
    _add_address(parser)
    parser.add_argument(
        "--data",
        type=Path,
        default=find_usual_folder(),
        metavar="DIRECTORY",
        help="directory of saved games (default: %(default)s)",
    )
    _add_limits(parser)
    return parser


def _add_address(parser: Parser) -> None:
    """Adds the options of the address and of the access to it."""
    parser.add_argument(
        "--listen",
        default=ADDRESS,
        metavar="ADDRESS",
        help=f"listen address; 0.0.0.0 admits other machines (default: {ADDRESS})",
    )
    parser.add_argument(
        "--port",
        type=arg_type(Int(0, 65535)),
        default=PORT,
        metavar="N",
        help=f"listen port; 0: any free port (default: {PORT})",
    )
    parser.add_argument(
        "--origin",
        type=arg_type(PublicAddressType()),
        metavar="URL",
        help="public address, if a proxy or tunnel forwards to the board",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--new-key",
        action="store_true",
        help="change the address and revoke the access of all visitors",
    )


def _add_limits(parser: Parser) -> None:
    """Adds the limits of visitors and engines."""
    parser.add_argument(
        "--engines",
        type=arg_type(Int(1, 64)),
        default=ENGINES,
        metavar="N",
        help=f"maximum running engines for all visitors together (default: {ENGINES})",
    )
    parser.add_argument(
        "--visitors",
        type=arg_type(Int(1, 1000)),
        default=VISITORS,
        metavar="N",
        help=f"maximum concurrent visitors (default: {VISITORS})",
    )
    parser.add_argument(
        "--memory",
        type=arg_type(Megabytes(16, 2**20)),
        default=MEMORY,
        metavar="MB",
        help=f"memory limit per engine, in MB or with a unit: 2G (default: {MEMORY})",
    )
    parser.add_argument(
        "--idle",
        type=arg_type(Float(0.001, 1e6)),
        default=IDLE,
        metavar="MIN",
        help=f"minutes without input before live analysis pauses (default: {IDLE:g})",
    )
    parser.add_argument(
        "--think",
        type=arg_type(Float(1, 3600)),
        default=THINK,
        metavar="S",
        help=f"maximum seconds per search for visitors on other machines (default: {THINK:g})",
    )
    parser.add_argument(
        "--patience",
        type=arg_type(Float(0.1, 1e5)),
        default=PATIENCE,
        metavar="S",
        help=f"maximum seconds of grace before an engine counts as hung (default: {PATIENCE:g})",
    )


def _listen(address: str, port: int) -> socket.socket:
    """Returns a listening socket. Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.create_server((address, port), family=family, backlog=64)
    # Connections inherit these; asyncio does not set them on sockets passed in. Without NODELAY the
    # second of two small messages waits 40 ms for the acknowledgement of the first.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * UNREAD))
    return listening


def _serve(
    options: argparse.Namespace, store: VisitorStore, keys: Keys, listening: socket.socket
) -> int:
    import uvicorn  # noqa: PLC0415

    from pinchtp.board.engines.pool import EnginePool  # noqa: PLC0415
    from pinchtp.board.server import Visitors, make_application  # noqa: PLC0415
    from pinchtp.board.visitor import Shared  # noqa: PLC0415

    port = listening.getsockname()[1]
    own = origin_of(find_reachable(options.listen), port)
    url = own if options.origin is None else options.origin.url
    served = "" if _is_local(options) else url
    engines = _read_engines(options)
    idle = 60 * options.idle
    visitors = Visitors(
        lambda: Shared(
            engines, EnginePool(options.engines), store, keys, idle, options.think, served
        ),
        most=options.visitors,
    )
    app = make_application(visitors, keys, list_hosts(options.listen, port), options.origin)
    server = uvicorn.Server(_server_config(app, options.visitors))
    first_page = f"{url}/?key={keys.key}"
    _announce(options, own, first_page)
    if not options.no_browser:
        _open(first_page)
    # The server catches both signals, closes all connections and raises the signal again.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve([listening]))
    return ExitStatus.SUCCESS


def _is_local(options: argparse.Namespace) -> bool:
    """Returns whether browsers of this machine alone reach the board."""
    public = options.origin
    return is_loopback(options.listen) and (public is None or public.is_loopback)


def _server_config(app: Guard, visitors: int) -> uvicorn.Config:
    import uvicorn  # noqa: PLC0415

    from pinchtp.board.protocol.base import MOST_BYTES  # noqa: PLC0415
    from pinchtp.board.web.connections import BoundedConnection  # noqa: PLC0415

    return uvicorn.Config(
        app,
        http=BoundedConnection,
        ws="websockets-sansio",
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_max_size=MOST_BYTES,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS * visitors,
        timeout_graceful_shutdown=2,
    )


def _announce(options: argparse.Namespace, own: str, first_page: str) -> None:
    """Prints the address of the first page, with warnings where others reach the board.

    own: the origin that the board listens at, to which a proxy forwards.
    """
    public = options.origin
    if not _is_local(options):
        warn(
            "pinchtp board: WARNING: other machines can reach this board. Anyone with the address "
            "can play and run engines on this machine."
        )
        if public is None or public.scheme == "http":
            warn("The connection is not encrypted; use it only in a network that you trust.")
    forwarded = "" if public is None else f"a proxy or tunnel has to forward it to {own}; "
    warn(f"pinchtp board: {first_page}\n({forwarded}Ctrl-C to quit)")


def _check_engines(parser: Parser, commands: list[str]) -> None:
    """Exits with an error unless each is a command line of a program."""
    from pinchtp.client import EngineStartError, split_command  # noqa: PLC0415

    for command in commands:
        try:
            program = split_command(command)[0]
        except EngineStartError as error:
            parser.error(f"--engine: {error}")
        if "{" not in program and shutil.which(program) is None:
            parser.error(f"--engine: no program is named {program!r}")


def _read_engines(options: argparse.Namespace) -> list[EngineCommand]:
    """Returns the engines of a command line, ours by default; they are named after programs."""
    from pinchtp.board.engines.table_engine import EngineCommand, our_command, without_files  # noqa: PLC0415
    from pinchtp.client import program_name  # noqa: PLC0415

    if not options.engine:
        command = f"{our_command()} --memory {TREE_MEMORY}"
        return [EngineCommand("pinchtp", command, True, options.memory, options.patience)]
    names = [program_name(command)[:40] for command in options.engine]
    return [
        EngineCommand(
            f"{name} {number}" if names.count(name) > 1 else name,
            without_files(command),
            False,
            options.memory,
            options.patience,
        )
        for number, (name, command) in enumerate(zip(names, options.engine, strict=True), 1)
    ]


def _open(url: str) -> None:
    """Opens a browser, if any, in a background thread."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return
    Thread(target=webbrowser.open, args=(url,), daemon=True).start()
