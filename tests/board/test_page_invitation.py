"""The board in Chromium: a game with an invited friend, each in a browser of their own."""

import re
from pathlib import Path

import pytest
from board.page import ENGINE, LANDSCAPE, TIMEOUT, Visitor
from board.visits import Board
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow


def test_friends_decline_and_take_back(visitor: Visitor, browser: Browser, server: Board) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    address = visitor.invite()
    with Visitor(browser, server) as friend:
        friend.join(address)
        friend.set_notice_time(10 * TIMEOUT)
        name = '[data-color="{}"] .name'
        expect(visitor.page.locator(name.format("white"))).to_have_text("Friend (White)")
        expect(friend.page.locator(name.format("white"))).to_have_text("You (White)")
        visitor.click("C3")
        friend.expect_stones("C3")
        friend.click("D4")
        visitor.expect_stones("C3", "D4")
        for refusal in ("Decline", "Dismiss"):
            friend.do("undo")
            expect(visitor.page.locator(".notice p")).to_have_text(
                "Your friend asks to take a move back."
            )
            visitor.page.get_by_role("button", name=refusal).click()
            expect(friend.page.get_by_text("Waiting for the other player")).to_have_count(0)
            expect(friend.page.locator(".notice p")).to_have_text("The other player declined.")
            expect(visitor.page.locator(".notice")).to_have_count(0)
            friend.expect_stones("C3", "D4")
        friend.do("undo")
        visitor.page.get_by_role("button", name="Allow").click()
        friend.expect_stones("C3")
        expect(friend.page.locator(".notice")).to_have_count(0)
        friend.click("A1")
        visitor.expect_stones("C3", "A1")
        friend.do("players")
        friend.page.get_by_label("Your name").fill("Bo")
        friend.press("Enter")
        for each in (visitor, friend):
            expect(each.page.locator(name.format("white"))).to_have_text("Bo")
        for name_of_dialog in ("new", "load", "puzzles", "setup"):
            visitor.open_dialog(name_of_dialog)
            expect(visitor.page.locator("dialog")).to_contain_text(
                "replaces the one with your friend"
            )
            visitor.press("Escape")
        expect(visitor.page).to_have_title(re.compile("^Your turn · Pinch"))
        expect(friend.page).to_have_title(re.compile("^Pinch"))
        friend.press("Escape")
        friend.do("save")
        friend.page.locator("[data-copy=link]").click()
        expect(friend.page.locator("#save-dialog")).to_contain_text("Copied.")
        link = friend.page.evaluate("navigator.clipboard.readText()")
        assert link.startswith(f"{server.url}/#game="), link  # not the invitation
        friend.press("Escape")
        friend.do("resign")
        friend.page.locator("#resign-dialog [type=submit]").click()
        visitor.expect_status("You won!")
        friend.expect_status("You lost.")
        friend.do("rematch")
        expect(visitor.page.locator(name.format("white"))).to_have_text("You (White)")
        friend.check()


def test_request_to_take_back_is_withdrawn(
    visitor: Visitor, browser: Browser, server: Board
) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    address = visitor.invite()
    visitor.click("C3")
    with Visitor(browser, server) as friend:
        friend.join(address)
        friend.expect_stones("C3")
        friend.click("D4")
        visitor.expect_stones("C3", "D4")
        for name in ("Withdraw", "Dismiss"):
            friend.do("undo")
            allow = visitor.page.get_by_role("button", name="Allow")
            expect(allow).to_be_visible()
            friend.page.get_by_role("button", name=name).click()
            expect(allow).to_have_count(0)
            expect(visitor.page.locator(".notice p")).to_have_text(
                "The other player withdrew the request to take a move back."
            )
            expect(friend.page.locator(".notice")).to_have_count(0)
        friend.expect_stones("C3", "D4")
        friend.check()


def test_host_reads_why_there_is_no_analysis(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.invite()
    for tab, text in (("review", "#review-said"), ("analysis", "#analysis-summary")):
        visitor.tab(tab)
        expect(visitor.page.locator(text)).to_contain_text("before the end of a game with a friend")
    expect(visitor.page.locator("#drawn")).to_be_disabled()
    visitor.resign()
    expect(visitor.page.locator("#drawn")).to_be_enabled()


def test_empty_card_of_the_graph_is_hidden(visitor: Visitor) -> None:
    """During a game with a friend it has neither winrates nor step buttons."""
    visitor.new_game("pinch", (5, 5), pie=False)
    card = visitor.page.locator("#graph-panel")
    expect(card).to_be_visible()
    visitor.invite()
    expect(card).to_be_hidden()


def test_running_invitation_shows_its_links(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.do("players")
    visitor.page.get_by_label("White's name").fill("Ann")
    visitor.press("Enter")
    visitor.do("invite")
    dialog = visitor.page.locator("#invite-dialog")
    links = dialog.locator(".links input")
    end = dialog.get_by_text("End the invitation")
    expect(end).to_be_hidden()
    dialog.locator("[name=color]").select_option("black")
    dialog.get_by_role("button", name="Create links").click()
    expect(links).to_have_count(2)
    expect(dialog.get_by_label("Your name")).to_have_value("Ann")
    address = links.first.input_value()
    visitor.press("Escape")
    visitor.do("invite")
    expect(links.first).to_have_value(address)
    expect(dialog.locator("[name=color]")).to_have_value("black")
    end.click()
    expect(visitor.page.locator('[data-color="white"] .name')).to_have_text("Ann")
    visitor.do("invite")
    expect(dialog.locator("[name=color]")).to_have_value("white")
    expect(end).to_be_hidden()
    expect(links).to_have_count(0)


def test_engine_ends_an_open_invitation(visitor: Visitor) -> None:
    visitor.do("invite")
    visitor.page.locator("#invite-dialog").get_by_role("button", name="Create links").click()
    name = visitor.page.locator('[data-color="white"] .name')
    expect(name).to_have_text("Friend (White)")
    visitor.press("Escape")
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength=10, pie=False)
    expect(name).not_to_have_text("Friend (White)")
    visitor.click("C3")
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(2)


def test_local_board_explains_how_to_serve_it(visitor: Visitor) -> None:
    visitor.do("invite")
    dialog = visitor.page.locator("#invite-dialog")
    expect(dialog).to_contain_text("The links work on this computer only.")
    command = "pinchtp board --listen 0.0.0.0"
    expect(dialog.get_by_label("Command", exact=True)).to_have_value(command)
    dialog.get_by_role("button", name="Copy: Command").click()
    assert visitor.page.evaluate("navigator.clipboard.readText()") == command
    dialog.get_by_role("button", name="Create links").click()
    expect(dialog.get_by_label("Link to play", exact=True)).to_have_value(re.compile("^http://127"))
    expect(dialog.locator("img")).to_have_count(0)


def test_served_board_shows_codes_and_copies(browser: Browser, tmp_path: Path) -> None:
    with Board(tmp_path, "--listen", "0.0.0.0") as board, Visitor(browser, board) as visitor:
        visitor.do("invite")
        dialog = visitor.page.locator("#invite-dialog")
        expect(dialog).not_to_contain_text("--listen")
        dialog.get_by_role("button", name="Create links").click()
        code = dialog.get_by_role("img", name="Link to play, as a QR code")
        expect(code).to_be_visible()
        visitor.wait_until("() => document.querySelector('img.code').naturalWidth > 0")
        address = dialog.get_by_label("Link to play", exact=True).input_value()
        assert "127.0.0.1" not in address
        visitor.page.set_viewport_size({"width": 844, "height": 390})
        assert dialog.locator(".body").evaluate("(each) => each.scrollHeight <= each.clientHeight")
        dialog.get_by_role("button", name="Copy: Link to play").click()
        assert visitor.page.evaluate("navigator.clipboard.readText()") == address
        visitor.page.set_viewport_size(LANDSCAPE)
        expect(code).to_be_in_viewport(ratio=1)
        visitor.check()


def test_host_is_told_that_the_friend_is_away(
    visitor: Visitor, browser: Browser, server: Board
) -> None:
    """The clock stops while he is away."""
    visitor.new_game("pinch", (5, 5), time="custom", pie=False)
    address = visitor.invite()
    white = visitor.page.locator('[data-color="white"]')
    expect(white).to_contain_text("away")
    with Visitor(browser, server) as friend:
        friend.join(address)
        expect(white).not_to_contain_text("away")
        visitor.click("C3")
        friend.expect_stones("C3")
        friend.leave()
        expect(white).to_contain_text("away")
        clock = white.locator(".clock")
        visitor.page.wait_for_timeout(500)  # the page draws clocks five times a second
        left = clock.inner_text()
        visitor.page.wait_for_timeout(2000)
        expect(clock).to_have_text(left)
        friend.page.goto(address)
        friend.wait_for_board()
        expect(white).not_to_contain_text("away")
        expect(clock).not_to_have_text(left)
    visitor.check()


@pytest.mark.parametrize("role", ["watch", "play"])
def test_guests_see_what_they_may_do(
    visitor: Visitor, browser: Browser, server: Board, role: str
) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    address = visitor.invite(role)
    visitor.click("C3")
    with Visitor(browser, server) as guest:
        guest.join(address)
        guest.expect_stones("C3")
        names = ["Rules", "Save", "Settings", "Shortcuts"]
        if role == "play":
            names = ["Players", *names, "Resign"]  # Undo after a first move
        expect(guest.page.locator("button:visible:enabled")).to_have_text(names)
        guest.do("shortcuts")
        keys = guest.page.locator("#shortcuts-dialog")
        expect(keys.get_by_text("Replay captures")).to_be_visible()
        for text in ("Undo", "Resign", "Rematch", "Swap colors"):
            expect(keys.get_by_text(text)).to_have_count(int(role == "play"))
        guest.press("Escape")
        expect(guest.page.locator("#comment")).to_be_hidden()
        visitor.page.locator("#comment").fill("A first move")
        visitor.page.locator("#comment").blur()
        expect(guest.page.locator("#comment")).to_have_value("A first move")
        expect(guest.page.locator("#comment")).to_be_visible()
        assert guest.page.locator("#comment").get_attribute("readonly") is not None
        expect(guest.page.locator(".player .name").first).to_have_text(
            "Black" if role == "watch" else "Friend (Black)"
        )
        guest.press("n", "l", "ArrowLeft", "a", "g")
        guest.expect_stones("C3")
        assert guest.page.locator("dialog, .notice").count() == 0
        guest.check()
