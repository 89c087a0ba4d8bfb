"""The board in Chromium: cascades, wins, sounds, and the settings of all of them."""

import re
from itertools import pairwise
from typing import Any

import pytest
from board.page import ENGINE, Visitor
from board.visits import Board
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

# Black's D2 flips D3, D4 and D5, one after another.
CASCADE = "......./..XO.../...OX../..XO.../......./....... b"
# Black's D3 wins.
WIN = "..XX./.OOX./OO..O/OOXX./..X.. b"

RECORD = """() => {
  const stones = document.querySelector("#board .stones");
  window.seen = [];
  const count = (kind) => stones.querySelectorAll(kind).length;
  new MutationObserver(() => window.seen.push(
    [performance.now(), count(".black"), count(".stone")],
  )).observe(stones, { childList: true });
}"""

RECORD_MARKS = """() => {
  window.marked = 0;
  const board = document.querySelector("#board svg");
  new MutationObserver(() => {
    if (board.querySelector(".turned:not([display])")) window.marked ||= performance.now();
  }).observe(board, { childList: true, subtree: true, attributes: true });
}"""


def start(visitor: Visitor, text: str, *, motion: bool = True) -> None:
    """Begins from a position, Black against an engine that replies at once."""
    size = text.split("/")
    visitor.new_game("pinch", (len(size[0]), len(size)), pie=False, white=ENGINE, strength=1)
    visitor.click("A1")  # starts the engine
    expect(visitor.page.locator("#board .stone")).to_have_count(2)
    visitor.load(text)
    expect(visitor.page.locator("#board .stone")).to_have_count(text.count("X") + text.count("O"))
    visitor.do("resume")
    expect(visitor.action("resume")).to_have_count(0)
    if motion:
        visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.page.evaluate(RECORD)


def seen(visitor: Visitor) -> list[tuple[float, int, int]]:
    """The changes of the stones: time in ms, black stones, all stones."""
    return [(at, black, count) for at, black, count in visitor.page.evaluate("window.seen")]


def test_reply_waits_for_the_cascade(visitor: Visitor) -> None:
    start(visitor, CASCADE)
    visitor.click("D2")
    expect(visitor.page.locator("#board .stone")).to_have_count(8)
    steps = seen(visitor)
    assert [(black, count) for _, black, count in steps[:4]] == [(4, 7), (5, 7), (6, 7), (7, 7)]
    assert steps[4][2] == 8  # the reply
    pauses = [after[0] - before[0] for before, after in pairwise(steps[:5])]
    assert all(pause > 150 for pause in pauses), pauses
    assert sum(pauses) < 10_000


def test_reply_waits_for_a_late_cascade(visitor: Visitor) -> None:
    """On a slow page the reply came before the last flip."""
    start(visitor, CASCADE)
    visitor.page.evaluate(
        """() => new MutationObserver(() => {
          for (const began = performance.now(); performance.now() < began + 400;);
        }).observe(document.querySelector("#board .stones"), { childList: true })"""
    )
    visitor.click("D2")
    expect(visitor.page.locator("#board .stone")).to_have_count(8)
    assert [count for _, _, count in seen(visitor)[:5]] == [7, 7, 7, 7, 8]


def test_reply_waits_for_the_cascade_below_an_overlay(visitor: Visitor) -> None:
    """The request of an overlay for the new position showed the reply."""
    start(visitor, CASCADE)
    visitor.tab("analysis")
    drawn = visitor.page.locator("#drawn")
    expect(drawn.locator("option").nth(3)).to_be_attached()
    drawn.select_option(index=3)
    visitor.click("D2")
    expect(visitor.page.locator("#board .stone")).to_have_count(8)
    assert [count for _, _, count in seen(visitor)[:5]] == [7, 7, 7, 7, 8]


def test_marks_wait_for_the_last_flip(visitor: Visitor) -> None:
    """They lay on stones that were still turning, and a winning chain was lit below them."""
    start(visitor, CASCADE)
    visitor.page.evaluate(RECORD_MARKS)
    visitor.click("D2")
    visitor.wait_until("() => window.marked > 0")
    last_flip = next(at for at, black, _ in seen(visitor) if black == 7)
    assert visitor.page.evaluate("window.marked") - last_flip > 150


def choose_motion(visitor: Visitor, name: str) -> None:
    visitor.do("settings")
    visitor.page.locator("#settings-dialog [name=motion]").select_option(name)
    visitor.press("Escape")


def hold_cascade(visitor: Visitor, server: Board) -> None:
    """Plays a cascade whose animation lasts; the page has received the reply, and holds it."""
    start(visitor, CASCADE)
    visitor.hold_animation()
    with server.visit(visitor.cookie) as other:
        visitor.click("D2")
        other.until(lambda state: sum(cell in (1, 2) for cell in state["board"]["cells"]) == 8)
    visitor.receive_all()
    expect(visitor.page.locator("#board .stone")).to_have_count(7)


def test_click_skips_the_cascade(visitor: Visitor, server: Board) -> None:
    hold_cascade(visitor, server)
    visitor.point("G1").click()
    expect(visitor.page.locator("#board .stone")).to_have_count(8)
    expect(visitor.page.locator("#notices")).not_to_contain_text("It is not your turn")


def test_first_click_after_a_while_skips_the_cascade_only(visitor: Visitor, server: Board) -> None:
    """The report of input, which is due then, had shown the reply before the click."""
    hold_cascade(visitor, server)
    visitor.page.evaluate(
        "() => { const now = performance.now(); performance.now = () => now + 60_000; }"
    )
    visitor.point("G1").click()
    visitor.expect_status("Black to move")
    assert visitor.stones().get("G1") != "black"


def test_animation_can_be_switched_off(visitor: Visitor) -> None:
    choose_motion(visitor, "off")
    start(visitor, CASCADE)
    visitor.click("D2")
    expect(visitor.page.locator("#board .stone")).to_have_count(8)
    assert seen(visitor)[0][1] == 7  # all at once


def test_win_lights_its_chain_and_names_the_winner(visitor: Visitor) -> None:
    start(visitor, WIN)
    visitor.click("D3")
    status = visitor.page.locator("#status")
    expect(status.locator("strong")).to_have_text("You won!")
    expect(status).to_contain_text("Black wins")
    lit = visitor.page.locator("#board .chain.lit")
    expect(lit.first).to_be_attached()
    delays: list[Any] = lit.evaluate_all(
        "(all) => all.map((each) => parseFloat(each.style.animationDelay))"
    )
    assert min(delays) == 0
    assert max(delays) >= 4 * 80  # from side to side
    rematch = visitor.action("rematch")
    expect(rematch).to_have_text("Rematch as White")
    visitor.review()
    rematch.click()
    expect(visitor.page.locator("[data-color=black] .name")).to_contain_text("pinchtp")


AUDIO = """
  window.tones = 0;
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.tones += 1;
    return create.call(this);
  };
"""


def test_sound_is_off_until_chosen(visitor: Visitor) -> None:
    visitor.page.add_init_script(AUDIO)
    visitor.reload()
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1")
    visitor.expect_stones("A1")
    assert visitor.page.evaluate("window.tones") == 0
    visitor.do("settings")
    visitor.page.locator("#settings-dialog [name=sound]").select_option("on")
    visitor.press("Escape")
    visitor.click("B2")
    visitor.expect_stones("A1", "B2")
    assert visitor.page.evaluate("window.tones") > 0


# The looks of the parts of a board: what they are filled and outlined with.
PARTS = ["wood", "frame", "coordinate", "last", "black .disc", "black .shadow"]
LOOKS = f"""() => {PARTS}.map((part) => {{
  const look = getComputedStyle(document.querySelector(`#board .${{part}}`));
  return [look.display, look.visibility, look.fill, look.stroke].join();
}})"""


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("board", ["paper", "green", "slate", "clear"]),
        ("stones", ["flat", "glass"]),
        ("coordinates", ["off"]),
    ],
)
def test_each_style_looks_different_and_outlasts_a_reload(
    visitor: Visitor, name: str, values: list[str]
) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1")
    visitor.expect_stones("A1")
    looks = [visitor.page.evaluate(LOOKS)]
    visitor.do("settings")
    for value in values:
        visitor.page.locator(f"#settings-dialog [name={name}]").select_option(value)
        looks.append(visitor.page.evaluate(LOOKS))
    assert len({str(look) for look in looks}) == 1 + len(values)
    visitor.press("Escape")
    visitor.reload()
    visitor.expect_stones("A1")
    assert visitor.page.evaluate(LOOKS) == looks[-1]


def test_color_blind_safe_board_marks_without_red_and_green(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.do("settings")
    board = visitor.page.locator("#settings-dialog [name=board]")
    board.select_option(label="Color-blind safe")
    visitor.press("Escape")
    visitor.click("A1")
    visitor.press("a")
    best = visitor.page.locator("#board .candidate.best circle")
    expect(best).to_have_css("fill", "rgb(213, 94, 0)")
    other = visitor.page.locator("#board .candidate:not(.best, [display]) circle").first
    expect(other).to_have_css("fill", "rgb(0, 114, 178)")
    expect(visitor.page.locator("#legend")).to_contain_text("The best move has a thick rim")
    expect(best).to_have_css("stroke-width", "3px")
    expect(other).to_have_css("stroke-width", "1px")
    expect(visitor.page.locator("#board .last").first).to_have_css("stroke", "rgb(0, 114, 178)")


def test_winner_with_a_name_is_named(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.press("p")
    dialog = visitor.page.locator("#players-dialog")
    dialog.locator("[name=white-name]").fill("Ada")
    dialog.locator("button[type=submit]").click()
    visitor.resign()
    expect(visitor.page.locator("#status strong")).to_have_text("Ada won.")


def test_result_between_two_people_is_said_once(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.resign()
    visitor.expect_status(re.compile(r"^White wins: [^.]*\.$"))
