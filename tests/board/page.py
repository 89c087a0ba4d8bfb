"""The board's page in Chromium, for tests: a browser, and a visitor's hands and eyes."""

import json
import re
from collections.abc import Callable
from time import monotonic
from typing import Any, Self

import pytest
from board.visits import Board
from clients import PATIENCE

pytest.importorskip("playwright", reason="no playwright: pip install playwright")

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    WebSocket,
    WebSocketRoute,
    expect,
)

ENGINE = "0"  # as a player: ours, unless the server was given others

WIDE = {"width": 1280, "height": 800}
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
LANDSCAPE = {"width": 844, "height": 390}

TIMEOUT = 1000 * PATIENCE  # milliseconds; the machine may be busy

# The address of a file of the page's own site: Chromium starts a new process for each other site.
# The address of an empty page in the same process. With an icon, lest the browser ask for one.
EMPTY = """() => URL.createObjectURL(
  new Blob(['<link rel="icon" href="data:,">'], { type: "text/html" }))"""
FRAME = "() => new Promise(requestAnimationFrame)"
GO_ONLINE = "() => { window.dispatchEvent(new Event('online')); }"
# Prolongs the animation of moves.
BUSY = """() => {
  const mark = Object.assign(document.createElement("i"), { hidden: true });
  mark.dataset.busy = "";
  document.getElementById("board").append(mark);
}"""
# The buttons, fields and titles of dialogs that an element covers.
COVERED = """(selector) => {
  const cover = document.querySelector(selector);
  const box = cover.getBoundingClientRect();
  const panels = document.getElementById("panels").getBoundingClientRect(); // cut their contents
  const isCovered = (each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const end = each.closest("#panels") ? Math.min(bottom, panels.bottom) : bottom;
    return right > box.left && left < box.right && end > box.top && top < box.bottom;
  };
  return [...document.querySelectorAll(":is(button, select, input, dialog h2):not(.notice *)")]
    .filter((each) => each.checkVisibility() && !cover.contains(each))
    .filter(isCovered)
    .filter((each) => !document.querySelector("dialog") || each.closest("dialog"))
    .map((each) => each.textContent);
}"""
ANSWER = re.compile(r'\{"type":"(?:accepted|refused)","request":(\d+)')

expect.set_options(timeout=TIMEOUT)


class Visitor:
    """A page and its errors. Tests act through clicks and keys only, each as soon as the page shows
    the answers to what it asked the server before.
    """

    def __init__(self, browser: Browser, board: Board, **options: Any) -> None:
        self.problems: list[str] = []
        self.elsewhere: list[str] = []
        self._unanswered: set[int] = set()  # requests of the page
        self._size = options.pop("viewport", WIDE)
        self.context = browser.new_context(viewport=self._size, accept_downloads=True, **options)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT)
        self._origin = board.url
        self._board = board
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self._look(request.url))
        self.page.on("websocket", self._follow)

    def __enter__(self) -> Self:
        self.arrive()
        return self

    def arrive(self) -> None:
        """Arrives as a new visitor."""
        self.leave()  # a page without its cookie would load no more scripts
        self.context.clear_cookies()
        self.set_cookie("notes", "off")
        self.page.set_viewport_size(self._size)
        self.page.emulate_media(media="screen", color_scheme="light", reduced_motion="reduce")
        self.problems.clear()
        self.elsewhere.clear()
        self.page.goto(f"{self._origin}/?key={self._board.key}")
        self.wait_for_board()

    def set_cookie(self, name: str, value: str) -> None:
        """Sets a setting of the page, which it reads when it loads."""
        self.context.add_cookies([{"name": f"pinchtp_{name}", "value": value, "url": self._origin}])

    @property
    def cookie(self) -> str:
        """The cookie of the visitor, for another page by the socket alone."""
        cookies = self.context.cookies()
        [found] = [each for each in cookies if each.get("name", "").startswith("pinchtp_board")]
        return f"{found['name']}={found['value']}"

    def join(self, address: str) -> None:
        """Opens an invitation as somebody who has never been here."""
        self.context.clear_cookies()
        self.page.goto(address)
        self.wait_for_board()

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def check(self) -> None:
        """No script failed, and nothing was loaded from elsewhere."""
        assert not self.problems, self.problems
        assert not self.elsewhere, self.elsewhere

    def leave(self) -> None:
        """Leaves the page, which stops its engines."""
        self.page.goto(self.page.evaluate(EMPTY))

    def reload(self) -> None:
        self.page.reload()
        self.wait_for_board()

    def reload_with(self, script: str, text: str, instead: str) -> None:
        """Reloads the page once with another text in one of its scripts."""

        def change(route: Route) -> None:
            response = route.fetch()
            assert text in response.text()
            route.fulfill(response=response, body=response.text().replace(text, instead))

        self.page.route(f"**/{script}", change)
        self.reload()
        self.page.unroute(f"**/{script}", change)

    def set_notice_time(self, milliseconds: int) -> None:
        """Reloads the page; notices that pass are then shown for this long, instead of 6 s."""
        self.reload_with("notices.js", "BRIEFLY = 6000", f"BRIEFLY = {milliseconds}")

    def hold_animation(self) -> None:
        """Prolongs the animation of moves until the page is reloaded."""
        self.page.evaluate(BUSY)

    def wait_for_board(self) -> None:
        expect(self.page.locator("#board .live-board")).to_be_visible()

    def wait_for_connection(self) -> None:
        """Connects a page that lost its connection; waits until it has the server's state again."""
        self.page.evaluate(GO_ONLINE)  # without waiting for its next attempt
        expect(self.page.locator("#connection")).to_be_empty()
        self.receive_all()

    def receive_all(self) -> None:
        """Waits until the page has received what the server has sent: a ping is answered later."""
        self.page.evaluate(GO_ONLINE)
        self.settle()

    # --- hands

    def point(self, name: str) -> Locator:
        return self.page.locator(f'#board [data-point="{name}"]')

    def settle(self) -> None:
        """Waits until the page shows the server's answers to all of its requests."""
        self.page.evaluate(FRAME)  # its requests are known now
        self.wait_for(lambda: not self._unanswered)
        self.page.evaluate(FRAME)

    def click(self, *names: str) -> None:
        """Clicks points in turn."""
        for name in names:
            self.settle()
            self.point(name).click()

    def tap(self, *names: str) -> None:
        """Taps points in turn."""
        for name in names:
            self.settle()
            self.point(name).tap()

    def action(self, name: str) -> Locator:
        return self.page.locator(f'#actions [data-action="{name}"], #menu [data-action="{name}"]')

    def do(self, name: str) -> None:
        """Clicks a button; opens the menu of a small screen for its buttons."""
        self.settle()
        item = self.page.locator(f'#menu [data-action="{name}"]')
        if item.count() and not item.is_visible():
            self.page.locator("#menu-button").click()
        self.action(name).click()

    def open_dialog(self, name: str) -> None:
        """Opens a dialog by its button; shortcuts have none on a touchscreen, but a key."""
        if name == "shortcuts":
            self.press("?")
        else:
            self.do(name)

    def load(self, text: str) -> None:
        """Submits a record, moves or a position in the dialog for it."""
        self.do("load")
        dialog = self.page.locator("#load-dialog")
        dialog.locator("textarea").fill(text)
        dialog.locator("button[type=submit]").click()

    def invite(self, role: str = "play") -> str:
        """Invites others; returns the address to play or to watch."""
        self.do("invite")
        dialog = self.page.locator("#invite-dialog")
        dialog.get_by_role("button", name="Create links").click()
        address = dialog.get_by_label(f"Link to {role}").first.input_value()
        self.press("Escape")
        return address

    def review(self) -> None:
        """Reviews the finished game, to the end."""
        self.do("to-review")
        expect(self.page.locator("#review-said")).to_contain_text("positions reviewed: ")

    def review_by_tab(self) -> None:
        """Reviews the game, to the end, with the fewest visits."""
        self.tab("review")
        self.page.locator("#review-visits").select_option("100")
        self.page.locator("[data-action=review]").click()
        expect(self.page.locator("#review-said")).to_contain_text("positions reviewed: ")

    def resign(self) -> None:
        self.do("resign")
        self.page.locator("#resign-dialog button[type=submit]").click()

    def press(self, *keys: str) -> None:
        """Presses keys in turn, without a pause."""
        self.settle()
        for key in keys:
            self.page.keyboard.press(key)

    def tab(self, name: str) -> None:
        self.page.locator(f"#tab-{name}").click()

    def overlays(self) -> Locator:
        """Starts live analysis, whose engine says what it can draw; returns the field to choose."""
        self.tab("analysis")
        self.page.locator("#live").check()
        return self.page.locator("#drawn")

    def new_game(  # noqa: PLR0913
        self,
        game: str,
        size: tuple[int, int] | None = None,
        *,
        black: str = "human",
        white: str = "human",
        strength: int | str = 30,
        time: str = "",
        **options: bool,
    ) -> None:
        """Begins a game by the dialog. black, white: `human`, or the number of an engine.
        strength: of engines: visits, or how the name of a level begins. time: a choice of clocks.
        """
        self.do("new")
        dialog = self.page.locator("#new-game-dialog")
        dialog.locator(f'[name=game][value="{game}"]').check()
        if size is not None:
            dialog.locator("[name=columns]").fill(str(size[0]))
            dialog.locator("[name=rows]").fill(str(size[1]))
        if time:
            dialog.locator("[name=time]").select_option(time)
        for name, value in options.items():
            dialog.locator(f"[name={name}]").set_checked(value)
        for color, player in (("black", black), ("white", white)):
            dialog.locator(f"[name={color}-player]").select_option(player)
            if player == "human":
                continue
            levels = dialog.locator(f"[name={color}-level]")
            if isinstance(strength, str):
                names = levels.locator("option").all_text_contents()
                levels.select_option(next(name for name in names if name.startswith(strength)))
            else:
                levels.select_option("visits")
                dialog.locator(f"[name={color}-amount]").fill(str(strength))
        dialog.locator("button[type=submit]").click()
        expect(dialog).to_have_count(0)
        self.settle()

    def saved(self, kind: str) -> bytes:
        """Saves a game as a file by the open dialog; returns the content."""
        with self.page.expect_download() as waiting:
            self.page.locator(f"[data-save={kind}]").click()
            expect(self.page.locator("#save-dialog [role=status]")).to_have_text("Saved.")
        return waiting.value.path().read_bytes()

    # --- eyes

    def stones(self) -> dict[str, str]:
        """The color of each stone on the board, by its point."""
        self.settle()
        found = self.page.locator("#board .stones .stone").evaluate_all(
            "(all) => all.map((each) => [each.dataset.vertex, each.classList[1]])"
        )
        return dict(found)

    def expect_stones(self, black: str = "", white: str = "") -> None:
        """Waits until exactly these stones are on the board."""
        for color, names in (("black", black), ("white", white)):
            stones = self.page.locator(f"#board .stones .stone.{color}")
            for name in names.split():
                expect(
                    self.page.locator(f'#board .stone.{color}[data-vertex="{name}"]')
                ).to_be_attached()
            expect(stones).to_have_count(len(names.split()))

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Waits until a condition of the test holds, while the page's events are handled."""
        deadline = monotonic() + PATIENCE
        while not condition():
            assert monotonic() < deadline
            self.page.wait_for_timeout(5)

    def wait_until(self, condition: str, argument: Any = None) -> None:
        """Waits until a function of the page is true. Playwright's own wait_for_function evaluates
        text in the page, as of 1.49, which our content security policy forbids.
        """
        deadline = monotonic() + PATIENCE
        while not self.page.evaluate(condition, argument):
            assert monotonic() < deadline, condition
            self.page.wait_for_timeout(20)

    def expect_status(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#status")).to_contain_text(text)

    def expect_legal(self, name: str, *, is_legal: bool = True) -> None:
        """Waits until a point can be chosen, or cannot be."""
        point = self.page.locator(f'#board .points .legal[data-point="{name}"]')
        expect(point).to_have_count(1 if is_legal else 0)

    @property
    def legal(self) -> list[str]:
        """The points that can be chosen now."""
        self.settle()
        return self.page.locator("#board .points .legal").evaluate_all(  # type: ignore[no-any-return]
            "(all) => all.map((each) => each.dataset.point)"
        )

    def _follow(self, socket: WebSocket) -> None:
        """Keeps account of the requests without an answer."""
        unanswered = self._unanswered = set()

        def receive(text: str | bytes) -> None:
            if answer := ANSWER.match(str(text)):
                unanswered.discard(int(answer[1]))

        socket.on("framesent", lambda text: unanswered.add(json.loads(text)["id"]))
        socket.on("framereceived", receive)
        socket.on("close", lambda _: unanswered.clear())

    def _hear(self, said: ConsoleMessage) -> None:
        """Records console errors; the browser also logs lost connections, which are expected."""
        if said.type in ("error", "warning") and "WebSocket" not in said.text:
            self.problems.append(f"{said.text} ({said.location['url']})")

    def _look(self, url: str) -> None:
        if not url.startswith((self._origin, self._origin.replace("http", "ws"), "blob:", "data:")):
            self.elsewhere.append(url)


class Wire:
    """The connection of a page, which is reloaded; tests can cut it.

    sent: the types of the page's requests. lost: the types of those that do not reach the server.
    """

    def __init__(self, visitor: Visitor) -> None:
        self.sent: list[str] = []
        self.lost: list[str] = []
        self._visitor = visitor
        self._routes: list[WebSocketRoute] = []
        self._is_cut = False
        visitor.page.route_web_socket(re.compile("/socket$"), self._forward)
        visitor.reload()

    def cut(self) -> None:
        self._is_cut = True
        self._routes[-1].close()
        expect(self._visitor.page.locator("#connection")).to_contain_text("Connection lost")

    def mend(self) -> None:
        self._is_cut = False
        self._visitor.wait_for_connection()

    def _forward(self, route: WebSocketRoute) -> None:
        if self._is_cut:
            route.close()
            return
        self._routes.append(route)
        server = route.connect_to_server()

        def send(text: str | bytes) -> None:
            self.sent.append(json.loads(text)["type"])
            if self.sent[-1] not in self.lost:
                server.send(text)

        route.on_message(send)
