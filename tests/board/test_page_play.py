"""Playing on the board in Chromium."""

import json
import re

import pytest
from board.page import ENGINE, TIMEOUT, Visitor
from board.visits import Board
from playwright.sync_api import Browser, WebSocketRoute, expect

pytestmark = pytest.mark.slow


def test_stones_flip_and_the_swap_changes_sides(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 4), pie=True)
    visitor.expect_status("Black to move")
    visitor.click("C2")
    visitor.expect_stones("C2")
    visitor.expect_status(re.compile("swap", re.IGNORECASE))
    visitor.do("swap")
    visitor.expect_stones("", "C2")
    expect(visitor.page.locator('[data-color="white"] .says')).to_contain_text("top and bottom")
    visitor.click("B2")  # Black's, next to the white stone
    visitor.expect_stones("B2", "C2")
    visitor.click("E4", "C3")  # C3 and B2 pinch nothing: C2 is next to both
    visitor.expect_stones("B2 C3 C2", "E4")
    expect(visitor.page.locator("#board .marks .turned")).to_have_count(1)
    expect(visitor.page.locator("#board .marks .last:not([display])")).to_have_count(1)


def test_undo_and_a_taken_point(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4), pie=False)
    visitor.click("A1", "B3", "B3")
    expect(visitor.page.locator("#notices")).to_contain_text("B3 is occupied")
    visitor.do("undo")
    visitor.expect_stones("A1")
    visitor.press("u")
    visitor.expect_stones()


@pytest.mark.parametrize(
    ("game", "size", "white", "point"),
    [
        ("pinch", (5, 5), "human", "C3"),
        ("pinch", (5, 5), ENGINE, "C3"),
        ("bushka", None, "human", "e3"),
    ],
)
def test_double_click_is_a_click(
    visitor: Visitor, game: str, size: tuple[int, int] | None, white: str, point: str
) -> None:
    visitor.new_game(game, size, white=white)
    visitor.point(point).dblclick()
    moved = visitor.page.locator(f'#board .stone[data-vertex="{point}"], #board .choice .origin')
    expect(moved.locator("visible=true").first).to_be_visible()
    visitor.page.wait_for_timeout(500)
    expect(visitor.page.locator("#notices")).to_be_empty()
    if game == "bushka":
        visitor.expect_status("Choose a destination")  # the man is not put back


def test_refusal_notice_ends_with_next_position(browser: Browser, server: Board) -> None:
    """The page misses the message about another page's move."""
    receives = True

    def between(page: WebSocketRoute) -> None:
        other = page.connect_to_server()
        other.on_message(lambda text: page.send(text) if receives or "refused" in text else None)

    with Visitor(browser, server) as visitor:
        visitor.page.route_web_socket("**/socket", between)
        visitor.reload()
        visitor.new_game("pinch", (5, 5), pie=False)
        with server.visit(visitor.cookie) as other:
            receives = False
            other.ask("play-turn", "state", text="c3")
        visitor.point("D4").click()
        notices = visitor.page.locator("#notices")
        expect(notices).to_contain_text("The board has changed")
        receives = True
        visitor.press("Home", "End")
        visitor.expect_stones("C3")
        expect(notices).to_be_empty()


def test_unrelated_state_is_not_taken_as_response(browser: Browser, server: Board) -> None:
    """A state of an engine's move or the clock may come just before a request is refused."""
    states = []

    def between(page: WebSocketRoute) -> None:
        other = page.connect_to_server()

        def to_server(text: str | bytes) -> None:
            if '"load"' in str(text):
                page.send(states[-1])
            other.send(text)

        def to_page(text: str | bytes) -> None:
            if str(text).startswith('{"type":"state"'):
                states.append(text)
            page.send(text)

        page.on_message(to_server)
        other.on_message(to_page)

    with Visitor(browser, server) as visitor:
        visitor.page.route_web_socket("**/socket", between)
        visitor.reload()
        visitor.load("no game at all")
        dialog = visitor.page.locator("#load-dialog")
        expect(dialog.locator(".wrong")).not_to_be_empty()
        expect(dialog).to_be_visible()


def test_next_click_waits_for_the_board_alone(browser: Browser, server: Board) -> None:
    """Not for the answer that comes after it."""

    def between(page: WebSocketRoute) -> None:
        other = page.connect_to_server()
        moves: list[str] = []

        def to_server(text: str | bytes) -> None:
            request = json.loads(text)
            if request["type"] == "play":
                moves.append(f'{{"type":"accepted","request":{request["id"]}}}')
            other.send(text)

        page.on_message(to_server)
        other.on_message(lambda text: None if str(text) in moves else page.send(text))

    with Visitor(browser, server) as visitor:
        visitor.new_game("pinch", (5, 5), pie=False)
        visitor.page.route_web_socket("**/socket", between)
        visitor.reload()
        visitor.click("A1")
        visitor.expect_stones("A1")
        visitor.click("B2")
        visitor.expect_stones("A1", "B2")


def test_resigning_is_asked_for_twice(visitor: Visitor) -> None:
    visitor.new_game("pinch", (4, 4))
    visitor.click("A1")
    visitor.do("resign")
    visitor.press("Escape")
    visitor.expect_status("White")
    assert "resigned" not in visitor.page.locator("#status").inner_text()
    visitor.resign()
    visitor.expect_status("resigned")


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


def test_bushka_from_and_to(visitor: Visitor) -> None:
    visitor.new_game("bushka")
    visitor.expect_status("Choose a man")
    origin = visitor.page.locator("#board .choice .origin")
    visitor.click("e3")
    expect(origin).to_be_visible()
    visitor.click("e4")
    visitor.expect_status("Black to move")
    visitor.click("d6")
    visitor.expect_status("Choose a destination")
    visitor.click("d5")
    expect(visitor.page.locator('#board .stone[data-vertex="d5"]')).to_be_attached()
    visitor.click("f3")
    expect(origin).to_be_visible()
    visitor.do("cancel")
    expect(origin).to_be_hidden()
    visitor.expect_status("Choose a man")
    assert visitor.stones()["e4"] == "white"
    assert visitor.stones()["f3"] == "white"


def test_compulsory_capture_is_shown_before_it_is_made(visitor: Visitor) -> None:
    visitor.new_game("bushka")
    visitor.point("d2").click()
    visitor.expect_status("Choose a destination")
    visitor.point("d3").click()
    visitor.expect_status("Black to move")
    visitor.point("b5").click()
    visitor.expect_status("Choose a destination")
    visitor.point("d5").click()
    visitor.expect_status("You must capture: choose one of the marked men")
    expect(visitor.page.locator("#board .choice .path:not([display])")).to_have_count(1)
    expect(visitor.page.locator("#board .choice .victim:not([display])")).to_have_count(2)
    assert visitor.legal == ["d3"]
    visitor.point("d2").click()
    expect(visitor.page.locator("#notices")).to_contain_text("No legal move from")
    before = len(visitor.stones())
    visitor.click("d3")
    visitor.expect_status("Choose a destination")
    visitor.click("c4")
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(before - 2)
    visitor.expect_status("Black to move")


def test_engine_turn_offers_no_moves(visitor: Visitor) -> None:
    visitor.set_notice_time(10 * TIMEOUT)
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator("[name=white-player]").select_option(ENGINE)
    dialog.locator("[name=white-level]").select_option("seconds")
    dialog.locator("[name=white-amount]").fill("60")
    dialog.locator("button[type=submit]").click()
    visitor.click("D4")
    visitor.expect_status("White to move")
    assert visitor.legal == []
    visitor.click("E5")
    expect(visitor.page.locator("#notices")).to_contain_text("It is not your turn")
    assert len(visitor.stones()) == 1
    visitor.do("pause")  # now the visitor may try moves for both
    visitor.expect_status("you join ↔ left and right and play next")
    visitor.click("E5")
    visitor.expect_stones("D4", "E5")
    expect(visitor.page.locator("#notices")).to_be_empty()  # it was about the turn before


def test_capture_may_end_where_it_began(visitor: Visitor) -> None:
    """Both clicks are on the same man: the first one only changes the prompt."""
    visitor.load("(;FF[4]SZ[10]RU[bushka]PL[B]AB[fe]AW[fg][fd])")
    visitor.expect_status("You must capture")
    visitor.click("f6")
    visitor.expect_status("Choose a destination")
    assert visitor.legal == ["f6"]
    visitor.click("f6")
    visitor.expect_status("Black wins")
    visitor.expect_stones("f6")


# Properties that change with the position, not with the pointer. The first click of a capture that
# ends at its origin only changes the prompt.
POSITION = """() => document.querySelector("#status").textContent +
    [...document.querySelectorAll("#board .points .legal, #board .stones .stone")]
    .map((each) => each.dataset.point ?? each.dataset.vertex + each.className.baseVal).join()"""


@pytest.mark.parametrize(
    ("game", "size"),
    [
        ("pinch-relocate", (3, 3)),
        ("bushka", None),
    ],
)
def test_whole_game_is_played_against_the_engine(
    visitor: Visitor, game: str, size: tuple[int, int] | None
) -> None:
    visitor.new_game(game, size, white=ENGINE, strength=20)
    status = visitor.page.locator("#status")
    over = visitor.page.locator("#status.over")
    for turn in range(400):
        points = visitor.page.locator("#board .points .legal")
        expect(points.or_(over).first).to_be_attached()
        if over.count():
            break
        before = visitor.page.evaluate(POSITION)
        names = visitor.legal
        if not names:
            continue
        visitor.click(names[(7 * turn) % len(names)])
        visitor.wait_until(f"(before) => ({POSITION})() !== before", before)
    assert re.search("wins|Draw|draw", status.inner_text())


def test_clocks_run_for_who_is_to_move(visitor: Visitor) -> None:
    visitor.new_game("pinch", time="60+1")
    black = visitor.page.locator('[data-color="black"] .clock')
    white = visitor.page.locator('[data-color="white"] .clock')
    visitor.click("D4")
    expect(black).to_have_text(re.compile("^(1:0|0:5)"))
    expect(white).to_have_text(re.compile("^0:[2-5]"))
    visitor.click("E5")
    expect(white).to_have_text(re.compile("^(0:[2-5]|1:0)"))


def test_expired_clock_loses(visitor: Visitor) -> None:
    """With a custom clock: two seconds, then one period of a second."""
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator("[name=white-player]").select_option("human")
    dialog.locator("[name=time]").select_option("custom")
    for name, value in (("main", 2), ("increment", 0), ("period", 1), ("periods", 1)):
        dialog.locator(f"[name={name}]").fill(str(value))
    dialog.locator("button[type=submit]").click()
    visitor.click("D4")
    visitor.expect_status("Black wins: White's time is up")
    assert visitor.legal == []


def test_game_against_engine_pauses_and_resumes(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), white=ENGINE, strength=20, pie=False)
    visitor.do("pause")
    visitor.expect_status("Paused")
    visitor.click("C3")
    visitor.expect_status("White to move. Paused. “Resume from here” continues")
    visitor.page.wait_for_timeout(500)
    assert visitor.stones() == {"C3": "black"}
    visitor.do("resume")
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(2)
    visitor.expect_status("Black to move")
    expect(visitor.page.locator("#status")).not_to_contain_text("Paused")
    visitor.do("think")  # the engine moves for Black, and then for itself
    expect(visitor.page.locator("#board .stones .stone")).to_have_count(4)


def test_engine_thinks_so_many_seconds_a_move(visitor: Visitor) -> None:
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    dialog.locator("[name=columns]").fill("9")
    dialog.locator("[name=rows]").fill("9")
    dialog.locator("[name=white-player]").select_option(ENGINE)
    dialog.locator("[name=white-level]").select_option("seconds")
    dialog.locator("[name=white-amount]").fill("2")
    dialog.locator("button[type=submit]").click()
    white = visitor.page.locator('[data-color="white"]')
    expect(white.locator(".name")).to_contain_text("2 s per move")
    visitor.page.evaluate(
        """() => {
          const says = document.querySelector('[data-color="white"] .says');
          window.said = [];
          new MutationObserver(() => said.push([says.textContent, performance.now()]))
            .observe(says, { childList: true, subtree: true });
        }"""
    )
    visitor.do("think")  # Black's move, by the same engine, which is running then
    expect(visitor.page.locator("#board .stones .stone")).not_to_have_count(0)
    visitor.expect_status("Black to move")
    (thinking, began), (_, ended) = visitor.page.evaluate("said")
    assert "thinking" in thinking
    assert 500 < ended - began < 20_000


def test_player_of_a_color_is_changed_in_the_middle_of_a_game(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.click("C3")
    visitor.press("p")
    dialog = visitor.page.locator("#players-dialog")
    dialog.locator("[name=white-player]").select_option(ENGINE)
    level = next(
        text
        for text in dialog.locator("[name=white-level] option").all_text_contents()
        if text.startswith("Level 2,")
    )
    dialog.locator("[name=white-level]").select_option(level)
    dialog.locator("button[type=submit]").click()
    expect(visitor.page.locator("#board .stones .stone.white")).to_have_count(1)
    expect(visitor.page.locator('[data-color="white"] .name')).to_contain_text("Level 2")


def test_dialog_of_players_keeps_the_default_strength_of_an_engine(visitor: Visitor) -> None:
    visitor.new_game("pinch", (5, 5), pie=False)
    visitor.load("(;FF[4]SZ[5]PW[pinchtp];B[ae];W[bd])")
    visitor.expect_stones("A1", "B2")
    visitor.do("players")
    dialog = visitor.page.locator("#players-dialog")
    dialog.locator("[name=black-name]").fill("Ada")
    dialog.locator("button[type=submit]").click()
    names = visitor.page.locator("#players .name")
    expect(names).to_have_text(["Ada", "pinchtp"])


def test_engine_swap_is_explained(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), white=ENGINE, strength=500, pie=True)
    visitor.click("B2")
    visitor.expect_stones("", "B2")
    visitor.expect_status("White has swapped: the first stone is white now")
    visitor.expect_status("Black joins left and right")


def test_won_game_shows_its_chain_and_offers_a_rematch(visitor: Visitor) -> None:
    visitor.new_game("pinch", (3, 3), pie=False)
    visitor.click("B1", "A1")
    visitor.expect_status("Black to move")
    expect(visitor.action("rematch")).to_have_count(0)
    visitor.press("m")  # no sooner
    visitor.click("B2", "A3", "B3")
    visitor.expect_status("Black wins")
    assert visitor.page.locator("#board .chain").first.get_attribute("d")
    assert visitor.legal == []
    visitor.review()
    visitor.do("rematch")
    visitor.expect_stones()
    visitor.expect_status("Black to move")


def test_hidden_invalid_fields_do_not_prevent_a_new_game(visitor: Visitor) -> None:
    visitor.do("new")
    dialog = visitor.page.locator("#new-game-dialog")
    amount = dialog.locator("[name=white-amount]")
    dialog.locator("[name=white-player]").select_option(ENGINE)
    dialog.locator("[name=white-level]").select_option("seconds")
    amount.fill("4000")
    assert amount.evaluate("(field) => field.validity.rangeOverflow")
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_have_count(1)
    dialog.locator("[name=time]").select_option("custom")
    dialog.locator("[name=main]").fill("-1")
    dialog.locator("[name=time]").select_option("none")
    dialog.locator("[name=white-player]").select_option("human")
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_have_count(0)
