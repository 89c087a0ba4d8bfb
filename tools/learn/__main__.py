"""`python -m tools.learn run.toml`: networks learn a game by playing it against themselves.

The run's folder is named after the file and stands beside it unless --folder names another. End a
run at any moment and start it again: it goes on.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from pinchtp.base.process import ExitStatus

from .plan import PlanError, read_plan
from .run import Run
from .workers import players


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.learn", description=__doc__)
    parser.add_argument("plan", type=Path, metavar="run.toml", help="what the run is")
    parser.add_argument("--folder", type=Path, help="where the run is kept")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count(), metavar="N", help="processes that play"
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="a dask scheduler whose workers play instead"
    )
    options = parser.parse_args()
    folder = options.folder or options.plan.with_suffix("")
    try:
        run = Run(read_plan(options.plan), folder, lambda line: print(line, flush=True))
        from .page import write_page  # noqa: PLC0415  (after the plan has been read)

        with players(options.workers, options.cluster) as executor:
            run.go(executor, lambda: write_page(run, folder / "index.html"))
    except PlanError as error:
        print(f"learn: {error}", file=sys.stderr)
        return ExitStatus.WRONG_USE
    return ExitStatus.SUCCESS


if __name__ == "__main__":
    sys.exit(main())
