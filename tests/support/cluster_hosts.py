"""Clusters of dask.distributed whose workers come, go and lack things."""

import subprocess
import sys
from typing import Any

from clients import PATIENCE

from pinchtp.base.process import Resource

_START = "\nfrom distributed.cli.dask_worker import main; main(sys.argv[1:])"


class Hosts(Resource):
    """A scheduler, and workers of one thread that begin with some Python."""

    def __init__(self, distributed: Any) -> None:
        """distributed: the module."""
        self.workers: list[subprocess.Popen[bytes]] = []
        self._distributed = distributed
        self._scheduler = distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0")
        self.address: str = self._scheduler.scheduler_address

    def add(self, code: str = "", host: str = "127.0.0.1") -> None:
        """Adds a worker, which runs `code` first, and waits for it."""
        words = [sys.executable, "-P", "-c", f"import os, sys; {code}{_START}", self.address]
        words += ["--host", host, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
        self.workers.append(subprocess.Popen(words, stderr=subprocess.DEVNULL))
        with self._distributed.Client(self.address) as client:
            client.wait_for_workers(len(self.workers), timeout=PATIENCE)

    def kill(self) -> None:
        """Kills the worker that was added last."""
        worker = self.workers.pop()
        worker.kill()
        worker.wait()

    def close(self) -> None:
        while self.workers:
            self.kill()
        self._scheduler.close()
