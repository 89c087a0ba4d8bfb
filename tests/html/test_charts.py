"""Charts as SVG."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from pinchtp.html import charts
from pinchtp.html.charts import Axis, ChartLine, Interval

EVIL = "</script><script>evil()</script><!-- \" ' & \x1b[31m"


def picture(markup: str) -> ET.Element:
    return ET.fromstring(markup)


def texts(markup: str, kind: str = "") -> list[str]:
    found = picture(markup).iter("text")
    return [each.text or "" for each in found if kind in each.get("class", "")]


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 10))
def test_ticks_are_few_and_inside(low: float, span: float, most: int) -> None:
    ticks = charts.round_numbers(low, low + span, most)
    assert len(ticks) <= most + 2
    slack = 1e-6 * span
    assert all(low - slack <= each <= low + span + slack for each in ticks)


@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_rounded_ends_enclose_both_values(one: float, two: float) -> None:
    low, high = charts.round_ends(min(one, two), max(one, two))
    slack = 1e-6 * (high - low)
    assert low - slack <= min(one, two)
    assert max(one, two) <= high + slack
    assert low < high


def test_line_chart_passes_through_its_points() -> None:
    line = ChartLine(EVIL, [(0, 0), (10, 1)], [(0, 0.5), (0.5, 1)])
    text = charts.line_chart([line], Axis(0, 10, "games"), Axis(0, 1, marked={0.5: "half"}), EVIL)
    paths = {each.get("class"): each.get("d") for each in picture(text).iter("path")}
    assert paths["line c0"] == "M52.0 186.0L384.0 8.0"
    assert paths["band"] == "M52.0 97.0L384.0 8.0L384.0 97.0L52.0 186.0Z"
    assert "half" in texts(text)
    assert "evil()</script>" not in text + charts.legend([EVIL])


def test_each_of_many_lines_looks_different() -> None:
    lines = [ChartLine("", [(0, 0), (1, 1)])] * 20
    text = charts.line_chart(lines, Axis(0, 1), Axis(0, 1), "")
    drawn = [each.get("class", "") for each in picture(text).iter("path")]
    samples = [each.get("class", "") for each in picture(charts.legend([""] * 20)).iter("path")]
    assert drawn[-20:] == samples
    assert len(set(samples)) == 20


def test_values_beyond_an_axis_are_clipped() -> None:
    line = ChartLine("", [(0, -5), (1, 7)])
    text = charts.line_chart([line], Axis(0, 1), Axis(0, 1), "")
    assert "M52.0 186.0L384.0 8.0" in text


@given(st.dictionaries(st.integers(0, 500), st.integers(1, 50), min_size=1))
def test_histogram_bars_sum_to_all_values(counts: dict[int, int]) -> None:
    text = charts.histogram(counts, "", what="game", unit="move")
    titles = [each.text or "" for each in picture(text).iter("title")]
    assert sum(int(each.split()[-2]) for each in titles) == sum(counts.values())
    assert len(titles) <= 32


def test_endless_interval_runs_to_the_margin() -> None:
    endless = Interval("x" * 40, 0, float("-inf"), float("inf"))
    text = charts.intervals([endless, Interval("y", 100, 50, 150)], "")
    (first, _) = [e for e in picture(text).iter("path") if e.get("class") == "interval"]
    assert first.get("d") == "M0.0 27H400.0"


def test_long_names_wrap() -> None:
    """The intervals below move down; nothing is cut, not even a name without spaces."""
    names = ["Score of the side that opened, with the pie rule", "x" * 60, "y"]
    text = charts.intervals([Interval(name, 0, -30, 30) for name in names], "")
    assert "".join(texts(text, "name")).replace(" ", "") == "".join(names).replace(" ", "")
    assert max(map(len, texts(text, "name"))) <= 44
    tops = [float(e.get("y", "")) for e in picture(text).iter("text") if e.get("class") == "name"]
    lines = [float(e.get("cy", "")) for e in picture(text).iter("circle")]
    assert tops[0] < tops[1] < lines[0] < tops[2]
    assert lines == sorted(lines)
