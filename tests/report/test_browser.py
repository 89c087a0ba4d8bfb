"""The page of a report in Chromium: its contents, and the replay of its games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pinchtp.report.command import main
from pinchtp.report.report import SECTIONS, GameReport

if TYPE_CHECKING:  # playwright may be missing
    from playwright.sync_api import Browser, Page

    Open = Callable[..., AbstractContextManager[Page]]

pytestmark = pytest.mark.slow

# Blocked by the page's policy; for a script that starts before the page's own.
WATCH = """
window.stopped = [];
addEventListener("securitypolicyviolation", (event) => stopped.push(event.violatedDirective));
"""


@pytest.fixture
def opened(folder: Path, browser: Browser) -> Open:
    """Opens the page, with options of a browser's window; sees to it that nothing goes wrong."""
    address = (folder / "report.html").as_uri()

    @contextmanager
    def window(**options: Any) -> Iterator[Page]:
        problems: list[str] = []
        page = browser.new_page(**options)
        page.add_init_script(WATCH)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.on("request", lambda request: problems.append(request.url))
        page.goto(address)
        yield page
        assert page.evaluate("stopped") == []
        assert [each for each in problems if each != address and each[:5] != "data:"] == []
        page.close()

    return window


def test_page_shows_every_section(opened: Open) -> None:
    with opened() as page:
        found = page.evaluate(
            """() => [...document.querySelectorAll("section.part")].map((part) =>
            [part.id.slice(5), part.querySelectorAll(".figures div").length,
            part.querySelectorAll("svg.chart").length, part.querySelectorAll("table").length])"""
        )
    assert [each[0] for each in found] == list(SECTIONS)
    shown = {name: (figures, charts, tables) for name, figures, charts, tables in found}
    assert [name for name, each in shown.items() if not sum(each)] == []
    for name in ("length", "balance", "ladder", "drama", "moves", "solved"):
        assert shown[name][1], name


def test_sample_games_can_be_stepped_through(opened: Open, folder: Path) -> None:
    games = GameReport.load(folder / "report.json").sections["samples"].data["games"]
    with opened() as page:
        buttons = page.locator("#games button")
        assert buttons.count() == len(games)
        for at, game in enumerate(games):
            buttons.nth(at).click()
            assert game["name"] in page.locator("#heading").inner_text()
            assert f"of {len(game['turns'])}" in page.locator("#standing").inner_text()
            stones = page.locator("#stage .stone")
            page.locator("[data-step=first]").click()
            assert stones.count() == 0
            swaps = sum(len(turn) == 1 and turn[0] >= 1000 for turn in game["turns"])
            for _ in game["turns"]:
                page.locator("[data-step=on]").click()
            assert len(game["turns"]) / 2 - 1 <= stones.count() <= len(game["turns"]) - swaps
            assert page.locator("[data-step=on]").is_disabled()


def test_page_loads_nothing(opened: Open, folder: Path) -> None:
    text = (folder / "report.html").read_text()
    assert not re.search(r"""(src|href)=["'](?!#|data:)""", text)
    assert not re.search(r'url\((?!"#)', text)
    with opened() as page:
        found = page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
    assert [each for each in found if not each.startswith("data:")] == []


@pytest.mark.parametrize("width", [390, 700, 1600])
def test_page_fits_the_window(opened: Open, width: int) -> None:
    with opened(viewport={"width": width, "height": 900}) as page:
        page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
        found = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert found[0] <= found[1] == width


@pytest.mark.parametrize("width", [390, 1600])
def test_compared_reports_fit_the_window(
    folder: Path, browser: Browser, tmp_path: Path, width: int
) -> None:
    files = [str(folder / "report.json")] * 3
    assert main(["--compare", *files, "--out", str(tmp_path)]) == 0
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((tmp_path / "compare.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_background_follows_the_color_scheme(opened: Open, scheme: str) -> None:
    with opened(color_scheme=scheme) as page:
        found = page.evaluate("getComputedStyle(document.body).backgroundColor")
    bright = sum(map(int, re.findall(r"\d+", found)[:3])) > 380
    assert bright == (scheme == "light")


def test_print_unfolds_all_details(opened: Open) -> None:
    """All details are open in print, and closed again afterwards."""
    with opened() as page:
        paper = page.pdf()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        unfolded = page.locator("details[open]").count()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert (unfolded, page.locator("details[open]").count()) == (len(SECTIONS), 0)
    assert 3 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 20
