"""Queries of GoGui to an engine that it uses as a ruler."""

from __future__ import annotations

import re

from pinchtp._core import PASS, SWAP
from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import (
    GAME_ID,
    SIDE_TO_MOVE,
    TrialGame,
    is_vertex,
    play_to_end,
    require_unchanged,
)
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.games import Color
from pinchtp.games.notation import COLUMNS, format_move
from pinchtp.games.session import Session
from pinchtp.render.text import stone_rows

RULER = (GAME_ID, "gogui-rules_legal_moves", SIDE_TO_MOVE)
SIZE = "gogui-rules_board_size"
SAMPLE = 12  # legal moves tried

_ONE_WORD = re.compile(r"[A-Z][A-Za-z0-9_-]*")


@check(
    "Q1",
    f"{GAME_ID} is one word with a capital first letter",
    "GoGui compares it with the game id of a record, and displays it.",
)
def game_id(probe: EngineProbe) -> str:
    probe.require(*RULER)
    reply = probe.ask(GAME_ID)
    check_that(reply.ok and _ONE_WORD.fullmatch(reply.text), f"the response is {reply}")
    return reply.text


@check(
    "Q2",
    "gogui-rules_board_size is a single number",
    "GoGui creates its board with that size.",
)
def board_size(probe: EngineProbe) -> None:
    probe.require(*RULER, SIZE)
    TrialGame(probe)
    reply = probe.ask(SIZE)
    check_that(reply.ok and reply.text.isdecimal(), f"the response is {reply}")
    size = probe.facts.size
    check_that(not size or reply.text == str(size), f"after 'boardsize {size}' it is {reply.text}")


@check(
    "Q3",
    "gogui-rules_board has one of the characters X O . ? per point, in rows from the top",
    "GoGui skips all others: a label or a legend with such a character shifts every stone.",
)
def board(probe: EngineProbe) -> None:
    probe.require(*RULER, "gogui-rules_board")
    game = TrialGame(probe)
    game.advance()
    reply = probe.ask("gogui-rules_board")
    cells = _cells_in(reply.text)
    size = _size(game)
    points = size * size
    check_that(len(cells) == points, f"it has {len(cells)} such characters for {points} points")
    color, move = game.history[0]
    if is_vertex(move, size):
        at = (size - int(move[1:])) * size + COLUMNS.index(move[0].upper())
        stone = "X" if color is Color.BLACK else "O"
        check_that(
            cells[at] == stone, f"after 'play {color.letter} {move}' it shows {cells[at]} there"
        )


def _size(game: TrialGame) -> int:
    """Returns the size of the board, which some engines do not let clients set."""
    reported = game.probe.ask_or_skip(SIZE) if game.probe.lists(SIZE) else ""
    return int(reported) if reported.isdecimal() else game.size


@check(
    "Q4",
    "gogui-rules_legal_moves lists legal moves, and no others are accepted",
    "The user can play exactly the listed moves.",
)
def legal_moves(probe: EngineProbe) -> str:
    probe.require(*RULER, "undo")
    game = TrialGame(probe)
    game.advance(2)
    moves = probe.ask("gogui-rules_legal_moves").text.split()
    check_that(len(set(moves)) == len(moves), "a move is listed twice")
    color = game.color
    for move in moves[:: len(moves) // SAMPLE + 1]:
        reply = probe.ask(f"play {color.letter} {move}")
        check_that(reply.ok, f"'play {color.letter} {move}' is listed but rejected: {reply.text}")
        probe.ask_or_skip("undo")
    if all(is_vertex(move) for move in moves):
        _require_no_other(game, moves)
    return f"{len(moves)} moves"


def _require_no_other(game: TrialGame, listed: list[str]) -> None:
    legal = {move.upper() for move in listed}
    others = [
        point for point in game.points() if point not in legal and not game.is_move(point, listed)
    ]
    for point in others[:SAMPLE]:
        reply = game.probe.ask(f"play {game.color.letter} {point}")
        check_that(not reply.ok, f"'play {game.color.letter} {point}' is accepted but not listed")


@check(
    "Q5",
    "gogui-rules_side_to_move is black or white, and changes with a turn",
    "GoGui queries the side to move after every move, and lets only that side play.",
)
def side_to_move(probe: EngineProbe) -> None:
    probe.require(*RULER)
    game = TrialGame(probe)
    for _ in range(2):
        reply = probe.ask(SIDE_TO_MOVE)
        check_that(reply.text in ("black", "white"), f"the response is {reply}")
        if game.rules:
            _compare_side(game, game.rules)
        game.turn()
        following = probe.ask(SIDE_TO_MOVE)
        check_that(following.text != reply.text, f"after a turn it is still {reply.text}")


@check(
    "Q6",
    "gogui-rules_captured_count is two numbers",
    "GoGui reads exactly two and shows them next to the players.",
)
def captured_count(probe: EngineProbe) -> None:
    probe.require(*RULER, "gogui-rules_captured_count")
    TrialGame(probe)
    reply = probe.ask("gogui-rules_captured_count")
    numbers = reply.text.split()
    check_that(
        reply.ok and len(numbers) == 2 and all(number.isdecimal() for number in numbers),
        f"the response is {reply}",
    )


@check(
    "Q7",
    "a move out of turn is rejected with `illegal move`",
    """GoGui sends each move of the computer to a ruler twice, since the engine that plays may be
    the ruler itself: the second one must have no effect.""",
)
def out_of_turn(probe: EngineProbe) -> None:
    probe.require(*RULER)
    game = TrialGame(probe)
    color, move = game.turn()
    moves = [move, *probe.ask_or_skip("gogui-rules_legal_moves").split()[:1]]
    check_that(game.color == color.opponent, f"after a turn of {color} {color} is still to move")
    for again in moves:
        line = f"play {color.letter} {again}"
        with require_unchanged(probe, f"{line!r} was rejected"):
            reply = probe.ask(line)
            check_that(not reply.ok, f"{line!r} is accepted while {game.color} is to move")
            check_that(reply.text == "illegal move", f"{line!r} is rejected with {reply.text!r}")


@check(
    "Q8",
    "gogui-rules_final_result returns a text once the game is over",
    "GoGui requests it when there is no legal move, and shows it to the user.",
)
def final_result(probe: EngineProbe) -> str:
    probe.require(*RULER, "gogui-rules_final_result")
    play_to_end(probe)
    reply = probe.ask("gogui-rules_final_result")
    check_that(reply.ok and reply.text.strip(), f"the response is {reply}")
    if "\n" in reply.text:
        raise CheckSkipped("it has several lines, and a dialog may show only the first")
    return reply.text


@check(
    "Q9",
    "moves, boards and the winner of a random game follow the rules of the game",
    "Two programs that disagree about a move or the end of a game cannot finish it.",
)
def follows_rules(probe: EngineProbe) -> str:
    probe.require(*RULER, "gogui-rules_board")
    game = _game_by_the_rules(probe)
    while (session := game.rules) and not session.is_over:
        _compare_side(game, session)
        _compare_moves(game, session)
        _compare_board(game, session)
        game.turn()
    if not session:
        raise CheckFailed(f"{_after(game)} it plays on, but by our rules the move is illegal")
    _compare_board(game, session)
    over = probe.ask("gogui-rules_legal_moves").text.split()
    check_that(not over, f"{_after(game)} the game is over, but it lists {' '.join(over)}")
    _compare_result(game, session)
    return f"{len(game.history)} moves"


def _game_by_the_rules(probe: EngineProbe) -> TrialGame:
    game = TrialGame(probe)
    if not game.rules:
        raise CheckSkipped("its game is unknown; if it is one of ours, use --game")
    if _cells(probe) != "".join(stone_rows(game.rules.position)):
        raise CheckSkipped("its starting position is not the usual one")
    return game


def _compare_side(game: TrialGame, session: Session) -> None:
    _compare_start(game, SIDE_TO_MOVE, str(session.to_move))


def _compare_moves(game: TrialGame, session: Session) -> None:
    moves = session.position.legal_moves()
    ours = {"PASS" if move in (SWAP, PASS) else format_move(move) for move in moves}
    # Engines may play with or without a swap.
    ignored = {"PASS"} if len(game.history) == 1 else set()
    _compare_list(game, "gogui-rules_legal_moves", ours, ignored)
    if session.game.places_stones and game.probe.lists("all_legal"):
        _compare_list(game, f"all_legal {session.to_move.letter}", ours, {"PASS"})


def _compare_list(game: TrialGame, question: str, ours: set[str], ignored: set[str]) -> None:
    reported = {move.upper() for move in game.probe.ask(question).text.split()}
    lacking = sorted(ours - reported - ignored)
    surplus = sorted(reported - ours - ignored)
    check_that(not lacking, f"{_after(game)} {question} does not list {', '.join(lacking)}")
    check_that(not surplus, f"{_after(game)} {question} lists {', '.join(surplus)}")


def _compare_board(game: TrialGame, session: Session) -> None:
    reported = _cells(game.probe)
    ours = "".join(stone_rows(session.position))
    check_that(reported == ours, f"{_after(game)} the board is {reported!r}, by our rules {ours!r}")


def _compare_result(game: TrialGame, session: Session) -> None:
    winner = session.winner
    if game.probe.lists("final_score"):
        _compare_start(game, "final_score", "0" if winner is None else winner.capital)
    if game.probe.lists("winner"):
        _compare_start(game, "winner", "draw" if winner is None else str(winner))


def _compare_start(game: TrialGame, question: str, expected: str) -> None:
    reported = game.probe.ask(question).text
    check_that(
        reported.lower().startswith(expected.lower()),
        f"{_after(game)} {question} is {reported!r}, not {expected}",
    )


def _cells(probe: EngineProbe) -> str:
    return _cells_in(probe.ask("gogui-rules_board").text)


def _cells_in(text: str) -> str:
    """Returns the cells of a board, i.e. the characters that GoGui reads."""
    return re.sub(r"[^XO.?]", "", text)


def _after(game: TrialGame) -> str:
    """Returns the current point in the game, for messages."""
    if not game.history:
        return "at the start"
    color, move = game.history[-1]
    return f"after move {len(game.history)}, {color.letter} {move},"
