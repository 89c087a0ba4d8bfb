"""Networks, rules and the search tree, as KataGo's clients ask."""

import json

import pytest
from clients import refuse, say, server

from pinchtp._core import Network, Position
from pinchtp.player import network
from pinchtp.player.player import Limits


def test_rules_name_game_and_options() -> None:
    assert json.loads(say(server(), "kata-get-rules")) == {"game": "pinch", "pie": True}
    assert json.loads(say(server(pie=False), "kata-get-rules")) == {"game": "pinch", "pie": False}


def test_models_are_the_networks_of_the_game() -> None:
    engine = server()
    assert json.loads(say(engine, "kata-get-models")) == [
        {"name": "pinch.network", "game": "pinch"},
        {"name": "pinch-small.network", "game": "pinch"},
    ]
    say(engine, "pinchtp-game bushka")
    assert json.loads(say(engine, "kata-get-models")) == []
    assert json.loads(say(server(network="none"), "kata-get-models")) == []


@pytest.mark.parametrize(
    "command",
    [
        "boardsize 9",
        "clear_board",
        "pinchtp-game pinch-remove",
        "time_settings 0 1 1",
        "kata-time_settings fischer 60 1",
    ],
)
def test_network_is_not_loaded_on_the_clock(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    load = network.load

    def note(file: network.NetworkFile, position: Position, name: str) -> Network:
        loaded.append(name)
        return load(file, position, name)

    monkeypatch.setattr(network, "load", note)
    engine = server()
    assert loaded == []
    say(engine, command)
    assert len(loaded) == 1
    say(engine, "genmove b")
    assert len(loaded) == 1


def test_clear_cache_drops_the_tree() -> None:
    engine = server(5, visits=50)
    say(engine, "kata-search_analyze 100")
    player = engine.engine.player
    session = engine.engine.session
    assert player.search(session, Limits(visits=0)).visits == 50
    say(engine, "clear_cache")
    assert player.search(session, Limits(visits=0)).visits == 1  # of an empty tree's root


@pytest.mark.parametrize("moves", [(), ("b c3",)])
def test_raw_nn_agrees_with_the_core(moves: tuple[str, ...]) -> None:
    engine = server(5, 4)
    for move in moves:
        say(engine, f"play {move}")
    lines = say(engine, "kata-raw-nn 1").split("\n")
    position = engine.engine.session.position
    player = engine.engine.player
    network = player.network(position)
    assert network is not None
    winrate, priors, owners = position.evaluate(network, 1)
    assert lines[0] == "symmetry 1"
    white = winrate if moves else 1 - winrate
    assert float(lines[1].removeprefix("whiteWin ")) == pytest.approx(white, abs=1e-6)
    assert float(lines[2].removeprefix("whiteLoss ")) == pytest.approx(1 - white, abs=1e-6)
    assert lines[3] == "policy"
    grid = [text for line in reversed(lines[4:8]) for text in line.split()]
    legal = [float(text) for text in grid if text != "NAN"]
    assert legal == pytest.approx(priors[: len(legal)], abs=1e-6)
    assert len(grid) - len(legal) == len(moves)  # the occupied point
    assert lines[8].startswith("policyPass ")
    assert (lines[8] == "policyPass NAN") == (not moves)  # the swap
    assert lines[9] == "whiteOwnership"
    corner = float(lines[13].split()[0])
    assert corner == pytest.approx((2 * owners[0][0] - 1) * (1 if moves else -1), abs=1e-5)
    assert len(lines) == 14


def test_raw_nn_of_all_symmetries_and_refusals() -> None:
    engine = server(5)
    count = engine.engine.session.position.symmetries
    assert say(engine, "kata-raw-nn all").count("symmetry") == count
    refuse(engine, f"kata-raw-nn {count}", "syntax error")
    refuse(engine, "kata-raw-nn", "syntax error")
    refuse(server(network="none"), "kata-raw-nn 0", "no network")
