"""The examples of the illustrated rules, held to the rulebook step by step."""

import re
from typing import Any

import pytest
from bushka_boards import board as bushka_board
from reference import GAMES as RULEBOOK
from reference.base import Point
from rulebooks import Follower

from pinchtp.board import lessons
from pinchtp.board.hello import describe_games
from pinchtp.board.protocol.board import BoardView
from pinchtp.board.rules_file import LessonExample, read_rules
from pinchtp.games import GAMES

CLAIMS = re.compile(r"\b(Black|White) has won\b")
CAPTURES = re.compile(r"\b(flips?|lifted|leave|captures|takes)\b")


def examples() -> list[Any]:
    """Returns the examples of all games with their steps."""
    found = []
    for game in GAMES:
        raw = read_rules(game)
        for part, section in zip(
            raw.sections, lessons.describe_rules(game, 0).sections, strict=True
        ):
            if part.example is not None:
                name = f"{game}: {part.heading}"
                found.append(pytest.param(game, part.example, section.steps, id=name))
    return found


def points(names: str) -> frozenset[Point]:
    columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    return frozenset((columns.index(name[0]), int(name[1:]) - 1) for name in names.split())


def rulebook_at_start(game: str, example: LessonExample) -> Follower:
    """Returns the reference rules at the start of an example."""
    pieces = (example.black, example.white, example.black_kings, example.white_kings)
    if game == "bushka":
        if not any(pieces):
            return Follower(RULEBOOK[game]())
        kings = f"{example.black_kings} {example.white_kings}"
        white, black = (
            f"{example.white} {example.white_kings}",
            f"{example.black} {example.black_kings}",
        )
        return Follower(bushka_board(white, black, kings=kings, to_move=example.to_move))
    stones = {"black": points(example.black), "white": points(example.white)}
    fields = stones | {"to_move": example.to_move} if any(pieces) else {}
    return Follower(RULEBOOK[game](*example.size, **example.options, **fields))


def cells(follower: Follower) -> dict[Point, int]:
    """Returns the cells of the reference rules, numbered as on the page."""
    found = {at: 1 if color == "black" else 2 for at, color in follower.book.stones().items()}
    found |= {at: found[at] + 2 for at in follower.kings}
    return found | dict.fromkeys(follower.banned, 5)


def shown(board: BoardView) -> dict[Point, int]:
    """Returns the cells of a board message."""
    return {at(board, cell): value for cell, value in enumerate(board.cells) if value > 0}


def at(board: BoardView, cell: int) -> Point:
    return cell % board.width, cell // board.width


def test_every_game_has_an_introduction() -> None:
    for info in describe_games():
        assert info.summary.endswith(".")
        assert info.introduction.endswith(".")
    assert len({info.introduction for info in describe_games()}) == len(GAMES)


@pytest.mark.parametrize(("game", "example", "steps"), examples())
def test_example_follows_the_rules(
    game: str, example: LessonExample, steps: list[lessons.LessonStep]
) -> None:
    follower = rulebook_at_start(game, example)
    assert len(steps) == len(example.moves) + 1
    for number, step in enumerate(steps):
        if number:
            move = example.moves[number - 1].move
            follower.play_text("pass" if move == "swap" else move)
        assert shown(step.board) == cells(follower)
        captured = {at(step.board, each.at) for each in step.board.captured}
        assert captured == follower.captured
        claim = CLAIMS.search(step.caption)
        assert (claim[1].lower() if claim else None) == follower.book.winner
        if number and CAPTURES.search(step.caption):
            assert captured, step.caption
        if "nothing happens" in step.caption:
            assert not captured
        words = re.findall(r"\b[A-HJ-Z][1-9]\b", step.caption)
        assert points(" ".join(words)) <= follower.points
