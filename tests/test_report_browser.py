"""The page of a report in Chromium: all of it is there, and its games can be stepped through."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_report_command import report

from pinchtp.report.report import Report
from pinchtp.report.sections import ALL

CHROMIUM = shutil.which("chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

EARLY = """
window.problems = [];
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  addEventListener(kind, (event) => {
    problems.push(kind + ": " + (event.message || event.violatedDirective));
  });
}
"""

LATE = """
const byId = (id) => document.getElementById(id);
const tell = (found) => parent.postMessage(JSON.stringify({ problems, found }), "*");
setTimeout(() => { SCRIPT }, 200);
"""

FRAME = """<!doctype html>
<iframe style="width:WIDTHpx;height:900px;border:0" src="watched.html"></iframe>
<script>
addEventListener("message", (event) => { document.body.textContent = event.data; });
</script>
"""


def source_hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class Browser:
    """Opens the page at some width, does what a script says, and returns what it told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        assert report(folder) == 0

    def __call__(self, script: str, width: int = 1000, *flags: str) -> Any:
        late = LATE.replace("SCRIPT", script)
        text = (self.folder / "report.html").read_text("utf-8")
        text = text.replace("<title>", f"<script>{EARLY}</script><title>", 1)
        text = text.replace("</body>", f"<script>{late}</script></body>")
        hashes = " ".join(map(source_hash, (EARLY, late)))
        text = text.replace("; script-src ", f"; script-src {hashes} ")
        (self.folder / "watched.html").write_text(text)
        (self.folder / "frame.html").write_text(FRAME.replace("WIDTH", str(width)))
        address = (self.folder / "frame.html").as_uri()
        done = subprocess.run(
            [*self.command(), *flags, "--dump-dom", address],
            capture_output=True,
            text=True,
            timeout=180,
            check=True,
        )
        assert "CONSOLE" not in done.stderr
        body = re.search(r"<body>(\{.*\})</body>", done.stdout, re.DOTALL)
        assert body, done.stdout[-2000:] + done.stderr[-2000:]
        told = json.loads(html.unescape(body[1]))
        assert told["problems"] == []
        return told["found"]

    def command(self) -> list[str]:
        assert CHROMIUM is not None
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += ["--enable-logging=stderr", "--virtual-time-budget=3000"]
        return [*command, f"--user-data-dir={self.folder / 'profile'}"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(tmp_path_factory.mktemp("browser"))


def test_every_section_is_there(browser: Browser) -> None:
    found = browser("""
      const parts = [...document.querySelectorAll("section.part")];
      tell(parts.map((part) => [part.id.slice(5), part.querySelectorAll(".figures div").length,
        part.querySelectorAll("svg.chart").length, part.querySelectorAll("table").length]));
    """)
    assert [each[0] for each in found] == list(ALL)
    shown = {name: (figures, charts, tables) for name, figures, charts, tables in found}
    assert [name for name, each in shown.items() if not sum(each)] == []
    for name in ("length", "balance", "ladder", "drama", "moves", "solved"):
        assert shown[name][1], name


def test_games_are_stepped_through(browser: Browser) -> None:
    found = browser("""
      const stones = () => document.querySelectorAll("#stage .stone").length;
      const found = [];
      for (const button of byId("games").querySelectorAll("button")) {
        button.click();
        const moves = Number(byId("slider").max);
        document.querySelector("[data-step=first]").click();
        const line = [stones()];
        for (let move = 1; move <= moves; move++) {
          document.querySelector("[data-step=on]").click();
          line.push(stones());
        }
        found.push([byId("heading").textContent, byId("standing").textContent, line]);
      }
      tell(found);
    """)
    games = Report.load(browser.folder / "report.json").sections["samples"].data["games"]
    assert len(found) == len(games)
    for (heading, standing, stones), game in zip(found, games, strict=True):
        assert game["name"] in heading
        assert len(stones) == len(game["turns"]) + 1
        assert stones[0] == 0
        swaps = sum(len(turn) == 1 and turn[0] >= 1000 for turn in game["turns"])
        assert stones[-1] <= len(game["turns"]) - swaps
        assert f"of {len(game['turns'])}" in standing


def test_nothing_is_loaded_from_elsewhere(browser: Browser) -> None:
    page = (browser.folder / "report.html").read_text()
    assert not re.search(r"""(src|href)=["'](?!#|data:)""", page)
    assert "url(" not in page
    found = browser('tell(performance.getEntriesByType("resource").map((each) => each.name));')
    assert [each for each in found if not each.startswith("data:")] == []


@pytest.mark.parametrize("width", [390, 700, 1600])
def test_nothing_is_wider_than_the_page(browser: Browser, width: int) -> None:
    found = browser(
        """
      for (const each of document.querySelectorAll("details")) each.open = true;
      tell([document.documentElement.scrollWidth, innerWidth]);
    """,
        width,
        "--window-size=1700,1000",
    )
    assert found[0] <= found[1] == width


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark(browser: Browser, dark: bool) -> None:
    flags = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if dark else []
    found = browser("tell(getComputedStyle(document.body).backgroundColor);", 1000, *flags)
    bright = sum(map(int, re.findall(r"\d+", found)[:3])) > 380
    assert bright != dark


def test_it_prints(browser: Browser, tmp_path: Path) -> None:
    paper = tmp_path / "report.pdf"
    page = (browser.folder / "report.html").as_uri()
    subprocess.run(
        [*browser.command(), f"--print-to-pdf={paper}", page],
        check=True,
        capture_output=True,
        timeout=180,
    )
    pages = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 3 <= pages <= 20
