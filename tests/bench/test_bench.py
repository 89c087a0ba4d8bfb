"""pinchtp bench: its rates, its output, and the signature of behaviour."""

import json
from pathlib import Path
from typing import Any

import networks
import pytest
from clients import FOLDER

from pinchtp import _core
from pinchtp.bench.command import main
from pinchtp.bench.rates import cases, geometric_mean, measure
from pinchtp.bench.signature import signature
from pinchtp.games import GAMES
from pinchtp.player.network import find_packaged

# After an intended change of behaviour: pinchtp bench --signature > this file
STORED = FOLDER / "data" / "signature.txt"

BEST = _core.instruction_sets()[-1]
QUICK = ["--game", "pinch", "--size", "5", "--seconds", "0.05", "--memory", "8"]
RECORD_FIELDS = {
    "game",
    "width",
    "height",
    "threads",
    "instruction_set",
    "playouts_per_s",
    "moves_per_s",
    "seconds",
    "memory",
    "visits_per_s",
    "mean_length",
    "sd_length",
}


@pytest.mark.parametrize("instruction_set", _core.instruction_sets())
def test_signature_equals_the_stored_one(
    instruction_set: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--signature", "--instruction-set", instruction_set]) == 0
    assert capsys.readouterr().out == STORED.read_text()


def test_signature_depends_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinchtp.bench.signature.SEED", 2)
    nodes, digest = signature()
    assert STORED.read_text() != f"{nodes} nodes, hash {digest}\n"


def test_json_and_table_show_each_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, "--threads", "1,2", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["threads"] for record in records] == [1, 2]
    for record in records:
        assert record.keys() == RECORD_FIELDS
        assert (record["game"], record["width"], record["height"]) == ("pinch", 5, 5)
        assert record["moves_per_s"] == pytest.approx(
            record["playouts_per_s"] * record["mean_length"]
        )
        assert record["visits_per_s"] > 0
        assert 5 < record["mean_length"] < 26
        assert 0 < record["sd_length"] < 10
    assert main(QUICK) == 0
    first, headings, row = capsys.readouterr().out.splitlines()
    assert first == f"instruction set {_core.instruction_sets()[-1]}"
    assert headings.split()[:3] == ["game", "board", "threads"]
    assert row.split()[:3] == ["pinch", "5x5", "1"]
    assert len(row.split()) == len(headings.split())


def measured(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Returns the record of a quick measurement."""
    main([*QUICK, "--json"])
    (record,) = json.loads(capsys.readouterr().out)
    return record  # type: ignore[no-any-return]


def test_compare_prints_ratios_to_an_earlier_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = measured(capsys)
    record["playouts_per_s"] /= 1e6  # a busy machine may be a hundred times slower for a moment
    record["visits_per_s"] *= 1e6
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps([record]))
    assert main([*QUICK, "--compare", str(earlier)]) == 0
    _, row, overall = capsys.readouterr().out.splitlines()
    playouts, visits = (float(word) for word in row.split()[-3::2])
    assert playouts > 1000
    assert visits < 0.001
    assert overall.split()[-3::2] == row.split()[-3::2]


@pytest.mark.parametrize(
    ("instruction_set", "lines"),
    [(BEST, []), ("x", [f"instruction set: {BEST} now, x then"])],
)
def test_compare_names_different_instruction_sets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], instruction_set: str, lines: list[str]
) -> None:
    record = measured(capsys)
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps([record | {"instruction_set": instruction_set}]))
    main([*QUICK, "--compare", str(earlier)])
    _, *rest = capsys.readouterr().out.splitlines()
    assert [line for line in rest if line.startswith("instruction set: ")] == lines


def test_compare_names_different_conditions_and_cases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = measured(capsys)
    earlier = tmp_path / "earlier.json"
    then = record | {"memory": 7}
    earlier.write_text(json.dumps([then, then | {"width": 9, "threads": 2}]))
    main([*QUICK, "--threads", "1,3", "--compare", str(earlier)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"memory: {record['memory']} now, 7 then"
    assert lines[-2:] == [
        "not compared, only now: pinch 5x5 with 3 threads",
        "not compared, only then: pinch 9x5 with 2 threads",
    ]


def test_compare_measures_the_cases_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = measured(capsys)
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps([record, record | {"threads": 2}, record | {"game": "chess"}]))
    assert main(["--seconds", "0.01", "--compare", str(earlier)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [" ".join(line.split()[:4]) for line in lines if "5x5" in line] == [
        "pinch 5x5 1 threads",
        "pinch 5x5 2 threads",
        "not compared, only then:",
    ]


def test_compare_asks_for_nothing_outside_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps([measured(capsys)]))
    for option in (["--game", "pinch"], ["--size", "5"], ["--threads", "1"]):
        assert main(["--seconds", "0.01", *option, "--compare", str(earlier)]) == 0
        assert "not compared" not in capsys.readouterr().out


def test_compare_needs_a_measurement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "before.json"
    file.write_text("[]")
    with pytest.raises(SystemExit):
        main(["--compare", str(file)])
    assert "before.json: contains no measurements" in capsys.readouterr().err


NETWORK = '{"game":"pinch","width":9,"height":9,"instruction_set":"neon","evaluations_per_s":1}'
NO_RESULT = "not a result of `pinchtp bench --json`: Expected"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ('"x"', NO_RESULT),
        ("[1]", NO_RESULT),
        ('[{"game": 1}]', NO_RESULT),
        (f"[{NETWORK}]", "measurements of networks cannot be compared"),
    ],
)
def test_compare_needs_measurements(
    value: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "before.json"
    file.write_text(value)
    with pytest.raises(SystemExit):
        main(["--compare", str(file)])
    assert f"before.json: {reason}" in capsys.readouterr().err


def test_rate_of_an_interrupted_search_is_positive(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may leave the search no time at all in a stretch."""

    class Late:
        def __init__(self, *_: object, **__: object) -> None:
            self.runs, self.visits = 0, 0

        def run(self, *_: object) -> None:
            self.runs += 1
            self.visits = 5 * (self.runs == 3)

        def report(self) -> "Late":
            return self

    monkeypatch.setattr("pinchtp._core.Search", Late)
    (record,) = measure(
        list(cases(["pinch"], [(3, 3)], [1])), 0.05, 16, _core.instruction_sets()[-1]
    )
    assert record.visits_per_s > 0


def test_compare_needs_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "before.json"
    file.write_text("{}")
    with pytest.raises(SystemExit):
        main(["--compare", str(file)])
    message = "not a result of `pinchtp bench --json`: Expected `array`, got `object`"
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "go"], "unknown game 'go': expected pinch"),
        (["--size", "99"], "'99': give a size from 2 to 25"),
        (["--threads", "0"], "'0': give numbers of threads"),
        (["--compare", "/nowhere"], "/nowhere: No such file or directory\n"),
        (["--compare", __file__], "not a result of `pinchtp bench --json`"),
        (["--network", "--compare", "x"], "argument --compare: not allowed with --network"),
        (["--network", "--signature"], "argument --signature: not allowed with --network"),
        (["--network", "--threads", "2"], "argument --threads: not allowed with --network"),
        (["--network", "--memory", "8"], "argument --memory: not allowed with --network"),
        (["--signature", "--json"], "argument --json: not allowed with --signature"),
        (["--signature", "--size", "5"], "argument --size: not allowed with --signature"),
        (["--json", "--compare", "x"], "argument --compare: not allowed with --json"),
        (["--network", "--game", "bushka"], "nothing to measure: no network plays these games"),
    ],
)
def test_wrong_arguments_exit_with_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_cases_are_boards_of_their_games() -> None:
    chosen = list(cases(GAMES, [], [1]))
    assert {case.game for case in chosen} == set(GAMES)
    assert all(case.start().result is None for case in chosen)
    assert len(list(cases(["pinch"] * 2, [(3, 3)] * 2, [1] * 2))) == 1


def test_geometric_mean_of_inverse_ratios_is_1() -> None:
    assert geometric_mean([2, 0.5]) == pytest.approx(1)
    assert geometric_mean([2, 8]) == pytest.approx(4)


# -- networks


def test_network_is_measured_by_every_instruction_set(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--network", "--seconds", "0.05", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    boards = {(record["game"], record["width"], record["height"]) for record in records}
    assert {("pinch", 9, 9), ("pinch", 13, 13)} <= boards
    used = [record["instruction_set"] for record in records if record["width"] == 13]
    expected = _core.inference_instruction_sets()
    assert used[: len(expected)] == expected
    assert all(record["evaluations_per_s"] > 100 for record in records)


def test_network_of_a_file_on_one_board(capsys: pytest.CaptureFixture[str]) -> None:
    instruction_set = _core.inference_instruction_sets()[0]
    path = find_packaged("pinch")
    given = ["--network", str(path), "--size", "5", "--seconds", "0.05"]
    assert main([*given, "--instruction-set", instruction_set]) == 0
    _, row = capsys.readouterr().out.splitlines()
    assert row.split()[:3] == ["pinch", "5x5", instruction_set]


def test_network_of_a_game_with_one_size_is_measured_on_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.network"
    path.write_bytes(bytes(networks.file("bushka")))
    given = ["--network", str(path), "--seconds", "0.05"]
    assert main([*given, "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert {(each["game"], each["width"], each["height"]) for each in records} == {
        ("bushka", 10, 10)
    }
    for wrong, reason in (("--size=9", "nothing to measure"), ("--game=pinch", "not for pinch")):
        with pytest.raises(SystemExit):
            main([*given, wrong])
        assert reason in capsys.readouterr().err


def test_network_file_that_is_missing_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--network", str(tmp_path / "none.network")])
    assert "cannot be read" in capsys.readouterr().err
