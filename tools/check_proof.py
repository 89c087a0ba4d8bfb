"""Checks files of `pinchtp solve --proof` by the reference implementation, without the core.

    pinchtp solve --size 4 --no-pie --proof proof.txt
    python tools/check_proof.py proof.txt

It plays every defense against the file's moves: all have to end in the winner's win, and none may
come to a position again on its way.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from reference import GAMES, PinchRelocate
from reference.base import Point

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # there is no column I


class Wrong(Exception):
    """The file proves nothing, for the reason in the text."""


# The reflections of a board: each undoes itself, and keeps the sides of both players.
REFLECTIONS: list[Callable[[int, int, Point], Point]] = [
    lambda width, height, at: at,
    lambda width, height, at: (width - 1 - at[0], at[1]),
    lambda width, height, at: (at[0], height - 1 - at[1]),
    lambda width, height, at: (width - 1 - at[0], height - 1 - at[1]),
]


def texts(position: Any) -> list[str]:
    """Returns the position's text in all reflections."""
    width, height = position.width, position.height
    signs = dict.fromkeys(getattr(position, "banned", ()), "-")
    signs |= {at: "X" if color == "black" else "O" for at, color in position.stones().items()}
    marks = f" {position.to_move[0]}"
    marks += " swapped" * (getattr(position, "owner_of_top_bottom", "black") == "white")
    marks += " swap-open" * position.swap_open
    boards = []
    for reflect in REFLECTIONS:
        rows = [[reflect(width, height, (x, y)) for x in range(width)] for y in range(height)]
        lines = ["".join(signs.get(at, ".") for at in row) for row in reversed(rows)]
        boards.append("/".join(lines) + marks)
    return boards


def play(position: Any, text: str, reflect: Callable[[int, int, Point], Point]) -> Any:
    """Returns the position after the reflection of a move. Raises ValueError."""
    if text in ("swap", "pass"):
        return position.play(text)
    read = [(COLUMNS.index(word[:1]), int(word[1:]) - 1) for word in text.split(",")]
    points = [reflect(position.width, position.height, at) for at in read]
    if isinstance(position, PinchRelocate):
        return position.play(tuple(points))
    (point,) = points
    return position.play(point)


def nexts(position: Any, winner: str, moves: dict[str, tuple[int, str]]) -> Iterator[Any]:
    """Yields the positions after the winner's move by the file, or after all of the other's."""
    if position.to_move != winner:
        yield from map(position.play, position.moves())
        return
    for text, reflect in zip(texts(position), REFLECTIONS, strict=True):
        if text in moves:
            number, move = moves[text]
            try:
                yield play(position, move, reflect)
            except ValueError:
                raise Wrong(f"line {number}: an illegal move: {text}: {move}") from None
            return
    raise Wrong(f"no move for {min(texts(position))}")


def follow(start: Any, winner: str, moves: dict[str, tuple[int, str]], done: set[str]) -> None:
    """Follows all play. done: positions from which this color wins. Raises Wrong."""
    path = set[str]()
    to_do = [start]
    while to_do:
        position = to_do.pop()
        if isinstance(position, str):  # all play from there ends in a win
            path.remove(position)
            done.add(position)
            continue
        text = min(texts(position))
        if text in path:
            raise Wrong(f"play comes again to {text}")
        if text in done or position.winner == winner:
            continue
        if position.winner is not None:
            raise Wrong(f"{winner} does not win: {text}")
        path.add(text)
        to_do.append(text)
        to_do += nexts(position, winner, moves)


def check(text: str) -> tuple[str, int]:
    """Returns what a proof's text proves, and by how many positions. Raises Wrong."""
    number = 1
    try:
        first, *lines = text.splitlines()
        head = json.loads(first)
        width, height = head["size"]
        start = GAMES[head["game"]](width, height, **head["rules"])
        starts = []
        for played, winner in head["winners"].items():
            position = start
            for move in played.split():
                position = play(position, move, REFLECTIONS[0])
            history = getattr(position, "history", ())
            if len(set(history)) < len(history) or winner not in ("black", "white"):
                raise ValueError(f"{winner!r} cannot win after {played!r}")
            starts.append((position, winner))
        if not starts:
            raise ValueError("it claims nothing")
        moves = {}
        for number, line in enumerate(lines, 2):
            before, move = line.split(": ")
            moves[before] = number, move
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Wrong(f"line {number}: not a proof: {error}") from None
    done: dict[str, set[str]] = {"black": set(), "white": set()}
    for position, winner in starts:
        follow(position, winner, moves, done[winner])
    claims = f"{head['game']} {width}x{height} {head['rules']}: {head['winners']}"
    return claims, sum(map(len, done.values()))


def main() -> None:
    for name in sys.argv[1:]:
        try:
            data = Path(name).read_bytes()
            text = (lzma.decompress(data) if name.endswith(".xz") else data).decode()
            proven, positions = check(text)
        except (Wrong, OSError, ValueError, lzma.LZMAError) as error:
            sys.exit(f"{name}: {error}")
        print(f"{name}: {positions:,} positions: {proven}")


if __name__ == "__main__":
    main()
