"""Referees without engines: our rules, and no rules."""

import random
from dataclasses import replace

import pytest
from duels import FILLER, TWIN, game_plan, match_of, scheduled_game
from msgspec import structs

from pinchtp.base.clock import TimeControl
from pinchtp.games import GAMES, Color, Position
from pinchtp.games.notation import SwapSpelling, parse_move
from pinchtp.match.playing.referee import IllegalMove, NoReferee, RulesReferee, referee_for
from pinchtp.match.record import DRAW, Termination, Winner
from pinchtp.records.position_line import parse_position

SWAP = SwapSpelling.SWAP
TASK = scheduled_game(FILLER, TWIN)


def played(referee: RulesReferee, *moves: str) -> RulesReferee:
    for move in moves:
        referee.play(move)
    return referee


# --- our rules


def test_game_ends_with_a_win() -> None:
    referee = RulesReferee(game_plan(2))
    assert (referee.to_move, referee.is_over, referee.winner) == (Color.BLACK, False, None)
    assert referee.swap_open is False
    assert [referee.last_move_for(spelling) for spelling in SwapSpelling] == [""] * len(
        SwapSpelling
    )
    assert referee.play("A1") == "A1"
    assert (referee.to_move, referee.swap_open) == (Color.WHITE, True)
    played(referee, "b1")
    assert referee.swap_open is False
    assert played(referee, "A2").is_over
    assert referee.winner == Color.BLACK


def test_full_board_is_a_draw() -> None:
    referee = RulesReferee(game_plan(2))
    board = parse_position("XO/OX b", GAMES["pinch"])
    full = GAMES["pinch"].set_up(board.width, board.height, board.cells, Color.BLACK)
    referee._session.set_up(full)  # play does not get there
    assert (referee.is_over, referee.winner) == (True, DRAW)


@pytest.mark.parametrize("move", ["a9", "a1", "nonsense", "swap"])
def test_illegal_move_changes_nothing(move: str) -> None:
    referee = played(RulesReferee(game_plan(3)), "a1", "b2")
    with pytest.raises(IllegalMove):
        referee.play(move)
    assert (referee.to_move, referee.last_move_for(SWAP)) == (Color.BLACK, "B2")
    assert referee.play("b1") == "B1"


def test_swap_is_sent_in_each_spelling() -> None:
    referee = played(RulesReferee(game_plan(3)), "a1")
    assert referee.last_move_for(SwapSpelling.PASS) == "A1"
    assert referee.play("swap-pieces") == "swap"
    notations = [referee.last_move_for(spelling) for spelling in SwapSpelling]
    assert len(set(notations)) == len(SwapSpelling)
    assert "pass" in notations
    played(referee, "b2")
    assert {referee.last_move_for(spelling) for spelling in SwapSpelling} == {"B2"}


@pytest.mark.parametrize(("moves", "loser"), [(["a1"], Color.WHITE), ([], Color.BLACK)])
def test_resignation_of_side_to_move(moves: list[str], loser: Color) -> None:
    referee = played(RulesReferee(game_plan(3)), *moves)
    referee.resign()
    assert (referee.is_over, referee.winner) == (True, loser.opponent)


def value(position: Position) -> Winner:
    """The winner under perfect play, by trying everything."""
    if position.result is not None:
        return DRAW if position.result == 2 else Color(position.result)
    found = {value(position.play(move)) for move in position.legal_moves()}
    side = Color(position.to_move)
    return side if side in found else DRAW if DRAW in found else side.opponent


@pytest.mark.parametrize("seed", range(6))
def test_proof_is_tried_every_fourth_turn(seed: int) -> None:
    referee = RulesReferee(game_plan(3))
    source = random.Random(seed)
    position = GAMES["pinch"].start(3, 3)
    for turn in range(9):
        expected = value(position) if turn in (4, 8) else None
        assert referee.prove_winner(20) == expected
        move = referee.random_turn(source)
        position = position.play(parse_move(move, position))
        played(referee, move)
        if referee.is_over:
            break


def test_proof_is_tried_again() -> None:
    referee = RulesReferee(game_plan(4))
    found = []
    for move in ("a1", "d4", "b1", "c4", "d1", "a4", "a3", "d2"):
        played(referee, move)
        found.append(referee.prove_winner(60) is not None)
    assert found == [False, False, False, True] * 2


def test_random_turns_are_legal_and_never_swap() -> None:
    for game in ("pinch", "pinch-remove", "bushka"):
        size = GAMES[game].size[0]
        referee = RulesReferee(replace(game_plan(size), game=game))
        source = random.Random(1)
        for _ in range(8):
            turn = referee.random_turn(source)
            assert turn != "swap"
            color = referee.to_move
            referee.play(turn)
            if referee.is_over:
                break
            assert referee.to_move == color.opponent
    referee = played(RulesReferee(game_plan(2)), "a1")
    assert {referee.random_turn(random.Random(seed)) for seed in range(30)} == {"A2", "B1", "B2"}


def test_turn_may_be_played_in_steps() -> None:
    at_once, in_parts = (RulesReferee(replace(game_plan(10), game="bushka")) for _ in range(2))
    assert at_once.play("d2-d3") == at_once.last_move_for(SWAP) == "d23"
    assert at_once.to_move == Color.BLACK
    assert in_parts.play("d2") == in_parts.last_move_for(SWAP) == in_parts.turn == "d2"
    assert in_parts.to_move == Color.WHITE
    assert in_parts.play("d3") == in_parts.last_move_for(SWAP) == "d3"
    assert in_parts.to_move == Color.BLACK
    assert in_parts.turn == at_once.turn == "d23"


RESULTS = [
    (Color.BLACK, Termination.TIME, "B+T"),
    (Color.WHITE, Termination.AGREED, "W+R"),
    (Color.WHITE, Termination.PROVEN, "W+"),
    (Color.BLACK, Termination.ILLEGAL, "B+F"),
    (DRAW, Termination.AGREED, "0"),
]


@pytest.mark.parametrize(("winner", "termination", "result"), RESULTS)
def test_sgf_has_the_result_of_the_match(
    winner: Winner, termination: Termination, result: str
) -> None:
    referee = played(RulesReferee(game_plan(5)), "a1")
    sgf = referee.sgf(TASK, winner, termination, "a comment")
    assert f"RE[{result}]" in sgf
    assert sgf.count("RE[") == 1
    assert "C[a comment]" in sgf or "GC[a comment]" in sgf


def test_comment_is_not_taken_for_a_tree() -> None:
    referee = played(RulesReferee(game_plan(5)), "a1")
    sgf = referee.sgf(TASK, Color.BLACK, Termination.TIME, "a smile (; and more (;")
    assert "C[a smile (; and more (;]" in sgf


def test_sgf_has_the_result_of_the_board() -> None:
    over = played(RulesReferee(game_plan(2)), "a1", "b1", "a2")
    sgf = over.sgf(TASK, Color.BLACK, Termination.RULES, "")
    assert sgf.count("RE[") == 1
    assert "RE[B+]" in sgf
    assert f"GN[game {TASK.display_number}]" in sgf
    assert "GN[game 4]" in over.sgf(
        structs.replace(TASK, display_number=4), Color.BLACK, Termination.RULES, ""
    )
    assert f"PB[{TASK.black}]" in sgf
    assert f"PW[{TASK.white}]" in sgf


def test_sgf_has_time_control_of_both_engines() -> None:
    fast, slow = TimeControl.fischer(60, 0.5), TimeControl.absolute(600)

    def sgf(*controls: TimeControl | None) -> str:
        engines = (
            replace(engine, time=control)
            for engine, control in zip((FILLER, TWIN), controls, strict=True)
        )
        plan = match_of(*engines, time=slow)
        return RulesReferee(plan).sgf(TASK, None, Termination.TIME, "")

    assert "TM[600]" in sgf(None, None)
    assert "TM[60]OT[0.5 fischer]" in sgf(fast, fast)
    assert "TM[" not in sgf(fast, None)


def test_sgf_of_void_game_has_no_result() -> None:
    assert "RE[" not in RulesReferee(game_plan(5)).sgf(TASK, None, Termination.TIME, "")


def test_unknown_rules_are_rejected() -> None:
    with pytest.raises(ValueError, match="unknown game 'chess': expected pinch"):
        RulesReferee(replace(game_plan(5), game="chess"))
    with pytest.raises(ValueError, match="size"):
        RulesReferee(game_plan(1))


# --- none


def test_plan_selects_the_referee() -> None:
    assert isinstance(referee_for(game_plan(5)), RulesReferee)
    assert isinstance(referee_for(replace(game_plan(5), referee=False)), NoReferee)


def test_without_a_referee_two_passes_in_a_row_end_the_game() -> None:
    referee = NoReferee()
    assert (referee.to_move, referee.is_over, referee.winner) == (Color.BLACK, False, None)
    assert referee.play("anything") == referee.turn == "anything"
    assert not referee.mid_turn
    assert referee.to_move == Color.WHITE
    assert (referee.play("Q16"), referee.play("R4"), referee.is_over) == ("Q16", "R4", False)
    assert referee.play("PASS") == "pass"
    assert referee.play("pas") == "pas"
    assert referee.play("pass") == referee.last_move_for(SWAP) == "pass"
    assert not referee.is_over
    referee.play("Pass")
    assert (referee.is_over, referee.to_move) == (True, Color.WHITE)
    assert referee.prove_winner(1) is None
    assert referee.sgf(TASK, Color.BLACK, Termination.TIME, "") == ""
    at_once = NoReferee()
    assert at_once.last_move_for(SWAP) == ""
    at_once.play("pass")
    assert not at_once.is_over
    for _ in range(2):
        at_once.play("pass")
        assert at_once.is_over


def test_without_a_referee_a_resignation_ends_the_game() -> None:
    referee = NoReferee()
    referee.play("a")
    referee.resign()
    assert (referee.is_over, referee.winner, referee.last_move_for(SWAP)) == (True, None, "a")
