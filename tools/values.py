"""Solves small boards, and writes the tables of their values.

python tools/values.py solve       # adds what tools/values.json lacks, and proofs
python tools/values.py write       # writes tools/VALUES.md
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from pinchtp.games import GAMES, PIE
from pinchtp.games.notation import COLUMNS

TOOLS = Path(__file__).parent
RESULTS = TOOLS / "values.json"
GUIDE = TOOLS / "VALUES.md"
PROOFS = TOOLS.parent / "tests" / "data" / "proofs"
MOST_PROOF_BYTES = 2_500_000  # a larger one is not kept
SECONDS = 500  # for all first moves of a board

SMALL = sorted(
    ((width, height) for width in range(2, 6) for height in range(2, 6)),
    key=lambda size: size[0] * size[1],
)
BOARDS = {
    "pinch": [*SMALL, (5, 6), (6, 5)],
    "pinch-remove": [(width, height) for width, height in SMALL if width * height <= 16],
    "pinch-relocate": [(width, height) for width, height in SMALL if width * height <= 15],
    "capture-go": [(width, height) for width, height in SMALL if width * height <= 20],
}
SIGNS = {"win": "+", "loss": "-", "draw": "=", "unknown": "?"}

HEAD = f"""\
# Values of small boards

The winner under best play without the pie rule, by Black's first move: `+` wins, `-` loses, `?` is
open after {SECONDS} s. With the pie rule White wins on every board without a `?`: White swaps what
wins and leaves what loses.

Sizes are columns x rows, and boards are drawn as Black looks at them, who joins top and bottom.
*Nodes* are positions searched for all first moves together. *Proof*: the winner's move against
every defense is in a file that `tools/check_proof.py` accepts. `python tools/values.py solve` runs
the commands, and `python tools/values.py write` makes this page.
"""


def command(game: str, size: str) -> list[str]:
    """Returns the arguments of `pinchtp` that solve every first move of a board."""
    rule = ["--no-pie"] if GAMES[game].rules()[PIE.name] else []
    return ["solve", "--game", game, "--size", size, *rule, "--each", "--memory", "2G"]


def proof_file(game: str, size: str) -> Path:
    return PROOFS / f"{game}-{size}.txt.xz"


def solve(results: dict[str, Any]) -> None:
    """Adds the boards that are missing, and saves after each."""
    PROOFS.mkdir(exist_ok=True)
    for game, width, height in ((game, *size) for game, sizes in BOARDS.items() for size in sizes):
        size = f"{width}x{height}"
        if f"{game} {size}" in results:
            continue
        proof = proof_file(game, size)
        options = ["--json", "--seconds", str(SECONDS), "--proof", str(proof)]
        process = subprocess.run(
            [sys.executable, "-m", "pinchtp", *command(game, size), *options],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if proof.exists() and proof.stat().st_size > MOST_PROOF_BYTES:
            proof.unlink()
        result = json.loads(process.stdout)
        results[f"{game} {size}"] = result
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        print(game, size, result["value"], result["nodes"], flush=True)


def row(game: str, width: int, height: int, result: dict[str, Any]) -> str:
    """Returns the line of a table about one board."""
    each = result["each"]
    board = "<br>".join(
        "`" + " ".join(SIGNS[each[f"{column}{y}"]] for column in COLUMNS[:width]) + "`"
        for y in range(height, 0, -1)
    )
    size = f"{width}x{height}"
    counts = [list(each.values()).count(value) for value in ("win", "unknown")]
    wins = f"{counts[0]} of {len(each)}" + f", {counts[1]} open" * (counts[1] > 0)
    proof = f"[yes](../tests/data/proofs/{game}-{size}.txt.xz)"
    is_proven = proof_file(game, size).exists()
    cells = [size, board, wins, f"{result['nodes']:,}"]
    return f"| {' | '.join(cells)} | {proof if is_proven else ''} |"


def guide(results: dict[str, Any]) -> str:
    """Returns the text of the guide."""
    lines = [HEAD]
    for game, sizes in BOARDS.items():
        call = " ".join(["pinchtp", *command(game, "SIZE")])
        lines += [f"## {GAMES[game].title}", "", f"`{call}`", ""]
        lines += ["| size | first moves | wins | nodes | proof |"]
        lines += ["|---|---|---|--:|---|"]
        for width, height in sizes:
            if result := results.get(f"{game} {width}x{height}"):
                lines.append(row(game, width, height, result))
        lines.append("")
    return "\n".join(lines)


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
