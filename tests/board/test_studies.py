"""Engine tasks: analysis, hints, overlays, proofs, reviews, teaching, console."""

import re
from pathlib import Path

import pytest
from board.visits import Board, Found, Visit, engine, script
from clients import PROGRAM

from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session


def moves(visit: Visit, *texts: str) -> None:
    for number, text in enumerate(texts, visit.state["number"] + 1):
        visit.send("play-turn", text=text)
        visit.until(lambda state, number=number: state["number"] == number)  # type: ignore[misc]


def review(visit: Visit, visits: int) -> Found:
    """Returns a finished review."""
    visit.send("ask-review", visits=visits)
    return visit.wait("review", where=lambda each: not each["running"])


@pytest.mark.slow
def test_review_survives_a_restart(tmp_path: Path) -> None:
    with Board(tmp_path) as server:
        with server.visit() as visit:
            visit.new_game("pinch", 3, options={"pie": False})
            moves(visit, "A1", "B2", "A3")
            done = review(visit, 50)
            assert done["own"]
        with server.visit(visit.cookie) as visit:
            assert visit.wait("review") == done
        server.stop()
        server.start()
        with server.visit(visit.cookie) as visit:
            assert visit.wait("review") == done


@pytest.mark.parametrize("game", GAMES)
def test_analysis_streams_and_follows_the_board(visit: Visit, game: str) -> None:
    visit.new_game(game)
    visit.send("analyze", on=True)
    first = visit.wait("analysis")
    found = visit.wait("analysis", where=lambda each: each["visits"] > first["visits"])
    best = found["candidates"][0]
    session = Session(GAMES[game], *GAMES[game].size)
    assert best["pv"][0]["text"] == best["move"]
    for turn in best["pv"]:
        assert turn["color"] == str(session.to_move)
        session.play(session.to_move, *session.parse(turn["text"]))
    assert 0 <= found["black"] <= 1
    mover = Color[first["color"].upper()]
    chance = found["black"] if mover == Color.BLACK else 1 - found["black"]
    assert best["winrate"] == pytest.approx(chance)
    visit.send("play-turn", text=best["move"])
    state = visit.until(lambda state: state["number"] == 1)
    visit.wait("analysis", where=lambda each: each["node"] == state["node"])
    assert visit.seen["tree"]["nodes"][0]["black"] is not None
    visit.send("analyze", on=False)
    visit.until(lambda state: "analyze" not in state["tasks"])
    assert visit.state["unrated"]


def test_analysis_reports_ten_times_a_second(visit: Visit) -> None:
    visit.new_game("pinch", 9)
    visit.send("analyze", on=True, ownership=True)
    visit.wait("analysis")
    found = [visit.wait("analysis") for _ in range(10)]
    assert len(found[-1]["ownership"]) == 81
    assert all(-1 <= value <= 1 for value in found[-1]["ownership"])


def test_ownership_is_turned_to_the_board(visit: Visit) -> None:
    """Black's stones are at the bottom, White's at the top."""
    cells = [0] * 63
    cells[0:21:2], cells[42:63:2] = [1] * 11, [2] * 11
    visit.ask("set-up", "state", cells=cells, to_move="white", size=[7, 9], game="pinch")
    visit.send("analyze", on=True, ownership=True)
    found = visit.wait("analysis", where=lambda each: each["ownership"] is not None)
    assert sum(found["ownership"][:21]) > 5 > -5 > sum(found["ownership"][42:])


def test_hint_names_a_move_with_a_reason(visit: Visit) -> None:
    visit.new_game("pinch", 5, options={"pie": False})
    moves(visit, "c3")
    hint = visit.ask("ask-hint", "hint")
    assert hint["node"] == visit.state["node"]
    assert hint["move"]["text"] in hint["sentence"]
    assert hint["move"]["points"]


def test_overlay_draws_every_point(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    found = visit.ask("ask-overlay", "overlay", command="pinchtp-swap_map")
    assert {point["at"] for point in found["points"]} == set(range(25))
    assert all(point["color"].startswith("#") and point["label"] for point in found["points"])
    if not visit.seen["hello"]["engines"][0]["overlays"]:
        visit.wait("hello")
    known = {each["command"] for each in visit.seen["hello"]["engines"][0]["overlays"]}
    assert known == {"pinchtp-swap_map", "pinchtp-connection"}  # others are in live analysis


def test_connection_overlay_shows_probabilities(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    found = visit.ask("ask-overlay", "overlay", command="pinchtp-connection")
    assert found["text"].startswith("black 0.")
    visit.send("ask-overlay", command="quit")
    assert "no overlay 'quit'" in visit.wait("notice")["text"]


def test_solution_names_the_winning_line(visit: Visit) -> None:
    visit.new_game("pinch", 3, options={"pie": False})
    visit.send("solve", seconds=30)
    found = visit.wait("solution")
    assert found["line"][0]["color"] == "black"
    assert re.fullmatch(r"Black wins. Proved in \S+ s \([1-9]\d* positions\)\.", found["sentence"])


def test_stopped_solver_says_so(visit: Visit) -> None:
    visit.new_game("pinch", 9)
    visit.send("solve", seconds=600)
    visit.until(lambda state: "solve" in state["tasks"])
    visit.send("stop", task="solve")
    found = visit.wait("solution")
    assert found["sentence"].startswith("Stopped after ")
    assert visit.ask("ask-hint", "hint")


def test_too_short_solver_time_leaves_unknown(visit: Visit) -> None:
    visit.new_game("pinch", 9)
    visit.send("solve", seconds=0.2)
    found = visit.wait("solution")
    assert not found["line"]
    assert "Not solved" in found["sentence"]


# Black to move wins next to C1; anything far away lets White cut.
BLUNDER = "..X..\n..X..\n..X..\nOOXOO\n..... b"
WINNING = {"B1", "C1", "D1"}


def test_review_finds_the_blunder(visit: Visit) -> None:
    visit.ask("load", "state", text=BLUNDER)
    moves(visit, "a5", "c1")
    found = review(visit, 200)
    assert (found["done"], found["total"]) == (3, 3)
    worst = found["worst"][0]
    assert (worst["move"], worst["color"], worst["mark"]) == ("A5", "black", "blunder")
    assert worst["best"][0]["text"] in WINNING
    tree = visit.wait("tree")
    assert tree["nodes"][1]["mark"] == "blunder"
    assert all(node["black"] is not None for node in tree["nodes"])


def test_review_proves_which_moves_lost_by_force(visit: Visit) -> None:
    visit.new_game("pinch", 3, options={"pie": False})
    moves(visit, *["a1", "b3", "c1", "c2", "b1", "a2"])
    found = review(visit, 1)
    forced = found["forced"]
    assert [(each["number"], each["move"]) for each in forced] == [
        *((1, "A1"), (4, "C2"), (5, "B1"), (6, "A2"))
    ]
    assert forced[0]["sentence"].startswith("gave up a forced win: White wins with ")
    assert forced[0]["line"][0]["color"] == "white"
    visit.send("resign")
    visit.until(lambda state: state["result"])
    again = review(visit, 1)
    assert again["forced"] == forced


def test_stopped_review_proves_nothing(visit: Visit) -> None:
    visit.new_game("pinch", 9)
    moves(visit, "e5", "d4", "c3")
    visit.send("ask-review", visits=1)
    visit.wait("review", where=lambda each: each["done"] == each["total"])
    visit.send("stop", task="review")
    found = visit.wait("review", where=lambda each: not each["running"])
    assert (found["done"], found["forced"]) == (4, [])


def test_review_lists_the_worst_moves_of_people(visit: Visit) -> None:
    visit.ask("load", "state", text=BLUNDER)
    moves(visit, "a5", "c1")
    visit.ask("set-players", "state", players={"white": engine()})
    found = review(visit, 200)
    assert [each["move"] for each in found["own"]] == ["A5"]
    visit.ask("set-players", "state", players={"black": engine()})
    found = review(visit, 200)
    assert found["own"] == []


@pytest.mark.parametrize(("move", "is_good"), [("c1", True), ("e5", False)])
def test_engine_judges_another_move(visit: Visit, move: str, is_good: bool) -> None:
    visit.ask("load", "state", text=BLUNDER)
    assert visit.refused("judge-move") == "no move to evaluate"
    moves(visit, move)
    visit.send("judge-move", visits=100)
    node = visit.state["node"]
    tree = visit.wait("tree", where=lambda tree: tree["nodes"][node]["loss"] is not None)
    assert (tree["nodes"][node]["loss"] < 0.05) == is_good


def test_review_runs_during_the_game(visit: Visit) -> None:
    visit.new_game("pinch", 7, options={"pie": False})
    moves(visit, "d4", "c3", "e5", "b2", "f6")
    visit.send("ask-review", visits=300)
    visit.wait("review")
    hint = visit.ask("ask-hint", "hint")
    assert hint["move"]["points"]
    visit.wait("review", where=lambda each: each["done"] == 6 and not each["running"])
    visit.until(lambda state: "review" not in state["tasks"])


def test_finished_game_is_reviewed_to_its_end(visit: Visit) -> None:
    visit.ask("load", "state", text=BLUNDER)
    moves(visit, "c1")
    assert visit.state["result"]["winner"] == "black"
    found = review(visit, 500)
    assert found["done"] == 2
    assert visit.wait("tree")["nodes"][-1]["black"] == 1


def test_teacher_points_out_a_blunder(visit: Visit) -> None:
    visit.ask("load", "state", text=BLUNDER)
    visit.ask("set-players", "state", players={"white": engine(visits=30)})
    visit.ask("set-options", "state", teach=True)
    visit.ask("resume", "state")
    visit.send("play-turn", text="a5")
    state = visit.until(lambda state: state["teaching"] is not None)
    remark = state["teaching"]
    assert remark["best"]["text"] in WINNING
    assert "A5" in remark["sentence"]
    assert state["number"] == 1  # the opponent waits
    assert "take back or play on" in visit.refused("play", at=0)
    visit.send("answer-teaching", take_back=True)
    visit.until(lambda state: state["number"] == 0 and state["teaching"] is None)
    visit.send("play-turn", text="a5")
    visit.until(lambda state: state["teaching"] is not None)
    visit.send("answer-teaching", take_back=False)
    visit.until(lambda state: state["number"] == 2 or state["result"] is not None)


def test_teacher_is_silent_about_a_better_move_that_is_tried(visit: Visit) -> None:
    visit.ask("load", "state", text=BLUNDER)
    visit.ask("set-players", "state", players={"white": engine()})
    visit.ask("set-options", "state", teach=True)
    moves(visit, "a5")
    visit.send("judge-move", visits=100)
    visit.wait("tree", where=lambda tree: tree["nodes"][1]["loss"] is not None)
    visit.ask("set-options", "state", teach=False)
    assert visit.state["teaching"] is None


def test_teacher_accepts_a_good_move(visit: Visit) -> None:
    visit.new_game("pinch", 7, players={"white": engine(visits=20)}, options={"pie": False})
    best = visit.ask("ask-hint", "hint")["move"]["text"]
    visit.ask("set-options", "state", teach=True)
    visit.send("play-turn", text=best)
    state = visit.until(lambda state: state["number"] == 2)
    assert state["teaching"] is None


def test_finished_game_is_rated(visit: Visit) -> None:
    players = {"white": {"engine": 0, "level": {"adaptive": True}}}
    state = visit.new_game("pinch", 5, players=players)
    assert not state["unrated"]
    before = state["rating"]
    visit.send("resign")
    state = visit.until(lambda state: state["rating_change"])
    after = state["rating"]
    assert f"Your rating is {after['rating']} (\N{MINUS SIGN}" in state["rating_change"]
    assert f"about that of level {after['level']}." in state["rating_change"]
    assert after["rating"] < before["rating"]
    assert after["adaptive"] < before["adaptive"]
    assert after["games"] == before["games"] + 1
    visit.ask("rematch", "state")
    visit.until(lambda state: state["result"] is None and "hint" in state["can"])
    visit.ask("ask-hint", "hint")
    visit.send("resign")
    state = visit.until(lambda state: state["result"] is not None)
    assert state["rating"]["games"] == after["games"]  # the visitor had help


def test_end_outside_the_game_is_not_rated(visit: Visit) -> None:
    """Pasted moves, or those of both colors in a pause, were rated as a game against the engine."""
    players = {"white": {"engine": 0, "level": {"adaptive": True}}}
    visit.new_game("pinch", 3, players=players, options={"pie": False})
    visit.ask("load", "state", text="a1 b3 a2 c3 a3")
    assert visit.state["result"]["winner"] == "black"
    visit.new_game("pinch", 3, players=players, options={"pie": False})
    visit.ask("pause", "state")
    moves(visit, "a1", "b3", "a2", "c3", "a3")
    assert visit.state["result"]["winner"] == "black"
    assert visit.state["rating"]["games"] == 0


def test_console_shows_commands_and_responses(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    moves(visit, "c3")
    found = visit.ask("console-command", "console", line="showboard", id=5)
    assert found["request"] == 5
    assert found["lines"][0] == {"engine": 0, "kind": ">", "text": "showboard"}
    assert any("(X)" in line["text"] for line in found["lines"])
    found = visit.ask("console-command", "console", line="nonsense")
    assert found["lines"][1]["text"] == "? unknown command"
    for wrong in ("", "# comment", "name\nversion"):
        assert visit.refused("console-command", line=wrong)
    commands = visit.seen["hello"]["engines"][0]["commands"]
    assert "kata-analyze" in commands
    visit.ask("console-command", "console", line="play w a1")  # without the table's knowledge
    visit.ask("ask-hint", "hint")
    found = visit.ask("console-command", "console", line="pinchtp-history")
    assert found["lines"][1]["text"] == "= b C3"
    found = visit.ask("console-command", "console", line="kata-analyze w 10")
    assert any("info move" in line["text"] for line in found["lines"])
    assert not any("file" in text for text in visit.notices)
    found = visit.ask("console-command", "console", line="printsgf /tmp/never")
    assert "?" in found["lines"][1]["text"]
    visit.ask("console-command", "console", line="quit")
    visit.ask("ask-hint", "hint")


def test_gtp_log_is_sent_while_watched(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    visit.send("watch", on=True)
    visit.send("ask-hint")
    seen: list[Found] = []
    while not any("info move" in line["text"] for line in seen):
        seen += visit.wait("console")["lines"]
    assert {line["kind"] for line in seen} == {">", "<"}


def test_gtp_log_is_of_the_page_that_watches(server: Board, visit: Visit) -> None:
    with server.visit(visit.cookie) as other:
        other.send("watch", on=True)
        visit.ask("ask-hint", "hint")
        other.wait("console")
        visit.send("ping", id=1)
        visit.wait("accepted")
        assert "console" not in visit.seen
        visit.send("watch", on=True)
        other.ask("watch", "accepted", on=False, id=2)
        visit.ask("ask-hint", "hint")
        assert "console" in visit.seen


def test_engine_can_move_for_either_side(visit: Visit) -> None:
    visit.new_game("pinch", 5, options={"pie": False})
    visit.send("think")
    visit.until(lambda state: state["number"] == 1)
    visit.send("think")
    visit.until(lambda state: state["number"] == 2)


def test_moves_of_weak_levels_have_the_networks_evaluation(visit: Visit) -> None:
    """Most of them have no visits."""
    beginner = {"engine": 0, "level": {"number": 3}}
    visit.new_game("pinch", 7, players={"black": beginner, "white": beginner})
    visit.until(lambda state: state["number"] >= 6)
    visit.send("pause")
    assert len(visit.moves()) >= 6
    values = [node["black"] for node in visit.seen["tree"]["nodes"][1:7]]
    assert None not in values
    assert len(set(values)) > 3


def test_pause_and_resume(visit: Visit) -> None:
    visit.new_game("pinch", 7, players={"black": engine(visits=5), "white": engine(visits=5)})
    visit.send("set-options", pace=0.3)
    visit.until(lambda state: state["number"] >= 2)
    visit.send("pause")
    state = visit.until(lambda state: not state["live"])
    number = state["number"]
    assert "resume" in state["can"]
    visit.send("step", by=-1)
    visit.until(lambda state: state["number"] == number - 1)
    visit.send("resume")
    visit.until(lambda state: state["number"] > number)


def test_different_engines_play_each_other(tmp_path_factory: pytest.TempPathFactory) -> None:
    ours = " ".join(PROGRAM) + " --game {game} --size {width} --visits 5 {options}"
    arguments = ("--engine", script(), "--engine", ours)
    with Board(tmp_path_factory.mktemp("two"), *arguments) as board, board.visit() as visit:
        players = {"black": {"engine": 0}, "white": {"engine": 1}}
        visit.send("set-options", pace=0)
        visit.new_game("pinch", 5, players=players, options={"pie": False})
        state = visit.until(lambda state: state["result"] is not None)
        assert state["result"]["winner"] == "white"
        assert all(each["commands"] for each in visit.seen["hello"]["engines"])
        assert visit.moves()[0] == "A1"
        assert visit.seen["tree"]["nodes"][1]["black"] is None  # this engine reports nothing
