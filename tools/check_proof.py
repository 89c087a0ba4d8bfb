"""Checks files of `pinchtp solve --proof` by the reference implementation, without the core.

    pinchtp solve --size 4 --no-pie --proof proof.txt
    python tools/check_proof.py proof.txt

It plays every defense against the file's moves: all must end in the winner's win, and none may
repeat a position on the way. Proofs by zones are checked line by line (check_zones.py).
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from check_zones import Claims, read_point, reflections
from reference import GAMES, Pinch, PinchRelocate
from reference.base import Color


class InvalidProof(Exception):
    """The proof is invalid; the text is the reason."""


def reflect_text(position: Any) -> Iterator[str]:
    """Yields the position's text in all reflections."""
    signs = dict.fromkeys(getattr(position, "banned", ()), "-")
    signs |= {at: "X" if color == "black" else "O" for at, color in position.stones().items()}
    marks = f" {position.to_move[0]}"
    marks += " swapped" * (getattr(position, "owner_of_top_bottom", "black") == "white")
    marks += " swap-open" * position.swap_open
    for xs, ys in reflections(position.width, position.height):
        lines = ["".join(signs.get((x, y), ".") for x in xs) for y in reversed(ys)]
        yield "/".join(lines) + marks


def play(position: Any, text: str, reflection: tuple[range, range]) -> Any:
    """Returns the position after the reflection of a move. Raises ValueError."""
    if text in ("swap", "pass"):
        return position.play(text)
    xs, ys = reflection
    read = [read_point(word, len(xs), len(ys)) for word in text.split(",")]
    points: Any = tuple((xs[x], ys[y]) for x, y in read)
    if not isinstance(position, PinchRelocate):
        (points,) = points
    return position.play(points)


def next_positions(position: Any, winner: str, moves: dict[str, tuple[int, str]]) -> Iterator[Any]:
    """Yields the positions after the winner's move in the file, or after all moves of the other."""
    if position.to_move != winner:
        yield from map(position.play, position.moves())
        return
    boards = zip(reflect_text(position), reflections(position.width, position.height), strict=True)
    for text, reflection in boards:
        if text in moves:
            number, move = moves[text]
            try:
                yield play(position, move, reflection)
            except (IndexError, ValueError):
                raise InvalidProof(f"line {number}: illegal move: {text}: {move}") from None
            return
    raise InvalidProof(f"no move for {min(reflect_text(position))}")


def follow(start: Any, winner: str, moves: dict[str, tuple[int, str]], done: set[str]) -> None:
    """Follows all lines of play. done: positions that `winner` wins. Raises InvalidProof."""
    path = set[str]()
    to_do = [start]
    while to_do:
        position = to_do.pop()
        if isinstance(position, str):  # all lines from there end in a win
            path.remove(position)
            done.add(position)
            continue
        text = min(reflect_text(position))
        if text in path:
            raise InvalidProof(f"position repeated: {text}")
        if text in done or position.winner == winner:
            continue
        if position.winner is not None:
            raise InvalidProof(f"{winner} does not win: {text}")
        path.add(text)
        to_do.append(text)
        to_do += next_positions(position, winner, moves)


def read_starts(head: dict[str, Any]) -> Iterator[tuple[Any, Color]]:
    """Yields the positions that a proof claims won, with the winner. Raises ValueError."""
    (width, height), rules = head["size"], head["rules"]
    if rules.keys() - {"pie", "crosscut"} or {*map(type, rules.values())} - {bool}:
        raise ValueError("rules: give pie and crosscut only, each true or false")
    for played, winner in head["winners"].items():
        position = GAMES[head["game"]](width, height, **rules)
        for move in played.split():
            position = play(position, move, reflections(width, height)[0])
        history = getattr(position, "history", ())
        if len(set(history)) < len(history) or winner not in ("black", "white"):
            raise ValueError(f"{winner!r} cannot win after {played!r}")
        yield position, winner


def check(text: str) -> tuple[str, int]:
    """Checks a proof; returns what it proves, and by how many lines. Raises InvalidProof."""
    number = 1
    try:
        first, *lines = text.splitlines()
        head = json.loads(first)
        if not (starts := list(read_starts(head))):
            raise ValueError("it has no claims")
        zones = Claims(*head["size"]) if head["lines"] == "zones" else None
        moves = {}
        for number, line in enumerate(lines, 2):
            if zones:
                zones.add(line)
            else:
                before, move = line.split(": ")
                moves[before] = number, move
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidProof(f"line {number}: not a proof: {error}") from None
    done: dict[str, set[str]] = {"black": set(), "white": set()}
    for position, winner in starts:
        if position.winner == winner:  # a finished game proves itself
            continue
        if not zones:
            follow(position, winner, moves, done[winner])
        elif not isinstance(position, Pinch) or position.pie or not zones.prove(position, winner):
            raise InvalidProof(f"no line proves that {winner} wins {min(reflect_text(position))}")
    proven = "prove {game} {size[0]}x{size[1]} {rules}: {winners}".format(**head)
    count = len(zones.proven) if zones else sum(map(len, done.values()))
    return f"{'claims' if zones else 'positions'} {proven}", count


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="proof, or proof.xz")
    for path in parser.parse_args().files:
        try:
            data = path.read_bytes()
            shown, count = check((lzma.decompress(data) if path.suffix == ".xz" else data).decode())
        except (InvalidProof, OSError, ValueError, lzma.LZMAError) as error:
            parser.exit(1, f"{path}: {error}\n")
        print(f"{path}: {count:,} {shown}")


if __name__ == "__main__":
    main()
