"""Parameters: one definition for the command line, the configuration file and GTP."""

from pathlib import Path

import clients
import pytest
from clients import ask

from pinchtp.base.options import NONE
from pinchtp.games import Color
from pinchtp.games.notation import SwapSpelling
from pinchtp.gtp.server import Server
from pinchtp.player.settings import OPTIONS, Settings


@pytest.fixture
def server() -> Server:
    return clients.server()


@pytest.mark.parametrize("name", OPTIONS)
def test_defaults_round_trip_as_text(name: str) -> None:
    settings = Settings()
    text = settings.text(name)
    settings.set(name, text)
    assert settings == Settings()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("size", "9", (9, 9)),
        ("size", "13x9", (13, 9)),
        ("pie", "false", False),
        ("time", "0.5", 0.5),
        ("visits", "100", 100),
        ("seed", NONE, None),
        ("swap-as", "swap-sides", SwapSpelling.SWAP_SIDES),
        ("record", "my game.sgf", Path("my game.sgf")),
    ],
)
def test_value_is_read_and_written(name: str, text: str, value: object) -> None:
    settings = Settings()
    settings.set(name, text)
    assert settings.value(name) == value
    assert settings.text(name) == text


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [
        ("size", "30", "a size from 2 to 25"),
        ("time", "-1", "seconds from 0.001"),
        ("visits", "0", "an integer from 1"),
        ("threads", NONE, "an integer from 1"),
        ("pie", "yes", "one of true, false"),
        ("swap-as", "flip", "one of pass, swap"),
        ("colour", "red", "expected game, size"),
    ],
)
def test_errors_name_valid_values(name: str, text: str, right: str) -> None:
    settings = Settings()
    with pytest.raises(ValueError, match=right):
        settings.set(name, text)
    assert settings == Settings()


def test_file_sets_values(tmp_path: Path) -> None:
    path = tmp_path / "pinchtp.toml"
    path.write_text('size = "13x9"\ntime = 2\npie = false\nswap-as = "swap"\n')
    settings = Settings()
    settings.load(path)
    assert (settings.size, settings.time, settings.value("pie")) == ((13, 9), 2.0, False)
    assert settings.swap_as is SwapSpelling.SWAP


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("size = 9", "size", (9, 9)),
        ("size = [13, 9]", "size", (13, 9)),
        ("time = 2", "time", 2.0),
        ("ponder = true", "ponder", True),
        ("record = 'my game.sgf'", "record", Path("my game.sgf")),
        ("seed = 'none'", "seed", None),
        ("move_parts = true", "move_parts", True),
    ],
)
def test_file_values_are_typed(tmp_path: Path, text: str, name: str, value: object) -> None:
    path = tmp_path / "pinchtp.toml"
    path.write_text(text)
    settings = Settings(seed=1)
    settings.load(path)
    assert getattr(settings, name) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tim = 1", "tim: unknown parameter"),
        ("time = 'soon'", "time: 'soon': give seconds"),
        ("time =", "not a TOML file"),
        ("size = [9]", "size: '\\[9\\]': give a size"),
        ("pie = 1", "pie: '1': give one of true, false"),
        ("size = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
    ],
)
def test_invalid_file_error_names_key(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        Settings().load(path)
    assert str(path) in str(error.value)


def test_time_per_move() -> None:
    assert Settings().move_seconds == 1
    assert Settings(visits=10).move_seconds == float("inf")
    assert Settings(visits=10, time=3.0).move_seconds == 3


def test_gogui_dialog(server: Server) -> None:
    lines = ask(server, "pinchtp-param").removeprefix("= ").splitlines()
    assert "[string] time none" in lines
    assert "[bool] ponder 0" in lines
    assert "[list/pass/swap/swap-pieces/swap-sides] swap-as pass" in lines
    assert not any(line.split()[1] == "size" for line in lines)  # fixed while the program runs


def test_gogui_numbers_and_empty_fields(server: Server) -> None:
    assert ask(server, "pinchtp-param ponder 1") == "= "
    assert server.engine.settings.ponder
    assert "[bool] ponder 1" in ask(server, "pinchtp-param").splitlines()
    assert ask(server, "pinchtp-param ponder 0") == "= "
    assert not server.engine.settings.ponder
    assert ask(server, "pinchtp-param ponder 2").startswith("? ponder: '2': give one of")
    assert ask(server, "pinchtp-param visits 50") == "= "
    assert ask(server, 'pinchtp-param visits ""') == "= "
    assert server.engine.settings.visits is None


def test_parameters_name_the_current_game(server: Server) -> None:
    for line in ("pinchtp-game capture-go", "boardsize 13 9"):
        assert ask(server, line) == "= "
    assert ask(server, "pinchtp-param game") == "= capture-go"
    assert ask(server, "pinchtp-param size") == "= 13x9"
    assert " size=13x9 " in ask(server, "gomill-describe_engine")


def test_game_without_the_search_of_the_options_is_refused() -> None:
    server = clients.server(10, game="bushka", search="alpha-beta", network="none")
    assert ask(server, "pinchtp-game pinch").startswith(
        "? cannot change the game: Pinch has no search 'alpha-beta'"
    )
    assert ask(server, "pinchtp-param game") == "= bushka"


def test_seed_applies_from_next_command() -> None:
    def answer() -> str:
        engine = clients.server(7, network="none", visits=60, seed=None)
        ask(engine, "genmove b")
        ask(engine, "undo")
        ask(engine, "pinchtp-param seed 1")
        return ask(engine, "lz-genmove_analyze b")

    assert answer() == answer()


def test_setting_in_running_game(server: Server) -> None:
    assert ask(server, "pinchtp-param visits 50") == "= "
    assert ask(server, "pinchtp-param visits") == "= 50"
    assert ask(server, "kata-get-param maxVisits") == "= 50"
    for name, unlimited in [("maxTime", "1e20"), ("maxVisits", str(2**50))]:
        for value in (unlimited, "1e21", "none"):
            assert ask(server, f"kata-set-param {name} {value}") == "= "
            assert ask(server, f"kata-get-param {name}") == f"= {unlimited}"
        assert ask(server, f"kata-set-param {name} 1e10").startswith("? ")
    assert (server.engine.settings.time, server.engine.settings.visits) == (None, None)
    assert ask(server, "kata-set-param maxVisits 60") == "= "
    assert server.engine.settings.visits == 60
    ask(server, "genmove b")
    assert len(server.engine.session.history) == 1
    assert "maxVisits" in ask(server, "kata-list-params").split()


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("pinchtp-param size 9", "? size: can be set only at startup"),
        ("pinchtp-param visits none of them", "? visits: 'none of them': give an integer"),
        ("pinchtp-param colour", "? unknown parameter 'colour': expected game, size"),
        ("kata-get-param cpuct", "? unknown parameter 'cpuct': expected maxTime"),
        ("kata-set-param maxVisits 0", "? maxVisits: '0': give an integer"),
    ],
)
def test_errors_over_gtp(server: Server, command: str, answer: str) -> None:
    before = ask(server, "pinchtp-param list")
    assert ask(server, command).startswith(answer)
    assert ask(server, "pinchtp-param list") == before


def test_commands_of_gomill(server: Server) -> None:
    assert ask(server, "gomill-explain_last_move") == "= "
    ask(server, "pinchtp-param visits 50")
    ask(server, "genmove b")
    assert ": winrate " in ask(server, "gomill-explain_last_move")
    description = ask(server, "gomill-describe_engine")
    assert description.startswith("= pinchtp ")
    assert "visits=50" in description
    assert float(ask(server, "gomill-cpu_time").removeprefix("= ")) > 0


@pytest.mark.parametrize(
    ("command", "left", "stones"),
    [
        ("kgs-time_settings none", float("inf"), 0),
        ("kgs-time_settings absolute 60", 60, 0),
        ("kgs-time_settings canadian 60 30 5", 60, 0),
        ("kata-time_settings byoyomi 0 30 5", 30, 5),
        ("kata-time_settings fischer 60 5", 60, 0),
        ("kata-time_settings fischer-capped 60 5 90 -1", 60, 0),
    ],
)
def test_time_systems(server: Server, command: str, left: float, stones: int) -> None:
    assert ask(server, command) == "= "
    for color in Color:
        clock = server.engine.session.clock(color)
        assert (clock.left, clock.overtime_count) == (left, stones)


KGS_USAGE = (
    "kgs-time_settings none | absolute MAIN | canadian MAIN TIME STONES | byoyomi MAIN TIME PERIODS"
)


@pytest.mark.parametrize(
    ("command", "why", "usage"),
    [
        ("kgs-time_settings fischer 60 5", "unknown system 'fischer'", KGS_USAGE),
        (
            "kgs-time_settings absolute",
            "absolute takes 1 number, not 0",
            "kgs-time_settings absolute MAIN",
        ),
        ("kgs-time_settings none 3", "none takes 0 numbers, not 1", "kgs-time_settings none"),
        (
            "kata-time_settings BYOYOMI 60 30 1.5",
            "1.5 is not an integer",
            "kata-time_settings byoyomi MAIN TIME PERIODS",
        ),
        *(
            (
                f"kgs-time_settings {system} {numbers}",
                why,
                f"kgs-time_settings {system} MAIN TIME {count}",
            )
            for system, count in (("byoyomi", "PERIODS"), ("canadian", "STONES"))
            for numbers, why in (
                ("5 3 0", f"{count} must be at least 1"),
                ("5 0 3", "TIME must be longer than 0 s"),
            )
        ),
        (
            "kata-time_settings absolute -1",
            "main time must be a finite number, 0 or more, not -1.0",
            "kata-time_settings absolute MAIN",
        ),
        (
            "kata-time_settings fischer-capped 5 1 3 0.5",
            "cap must be at least main time 5 s, not 3",
            "kata-time_settings fischer-capped MAIN INCREMENT CAP MOVE_CAP",
        ),
    ],
)
def test_rejected_time_system_shows_usage(
    server: Server, command: str, why: str, usage: str
) -> None:
    assert refused(server, command) == f"? cannot set time: {why}; usage: {usage}"


def refused(server: Server, command: str) -> str:
    """The response to a command about time that changes nothing."""
    ask(server, "time_settings 60 0 0")
    before = [server.engine.session.clock(color) for color in Color]
    response = ask(server, command)
    assert [server.engine.session.clock(color) for color in Color] == before
    return response


def test_time_systems_are_listed(server: Server) -> None:
    listed = ask(server, "kata-list_time_settings").removeprefix("= ").split()
    assert listed == ["none", "absolute", "canadian", "byoyomi", "fischer", "fischer-capped"]


def test_move_is_charged_to_its_clock(server: Server) -> None:
    ask(server, "time_settings 5 0 0")
    ask(server, "genmove b")
    black, white = (server.engine.session.clock(color) for color in Color)
    assert black.left < 5
    assert white.left == 5


def test_lag_reduces_search_time(server: Server) -> None:
    """A smaller lag uses more of a short clock and charges less."""
    for lag, left in (("0.5", 9.5), ("0.001", 9.999)):
        ask(server, f"pinchtp-param lag {lag}")
        ask(server, "pinchtp-param visits 1")
        ask(server, "clear_board")
        ask(server, "time_settings 10 0 0")
        ask(server, "genmove b")
        assert server.engine.session.clock(Color.BLACK).left == pytest.approx(left, abs=0.4)
