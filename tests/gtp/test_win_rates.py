"""Win rates that the engine reports: where something was evaluated, and nowhere else."""

import re
from dataclasses import replace

import pytest
from clients import ask, say, server

from pinchtp.games import GAMES
from pinchtp.gtp.server import Server
from pinchtp.player.network import find_packaged, read

EXPLAIN = "gomill-explain_last_move"


def first_color(game: str) -> str:
    return "w" if GAMES[game].start(*GAMES[game].size).to_move else "b"


def without_visits() -> Server:
    """Returns a server that evaluates by playouts, none of which ends in time."""
    gtp = server(9, network="none")
    stop_searches(gtp)
    return gtp


def stop_searches(gtp: Server) -> None:
    """Ends every search before its first visit, as `time_left b 0 0` may."""
    player = gtp.engine.player
    run = player._run
    player._run = lambda search, session, limits, step=0: run(
        search, session, replace(limits, visits=0), step
    )


@pytest.mark.parametrize("game", sorted(name for name in GAMES if find_packaged(name)))
@pytest.mark.parametrize("level", [1, 11])
def test_level_of_one_visit_reports_the_networks_evaluation(game: str, level: int) -> None:
    gtp = server(9, game=game, level=level, visits=None)
    position = gtp.engine.session.position
    slope = read(find_packaged(game)).slope
    network = gtp.engine.player._networks.of(position)
    odds = [
        (value / (1 - value)) ** slope
        for value in (position.evaluate(network, image)[0] for image in range(position.symmetries))
    ]
    say(gtp, "genmove b")
    found = re.search(r": winrate (\S+) %, 1 visit, expects ", say(gtp, EXPLAIN))
    assert found
    shown = float(found[1])
    assert min(abs(shown - 100 * each / (1 + each)) for each in odds) < 0.5 * slope
    assert f"SBKV[{shown:.2f}]" in say(gtp, "printsgf")


def test_pass_after_the_end_has_no_explanation() -> None:
    gtp = server(2, pie=False)
    moves = []
    while not gtp.engine.session.is_over:
        moves.append(say(gtp, f"genmove {gtp.engine.session.to_move.letter}"))
    assert say(gtp, EXPLAIN).startswith(f"{moves[-1]}: ")
    assert say(gtp, "genmove b") == "pass"
    assert say(gtp, EXPLAIN) == ""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", [*range(1, 20, 3), 20])
def test_levels_report_what_was_evaluated(game: str, level: int) -> None:
    """No level reports exactly one half of its first move."""
    gtp = server(*GAMES[game].size, game=game, level=level, visits=200 if level == 20 else None)
    say(gtp, f"genmove {first_color(game)}")
    explained = say(gtp, EXPLAIN)
    assert re.search(r": winrate \S+ %, (1 visit|(?!1 )[0-9]+ visits), expects ", explained)
    assert "winrate 50.00 %, 1 visit," not in explained


def test_move_without_visits_has_no_win_rate() -> None:
    gtp = without_visits()
    move = say(gtp, "genmove b")
    assert say(gtp, EXPLAIN) == f"{move}: no visits"
    record = say(gtp, "printsgf")
    assert "SBKV" not in record
    assert "winrate" not in record
    assert gtp.engine.session.history[0].winrate is None


def test_move_without_visits_is_not_explained_by_an_earlier_one() -> None:
    gtp = server(9, network="none")
    say(gtp, "genmove b")
    assert "winrate" in say(gtp, EXPLAIN)
    say(gtp, "play w a1")
    gtp.engine.player.forget()
    stop_searches(gtp)
    move = say(gtp, "genmove b")
    assert say(gtp, EXPLAIN) == f"{move}: no visits"
    say(gtp, "play w b1")
    assert say(gtp, EXPLAIN) == f"{move}: no visits"


@pytest.mark.parametrize("name", ["lz-", "kata-", ""])
def test_analysis_without_visits_reports_no_line(name: str) -> None:
    gtp = without_visits()
    assert re.fullmatch(r"= \nplay \w+", ask(gtp, f"{name}genmove_analyze b 100"))


def test_unknown_win_rate_never_resigns() -> None:
    gtp = without_visits()
    say(gtp, "pinchtp-param resign 0.99")
    assert say(gtp, "genmove b") != "resign"


def test_connection_without_visits_is_empty() -> None:
    assert say(without_visits(), "pinchtp-connection") == ""


def test_moves_without_visits_are_shown_with_the_positions_win_rate() -> None:
    gtp = server(9, level=1, visits=None)
    answer = ask(gtp, "kata-genmove_analyze b 100 minmoves 7 rootInfo true")
    rates = re.findall(r"winrate (\S+)", answer)
    assert len(rates) == 8
    assert set(rates) == {rates[-1]}
    assert f"winrate {100 * float(rates[-1]):.2f} %, 1 visit," in say(gtp, EXPLAIN)


def test_proven_win_is_reported_as_proven() -> None:
    gtp = server(3, pie=False)
    for line in ("play b b2", "play w a1", "play b b1", "play w c1"):
        say(gtp, line)
    say(gtp, "genmove b")
    explained = say(gtp, EXPLAIN)
    assert re.fullmatch(
        r"\w3: winrate 100\.00 % \(proven win\)(, 1 visit)?, expects \w3", explained
    )
