"""A small report, made by the command line."""

from pathlib import Path

from pinchtp.report.command import main

UNITS = (
    "rates=1,random=2,games=8,other-games=4,first-moves=6,ladder=16,playout-ladder=8,evaluators=8,"
    "mirrors=10,sample=4,positions=8,solved=3"
)


def report(folder: Path, *arguments: str) -> int:
    """Makes a report about Pinch on 4x4; returns the exit status."""
    return main(
        [
            *("--game", "pinch", "--size", "4", "--visits", "30", "--jobs", "1"),
            *("--units", UNITS, "--out", str(folder), "--quiet", *arguments),
        ]
    )
