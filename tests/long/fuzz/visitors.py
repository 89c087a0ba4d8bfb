"""Attacks a running board as a visitor would, and prints what others notice.

    python tests/long/fuzz/visitors.py

The exit status is 1 if an attack succeeds. Addresses of 127.0.0.0/8 stand for other machines.
"""

import json
import resource
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS), str(TESTS / "support")]

import psutil  # noqa: E402
from board.visits import Board, Visit  # noqa: E402  (found through the path above)

AS_GUEST = "from pinchtp.board.web import guard; guard.is_from_here = lambda scope: False"
HANDSHAKE = (
    "GET /socket HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nCookie: {cookie}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PATIENCE = 40.0  # seconds for the server to get rid of a bad connection


def connect(board: Board, address: str = "127.0.0.2") -> socket.socket:
    return socket.create_connection(("127.0.0.1", board.port), source_address=(address, 0))


def mute_page(board: Board, cookie: str) -> socket.socket:
    """Opens a page's socket that answers no ping."""
    made = connect(board, "127.0.0.1")
    made.sendall(HANDSHAKE.format(address=board.address, cookie=cookie).encode())
    made.recv(200)
    return made


def is_closed(made: socket.socket) -> bool:
    made.settimeout(0)
    try:
        while made.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def half_sent_requests(board: Board) -> tuple[bool, str]:
    """300 requests without an end, from one other machine."""
    cookie = board.cookie()
    many = []
    began = monotonic()
    for _ in range(300):
        many.append(connect(board))
        with suppress(OSError):
            many[-1].sendall(b"GET / HTTP/1.1\r\n")
    status = board.get("/", Cookie=cookie).status
    while (left := [each for each in many if not is_closed(each)]) and monotonic() - began < 30:
        sleep(0.5)
    text = f"others got {status}; all but {len(left)} closed after {monotonic() - began:.0f} s"
    return status == 200 and not left, text


def knocks(board: Board) -> tuple[bool, str]:
    """205 visits of the address without a cookie."""
    with board.visit() as visit:
        visit.ask("play-turn", "state", text="c3")
    for _ in range(205):
        board.cookie()
    files = len(list(board.data.glob("*.json")))
    with board.visit(visit.cookie) as again:
        is_kept = again.moves()[:1] == ["C3"]
    return is_kept and files == 1, f"game kept: {is_kept}; files: {files}"


def ghosts(board: Board) -> tuple[bool, str]:
    """Eight pages of a phone that lost its network."""
    cookie = board.cookie()
    began = monotonic()
    many = [mute_page(board, cookie) for _ in range(8)]
    while not all(map(is_closed, many)) and monotonic() - began < PATIENCE:
        sleep(0.5)
    seconds = monotonic() - began
    with board.visit(cookie):
        pass
    return seconds < PATIENCE, f"gone after {seconds:.0f} s; the phone is back in"


def slow_reader(board: Board) -> tuple[bool, str]:
    """A page that requests exports of a large game and reads none."""
    server = psutil.Process(board.process.pid)
    with board.visit() as visit:
        visit.new_game("pinch", 25)
        moves = " ".join(f"{column}{row}" for row in range(1, 20) for column in "abcdefgh")
        visit.ask("load", "state", text=moves)
        before = server.memory_info().rss
        mute = mute_page(board, visit.cookie)
        request = json.dumps({"type": "export", "kind": "svg"}).encode()
        with suppress(OSError):
            for _ in range(3000):
                mute.sendall(bytes([0x81, 0x80 | len(request), 0, 0, 0, 0]) + request)
        sleep(5)
        grown = (server.memory_info().rss - before) >> 20
        mute.close()
        visit.ask("undo", "state")
    return grown < 64, f"the server grew by {grown} MB for 3000 exports"


def console_of_a_guest(folder: Path) -> tuple[bool, str]:
    """GTP commands for files and limits, from another machine, at our and at a foreign engine."""
    target = folder / "victim"
    accepted = []
    lines = [
        f"printsgf {target}",
        f"loadsgf {target}",
        f"1 printsgf {target}",
        "quit",
        "pinchtp-param threads 3",
        f"print\x01sgf {target}",
    ]
    for engine in ([], ["--engine", "pinchtp"]):
        data = folder / str(len(engine))
        with Board(data, *engine, patch=AS_GUEST) as board, board.visit() as visit:
            for line in lines:
                visit.send("console-command", line=line, id=5)
                if visit.wait("refused", "accepted")["type"] == "accepted":
                    accepted.append(line)
    return not accepted and not target.exists(), f"accepted: {accepted or 'none'}"


def full_disk(folder: Path) -> tuple[bool, str]:
    """A limit of 100 bytes per file stands for a full disk."""
    with Board(folder) as board:
        limits = (100, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
        resource.prlimit(board.process.pid, resource.RLIMIT_FSIZE, limits)
        with board.visit() as visit:
            text = _first_notice(visit)
            saved = visit.until(lambda state: state["number"] == 1)["saved"]
    return "cannot save" in text.lower() and not saved, f"{text!r} before the move; saved: {saved}"


def _first_notice(visit: Visit) -> str:
    visit.send("play", at=40)
    found = visit.wait("notice", "state")
    return str(found.get("text", ""))


def main() -> int:
    ok = True

    def run(name: str, attack: Callable[[], tuple[bool, str]]) -> None:
        nonlocal ok
        holds, text = attack()
        ok &= holds
        print(f"{'held' if holds else 'FAILED':6} {name:20} {text}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Board(folder / "data") as board:
            for attack in (knocks, half_sent_requests, ghosts, slow_reader):
                run(attack.__name__, lambda attack=attack: attack(board))  # type: ignore[misc]
        run("console_of_a_guest", lambda: console_of_a_guest(folder / "guest"))
        run("full_disk", lambda: full_disk(folder / "full"))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
