"""The page of a match that is served: to this machine only, always up to date, and gone in time."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest
from duels import PATIENCE, player
from match.test_runner import wait_for
from match_records import played

from pinchtp import match
from pinchtp.match.engine_spec import EngineSpec
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import GameRecord
from pinchtp.match.serve import PageServer
from pinchtp.match.show import SHOW
from pinchtp.match.store import Store

CHROMIUM = shutil.which("chromium")
PLAN = MatchPlan((EngineSpec("one", "./1"), EngineSpec("two", "./2")), size=(5, 4), games=20)
ENGINES = [f"--engine={name}={player('Filler', at).command}" for at, name in enumerate("ab")]


class Served:
    """A match in a store, and the server of its page."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "match.db"
        self.add(0)
        self.server = PageServer(self.path, 0)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def add(self, number: int) -> GameRecord:
        game = played(number)
        with Store.begin(self.path, PLAN) as store:
            store.add(game)
        return game

    def ask(self, path: str = "/", method: str = "GET", **headers: str) -> HTTPResponse:
        """The answer, read to its end; its text is its attribute `text`."""
        return ask(self.server.server_port, path, method, **headers)


def ask(port: int, path: str = "/", method: str = "GET", **headers: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    answer.text = answer.read().decode()  # type: ignore[attr-defined]
    connection.close()
    return answer


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.server.shutdown()
    made.server.server_close()


def games_in(answer: HTTPResponse) -> int:
    found = re.search(r'id="data">(.*?)</script>', answer.text)  # type: ignore[attr-defined]
    assert found
    return len(json.loads(found[1])["games"])


def test_the_page_keeps_up_with_the_store(served: Served) -> None:
    first = served.ask()
    assert (first.status, games_in(first)) == (200, 1)
    tag = first.headers["ETag"]
    assert served.ask(If_None_Match=tag).status == 304
    served.add(1)
    served.add(2)
    wait_for(lambda: games_in(served.ask(If_None_Match="")) == 3)
    again = served.ask(If_None_Match=tag)
    assert again.status == 200
    assert again.headers["ETag"] != tag
    assert "connect-src &#39;self&#39;" not in again.text  # type: ignore[attr-defined]
    assert "connect-src 'self'" in again.text  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "", "[::1]"]
)
def test_only_our_own_names_are_answered(served: Served, host: str) -> None:
    """A foreign name that leads here is an attack: DNS rebinding."""
    answer = served.ask(Host=host.format(port=served.server.server_port))
    assert answer.status == 421
    assert "one" not in answer.text  # type: ignore[attr-defined]


def test_both_names_of_this_machine_will_do(served: Served) -> None:
    for name in ("127.0.0.1", "localhost"):
        assert served.ask(Host=f"{name}:{served.server.server_port}").status == 200


def test_no_other_machine_is_answered(served: Served) -> None:
    assert served.server.socket.getsockname()[0] == "127.0.0.1"
    headers = served.ask(Origin="http://evil.example").headers
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"


def test_there_is_one_page_and_it_can_only_be_read(served: Served) -> None:
    assert served.ask("/?x=1").status == 200
    assert served.ask("/match.db").status == served.ask("/../").status == 404
    assert served.ask(method="POST").status == 501
    head = served.ask(method="HEAD")
    assert (head.status, head.text) == (200, "")  # type: ignore[attr-defined]
    assert int(head.headers["Content-Length"]) > 1000


def test_a_store_that_is_gone_is_said_to_be(served: Served) -> None:
    served.path.unlink()
    answer = served.ask()
    assert answer.status == 503
    assert "there is no such file" in answer.text  # type: ignore[attr-defined]


def test_a_client_that_says_nothing_holds_nobody_up(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.server.server_port)):
        assert served.ask().status == 200


def test_a_port_in_use(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(served.server.server_port)
    assert match.main([SHOW, str(served.path), "--serve", port]) == 1
    assert f"port {port}: Address already in use" in capsys.readouterr().err


# --- while a match is played


def port_of(line: str) -> int:
    found = re.search(r"the page of the match is at http://127\.0\.0\.1:(\d+)/", line)
    assert found, line
    return int(found[1])


def is_served(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def running(folder: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A long match whose page is to be served, and the first line that it says."""
    options = [*ENGINES, "--size", "5", "--games", "100000", "--serve", str(port)]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "pinchtp", "match", *options],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        cwd=folder,
    ) as runner:
        assert runner.stderr
        try:
            yield runner, runner.stderr.readline()
        finally:
            runner.kill()


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_it_is_served_as_long_as_the_match_is_played(tmp_path: Path, end: signal.Signals) -> None:
    with running(tmp_path, 0) as (runner, said):
        port = port_of(said)
        wait_for(lambda: games_in(ask(port)) > 2)
        runner.send_signal(end)
        wait_for(lambda: not is_served(port))


def test_a_port_that_cannot_be_had_does_not_stop_a_match(served: Served, tmp_path: Path) -> None:
    folder, port = tmp_path / "other", served.server.server_port
    folder.mkdir()
    with running(folder, port) as (runner, said):
        why = f"port {port} of 127.0.0.1 cannot be used: Address already in use"
        assert said == f"no page: {why}\n"
        with Store.open(folder / "match.db") as store:
            before = len(store.finished())
            wait_for(lambda: len(store.finished()) > before)
        assert runner.poll() is None


# --- in a browser


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_an_open_page_takes_over_what_is_new(served: Served, tmp_path: Path) -> None:
    """Games come while it is open, then there is no more; what was viewed is viewed still."""
    content, asked = served.server.page.content, 0

    def slowly() -> bytes:
        nonlocal asked
        asked += 1
        if asked in (3, 4):
            served.add(asked)
            served.server.page._next = 0.0
        if asked == 6:
            served.path.unlink()
        return content()

    served.server.page.content = slowly  # type: ignore[method-assign]
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr"]
    command += ["--virtual-time-budget=30000", f"{served.server.url}#game=1&move=3"]
    done = subprocess.run(  # type: ignore[call-overload]
        command, capture_output=True, text=True, timeout=120, check=True
    )
    assert asked >= 6
    shown = done.stdout
    assert re.findall(r'<tr data-game="(\d+)"', shown) == ["1", "4", "5"]
    assert "Move 3 of" in shown
    assert re.search(r'id="facts">[^<]*3 games', shown)
    assert '<b class="score">' in shown
    assert "Not served any more" in shown
    assert not re.findall(r"CONSOLE.*(?:Error|Refused)(?!.*503)", done.stderr)
