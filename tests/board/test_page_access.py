"""Accessibility in Chromium: contrast, names, focus, motion, and texts."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board.page import PHONE, WIDE, Visitor
from clients import FOLDER
from playwright.sync_api import ViewportSize, expect

pytestmark = pytest.mark.slow

# The auditor (https://github.com/dequelabs/axe-core), if it is installed.
AXE = FOLDER.parent / ".venv" / "node_modules" / "axe-core" / "axe.min.js"
NEEDS_AXE = pytest.mark.skipif(
    not AXE.exists(), reason="no axe-core: npm install --prefix .venv axe-core"
)

# Texts that are visible, with the contrast of WCAG to the nearest background that is not clear.
CONTRASTS = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const clear = (color) => color.length === 4 && color[3] === 0;
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((each) => each / 255).map(
      (each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor);
      if (!clear(color)) return color;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    const isApart = element.closest("svg, option, :disabled, .unseen, .skip");
    if (!text || isApart || !element.checkVisibility()) continue;
    const [one, other] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
    found.push([text.slice(0, 40), (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)]);
  }
  return found;
}"""

# Controls that can be seen, without a name for screen readers.
NAMELESS = """() => [
    ...document.querySelectorAll("button, input, select, textarea, a, [role=gridcell]")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !each.getAttribute("aria-label") && !each.textContent.trim())
  .filter((each) => !each.labels?.length)
  .map((each) => each.outerHTML)"""


def every_view(visitor: Visitor) -> Iterator[str]:
    """Shows all panels and dialogs, one after another."""
    for tab in ("game", "analysis", "review", "console"):
        visitor.tab(tab)
        yield tab
    for action in ("new", "players", "rules", "setup", "load", "save", "settings", "shortcuts"):
        visitor.open_dialog(action)
        dialog = visitor.page.locator("dialog[open]")
        expect(dialog).to_be_visible()
        if action == "rules":
            expect(visitor.page.locator("#rules-text .lesson").first).to_be_visible()
        yield action
        visitor.press("Escape")
        expect(dialog).to_have_count(0)


@pytest.fixture(params=[("light", WIDE), ("dark", PHONE)], ids=["wide", "phone"])
def audited(request: pytest.FixtureRequest, visitor: Visitor) -> Visitor:
    """A visitor whose page has the auditor, if it is installed."""
    scheme, size = request.param
    visitor.page.emulate_media(color_scheme=scheme)
    visitor.page.set_viewport_size(size)
    if AXE.exists():
        visitor.page.evaluate(f"{AXE.read_text('utf-8')}; undefined")
    return visitor


def test_texts_have_contrast_and_controls_have_names(audited: Visitor) -> None:
    audited.new_game("pinch", (5, 5))
    audited.click("B2", "B2")  # the second is explained
    expect(audited.page.locator("#notices .notice")).to_be_visible()
    for view in every_view(audited):
        contrasts: list[Any] = audited.page.evaluate(CONTRASTS)
        assert len(contrasts) > 10
        assert [each for each in contrasts if each[1] < 4.5] == [], view
        assert audited.page.evaluate(NAMELESS) == [], view
        if AXE.exists():
            assert wrong(audited) == [], view


@NEEDS_AXE
def test_axe_finds_nothing_in_a_game(audited: Visitor) -> None:
    """In a game; the other views are audited with their contrasts."""
    audited.page.evaluate("delete document.documentElement.dataset.notes")
    audited.new_game("pinch", (5, 5), pie=False)
    audited.click("C3", "C4", "B4")
    expect(audited.page.locator(".rule-note")).to_be_visible()
    assert wrong(audited) == [], "a note"
    audited.page.get_by_role("button", name="Turn notes off").click()
    audited.new_game("pinch", (3, 3), pie=False)
    audited.click("A1")
    audited.tab("analysis")
    audited.press("a")
    expect(audited.page.locator("#board .candidate:not([display])").first).to_be_attached()
    assert wrong(audited) == [], "live analysis"
    audited.press("a")
    audited.click("B3", "A2", "C3", "A3")
    audited.expect_status("Black wins")
    assert wrong(audited) == [], "a game that is over"
    audited.new_game("bushka")
    audited.click("e3")
    assert wrong(audited) == [], "an incomplete turn"


@NEEDS_AXE
def test_rules_of_all_games_pass_the_audit(audited: Visitor) -> None:
    """Every step of every example is checked."""
    audited.do("rules")
    games = audited.page.locator("#rules-game")
    for game in games.locator("option").evaluate_all("(all) => all.map((each) => each.value)"):
        games.select_option(game)
        audited.settle()
        lessons = audited.page.locator("#rules-text .lesson")
        expect(lessons.first).to_be_visible()
        assert wrong(audited) == [], game
        assert [each for each in audited.page.evaluate(CONTRASTS) if each[1] < 4.5] == [], game
        for step in lessons.locator("[data-example=on]").all():
            while step.is_enabled():
                step.click()
        assert wrong(audited) == [], f"{game}, at the end of its examples"


def wrong(visitor: Visitor) -> list[Any]:
    """Returns the violations that axe finds, with their elements."""
    found: list[Any] = visitor.page.evaluate(
        """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
          .map((each) => [each.help, each.nodes.map((node) => node.html.slice(0, 200))])"""
    )
    return found


def test_focus_is_seen_everywhere(visitor: Visitor) -> None:
    unseen = []
    for _ in range(40):
        visitor.press("Tab")
        said = visitor.page.evaluate(
            """() => {
              const here = document.activeElement, style = getComputedStyle(here);
              const isSeen = style.outlineStyle !== "none" || style.stroke !== "none";
              return [here.outerHTML.slice(0, 120), isSeen || here === document.body];
            }"""
        )
        if not said[1]:
            unseen.append(said[0])
    assert unseen == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_focus_comes_back_from_dialogs(visitor: Visitor, size: ViewportSize) -> None:
    """From a dialog of the menu on a small screen, to the button of the menu."""
    visitor.page.set_viewport_size(size)
    menu = visitor.page.locator("#menu-button")
    opener = visitor.action("new")
    if menu.is_visible():
        menu.click()
    opener.focus()
    visitor.press("Enter")
    expect(visitor.page.locator("#new-game-dialog")).to_be_visible()
    visitor.press("Escape")
    expect(visitor.page.locator("#new-game-dialog")).to_have_count(0)
    expect(menu if menu.is_visible() else opener).to_be_focused()


def test_light_and_dark_can_be_chosen(visitor: Visitor) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = visitor.page.evaluate(paper)
    visitor.page.emulate_media(color_scheme="dark")  # the system's
    dark = visitor.page.evaluate(paper)
    assert light != dark
    visitor.do("settings")
    theme = visitor.page.locator("#settings-dialog [name=theme]")
    for name, color in (("light", light), ("dark", dark), ("", dark), ("light", light)):
        theme.select_option(name)
        assert visitor.page.evaluate(paper) == color
    visitor.reload()
    assert visitor.page.evaluate(paper) == light


def test_forced_colors_tell_tab_and_mover_apart(visitor: Visitor) -> None:
    style = """(each) => {
      const { borderBottomColor, outlineStyle } = getComputedStyle(each);
      return [borderBottomColor, outlineStyle];
    }"""
    visitor.page.emulate_media(forced_colors="active")
    for chosen, other in (("#tab-game", "#tab-review"), (".player.moves", ".player:not(.moves)")):
        looks = [visitor.page.locator(each).evaluate(style) for each in (chosen, other)]
        assert looks[0] != looks[1], chosen
    visitor.page.emulate_media(forced_colors="none")


def test_captures_are_shown_step_by_step(visitor: Visitor) -> None:
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.new_game("pinch", (7, 6), pie=False)
    visitor.page.evaluate(
        """() => {
          window.seen = [];
          const count = () => document.querySelectorAll(".stones .stone.black").length;
          new MutationObserver(() => { if (seen.at(-1) !== count()) seen.push(count()); })
            .observe(document.querySelector(".stones"), { childList: true });
        }"""
    )
    for count, point in enumerate(("C3", "D3", "E4", "D4", "C5", "D5", "D2"), 1):
        visitor.click(point)
        expect(visitor.page.locator("#board .stones .stone")).to_have_count(count)
    visitor.expect_stones("C3 E4 C5 D2 D3 D4 D5")
    assert visitor.page.evaluate("seen") == [1, 2, 3, 4, 5, 6, 7]
    expect(visitor.page.locator("#board .turned:not([display])")).to_have_count(3)
    visitor.page.evaluate("seen.length = 0")
    visitor.press("c")  # once more
    visitor.wait_until("() => seen.at(-1) === 7")
    assert visitor.page.evaluate("seen") == [4, 5, 6, 7]


def test_pointer_promises_a_stone_on_free_points_only(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False)
    ghost = visitor.page.locator("#board .ghost:not([display])")
    visitor.point("B2").hover()
    expect(ghost).to_have_class(re.compile("black"))
    visitor.point("B2").click()
    expect(ghost).to_have_count(0)
    visitor.point("C3").hover()
    expect(ghost).to_have_class(re.compile("white"))


def test_screen_reader_texts_name_moves_and_points(visitor: Visitor) -> None:
    visitor.new_game("capture-go", (5, 5))
    visitor.click("C2")
    expect(visitor.page.locator("#announcements")).to_contain_text("C2")
    expect(visitor.point("C2")).to_have_attribute("aria-label", "C2, black, last move")
    expect(visitor.point("D2")).to_have_attribute("aria-label", "D2, empty")
    rows = visitor.page.locator("#board [role=row]")
    assert rows.count() == 5


def test_keyboard_alone_suffices(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=True)
    visitor.press("b", "ArrowLeft", "ArrowUp", "Enter")
    visitor.expect_stones("B4")
    expect(visitor.point("B4")).to_have_attribute("aria-label", re.compile("B4, black, last move"))
    expect(visitor.page.locator("#announcements")).to_contain_text("B4")
    visitor.press("s")
    visitor.expect_stones("", "B4")
    visitor.press("?")
    expect(visitor.page.locator("#shortcuts-dialog")).to_be_visible()
    visitor.press("Escape")
    expect(visitor.page.locator("#shortcuts-dialog")).to_have_count(0)
    visitor.press("n")
    expect(visitor.page.locator("#new-game-dialog")).to_be_visible()
    visitor.press("Escape")
    expect(visitor.page.locator("#new-game-dialog")).to_have_count(0)


def test_keys_do_nothing_behind_a_dialog(visitor: Visitor) -> None:
    visitor.do("save")
    dialog = visitor.page.locator("dialog")
    visitor.page.evaluate("document.activeElement.blur()")
    visitor.press("n")
    expect(dialog).to_have_count(1)
    expect(dialog).to_have_attribute("id", "save-dialog")


def page_folder() -> Path:
    import pinchtp.board  # noqa: PLC0415

    return Path(pinchtp.board.__file__).parent / "page"


def test_no_text_of_the_page_is_defined_twice() -> None:
    text = (page_folder() / "strings.js").read_text("utf-8")
    words = re.findall(r'(?<![\w*])"([A-Z][A-Za-z][^"]*)"', text)
    assert len(words) > 100
    assert [word for word in set(words) if words.count(word) > 1] == []


def test_newcomer_reads_what_each_game_is_about(visitor: Visitor) -> None:
    """The goal of each game and the fate of captured stones, before the first moves."""
    said = {
        "pinch": ("with a chain of black stones to win", "flip"),
        "pinch-remove": ("with a chain of black stones to win", "off the board"),
        "pinch-relocate": ("with a chain of black stones to win", "put it down elsewhere"),
        "capture-go": ("The first capture wins", "last free point"),
        "bushka": ("cannot move loses", "captures are compulsory"),
    }
    for game, words in said.items():
        visitor.new_game(game)
        for each in words:
            visitor.expect_status(each)


def test_strings_stand_in_one_file() -> None:
    """All other scripts contain no sentences."""
    folder = page_folder()
    sentence = re.compile(r'"[A-Z][a-z]+ [a-z]+ [^"]*"')
    for path in folder.rglob("*.js"):
        if path.name != "strings.js":
            assert sentence.findall(path.read_text("utf-8")) == [], path.name


def test_game_begins_by_keys_alone(visitor: Visitor) -> None:
    """A dialog's first field has the focus, so Enter starts the game that is proposed."""
    visitor.new_game("capture-go", (5, 5))
    visitor.click("C3")
    visitor.press("n")
    chosen = visitor.page.locator('#new-game-dialog [name=game][value="capture-go"]')
    expect(chosen).to_be_focused()
    visitor.press("Enter")
    expect(visitor.page.locator("#new-game-dialog")).to_have_count(0)
    visitor.expect_stones()
    visitor.press("l")
    expect(visitor.page.locator("#load-dialog textarea")).to_be_focused()
    visitor.press("Escape")
    expect(visitor.page.locator("dialog")).to_have_count(0)
    visitor.press("?")
    expect(visitor.page.locator("#shortcuts-dialog .body")).to_be_focused()
