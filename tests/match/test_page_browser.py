"""The page of a match in Chromium: its contents, and its responses to clicks and keys."""

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
from match_plans import plan
from match_records import played, record, write_page
from msgspec import structs
from reference import GAMES as RULEBOOK

from pinchtp.games import Color
from pinchtp.games.notation import COLUMNS
from pinchtp.match.record import GameRecord, Opening, Termination

CHROMIUM = shutil.which("chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

ENGINES = (
    "one",
    "a rather long name, with_an_unbreakable_part_0123456789_0123456789",
    "<b>three</b>",
)

# Runs before the page's own scripts: collects errors.
EARLY = """
window.problems = [];
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  addEventListener(kind, (event) => {
    problems.push(kind + ": " + (event.message || event.violatedDirective));
  });
}
"""

# Runs after them: helpers for clicks, keys and state. `report` ends the page with the results.
LATE = """
const byId = (id) => document.getElementById(id);
const key = (name, where = document.body) =>
  where.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const press = (step) => document.querySelector(`[data-step=${step}]`).click();
const slide = (move) => {
  byId("slider").value = move;
  byId("slider").dispatchEvent(new Event("input", { bubbles: true }));
};
const choose = (id, index) => {
  byId(id).selectedIndex = index;
  byId(id).dispatchEvent(new Event("input", { bubbles: true }));
};
const rows = () => [...byId("list").tBodies[0].rows].map((row) => row.dataset.game);
const seen = () => ({
  heading: byId("heading").textContent,
  result: byId("result").textContent,
  standing: byId("standing").textContent,
  stones: Object.fromEntries([...document.querySelectorAll("#stage .stone")].map(
    (stone) => [stone.dataset.vertex, stone.getAttribute("class").split(" ").at(-1)])),
  sides: document.querySelector("#stage .white-side")?.getAttribute("points") ?? null,
  move: Number(byId("slider").value),
  moves: Number(byId("slider").max),
  current: [...document.querySelectorAll("#moves [aria-current]")].map((each) => each.textContent),
  marks: document.querySelectorAll("#stage .last").length,
  curves: document.querySelectorAll("#curve .chart .line").length,
  hash: location.hash,
  off: [...document.querySelectorAll("#controls :disabled")].map((button) => button.dataset.step),
});
const report = (found) => parent.postMessage(JSON.stringify({ problems, found }), "*");
"""

# The window is never narrower than 500 pixels, so the page is in a frame.
FRAME = """<!doctype html><iframe style="width:WIDTHpx;height:740px;border:0" src="SOURCE"></iframe>
<script>
addEventListener("message", (event) => { document.body.textContent = event.data; });
</script>
"""


def records() -> list[GameRecord]:
    """Games of three engines: with swaps, a failure, none without moves, and a tie of names."""
    games = []
    for number in range(8):
        game = played(number)
        pair = (ENGINES[0], ENGINES[1 + number // 2 % 2])
        players = pair if number % 2 == 0 else pair[::-1]
        opening = (Opening("corner", ("A1", "E4")), Opening("edge", ("C1",)))[number // 4]
        task = structs.replace(record(number, *players).game, opening=opening)
        games.append(GameRecord(task, game.winner, Termination.RULES, moves=game.moves))
    void = record(
        8, ENGINES[1], ENGINES[2], None, "A1 swap", termination=Termination.HUNG, failed=Color.WHITE
    )
    lost = record(
        9, ENGINES[2], ENGINES[1], Color.WHITE, termination=Termination.DIED, failed=Color.BLACK
    )
    long = "word " * 30 + "unbroken" * 40
    return [
        *games,
        void,
        GameRecord(lost.game, Color.WHITE, Termination.DIED, long, Color.BLACK, stderr=long),
    ]


def source_hash(script: str) -> str:
    """A script as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class Browser:
    """Opens the page, does what a script says, and returns what it found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = ""
        write_page(
            records(),
            folder / "match.html",
            title="A match of " + "three" * 30,
            plan=plan(*ENGINES, size="5x4"),
        )

    def __call__(
        self,
        script: str,
        place: str = "",
        width: int = 1000,
        *flags: str,
        data: str = "",
        refresh: int = 0,
    ) -> Any:
        """place: fragment to open. data: replaces the page's data. refresh: seconds after which the
        page reloads itself.
        """
        text = (self.folder / "match.html").read_text("utf-8")
        if data:
            begin = text.index('id="data">') + len('id="data">')
            text = text[:begin] + data + text[text.index("</script>", begin) :]
        if refresh:
            text = text.replace("<body>", f'<body data-refresh="{refresh}">')
        # Delayed: the page's own actions on opening come first.
        late = f"{LATE}\nsetTimeout(() => {{ {script} }}, 200);"
        text = text.replace("<title>", f"<script>{EARLY}</script><title>", 1)
        text = text.replace("</body>", f"<script>{late}</script></body>")
        hashes = " ".join(map(source_hash, (EARLY, late)))  # else the page's policy forbids them
        assert text.count("; script-src ") == 1
        text = text.replace("; script-src ", f"; script-src {hashes} ")
        (self.folder / "watched.html").write_text(text)
        frame = FRAME.replace("WIDTH", str(width)).replace("SOURCE", f"watched.html{place}")
        (self.folder / "frame.html").write_text(frame)
        return self._found("frame.html", *flags)

    def command(self, *flags: str) -> list[str]:
        assert CHROMIUM is not None
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += ["--enable-logging=stderr", "--virtual-time-budget=3000"]
        command += ["--window-size=1100,900", f"--user-data-dir={self.folder / 'profile'}"]
        return [*command, *flags]

    def dom(self, name: str, *flags: str) -> str:
        """Returns the DOM of a document in the folder after its scripts have run."""
        done = subprocess.run(
            [*self.command(*flags), "--dump-dom", (self.folder / name).as_uri()],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        self.said = done.stderr
        return done.stdout

    def _found(self, name: str, *flags: str) -> Any:
        shown = self.dom(name, *flags)
        assert "CONSOLE" not in self.said
        body = re.search(r"<body>(\{.*\})</body>", shown, re.DOTALL)
        assert body, shown[-2000:] + self.said[-2000:]
        report = json.loads(html.unescape(body[1]))
        assert report["problems"] == []
        return report["found"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(tmp_path_factory.mktemp("page"))


def stones_by_the_rulebook(game: GameRecord) -> list[dict[str, str]]:
    """The stones at the start and after each move, by their vertices."""
    position = RULEBOOK["pinch"](5, 4)
    boards = []
    for text in ["", *(move.text for move in game.moves)]:
        if text == "swap":
            position = position.play("swap")
        elif text:
            position = position.play((COLUMNS.index(text[0]), int(text[1:]) - 1))
        stones = position.stones().items()
        boards.append({f"{COLUMNS[x]}{y + 1}": color for (x, y), color in stones})
    return boards


def test_every_position_of_every_game(browser: Browser) -> None:
    script = """
      const found = {};
      for (const row of byId("list").tBodies[0].rows) {
        row.click();
        found[row.dataset.game] = [];
        for (let move = 0; move <= Number(byId("slider").max); move++) {
          slide(move);
          found[row.dataset.game].push(seen());
        }
      }
      report(found);
    """
    found = browser(script)
    assert len(found) == 10
    for game in records():
        views = found[str(game.game.display_number)]
        assert [view["stones"] for view in views] == stones_by_the_rulebook(game)
        assert game.game.black in views[0]["heading"]
        for move, view in zip(game.moves, views[1:], strict=True):
            assert move.text in view["standing"]
            assert view["current"] == [f"{views.index(view)}. {move.text}"]
            assert view["marks"] == (move.text != "swap")
            chance = move.winrate is not None
            assert chance == ("'s winrate" in view["standing"])
            if move.winrate is not None:
                assert f"{100 * move.winrate:.1f} %" in view["standing"]
        swaps = sum(move.text == "swap" for move in game.moves)
        assert len({view["sides"] for view in views}) == 1 + swaps
        assert views[0]["curves"] == (2 if any(move.winrate for move in game.moves) else 0)


def test_keys_and_buttons(browser: Browser) -> None:
    script = """
      const found = [];
      const look = (name) => { const { heading, move, moves, off } = seen();
        found.push([name, parseInt(heading.slice(5)), move, moves, off]); };
      look("opened");
      for (const name of ["Home", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "End",
                          "ArrowRight", "PageUp", "PageDown", "a"]) { key(name); look(name); }
      for (const step of ["first", "on", "on", "back", "last", "next", "previous"]) {
        press(step);
        look(step);
      }
      key("Home", byId("by-engine")); look("in a form");
      key("Home", document.querySelector("pre")); look("in a transcript");
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" })); look("nowhere");
      scrollTo(0, document.body.scrollHeight);
      key("Home"); look("out of sight");
      byId("moves").children[1].firstChild.click(); look("in the list");
      const chart = document.querySelector("#curve .chart"), box = chart.getBoundingClientRect();
      chart.dispatchEvent(new MouseEvent("click", { clientX: box.right, clientY: box.top + 5 }));
      look("curve");
      const row = byId("list").tBodies[0].rows[4];
      row.querySelector("a").focus();
      row.querySelector("a").click(); look("from the list");
      key("ArrowLeft", document.activeElement); look("and back");
      report(found);
    """
    found = browser(script, "#game=3&move=4")
    games = [len(game.moves) for game in records()]
    last, before = games[2], games[1]
    expected = [
        ("opened", 3, 4),
        *(("Home", 3, 0), ("ArrowLeft", 3, 0), ("ArrowRight", 3, 1), ("ArrowRight", 3, 2)),
        *(("ArrowLeft", 3, 1), ("End", 3, last), ("ArrowRight", 3, last)),
        *(("PageUp", 2, before), ("PageDown", 3, last), ("a", 3, last)),
        *(("first", 3, 0), ("on", 3, 1), ("on", 3, 2), ("back", 3, 1), ("last", 3, last)),
        *(("next", 4, games[3]), ("previous", 3, last)),
        *(("in a form", 3, last), ("in a transcript", 3, last), ("nowhere", 3, 0)),
        *(("out of sight", 3, 0), ("in the list", 3, 2), ("curve", 3, last)),
        *(("from the list", 5, games[4]), ("and back", 5, games[4] - 1)),
    ]
    assert [tuple(view[:3]) for view in found] == expected
    for _, game, move, moves, off in found:
        assert moves == games[game - 1]
        assert set(off) == {*(["first", "back"] * (move == 0)), *(["on", "last"] * (move == moves))}


def test_game_list_is_filtered(browser: Browser) -> None:
    script = """
      const found = { all: rows(), hash: location.hash, heading: byId("heading").textContent };
      choose("by-engine", 3); found.three = rows();
      choose("by-end", 4); found.threeFailed = rows();
      choose("by-engine", 0); choose("by-end", 1); found.black = rows();
      choose("by-end", 3); found.drawn = [rows(), byId("found").textContent];
      location.hash = "#game=7&move=1";
      setTimeout(() => { found.gone = seen(); report(found); }, 100);
    """
    found = browser(script)
    games = records()

    def numbers(fits: Any) -> list[str]:
        return [str(game.game.display_number) for game in games if fits(game)]

    assert found["all"] == numbers(lambda game: True)
    assert found["heading"].startswith("Game 1: one (black)")
    three = numbers(lambda game: ENGINES[2] in (game.game.black, game.game.white))
    assert found["three"] == three != found["all"]
    assert found["threeFailed"] == ["9", "10"]
    assert found["black"] == numbers(lambda game: game.winner == Color.BLACK)
    assert found["drawn"] == [[], "0 games"]
    assert found["gone"]["heading"].startswith("Game 7:")
    assert found["gone"]["move"] == 1
    assert found["gone"]["hash"] == "#game=7&move=1"


def test_filters_combine_and_are_reset_by_one_button(browser: Browser) -> None:
    """By opponent, cause, opening, length, and all together; one button resets them."""
    script = """
      const names = (id) => [...byId(id).options].map((option) => option.textContent);
      const found = { causes: names("by-cause"), openings: names("by-opening") };
      const look = (name) => { found[name] = rows(); };
      choose("by-engine", 1); choose("by-opponent", 2); look("between");
      byId("show-all").click(); look("all");
      choose("by-cause", found.causes.indexOf("died")); look("died");
      byId("show-all").click();
      choose("by-opening", 2); look("opening");
      byId("show-all").click();
      for (const [id, value] of [["least-moves", 2], ["most-moves", 9]]) {
        byId(id).value = value;
        byId(id).dispatchEvent(new Event("input", { bubbles: true }));
      }
      look("short");
      byId("show-all").click();
      document.querySelector("#openings [data-opening='1']").click(); look("card");
      found.label = byId("found").textContent;
      report(found);
    """
    found = browser(script)
    games = records()

    def numbers(fits: Any) -> list[str]:
        return [str(game.game.display_number) for game in games if fits(game)]

    assert found["causes"] == ["all", "died", "hung", "rules"]
    assert found["openings"] == ["all", "corner", "edge", "none"]
    assert found["all"] == numbers(lambda game: True)
    pair = set(ENGINES[:2])
    assert found["between"] == numbers(lambda game: {game.game.black, game.game.white} == pair)
    assert found["died"] == ["10"]
    edge = numbers(lambda game: game.game.opening.name == "edge")
    assert found["opening"] == found["card"] == edge != found["all"]
    assert found["short"] == numbers(lambda game: 2 <= len(game.moves) <= 9) != []
    assert found["label"] == f"{len(edge)} games"


def test_script_in_a_name_does_not_run(browser: Browser) -> None:
    """Should some text become markup in spite of all, the page's policy stops it."""
    text = (browser.folder / "match.html").read_text("utf-8")
    evil = "<script>document.title = 'evil'</script><img src='x' onerror='document.title = 1'>"
    watched = "document.title + '|' + document.querySelectorAll('#list tbody tr').length"
    late = f"addEventListener('load', () => {{ document.body.textContent = {watched}; }});"
    text = text.replace("; script-src ", f"; script-src {source_hash(late)} ")
    text = text.replace("</body>", f"{evil}<script>{late}</script></body>")
    (browser.folder / "evil.html").write_text(text)
    shown = browser.dom("evil.html")
    assert re.search(r"<body[^>]*>A match of (three)+\|10</body>", shown), shown[-500:]


PRINTED = re.compile(rb"/Type\s*/Page\b")


def test_page_prints_on_few_sheets(browser: Browser) -> None:
    """Printing takes a few sheets of paper and omits the replay's buttons."""
    command = [*browser.command(), f"--print-to-pdf={browser.folder / 'match.pdf'}"]
    page = (browser.folder / "match.html").as_uri()
    subprocess.run([*command, page], capture_output=True, timeout=120, check=True)
    assert 2 <= len(PRINTED.findall((browser.folder / "match.pdf").read_bytes())) <= 12


def test_kings_bans_and_missing_points(browser: Browser) -> None:
    """Hand-made data, in the form that page.js reads, of games whose boards have them."""
    board = {"width": 3, "height": 2, "columns": "abc", "rows": "12", "start": "-01-30"}
    board["ground"] = ""
    # A black man goes from c1 to b1 and is crowned; then a white king takes the one on b2 by a jump
    # to c2, and b2 is banned.
    game = {
        "label": "1",
        "black": 0,
        "white": 1,
        "winner": "w",
        "cause": "rules",
        "detail": "",
        "failed": "",
        "moves": "c1-b1\nc2",
        "colors": "b",
        "book": 0,
        "times": "10 20",
        "winrates": "",
        "changes": "020013 045054",
        "swaps": [],
        "chain": [],
        "opening": 0,
    }
    script = """
      const found = [];
      const all = (kind) => [...document.querySelectorAll("#stage ." + kind)];
      for (let move = 0; move <= 2; move++) {
        slide(move);
        found.push([
          all("stone").map((stone) => stone.dataset.vertex + stone.getAttribute("class").slice(5)),
          all("banned").map((each) => each.dataset.vertex),
          ["ring", "last", "turned", "gone"].map((kind) => all(kind).length),
        ]);
      }
      report(found);
    """
    data = {"engines": ENGINES, "board": board, "games": [game]}
    assert browser(script, data=json.dumps(data)) == [
        [["c1 black", "b2 black king"], [], [1, 0, 0, 0]],
        [["b1 black king", "b2 black king"], [], [2, 1, 0, 1]],
        [["b1 black king", "c2 white king"], ["b2"], [2, 1, 0, 1]],
    ]


WIDTHS = """
  document.querySelectorAll("details").forEach((part) => { part.open = true; });
  const beyond = [...document.querySelectorAll("body *")].filter((part) =>
    !part.closest(".scroll, pre, #moves") && part.getBoundingClientRect().right > innerWidth + 0.5);
  const touched = document.querySelectorAll("#controls button, select, input[type=number], #more");
  const small = [...touched].filter((part) => part.offsetHeight && part.offsetHeight < 40);
  const broken = [...document.querySelectorAll("th, td")].filter((part) => part.offsetHeight > 400);
  const bars = [...document.querySelectorAll("#lengths rect")].map((bar) =>
    bar.getBBox().height - bar.getAttribute("height"));
  const lettering = [...document.querySelectorAll(".chart text, #stage text")].filter((part) =>
    part.getBoundingClientRect().height < 8);
  report({ inner: innerWidth, page: document.documentElement.scrollWidth,
    beyond: beyond.map((part) => part.outerHTML.slice(0, 80)), small: small.length,
    bars: [bars.length > 1, Math.max(...bars.map(Math.abs))],
    broken: broken.map((part) => part.textContent),
    tiny: lettering.map((part) => part.outerHTML.slice(0, 80)),
    ground: getComputedStyle(document.body).backgroundColor });
"""


@pytest.mark.parametrize("width", [320, 390, 700, 1000, 1600])
def test_page_fits_the_screen(browser: Browser, width: int) -> None:
    found = browser(WIDTHS, "", width)
    assert found["inner"] == width
    assert found["page"] <= width
    assert found["beyond"] == []
    assert found["small"] == 0
    assert found["broken"] == []
    assert found["bars"] == [True, pytest.approx(0, abs=0.1)]
    assert found["tiny"] == []


def test_wide_table_scrolls_with_fixed_names(browser: Browser) -> None:
    script = """
      const table = document.querySelector("#crosstable table"), box = table.parentElement;
      const left = (cell) => cell.getBoundingClientRect().left - box.getBoundingClientRect().left;
      const look = () => [0, 1, 4].map((at) => left(table.tBodies[0].rows[0].cells[at]));
      table.style.minWidth = "900px";
      const before = look();
      box.scrollLeft = 200;
      report({ before, after: look(), scrolled: box.scrollLeft });
    """
    found = browser(script, "", 390)
    assert found["scrolled"] == 200
    assert found["after"][2] == pytest.approx(found["before"][2] - 200, abs=1)
    assert max(found["after"][:2]) < 60


def test_page_follows_light_and_dark_mode(browser: Browser) -> None:
    grounds = [browser(WIDTHS, "", 360, *flags)["ground"] for flags in ((), ("--force-dark-mode",))]
    assert grounds == ["rgb(251, 250, 247)", "rgb(23, 22, 20)"]


def test_page_of_running_match_reloads_and_keeps_its_state(browser: Browser) -> None:
    script = """
      if (!sessionStorage.getItem("loaded")) {
        sessionStorage.setItem("loaded", "once");
        choose("by-end", 2);
        document.querySelector("details").open = true;
        byId("list").tBodies[0].rows[1].click();
        press("back");
        window.scrollTo(0, 300);
      } else {
        report({
          rows: rows(),
          filter: byId("by-end").selectedIndex,
          open: document.querySelector("details").open,
          ...seen(),
          y: window.scrollY,
        });
      }
    """
    found = browser(script, refresh=1)
    assert found["filter"] == 2
    assert found["open"]
    assert found["y"] == 300
    assert found["hash"].startswith(f"#game={found['rows'][1]}&")
    assert found["move"] == found["moves"] - 1
