"""Games against engines that fail: each gets its due, and the next game is played."""

import os
import shlex
from dataclasses import replace
from time import monotonic, sleep

import pytest
from duels import (
    ALMOST_WON,
    FILLER,
    PATIENCE,
    SHORT,
    TIMELESS,
    TWIN,
    duel,
    game_plan,
    outcome,
    player,
    scheduled_game,
    seated,
)
from processes import running

from pinchtp.base.clock import TimeControl
from pinchtp.games import Color
from pinchtp.match.plan import EngineConfig
from pinchtp.match.playing.engine import MatchEngine
from pinchtp.match.playing.game import play_game
from pinchtp.match.record import GameRecord, Termination

# Each faulty engine with its game's termination, and the start of the detail.
FAILURES = {
    "Hangs": (Termination.HUNG, "did not respond to 'genmove b' within 1 s"),
    "Crashes": (Termination.DIED, "ended with exit status 7: out of luck"),
    "PlaysOccupied": (Termination.ILLEGAL, "played "),
    "PlaysNonsense": (Termination.ILLEGAL, "played 'to be or not to be' as move "),
    "SwapsLate": (Termination.ILLEGAL, "played 'swap' as move "),
    "Passes": (Termination.ILLEGAL, "played 'pass' as move "),
    "Floods": (Termination.UNEXPECTED_OUTPUT, "exceeded the response limit of 16777216 bytes"),
    "Babbles": (Termination.UNEXPECTED_OUTPUT, "sent unexpected output: '="),
    "AnswersBlank": (Termination.PROTOCOL, "returned no move"),
    "SaysTooMuch": (Termination.PROTOCOL, "returned an invalid move: "),
    "SaysBytes": (Termination.PROTOCOL, r"rejected genmove: \udcff\udcfe"),
    "SaysBlankLines": (Termination.HUNG, "did not respond to 'genmove b' within 1 s"),
    "ForgetsStatus": (Termination.PROTOCOL, "sent a malformed response: "),
    "ClosesOutput": (Termination.DIED, "closed its standard output, but still runs"),
    "LeavesChildren": (Termination.DIED, "ended with exit status 1"),
    "PlaysWrongColor": (Termination.PROTOCOL, "rejected the legal move "),
    "RefusesMove": (Termination.PROTOCOL, "rejected the legal move "),
    "RefusesToMove": (Termination.PROTOCOL, "rejected genmove: not in the mood"),
}


def lost_by(record: GameRecord, color: Color) -> None:
    """Checks that the game was lost by a failure, and that all evidence of it was stored."""
    assert record.failed == color
    assert record.winner == color.opponent
    assert f"{color} > genmove" in record.transcript
    assert f"RE[{color.opponent.name[0]}+" in record.sgf


@pytest.mark.parametrize("defect", FAILURES)
def test_failure_loses_one_game_only(defect: str) -> None:
    token = f"TOKEN{os.urandom(8).hex()}"
    bad = player(defect, environment={token: "1"})
    termination, detail = FAILURES[defect]
    given = game_plan(move_deadline=SHORT) if termination is Termination.HUNG else game_plan()
    with seated(bad, TWIN) as (black, white):
        for _ in range(2):
            record = play_game(scheduled_game(bad, TWIN), given, black, white)
            assert record.termination is termination, record.detail
            lost_by(record, Color.BLACK)
            assert record.detail.startswith(f"{defect} (black) {detail}")
            assert 4 <= len(record.moves) <= 6
        with MatchEngine(FILLER, game_plan()) as other:
            assert (
                play_game(scheduled_game(FILLER, TWIN), game_plan(), other, white).termination
                is Termination.RULES
            )
    assert running(token, "environ") == []


def test_any_engine_output_can_be_stored() -> None:
    record = duel(player("SaysBytes"), TWIN)
    assert record.identities[Color.BLACK].name == record.stderr.strip() == r"\udcff\udcfe"
    assert r"? \xff\xfe" in record.transcript
    for text in (record.detail, record.transcript, record.sgf):
        assert text.encode().decode() == text


WORDY = """
while read -r word _; do
  case $word in
    genmove) printf '= %03000d\\n\\n' 0;;
    *) printf '= \\n\\n';;
  esac
done
"""


def test_long_move_is_abbreviated() -> None:
    record = duel(EngineConfig("wordy", shlex.join(["sh", "-c", WORDY])), TWIN)
    assert record.termination is Termination.ILLEGAL
    assert record.detail.startswith("wordy (black) played '0000")
    assert "000'... as move 1: " in record.detail
    assert len(record.detail) < 300


def test_engine_dead_between_games_is_noticed() -> None:
    with seated(FILLER, TWIN) as (black, white):
        play_game(scheduled_game(FILLER, TWIN), game_plan(), black, white)
        assert white.client
        os.kill(white.client.pid, 9)
        record = play_game(scheduled_game(FILLER, TWIN), game_plan(), black, white)
        assert (record.failed, record.termination, record.moves) == (
            Color.WHITE,
            Termination.DIED,
            (),
        )
        assert "ended with signal 9" in record.detail
        assert (
            play_game(scheduled_game(FILLER, TWIN), game_plan(), black, white).termination
            is Termination.RULES
        )


# --- at the start


@pytest.mark.parametrize(
    ("spec", "termination", "detail"),
    [
        (player("HangsAtStart"), Termination.HUNG, "did not respond to 'name' within 1 s"),
        (player("RefusesSize"), Termination.PROTOCOL, "rejected 'boardsize 5': unacceptable size"),
        (
            player("FixedOrder", startup=("komi 0", "dance")),
            Termination.PROTOCOL,
            "rejected 'dance'",
        ),
        (
            EngineConfig("none", "/no/such/program"),
            Termination.DIED,
            "cannot be started: /no/such/program: No such file",
        ),
        (EngineConfig("exits", "sh -c 'exit 3'"), Termination.DIED, "ended with exit status 3"),
    ],
    ids=lambda value: value.name if isinstance(value, EngineConfig) else "",
)
def test_failures_at_the_start(spec: EngineConfig, termination: Termination, detail: str) -> None:
    given = game_plan(startup_deadline=SHORT)
    record = duel(TWIN, spec, given=given if spec.name == "HangsAtStart" else game_plan())
    assert outcome(record) == (Color.BLACK, termination, Color.WHITE)
    assert detail in record.detail
    assert record.moves == ()


# --- the clock


def test_late_by_more_than_the_lag_loses() -> None:
    given = game_plan(time=TimeControl.canadian(0, 0.1, 1), lag=0.02)
    record = duel(TIMELESS, player("Late"), given=given)
    assert outcome(record) == (Color.BLACK, Termination.TIME, Color.WHITE)
    assert "for move 2 and had 0.120 s, lag included" in record.detail
    assert f"took {record.late:.3f} s" in record.detail
    assert "RE[B+T]" in record.sgf


def test_late_by_less_than_the_lag_is_forgiven() -> None:
    given = game_plan(3, time=TimeControl.canadian(0, 0.1, 1), lag=PATIENCE)
    assert duel(TWIN, player("Late"), given=given).termination is Termination.RULES


def test_main_time_margin_is_granted_once() -> None:
    given = game_plan(4, time=TimeControl.absolute(0.2), lag=0.2)
    record = duel(TIMELESS, player("Late"), given=given)
    assert (record.termination, record.failed) == (Termination.TIME, Color.WHITE)
    assert len(record.moves) <= 5


def test_engine_may_have_another_clock() -> None:
    given = game_plan(3, time=TimeControl.canadian(0, 0.1, 1), lag=0.02)
    record = duel(TIMELESS, player("Late", time=TimeControl.absolute(PATIENCE)), given=given)
    assert record.termination is Termination.RULES


def test_hung_engines_are_killed_late_ones_not() -> None:
    given = game_plan(time=TimeControl.absolute(0.1), lag=0.0)
    late = player("Late")
    with seated(TIMELESS, late) as (black, white):
        white.start()
        pid = white.client and white.client.pid
        patient = replace(given, grace=PATIENCE)
        assert (
            play_game(scheduled_game(TIMELESS, late), patient, black, white).termination
            is Termination.TIME
        )
        assert white.client
        assert white.client.pid == pid
        control = TimeControl.absolute(0.001)  # long over when the engine answers
        strict = replace(given, time=control, grace=0.01)
        assert (
            play_game(scheduled_game(TIMELESS, late), strict, black, white).termination
            is Termination.HUNG
        )
        assert white.client is None


# --- memory


@pytest.mark.parametrize("engine", ["EatsMemory", "ChildEatsMemory"])
def test_memory_is_watched(engine: str) -> None:
    began = monotonic()
    record = duel(player(engine), TWIN, given=game_plan(memory=150))
    lost_by(record, Color.BLACK)
    assert record.termination is Termination.MEMORY
    assert "exceeded its memory limit: " in record.detail
    assert monotonic() - began < PATIENCE / 2


def test_memory_in_measure_is_fine() -> None:
    with seated(FILLER, TWIN, game_plan(memory=150)) as seats:
        for _ in range(3):
            assert (
                play_game(scheduled_game(FILLER, TWIN), game_plan(), *seats).termination
                is Termination.RULES
            )
            sleep(0.3)


# --- the end, and policy


def test_failures_after_the_end_change_nothing() -> None:
    given = game_plan(command_deadline=SHORT)
    record = duel(player("HangsAtEnd"), TWIN, *ALMOST_WON, "A5", given=given)
    assert outcome(record) == (Color.BLACK, Termination.RULES, None)
    assert record.detail == "HangsAtEnd (black) reports nothing within 1 s, but black has won"
    assert record.transcript


@pytest.mark.parametrize("engine", ["HangsAtEnd", "Lies"])
def test_wrong_score_is_asked_for_once(engine: str) -> None:
    given = game_plan(command_deadline=SHORT)
    black = player(engine)
    with seated(black, TWIN, given) as seats:
        games = [
            play_game(scheduled_game(black, TWIN, *ALMOST_WON, "A5", number=at), given, *seats)
            for at in range(3)
        ]
    assert [len(each.faults) for each in games] == [1, 0, 0]
    assert [each.winner for each in games] == [Color.BLACK] * 3


def test_dead_engine_is_not_asked_for_a_score() -> None:
    record = duel(TWIN, player("DiesOfDefeat"), *ALMOST_WON, "A5")
    assert outcome(record) == (Color.BLACK, Termination.RULES, None)
    assert record.detail == "after the end DiesOfDefeat (white) ended with exit status 1"


def test_policy_may_make_failures_void() -> None:
    given = game_plan(void=(Termination.DIED,))
    record = duel(player("Crashes"), TWIN, given=given)
    assert record.is_void
    assert (record.termination, record.failed) == (Termination.DIED, Color.BLACK)
    assert record.transcript
    assert duel(player("Passes"), TWIN, given=given).winner == Color.WHITE
