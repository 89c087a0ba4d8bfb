"""Measures live analysis while its tree fills up and is pruned, and draws visits against time.

    python tools/full_tree.py [--seconds 600] [--memory 16,256] [--jobs 2]

Each combination of game, memory and interval has a line in tools/full_tree.jsonl; those with a line
are not run again. tools/full_tree.svg and the printed table show all lines. Rates are per second of
the engine's CPU time, since other work runs on the machine, too; waits are wall time.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from threading import Lock
from time import clock_gettime, monotonic

import msgspec
from pictures import standalone

from pinchtp.base.files import replace_file
from pinchtp.games import GAMES
from pinchtp.html.charts import Axis, ChartLine, line_chart

VISITS = re.compile(rb"rootInfo visits ([0-9]+)")
FIRST = 3.0  # seconds before any of these trees is full
MOST_POINTS = 60  # of a chart line
FILE = Path(__file__).with_suffix(".jsonl")
PICTURE = Path(__file__).with_suffix(".svg")
MEMORY = [16, 64, 256, 512]
INTERVALS = [1, 10, 100]
# Measured first: the default interval, and a small and a large tree.
FIRST_INTERVAL = 10
FIRST_MEMORY = (16, 256)
HEADER = """\
| game | memory (MB) | interval (cs) | first visits/s | last half | ratio | longest wait | late |
|---|--:|--:|--:|--:|--:|--:|--:|"""
PANEL = 400, 246  # the size of a chart, with its title
STYLE = (
    "svg{background:#fff;font:11px sans-serif;fill:#555}path{fill:none;stroke:#ddd}"
    ".line{stroke:#059;stroke-width:1.5}.c1{stroke:#b60}.c2{stroke:#383}.c3{stroke:#a39}"
)


class Run(msgspec.Struct):
    """An analysis. memory in MB, interval in centiseconds.

    first, later: visits per second, in the first seconds and in the last half. points: seconds
    since the first report, and visits. Both are in CPU time. longest_wait: between two reports, in
    intervals of wall time. late: the number of waits over two intervals.
    """

    game: str
    memory: int
    interval: int
    first: float
    later: float
    longest_wait: float
    late: int
    points: list[tuple[float, int]]


def analyze(game: str, memory: int, interval: int, seconds: float, cpu_seconds: float) -> Run:
    """Runs an analysis for at least `seconds`, and `cpu_seconds` seconds of CPU time.

    Raises CalledProcessError if the engine ends before.
    """
    command = [sys.executable, "-P", "-m", "pinchtp", "--game", game, "--memory", f"{memory}"]
    points: list[tuple[float, int]] = []
    times: list[float] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin
        assert engine.stdout
        color = b"w" if game == "bushka" else b"b"  # the first player
        with suppress(BrokenPipeError):  # its output ends, too
            engine.stdin.write(b"kata-analyze %s %d rootInfo true\n" % (color, interval))
            engine.stdin.flush()
        end = monotonic() + seconds
        for line in engine.stdout:
            if found := VISITS.search(line):
                times.append(monotonic())
                points.append((cpu_time(engine.pid), int(found[1])))
                if times[-1] > end and points[-1][0] > points[0][0] + cpu_seconds:
                    break
        else:
            raise subprocess.CalledProcessError(engine.wait(), command)
        engine.kill()
    waits = [(after - before) * 100 / interval for before, after in pairwise(times)]
    begin = points[0][0]
    points = [(round(at - begin, 2), visits) for at, visits in points]
    end = points[-1][0]
    return Run(
        game,
        memory,
        interval,
        rate(points, 0, min(FIRST, end / 2)),
        rate(points, end / 2, end),
        max(waits),
        sum(wait > 2 for wait in waits),
        points[:: len(points) // MOST_POINTS + 1],
    )


def cpu_time(process: int) -> float:
    """Returns the CPU time of a process in seconds, with nanosecond resolution; on Linux.

    Uses the clock of clock_getcpuclockid(3), which Python does not provide.
    """
    return clock_gettime(~process << 3 | 2)


def rate(points: list[tuple[float, int]], begin: float, end: float) -> float:
    """Returns the visits per second between two times."""
    inside = [(at, visits) for at, visits in points if begin <= at <= end]
    (first, before), (last, after) = inside[0], inside[-1]
    return (after - before) / (last - first)


def picture(runs: list[Run]) -> str:
    """Returns charts of visits against seconds, one per game, with one line per run.

    Lines of one color have the same memory.
    """
    games = list(dict.fromkeys(run.game for run in runs))
    width, height = PANEL
    panels = []
    for number, game in enumerate(games):
        x = number % 2 * width
        y = number // 2 * height
        shown = chart([run for run in runs if run.game == game])
        place = f'x="{x}" y="{y + 16}" width="{width}" height="{height - 16}"'
        panels.append(f'<text x="{x + 52}" y="{y + 12}">{game}</text>')
        panels.append(shown.replace("<svg", f"<svg {place}", 1))
    rows = (len(games) + 1) // 2
    box = f'viewBox="0 0 {2 * width} {rows * height}"'
    return standalone(f"<svg {box}>{''.join(panels)}</svg>", STYLE)


def chart(runs: list[Run]) -> str:
    """Returns a chart of the runs of one game."""
    lines = [
        ChartLine(
            f"{run.memory} MB, {run.interval} cs",
            [(at, visits / 1e6) for at, visits in run.points],
            color=MEMORY.index(run.memory),
        )
        for run in runs
    ]
    x = Axis(0, max(run.points[-1][0] for run in runs), "seconds of CPU time")
    y = Axis(0, max(run.points[-1][1] for run in runs) / 1e6, "million visits")
    return str(line_chart(lines, x, y, "Visits against seconds of analysis"))


def table(runs: list[Run]) -> str:
    """Returns a table of the runs in Markdown."""
    rows = [
        f"| {run.game} | {run.memory} | {run.interval} | {run.first:,.0f} "
        f"| {run.later:,.0f} | {run.later / run.first:.2f} | {run.longest_wait:.1f} | {run.late} |"
        for run in runs
    ]
    return "\n".join([HEADER, *rows, ""])


def combinations(
    games: list[str], memory: list[int], intervals: list[int]
) -> list[tuple[str, int, int]]:
    """Returns the combinations to run, the most informative first."""
    every = [(game, size, interval) for size in memory for interval in intervals for game in games]
    return sorted(every, key=lambda one: (one[2] != FIRST_INTERVAL, one[1] not in FIRST_MEMORY))


def read_runs() -> list[Run]:
    """Returns the runs so far, by game, memory and interval."""
    lines = FILE.read_bytes().splitlines() if FILE.exists() else []
    runs = [msgspec.json.decode(line, type=Run) for line in lines]
    order = list(GAMES)
    return sorted(runs, key=lambda run: (order.index(run.game), run.memory, run.interval))


def some_of(choices: list[int]) -> Callable[[str], list[int]]:
    """Returns an argument type: a comma-separated list of some of the choices."""

    def parse(text: str) -> list[int]:
        values = [int(each) for each in text.split(",")]
        if not set(values) <= set(choices):
            raise argparse.ArgumentTypeError(f"{text}: expected some of {choices}")
        return values

    return parse


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--seconds", type=float, default=600, help="minimum duration of a run (default: 600)")
    add("--cpu-seconds", type=float, default=300, help="minimum CPU time of a run (default: 300)")
    add("--memory", type=some_of(MEMORY), default=MEMORY, help="MB (default: all)")
    add("--interval", type=some_of(INTERVALS), default=INTERVALS, help="cs (default: all)")
    add("--game", action="append", choices=GAMES, help="(default: all)")
    add("--jobs", type=int, default=1, help="parallel runs, one per idle core (default: 1)")
    options = parser.parse_args()
    known = {(run.game, run.memory, run.interval) for run in read_runs()}
    writing = Lock()

    def measure(combination: tuple[str, int, int]) -> None:
        if combination not in known:
            run = analyze(*combination, options.seconds, options.cpu_seconds)
            with writing:
                known_runs = FILE.read_bytes() if FILE.exists() else b""
                replace_file(FILE, known_runs + msgspec.json.encode(run) + b"\n")

    wanted = combinations(options.game or list(GAMES), options.memory, options.interval)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(measure, wanted))
    PICTURE.write_text(picture(read_runs()) + "\n", "utf-8")
    print(table(read_runs()))


if __name__ == "__main__":
    main()
