"""Texts of time systems: the command line, match files, tables and records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchtp.base.clock import TimeControl, format_time, parse_time
from pinchtp.records.sgf.overtime import overtime_text, parse_overtime


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10", TimeControl.canadian(0, 10, 1)),
        ("0.01", TimeControl.canadian(0, 0.01, 1)),
        ("50ms", TimeControl.canadian(0, 0.05, 1)),
        ("60+0.5", TimeControl.fischer(60, 0.5)),
        ("10m+0", TimeControl.absolute(600)),
        ("1h + 30s", TimeControl.fischer(3600, 30)),
        ("60+5x10", TimeControl.byoyomi(60, 10, 5)),
        ("0+1x10", TimeControl.byoyomi(0, 10, 1)),
        ("1m+10/30s", TimeControl.canadian(60, 30, 10)),
        ("none", TimeControl.none()),
        ("60+5 cap 90 move 30", TimeControl.fischer_capped(60, 5, 90, 30)),
        ("1m+5cap2m", TimeControl.fischer_capped(60, 5, 120, -1)),
        ("60+0 move 30", TimeControl.fischer_capped(60, 0, -1, 30)),
    ],
)
def test_time_text_round_trips(text: str, control: TimeControl) -> None:
    assert parse_time(text) == control
    assert parse_time(format_time(control)) == control


def test_time_per_move_is_a_single_number() -> None:
    assert format_time(TimeControl.canadian(0, 10, 1)) == "10"
    assert format_time(TimeControl.canadian(0, 10, 2)) == "0+2/10"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "-1",
        "1+",
        "+1",
        "10 m 5",
        "60+5x",
        "1e3",
        "0",
        "1\u0663",
        "5x10 cap 90",
        "60+5x10cap9",
        "1000000001",
        "300000h",
        "60+1000000001",
        "60+1000000001x1",
    ],
)
def test_invalid_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_time(text)


@pytest.mark.parametrize("text", ["60+0x10", "60+10x0", "60+0/0", "60+0/10", "60+0x0"])
def test_overtime_without_time_or_count_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="the count and the time of overtime must be more than 0"):
        parse_time(text)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("", TimeControl.absolute(600)),
        ("10/30.5 Canadian", TimeControl.canadian(600, 30.5, 10)),
        ("5x30 byo-yomi", TimeControl.byoyomi(600, 30, 5)),
        ("2 fischer", TimeControl.fischer(600, 2)),
        ("2 fischer, at most 900", TimeControl.fischer_capped(600, 2, 900, -1)),
        ("2 fischer, 60 a move", TimeControl.fischer_capped(600, 2, -1, 60)),
        ("0 fischer, at most 900, 60 a move", TimeControl.fischer_capped(600, 0, 900, 60)),
    ],
)
def test_overtime_of_records_round_trips(text: str, control: TimeControl) -> None:
    assert overtime_text(control) == text
    assert parse_overtime("600", text) == control


@pytest.mark.parametrize(
    ("main", "overtime"), [("", ""), ("ten", ""), ("600", "often"), ("600", "5x0 byo-yomi")]
)
def test_unknown_time_of_a_record_is_no_limit(main: str, overtime: str) -> None:
    assert parse_overtime(main, overtime) == TimeControl.none()


@given(
    st.floats(0.001, 1e5).map(lambda value: round(value, 3)),
    st.floats(0.001, 1e5).map(lambda value: round(value, 3)),
    st.integers(1, 100),
)
def test_time_controls_survive_text(main: float, more: float, count: int) -> None:
    for control in (
        TimeControl.absolute(main),
        TimeControl.fischer(main, more),
        TimeControl.byoyomi(main, more, count),
        TimeControl.canadian(main, more, count),
    ):
        assert parse_time(format_time(control)) == control
