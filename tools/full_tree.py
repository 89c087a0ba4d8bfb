"""Measures live analysis while its tree fills up and is pruned, and draws visits against time.

    python tools/full_tree.py [--seconds 120] [--memory 16,64] [--interval 1,10] [--game pinch]

Prints a table of visits per second in the first three seconds and in the last half, and the longest
wait for a report in intervals; writes tools/full_tree.svg with the lines of one interval.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from time import monotonic

from pictures import standalone

from pinchtp.games import GAMES
from pinchtp.html.charts import Axis, ChartLine, line_chart

VISITS = re.compile(rb"rootInfo visits ([0-9]+)")
FIRST = 3.0  # seconds before any tree of these is full
PICTURE = Path(__file__).with_suffix(".svg")
STYLE = (
    "svg{background:#fff;font:11px sans-serif;fill:#555}path{fill:none;stroke:#ddd}"
    ".line{stroke:#059;stroke-width:1.5}.c1{stroke:#b60}.c2{stroke:#383}.c3{stroke:#a39}"
)


@dataclass
class Run:
    """An analysis. reports: seconds since the start, and visits of the root."""

    game: str
    memory: int
    interval: int
    reports: list[tuple[float, int]] = field(default_factory=list)

    def rate(self, begin: float, end: float) -> float:
        """Returns the visits per second between two times."""
        inside = [(at, visits) for at, visits in self.reports if begin <= at <= end]
        (first, before), (last, after) = inside[0], inside[-1]
        return (after - before) / (last - first)

    @property
    def longest_wait(self) -> float:
        """Returns the longest time between two reports, in intervals."""
        waits = (after - before for (before, _), (after, _) in pairwise(self.reports))
        return max(waits) * 100 / self.interval


def analyze(run: Run, seconds: float) -> None:
    """Runs an analysis for some seconds."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "pinchtp",
        "--game",
        run.game,
        "--memory",
        f"{run.memory}",
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin
        assert engine.stdout
        color = b"w" if run.game == "bushka" else b"b"  # the side that begins
        engine.stdin.write(b"kata-analyze %s %d rootInfo true\n" % (color, run.interval))
        engine.stdin.flush()
        began = None
        for line in engine.stdout:
            if found := VISITS.search(line):
                began = began or monotonic()
                run.reports.append((monotonic() - began, int(found[1])))
                if run.reports[-1][0] > seconds:
                    break
        engine.kill()


def chart(runs: list[Run]) -> str:
    """Returns a chart of visits against seconds, a line for each run."""
    lines = [
        ChartLine(
            f"{run.memory} MB",
            [(at, visits / 1e6) for at, visits in run.reports[:: len(run.reports) // 200 + 1]],
        )
        for run in runs
    ]
    last = max(run.reports[-1][0] for run in runs)
    most = max(run.reports[-1][1] for run in runs) / 1e6
    x, y = Axis(0, last, "seconds"), Axis(0, most, "million visits")
    return standalone(str(line_chart(lines, x, y, "Visits against seconds of analysis")), STYLE)


def numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120, help="of each run (default: 120)")
    parser.add_argument("--memory", type=numbers, default=[16, 64], help="MB (default: 16,64)")
    parser.add_argument("--interval", type=numbers, default=[10], help="centiseconds (default: 10)")
    parser.add_argument("--game", action="append", choices=GAMES, help="(default: all)")
    options = parser.parse_args()
    print("| game | memory (MB) | interval (cs) | first visits/s | later | ratio | longest wait |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    runs = []
    for game in options.game or GAMES:
        for memory in options.memory:
            for interval in options.interval:
                run = Run(game, memory, interval)
                analyze(run, options.seconds)
                first, later = run.rate(0, FIRST), run.rate(options.seconds / 2, options.seconds)
                print(
                    f"| {game} | {memory} | {interval} | {first:,.0f} | {later:,.0f} | "
                    f"{later / first:.2f} | {run.longest_wait:.1f} |",
                    flush=True,
                )
                runs.append(run)
    shown = [run for run in runs if (run.game, run.interval) == (runs[0].game, runs[0].interval)]
    PICTURE.write_text(chart(shown) + "\n", "utf-8")


if __name__ == "__main__":
    main()
