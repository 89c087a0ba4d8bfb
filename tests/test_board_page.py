"""The board in Chromium: what people do with it by clicks and keys, wide and on a phone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

CHROMIUM = shutil.which("chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

pytest.importorskip("playwright", reason="playwright is not installed: pip install playwright")

from board_page import PHONE, TABLET, WIDE, Visitor, chromium  # noqa: E402
from board_visits import Board  # noqa: E402
from playwright.sync_api import Browser, expect  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Download

ENGINE = "0"  # ours


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None
    with chromium(CHROMIUM) as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with Board(tmp_path_factory.mktemp("board")) as made:
        yield made


@pytest.fixture
def visitor(browser: Browser, server: Board) -> Iterator[Visitor]:
    """Somebody new, at a wide window."""
    with Visitor(browser, server) as made:
        yield made
        made.check()


@pytest.fixture
def phone(browser: Browser, server: Board) -> Iterator[Visitor]:
    """Somebody new, with a phone."""
    with Visitor(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as made:
        yield made
        made.check()


# --- play


def test_stones_flip_and_the_swap_changes_sides(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 4), pie=True)
    visitor.expect_status("Black to move")
    visitor.click("C2")
    visitor.expect_stones("C2")
    visitor.expect_status(re.compile("swap", re.IGNORECASE))
    visitor.do("swap")
    visitor.expect_stones("", "C2")
    expect(visitor.page.locator('[data-color="white"] .says')).to_contain_text("top and bottom")
    visitor.click("B2")  # Black's, beside the white stone
    visitor.expect_stones("B2", "C2")
    visitor.click("E4", "C3")  # C3 and B2 pinch nothing: C2 is beside both
    visitor.expect_stones("B2 C3 C2", "E4")
    expect(visitor.page.locator("#board .marks .turned")).to_have_count(1)
    expect(visitor.page.locator("#board .marks .last:not([display])")).to_have_count(1)


def test_a_won_game_shows_its_chain_and_can_be_played_again(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.click("B1", "A1", "B2", "A3", "B3")
    visitor.expect_status("Black wins")
    assert visitor.page.locator("#board .chain").get_attribute("d")
    assert visitor.legal == []
    visitor.do("rematch")
    visitor.expect_stones()
    visitor.expect_status("Black to move")


def test_undo_and_a_taken_point(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False)
    visitor.click("A1", "B3", "B3")
    expect(visitor.page.locator("#notices")).to_contain_text("B3 is not free")
    visitor.do("undo")
    visitor.expect_stones("A1")
    visitor.press("u")
    visitor.expect_stones()


def test_resigning_is_asked_for_twice(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4))
    visitor.click("A1")
    visitor.do("resign")
    visitor.press("Escape")
    visitor.expect_status("White")
    assert "resigned" not in visitor.page.locator("#status").inner_text()
    visitor.do("resign")
    visitor.page.locator("#resign-dialog button[type=submit]").click()
    visitor.expect_status("resigned")


def test_a_hint_is_drawn_on_the_board(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4))
    visitor.do("hint")
    expect(visitor.page.locator("#board .variation .numbered:not([display])")).to_have_count(1)


def test_removed_stones_ban_their_points(visitor: Visitor) -> None:
    visitor.new_game("pinch-remove", (5, 5), pie=False)
    visitor.click("B3", "C3", "C2")
    visitor.expect_stones("B3 C2")
    expect(visitor.page.locator("#board .stones .banned")).to_have_attribute("data-vertex", "C3")
    visitor.expect_legal("C3", is_legal=False)
    visitor.click("C3")
    expect(visitor.page.locator("#notices")).to_contain_text("captured there")
    visitor.click("E5")
    visitor.expect_legal("C3")


def test_relocation_part_by_part_and_back(visitor: Visitor) -> None:
    visitor.new_game("pinch-relocate", (5, 5), pie=False)
    visitor.click("B3", "C3", "C2")
    visitor.expect_stones("B3 C2")
    visitor.expect_status(re.compile("white", re.IGNORECASE))  # the stone to be put down
    visitor.do("cancel")
    visitor.expect_stones("B3", "C3")
    visitor.click("C2", "E5")
    visitor.expect_stones("B3 C2", "E5")
    visitor.expect_status("White to move")


def test_atari_and_the_first_capture(visitor: Visitor) -> None:
    visitor.new_game("capture-go", (5, 5))
    visitor.click("C2", "C3", "B3", "A1", "D3")
    expect(visitor.page.locator("#board .marks .atari:not([display])")).to_have_count(1)
    visitor.click("A5", "C4")
    visitor.expect_status("Black wins")


def test_bushka_from_and_to_with_compulsory_captures(visitor: Visitor) -> None:
    visitor.new_game("bushka")
    visitor.expect_status("Choose a man")
    visitor.click("e3")
    expect(visitor.page.locator("#board .choice .origin")).to_be_visible()
    visitor.click("e4")
    visitor.click("d6", "d5")
    visitor.click("f3")
    visitor.do("cancel")
    for origin, target in (("f2", "f5"), ("e8", "g8")):
        visitor.press("Escape")
        visitor.point(origin).click()
        visitor.point(target).click()


@pytest.mark.parametrize(
    ("game", "size"),
    [
        ("pinch", (4, 4)),
        ("pinch-remove", (3, 3)),
        ("pinch-relocate", (3, 3)),
        ("capture-go", (3, 3)),
        ("bushka", None),
    ],
)
def test_a_whole_game_against_the_engine(
    visitor: Visitor, game: str, size: tuple[int, int] | None
) -> None:
    visitor.new_game(game, size, white=ENGINE, visits=20)
    status = visitor.page.locator("#status")
    over = visitor.page.locator("#status.over")
    for turn in range(400):
        points = visitor.page.locator("#board .points .legal")
        expect(points.or_(over).first).to_be_attached()
        if over.count():
            break
        before = visitor.page.locator("#board").inner_html()
        names = visitor.legal
        if not names:
            continue
        visitor.click(names[(7 * turn) % len(names)])
        visitor.page.wait_for_function(
            "(before) => document.querySelector('#board').innerHTML !== before", arg=before
        )
    assert re.search("wins|Draw|draw", status.inner_text())


def test_clocks_run_for_who_is_to_move(visitor: Visitor) -> None:
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator("[name=white-player]").select_option("human")
    dialog.locator("[name=time]").select_option("60+1")
    dialog.locator("button[type=submit]").click()
    black = visitor.page.locator('[data-color="black"] .clock')
    white = visitor.page.locator('[data-color="white"] .clock')
    visitor.click("D4")
    expect(black).to_have_text(re.compile("^(1:0|0:5)"))
    expect(white).to_have_text(re.compile("^0:5"))
    visitor.click("E5")
    expect(white).to_have_text(re.compile("^(0:5|1:0)"))


# --- start


def test_options_sizes_and_handicap_come_from_the_registry(visitor: Visitor) -> None:
    visitor.new_game("capture-go", (7, 6), crosscut=True)
    assert len(visitor.stones()) == 4
    expect(visitor.page.locator("#game-title")).to_have_text(re.compile("First Capture Go 7.6"))
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator('[value="bushka"]').check()
    expect(dialog.locator("[name=columns]")).to_have_count(0)
    expect(dialog.locator("[name=pie]")).to_have_count(0)


def test_a_size_that_is_no_size_is_refused_by_the_dialog(visitor: Visitor) -> None:
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator("[name=columns]").fill("99")
    dialog.locator("button[type=submit]").click()
    assert dialog.locator("[name=columns]").evaluate("(field) => !field.validity.valid")
    expect(dialog).to_be_visible()


def test_a_position_set_up_by_hand(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.do("setup")
    dialog = visitor.page.locator("#set-up-dialog")
    for brush, point in (("1", "B2"), ("2", "D4"), ("2", "A1"), ("2", "A1")):
        dialog.locator(f'[data-brush="{brush}"]').click()
        dialog.locator(f'[data-point="{point}"]').click()
    dialog.locator("[name=to-move]").select_option("white")
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_have_count(0)
    visitor.expect_stones("B2", "D4")
    visitor.expect_status("White to move")


@pytest.mark.parametrize(
    "text", ["A1 B2 C3", "(;FF[4]SZ[5];B[ae];W[bd];B[cc])", ".../X../.O. b", "/".join([".X", "O."])]
)
def test_what_is_pasted_is_loaded(visitor: Visitor, text: str) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.do("load")
    dialog = visitor.page.locator("#load-dialog")
    dialog.locator("textarea").fill(text)
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_have_count(0)
    expect(visitor.page.locator("#board .stones .stone").first).to_be_attached()


def test_what_cannot_be_loaded_stays_in_the_dialog(visitor: Visitor) -> None:
    visitor.do("load")
    dialog = visitor.page.locator("#load-dialog")
    dialog.locator("textarea").fill("<b>no game</b>")
    dialog.locator("button[type=submit]").click()
    expect(dialog.locator(".wrong")).not_to_be_empty()
    expect(dialog.locator("textarea")).to_have_value("<b>no game</b>")


def test_a_dropped_file_is_loaded(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["(;FF[4]SZ[5];B[ae];W[bd])"], "game.sgf"));
          document.body.dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    visitor.expect_stones("A1", "B2")


@pytest.mark.parametrize(
    "game", ["pinch", "pinch-remove", "pinch-relocate", "capture-go", "bushka"]
)
def test_rules_with_examples_to_step_through(visitor: Visitor, game: str) -> None:
    visitor.do("rules")
    visitor.page.locator("#rules-game").select_option(game)
    lessons = visitor.page.locator("#rules-text .lesson")
    expect(lessons.first).to_be_visible()
    for number in range(lessons.count()):
        lesson = lessons.nth(number)
        step = lesson.locator("[data-example=on]")
        if not step.count():
            continue
        before = lesson.locator(".stones").inner_html()
        while step.is_enabled():
            step.click()
        assert lesson.locator(".stones").inner_html() != before
        lesson.locator("[data-example=back]").click()


# --- analyse


def test_live_analysis_draws_candidates_and_variations(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5))
    visitor.click("B2")
    visitor.press("a")
    candidates = visitor.page.locator("#board .candidate:not([display])")
    expect(candidates.first).to_be_attached()
    assert re.fullmatch(r"\d+", candidates.first.locator(".rate").text_content() or "")
    visitor.tab("analysis")
    visitor.page.locator("#candidates tbody tr").first.hover()
    expect(visitor.page.locator("#board .numbered:not([display])").first).to_be_attached()
    visitor.page.locator("#analysis-summary").hover()
    expect(visitor.page.locator("#board .numbered:not([display])")).to_have_count(0)
    numbered = visitor.page.locator("#board .numbered:not([display])")
    visitor.point(candidates.first.get_attribute("data-vertex") or "").hover()
    expect(numbered.first).to_be_attached()
    visitor.page.locator("#analysis-summary").hover()
    expect(numbered).to_have_count(0)
    visitor.page.locator("#drawn").select_option("ownership")
    expect(visitor.page.locator("#board .heat g:not([display])").first).to_be_attached()
    visitor.page.locator("#live").uncheck()
    expect(visitor.page.locator("#live")).not_to_be_checked()


def test_every_overlay_of_the_engine_is_drawn(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4))
    visitor.click("B2")
    visitor.tab("analysis")
    visitor.page.locator("#live").check()  # the engine is started, and says what it can draw
    drawn = visitor.page.locator("#drawn")
    expect(drawn.locator("option").nth(5)).to_be_attached()
    for value in drawn.locator("option").evaluate_all("(all) => all.map((each) => each.value)"):
        if value in ("none", "ownership", "priors"):
            continue
        drawn.select_option(value)
        expect(visitor.page.locator("#overlay-text")).not_to_be_empty()
    assert visitor.page.locator("#notices .bad").count() == 0


def test_solving_with_its_proof_line(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.click("A1")
    visitor.tab("analysis")
    visitor.page.locator("#solve-seconds").fill("20")
    visitor.page.locator("[data-action=solve]").click()
    expect(visitor.page.locator("#solution")).to_contain_text(
        re.compile("win|loss|los", re.IGNORECASE)
    )
    visitor.page.locator("[data-action=proof-line]").click()
    expect(visitor.page.locator("#board .numbered:not([display])").first).to_be_attached()


def test_a_review_lists_the_worst_moves_and_draws_the_graph(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    # Black's column and White's row both lack A5, which White leaves to Black.
    visitor.click("A1", "B5", "A2", "C5", "A3", "D5", "A4", "E1", "A5")
    visitor.tab("review")
    visitor.page.locator("#review-visits").select_option("100")
    visitor.page.locator("[data-action=review]").click()
    expect(visitor.page.locator("#review-said")).to_contain_text("reviewed")
    worst = visitor.page.locator(".worst button")
    expect(worst.first).to_be_visible()
    assert visitor.page.locator("#winrate-graph .graph-line").get_attribute("d")
    worst.first.click()
    visitor.tab("game")
    expect(visitor.page.locator("#move-text")).to_contain_text(re.compile(r"^8\. White E1 .*blunder"))
    expect(visitor.page.locator("#winrate-graph .mistake:not([display])").first).to_be_attached()
    visitor.page.locator("#winrate-graph").click(position={"x": 40, "y": 40})
    expect(visitor.page.locator("#move-text")).to_have_text("Start")


# --- learn


def test_teaching_points_out_a_blunder_and_takes_it_back(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False, white=ENGINE, visits=200)
    visitor.tab("review")
    visitor.page.locator("#teach").check()
    visitor.click("A1")  # a corner loses
    take_back = visitor.action("take-back")
    expect(take_back).to_be_visible()
    visitor.do("show-reply")
    expect(visitor.page.locator("#board .numbered:not([display])").first).to_be_attached()
    take_back.click()
    visitor.expect_stones()


def test_a_finished_game_is_rated(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), white=ENGINE)
    visitor.click("A1")
    expect(visitor.action("resign")).to_be_visible()
    visitor.do("resign")
    visitor.page.locator("#resign-dialog button[type=submit]").click()
    visitor.tab("review")
    expect(visitor.page.locator("#rating")).to_contain_text("1 game")


def test_a_game_plays_itself(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False)
    visitor.click("A1", "D4", "B2")
    visitor.press("Home")
    visitor.expect_stones()
    visitor.page.locator("#pace").select_option("0.5")
    visitor.page.locator("[data-action=autoplay]").click()
    visitor.expect_stones("A1 B2", "D4")
    expect(visitor.page.locator("[data-action=autoplay]")).to_have_attribute(
        "aria-pressed", "false"
    )


def test_two_engines_play_each_other(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), black=ENGINE, white=ENGINE, visits=10)
    expect(visitor.page.locator("#status.over")).to_be_attached()
    visitor.expect_status("wins")


# --- the game tree


def test_variations_comments_and_the_way_through_them(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.press("ArrowLeft")
    visitor.expect_stones("A1")
    visitor.click("C3")
    visitor.expect_stones("A1", "C3")
    expect(visitor.page.locator(".tree .node")).to_have_count(4)
    visitor.press("ArrowUp")
    visitor.expect_stones("A1", "B2")
    visitor.page.locator("#comment").fill('<img src=x onerror="alert(1)"> good')
    visitor.page.locator("#move-text").click()
    expect(visitor.page.locator(".tree .said")).to_have_count(1)
    visitor.page.locator(".tree .node.root").click()
    expect(visitor.page.locator("#comment")).to_have_value("")
    visitor.press("ArrowRight", "ArrowRight")
    expect(visitor.page.locator("#comment")).to_have_value(re.compile("good"))
    visitor.page.get_by_role("button", name="Delete from here").click()
    expect(visitor.page.locator(".tree .node")).to_have_count(3)


def saved(visitor: Visitor, kind: str) -> bytes:
    """What a click on `Save` gives."""
    with visitor.page.expect_download() as waiting:
        visitor.page.locator(f"[data-save={kind}]").click()
    download: Download = waiting.value
    return Path(download.path()).read_bytes()


def test_saving_and_loading(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 4), pie=False)
    visitor.click("A1", "B2")
    visitor.do("save")
    record = saved(visitor, "sgf")
    assert record.startswith(b"(;")
    assert b"<svg" in saved(visitor, "svg")
    assert saved(visitor, "png").startswith(b"\x89PNG")
    assert b"A B C D E" in saved(visitor, "text")
    visitor.page.locator("[data-copy=text]").click()
    copied = visitor.page.evaluate("navigator.clipboard.readText()")
    assert "A B C D E" in copied
    visitor.press("Escape")
    visitor.new_game("capture-go", (5, 5))
    visitor.page.locator("body").click(position={"x": 5, "y": 790})
    visitor.do("load")
    dialog = visitor.page.locator("#load-dialog")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "game.sgf", "mimeType": "text/plain", "buffer": record}
    )
    expect(dialog.locator("textarea")).to_have_value(re.compile("FF"))
    dialog.locator("button[type=submit]").click()
    visitor.expect_stones("A1", "B2")


# --- console


def test_the_console_completes_answers_and_shows_traffic(visitor: Visitor) -> None:
    visitor.tab("console")
    line = visitor.page.locator("#gtp")
    line.fill("name")
    line.press("Enter")
    log = visitor.page.locator("#traffic")
    expect(log).to_contain_text("= pinchtp")
    line.press_sequentially("showb")
    line.press("Tab")
    expect(line).to_have_value("showboard ")
    line.press("Enter")
    expect(log).to_contain_text("A B C D")
    line.press("ArrowUp")
    expect(line).to_have_value("showboard")
    line.fill("no_such_command")
    line.press("Enter")
    expect(log.locator(".refused")).to_contain_text("unknown command")
    visitor.page.locator("#watch").check()
    visitor.press("a")
    expect(log.locator(".sent").filter(has_text="analyze").first).to_be_attached()
    visitor.press("a")


# --- keys and readers


def test_the_keyboard_alone_suffices(visitor: Visitor) -> None:
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


# --- on a phone


def test_a_finger_plays_on_a_phone(phone: Visitor) -> None:
    phone.new_game("pinch", (5, 5))
    phone.point("C3").tap()
    phone.expect_stones("C3")
    phone.new_game("pinch", (19, 19))
    phone.point("D4").tap()
    phone.expect_status("Tap D4 once more")
    phone.point("D4").tap()
    phone.expect_stones("D4")
    phone.point("E4").tap()
    phone.action("confirm").tap()
    phone.expect_stones("D4", "E4")


@pytest.mark.parametrize("size", [WIDE, TABLET, PHONE, {"width": 320, "height": 640}])
def test_nothing_is_wider_than_the_window(
    browser: Browser, server: Board, size: dict[str, int]
) -> None:
    with Visitor(browser, server, viewport=size) as visitor:
        for tab in ("game", "analysis", "review", "console"):
            visitor.tab(tab)
            width = visitor.page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], tab
        visitor.check()


def test_what_a_finger_hits_is_large_enough(phone: Visitor) -> None:
    sizes = phone.page.locator("button:visible, select:visible").evaluate_all(
        "(all) => all.map((each) => [each.textContent, each.getBoundingClientRect().height])"
    )
    assert sizes
    assert [each for each in sizes if each[1] < 40] == []
