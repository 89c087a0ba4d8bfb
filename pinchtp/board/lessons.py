"""The illustrated rules of the games: texts and examples in `lessons/`, boards by our rules."""

from __future__ import annotations

from pinchtp.board import messages as m
from pinchtp.board.table import CannotDo


def has_lesson(game: str) -> bool:
    return False


def lesson(game: str, request: int) -> m.Rules:
    raise CannotDo(f"there is no page about {game}")
