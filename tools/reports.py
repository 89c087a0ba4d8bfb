"""Makes the reports of pinchtp/report/README.md: measurements, table and pictures.

    python tools/reports.py FOLDER                  10 minutes for Pinch, 2 or 4 for others
    python tools/reports.py FOLDER --times 0.1      a tenth of that
    python tools/reports.py --table                 the table only, from the stored metrics

FOLDER contains the reports; a rerun measures the missing parts. Run nothing else on the machine.
The metrics are stored in tools/reports/GAME-SIZE.json, which `pinchtp report --compare` reads; a
test fails while the README is out of date. Pictures need Chromium, and `pip install '.[test]'`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from protocol import replace_part

from pinchtp.html.format import seconds
from pinchtp.report.report import GameReport

ROOT = Path(__file__).parents[1]
README = ROOT / "pinchtp" / "report" / "README.md"
METRICS = Path(__file__).with_suffix("")

# The options of each report, and its budget in seconds. With two minutes for relocation, the last
# doubling of visits can win every game, so that its rating has no upper bound.
REPORTS = {
    "pinch-13x13": (("--game", "pinch", "--size", "13"), 600),
    "pinch-remove-9x9": (("--game", "pinch-remove"), 120),
    "pinch-relocate-13x13": (("--game", "pinch-relocate"), 240),
    "capture-go-9x9": (("--game", "capture-go"), 120),
    "bushka-10x10": (("--game", "bushka"), 120),
}

# Rows of the table: the label, and the section and key of the metric.
ROWS = {
    "first player's score, with the pie rule": ("balance", "first-with-pie"),
    "first player's score, without the pie rule": ("balance", "first-without-pie"),
    "draws, with the pie rule": ("balance", "draws-with-pie"),
    "draws, without the pie rule": ("balance", "draws-without-pie"),
    "lead changes per game": ("drama", "lead-changes"),
    "games won by the leader at half-time": ("drama", "half-time"),
    "strength steps above random play": ("ladder", "rungs"),
    "Elo gained by the last doubling of visits": ("ladder", "doubling"),
    "turns per game, strong play": ("length", "strong-length"),
    "turns per game, random play": ("length", "random-length"),
    "choices per turn": ("length", "strong-branching"),
    "game-tree complexity": ("length", "strong-complexity"),
    "playouts per second": ("rates", "playouts"),
}

WIDTH, HEIGHT = 1000, 780  # of the pictures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="directory of the reports")
    parser.add_argument("--times", type=float, default=1.0, help="factor of the default budgets")
    parser.add_argument("--table", action="store_true", help="write the table only")
    options = parser.parse_args()
    if options.folder is None and not options.table:
        parser.error("missing directory, or --table")
    if not options.table:
        for name in REPORTS:
            measure(options.folder / name, name, options.times)
            store_metrics(options.folder / name, name)
        take_pictures(options.folder / "pinch-13x13" / "report.html")
    README.write_text(update_table(README.read_text("utf-8")), "utf-8")


def measure(folder: Path, name: str, times: float) -> None:
    """Makes or resumes a report."""
    asked, budget = REPORTS[name]
    print(f"{name}, {seconds(budget * times)}", flush=True)
    command = [sys.executable, "-P", "-m", "pinchtp", "report", *asked]
    subprocess.run([*command, "--budget", f"{budget * times:g}s", "--out", folder], check=True)


def store_metrics(folder: Path, name: str) -> None:
    """Stores the metrics of a report, without its sentences and the data of its charts."""
    report = GameReport.load(folder / "report.json")
    sections = {key: replace(each, says=[], data={}) for key, each in report.sections.items()}
    METRICS.mkdir(exist_ok=True)
    (METRICS / f"{name}.json").write_text(replace(report, sections=sections).as_json(), "utf-8")


def update_table(readme: str) -> str:
    """Returns the README with the table of the stored reports."""
    return replace_part(readme, "reports", table())


def table() -> str:
    """Returns the table in Markdown, one report per column."""
    reports = [GameReport.load(METRICS / f"{name}.json") for name in REPORTS]
    names = [f"{report.subject.game} {report.subject.board_name}" for report in reports]
    rows = [["", *names], ["---", *["--:" for _ in names]]]
    rows += [[row, *(cell(report, *key) for report in reports)] for row, key in ROWS.items()]
    rows += [
        ["strong games played", *(f"{report.units.get('games', 0):,}" for report in reports)],
        ["visits per move", *(f"{report.subject.visits:,}" for report in reports)],
        ["measured for", *(seconds(report.seconds) for report in reports)],
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def cell(report: GameReport, section: str, key: str) -> str:
    """Returns a metric with its interval, or an empty text."""
    # Metrics by the report's own rules have no suffix.
    key = key.removesuffix("-with-pie" if report.subject.has_swap else "-without-pie")
    summary = report.sections.get(section)
    for figure in summary.figures if summary else ():
        if figure.key == key:
            interval = f"<br><sub>{figure.interval}</sub>" if figure.interval else ""
            return figure.text + interval
    return ""


def take_pictures(page: Path) -> None:
    """Takes screenshots of the report's start and of its section on drama, in Chromium."""
    from chromium import chromium  # noqa: PLC0415  (not needed for the table)

    with chromium() as browser:
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.goto(page.resolve().as_uri())
        view.screenshot(path=METRICS / "overview.png")
        box = view.locator("#part-drama").bounding_box()
        assert box
        clip = {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}
        clip["height"] = min(clip["height"], 1.3 * HEIGHT)
        view.screenshot(path=METRICS / "drama.png", full_page=True, clip=clip)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
