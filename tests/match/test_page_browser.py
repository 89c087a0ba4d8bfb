"""The page of a match in Chromium: its contents, and its responses to clicks and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from match_plans import plan
from match_records import played, record, write_page
from msgspec import structs
from reference import GAMES as RULEBOOK

from pinchtp.games import Color
from pinchtp.games.notation import COLUMNS
from pinchtp.match.record import GameRecord, Opening, Termination

if TYPE_CHECKING:  # playwright may be missing
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

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

# Helpers of scripts for clicks, keys and state. They end by `report`, with their results.
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
        slow = structs.replace(game.moves[-1], seconds=119.6)
        moves = (*game.moves[:-1], slow)
        games.append(GameRecord(task, game.winner, Termination.RULES, moves=moves))
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


class MatchPage:
    """Opens the page of a match, does what a script says, and returns what it found."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.file = folder / "match.html"
        self.browser = browser
        write_page(
            records(),
            self.file,
            title="A match of " + "three" * 30,
            plan=plan(*ENGINES, size="5x4"),
        )

    def __call__(
        self, script: str, place: str = "", width: int = 1000, *, dark: bool = False, data: str = ""
    ) -> Any:
        """place: fragment to open. data: replaces the page's data."""
        with self.opened(place, width, dark=dark, data=data) as page:
            return found(page, script)

    @contextmanager
    def opened(
        self,
        place: str = "",
        width: int = 1000,
        *,
        dark: bool = False,
        data: str = "",
        refresh: int = 0,
    ) -> Iterator[Page]:
        """Yields the open page; fails if it had problems. refresh: seconds after which it reloads
        itself.
        """
        text = self.file.read_text("utf-8")
        if data:
            begin = text.index('id="data">') + len('id="data">')
            text = text[:begin] + data + text[text.index("</script>", begin) :]
        if refresh:
            text = text.replace("<body>", f'<body data-refresh="{refresh}">')
        changed = self.file.with_name("changed.html")
        changed.write_text(text)
        problems: list[str] = []
        page = self.browser.new_page(
            viewport={"width": width, "height": 740}, color_scheme="dark" if dark else "light"
        )
        page.on("console", lambda said: problems.append(said.text))
        page.add_init_script(EARLY)
        page.goto(changed.as_uri() + place)
        yield page
        assert page.evaluate("window.problems") == problems == []
        page.close()


def found(page: Page, script: str) -> Any:
    """Runs a script on a page; returns what it reports."""
    return page.evaluate(f"() => new Promise((report) => {{ {LATE} {script} }})")


@pytest.fixture(scope="module")
def match_page(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> MatchPage:
    return MatchPage(tmp_path_factory.mktemp("page"), browser)


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


def test_every_position_of_every_game(match_page: MatchPage) -> None:
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
    found = match_page(script)
    assert len(found) == 10
    for game in records():
        views = found[str(game.game.display_number)]
        assert [view["stones"] for view in views] == stones_by_the_rulebook(game)
        assert game.game.black in views[0]["heading"]
        for move, view in zip(game.moves, views[1:], strict=True):
            assert move.text in view["standing"]
            assert ("2 min 0 s" in view["standing"]) == (move.seconds > 60)
            assert view["current"] == [f"{views.index(view)}. {move.text}"]
            assert view["marks"] == (move.text != "swap")
            chance = move.winrate is not None
            assert chance == ("'s winrate" in view["standing"])
            if move.winrate is not None:
                assert f"{100 * move.winrate:.1f} %" in view["standing"]
        swaps = sum(move.text == "swap" for move in game.moves)
        assert len({view["sides"] for view in views}) == 1 + swaps
        assert views[0]["curves"] == (2 if any(move.winrate for move in game.moves) else 0)


def test_keys_and_buttons(match_page: MatchPage) -> None:
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
    found = match_page(script, "#game=3&move=4")
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


def test_game_list_is_filtered(match_page: MatchPage) -> None:
    script = """
      const found = { all: rows(), hash: location.hash, heading: byId("heading").textContent };
      choose("by-engine", 3); found.three = rows();
      choose("by-end", 4); found.threeFailed = rows();
      choose("by-engine", 0); choose("by-end", 1); found.black = rows();
      choose("by-end", 3); found.drawn = [rows(), byId("found").textContent];
      location.hash = "#game=7&move=1";
      setTimeout(() => { found.gone = seen(); report(found); }, 100);
    """
    found = match_page(script)
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


def test_filters_combine_and_are_reset_by_one_button(match_page: MatchPage) -> None:
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
    found = match_page(script)
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


def test_script_in_a_name_does_not_run(match_page: MatchPage) -> None:
    """Should some text become markup in spite of all, the page's policy stops it."""
    evil = "<script>document.title = 'evil'</script><img src='x' onerror='document.title = 1'>"
    file = match_page.file.with_name("evil.html")
    file.write_text(match_page.file.read_text("utf-8").replace("</body>", f"{evil}</body>"))
    page = match_page.browser.new_page()
    page.goto(file.as_uri())
    assert re.fullmatch("A match of (three)+", page.title())
    assert page.locator("#list tbody tr").count() == 10
    page.close()


PRINTED = re.compile(rb"/Type\s*/Page\b")


def test_page_prints_on_few_sheets(match_page: MatchPage) -> None:
    """Printing takes a few sheets of paper and omits the replay's buttons."""
    with match_page.opened() as page:
        assert 2 <= len(PRINTED.findall(page.pdf())) <= 12


def test_printed_list_says_how_many_games_it_leaves_out(match_page: MatchPage) -> None:
    text = match_page.file.read_text("utf-8")
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    data["games"] *= 3
    with match_page.opened(data=json.dumps(data)) as page:
        page.emulate_media(media="print")
        assert page.inner_text("#filter") == "25 of 30 games"
        page.evaluate("document.getElementById('more').click()")
        assert page.inner_text("#filter") == "30 games"


def test_kings_bans_and_missing_points(match_page: MatchPage) -> None:
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
    assert match_page(script, data=json.dumps(data)) == [
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
def test_page_fits_the_screen(match_page: MatchPage, width: int) -> None:
    found = match_page(WIDTHS, "", width)
    assert found["inner"] == width
    assert found["page"] <= width
    assert found["beyond"] == []
    assert found["small"] == 0
    assert found["broken"] == []
    assert found["bars"] == [True, pytest.approx(0, abs=0.1)]
    assert found["tiny"] == []


def test_wide_table_scrolls_with_fixed_names(match_page: MatchPage) -> None:
    script = """
      const table = document.querySelector("#crosstable table"), box = table.parentElement;
      const left = (cell) => cell.getBoundingClientRect().left - box.getBoundingClientRect().left;
      const look = () => [0, 1, 4].map((at) => left(table.tBodies[0].rows[0].cells[at]));
      table.style.minWidth = "900px";
      const before = look();
      box.scrollLeft = 200;
      report({ before, after: look(), scrolled: box.scrollLeft });
    """
    found = match_page(script, "", 390)
    assert found["scrolled"] == 200
    assert found["after"][2] == pytest.approx(found["before"][2] - 200, abs=1)
    assert max(found["after"][:2]) < 60


def test_page_follows_light_and_dark_mode(match_page: MatchPage) -> None:
    grounds = [match_page(WIDTHS, "", 360, dark=dark)["ground"] for dark in (False, True)]
    assert grounds == ["rgb(251, 250, 247)", "rgb(23, 22, 20)"]


def test_page_of_running_match_reloads_and_keeps_its_state(match_page: MatchPage) -> None:
    change = """
      choose("by-end", 2);
      document.querySelector("details").open = true;
      byId("list").tBodies[0].rows[1].click();
      press("back");
      window.scrollTo(0, 300);
      report();
    """
    look = """
      report({
        rows: rows(),
        filter: byId("by-end").selectedIndex,
        open: document.querySelector("details").open,
        ...seen(),
        y: window.scrollY,
      });
    """
    with match_page.opened(refresh=2) as page:
        with page.expect_event("load"):
            found(page, change)
        state = found(page, look)
    assert state["filter"] == 2
    assert state["open"]
    assert state["y"] == 300
    assert state["hash"].startswith(f"#game={state['rows'][1]}&")
    assert state["move"] == state["moves"] - 1
