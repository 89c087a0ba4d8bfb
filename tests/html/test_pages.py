"""What all pages share: escaping, policies, charts, boards."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.html import charts
from pinchtp.html.charts import Axis, ChartLine, Interval
from pinchtp.html.document import PageTemplate, environment, write_document
from pinchtp.html.format import count, decimal, percentages, points, seconds, signed
from pinchtp.html.replay import ReplayBoard

EVIL = "</script><script>evil()</script><!-- \" ' & \x1b[31m"
TEMPLATE = PageTemplate("pinchtp.html", "frame.html", scripts=["dom.js", "board.js"])
MINUS = "\N{MINUS SIGN}"


def picture(markup: str) -> ET.Element:
    return ET.fromstring(markup)


def texts(markup: str, kind: str = "") -> list[str]:
    found = picture(markup).iter("text")
    return [each.text or "" for each in found if kind in each.get("class", "")]


def board(game: str = "pinch", width: int = 5, height: int = 4) -> ReplayBoard:
    return ReplayBoard(Session(GAMES[game], width, height))


# --- documents


def part(text: str, name: str) -> str:
    found = re.search(rf"<{name}(?: [^>]*)?>(.*?)</{name}>", text, re.DOTALL)
    assert found
    return found[1]


def test_text_and_data_are_never_markup() -> None:
    data = {"name": EVIL, "\u2028": ["<!--", "]]>"]}
    text = TEMPLATE.render(title=EVIL, facts=[EVIL], data=data)
    assert text.count("<script") == text.count("</script>") == 2
    assert "evil()</script>" not in text
    assert "<!--" not in text
    assert unescape(part(text, "title")) == EVIL.replace("\x1b", "\N{SYMBOL FOR ESCAPE}")
    assert json.loads(part(text, "script")) == data


@given(st.text())
def test_any_data_comes_back(value: str) -> None:
    template = environment("pinchtp.html").from_string("<script>{{ value | tojson }}</script>")
    text = template.render(value=value)
    assert json.loads(part(text, "script")) == value
    assert not {"<", ">", "&"} & set(part(text, "script"))


def test_infinity_is_no_data() -> None:
    with pytest.raises(ValueError, match="JSON"):
        TEMPLATE.render(title="", data=[float("inf")])


def test_what_a_template_lacks_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="nothing"):
        environment("pinchtp.html").from_string("{{ nothing }}").render()


def policy(text: str) -> dict[str, str]:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert found
    return dict(each.split(" ", 1) for each in found[1].split("; "))


def test_the_policy_allows_this_script_and_style_only() -> None:
    text = TEMPLATE.render(title="A page", data=[])
    script = re.findall(r"<script(?: [^>]*)?>(.*?)</script>", text, re.DOTALL)[1]
    allowed = policy(text)
    for name, content in (("script-src", script), ("style-src", part(text, "style"))):
        digest = hashlib.sha256(content.encode()).digest()
        assert allowed[name] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert allowed["default-src"] == allowed["connect-src"] == "'none'"
    assert "style=" not in text.replace("data-style", "")  # it would be forbidden
    without_script = PageTemplate("pinchtp.html", "frame.html").render(title="")
    assert policy(without_script)["script-src"] == "'none'"


def test_modules_need_no_import() -> None:
    script = TEMPLATE.render(title="A page", data=[]).split('type="module">')[1]
    assert "import" not in script
    assert "function drawing(" in script


def test_a_document_is_written_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert write_document(path, "old \udcff") == len(rb"old \udcff")
    link = tmp_path / "link.html"
    link.symlink_to(path)
    write_document(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    with pytest.raises(OSError, match="not a regular file"):
        write_document(tmp_path, "")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.html", "page.html"]


# --- numbers


def test_numbers_as_people_read_them() -> None:
    assert [count(1, "game"), count(2, "game"), count(2, "was", "were")] == [
        "1 game",
        "2 games",
        "2 were",
    ]
    assert [points(0), points(0.5), points(12.5)] == ["0", "½", "12½"]
    assert [signed(0.4), signed(-3), signed(float("inf"))] == ["0", f"{MINUS}3", "+∞"]
    assert decimal(-2.944) == f"{MINUS}2.94"
    times = [0, 2e-5, 0.0123, 1.5, 600, 9000]
    assert [*map(seconds, times)] == ["0 s", "20 µs", "12.3 ms", "1.5 s", "10 min", "2.5 h"]


# --- charts


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 10))
def test_ticks_are_few_round_and_inside(low: float, span: float, most: int) -> None:
    ticks = charts.round_numbers(low, low + span, most)
    assert len(ticks) <= most + 2
    slack = 1e-6 * span
    assert all(low - slack <= each <= low + span + slack for each in ticks)


@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_rounded_ends_hold_what_is_between(one: float, two: float) -> None:
    low, high = charts.rounded(min(one, two), max(one, two))
    slack = 1e-6 * (high - low)
    assert low - slack <= min(one, two)
    assert max(one, two) <= high + slack
    assert low < high


def test_a_line_goes_through_its_points() -> None:
    line = ChartLine(EVIL, [(0, 0), (10, 1)], [(0, 0.5), (0.5, 1)])
    text = charts.line_chart([line], Axis(0, 10, "games"), Axis(0, 1, marked={0.5: "half"}), EVIL)
    paths = {each.get("class"): each.get("d") for each in picture(text).iter("path")}
    assert paths["line c0"] == "M52.0 186.0L384.0 8.0"
    assert paths["band"] == "M52.0 97.0L384.0 8.0L384.0 97.0L52.0 186.0Z"
    assert "half" in texts(text)
    assert "evil()</script>" not in text + charts.legend([EVIL])


def test_values_beyond_an_axis_stay_at_its_end() -> None:
    line = ChartLine("", [(0, -5), (1, 7)])
    text = charts.line_chart([line], Axis(0, 1), Axis(0, 1), "")
    assert "M52.0 186.0L384.0 8.0" in text


@given(st.dictionaries(st.integers(0, 500), st.integers(1, 50), min_size=1))
def test_a_histogram_counts_all(counts: dict[int, int]) -> None:
    text = charts.histogram(counts, "", what="game", unit="move")
    titles = [each.text or "" for each in picture(text).iter("title")]
    assert sum(int(each.split()[-2]) for each in titles) == sum(counts.values())
    assert len(titles) <= 32


def test_intervals_without_ends_run_to_the_margin() -> None:
    endless = Interval("x" * 60, 0, float("-inf"), float("inf"))
    text = charts.intervals([endless, Interval("y", 100, 50, 150)], "")
    (first, _) = [e for e in picture(text).iter("path") if e.get("class") == "interval"]
    assert first.get("d") == "M0.0 27H400.0"
    assert texts(text, "name")[0] == "x" * 43 + "…"


# --- boards


def test_one_board_replays_many_games() -> None:
    made = board()
    first = made.replay(["B2", "swap", "C3"])
    assert made.replay(["A1"]).changes == (((0, 1),),)
    assert made.replay(["B2", "swap", "C3"]) == first


@pytest.mark.parametrize(
    "counts", [(1, 1, 1), (1, 2, 0), (0, 0, 0), (333, 333, 334), (1, 999), (7,)]
)
def test_percentages_of_a_whole_add_up(counts: tuple[int, ...]) -> None:
    shown = [int(each.removesuffix(" %")) for each in percentages(counts)]
    assert sum(shown) == (100 if any(counts) else 0)
    for number, count_ in zip(shown, counts, strict=True):
        assert abs(number - 100 * count_ / (sum(counts) or 1)) < 1
