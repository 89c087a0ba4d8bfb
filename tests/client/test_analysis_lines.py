"""Reading analysis lines of engines."""

import pytest

from pinchtp.client.analysis_lines import last_winrate, read_infos, read_ownership

LINE = (
    "info move D4 visits 10 winrate 0.6 prior 0.1 lcb -0.1 order 1 pv D4 E5 "
    "info move pass visits 30 winrate 0.7 order 0 pv pass rootInfo visits 40 ownership 0.5 -2 x 1"
)


def test_line_with_all_fields_is_read() -> None:
    (first, line), (second, swap) = read_infos(LINE)
    assert first == {
        **{"move": "D4", "visits": "10", "winrate": "0.6"},
        **{"prior": "0.1", "lcb": "-0.1", "order": "1"},
    }
    assert line == ("D4", "E5")
    assert second == {"move": "pass", "visits": "30", "winrate": "0.7", "order": "0"}
    assert swap == ("pass",)
    assert read_ownership(LINE) == (0.5, -1.0)
    assert read_ownership(LINE.partition(" ownership")[0]) == ()


@pytest.mark.parametrize(
    "rest",
    [
        "pvVisits 10 4",
        "pvVisits 10 4 pvEdgeVisits 10 4",
        "movesOwnership 0.5 -0.5 movesOwnershipStdev 0.1 0.1",
        "pvVisits 10 4 rootInfo visits 10 ownership 0.5 -0.5",
        "ownershipStdev 0.1 0.2",
    ],
)
def test_principal_variation_ends_at_next_key(rest: str) -> None:
    line = f"info move D4 visits 10 winrate 0.6 order 0 pv D4 E5 {rest}"
    assert [pv for _, pv in read_infos(line)] == [("D4", "E5")]


@pytest.mark.parametrize("line", ["", "=", "info", "info move", "info move D4 visits 1 pv D4"])
def test_invalid_line_is_ignored(line: str) -> None:
    assert list(read_infos(line)) == []


@pytest.mark.parametrize(
    ("word", "scale", "winrate"),
    [
        ("0.5", 1.0, 0.5),
        (".5", 1.0, 0.5),
        ("1.", 1.0, 1.0),
        ("0.54321098765432109", 1.0, 0.543210987654321),
        ("5e-05", 1.0, 0.00005),
        ("1.2E-3", 1.0, 0.0012),
        ("4321", 10_000.0, 0.4321),
        ("60", 1.0, None),
        ("-0.1", 1.0, None),
        ("0.5.5", 1.0, None),
        ("nan", 1.0, None),
    ],
)
def test_winrate_is_read_by_its_scale(word: str, scale: float, winrate: float | None) -> None:
    expected = None if winrate is None else pytest.approx(winrate)
    assert last_winrate([f"info move D4 winrate {word} pv D4"], "d4", scale) == expected


def test_last_winrate_of_move_is_read() -> None:
    lines = [LINE, LINE.replace("0.6", "0.2"), LINE.replace("move D4", "move A1")]
    assert last_winrate(lines, "D4", 1.0) == 0.2
    assert last_winrate(lines, "B2", 1.0) is None


def test_last_winrate_of_unreported_move_is_the_roots() -> None:
    lines = [LINE.replace("visits 40", f"visits 40 winrate {each}") for each in (0.3, 0.4)]
    assert last_winrate([*lines, LINE], "B2", 1.0) == 0.4
    assert last_winrate(lines, "D4", 1.0) == 0.6
    assert last_winrate(["rootInfo visits 40 winrate 60"], "D4", 1.0) is None
