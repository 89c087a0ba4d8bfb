"""`python -m tools.learn run.toml`: networks learn a game by self-play.

The run's directory is next to the file and has its name, unless --folder is given. A run can be
stopped at any moment and resumes when started again.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from pinchtp.base.command_line import arg_type

from .plan import read_plan
from .run import Run
from .workers import PROCESSES, players, run_program


def main() -> int:
    """Runs the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.learn", description=__doc__)
    parser.add_argument("plan", type=Path, metavar="run.toml", help="plan of the run")
    parser.add_argument("--folder", type=Path, help="directory of the run")
    parser.add_argument(
        "--workers",
        type=arg_type(PROCESSES),
        default=os.cpu_count(),
        metavar="N",
        help="self-play processes",
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="dask scheduler; its workers play instead"
    )
    options = parser.parse_args()
    folder = options.folder or options.plan.with_suffix("")

    def go() -> None:
        run = Run(read_plan(options.plan), folder, lambda line: print(line, flush=True))
        from .page import write_page  # noqa: PLC0415  (after the plan has been read)

        with players(options.workers, options.cluster) as executor:
            run.go(executor, lambda: write_page(run, folder / "index.html"))

    return run_program("learn", go)


if __name__ == "__main__":
    sys.exit(main())
