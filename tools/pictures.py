"""Draws the pictures of the README and the guides into tools/pictures.

Run it after a change of the appearance or contents of boards:  python tools/pictures.py
A test fails while the pictures are out of date.
"""

from __future__ import annotations

import argparse
import re
from math import log10
from pathlib import Path

from pinchtp.games import GAMES
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.html.charts import Axis, ChartLine, line_chart
from pinchtp.records.position_line import parse_position
from pinchtp.render.svg import board_svg

PICTURES = Path(__file__).with_suffix("")

# pinchtp against itself: 11x11, --visits 15000 --seed 3.
GAME = (
    "G7 C8 G8 H4 C5 G10 G4 G5 F11 E7 F4 F5 F10 F9 E10 D8 G9 J4 K4 K3 C4 L4 C3 A8 E4 E5 E8 F8 E9 "
    "C2 B2 E6 F7 D7 B8 B7"
)
FLIPS = 33  # its move with the most flips

# The table of a run's generations in the history: minutes, Elo and its interval.
LEARNING = PICTURES.parent / "learn" / "HISTORY.md"
GENERATION = re.compile(r"^\| \d+ \| ([\d.]+) \| ([-+]\d+) ± (\d+) \|", re.MULTILINE)
PUBLISHED = 500  # Elo for ten times the training, in Hex (A. Jones 2021)
STYLE = """svg{background:#fff;font:11px sans-serif;fill:#555}path{fill:none;stroke:#ddd}\
.band{fill:#9bd;fill-opacity:.4;stroke:none}.line{stroke:#059;stroke-width:2}\
.c1{stroke:#b60;stroke-dasharray:5 4}"""

# One stone that flips three in a cascade: the example in the rules.
CASCADE, TRIGGER = "......./..XO.../...OX../..XO.../......./....... b", "D2"


def session(size: int, moves: str) -> Session:
    """Returns a game of Pinch after these moves."""
    return play(Session(GAMES["pinch"], size, size, pie=True), moves)


def play(session: Session, moves: str) -> Session:
    for text in moves.split():
        session.play(session.to_move, parse_move(text, session.position))
    return session


def cascade() -> Session:
    """Returns the position before the stone that starts a cascade."""
    game = GAMES["pinch"]
    shown = parse_position(CASCADE, game)
    session = Session(game, shown.width, shown.height, pie=False)
    session.set_up(game.set_up(shown.width, shown.height, shown.cells, shown.to_move))
    return session


def learning() -> str:
    """Returns a chart of Elo against the minutes of training, next to the published rate."""
    rows = [
        [float(each) for each in row] for row in GENERATION.findall(LEARNING.read_text("utf-8"))
    ]
    run = ChartLine(
        "this run",
        [(log10(minutes), elo) for minutes, elo, _ in rows],
        [(elo - error, elo + error) for _, elo, error in rows],
    )
    (start, elo), (end, _) = run.points[0], run.points[-1]
    published = ChartLine("published", [(start, elo), (end, elo + PUBLISHED * (end - start))])
    minutes = [1, 2, 5, 10, 20, 40]
    x = Axis(
        0,
        log10(minutes[-1]),
        "minutes",
        format=lambda at: f"{10**at:.0f}",
        ticks=[log10(each) for each in minutes],
    )
    chart = line_chart([run, published], x, Axis(-600, 400), "Elo against minutes")
    return standalone(str(chart), STYLE)


def standalone(chart: str, style: str) -> str:
    """Returns a page's chart as a standalone file with a style sheet."""
    chart = chart.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return chart.replace(">", f"><style>{style}</style>", 1)


def pictures() -> dict[str, str]:
    """Returns the pictures by file name."""
    game = GAME.split()
    shown = {
        "cascade-before": cascade(),
        "cascade-after": play(cascade(), TRIGGER),
        "swap-before": session(7, "E3"),
        "swap-after": session(7, "E3 swap"),
        "game": session(11, " ".join(game[:FLIPS])),
        "won": session(11, GAME),
    }
    drawn = {name: board_svg(each) for name, each in shown.items()} | {"learning": learning()}
    return {f"{name}.svg": f"{text}\n" for name, text in drawn.items()}


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    PICTURES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
