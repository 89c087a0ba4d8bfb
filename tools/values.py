"""Solves small boards, and writes the tables of their values.

python tools/values.py solve       # adds missing boards to tools/values.json, and proofs
python tools/values.py write       # writes tools/VALUES.md
"""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from pinchtp.base.files import replace_file
from pinchtp.games import GAMES, PIE
from pinchtp.games.notation import COLUMNS

TOOLS = Path(__file__).parent
RESULTS = TOOLS / "values.json"
GUIDE = TOOLS / "VALUES.md"
PROOFS = TOOLS.parent / "tests" / "data" / "proofs"
SECONDS = 1800  # for all first moves of a board
MOST_POINTS = {"pinch": 35, "pinch-remove": 28, "pinch-relocate": 28, "capture-go": 30}
OPEN = {("pinch-remove", 5, 5), ("pinch-relocate", 5, 5)}  # of these, few first moves are known

SIZES = sorted(
    ((width, height) for width in range(2, 8) for height in range(2, 8)),
    key=lambda size: size[0] * size[1],
)
BOARDS = {
    game: [
        (width, height)
        for width, height in SIZES
        if width * height <= most and (game, width, height) not in OPEN
    ]
    for game, most in MOST_POINTS.items()
}
LARGER = {"pinch": ["6x6", "7x6"]}  # some first moves are solved, each by a separate command
MOST_BYTES = 5_000_000  # of a stored proof
TOO_LARGE = {  # but accepted
    ("pinch", "6x6"): {"A2": "loss", "A3": "loss", "B2": "win"},
    ("pinch", "7x6"): {"B2": "win", "D1": "win"},
}
EVERY_MOVE = ["--each", "--memory", "4G"]
ONE_MOVE = ["--moves", "MOVE", "--memory", "8G", "--store", "STORE", "--proof", "FILE"]
SIGNS = {"win": "+", "loss": "-", "draw": "=", "unknown": "?"}

HEAD = """\
# Values of small boards

The winner under best play without the pie rule, by Black's first move: `+` wins, `-` loses, `=`
draws, `?` is unknown. With the pie rule White wins where every first move wins or loses: White
swaps a winning stone and leaves a losing one. Where one draws, the game is a draw.

Sizes are columns x rows; on the boards as drawn, Black joins top and bottom. *Nodes* are positions
searched for all first moves together; brackets show another value of `--memory`. *Proof*: a file
that `tools/check_proof.py` accepts; with `--proof FILE`, the commands also write the others.
`python tools/values.py solve` runs them, and `python tools/values.py write` writes this page.
"""


def command(game: str, size: str, *options: str) -> list[str]:
    """Returns arguments of `pinchtp` that solve a board without the pie rule."""
    rule = ["--no-pie"] if GAMES[game].rules()[PIE.name] else []
    return ["solve", "--game", game, "--size", size, *rule, *options]


def proof_file(game: str, size: str) -> Path:
    """Returns the file with the proof of every first move."""
    return PROOFS / f"{game}-{size}.txt.xz"


def stone_proofs(game: str, size: str) -> dict[str, Path]:
    """Returns the files with the proofs of single first moves, by the move."""
    files = sorted(PROOFS.glob(f"{game}-{size}-*.txt.xz"))
    return {file.name.removesuffix(".txt.xz").rpartition("-")[2]: file for file in files}


def proven_stones(game: str, size: str) -> dict[str, str]:
    """Returns the value of every first move, from the proofs of single moves."""
    width, height = map(int, size.split("x"))
    points = [f"{column}{y}" for y in range(1, height + 1) for column in COLUMNS[:width]]
    each = dict.fromkeys(points, "unknown")
    proven = TOO_LARGE.get((game, size), {}).copy()
    for stone, file in stone_proofs(game, size).items():
        with lzma.open(file, "rt") as lines:
            winner = json.loads(next(lines))["winners"][stone]
        proven[stone] = "win" if winner == "black" else "loss"
    for stone, value in proven.items():
        column = stone[0]
        y = int(stone[1:])
        for image_column in {column, COLUMNS[width - 1 - COLUMNS.index(column)]}:
            for image_y in {y, height + 1 - y}:
                each[f"{image_column}{image_y}"] = value
    return each


def run(game: str, size: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Solves every move of a board with additional options; the output is JSON."""
    return subprocess.run(
        [
            sys.executable,
            "-P",
            "-m",
            "pinchtp",
            *command(game, size, *EVERY_MOVE, "--json", *options),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )


def solve(results: dict[str, Any]) -> None:
    """Solves the missing boards, and saves each with its proof.

    Raises CalledProcessError if a command fails.
    """
    PROOFS.mkdir(exist_ok=True)
    boards = [(game, *size) for game, sizes in BOARDS.items() for size in sizes]
    for game, width, height in sorted(boards, key=lambda board: board[1] * board[2]):
        size = f"{width}x{height}"
        if f"{game} {size}" in results:
            continue
        solved = run(game, size, "--seconds", str(SECONDS))
        if not solved.stdout:  # with values that are unknown, the exit status is 1, too
            solved.check_returncode()
        result = json.loads(solved.stdout)
        if "unknown" not in result["each"].values():
            run(game, size, "--proof", str(proof_file(game, size))).check_returncode()
        results[f"{game} {size}"] = result
        replace_file(RESULTS, (json.dumps(results, indent=1) + "\n").encode())
        print(game, size, result["value"], result["nodes"], flush=True)


def row(size: str, each: dict[str, str], nodes: str, proofs: dict[str, Path]) -> str:
    """Returns the line of a table about one board. proofs: by the text of their links."""
    width, height = map(int, size.split("x"))
    board = "<br>".join(
        "`" + " ".join(SIGNS[each[f"{column}{y}"]] for column in COLUMNS[:width]) + "`"
        for y in range(height, 0, -1)
    )
    counts = [list(each.values()).count(value) for value in ("win", "unknown")]
    wins = f"{counts[0]} of {len(each)}" + f", {counts[1]} unknown" * (counts[1] > 0)
    links = ", ".join(
        f"[{text}](../{file.relative_to(TOOLS.parent)})"
        for text, file in proofs.items()
        if file.exists()
    )
    return f"| {' | '.join([size, board, wins, nodes])} | {links} |"


def growth(results: dict[str, Any]) -> list[str]:
    """Returns a table of the nodes by number of points, for nearly square boards."""
    lines = ["## Growth", "", "Nodes of boards whose sides differ by at most one.", ""]
    lines += [f"| points | {' | '.join(GAMES[game].title for game in BOARDS)} |"]
    lines += ["|--:" * (len(BOARDS) + 1) + "|"]
    sizes = [size for size in SIZES if abs(size[0] - size[1]) <= 1]
    for points, group in groupby(sizes, key=lambda size: size[0] * size[1]):
        names = [f"{width}x{height}" for width, height in group]
        cells = []
        for game in BOARDS:
            found = (results.get(f"{game} {name}") for name in names)
            cells.append(" and ".join(f"{each['nodes']:,}" for each in found if each))
        if any(cells):
            lines.append(f"| {points} | {' | '.join(cells)} |")
    return lines


def guide(results: dict[str, Any]) -> str:
    """Returns the text of the guide."""
    lines = [HEAD]
    for game, sizes in BOARDS.items():
        call = " ".join(["pinchtp", *command(game, "SIZE", *EVERY_MOVE)])
        lines += [f"## {GAMES[game].title}", "", f"`{call}`", ""]
        lines += ["| size | first moves | wins | nodes | proof |"]
        lines += ["|---|---|---|--:|---|"]
        for size in (f"{width}x{height}" for width, height in sizes):
            if result := results.get(f"{game} {size}"):
                proofs = {"yes": proof_file(game, size)}
                memory = f" ({result['memory']})" if "memory" in result else ""
                lines.append(row(size, result["each"], f"{result['nodes']:,}{memory}", proofs))
        larger = LARGER.get(game, [])
        lines += [
            row(size, proven_stones(game, size), "", stone_proofs(game, size)) for size in larger
        ]
        if larger:
            call = " ".join(["pinchtp", *command(game, "SIZE", *ONE_MOVE)])
            lines += ["", f"{' and '.join(larger)}, move by move:", "", "```sh", call, "```"]
        lines += [
            f"The proof of {stone} on {size}, which the checker accepted, has more than "
            f"{MOST_BYTES // 1_000_000} MB and is not stored."
            for size in larger
            for stone in TOO_LARGE.get((game, size), {})
        ]
        lines.append("")
    return "\n".join([*lines, *growth(results), ""])


def load() -> dict[str, Any]:
    """Returns the stored results, by game and size."""
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


if __name__ == "__main__":
    if sys.argv[1:] == ["solve"]:
        solve(load())
    elif sys.argv[1:] == ["write"]:
        GUIDE.write_text(guide(load()))
    else:
        sys.exit("usage: values.py solve | write")
