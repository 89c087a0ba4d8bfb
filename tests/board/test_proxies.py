"""The board through proxies and a tunnel, each by its recipe in the board's guide."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
from board.page import Visitor
from board.visits import Board
from clients import FOLDER, PATIENCE
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.nightly

GUIDE = FOLDER.parent / "pinchtp" / "board" / "README.md"

# Complete configurations around the recipes; words in capitals are replaced.
NGINX = """
daemon off; pid DIRECTORY/pid; error_log stderr; events { }
http {
    access_log off;
    server {
        listen 127.0.0.1:FRONT ssl;
        ssl_certificate DIRECTORY/certificate; ssl_certificate_key DIRECTORY/key;
        RECIPE
    }
}
"""
CADDY = """
{
    admin off
    auto_https disable_redirects
}
RECIPE
"""
APACHE = """
ServerName localhost
ServerRoot DIRECTORY
PidFile DIRECTORY/pid
ErrorLog DIRECTORY/errors
User www-data
Group www-data
Listen 127.0.0.1:FRONT
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
<VirtualHost *:FRONT>
    SSLEngine on
    SSLCertificateFile DIRECTORY/certificate
    SSLCertificateKeyFile DIRECTORY/key
    RECIPE
</VirtualHost>
"""
SSHD = """
ListenAddress 127.0.0.1:SERVER
HostKey DIRECTORY/ssh
AuthorizedKeysFile DIRECTORY/ssh.pub
StrictModes no
PidFile none
"""
SSH = "-p SERVER -i DIRECTORY/ssh -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no "


def program(name: str) -> str:
    """Returns the path of a server; skips the test without it."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.skip(f"no {name}")
    return found


def recipe(language: str) -> str:
    """Returns the recipe in a language from the guide's section about proxies."""
    section = GUIDE.read_text("utf-8").partition("### Behind a proxy")[2]
    found = re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found
    return found[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def accepts(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Runs a server until the block ends, which begins when its port accepts connections."""
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with subprocess.Popen(command, env=environment) as process:
        try:
            deadline = monotonic() + PATIENCE
            while not accepts(port):
                assert process.poll() is None, command
                assert monotonic() < deadline
                sleep(0.05)
            yield
        finally:
            process.terminate()


def run_proxy(kind: str, folder: Path, front: int, board: Board, stack: ExitStack) -> None:
    """Starts a proxy with a recipe of the guide."""
    server = free_port()
    words = {"DIRECTORY": str(folder), "FRONT": str(front), "SERVER": str(server)}
    words |= {"127.0.0.1:8014": board.address, "9000": str(front)}
    words["example.org {"] = f"https://localhost:{front} {{\ntls {folder}/certificate {folder}/key"

    def filled(text: str) -> str:
        for word, value in reversed(words.items()):
            text = text.replace(word, value)
        return text

    def start(port: int, name: str, *arguments: str) -> None:
        stack.enter_context(running([program(name), *arguments], port, folder))

    config = folder / "config"
    if kind == "ssh":
        subprocess.run(["ssh-keygen", "-q", "-N", "", "-f", folder / "ssh"], check=True)
        Path("/run/sshd").mkdir(exist_ok=True)
        config.write_text(filled(SSHD))
        start(server, "sshd", "-D", "-f", str(config))
        tunnel = recipe("sh").partition("#")[0].replace("example.org", SSH + "127.0.0.1")
        start(front, *filled(tunnel).split())
        return
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        f"-keyout {folder}/key -out {folder}/certificate".split(),
        check=True,
        stderr=subprocess.DEVNULL,
    )
    around = {"nginx": NGINX, "caddy": CADDY, "apache": APACHE}[kind]
    config.write_text(filled(around.replace("RECIPE", recipe(kind))))
    if kind == "nginx":
        start(front, "nginx", "-c", str(config))
    elif kind == "caddy":
        start(front, "caddy", "run", "--adapter", "caddyfile", "--config", str(config))
    else:
        start(front, "apache2", "-D", "FOREGROUND", "-f", str(config))


@pytest.mark.parametrize("kind", ["nginx", "caddy", "apache", "ssh"])
def test_recipe_serves_a_game_with_a_friend(kind: str, browser: Browser, tmp_path: Path) -> None:
    program({"apache": "apache2", "ssh": "sshd"}.get(kind, kind))
    front = free_port()
    address = f"http://localhost:{front}" if kind == "ssh" else f"https://localhost:{front}/pinch"
    with Board(tmp_path / "data", "--origin", address) as board, ExitStack() as stack:
        run_proxy(kind, tmp_path, front, board, stack)
        host, friend = (Visitor(browser, board, ignore_https_errors=True) for _ in range(2))
        with host:
            host.new_game("pinch", (4, 4), pie=False)
            host.click("B2")
            host.reload()
            host.do("invite")
            dialog = host.page.locator("#invite-dialog")
            dialog.get_by_role("button", name="Create links").click()
            link = dialog.get_by_label("Link to play", exact=True).input_value()
            host.press("Escape")
            assert link.startswith(f"{address}/game/")
            with friend:
                friend.join(link)
                friend.expect_stones("B2")
                friend.click("C3")
                host.expect_stones("B2", "C3")
                expect(friend.page.locator(".notice")).to_have_count(0)
                cookies = friend.context.cookies()
                (cookie,) = (each for each in cookies if each["name"].startswith("pinchtp_board"))
                assert cookie["secure"] == (kind != "ssh")
                assert cookie["path"] == ("/" if kind == "ssh" else "/pinch/")
                friend.check()
            host.check()
