#!/usr/bin/env bash
# distributed 2026.8.0 (PyPI): what a caller catches when the worker of an actor leaves depends on when
# the call was made. A call under way fails with OSError, a later one with RuntimeError, and reading an
# attribute too; the two share no base class but Exception. So a caller that makes a lost actor anew
# has to expect both.
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


def tell(when, call):
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
            tell("a call under way", lambda: under_way.result(timeout=60))
            tell("a later call", lambda: actor.wait().result(timeout=60))
            tell("an attribute", lambda: actor.count)
PYTHON
output=$(venv/bin/python lost.py 2>errors) || cat errors >&2
echo "$output"
[ "$output" = "a call under way: OSError
a later call: RuntimeError
an attribute: RuntimeError" ]
