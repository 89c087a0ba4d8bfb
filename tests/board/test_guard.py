"""Access control of `pinchtp board`: key, cookie, host, origin and limits."""

import base64
import errno
import gzip
import hashlib
import re
import socket
import stat
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from time import sleep
from unittest import mock

import pytest
from board.visits import Board, Visit, script
from clients import PATIENCE
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pinchtp.base.command_line import arg_type
from pinchtp.board.command import CONNECTIONS
from pinchtp.board.protocol.base import MOST_BYTES
from pinchtp.board.server import MOST_PAGES
from pinchtp.board.storage.files import VisitorStore
from pinchtp.board.web.addresses import PublicAddressType, is_loopback, list_hosts
from pinchtp.board.web.guard import is_from_here
from pinchtp.board.web.keys import load_keys
from pinchtp.board.web.page_files import PageFiles

VISITORS = 3
VERSION = PageFiles().version
MAIN = f"/{VERSION}/board/page/main.js"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with Board(tmp_path_factory.mktemp("board"), "--visitors", f"{VISITORS}") as running:
        yield running


def test_key_is_exchanged_for_a_cookie(board: Board) -> None:
    response = board.get(f"/?key={board.key}")
    assert response.status == 303
    assert response.headers["Location"] == "./?cookie"
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    home = board.get("/", Cookie=cookie.split(";")[0])
    assert home.status == 200
    assert b"<!doctype html>" in home.body  # type: ignore[attr-defined]
    arrived = board.get("/?cookie", Cookie=cookie.split(";")[0])
    assert (arrived.status, arrived.headers["Location"]) == (303, "./")
    again = board.get(f"/?key={board.key}", Cookie=cookie.split(";")[0])
    assert again.status == 303
    assert "Set-Cookie" not in again.headers


@pytest.mark.parametrize(
    "path",
    ["/", "/?key=", "/?key=wrong", "/?other={key}", MAIN, "/html/style.css"],
)
def test_request_without_cookie_is_rejected(board: Board, path: str) -> None:
    response = board.get(path)
    assert response.status == 403
    assert "Set-Cookie" not in response.headers


def test_browser_without_cookies_gets_an_explanation(board: Board) -> None:
    refusal = board.get("/?cookie")
    assert refusal.status == 403
    assert b"Allow cookies" in refusal.body  # type: ignore[attr-defined]


def test_invented_cookie_is_rejected(board: Board) -> None:
    name = board.cookie().split("=")[0]
    for value in ("x", "a" * 43, f"{'a' * 43}.{'0' * 64}", "../../etc/passwd", ""):
        assert board.get("/", Cookie=f"{name}={value}").status == 403
        page = Visit(board, f"{name}={value}")
        with pytest.raises(ConnectionClosed) as refusal:
            page.wait("hello", "notice")
        assert refusal.value.rcvd
        assert refusal.value.rcvd.code == 1008
        assert refusal.value.rcvd.reason.startswith("Open the address")
        page.close()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", ""])
def test_foreign_host_is_rejected(board: Board, host: str) -> None:
    """DNS rebinding: a foreign name that resolves to this machine."""
    cookie = board.cookie()
    name = host.format(port=board.port)
    assert board.get("/", Cookie=cookie, Host=name).status == 421
    refusal = board.get(f"/?key={board.key}", Host=name)
    assert refusal.status == 421
    assert b"--origin http://localhost:9000" in refusal.body  # type: ignore[attr-defined]


def test_rebound_socket_is_rejected(board: Board) -> None:
    name = f"evil.example:{board.port}"
    with pytest.raises(InvalidStatus) as refusal:
        Visit(board, board.cookie(), host=name, origin=f"http://{name}")
    assert refusal.value.response.status_code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://{address}", "http://localhost:1", None]
)
def test_socket_of_another_origin_is_rejected(board: Board, origin: str | None) -> None:
    named = origin and origin.format(address=board.address)
    with pytest.raises(InvalidStatus) as refusal:
        Visit(board, board.cookie(), origin=named)
    assert refusal.value.response.status_code == 403


def test_request_of_another_origin_is_rejected(board: Board) -> None:
    cookie = board.cookie()
    path = MAIN
    assert board.get(path, Cookie=cookie).status == 200
    assert board.get(path, Cookie=cookie, Origin="http://evil.example").status == 403
    site = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}
    assert board.get(path, Cookie=cookie, **site).status == 403
    assert board.get("/", "POST", Cookie=cookie).status == 405
    visit = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert board.get("/", Cookie=cookie, **visit).status == 200  # a link was followed


def test_files_outside_the_page_are_not_served(board: Board) -> None:
    cookie = board.cookie()
    for path in (
        f"/{VERSION}/board/page/../server.py",
        f"/{VERSION}/board/page/%2e%2e/server.py",
        f"/{VERSION}/board/page/..%2f..%2f..%2fpyproject.toml",
        f"/{VERSION}/board/page/messages.d.ts",
        f"/{VERSION}/html/document.py",
        f"/{VERSION}/html/",
        f"/{VERSION}/board/page/",
        f"/{VERSION}/",
        "/board/page/main.js",
        "/other/board/page/main.js",
        "//etc/passwd",
    ):
        assert board.get(path, Cookie=cookie).status == 404, path


def test_page_files_are_cached_permanently(board: Board) -> None:
    cookie = board.cookie()
    home = board.get("/", Cookie=cookie)
    assert f'src="{MAIN[1:]}"' in home.body.decode()  # type: ignore[attr-defined]
    assert home.headers["Cache-Control"] == "no-cache"
    script = board.get(MAIN, Cookie=cookie)
    assert "immutable" in script.headers["Cache-Control"]
    assert script.headers["Content-Type"].startswith("text/javascript")


def test_page_files_are_compressed(board: Board) -> None:
    plain = board.get(MAIN, Cookie=board.cookie())
    small = board.get(MAIN, Cookie=board.cookie(), Accept_Encoding="gzip")
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.body) == plain.body  # type: ignore[attr-defined]


def test_pages_load_nothing_from_elsewhere(board: Board) -> None:
    headers = board.get("/", Cookie=board.cookie()).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "server" not in {name.lower() for name in headers}


def test_inline_style_is_the_only_one_allowed(board: Board) -> None:
    home = board.get("/", Cookie=board.cookie())
    text = home.body.decode()  # type: ignore[attr-defined]
    assert "stylesheet" not in text
    style = text.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = home.headers["Content-Security-Policy"]
    assert f"; style-src 'sha256-{digest}';" in policy


def test_page_has_the_chosen_theme(board: Board) -> None:
    cookie = board.cookie()
    for theme, begins in (("dark", '<html data-theme="dark" lang'), ('"><b>', "<html lang")):
        home = board.get("/", Cookie=f"{cookie}; pinchtp_theme={theme}")
        assert begins in home.body.decode()  # type: ignore[attr-defined]


def test_settings_are_kept_by_the_server(board: Board) -> None:
    """Safari keeps the cookies of scripts for a week only."""
    cookie = board.cookie()
    home = board.get("/", Cookie=f'{cookie}; pinchtp_theme=dark; pinchtp_board="><b>')
    [kept] = [value for name, value in home.headers.items() if name.lower() == "set-cookie"]
    assert kept.startswith("pinchtp_theme=dark; Max-Age=31536000; Path=/")
    assert "HttpOnly" not in kept  # the page changes it


def test_page_preloads_its_scripts(board: Board) -> None:
    cookie = board.cookie()
    text = board.get("/", Cookie=cookie).body.decode()  # type: ignore[attr-defined]
    scripts = re.findall(r'<link rel="modulepreload" href="([^"]+)">', text)
    names = {each.rpartition("/")[2] for each in scripts}
    assert {"app.js", "dom.js", "connection.js"} <= names
    assert not {"main.js", "puzzle_set.js"} & names  # the page itself, and what is loaded on demand
    for path in scripts:
        assert board.get(f"/{path}", Cookie=cookie).status == 200


def test_message_too_long_closes_the_socket(board: Board) -> None:
    with board.visit() as visit, pytest.raises(ConnectionClosed):
        send_and_listen(visit, "x" * (MOST_BYTES + 1))
    with board.visit(visit.cookie) as again:
        assert again.state["number"] == 0


def send_and_listen(visit: Visit, text: str) -> None:
    visit.send_text(text)
    visit.wait("nothing")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"type": "nothing"}',
        '{"type": "play", "at": "x"}',
        '{"type": "play", "at": 1e400}',
        '{"type": "play", "at": 1, "more": 2}',
        '{"type": "go"}',
        "[" * 100_000,
        '{"type": "comment", "node": 0, "text": "\\ud800"}',
    ],
)
def test_malformed_request_is_rejected(board: Board, text: str) -> None:
    with board.visit() as visit:
        visit.send_text(text)
        assert visit.wait("refused")["text"]
        visit.ask("play-turn", "state", text="c3")


def test_each_visitor_has_a_separate_board(board: Board) -> None:
    with board.visit() as one, board.visit() as other, board.visit(one.cookie) as second_page:
        one.new_game("pinch", 5)
        one.ask("play-turn", "state", text="c3")
        second_page.until(lambda state: state["number"] == 1)
        assert other.refused("go", node=1) == "this move no longer exists"
        assert other.state["board"]["width"] == 9  # the first game


def test_visitors_stay_within_their_limit(board: Board) -> None:
    cookies = [board.cookie() for _ in range(4)]
    visits = [board.visit(cookie) for cookie in cookies[:3]]
    for visit in visits:
        visit.wait("tree")
    notice = board.visit(cookies[3]).wait("notice")
    assert "server full; its owner can start it with a larger --visitors" in notice["text"].lower()
    for visit in visits:
        visit.__exit__(None, None, None)


def test_names_of_this_machine() -> None:
    assert set(list_hosts("127.0.0.1", 80)) >= {"127.0.0.1:80", "localhost", "[::1]:80"}
    assert not any(
        "." in name.partition(":")[0].strip("0123456789.") for name in list_hosts("127.0.0.1", 8014)
    )
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")
    assert len(list_hosts("0.0.0.0", 8014)) > len(list_hosts("127.0.0.1", 8014))


@pytest.mark.parametrize(
    ("client", "server", "is_host"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("192.168.1.5", "192.168.1.5", True),
        ("192.168.1.6", "192.168.1.5", False),
        (None, None, False),
    ],
)
def test_host_is_recognized_by_address(client: str, server: str, is_host: bool) -> None:
    scope = {
        "client": client and (client, 1),
        "server": server and (server, 8014),
    }
    assert is_from_here(scope) == is_host


def test_public_address_prints_a_warning(tmp_path: Path) -> None:
    with Board(tmp_path, "--listen", "0.0.0.0") as board:
        assert "WARNING" in board.said
        assert board.get("/", Cookie=board.cookie()).status == 200


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A server whose proxy has the address https://example.org/pinch."""
    folder = tmp_path_factory.mktemp("proxied")
    with Board(folder, "--origin", "https://example.org/pinch", "--engine", script()) as running:
        yield running


def test_public_address_is_printed_with_the_port_behind_it(proxied: Board) -> None:
    assert f"https://example.org/pinch/?key={proxied.key}" in proxied.said
    assert f"forward it to http://127.0.0.1:{proxied.port}" in proxied.said
    assert "not encrypted" not in proxied.said


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1:{port}"])
def test_public_address_is_accepted_behind_a_proxy(proxied: Board, host: str) -> None:
    """Proxies keep the browser's host, or send their own."""
    host = host.format(port=proxied.port)
    first = proxied.get(f"/?key={proxied.key}", Host=host)
    assert (first.status, first.headers["Location"]) == (303, "./?cookie")
    cookie, _, attributes = first.headers["Set-Cookie"].partition("; ")
    assert {"Path=/pinch/", "Secure", "HttpOnly"} <= set(attributes.split("; "))
    given = {"Host": host, "Origin": "https://example.org", "Cookie": cookie}
    assert proxied.get(MAIN, **given).status == 200
    with Visit(proxied, cookie, host=host, origin="https://example.org") as visit:
        invitation = visit.ask("invite", "invitation", color="white")
    assert invitation["friend"]["address"].startswith("https://example.org/pinch/game/")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("example.org", "http://example.org"),
        ("example.org", "https://evil.example"),
        ("127.0.0.1:{port}", "https://evil.example"),
        ("evil.example", "https://example.org"),
    ],
)
def test_other_origins_stay_rejected_behind_a_proxy(proxied: Board, host: str, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        Visit(proxied, proxied.cookie(), host=host.format(port=proxied.port), origin=origin)
    assert refusal.value.response.status_code == 403


@pytest.mark.parametrize("headers", [{}, {"X-Forwarded-For": "127.0.0.1"}])
def test_visitors_through_a_proxy_count_as_remote(proxied: Board, headers: dict[str, str]) -> None:
    """Even by loopback: a proxy without headers looks like that."""
    cookie = proxied.cookie()
    with Visit(proxied, cookie, additional_headers={"Cookie": cookie} | headers) as visit:
        (engine,) = visit.seen["hello"]["engines"]
    assert not engine["console"]


def test_request_with_the_prefix_gets_an_explanation(proxied: Board) -> None:
    refusal = proxied.get(f"/pinch/?key={proxied.key}", Host="example.org")
    assert refusal.status == 404
    assert b"remove /pinch" in refusal.body  # type: ignore[attr-defined]


def test_public_addresses_are_read_as_browsers_send_them() -> None:
    read = arg_type(PublicAddressType())
    assert read("HTTPS://Example.org:443/pinch/").url == "https://example.org/pinch"
    assert read("http://localhost:9000").host == "localhost:9000"
    assert read("http://localhost:9000").is_loopback
    assert read("http://[::1]:9000").is_loopback
    assert not read("https://example.org").is_loopback
    for wrong in ("example.org", "ftp://example.org", "https://a/?b", "https://a b", "https://"):
        with pytest.raises(ArgumentTypeError, match="an address such as https"):
            read(wrong)


def test_files_do_not_contain_cookies(tmp_path: Path) -> None:
    store = VisitorStore(tmp_path / "tables")
    keys = load_keys(tmp_path / "tables")
    cookie = keys.make_cookie()
    visitor = keys.find_visitor(cookie)
    assert visitor is not None
    store.save(visitor, b"{}")
    assert stat.S_IMODE((tmp_path / "tables").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "tables" / "secret").stat().st_mode) == 0o600
    names = "".join(file.name for file in (tmp_path / "tables").iterdir())
    assert visitor in names
    assert cookie.partition(".")[0] not in names


def test_secret_that_cannot_be_written_is_made_at_the_next_start(tmp_path: Path) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    with mock.patch("secrets.token_bytes", side_effect=full), pytest.raises(OSError, match="space"):
        load_keys(tmp_path)
    assert load_keys(tmp_path).key == load_keys(tmp_path).key


def test_store_forgets_the_oldest_visitors(tmp_path: Path) -> None:
    store = VisitorStore(tmp_path, 3)
    for number in range(5):
        store.save(f"{number}", b"{}")
    assert {file.stem for file in tmp_path.iterdir()} == {"2", "3", "4"}
    assert store.load("1") == b""
    assert store.load("2") == b"{}\n"


def test_store_keeps_the_files_of_loaded_visitors(tmp_path: Path) -> None:
    store = VisitorStore(tmp_path, 2)
    store.loaded = {"0"}
    for number in range(4):
        store.save(f"{number}", b"{}")
    assert {file.stem for file in tmp_path.iterdir()} == {"0", "3"}


def test_visitors_without_a_move_leave_no_file(board: Board) -> None:
    with board.visit() as visit:
        visit.ask("play-turn", "state", text="c3")
    files = set(board.data.iterdir())
    for _ in range(5):
        board.cookie()
    with board.visit():
        pass
    assert set(board.data.iterdir()) == files
    with board.visit(visit.cookie) as again:
        assert again.moves()[0] == "C3"


def test_new_key_ends_the_address_and_all_cookies(tmp_path: Path) -> None:
    with Board(tmp_path) as board:
        with board.visit() as visit:
            visit.ask("play-turn", "state", text="c3")
        key = board.key
        board.stop()
        board.start()
        assert board.key == key
        assert board.get("/", Cookie=visit.cookie).status == 200
        board.stop()
        board.start("--new-key")
        assert board.get("/", Cookie=visit.cookie).status == 403
        assert board.get(f"/?key={key}").status == 403
        response = board.get(f"/?key={board.key}", Cookie=visit.cookie)
        with board.visit(response.headers["Set-Cookie"].split(";")[0]) as again:
            assert again.moves()[0] == "C3"


HASTE = """
from pinchtp.board import command, server
from pinchtp.board.web import connections
connections.REQUEST_SECONDS, command.PING, server.SEND_SECONDS = 0.5, 1.0, 1.0
"""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A server with short timeouts."""
    with Board(tmp_path_factory.mktemp("hasty"), patch=HASTE) as running:
        yield running


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: a",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /",
    ],
)
def test_half_sent_requests_are_closed_in_time(hasty: Board, sent: bytes) -> None:
    many = [socket.create_connection(("127.0.0.1", hasty.port)) for _ in range(150)]
    for each in many:
        with suppress(OSError):  # above the share of its address
            each.sendall(sent)
    for each in many:
        wait_for_end(each)
    assert hasty.get("/", Cookie=hasty.cookie()).status == 200


def wait_for_end(connection: socket.socket) -> None:
    """Reads until the server closes a connection."""
    connection.settimeout(PATIENCE)
    with connection, suppress(ConnectionError):
        while connection.recv(1 << 16):
            pass


def is_closed(connection: socket.socket) -> bool:
    """Returns whether the server has closed a connection that it sent nothing to."""
    try:
        return not connection.recv(1)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="one address only")
def test_connections_per_address_are_limited(board: Board) -> None:
    with ExitStack() as stack:
        many = [
            stack.enter_context(socket.create_connection(("127.0.0.1", board.port)))
            for _ in range(VISITORS * CONNECTIONS + 20)
        ]
        for each in many:
            each.setblocking(False)
        other = HTTPConnection(board.address, timeout=PATIENCE, source_address=("127.0.0.2", 0))
        other.request("GET", f"/?key={board.key}")
        assert other.getresponse().status == 303
        other.close()
        assert sum(map(is_closed, many)) > len(many) / 2


def test_slow_bytes_do_not_extend_the_deadline(hasty: Board) -> None:
    with socket.create_connection(("127.0.0.1", hasty.port)) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        with suppress(ConnectionError):
            for _ in range(20):
                sleep(0.1)
                slow.sendall(b"X-A: b\r\n")
            pytest.fail("still open")


def ghost(board: Board, cookie: str) -> socket.socket:
    """Returns the socket of a page that never answers a ping."""
    made = socket.create_connection(("127.0.0.1", board.port))
    made.sendall(
        f"GET /socket HTTP/1.1\r\nHost: {board.address}\r\nOrigin: http://{board.address}\r\n"
        f"Cookie: {cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert b" 101 " in made.recv(1000)
    return made


def test_clock_stops_without_live_connections(hasty: Board) -> None:
    with hasty.visit() as visit:
        visit.new_game("pinch", 5, time={"main": 100}, options={"pie": False})
        visit.ask("play", "state", at=12)
        ghosts = [ghost(hasty, visit.cookie) for _ in range(MOST_PAGES - 1)]
    for each in ghosts:
        wait_for_end(each)
    with hasty.visit(visit.cookie) as first:
        before = first.state["clocks"]["white"]["left"]
    sleep(2)
    with hasty.visit(visit.cookie) as again:
        assert again.state["clocks"]["white"]["left"] > before - 1.5
