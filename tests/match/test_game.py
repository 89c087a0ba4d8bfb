"""One game between correct engines: rules, openings, clocks, ends, records."""

import pickle
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from duels import (
    ALMOST_WON,
    FILLER,
    PATIENCE,
    PROGRAM,
    TWIN,
    duel,
    game_plan,
    outcome,
    player,
    scheduled_game,
    seated,
)
from record_games import from_sgf

from pinchtp._core import Proof, Solver
from pinchtp.base.clock import TimeControl
from pinchtp.client import CommandRefused
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import SwapSpelling, parse_move
from pinchtp.match.option_types import DrawRule, ResignRule
from pinchtp.match.plan import EngineConfig
from pinchtp.match.playing.engine import MatchEngine
from pinchtp.match.playing.game import adjudicate, play_game
from pinchtp.match.playing.log import EngineLog
from pinchtp.match.playing.referee import RulesReferee
from pinchtp.match.record import DRAW, GameRecord, MoveRecord, Termination, Violation

PINCHTP = EngineConfig("pinchtp", f"{PROGRAM} --visits 20 --seed 1")


def replayed(record: GameRecord, size: int = 5) -> RulesReferee:
    """The game of a record, judged once more."""
    referee = RulesReferee(game_plan(size))
    for move in record.moves:
        assert referee.to_move == move.color
        referee.play(move.text)
    return referee


def test_game_is_played_to_its_end() -> None:
    record = duel(FILLER, TWIN)
    assert (record.termination, record.failed, record.detail) == (Termination.RULES, None, "")
    assert record.winner == replayed(record).winner
    assert record.winner in tuple(Color)
    assert not record.is_void
    assert all(0 < move.seconds < PATIENCE for move in record.moves)
    assert record.seconds > 0
    assert record.transcript == record.stderr == ""
    assert record.identities[Color.BLACK].name == "FixedOrder"
    assert record.identities[Color.WHITE].command == TWIN.command


def test_records_can_be_sent() -> None:
    record = duel(FILLER, TWIN)
    assert pickle.loads(pickle.dumps(record)) == record
    assert pickle.loads(pickle.dumps(game_plan())) == game_plan()


def test_record_is_readable_sgf() -> None:
    record = duel(TWIN, FILLER)
    read = from_sgf(record.sgf.encode(), GAMES["pinch"], pie=True)
    assert len(read.history) == len(record.moves)
    assert f"RE[{record.winner.name[0]}+]" in record.sgf
    assert "PB[Twin]" in record.sgf
    assert "PW[FixedOrder]" in record.sgf


def test_pinchtp_moves_have_winrates() -> None:
    record = duel(PINCHTP, replace(PINCHTP, name="other"))
    assert record.termination is Termination.RULES
    assert all(move.winrate is not None and 0 <= move.winrate <= 1 for move in record.moves)
    assert "SBKV[" in record.sgf


EVEN = DrawRule(0.03, 4, 6)


@pytest.mark.parametrize("seed", range(4))
def test_weak_levels_are_not_adjudicated_as_even(seed: int) -> None:
    """Levels of one visit report the network's evaluation, not one half."""
    engines = [
        EngineConfig(f"{level}", f"{PROGRAM} --level {level} --seed {seed}") for level in (10, 8)
    ]
    record = duel(*engines, given=game_plan(9, draw=EVEN))
    assert record.termination is Termination.RULES
    winrates = {move.winrate for move in record.moves}
    assert None not in winrates
    assert len(winrates) > 4


def test_unknown_evaluations_are_not_adjudicated() -> None:
    """One engine reports one half, the other nothing."""
    even, unknown = player("Explains", 50, name="even"), player("Searches", name="unknown")
    assert duel(even, even, given=game_plan(9, draw=EVEN)).termination is Termination.AGREED
    record = duel(even, unknown, given=game_plan(9, draw=EVEN))
    assert record.termination is Termination.RULES
    assert {move.winrate for move in record.moves if move.color == Color.WHITE} == {None}


# --- openings and swaps


def test_opening_is_played_first() -> None:
    record = duel(TWIN, TWIN, "C3", "D4", "B2")
    assert [move.text for move in record.moves[:3]] == ["C3", "D4", "B2"]
    assert [move.book for move in record.moves[:4]] == [True, True, True, False]
    assert record.moves[3].color == Color.WHITE
    replayed(record)


@pytest.mark.parametrize(
    ("moves", "reason"),
    [(("D4", "D4"), "D4: D4 is occupied"), ((*ALMOST_WON, "A5", "C3"), "C3: the game is over")],
)
def test_illegal_opening_raises(moves: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=f"opening test: {reason}"):
        duel(TWIN, TWIN, *moves)


def test_game_may_end_in_its_opening() -> None:
    record = duel(TWIN, TWIN, *ALMOST_WON, "A5")
    assert outcome(record) == (Color.BLACK, Termination.RULES, None)
    assert len(record.moves) == 9


def test_swap_is_recorded() -> None:
    record = duel(TWIN, FILLER)
    assert record.moves[1].text == "swap"
    assert record.moves[2].color == Color.BLACK
    assert record.termination is Termination.RULES


@pytest.mark.parametrize("opening", [("C3",), ("C3", "swap")])
def test_swap_is_sent_in_the_engines_spelling(opening: tuple[str, ...]) -> None:
    """`SpellsSwapPieces` knows only that word, `FixedOrder` only `pass`."""
    pieces = player("SpellsSwapPieces", swap_as=SwapSpelling.SWAP_PIECES)
    for white in (FILLER, pieces):
        record = duel(pieces, white, *opening)
        assert [move.text for move in record.moves[:2]] == ["C3", "swap"]
        assert record.termination is Termination.RULES, record.detail


def test_swap_needs_the_pie_rule() -> None:
    record = duel(TWIN, FILLER, given=game_plan(options={"pie": "false"}))
    assert outcome(record) == (Color.BLACK, Termination.ILLEGAL, Color.WHITE)
    assert (
        record.detail == "FixedOrder (white) played 'pass' as move 2: passing is not allowed here"
    )
    assert "RE[B+F]" in record.sgf


# --- ends


def test_resignation_loses() -> None:
    record = duel(TWIN, player("Resigns"))
    assert outcome(record) == (Color.BLACK, Termination.RESIGNATION, None)
    assert len(record.moves) == 5
    assert "RE[B+R]" in record.sgf


def test_false_result_is_only_reported() -> None:
    record = duel(player("Lies"), TWIN, *ALMOST_WON, "A5")
    assert outcome(record) == (Color.BLACK, Termination.RULES, None)
    assert record.detail == "Lies (black) reports W+R, but black has won"
    assert record.faults == (Violation(Color.BLACK, Termination.SCORE),)
    assert "final_score" in record.transcript


def test_move_cap_draws() -> None:
    record = duel(TWIN, TWIN, "C3", given=game_plan(move_cap=4))
    assert outcome(record) == (DRAW, Termination.CAP, None)
    assert len(record.moves) == 4
    assert "RE[0]" in record.sgf


@pytest.mark.parametrize("engine", ["Explains", "Analyses"])
def test_agreed_resignation_ends_the_game(engine: str) -> None:
    given = game_plan(9, resign=ResignRule(0.1, 2))
    sure, desperate = player(engine, 92, name="sure"), player(engine, 8, name="desperate")
    record = duel(sure, desperate, given=given)
    winrates = {move.color: move.winrate for move in record.moves}
    assert winrates == {Color.BLACK: pytest.approx(0.92), Color.WHITE: pytest.approx(0.08)}
    assert outcome(record) == (Color.BLACK, Termination.AGREED, None)
    assert len(record.moves) == 4
    assert "RE[B+R]" in record.sgf
    unsure = player(engine, 88, name="unsure")
    assert duel(unsure, desperate, given=given).termination is Termination.RULES
    assert duel(desperate, desperate, given=given).termination is Termination.RULES
    silent = replace(given, resign=None, evaluations=False)
    assert {move.winrate for move in duel(sure, desperate, given=silent).moves} == {None}


@pytest.mark.parametrize(("least", "is_lost"), [(0.1, True), (0.11, False)])
def test_resign_rule_includes_its_winrate(least: float, is_lost: bool) -> None:
    moves = [
        MoveRecord(Color.BLACK, "A1", winrate=0.1),
        MoveRecord(Color.WHITE, "B1", winrate=1 - least),
    ]
    result = adjudicate(moves, ResignRule(0.1, 1), None)
    assert (result is not None) == is_lost


def test_agreed_draw_ends_the_game() -> None:
    even, hopeful = player("Explains", 52, name="even"), player("Explains", 48, name="hopeful")

    def played(**options: Any) -> GameRecord:
        given = game_plan(9, draw=DrawRule(0.03, 2, **options))
        return duel(even, hopeful, "C3", given=given)

    record = played()
    assert outcome(record) == (DRAW, Termination.AGREED, None)
    assert len(record.moves) == 5
    assert "within 0.020 of even" in record.detail
    assert len(played(begin=7).moves) == 10
    sure = player("Explains", 60, name="sure")
    given = game_plan(9, draw=DrawRule(0.03, 2))
    assert duel(even, sure, given=given).termination is Termination.RULES


def test_limits_and_pondering_are_sent() -> None:
    """As parameters of our engine; an engine without them cannot play such a match."""
    ours = EngineConfig("ours", f"{PROGRAM} --size 4", nodes=7)
    given = game_plan(4, nodes=9, ponder=True)
    for spec, nodes in ((ours, 7), (replace(ours, nodes=None), 9)):
        with MatchEngine(spec, given) as engine:
            engine.begin(given)
            said = "\n".join(engine.transcript.lines())
            assert f"> pinchtp-param visits {nodes}" in said
            assert "> pinchtp-param ponder true" in said
    record = duel(TWIN, TWIN, given=given)
    assert record.termination is Termination.PROTOCOL
    assert "does not support option 'nodes'" in record.detail


def test_traffic_is_logged(tmp_path: Path) -> None:
    given = game_plan(4, log=tmp_path / "logs")
    spec = EngineConfig("a/b", f"{PROGRAM} --size 4")
    with MatchEngine(spec, given) as engine:
        engine.begin(given)
        with pytest.raises(CommandRefused):
            engine.ask("play b z9")
    (file,) = (tmp_path / "logs").iterdir()
    assert file == EngineLog(tmp_path / "logs").path("a/b")
    lines = [line.split(" ", 3)[3] for line in file.read_text().splitlines()]
    assert "> play b z9" in lines
    assert any(line.startswith("< ? ") for line in lines)
    assert "> clear_board" in lines


def test_evaluations_of_the_opening_do_not_count() -> None:
    given = game_plan(9, resign=ResignRule(0.1, 1))
    sure, desperate = player("Explains", 92, name="sure"), player("Explains", 8, name="desperate")
    record = duel(sure, desperate, "C3", "C4", "C5", given=given)
    assert (record.winner, len(record.moves)) == (Color.BLACK, 5)


def test_proven_result_ends_the_game() -> None:
    record = duel(TWIN, TWIN, *ALMOST_WON, given=game_plan(solve=10.0))
    assert outcome(record) == (Color.BLACK, Termination.PROVEN, None)
    assert len(record.moves) == 8


def test_proof_ends_the_game_early() -> None:
    record = duel(TWIN, TWIN, given=game_plan(4, solve=60.0))
    assert (record.termination, len(record.moves)) == (Termination.PROVEN, 4)
    position = GAMES["pinch"].start(4, 4, pie=True)
    for move in record.moves:
        position = position.play(parse_move(move.text, position))
    wins = Solver(position, memory_mb=16).solve(position).value is Proof.WIN
    assert record.winner == (position.to_move if wins else 1 - position.to_move)


# --- turns in steps


@pytest.mark.parametrize("limit", [{"move_cap": 13}, {"draw": DrawRule(0.5, 2, 10)}], ids=str)
def test_turn_in_steps_is_one_move(limit: dict[str, Any]) -> None:
    given = game_plan(6, game="pinch-relocate", **limit)
    command = f"{PROGRAM} --game pinch-relocate --visits 20 --seed 1 --move-parts"
    record = duel(*[EngineConfig(name, command) for name in "ab"], given=given)
    assert record.winner == DRAW
    assert "in 4 moves" in record.detail or "after 13 moves" in record.detail
    assert [move.color for move in record.moves] == [Color(at % 2) for at in range(13)]
    assert any("," in move.text for move in record.moves)


# --- several games


def test_engines_live_from_game_to_game() -> None:
    with seated(FILLER, TWIN) as (black, white):
        games = [
            play_game(scheduled_game(FILLER, TWIN), game_plan(), black, white) for _ in range(3)
        ]
        back = play_game(scheduled_game(TWIN, FILLER), game_plan(), white, black)
    assert {tuple(move.text for move in game.moves) for game in games} == {
        tuple(move.text for move in games[0].moves)
    }
    assert back.identities[Color.WHITE] == games[0].identities[Color.BLACK]
    assert back.identities[Color.BLACK] == games[0].identities[Color.WHITE]


def test_boards_of_another_size_and_shape() -> None:
    with seated(PINCHTP, PINCHTP) as engines:
        for width, height in [(4, 6), (7, 3), (5, 5)]:
            given = replace(game_plan(), size=(width, height))
            record = play_game(scheduled_game(PINCHTP, PINCHTP), given, *engines)
            assert record.termination is Termination.RULES, record.detail
            size = f"{width}" if width == height else f"{width}:{height}"
            assert f"SZ[{size}]" in record.sgf


def test_runner_costs_little_time() -> None:
    """80 to 100 µs of CPU time per move on an idle machine. 1000 games of 81 moves took 11 s of it
    without a clock and 13 s with one, on a busy machine.
    """
    given = game_plan(9, time=TimeControl.canadian(0, 1, 1))
    with seated(FILLER, TWIN) as engines:
        play_game(scheduled_game(FILLER, TWIN), given, *engines)
        best = float("inf")
        for _ in range(5):
            began = process_time()
            record = play_game(scheduled_game(FILLER, TWIN), given, *engines)
            best = min(best, (process_time() - began) / len(record.moves))
    assert best < 500e-6
