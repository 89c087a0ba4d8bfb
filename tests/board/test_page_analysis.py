"""The board in Chromium: analysis, overlays, proofs, reviews."""

import re
from pathlib import Path

import pytest
from board.page import FRAME, Visitor
from board.visits import Board
from playwright.sync_api import Browser, Locator, WebSocketRoute, expect

pytestmark = pytest.mark.slow


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
    row = visitor.page.locator("#candidates tbody tr").first
    row.focus()
    visitor.press("Enter")
    visitor.page.locator("#analysis-summary").hover()
    expect(numbered.first).to_be_attached()
    visitor.point("E5").hover()
    expect(numbered.first).to_be_attached()
    kept = visitor.page.locator("#candidates tbody tr[aria-current=true]")
    kept.click()
    visitor.page.locator("#analysis-summary").hover()
    expect(numbered).to_have_count(0)
    visitor.page.locator("#drawn").select_option("ownership")
    heat = visitor.page.locator("#board .heat g:not([display])")
    expect(heat.first).to_be_attached()
    visitor.page.locator("#drawn").select_option("priors")
    expect(visitor.page.locator("#board .heat .plain:not([display])").first).to_be_attached()
    visitor.page.locator("#live").uncheck()
    expect(visitor.page.locator("#live")).not_to_be_checked()
    expect(candidates).to_have_count(0)
    expect(heat).to_have_count(0)


def test_game_that_is_over_is_not_analyzed_and_the_panel_says_so(visitor: Visitor) -> None:
    visitor.new_game("pinch", (2, 2), pie=False)
    visitor.press("a")
    visitor.tab("analysis")
    summary = visitor.page.locator("#analysis-summary")
    expect(summary).to_contain_text("visits")
    visitor.click("A1", "B1", "A2")
    visitor.expect_status("Black wins")
    expect(summary).to_have_text("Game over: nothing to analyze.")
    visitor.press("a", "ArrowLeft")
    expect(summary).to_contain_text("Turn on live analysis")


RECORD_NOTICES = """() => {
  window.noticed = [];
  new MutationObserver((changes) => changes.forEach((each) => {
    if (each.removedNodes.length) window.noticed.push("removed");
    if (each.addedNodes.length) window.noticed.push("added");
  })).observe(document.getElementById("notices"), { childList: true });
}"""


def test_analysis_rests_until_somebody_touches_the_page(browser: Browser, tmp_path: Path) -> None:
    with Board(tmp_path, "--idle", "0.02") as server, Visitor(browser, server) as visitor:
        visitor.page.evaluate(RECORD_NOTICES)
        visitor.tab("analysis")
        visitor.page.locator("#live").check()
        notice = visitor.page.locator("#notices")
        expect(notice).to_contain_text("Analysis paused")
        visitor.page.locator("#announcements").dispatch_event("pointerdown")
        visitor.wait_until("() => window.noticed.join() === 'added,removed,added'")
        expect(notice).to_contain_text("Analysis paused")
        visitor.check()


def values_of(field: Locator) -> list[str]:
    """Returns the values of a select's options."""
    values: list[str] = field.locator("option").evaluate_all("(all) => all.map((x) => x.value)")
    return values


def test_every_overlay_of_the_engine_is_drawn(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4))
    drawn = visitor.overlays()
    expect(drawn.locator("option").nth(4)).to_be_attached()
    titles = drawn.locator("option").all_text_contents()
    for value, title in zip(values_of(drawn), titles, strict=True):
        if value in ("none", "ownership", "priors"):
            continue
        drawn.select_option(value)
        expect(visitor.page.locator("#overlay-text")).to_contain_text(title)
    drawn.select_option(label="Winning chances")
    expect(visitor.page.locator("#chances")).to_have_attribute("aria-label", re.compile("%"))
    assert visitor.page.locator("#notices .bad").count() == 0


def test_overlays_have_one_entry_and_a_legend_each(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4))
    drawn = visitor.overlays()
    legend = visitor.page.locator("#legend")
    expect(drawn.locator("option").nth(4)).to_be_attached()
    titles = [title.lower() for title in drawn.locator("option").all_text_contents()]
    assert len(set(titles)) == len(titles)
    legends = []
    for value in values_of(drawn):
        drawn.select_option(value)
        if legends:
            expect(legend).not_to_have_text(legends[-1])
        legends.append(legend.inner_text())
    assert "" not in legends
    assert len(set(legends)) == len(titles)


def test_drawing_that_is_not_wanted_any_more_does_not_come(visitor: Visitor) -> None:
    """The swap map of a large board takes long, and is not worked on to its end."""
    visitor.new_game("pinch", (19, 19))
    drawn = visitor.overlays()
    said = visitor.page.locator("#overlay-text")
    expect(drawn.locator("option").nth(4)).to_be_attached()
    drawn.select_option("pinchtp-swap_map")
    expect(said).to_contain_text("Computing overlay")
    drawn.select_option("none")
    expect(said).to_be_empty()
    heat = visitor.page.locator("#board .heat g:not([display])")
    candidates = visitor.page.locator("#board .candidate:not([display])")
    expect(candidates.first).to_be_attached()  # the engine continues the analysis
    expect(heat).to_have_count(0)


SLOW_SOCKET = """
  const Fast = WebSocket;
  window.WebSocket = class extends Fast {
    addEventListener(kind, listener) {
      super.addEventListener(kind, (event) => setTimeout(() => listener(event), 400));
    }
  };"""


def test_stopped_analysis_leaves_no_marks(browser: Browser, server: Board) -> None:
    """Late messages of a distant server are ignored too."""
    with Visitor(browser, server) as visitor:
        visitor.page.add_init_script(SLOW_SOCKET)
        visitor.reload()
        visitor.tab("analysis")
        live = visitor.page.locator("#live")
        live.check()
        candidates = visitor.page.locator("#board .candidate:not([display])")
        expect(candidates.first).to_be_attached()
        visitor.page.locator("#drawn").select_option("priors")
        live.uncheck()
        visitor.page.wait_for_timeout(1500)
        expect(live).not_to_be_checked()
        expect(candidates).to_have_count(0)
        visitor.check()


def test_swap_map_says_which_first_stones_are_taken_over(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=True)
    drawn = visitor.overlays()
    expect(drawn.locator("option").filter(has_text="Swap Map")).to_be_attached()
    drawn.select_option("pinchtp-swap_map")
    visitor.settle()
    visitor.page.locator("#live").uncheck()
    colored = visitor.page.locator("#board .heat g:not([display])")
    expect(colored).to_have_count(16)
    expect(visitor.page.locator("#board .candidate:not([display])")).to_have_count(0)
    drawn.select_option("none")
    expect(colored).to_have_count(0)


def test_solving_with_its_proof_line(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.click("A1")
    visitor.tab("analysis")
    visitor.page.locator("#solve-seconds").fill("20")
    visitor.page.locator("[data-action=solve]").click()
    expect(visitor.page.locator("#solution")).to_contain_text(
        re.compile("win|loss|los", re.IGNORECASE)
    )
    line = visitor.page.locator("[data-action=proof-line]")
    numbered = visitor.page.locator("#board .numbered:not([display])")
    line.click()
    expect(numbered.first).to_be_attached()
    line.click()
    expect(numbered).to_have_count(0)


def test_review_lists_the_worst_moves_and_draws_the_graph(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    # Black's column and White's row both lack A5, which White leaves to Black.
    visitor.click("A1", "B5", "A2", "C5", "A3", "D5", "A4", "E1", "A5")
    visitor.review_by_tab()
    worst = visitor.page.locator("#mistakes button")
    expect(worst.first).to_be_visible()
    line = visitor.page.locator("#winrate-graph .graph-line")
    expect(line).to_have_attribute("d", re.compile("."))
    worst.first.click()
    visitor.tab("game")
    expect(visitor.page.locator("#move-text")).to_contain_text(
        re.compile(r"^8\. White E1 .*blunder")
    )
    expect(visitor.page.locator("#winrate-graph .mistake:not([display])").first).to_be_attached()
    visitor.page.locator("#winrate-graph").click(position={"x": 40, "y": 40})
    expect(visitor.page.locator("#move-text")).to_have_text("Start")


def test_stopped_review_says_how_far_it_came(visitor: Visitor) -> None:
    visitor.load("D4 E5 F6 D6 E3 C5 G4 C7")
    visitor.tab("review")
    visitor.page.locator("#review-visits").select_option("10000")
    start = visitor.page.locator("[data-action=review]")
    start.click()
    said = visitor.page.locator("#review-said")
    expect(said).to_have_text(re.compile("^[1-8] of 9 positions"))
    start.click()
    expect(said).to_have_text(re.compile(r"^Stopped: [1-8] of 9 positions reviewed, .* so far$"))


def test_review_names_moves_that_lost_by_force_and_shows_the_line(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.click("A1", "B3", "C1", "C2")
    visitor.review_by_tab()
    lost = visitor.page.locator("#forced-losses button")
    expect(lost).to_have_count(2)
    expect(lost.last).to_contain_text("4. White C2 gave up a forced win: Black wins with ")
    numbered = visitor.page.locator("#board .numbered:not([display])")
    lost.last.click()
    expect(numbered.first).to_be_attached()
    visitor.press("ArrowLeft")
    expect(numbered).to_have_count(0)
    lost.last.dispatch_event("click")  # as on a phone, where nothing is hovered
    expect(numbered.first).to_be_attached()
    visitor.page.locator("#review-said").hover()
    expect(numbered.first).to_be_attached()
    visitor.tab("game")
    expect(visitor.page.locator("#move-text")).to_contain_text("4. White C2")


def test_review_says_what_was_better_unless_it_is_a_puzzle(visitor: Visitor) -> None:
    moves = "B[ae];W[ba];B[ad];W[ca];B[ac];W[da];B[ab];W[ee];B[aa]"
    visitor.load(f"(;FF[4]SZ[5]RU[pinch, no swap]PW[pinchtp];{moves})")
    visitor.review()
    listed = visitor.page.locator("#mistakes button")
    expect(listed.filter(has_text="8. White E1")).to_contain_text("better: A5")
    own = listed.filter(has_text="Black")
    expect(own.first).not_to_contain_text("better")


def test_stone_of_a_variation_keeps_the_color_in_which_it_was_placed(visitor: Visitor) -> None:
    """A later flip shows its new color, with the old one in a spot."""
    shown = visitor.page.evaluate(
        """async () => {
          const main = document.querySelector("script[type=module]").src;
          const { changedCells } = await import(main.replace("main.js", "overlays.js"));
          return changedCells([1, 0, 0], [
            { points: [1], changes: [[1, 2]] },
            { points: [2], changes: [[2, 1], [1, 1]] },
          ]);
        }"""
    )
    assert shown == [
        {"cell": 1, "number": 1, "was": "2", "sign": "1"},
        {"cell": 2, "number": 2, "was": "1", "sign": "1"},
    ]


def test_mistakes_are_dots_sized_by_cost(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B5", "A2", "C5", "A3", "D5", "A4", "E1", "A5")
    dots = visitor.page.locator("#board .mistakes circle:not([display])")
    visitor.review_by_tab()
    costs = {
        each.split("Black ")[-1].split("White ")[-1].split(",")[0]: int(
            each.rsplit(chr(0x2212))[1][:-1]
        )
        for each in visitor.page.locator("#mistakes button").all_text_contents()
    }
    expect(dots).to_have_count(len(costs))
    radii = dict(
        dots.evaluate_all("(all) => all.map((x) => [x.dataset.vertex, +x.getAttribute('r')])")
    )
    assert radii.keys() == costs.keys()
    assert radii["E1"] == max(radii.values())
    by_cost = sorted((costs[point], radii[point]) for point in costs)  # equal ones are rounded
    assert [radius for _, radius in by_cost] == sorted(radii.values())
    legend = visitor.page.get_by_text("Dots on stones: mistakes.")
    expect(legend).to_be_visible()
    visitor.press("Home")
    expect(dots).to_have_count(0)
    expect(legend).to_be_hidden()
    visitor.press("End")
    expect(dots.first).to_be_visible()
    visitor.tab("game")
    expect(dots.first).to_be_hidden()


def test_better_move_is_looked_for_on_the_board(visitor: Visitor) -> None:
    """The finished game stays finished, and one button leads back to its review."""
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B5", "A2", "C5", "A3", "D5", "A4", "E1", "A5")
    visitor.review()
    said = visitor.page.locator("#status")
    visitor.page.locator("#own-worst button", has_text="8. White E1").click()
    expect(said).to_have_text("White played E1. Find a better move on the board.")
    for action in ("resign", "think", "resume", "undo", "hint"):
        expect(visitor.page.locator(f'#actions [data-action="{action}"]')).to_have_count(0)
    visitor.press("r", "t", "u", ".")
    expect(visitor.page.locator("dialog")).to_have_count(0)
    visitor.click("D1")
    expect(said).to_contain_text("Still a blunder: D1 costs")
    visitor.click("C3")  # the next try
    expect(said).to_contain_text("Still a blunder: C3 costs")
    visitor.do("try-again")
    expect(said).to_contain_text("Find a better move")
    visitor.click("A5")
    expect(said).to_contain_text("Well done: A5 costs 0%")
    visitor.do("answer")
    expect(said).to_contain_text("The engine plays A5")
    numbered = visitor.page.locator("#board .numbered:not([display])")
    expect(numbered.filter(has_text="1")).to_have_attribute("data-vertex", "A5")
    visitor.do("try-again")
    expect(numbered).to_have_count(0)
    visitor.tab("game")
    visitor.do("leave-puzzle")
    expect(said).to_contain_text("Black wins")
    expect(visitor.page.locator("#own-worst")).to_be_visible()
    expect(visitor.action("rematch")).to_be_visible()


def test_winning_try_is_a_puzzle_solved_and_not_a_game_won(visitor: Visitor) -> None:
    visitor.new_game("pinch", (2, 2), pie=False)
    visitor.click("A1", "B2", "B1")
    visitor.resign()
    visitor.review()
    visitor.page.locator("#own-worst button", has_text="3. Black").click()
    visitor.click("A2")
    visitor.expect_status("Well done: A2 costs 0%")
    expect(visitor.action("rematch")).to_have_count(0)
    visitor.press("ArrowLeft", "ArrowLeft")
    expect(visitor.action("try-again")).to_have_count(0)  # another position ends the puzzle
    expect(visitor.action("resign")).to_have_count(0)


def test_switch_of_analysis_ignores_older_states(browser: Browser, server: Board) -> None:
    states: list[str] = []
    routes: list[WebSocketRoute] = []
    held: list[str] = []  # requests that the server does not get

    def forward(route: WebSocketRoute) -> None:
        beyond = route.connect_to_server()

        def receive(text: str | bytes) -> None:
            if '"type":"state"' in str(text):
                states.append(str(text))
            route.send(text)

        beyond.on_message(receive)
        route.on_message(
            lambda text: held.append(str(text)) if '"on":false' in str(text) else beyond.send(text)
        )
        routes[:] = [route, beyond]

    with Visitor(browser, server) as visitor:
        visitor.page.route_web_socket(re.compile("/socket$"), forward)
        visitor.reload()
        visitor.tab("analysis")
        live = visitor.page.locator("#live")
        live.check()
        visitor.settle()
        live.uncheck()
        routes[0].send(states[-1])  # with analysis, as one that was on its way
        visitor.page.evaluate(FRAME)
        visitor.page.evaluate(FRAME)
        expect(live).not_to_be_checked()
        assert held
        routes[1].send(held[0])
        visitor.settle()
        expect(live).not_to_be_checked()
        live.check()
        visitor.settle()
        expect(live).to_be_checked()
        visitor.check()
