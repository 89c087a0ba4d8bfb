"""Games at `pinchtp board`, over the socket of a page."""

import json
import random
from base64 import b64encode
from pathlib import Path

import pytest
from board.visits import Board, Found, Visit, engine
from record_games import from_sgf

from pinchtp.games import GAMES

SMALL = {"pinch": 5, "pinch-remove": 4, "pinch-relocate": 4, "capture-go": 5, "bushka": 10}


def click(visit: Visit, source: random.Random) -> None:
    """Makes a random click for the human to move."""
    state = visit.state
    legal = visit.state["legal"]
    if legal["points"]:
        at = source.choice(legal["points"])
        found = visit.ask("play", "state", at=at, node=state["node"])
    else:
        found = visit.ask("pass" if "pass" in state["can"] else "swap", "state")
    assert found["chosen"] or found["number"] == state["number"] + 1


def assert_ended_on_the_board(state: Found) -> None:
    """Asserts that nobody resigned or lost on time."""
    assert not {"resigned", "time"} & set(state["result"]["sentence"].split())


def humans_turn(state: Found) -> bool:
    mover = state["players"][state["to_move"]]
    return bool(state["result"]) or (mover["engine"] is None and not state["thinking"])


@pytest.mark.parametrize("game", GAMES)
def test_game_against_the_engine_ends(visit: Visit, game: str) -> None:
    source = random.Random(1)
    players = {"white": engine(visits=15)}
    visit.new_game(game, SMALL.get(game), players=players)
    for _ in range(400):
        state = visit.until(humans_turn)
        if state["result"]:
            break
        click(visit, source)
    assert state["result"]["winner"] in ("black", "white", "draw")
    assert state["result"]["sentence"] == state["standing"]
    assert state["legal"]["points"] == []
    assert visit.refused("play", at=0)
    record = visit.ask("export", "exported", kind="sgf")
    read = from_sgf(record["text"].encode(), GAMES[game])
    assert read.history[-1].position.result is not None or read.history[-1].move is None


def test_accepted_follows_the_new_state(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    visit.send("play", at=12, id=9)
    types = [visit.wait("state", "accepted", "refused") for _ in range(2)]
    assert [message["type"] for message in types] == ["state", "accepted"]
    assert types[1]["request"] == 9
    assert visit.refused("play", at=12) == "C3 is occupied"


@pytest.mark.parametrize(
    ("type", "fields", "reason"),
    [
        ("solve", {"seconds": 5000}, "seconds: expected at most 3,600"),
        ("set-options", {"pace": -1}, "pace: expected at least 0"),
        ("set-name", {"name": 101 * "x"}, "name: expected at most 100 characters"),
        (
            "new-game",
            {"players": {"white": {"level": {"seconds": 4000}}}},
            "seconds: expected at most 3,600",
        ),
    ],
)
def test_value_out_of_range_is_explained(
    visit: Visit, type: str, fields: Found, reason: str
) -> None:
    assert visit.refused(type, **fields) == reason


def test_names_of_a_record_do_not_pass_to_the_next_one(visit: Visit) -> None:
    visit.ask("load", "state", text="(;SZ[5]PB[Ann]PW[Bo];B[aa])")
    assert visit.state["players"]["white"]["name"] == "Bo"
    visit.ask("load", "state", text="(;SZ[5];B[bb])")
    assert not visit.state["players"]["black"]["name"] + visit.state["players"]["white"]["name"]


@pytest.mark.parametrize("game", GAMES)
def test_game_between_engines_ends(visit: Visit, game: str) -> None:
    players = {"black": engine(visits=8), "white": engine(visits=12)}
    visit.send("set-options", pace=0)
    visit.new_game(game, SMALL.get(game), players=players)
    state = visit.until(lambda state: state["result"] is not None, timeout=200)
    assert_ended_on_the_board(state)
    assert visit.wait("tree")["nodes"][-1]["black"] is None  # no search after the end
    visit.ask("go", "state", node=0)
    assert not visit.state["live"]


def test_new_visitor_begins_by_a_click(visit: Visit) -> None:
    state = visit.state
    assert state["players"]["white"]["level"]["adaptive"]
    visit.ask("play", "state", at=state["legal"]["points"][0], node=state["node"])
    assert visit.until(humans_turn)["number"] == 2


def test_swap_button_exchanges_colors(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    state = visit.ask("play-turn", "state", text="c3")
    assert "swap" in state["can"]
    state = visit.ask("swap", "state")
    assert state["board"]["cells"][12] == 2
    assert state["board"]["top_owner"] == "white"
    assert state["to_move"] == "black"
    assert "swap" not in state["can"]
    assert visit.refused("swap") == "a swap is possible only as the second move"


def test_illegal_requests_are_rejected_with_a_reason(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    visit.ask("play", "state", at=12)
    assert visit.refused("play", at=12) == "C3 is occupied"
    assert visit.refused("play", at=25) == "that point is not on the board"
    assert visit.refused("play", at=3, node=0) == "the board has changed"
    assert "not a move" in visit.refused("play-turn", text="hello")
    assert visit.refused("new-game", game="chess") == "unknown game 'chess'"
    refusal = visit.refused("set-up", game="chess", cells=[0] * 25, size=[5, 5], to_move="black")
    assert refusal == "unknown game 'chess'"
    assert "crosscut" in visit.refused("new-game", game="pinch", options={"crosscut": True})
    assert visit.refused("new-game", game="pinch", size=[1, 99])
    assert "no option 'width'" in visit.refused("new-game", options={"width": 9})
    visit.send("new-game", game="pinch", size=[2**40, 5])
    assert "size" in visit.wait("refused")["text"]
    visit.send("set-up", cells=[0] * 25, to_move="black", size=[5, 2**40])
    assert "size" in visit.wait("refused")["text"]
    assert visit.refused("new-game", game="pinch", players={"black": engine(7)})
    assert visit.state["number"] == 1


def test_banned_point_has_a_reason(visit: Visit) -> None:
    visit.new_game("pinch-remove", 5, options={"pie": False})
    for move in ("c3", "d3", "d2"):
        visit.ask("play-turn", "state", text=move)
    d3 = 2 * 5 + 3
    assert [at for at, cell in enumerate(visit.state["board"]["cells"]) if cell == 5] == [d3]
    ((at, text),) = visit.state["legal"]["refusals"].items()
    assert int(at) == d3
    assert "captured" in text


def test_cascade_has_numbered_steps(visit: Visit) -> None:
    visit.ask("load", "state", text=CASCADE)
    state = visit.ask("play-turn", "state", text="d2")
    steps = {captured["at"]: captured["step"] for captured in state["board"]["captured"]}
    width = state["board"]["width"]
    assert steps == {2 * width + 3: 1, 3 * width + 3: 2, 4 * width + 3: 3}
    assert all(captured["was"] == 2 for captured in state["board"]["captured"])
    assert state["announcement"] == "Black plays D2, capturing D3, D4, D5."


CASCADE = """\
. . . . . . .
. . X O . . .
. . . O X . .
. . X O . . .
. . . . . . .
. . . . . . . b"""


def test_relocation_names_the_next_step(visit: Visit) -> None:
    visit.new_game("pinch-relocate", 5, options={"pie": False})
    for move in ("c3", "d3", "a1", "e5"):
        visit.ask("play-turn", "state", text=move)
    d2 = 1 * 5 + 3
    before = visit.state["number"]
    state = visit.ask("play", "state", at=d2)
    assert state["chosen"]
    assert "Place a lifted" in state["legal"]["todo"]
    assert state["board"]["lifted"] == ["white"]
    state = visit.ask("cancel", "state")
    assert (state["chosen"], state["number"]) == ([], before)
    visit.ask("play", "state", at=d2)
    state = visit.ask("play", "state", at=visit.state["legal"]["points"][0])
    assert state["number"] == before + 1


def test_bushka_shows_the_whole_paths(visit: Visit) -> None:
    state = visit.new_game("bushka")
    turns = state["legal"]["turns"]
    assert {turn["parts"][0] for turn in turns} == set(state["legal"]["points"])
    turn = turns[0]
    state = visit.ask("play", "state", at=turn["parts"][0])
    assert state["chosen"] == turn["parts"][:1]
    assert state["legal"]["todo"] == "Choose a destination."
    assert turn["parts"][1] in state["legal"]["points"]
    state = visit.ask("play", "state", at=turn["parts"][1])
    assert state["number"] == 1


def test_undo_goes_back_to_the_human(visit: Visit) -> None:
    visit.new_game("pinch", 7, players={"white": engine(visits=5)}, options={"pie": False})
    visit.ask("play-turn", "state", text="d4")
    visit.until(lambda state: state["number"] == 2 and humans_turn(state))
    state = visit.ask("undo", "state")
    assert state["number"] == 0
    assert state["live"]
    assert state["unrated"]
    assert len(visit.seen["tree"]["nodes"]) == 3
    visit.ask("play-turn", "state", text="a1")
    visit.until(lambda state: state["number"] == 2 and humans_turn(state))


def test_undo_while_the_engine_thinks(visit: Visit) -> None:
    player = {"engine": 0, "level": {"seconds": 20}}
    visit.new_game("pinch", 9, players={"white": player}, options={"pie": False})
    visit.ask("play-turn", "state", text="d4")
    visit.until(lambda state: state["thinking"] is not None)
    state = visit.ask("undo", "state")
    assert state["number"] == 0
    assert state["thinking"] is None
    visit.ask("set-players", "state", players={"white": engine(visits=5)})
    visit.ask("play-turn", "state", text="e4")
    state = visit.until(lambda state: state["number"] == 2)
    assert visit.moves()[0] == "E4"


def test_resign_and_rematch(visit: Visit) -> None:
    visit.new_game("pinch", 5, players={"white": engine(visits=5)})
    state = visit.ask("resign", "state")
    assert state["result"] == {
        "winner": "white",
        "sentence": "White wins: Black has resigned",
    }
    state = visit.ask("rematch", "state")
    assert state["players"]["black"]["engine"] == 0
    visit.until(lambda state: state["number"] == 1)


def test_handicap_and_rectangles(visit: Visit) -> None:
    state = visit.new_game("capture-go", (9, 7), handicap=4, players={"white": engine()})
    assert state["unrated"] == "it has handicap stones"
    assert (state["board"]["width"], state["board"]["height"]) == (9, 7)
    assert state["board"]["cells"].count(1) == 4
    assert state["to_move"] == "white"
    assert "2 to 9" in visit.refused("new-game", game="capture-go", size=[5, 5], handicap=4)
    assert "handicap" in visit.refused("new-game", game="pinch", handicap=2)


def test_time_runs_out(visit: Visit) -> None:
    state = visit.new_game("pinch", 5, time={"main": 0.6})
    assert state["clocks"]["black"] == {"left": 0.6, "periods": 0, "running": False}
    state = visit.ask("play-turn", "state", text="c3")
    assert state["clocks"]["white"]["running"]
    state = visit.until(lambda state: state["result"] is not None)
    assert state["result"] == {
        "winner": "black",
        "sentence": "Black wins: White's time is up",
    }
    assert visit.refused("play", at=0) == "the game is over"
    assert "RE[B+T]" in visit.ask("export", "exported", kind="sgf")["text"]


def test_looking_back_pauses_the_clocks_until_resumed(visit: Visit) -> None:
    visit.new_game("pinch", 5, time={"main": 100}, options={"pie": False})
    for text in ("c3", "d4"):
        visit.ask("play-turn", "state", text=text)
    assert {"pause", "resume"} & set(visit.state["can"]) == {"pause"}
    state = visit.ask("step", "state", by=-1)
    assert not any(clock["running"] for clock in state["clocks"].values())
    assert {"pause", "resume"} & set(state["can"]) == {"resume"}
    visit.ask("step", "state", by=1)
    state = visit.ask("resume", "state")
    assert state["clocks"]["black"]["running"]


def test_byo_yomi_gives_more_time(visit: Visit) -> None:
    time = {"main": 0.2, "period": 1, "periods": 3}
    visit.new_game("pinch", 5, time=time)
    visit.ask("play-turn", "state", text="c3")
    state = visit.until(lambda state: state["clocks"]["white"]["periods"] < 3)
    assert state["result"] is None
    visit.until(lambda state: state["result"] is not None)
    assert visit.refused("new-game", time={"main": 0})


@pytest.mark.parametrize(
    ("time", "reason"),
    [
        ({"increment": 1, "period": 5, "periods": 3}, "not both"),
        ({"period": 5}, "byo-yomi needs both"),
        ({"periods": 3}, "byo-yomi needs both"),
    ],
)
def test_incomplete_time_is_refused(visit: Visit, time: Found, reason: str) -> None:
    assert reason in visit.refused("new-game", time={"main": 60, **time})


def test_engine_plays_within_its_clock(visit: Visit) -> None:
    players = {"black": {"engine": 0}, "white": {"engine": 0}}
    visit.new_game("pinch", 4, time={"main": 10, "increment": 0.1}, players=players)
    state = visit.until(lambda state: state["result"] is not None)
    assert_ended_on_the_board(state)


def test_set_up_mode(visit: Visit) -> None:
    cells = [0] * 25
    cells[12], cells[7] = 1, 2
    state = visit.ask(
        "set-up", "state", cells=cells, to_move="white", size=[5, 5], game="capture-go"
    )
    assert state["board"]["cells"] == cells
    assert state["to_move"] == "white"
    visit.ask("think", "state")
    visit.until(lambda state: state["number"] == 1)
    assert visit.refused("set-up", cells=cells[1:], to_move="white", size=[5, 5])
    assert visit.refused("set-up", cells=[9] * 25, to_move="white", size=[5, 5])


@pytest.mark.parametrize(
    "text",
    ["c3 d4 a1", "1. c3 2. d4 3. a1", "b c3 w d4 b a1", "play b c3\nplay w d4\nplay b a1\n"],
)
def test_lists_of_moves(visit: Visit, text: str) -> None:
    visit.new_game("pinch", 5)
    visit.ask("load", "state", text=text)
    visit.wait("tree")
    assert visit.moves() == ["C3", "D4", "A1"]
    assert not visit.state["live"]


def test_pasted_moves_keep_the_game(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    for text in ("c3", "d4"):
        visit.ask("play-turn", "state", text=text)
    visit.ask("load", "state", text="e5")
    assert [node["move"] for node in visit.wait("tree")["nodes"]] == ["", "C3", "D4", "E5"]
    assert visit.moves() == ["E5"]
    assert visit.refused("load", text="a1 a1")
    assert len(visit.seen["tree"]["nodes"]) == 4


@pytest.mark.parametrize(
    "text", ["", "hello world", "(;", "(;GM[2]RU[chess])", "c3 c3", "(;SZ[5];B[zz])", "X.\nX", "\0"]
)
def test_invalid_load_changes_nothing(visit: Visit, text: str) -> None:
    visit.new_game("pinch", 5)
    assert visit.refused("load", text=text)
    assert visit.state["number"] == 0


def test_variations_are_saved_and_loaded(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    for text in ("c3", "d4", "a1"):
        visit.ask("play-turn", "state", text=text)
    visit.ask("step", "state", by=-2)
    visit.ask("play-turn", "state", text="b2")
    visit.ask("comment", "tree", node=visit.state["node"], text="] and \\ <b>bold</b>")
    saved = visit.ask("export", "exported", kind="sgf")["text"]
    visit.new_game("bushka")
    visit.ask("load", "state", text=saved)
    nodes = visit.wait("tree")["nodes"]
    found = {(node["parent"], node["move"], node["comment"]) for node in nodes}
    assert found == {
        (None, "", ""),
        (0, "C3", ""),
        (1, "D4", ""),
        (2, "A1", ""),
        (1, "B2", "] and \\ <b>bold</b>"),
    }
    assert visit.ask("export", "exported", kind="sgf")["text"] == saved


def test_variations_are_promoted_and_deleted(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    for text in ("c3", "d4"):
        visit.ask("play-turn", "state", text=text)
    visit.ask("go", "state", node=1)
    visit.ask("play-turn", "state", text="b2")
    node = visit.state["node"]
    visit.send("promote", node=node)
    visit.ask("go", "state", node=0)
    assert visit.seen["tree"]["line"] == [0, 1, node]
    visit.ask("delete", "tree", node=node)
    assert visit.seen["tree"]["line"] == [0, 1, 2]
    assert "cannot remove" in visit.refused("delete", node=0)
    visit.ask("go", "state", node=2)
    visit.ask("delete", "tree", node=1)
    assert visit.state["number"] == 0


def test_pictures_and_texts_are_exported(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    visit.ask("play-turn", "state", text="c3")
    assert visit.ask("export", "exported", kind="svg")["text"].startswith("<svg")
    text = visit.ask("export", "exported", kind="text")["text"]
    assert "(X)" in text


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_rules_with_examples(visit: Visit, game: str) -> None:
    rules = visit.ask("ask-rules", "rules", game=game)
    assert rules["sections"]
    steps = [step for section in rules["sections"] for step in section["steps"]]
    assert len(steps) > 2
    assert all(step["caption"] for step in steps)
    assert visit.refused("ask-rules", game="../pinch")


def test_hello_lists_the_registry(visit: Visit) -> None:
    hello = visit.seen["hello"]
    assert [game["name"] for game in hello["games"]] == list(GAMES)
    assert all(game["lesson"] for game in hello["games"])
    assert json.dumps(hello).isascii()


def test_bushka_path_captures_no_own_man(visit: Visit) -> None:
    """Neither before the man's origin is chosen nor after it."""
    state = visit.new_game("bushka")
    assert all(turn["captured"] == [] for turn in state["legal"]["turns"])
    origin = next(turn["parts"][0] for turn in state["legal"]["turns"])
    state = visit.ask("play", "state", at=origin)
    assert state["chosen"] == [origin]
    assert all(turn["captured"] == [] for turn in state["legal"]["turns"])


def test_socket_of_another_version_is_refused(server: Board) -> None:
    page = Visit(server, server.cookie(), path="/0123456789abcdef")
    assert page.wait("notice", "hello")["text"] == "The board was updated: reload this page."
    page.close()


def test_long_request_delays_no_other(tmp_path: Path) -> None:
    slow = """
import time, pinchtp.render.gif as gif
drawn = gif.game_gif
gif.game_gif = lambda *args, **kwargs: time.sleep(2) or drawn(*args, **kwargs)
"""
    with Board(tmp_path, patch=slow) as board, board.visit() as visit, board.visit() as other:
        visit.send("export", kind="gif", id=1)
        visit.send("ping", id=2)
        visit.send("play", at=40, id=3)
        other.ask("load", "accepted", text="A1 B2", id=1)
        order = [visit.wait("accepted")["request"] for _ in range(3)]
        assert order == [2, 3, 1]
        assert visit.seen["exported"]["text"].startswith(b64encode(b"GIF89a").decode())
