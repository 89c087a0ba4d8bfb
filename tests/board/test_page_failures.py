"""The board in Chromium when things go wrong: engines, the server, and engines by others."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from board.page import ENGINE, FRAME, PHONE, TIMEOUT, Visitor, Wire
from board.visits import Board, script
from playwright.sync_api import Browser, WebSocketRoute, expect

pytestmark = pytest.mark.slow


@pytest.fixture(params=["desktop", pytest.param("handheld", marks=pytest.mark.nightly)])
def screen(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Returns the window of a visitor with a separate context: wide; nightly a phone, too."""
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    return phone if request.param == "handheld" else {}


@pytest.fixture
def routed(browser: Browser, server: Board, screen: dict[str, Any]) -> Iterator[Visitor]:
    """A visitor whose socket may be routed: routes of sockets stay with their page."""
    with Visitor(browser, server, **screen) as made:
        yield made


def test_engine_in_another_language_is_played_against(
    browser: Browser, screen: dict[str, Any], tmp_path: Path
) -> None:
    with (
        Board(tmp_path, "--engine", script()) as server,
        Visitor(browser, server, **screen) as visitor,
    ):
        visitor.new_game("pinch", (3, 3), white=ENGINE, pie=False)
        visitor.click("B1")
        visitor.expect_stones("B1", "A1")
        visitor.click("B2")
        visitor.expect_stones("B1 B2", "A1 C1")
        visitor.click("B3")
        visitor.expect_status("Black wins")
        visitor.tab("console")
        visitor.page.locator("#gtp").fill("name")
        visitor.press("Enter")
        expect(visitor.page.locator("#traffic")).to_contain_text("= First point")
        visitor.check()


def play_until_it_fails(visitor: Visitor) -> None:
    """A game against an engine that answers one move, and fails at its second."""
    visitor.new_game("pinch", (4, 4), white=ENGINE, pie=False)
    visitor.click("A4")
    visitor.expect_stones("A4", "A1")
    visitor.click("B4")


def test_failed_engine_is_reported_and_game_continues(
    browser: Browser, screen: dict[str, Any], tmp_path: Path
) -> None:
    flags = ["--engine", script("dies", tmp_path / "flag")]
    with Board(tmp_path / "data", *flags) as server, Visitor(browser, server, **screen) as visitor:
        play_until_it_fails(visitor)
        expect(visitor.page.locator("#notices .bad")).to_contain_text("position restored")
        visitor.expect_stones("A4 B4", "A1 B1")
        visitor.check()


def test_engine_that_always_fails_leaves_the_game_to_people(
    browser: Browser, screen: dict[str, Any], tmp_path: Path
) -> None:
    flags = ["--engine", script("always", tmp_path / "flag")]
    with Board(tmp_path / "data", *flags) as server, Visitor(browser, server, **screen) as visitor:
        play_until_it_fails(visitor)
        expect(visitor.page.locator("#notices")).to_contain_text("stopped")
        visitor.do("players")
        dialog = visitor.page.locator("#players-dialog")
        dialog.locator("[name=white-player]").select_option("human")
        dialog.locator("button[type=submit]").click()
        visitor.click("C3")
        visitor.expect_stones("A4 B4", "A1 C3")
        visitor.check()


def test_reload_and_a_restart_of_the_server_keep_the_game(
    browser: Browser, screen: dict[str, Any], tmp_path: Path
) -> None:
    with Board(tmp_path) as server, Visitor(browser, server, **screen) as visitor:
        visitor.new_game("pinch", (5, 4), pie=False)
        visitor.click("A1", "B2")
        visitor.expect_stones("A1", "B2")
        visitor.reload()
        visitor.expect_stones("A1", "B2")
        server.stop()
        expect(visitor.page.locator("#connection")).to_contain_text("Connection lost")
        visitor.click("C3")  # nothing to be done
        server.start()
        expect(visitor.page.locator("#connection")).to_be_empty()  # it connects again by itself
        visitor.settle()
        visitor.expect_stones("A1", "B2")
        visitor.click("C3")
        visitor.expect_stones("A1 C3", "B2")
        visitor.check()


def test_stuck_connection_is_noticed_and_the_move_is_sent_again(routed: Visitor) -> None:
    """A proxy that stops forwarding, without closing."""
    routed.new_game("pinch", (5, 4), pie=False)
    stuck: list[bool] = []

    def forward(route: WebSocketRoute) -> None:
        beyond = route.connect_to_server()
        route.on_message(lambda text: None if stuck else beyond.send(text))
        beyond.on_message(lambda text: None if stuck else route.send(text))

    routed.page.route_web_socket(re.compile("/socket$"), forward)
    routed.reload_with("connection.js", "PATIENCE = 6000", "PATIENCE = 2000")
    routed.click("A1")
    routed.expect_stones("A1")
    stuck.append(True)
    routed.point("B2").click()
    routed.page.mouse.move(0, 0)  # which would show it as well
    expect(routed.page.locator("#board .ghost")).to_be_visible()  # it is shown as pending
    expect(routed.page.locator("#connection")).to_contain_text("Connection lost")
    stuck.clear()
    routed.expect_stones("A1", "B2")
    expect(routed.page.locator("#connection")).to_be_empty()
    routed.check()


@pytest.mark.parametrize("event", ["online", "pageshow"])
def test_socket_is_tested_when_the_network_returns(routed: Visitor, event: str) -> None:
    wire = Wire(routed)
    routed.reload_with("connection.js", "BEAT = 5000", "BEAT = 1_000_000")  # no other pings
    wire.sent.clear()
    routed.page.evaluate("(event) => { window.dispatchEvent(new Event(event)); }", event)
    routed.wait_for(lambda: "ping" in wire.sent)


def test_dialog_is_submitted_once_by_a_double_click(routed: Visitor) -> None:
    wire = Wire(routed)
    routed.do("new")
    dialog = routed.page.locator("#new-game-dialog")
    dialog.locator("button[type=submit]").evaluate("(each) => { each.click(); each.click(); }")
    expect(dialog).to_have_count(0)
    assert wire.sent.count("new-game") == 1


# Records the delays of all timers.
TIMERS = """
  const start = setTimeout;
  window.delays = [];
  window.setTimeout = (run, delay) => (delays.push(delay), start(run, delay));"""


def test_page_reconnects_with_growing_delays(routed: Visitor) -> None:
    """A socket that was opened and closed without a table, as by a failing server."""

    def forward(route: WebSocketRoute) -> None:
        route.connect_to_server().on_message(lambda _: route.close())

    routed.page.add_init_script(TIMERS)
    routed.page.route_web_socket(re.compile("/socket$"), forward)
    routed.page.reload()
    routed.wait_until("() => delays.includes(1200)")


def test_refused_page_waits_before_it_reconnects(routed: Visitor, server: Board) -> None:
    page = routed.context.new_page()
    page.add_init_script(TIMERS)
    with ExitStack() as stack:
        for _ in range(7):
            stack.enter_context(server.visit(routed.cookie))
        page.goto(f"http://{server.address}/")
        expect(page.locator("#notices")).to_contain_text("Too many open tabs")
        expect(page.locator("#connection")).to_contain_text("Connection lost")
        assert page.evaluate("delays.includes(30000)")
    page.evaluate("() => { window.dispatchEvent(new Event('online')); }")
    expect(page.locator("#board .live-board")).to_be_visible()
    page.close()


def test_page_of_another_version_asks_to_be_reloaded(routed: Visitor) -> None:
    """And does not connect again."""

    def forward(route: WebSocketRoute) -> None:
        route.close(code=1008, reason="The board was updated: reload this page.")

    routed.page.add_init_script(TIMERS)
    routed.page.route_web_socket(re.compile("/socket$"), forward)
    routed.page.reload()
    notice = routed.page.locator(".notice")
    expect(notice).to_contain_text("The board was updated")
    expect(routed.page.locator("#connection")).to_have_text("This page is disconnected.")
    assert not routed.page.evaluate("delays.includes(300)")
    notice.get_by_role("button", name="Reload").click()
    expect(notice).to_contain_text("The board was updated")


def test_comment_without_a_connection_is_saved_later(routed: Visitor) -> None:
    routed.new_game("pinch", (5, 5), pie=False)
    routed.click("A1")
    routed.press("Home")
    routed.click("B2")
    wire = Wire(routed)
    comment = routed.page.locator("#comment")
    wire.cut()
    comment.fill("Too early")
    comment.blur()
    wire.mend()
    expect(routed.page.locator(".tree .said")).to_have_count(1)
    routed.reload()
    expect(comment).to_have_value("Too early")
    routed.press("Home")
    expect(comment).to_have_value("")


def test_requests_without_a_connection_are_not_silent(routed: Visitor) -> None:
    routed.set_notice_time(10 * TIMEOUT)
    routed.new_game("pinch", (5, 5), pie=False)
    routed.click("A1")
    wire = Wire(routed)
    page = routed.page
    lost = "Connection lost"
    notices = page.locator("#notices")
    routed.do("invite")
    wire.cut()
    dialog = page.locator("#invite-dialog")
    dialog.get_by_role("button", name="Create links").click()
    expect(dialog.locator(".wrong").first).to_contain_text(lost)
    routed.press("Escape")
    routed.tab("console")
    page.locator("#gtp").fill("name")
    routed.press("Enter")
    expect(notices).to_contain_text(lost)
    expect(page.locator("#gtp")).to_have_value("name")
    for tab, name in (("review", "Review"), ("game", "Delete from here")):
        notices.get_by_role("button", name="Dismiss").click()
        routed.tab(tab)
        page.locator("#panels").get_by_role("button", name=name, exact=True).click()
        expect(notices).to_contain_text(lost)
    wire.mend()
    routed.check()


def test_comment_is_not_saved_to_another_move_after_a_restart(
    browser: Browser, tmp_path: Path
) -> None:
    """A restart changes the ids of moves: that of B2 becomes C3's."""
    with Board(tmp_path) as server, Visitor(browser, server) as visitor:
        visitor.new_game("pinch", (5, 5), pie=False)
        visitor.click("A1")
        visitor.press("Home")
        visitor.click("C3")
        visitor.press("Home", "ArrowRight")
        visitor.click("B2")
        server.stop()
        connection = visitor.page.locator("#connection")
        expect(connection).to_contain_text("Connection lost")
        comment = visitor.page.locator("#comment")
        comment.fill("Too early")
        comment.blur()
        server.start()
        visitor.wait_for_connection()
        visitor.reload()
        expect(visitor.page.locator("#move-text")).to_contain_text("B2")
        expect(visitor.page.locator(".tree .said")).to_have_count(0)
        visitor.check()


def test_review_and_proof_end_with_a_lost_connection(routed: Visitor) -> None:
    """The page does not show that they go on."""
    routed.new_game("pinch", (13, 13), pie=False)
    routed.click("E5", "D4", "F6")
    wire = Wire(routed)
    progress = routed.page.locator("#panel-review progress")
    routed.tab("review")
    routed.page.locator("#review-visits").select_option("10000")
    routed.page.locator("#start-review").click()
    expect(progress).to_be_visible()
    wire.cut()
    wire.mend()
    expect(progress).to_be_hidden()
    routed.tab("analysis")
    routed.page.locator("[data-action=solve]").click()
    expect(routed.page.locator("#solution")).to_have_text("Solving…")
    wire.cut()
    wire.mend()
    expect(routed.page.locator("#solution")).not_to_have_text("Solving…")


def test_deletion_without_a_connection_shows_no_undo(routed: Visitor) -> None:
    routed.new_game("pinch", (5, 5), pie=False)
    routed.click("A1")
    wire = Wire(routed)
    wire.cut()
    routed.page.get_by_role("button", name="Delete from here").click()
    routed.page.evaluate(FRAME)
    expect(routed.page.locator("#notices")).to_be_empty()
    wire.mend()
    routed.expect_stones("A1")


def test_undo_without_a_connection_is_still_offered(routed: Visitor) -> None:
    routed.new_game("pinch", (5, 5), pie=False)
    routed.click("A1")
    wire = Wire(routed)
    routed.set_notice_time(10 * TIMEOUT)
    routed.page.get_by_role("button", name="Delete from here").click()
    undo = routed.page.locator("#notices").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    wire.cut()
    undo.click()
    wire.mend()
    undo.click()
    routed.expect_stones("A1")


def test_end_of_an_invitation_without_a_connection_is_refused(routed: Visitor) -> None:
    wire = Wire(routed)
    routed.do("invite")
    dialog = routed.page.locator("#invite-dialog")
    dialog.get_by_role("button", name="Create links").click()
    end = dialog.get_by_text("End the invitation")
    expect(end).to_be_visible()
    wire.cut()
    end.click()
    expect(dialog).to_contain_text("Connection lost")
    wire.mend()
    end.click()
    expect(dialog).to_have_count(0)


def test_swap_is_sent_again_after_a_lost_connection(routed: Visitor) -> None:
    lost: list[str] = []

    def forward(route: WebSocketRoute) -> None:
        beyond = route.connect_to_server()

        def send(text: str | bytes) -> None:
            if "swap" in str(text) and not lost:
                lost.append(str(text))
                route.close()
            else:
                beyond.send(text)

        route.on_message(send)

    routed.new_game("pinch", (5, 4), pie=True)
    routed.click("B2")
    routed.page.route_web_socket(re.compile("/socket$"), forward)
    routed.reload()
    routed.do("swap")
    routed.expect_stones("", "B2")
    assert lost


def test_clocks_without_a_connection_show_their_age(routed: Visitor) -> None:
    routed.new_game("pinch", (5, 4), time="300+3", pie=False)
    routed.click("A1")
    wire = Wire(routed)
    says = routed.page.locator(".player.moves .says")
    expect(says).to_contain_text("to move")
    wire.cut()
    expect(says).to_have_text(re.compile(r"updated \d+ s ago"))


def test_page_without_scripts_names_the_option(visitor: Visitor) -> None:
    late = visitor.page.get_by_text("scripts of this page have not started")
    expect(late).to_have_count(0)
    visitor.page.route("**/main.js", lambda route: route.fulfill(status=403))
    visitor.page.reload()
    expect(late).to_be_attached()
    expect(late).to_be_hidden()  # scripts may be slow
    visitor.page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    expect(late).to_be_visible()
    expect(late).to_contain_text("--origin")
    visitor.page.unroute("**/main.js")
    visitor.problems.clear()


def test_page_without_a_socket_names_the_option(routed: Visitor, server: Board) -> None:
    routed.page.route_web_socket(re.compile("/socket$"), lambda route: route.close())
    routed.page.reload()
    expect(routed.page.locator(".notice")).to_contain_text(f"--origin http://{server.address}")


class Silent(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>another page of this machine</title>")

    def log_message(self, *_: object) -> None:
        pass


def test_another_page_of_this_machine_does_not_get_in(visitor: Visitor, server: Board) -> None:
    """Cookies do not depend on ports: its requests come with the visitor's cookie."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Silent) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        page = visitor.context.new_page()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        found = page.evaluate(
            """async (address) => {
              const opened = await new Promise((done) => {
                const socket = new WebSocket(`ws://${address}/socket`);
                socket.onopen = () => done(true);
                socket.onerror = () => done(false);
              });
              const read = await fetch(`http://${address}/`, { credentials: "include" })
                .then(() => true, () => false);
              const frame = document.createElement("iframe");
              frame.src = `http://${address}/`;
              document.body.append(frame);
              await new Promise((done) => { frame.onload = done; setTimeout(done, 3000); });
              let framed = false;
              try { framed = Boolean(frame.contentDocument?.title); } catch {}
              return { opened, read, framed };
            }""",
            server.address,
        )
        page.close()
        other.shutdown()
    assert found == {"opened": False, "read": False, "framed": False}


def test_long_request_has_time_to_be_sent(visitor: Visitor) -> None:
    """A large file over a slow line took longer than a silent socket is waited for."""
    visitor.reload_with("connection.js", "PATIENCE = 6000", "PATIENCE = 500")
    visitor.page.evaluate("""() => {
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (text) {
        setTimeout(() => send.call(this, text), text.length / 50); // 50 kB/s, for one request
      };
    }""")
    visitor.load(f"(;SZ[5]C[{'x' * 100_000}];B[ae])")
    visitor.expect_stones("A1")
    expect(visitor.page.locator("#load-dialog")).to_have_count(0)
