"""`pinchtp analysis`: queries and actions, and their answers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from analysis.program import MOVES, SMALL, KeptAnswers, run
from clients import FOLDER
from clients import run as run_program

from pinchtp.analysis.command import answer_line
from pinchtp.analysis.engine import AnalysisEngine
from pinchtp.analysis.queries import NAMES
from pinchtp.player.settings import Settings

RELOCATION = [["B", "B2"], ["W", "swap"], ["B", "B3"], ["W", "C2"], ["B", "D4"], ["W", "D3"]]


@pytest.fixture(scope="module")
def answers() -> dict[int, dict[str, Any]]:
    """The answers for each turn of a game, by turn."""
    query = {
        "id": "g",
        "moves": MOVES,
        "boardXSize": 9,
        "boardYSize": 7,
        "analyzeTurns": [0, 1, 4],
        "maxVisits": 60,
        "includePolicy": True,
        "includeOwnership": True,
        "includePVVisits": True,
    }
    found = run(query)
    assert {each["id"] for each in found} == {"g"}
    assert not any(each["isDuringSearch"] for each in found)
    return {each["turnNumber"]: each for each in found}


def test_each_turn_has_one_answer(answers: dict[int, dict[str, Any]]) -> None:
    assert sorted(answers) == [0, 1, 4]
    assert [answers[turn]["rootInfo"]["currentPlayer"] for turn in (0, 1, 4)] == ["B", "W", "B"]


def test_moves_have_the_names_of_katago(answers: dict[int, dict[str, Any]]) -> None:
    for each in answers.values():
        visits = sum(move["visits"] for move in each["moveInfos"])
        assert visits >= each["rootInfo"]["visits"] - 60
        for order, move in enumerate(each["moveInfos"]):
            assert move["order"] == order
            assert move["pv"][0] == move["move"]
            assert len(move["pvVisits"]) == len(move["pv"])
            assert move["utility"] == pytest.approx(2 * move["winrate"] - 1, abs=2e-6)
            assert 0 <= move["prior"] <= 1


def test_policy_and_ownership_are_rows_from_the_top(answers: dict[int, dict[str, Any]]) -> None:
    last = answers[4]
    policy = last["policy"]
    assert len(policy) == 9 * 7 + 1
    taken = [(4, 5), (2, 3), (3, 6), (5, 4)]  # column from 0 and row from 1, as in MOVES
    for x, row in taken:
        assert policy[(7 - row) * 9 + x] == -1
    assert policy[-1] == -1  # no swap any more
    assert sum(prior for prior in policy if prior >= 0) == pytest.approx(1, abs=1e-3)
    assert len(last["ownership"]) == 9 * 7
    assert all(-1 <= value <= 1 for value in last["ownership"])
    assert answers[1]["policy"][-1] >= 0  # the swap


def test_winrates_are_those_of_black_or_as_set() -> None:
    query = {"id": "b", "moves": MOVES[:3], **SMALL, "boardXSize": 9, "boardYSize": 9}
    found = run(
        query,
        {**query, "id": "w", "overrideSettings": {"reportAnalysisWinratesAs": "WHITE"}},
        {**query, "id": "s", "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE"}},
    )
    by_id = {each["id"]: each for each in found}
    black, white, side = (by_id[name]["moveInfos"][0] for name in "bws")
    assert white["winrate"] == side["winrate"]
    assert black["winrate"] == pytest.approx(1 - white["winrate"], abs=2e-6)
    assert black["lcb"] == pytest.approx(1 - white["lcb"], abs=2e-6)


@pytest.mark.parametrize(
    ("word", "color"), [("white", "WHITE"), ("w", "WHITE"), ("b", "BLACK"), ("sideToMove", "WHITE")]
)
def test_winrates_are_set_in_any_case(word: str, color: str) -> None:
    query = {"id": "a", "moves": MOVES[:3], **SMALL, "boardXSize": 9, "boardYSize": 9}
    first, second = (
        run({**query, "overrideSettings": {"reportAnalysisWinratesAs": each}})
        for each in (word, color)
    )
    assert first == second


def test_length_of_a_variation_does_not_count_its_first_move() -> None:
    query = {"id": "a", "boardXSize": 5, "boardYSize": 5, "maxVisits": 200, "moves": MOVES[:2]}
    for length in (1, 2):
        (found,) = run({**query, "analysisPVLen": length, "includePVVisits": True})
        assert max(len(move["pv"]) for move in found["moveInfos"]) == length + 1
        for move in found["moveInfos"]:
            assert len(move["pvVisits"]) == len(move["pv"])


def test_visits_of_a_variation_begin_with_those_of_the_move() -> None:
    """While a swap is possible, too: it is given the visits of the other moves."""
    query = {"id": "a", "boardXSize": 7, "boardYSize": 7, "maxVisits": 300, "includePVVisits": True}
    for first in ("D4", "A1"):
        (found,) = run({**query, "moves": [["B", first]]})
        assert "pass" in [move["move"] for move in found["moveInfos"]]
        for move in found["moveInfos"]:
            assert move["pvVisits"][0] == move["visits"]


def test_swap_is_a_pass_as_in_katago() -> None:
    """KaTrain 1.20 fails on words that are neither points nor passes."""
    query = {"id": "a", "boardXSize": 5, "boardYSize": 5, "maxVisits": 300}
    (found,) = run({**query, "moves": [["B", "C3"]]})
    words = {word for each in found["moveInfos"] for word in (each["move"], *each["pv"])}
    assert "pass" in words
    assert all(re.fullmatch(r"[A-E][1-5]|pass", word) for word in words)


def test_katrain_is_answered() -> None:
    """The fields that its engine.py sends, all of them, and KataGo's without meaning here."""
    query = {
        "rules": "japanese",
        "priority": 0,
        "analyzeTurns": [2],
        "maxVisits": 30,
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "includeOwnership": True,
        "includeMovesOwnership": True,
        "includeNoResultValue": True,
        "rootFpuReductionMax": 0.1,
        "rootPolicyTemperature": 1.2,
        "includePolicy": True,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": MOVES[:2],
        "overrideSettings": {"wideRootNoise": 0.04, "maxTime": 8.0, "chosenMoveTemperature": 1},
        "_kt_continuous": False,
        "id": "QUERY:1",
        "avoidMoves": [
            {"moves": ["A1", "A2"], "player": player, "untilDepth": 1} for player in "BW"
        ],
    }
    found = run(query, {"action": "terminate", "terminateId": "QUERY:0", "id": "QUERY:2"})
    warning, about_setting, *rest = found
    assert warning["field"] == "_kt_continuous"
    assert about_setting["field"] == "overrideSettings"
    assert about_setting["warning"].startswith("unknown setting 'chosenMoveTemperature': expected ")
    by_id = {each["id"]: each for each in rest}
    assert by_id["QUERY:2"]["action"] == "terminate"
    best = by_id["QUERY:1"]["moveInfos"][0]
    assert best["visits"] > 0
    for each in (best, by_id["QUERY:1"]["rootInfo"]):
        assert each["scoreLead"] == 0  # KaTrain fails without (katrain/core/game_node.py)
    assert not {"A1", "A2"} & {move["move"] for move in by_id["QUERY:1"]["moveInfos"]}


def test_command_line_of_katago_starts_it() -> None:
    katago = "-config F -model F -analysis-threads 2 -override-config a=b -quit-without-waiting"
    done = run_program("analysis", *katago.split(), sent=b'{"id":"1","action":"query_version"}\n')
    assert (done.returncode, done.stdout.count("query_version")) == (0, 1)
    assert sorted(line.split()[2] for line in done.stderr.splitlines()) == [
        "-config",
        "-model",
        "-override-config",
    ]


def test_setup_and_rules_are_accepted() -> None:
    found = run(
        {"id": "1", **SMALL, "initialStones": [["B", "C3"], ["W", "D4"]], "initialPlayer": "W"},
        {
            "id": "2",
            **SMALL,
            "rules": {"pie": False},
            "moves": [["B", "C3"]],
            "includePolicy": True,
        },
        {"id": "3", "game": "bushka", "maxVisits": 50, "includePolicy": True},
        {"id": "4", **SMALL, "game": "pinch-relocate", "moves": RELOCATION, "maxVisits": 50},
        {"id": "5", "game": "capture-go", **SMALL, "rules": {"scoring": "AREA", "ko": "SIMPLE"}},
    )
    by_id = {each["id"]: each for each in found}
    assert by_id["1"]["rootInfo"]["currentPlayer"] == "W"
    assert by_id["2"]["policy"][-1] == -1
    assert "policy" not in by_id["3"]
    assert "," in by_id["4"]["moveInfos"][0]["move"] or by_id["4"]["turnNumber"] == len(RELOCATION)
    assert by_id["5"]["rootInfo"]["visits"] >= 1


def test_initial_stones_replace_those_of_the_game() -> None:
    stones = [["B", "E8"], ["W", "E3"]]
    query = {"id": "1", "game": "bushka", "initialStones": stones, "initialPlayer": "B"}
    (found,) = run({**query, "maxVisits": 20, "includeOwnership": True})
    assert {each["move"][0] for each in found["moveInfos"]} == {"e"}


def test_restriction_of_the_other_player_is_a_warning() -> None:
    other, own, both = (
        [{"player": player, "moves": ["C3"], "untilDepth": 1} for player in players]
        for players in ("W", "B", "WB")
    )
    found = run(
        {"id": "1", **SMALL, "allowMoves": other, "avoidMoves": other},
        {"id": "2", **SMALL, "allowMoves": own},
        {"id": "3", **SMALL, "avoidMoves": both},
        {"id": "4", **SMALL, "moves": [["B", "D4"]], "analyzeTurns": [0, 1], "avoidMoves": other},
    )
    warnings = [(each["id"], each["field"]) for each in found if "warning" in each]
    assert warnings == [("1", "avoidMoves"), ("1", "allowMoves")]
    assert len(found) == 7


def test_hash_differs_by_game_size_and_position() -> None:
    positions: list[dict[str, Any]] = [
        {"boardXSize": 5, "boardYSize": 5},
        {"boardXSize": 9, "boardYSize": 9},
        {"boardXSize": 4, "boardYSize": 3},
        {"boardXSize": 3, "boardYSize": 4},
        {"boardXSize": 5, "boardYSize": 5, "game": "pinch-remove"},
        {"boardXSize": 5, "boardYSize": 5, "game": "capture-go"},
        {"boardXSize": 5, "boardYSize": 5, "rules": {"pie": False}},
        {"boardXSize": 5, "boardYSize": 5, "moves": [["B", "C3"]]},
        {"boardXSize": 5, "boardYSize": 5, "moves": [["B", "C2"]]},
    ]
    found = run(*({"id": str(at), "maxVisits": 1, **row} for at, row in enumerate(positions)))
    assert len({each["rootInfo"]["thisHash"] for each in found}) == len(positions)


def test_hash_is_that_of_the_position() -> None:
    """However it was reached, and in every run."""
    size = {"boardXSize": 5, "boardYSize": 5, "maxVisits": 1}
    one = [["B", "A1"], ["W", "E5"], ["B", "B2"]]
    other = [["B", "B2"], ["W", "E5"], ["B", "A1"]]
    found = run({"id": "1", **size, "moves": one}, {"id": "2", **size, "moves": other})
    hashes = {each["rootInfo"]["thisHash"] for each in (*found, *run({"id": "3", **size}))}
    assert len(hashes) == 2


def test_finished_game_has_a_result_and_owners_and_no_moves() -> None:
    moves = [["B", "B2"], ["W", "A1"], ["B", "B1"], ["W", "C3"], ["B", "B3"]]
    query = {"moves": moves, "boardXSize": 3, "boardYSize": 3, "includeOwnership": True}
    (found,) = run({"id": "e", **query})
    assert found["moveInfos"] == []
    assert found["rootInfo"]["winrate"] == 1
    assert found["ownership"] == [0, 1, -1, 0, 1, 0, -1, 1, 0]


# Wrong requests, with the field of the error and a part of its text.
WRONG: list[tuple[Any, str | None, str]] = [
    ("{", None, "Could not parse input line as JSON"),
    ("[]", "id", "an object with a string id"),
    ({"id": 5}, "id", "an object with a string id"),
    ({"id": "a", "maxVisits": "x"}, "maxVisits", "got `str`"),
    ({"id": "a", "maxVisits": 0}, "maxVisits", ">= 1"),
    ({"id": "a", "boardXSize": 26}, "boardXSize", "<= 25"),
    ({"id": "a", "game": "go"}, "game", "unknown game 'go': expected pinch"),
    ({"id": "a", "rules": {"pie": 3}}, "rules", "pie"),
    ({"id": "a", "moves": [["B", "E5"], ["B", "E6"]]}, "moves", "Illegal move 2: B E6"),
    ({"id": "a", "moves": [["X", "E5"]]}, "moves", "invalid color 'X'"),
    ({"id": "a", "analyzeTurns": [1]}, "analyzeTurns", "turn 1: the query has 0 moves"),
    ({"id": "a", "analyzeTurns": []}, "analyzeTurns", "give at least one turn"),
    ({"id": "a", "priorities": [1, 2]}, "priorities", "one priority for each"),
    ({"id": "a", "initialStones": [["B", "Z9"]]}, "initialStones", "Z9 is not a point"),
    (
        {"id": "a", "initialStones": [["B", "C3"], ["W", "c3"]]},
        "initialStones",
        "c3 is given twice",
    ),
    (
        {"id": "a", "game": "bushka", "initialStones": [["B", "A10"]]},
        "initialStones",
        "A10 is not a point",
    ),
    ({"id": "a", "rules": {"Pie": False}}, "rules", "no option 'Pie'"),
    ({"id": "a", "rules": {"pie": False, "pi": False}}, "rules", "no option 'pi'"),
    ({"id": "a", "overrideSettings": {"maxTime": -1}}, "overrideSettings", "> 0"),
    *(
        (
            {"id": "a", "overrideSettings": {"reportAnalysisWinratesAs": word}},
            "overrideSettings",
            "give one of BLACK, WHITE, SIDETOMOVE",
        )
        for word in ("green", "", None, ["B"])
    ),
    ({"id": "a", "rootPolicyTemperature": "x"}, "rootPolicyTemperature", "got `str`"),
    (
        {"id": "a", "avoidMoves": [{"player": "B", "moves": ["C3"], "untilDepth": 2}]},
        "avoidMoves",
        "only untilDepth 1",
    ),
    (
        {"id": "a", "allowMoves": [{"player": "B", "moves": ["pass"], "untilDepth": 1}]},
        "allowMoves",
        "no legal move is left",
    ),
    (
        {"id": "a", "avoidMoves": [{"player": "B", "moves": ["D4", "Z9"], "untilDepth": 1}]},
        "avoidMoves",
        "Z9 is not on the 11x11 board",
    ),
    (
        {"id": "a", "allowMoves": [{"player": "W", "moves": [], "untilDepth": 1}]},
        "allowMoves",
        "at least one move",
    ),
    (
        {
            "id": "a",
            "game": "bushka",
            "allowMoves": [{"player": "W", "moves": ["e34"], "untilDepth": 1}],
        },
        "allowMoves",
        "e34: only the first step of a move can be restricted: give e3",
    ),
    (
        {
            "id": "a",
            "game": "pinch-relocate",
            "avoidMoves": [{"player": "B", "moves": ["c3,a1"], "untilDepth": 1}],
        },
        "avoidMoves",
        "c3,a1: only the first step of a move can be restricted: give C3",
    ),
    ({"id": "a", "action": "dance"}, "action", "unknown action 'dance': expected query_version"),
    ({"id": "a", "action": "terminate"}, "terminateId", "give the id"),
    ({"id": "a", "action": "terminate_all", "turnNumbers": [[]]}, "turnNumbers", "list of"),
]


@pytest.fixture(scope="module")
def errors() -> list[dict[str, Any]]:
    """The answers to WRONG, by one program."""
    found = run(*(request for request, _, _ in WRONG))
    assert len(found) == len(WRONG)
    return found


@pytest.mark.parametrize(
    ("place", "field", "text"), [(at, *row[1:]) for at, row in enumerate(WRONG)]
)
def test_errors_name_the_field(
    errors: list[dict[str, Any]], place: int, field: str | None, text: str
) -> None:
    assert text in errors[place]["error"]
    assert errors[place].get("field") == field


def test_actions_are_answered() -> None:
    found = run(
        {"id": "v", "action": "query_version"},
        {"id": "m", "action": "query_models"},
        {"id": "c", "action": "clear_cache"},
        {"id": "t", "action": "terminate_all"},
    )
    assert [each["id"] for each in found] == ["v", "m", "c", "t"]
    assert found[0]["version"]
    assert {each["game"] for each in found[1]["models"]} >= {"pinch", "capture-go"}


def test_models_that_cannot_be_read_are_an_error(tmp_path: Path) -> None:
    settings = Settings()
    settings.network = tmp_path / "removed.network"
    output = KeptAnswers()
    engine = AnalysisEngine(Settings(), 1, output)
    answer_line(b'{"id":"m","action":"query_models"}', engine, output, settings)
    engine.close(finish=True)
    (answer,) = output.sent
    assert (answer["id"], answer["field"]) == ("m", "action")
    assert "removed.network cannot be read: No such file" in answer["error"]


def test_overlong_line_is_refused_and_the_next_is_answered() -> None:
    error, found = run('{"id": "x", "game": "' + "a" * (3 << 20) + '"}', {"id": "n", **SMALL})
    assert "at most" in error["error"]
    assert found["id"] == "n"


@pytest.mark.parametrize(
    "line", ['{"id":"x","rules":{"pie":@}}', '{"id":"x","action":"query_version","a":@}', "@"]
)
def test_deeply_nested_lines_are_refused(line: str) -> None:
    """And the next line is answered."""
    depths = (40, 960, 990, 1010, 100_000)
    *errors, found = run(
        *(line.replace("@", "[" * depth + "]" * depth) for depth in depths),
        {"id": "n", **SMALL},
    )
    assert len(errors) == len(depths)
    assert all("JSON" in each["error"] for each in errors)
    assert found["id"] == "n"


def test_session_of_the_guide_is_true() -> None:
    text = (FOLDER.parent / "pinchtp" / "analysis" / "README.md").read_text("utf-8")
    query, answer = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S))
    (found,) = run(query)
    assert found == answer


def test_guide_lists_all_fields() -> None:
    text = (FOLDER.parent / "pinchtp" / "analysis" / "README.md").read_text("utf-8")
    silent = {"whiteHandicapBonus", "includeOwnershipStdev", "includeMovesOwnershipStdev"}
    assert [name for name in sorted(NAMES - silent) if f"`{name}`" not in text] == []
