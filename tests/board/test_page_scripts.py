"""Scripts of the board's page in Chromium, given messages and frames by hand."""

import pytest
from board.page import Visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

# A function that imports a script of the page.
LOAD = """
  const main = document.querySelector("script[type=module]").src;
  const load = (name) => import(main.replace("main.js", name));
"""


def test_clocks_count_from_the_arrival_of_a_state(visitor: Visitor) -> None:
    """A state that waits for an animation showed too much time afterwards."""
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1")
    late, waited = visitor.page.evaluate(
        f"""async () => {{
          {LOAD}
          const {{ App }} = await load("app.js");
          const socket = new WebSocket(location.href.replace("http", "ws") + "socket");
          const state = await new Promise((resolve) => {{
            socket.onmessage = ({{ data }}) => {{
              const message = JSON.parse(data);
              if (message.type === "state") resolve(message);
            }};
          }});
          socket.close();
          const app = new App();
          const {{ number }} = state;
          const sent = performance.now();
          for (const by of [-1, 0, 1]) app.server.received({{ ...state, number: number + by }});
          while (app.state.table.number === number)
            await new Promise((resolve) => setTimeout(resolve, 5));
          return [app.state.arrived - sent, performance.now() - sent];
        }}"""
    )
    assert late < 100 < waited


def test_page_changes_without_a_frame(visitor: Visitor) -> None:
    """A page gets no frames while it is hidden."""
    shown = visitor.page.evaluate(
        f"""async () => {{
          {LOAD}
          const {{ App }} = await load("app.js");
          const frame = window.requestAnimationFrame;
          window.requestAnimationFrame = () => 0;
          const app = new App();
          let shown = "";
          app.store.watch(["drawn"], ({{ drawn }}) => (shown = drawn));
          app.store.set({{ drawn: "priors" }});
          await new Promise((resolve) => setTimeout(resolve, 500));
          window.requestAnimationFrame = frame;
          return shown;
        }}"""
    )
    assert shown == "priors"


# Focuses the first button of the next notice.
FOCUS = """() => new MutationObserver((_, observer) => {
  document.querySelector("#notices button").focus();
  observer.disconnect();
}).observe(document.getElementById("notices"), { childList: true });"""


# Records the texts of the next notices, which may be gone before a test looks.
RECORD_TEXTS = """() => {
  window.noticed = [];
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => {
    window.noticed.push(...[...addedNodes].map((each) => each.textContent));
  })).observe(document.getElementById("notices"), { childList: true });
}"""


def test_notice_in_use_outlasts_others(visitor: Visitor) -> None:
    visitor.set_notice_time(600)
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("A1", "B2")
    visitor.page.evaluate(FOCUS)
    visitor.page.evaluate(RECORD_TEXTS)
    visitor.page.get_by_role("button", name="Delete from here").click()
    visitor.expect_stones("A1")
    undo = visitor.page.locator("#notices").get_by_role("button", name="Undo")
    visitor.page.locator('#board [data-point="A1"]').dispatch_event("click")
    visitor.wait_until("() => window.noticed.some((text) => text.includes('A1 is occupied'))")
    expect(undo).to_be_focused()
    visitor.page.wait_for_timeout(1000)
    expect(undo).to_be_focused()
    visitor.press("Enter")
    visitor.expect_stones("A1", "B2")
    expect(undo).to_have_count(0)


def test_lost_connection_is_not_a_solved_set_of_puzzles(visitor: Visitor) -> None:
    said = visitor.page.evaluate(
        f"""async () => {{
          {LOAD}
          const {{ nextPuzzle }} = await load("puzzle_set.js");
          const said = [];
          const server = {{ ask: async () => null }};
          const notify = (_, text) => said.push(text);
          await nextPuzzle({{ server, notify, state: {{}} }}, {{ id: "", level: 1 }});
          return said;
        }}"""
    )
    assert "Connection lost" in said[0]


def test_sound_starts_with_a_click(visitor: Visitor) -> None:
    """The context of a page whose first sound was a message's stayed silent."""
    visitor.set_cookie("sound", "on")
    visitor.page.add_init_script(
        """window.resumed = 0;
        const { resume } = AudioContext.prototype;
        AudioContext.prototype.resume = function () {
          window.resumed += 1;
          return resume.call(this);
        };"""
    )
    visitor.reload()
    assert visitor.page.evaluate("window.resumed") == 0
    visitor.click("C3")
    assert visitor.page.evaluate("window.resumed") > 0


def test_counts_are_rounded_before_their_unit_is_chosen(visitor: Visitor) -> None:
    counts = [999, 1049, 9949, 9950, 99_999, 999_499, 999_500, 1_250_000]
    texts = visitor.page.evaluate(
        f"""async (counts) => {{
          {LOAD}
          const {{ short }} = await load("overlays.js");
          return counts.map(short);
        }}""",
        counts,
    )
    assert texts == ["999", "1.0k", "9.9k", "10k", "100k", "999k", "1.0m", "1.3m"]
