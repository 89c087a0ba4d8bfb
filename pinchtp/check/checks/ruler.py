"""What GoGui asks an engine that it takes the rules of a game from."""

from __future__ import annotations

import re

from pinchtp.check.game import COLUMNS, OTHER, Game, finished_game, is_vertex, unchanged
from pinchtp.check.probe import Probe, demand
from pinchtp.check.registry import Skipped, check

RULER = ("gogui-rules_game_id", "gogui-rules_legal_moves", "gogui-rules_side_to_move")
SIZE = "gogui-rules_board_size"
SAMPLE = 12  # legal moves tried

_GAME_ID = re.compile(r"[A-Z][A-Za-z0-9_-]*")


@check(
    "Q1",
    "gogui-rules_game_id is one word with a capital first letter",
    "GoGui compares it with the id of the record's game, and shows it.",
)
def game_id(probe: Probe) -> str:
    probe.require(*RULER)
    reply = probe.ask("gogui-rules_game_id")
    demand(reply.ok and _GAME_ID.fullmatch(reply.text), f"it is answered by {reply}")
    return reply.text


@check(
    "Q2",
    "gogui-rules_board_size is a bare number",
    "GoGui makes its board of that size.",
)
def board_size(probe: Probe) -> None:
    probe.require(*RULER, SIZE)
    Game(probe)
    reply = probe.ask(SIZE)
    demand(reply.ok and reply.text.isdecimal(), f"it is answered by {reply}")
    size = probe.facts.size
    demand(not size or reply.text == str(size), f"after 'boardsize {size}' it is {reply.text}")


@check(
    "Q3",
    "gogui-rules_board has a character X, O, . or ? for each point, rows from the top",
    "GoGui skips all others: a label or a legend with such a letter shifts every stone.",
)
def board(probe: Probe) -> None:
    probe.require(*RULER, "gogui-rules_board")
    game = Game(probe)
    game.advance()
    reply = probe.ask("gogui-rules_board")
    cells = re.sub(r"[^XO.?]", "", reply.text)
    size = _size(game)
    points = size * size
    demand(len(cells) == points, f"it has {len(cells)} such characters for {points} points")
    color, move = game.history[0]
    if is_vertex(move, size):
        at = (size - int(move[1:])) * size + COLUMNS.index(move[0].upper())
        stone = {"b": "X", "w": "O"}[color]
        demand(cells[at] == stone, f"after 'play {color} {move}' it shows {cells[at]} there")


def _size(game: Game) -> int:
    """The size of the board, which cannot be set in every engine."""
    told = game.probe.need(SIZE) if game.probe.lists(SIZE) else ""
    return int(told) if told.isdecimal() else game.size


@check(
    "Q4",
    "gogui-rules_legal_moves names legal moves, and no other is accepted",
    "The user can play exactly what is listed.",
)
def legal_moves(probe: Probe) -> str:
    probe.require(*RULER, "undo")
    game = Game(probe)
    game.advance(2)
    moves = probe.ask("gogui-rules_legal_moves").text.split()
    demand(len(set(moves)) == len(moves), "a move is listed twice")
    color = game.color
    for move in moves[:: len(moves) // SAMPLE + 1]:
        reply = probe.ask(f"play {color} {move}")
        demand(reply.ok, f"'play {color} {move}' is refused though listed: {reply.text}")
        probe.need("undo")
    if all(is_vertex(move) for move in moves):
        _accepts_no_other(game, {move.upper() for move in moves})
    return f"{len(moves)} moves"


def _accepts_no_other(game: Game, legal: set[str]) -> None:
    others = [point for point in game.points() if point not in legal]
    for point in others[:SAMPLE]:
        reply = game.probe.ask(f"play {game.color} {point}")
        demand(not reply.ok, f"'play {game.color} {point}' is accepted though not listed")


@check(
    "Q5",
    "gogui-rules_side_to_move is black or white, and changes with a move",
    "GoGui asks whose turn it is after every move, and lets nobody else play.",
)
def side_to_move(probe: Probe) -> None:
    probe.require(*RULER)
    game = Game(probe)
    for _ in range(2):
        reply = probe.ask("gogui-rules_side_to_move")
        demand(reply.text in ("black", "white"), f"it is answered by {reply}")
        game.advance()
        following = probe.ask("gogui-rules_side_to_move")
        demand(following.text != reply.text, f"after a move it is still {reply.text}")


@check(
    "Q6",
    "gogui-rules_captured_count is two numbers",
    "GoGui reads exactly two and shows them beside the players.",
)
def captured_count(probe: Probe) -> None:
    probe.require(*RULER, "gogui-rules_captured_count")
    Game(probe)
    reply = probe.ask("gogui-rules_captured_count")
    numbers = reply.text.split()
    demand(
        reply.ok and len(numbers) == 2 and all(number.isdecimal() for number in numbers),
        f"it is answered by {reply}",
    )


@check(
    "Q7",
    "a move out of turn is refused with `illegal move`",
    """GoGui sends each move of the computer to a ruler twice, since the program that plays may be
    the ruler itself: the second one must not count.""",
)
def out_of_turn(probe: Probe) -> None:
    probe.require(*RULER)
    game = Game(probe)
    color, move = game.advance()
    moves = [move, *probe.need("gogui-rules_legal_moves").split()[:1]]
    demand(game.color == OTHER[color], f"after a move of {color} it is still {color}'s turn")
    for again in moves:
        line = f"play {color} {again}"
        with unchanged(probe, f"{line!r} was refused"):
            reply = probe.ask(line)
            demand(not reply.ok, f"{line!r} is accepted though {game.color} is to move")
            demand(reply.text == "illegal move", f"{line!r} is refused with {reply.text!r}")


@check(
    "Q8",
    "gogui-rules_final_result says something once the game is over",
    "GoGui asks for it when no move is legal, and shows it to the user.",
)
def final_result(probe: Probe) -> str:
    probe.require(*RULER, "gogui-rules_final_result")
    finished_game(probe)
    reply = probe.ask("gogui-rules_final_result")
    demand(reply.ok and reply.text.strip(), f"it is answered by {reply}")
    if "\n" in reply.text:
        raise Skipped("it has several lines, of which a dialog may show the first only")
    return reply.text
