"""Engine checks before a match, and the messages to rejected engines' users."""

from dataclasses import replace
from time import monotonic

import pytest
from clients import GNUGO, PATIENCE, needs_gnugo
from duels import PROGRAM, SHORT, game_plan, player

from pinchtp.base.clock import TimeControl
from pinchtp.games import GAMES
from pinchtp.games.notation import SwapSpelling
from pinchtp.match.plan import EngineConfig
from pinchtp.match.playing.preflight import EngineRejected, check_engine
from pinchtp.match.playing.referee import RulesReferee
from pinchtp.match.record import DRAW


@pytest.mark.parametrize(
    "spec",
    [
        player("FixedOrder"),
        player("ListsNothing"),
        player("SpellsSwapPieces", swap_as=SwapSpelling.SWAP_PIECES),
        EngineConfig("pinchtp", PROGRAM),
    ],
    ids=lambda spec: spec.name,
)
def test_check_engine_accepts_working_engines(spec: EngineConfig) -> None:
    preflight = check_engine(spec, game_plan())
    identity = preflight.identity
    assert preflight.score_warning == ""
    assert identity.name in ("FixedOrder", "pinchtp")
    assert identity.version
    assert identity.command == spec.command


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (EngineConfig("x", "nosuchprogram"), "cannot be started: nosuchprogram: No such file"),
        (
            EngineConfig("x", "true", folder="/none"),
            "cannot be started: true in /none: No such file",
        ),
        (EngineConfig("x", "'open"), "cannot be started: 'open: No closing quotation"),
        (EngineConfig("x", "sh -c 'echo no license >&2; exit 2'"), "exit status 2: no license"),
        (EngineConfig("x", "echo Hello"), "ended with exit status 0|unexpected output: 'Hello"),
        (
            EngineConfig("x", "yes"),
            "sent unexpected output: 'y|sent a malformed response|exceeded the response limit",
        ),
        (player("HangsAtStart", name="x"), "did not respond to 'name' within 1 s"),
        (player("RefusesSize", name="x"), "rejected 'boardsize 5': unacceptable size"),
        (player("PlaysAnotherGame", name="x"), r"rejects the legal move A[1-5]: illegal move"),
        (player("SpellsSwapPieces", name="x"), r"rejects a swap spelled 'pass' \(see swap-as\)"),
        (player("FixedOrder", name="x", startup=("dance",)), "rejected 'dance': unknown command"),
    ],
    ids=lambda value: value.command[-20:] if isinstance(value, EngineConfig) else "",
)
def test_rejection_states_reason(spec: EngineConfig, reason: str) -> None:
    given = game_plan(startup_deadline=SHORT if "not respond" in reason else PATIENCE)
    began = monotonic()
    with pytest.raises(EngineRejected, match=f"^engine x .*({reason})"):
        check_engine(spec, given)
    assert monotonic() - began < PATIENCE / 2


def test_check_engine_with_other_score_warns() -> None:
    assert check_engine(player("Lies"), game_plan()).score_warning == (
        "engine Lies scores Pinch differently: it reports W+R, but black has won; "
        "the referee decides"
    )


def test_check_engine_with_score_of_drawn_game_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RulesReferee, "winner", DRAW)
    warning = check_engine(player("Lies"), game_plan()).score_warning
    assert "it reports W+R, but the game is drawn; " in warning


def test_check_engine_without_score_in_time_warns() -> None:
    given = game_plan(command_deadline=SHORT)
    warning = check_engine(player("HangsAtEnd"), given).score_warning
    assert "it reports nothing within 1 s, but white has won" in warning


def test_check_engine_of_ours_changes_its_game() -> None:
    for game in GAMES.values():
        given = replace(game_plan(game.size[0]), game=game.name)
        assert check_engine(EngineConfig("us", PROGRAM), given).score_warning == ""


def test_engine_with_other_fixed_rules_is_rejected() -> None:
    fixed = EngineConfig("us", f"{PROGRAM} --pie --size 5")
    with pytest.raises(EngineRejected, match=r"^engine us rejected 'pinchtp-game bushka': cannot"):
        check_engine(fixed, replace(game_plan(10), game="bushka"))


@pytest.mark.parametrize(
    ("engine", "control", "warning"),
    [
        ("WholeSeconds", TimeControl.fischer(10, 0.1), ""),
        (
            "WholeSeconds",
            TimeControl.canadian(0, 0.1, 1),
            "engine x plays without a clock and may lose on time: it rejects the time 0.1; whole "
            "seconds may work",
        ),
        (
            "Timeless",
            TimeControl.absolute(10),
            "engine x plays without a clock and may lose on time: it has no time_settings",
        ),
        ("Timeless", TimeControl.none(), ""),
    ],
)
@pytest.mark.parametrize("referee", [True, False])
def test_check_engine_without_clock_warns(
    engine: str, control: TimeControl, warning: str, referee: bool
) -> None:
    given = game_plan(time=control, referee=referee)
    assert check_engine(player(engine, name="x"), given).time_warning == warning


@pytest.mark.parametrize("command", ["", "# nothing", "komi 5\nname"])
def test_startup_commands_are_commands(command: str) -> None:
    with pytest.raises(EngineRejected, match="is not one startup command"):
        check_engine(player("FixedOrder", startup=(command,)), game_plan())


def test_another_game_of_ours_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    halves = replace(GAMES["pinch"], name="halves", title="Halves")
    monkeypatch.setitem(GAMES, "halves", halves)
    with pytest.raises(EngineRejected, match=r"^engine Own plays Halves, not Pinch: set the game"):
        check_engine(player("Own"), game_plan())


def test_unknown_game_is_not_an_engine_error() -> None:
    with pytest.raises(ValueError, match="unknown game 'chess': expected pinch"):
        check_engine(player("FixedOrder"), replace(game_plan(), game="chess"))


def test_without_a_referee_any_engine_will_do() -> None:
    given = replace(game_plan(), game="chess", referee=False)
    assert check_engine(player("PlaysAnotherGame"), given).identity.name == "FixedOrder"
    with pytest.raises(EngineRejected, match="unacceptable size"):
        check_engine(player("RefusesSize"), given)


@needs_gnugo
def test_check_engine_gnugo_plays_go_only() -> None:
    gnugo = EngineConfig("gnugo", f"{GNUGO} --mode gtp")
    with pytest.raises(EngineRejected, match=r"^engine gnugo rejects the legal move"):
        check_engine(gnugo, game_plan(9))
    go = replace(game_plan(9), game="go", referee=False)
    assert check_engine(gnugo, go).identity.name == "GNU Go"


@needs_gnugo
@pytest.mark.parametrize("referee", [True, False])
def test_check_engine_gnugo_plays_no_rectangle(referee: bool) -> None:
    given = replace(game_plan(), size=(9, 7), game="capture-go", referee=referee)
    with pytest.raises(EngineRejected, match=r"^engine gnugo takes 'boardsize .*' for 9x9"):
        check_engine(EngineConfig("gnugo", f"{GNUGO} --mode gtp"), given)


@needs_gnugo
def test_check_engine_gnugo_plays_capture_go() -> None:
    gnugo = EngineConfig("gnugo", f"{GNUGO} --mode gtp")
    preflight = check_engine(gnugo, replace(game_plan(5), game="capture-go"))
    assert "scores First Capture Go differently" in preflight.score_warning
