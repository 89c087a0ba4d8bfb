"""The games of a match in the compact form that the page's script reads (see page.js)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pinchtp.games import Color
from pinchtp.html.board import Replay
from pinchtp.match.game.record import DRAW, GameRecord, MoveRecord

_LETTERS = {DRAW: "d"} | {color: color.letter for color in Color}
_VOID, _NOBODY = "v", ""


def game_data(
    record: GameRecord, replay: Replay | None, engines: Sequence[str], opening: int
) -> list[Any]:
    """One game: label, players, winner, cause, detail, moves, what is known of each move, and the
    number of its opening."""
    task, moves = record.task, record.moves
    return [
        task.attempt_label,
        engines.index(task.black),
        engines.index(task.white),
        _VOID if record.winner is None else _LETTERS[record.winner],
        record.cause,
        record.detail,
        _NOBODY if record.failed is None else _LETTERS[record.failed],
        "\n".join(move.text for move in moves),
        _colors(moves),
        sum(move.book for move in moves),
        " ".join(f"{1000 * move.seconds:.0f}" for move in moves),
        _winrates(moves),
        *_replayed(replay),
        opening,
    ]


def _replayed(replay: Replay | None) -> tuple[str | None, Sequence[int], Sequence[int]]:
    """What the moves did to the board, if that is known."""
    if replay is None or not any(replay.changes):
        return None, (), ()
    return replay.encoded(), replay.swaps, replay.chain


def _colors(moves: Sequence[MoveRecord]) -> str:
    """A letter for each move; only the first if the colors alternate."""
    colors = "".join(_LETTERS[move.color] for move in moves)
    alternate = all(one != two for one, two in pairwise(colors))
    return colors[:1] if alternate else colors


def _winrates(moves: Sequence[MoveRecord]) -> str:
    """Evaluations of the movers, in thousandths; empty if there are none."""
    if all(move.winrate is None for move in moves):
        return ""
    return " ".join("-" if move.winrate is None else f"{1000 * move.winrate:.0f}" for move in moves)
