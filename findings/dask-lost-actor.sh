#!/usr/bin/env bash
# distributed 2026.8.0 (PyPI): when the worker of an actor leaves, the exception depends on the time
# of the call. A pending call fails with OSError, a later one with RuntimeError, and so does reading
# an attribute; both share no base class but Exception. So a caller that recreates a lost actor must
# catch both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q distributed==2026.8.0
cd "$folder"
cat > lost.py <<'PYTHON'
import logging
import time

from distributed import Client, LocalCluster


class Counter:
    count = 0

    def wait(self):
        time.sleep(5)


def report(when, call):
    try:
        call()
    except Exception as error:
        print(f"{when}: {type(error).__name__}")


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            actor = client.submit(Counter, actor=True).result()
            under_way = actor.wait()
            time.sleep(1)
            cluster.scale(0)
            report("a pending call", lambda: under_way.result(timeout=60))
            report("a later call", lambda: actor.wait().result(timeout=60))
            report("an attribute", lambda: actor.count)
PYTHON
output=$(venv/bin/python lost.py 2>errors) || cat errors >&2
echo "$output"
[ "$output" = "a pending call: OSError
a later call: RuntimeError
an attribute: RuntimeError" ]
