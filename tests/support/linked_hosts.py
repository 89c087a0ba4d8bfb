"""Two hosts with a link between them: network namespaces of this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import DEVNULL
from typing import IO

import pytest

SCHEDULER = "10.77.0.1:8786"
_DASK = "import sys; from distributed.cli.dask_{0} import main; main(sys.argv[1:])"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Host:
    """A network namespace with one end of a link."""

    def __init__(self, number: int) -> None:
        self.address = f"10.77.0.{number}"
        self.name, self.link = f"pinchtp{os.getpid()}-{number}", f"pinchtp{number}"
        ip("netns", "add", self.name)

    def connect(self) -> None:
        self.ip("addr", "add", f"{self.address}/24", "dev", self.link)
        for each in ("lo", self.link):
            self.ip("link", "set", each, "up")

    def ip(self, *words: str) -> None:
        ip("-n", self.name, *words)

    def start(self, *command: str, out: int | IO[bytes] = DEVNULL) -> subprocess.Popen[bytes]:
        words = ["ip", "netns", "exec", self.name, *command]
        return subprocess.Popen(words, stdout=out, stderr=DEVNULL)

    def start_dask(self, role: str, *arguments: str) -> subprocess.Popen[bytes]:
        code = _DASK.format(role)
        host = ("--host", self.address)
        return self.start(sys.executable, "-P", "-c", code, *arguments, *host, "--no-dashboard")

    def start_worker(self) -> subprocess.Popen[bytes]:
        return self.start_dask("worker", f"tcp://{SCHEDULER}", "--nthreads", "1", "--no-nanny")

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """Starts the scheduler, at SCHEDULER; of the first host."""
        return self.start_dask("scheduler", "--port", SCHEDULER.rpartition(":")[2])


@contextmanager
def linked_hosts() -> Iterator[list[Host]]:
    """Yields two linked hosts; skips the test where these cannot be made."""
    hosts = list[Host]()
    try:
        if os.name != "posix" or not shutil.which("ip") or os.geteuid() != 0:
            pytest.skip("network namespaces need root and iproute2")
        hosts += [Host(1), Host(2)]
        one, two = hosts
        one.ip("link", "add", one.link, "type", "veth", "peer", two.link, "netns", two.name)
        for each in hosts:
            each.connect()
        yield hosts
    finally:
        for each in hosts:
            ip("netns", "del", each.name)
