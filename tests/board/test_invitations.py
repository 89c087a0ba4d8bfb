"""Invitations: a friend plays the other color, others watch."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from socket import AF_INET, AF_INET6, gethostname
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
from board.visits import Board, Found, Visit
from websockets.exceptions import ConnectionClosed

from pinchtp.board.pages import Page
from pinchtp.board.roles import check_role
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.web import addresses
from pinchtp.board.web.addresses import find_reachable

BLACK, WHITE = 12, 18  # points of the first moves


def join(board: Board, path: str) -> Visit:
    """Follows an invitation as a new visitor."""
    response = board.get(path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")
    assert response.status == 303
    assert response.headers["Location"] == f"./{path.rpartition('/')[2]}?cookie"
    cookie = response.headers["Set-Cookie"].split(";")[0]
    assert board.get(path, Cookie=cookie).status == 200
    return Visit(board, cookie, path=path)


@pytest.fixture
def party(server: Board, visit: Visit) -> Iterator[tuple[Visit, Visit, Visit]]:
    """A host with Black, a friend with White, and a watcher, after each player's first move."""
    visit.new_game("pinch", 5, options={"pie": False})
    links = visit.ask("invite", "invitation", color="white", id=1)
    with ExitStack() as stack:
        friend, watcher = (
            stack.enter_context(join(server, links[role]["address"]))
            for role in ("friend", "watcher")
        )
        visit.ask("play", "state", at=BLACK)
        friend.until(lambda state: state["number"] == 1)
        friend.ask("play", "state", at=WHITE)
        for each in (visit, watcher):
            each.until(lambda state: state["number"] == 2)
        yield visit, friend, watcher


def test_each_page_has_the_moves_of_its_seat(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, watcher = party
    assert [each.state["seat"] for each in party] == ["black", "white", "watch"]
    assert host.state["legal"]["points"]
    assert not friend.state["legal"]["points"] + watcher.state["legal"]["points"]
    assert friend.refused("play", at=0) == "it is the other player's turn"
    assert "resign" in friend.state["can"]
    assert watcher.state["can"] == []


def test_only_a_player_who_has_moved_can_take_back(
    server: Board, party: tuple[Visit, Visit, Visit]
) -> None:
    host, friend, _ = party
    host.send("resign")
    host.until(lambda state: state["result"] is not None)
    host.send("rematch")
    friend.until(lambda state: state["number"] == 0)
    friend.ask("play", "state", at=BLACK)
    host.until(lambda state: state["number"] == 1)
    assert "undo" in friend.state["can"]
    assert "undo" not in host.state["can"]
    assert host.refused("undo") == "nothing to undo"


def test_clock_pauses_while_the_friend_has_no_page(server: Board, visit: Visit) -> None:
    visit.new_game("pinch", 5, time={"main": 100}, options={"pie": False})
    path = visit.ask("invite", "invitation", color="white", id=1)["friend"]["address"]
    visit.until(lambda state: state["away"] == ["white"])
    visit.ask("play", "state", at=BLACK)
    assert not visit.state["clocks"]["white"]["running"]
    with join(server, path) as friend:
        visit.until(lambda state: state["clocks"]["white"]["running"])
        assert not friend.state["away"]
    visit.until(lambda state: state["away"] == ["white"])
    assert not visit.state["clocks"]["white"]["running"]


FRIEND_WAITS = "not possible before the end of a game with a friend"


@pytest.mark.parametrize("time", [None, {"main": 100}])
@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("go", {"node": 1}),
        ("step", {"by": -1}),
        ("pause", {}),
        ("stop", {"task": "move"}),
        ("delete", {"node": 2}),
        ("load", {"text": "a1"}),
    ],
)
def test_host_cannot_stop_or_change_a_friends_game(
    server: Board, visit: Visit, type: str, fields: Found, time: Found | None
) -> None:
    visit.new_game("pinch", 5, time=time, options={"pie": False})
    path = visit.ask("invite", "invitation", color="white", id=1)["friend"]["address"]
    with join(server, path) as friend:
        visit.ask("play", "state", at=BLACK)
        friend.until(lambda state: state["number"] == 1)
        friend.ask("play", "state", at=WHITE)
        visit.until(lambda state: state["number"] == 2)
        assert visit.refused(type, **fields) == FRIEND_WAITS
        assert visit.moves() == ["C3", "D4"]
        assert time is None or visit.state["clocks"]["black"]["running"]
        assert not {"pause", "go"} & set(visit.state["can"])
        visit.send("resign")
        visit.until(lambda state: state["result"] is not None)
        visit.ask("step", "state", by=-1)


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("think", {}),
        ("analyze", {"on": True}),
        ("ask-overlay", {"command": "pinchtp-ownership"}),
        ("ask-hint", {}),
        ("solve", {}),
        ("ask-review", {}),
        ("judge-move", {}),
        ("console-command", {"line": "genmove b"}),
        ("set-players", {"players": {"black": {"engine": 0}}}),
    ],
)
def test_host_gets_no_help_in_a_friends_game(
    party: tuple[Visit, Visit, Visit], type: str, fields: Found
) -> None:
    """An engine also moved for the friend."""
    host, _, _ = party
    assert host.refused(type, **fields) == FRIEND_WAITS
    assert not {"think", "hint", "analyze", "solve", "review"} & set(host.state["can"])
    host.ask("resign", "state")
    assert {"analyze", "review"} < set(host.state["can"])


def test_invitation_ends_the_analysis(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    visit.ask("analyze", "analysis", on=True)
    visit.send("invite", color="white", id=1)
    visit.until(lambda state: state["seat"] == "black" and not state["tasks"])


def test_move_with_a_friend_continues_an_opened_game(server: Board, visit: Visit) -> None:
    visit.ask("load", "state", text="(;SZ[5]RU[pinch];B[cc])")
    path = visit.ask("invite", "invitation", color="white", id=1)["friend"]["address"]
    with join(server, path) as friend:
        visit.ask("step", "state", by=-1)
        visit.ask("step", "state", by=1)
        friend.until(lambda state: state["number"] == 1)
        friend.ask("play-turn", "state", text="d4")
        visit.until(lambda state: state["number"] == 2)
        assert visit.refused("delete", node=2) == FRIEND_WAITS


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("new-game", {}),
        ("analyze", {"on": True}),
        ("console-command", {"line": "name"}),
        ("go", {"node": 0}),
        ("ask-games", {}),
        ("end-invitation", {}),
    ],
)
def test_invited_pages_cannot_change_the_table(
    party: tuple[Visit, Visit, Visit], type: str, fields: Found
) -> None:
    _, friend, watcher = party
    for each in (friend, watcher):
        assert each.refused(type, **fields) == "only the host of this game can do that"
    assert "host" in watcher.refused("play", at=0)
    assert "host" in watcher.refused("resign")


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("new-game", {"game": "pinch", "size": [5, 5], "players": {"white": {"engine": 0}}}),
        ("new-game", {"game": "pinch", "size": [5, 5], "players": {"black": {"engine": 0}}}),
        ("set-players", {"players": {"white": {"engine": 0}}}),
    ],
)
def test_engine_as_a_player_ends_invitation(
    party: tuple[Visit, Visit, Visit], type: str, fields: Found
) -> None:
    host, _, _ = party
    state = host.ask(type, "state", **fields)
    for color, player in fields["players"].items():
        assert state["players"][color]["engine"] == player["engine"]
    assert state["seat"] == ""


def test_friend_keeps_the_color_in_loaded_game(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, _ = party
    state = host.ask("load", "state", text="(;GM[1]SZ[5]PB[pinchtp]PW[pinchtp])")
    assert all(player["engine"] is None for player in state["players"].values())
    assert state["seat"] == "black"
    friend.until(lambda state: state["seat"] == "white")


def test_take_back_is_asked_and_granted(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, _ = party
    friend.send("undo")
    host.until(lambda state: state["undo_asked"] == "white")
    assert friend.refused("answer-undo", grant=True) == "there is no request to take a move back"
    host.ask("answer-undo", "state", grant=False)
    assert (host.state["undo_asked"], host.state["number"]) == (None, 2)
    assert friend.wait("notice")["text"] == "The other player declined."
    assert friend.state["undo_asked"] is None
    friend.send("undo")
    host.until(lambda state: state["undo_asked"] == "white")
    host.ask("answer-undo", "state", grant=True)
    state = friend.until(lambda state: state["number"] == 1)
    assert state["legal"]["points"]


def test_request_to_take_back_is_withdrawn(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, watcher = party
    assert friend.refused("withdraw-undo") == "there is no request to take a move back"
    friend.ask("undo", "state")
    host.until(lambda state: state["undo_asked"] == "white")
    assert host.refused("withdraw-undo") == "there is no request to take a move back"
    assert "host" in watcher.refused("withdraw-undo")
    friend.ask("withdraw-undo", "state")
    for each in party:
        each.until(lambda state: state["undo_asked"] is None)
        assert each.state["number"] == 2
    assert host.refused("answer-undo", grant=True) == "there is no request to take a move back"
    assert host.notices == ["The other player withdrew the request to take a move back."]
    assert not friend.notices + watcher.notices


def replace_by_puzzle(host: Visit) -> None:
    puzzle = host.ask("ask-puzzles", "puzzles")["puzzles"][0]
    host.ask("open-puzzle", "opened-puzzle", puzzle=puzzle["id"])
    host.send("leave-puzzle")


def replace_by_game(host: Visit) -> None:
    stored = host.ask("new-game", "game-stored", game="pinch", size=[5, 5])["game"]
    host.send("open-game", game=stored)


@pytest.mark.parametrize("replace", [replace_by_puzzle, replace_by_game])
def test_reopened_game_with_a_friend_goes_on(
    party: tuple[Visit, Visit, Visit], replace: Callable[[Visit], None]
) -> None:
    host, friend, _ = party
    replace(host)
    for each in (host, friend):
        each.wait("state", where=lambda state: state["number"] == 2 and not state["puzzle"])
    assert host.state["live"]
    assert host.refused("ask-hint") == FRIEND_WAITS
    host.ask("resign", "state")
    replace(host)
    host.wait("state", where=lambda state: state["result"] is not None)


def test_reopened_game_of_an_ended_invitation_is_paused(party: tuple[Visit, Visit, Visit]) -> None:
    host, _, _ = party
    host.ask("end-invitation", "state")
    host.ask("invite", "invitation", color="white", id=2)
    stored = host.ask("new-game", "game-stored", game="pinch", size=[5, 5])["game"]
    host.ask("end-invitation", "state")
    host.ask("invite", "invitation", color="white", id=3)
    host.send("open-game", game=stored)
    assert not host.wait("state", where=lambda state: state["number"] == 2)["live"]


@pytest.mark.parametrize("steps", [[-1], [-1, 1]])
def test_granted_take_back_after_looking_back_continues_the_game(
    server: Board, visit: Visit, steps: list[int]
) -> None:
    visit.new_game("pinch", 5, time={"main": 100}, options={"pie": False})
    path = visit.ask("invite", "invitation", color="white", id=1)["friend"]["address"]
    with join(server, path) as friend:
        visit.ask("play", "state", at=BLACK)
        friend.until(lambda state: state["number"] == 1)
        friend.ask("play", "state", at=WHITE)
        friend.send("resign")
        visit.until(lambda state: state["result"] is not None)
        for by in steps:
            visit.ask("step", "state", by=by)
        friend.send("undo")
        visit.until(lambda state: state["undo_asked"] == "white")
        visit.ask("answer-undo", "state", grant=True)
        visit.until(lambda state: not state["ended"] and not state["undo_asked"])
        assert visit.state["live"]
        assert visit.refused("analyze", on=True) == FRIEND_WAITS
        to_move = visit.state["to_move"]
        assert visit.state["clocks"][to_move]["running"] == (visit.state["number"] > 0)


def test_ended_invitation_drops_the_request_to_take_back(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, _ = party
    friend.send("undo")
    host.until(lambda state: state["undo_asked"] == "white")
    assert host.ask("end-invitation", "state")["undo_asked"] is None


def test_friend_reconnects_and_has_a_name(server: Board, party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, _ = party
    friend.send("set-name", name="Bo")
    host.until(lambda state: state["players"]["white"]["name"] == "Bo")
    friend.close()
    host.ask("play", "state", at=0)
    with Visit(server, friend.cookie, path=friend.path) as again:
        assert (again.state["number"], again.state["seat"]) == (3, "white")
        again.send("resign")
        state = host.until(lambda state: state["result"] is not None)
        assert state["result"]["winner"] == "black"


def test_rematch_exchanges_the_seats(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, _ = party
    host.send("resign")
    host.until(lambda state: state["result"] is not None)
    host.send("rematch")
    friend.until(lambda state: state["seat"] == "black" and state["number"] == 0)
    friend.ask("play", "state", at=BLACK)


def test_friend_asks_for_a_rematch(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, watcher = party
    assert "host" in watcher.refused("rematch")
    assert friend.refused("rematch") == "the game is not over"
    friend.send("resign")
    friend.until(lambda state: "rematch" in state["can"])
    friend.send("rematch")
    host.until(lambda state: state["seat"] == "white" and state["number"] == 0)


def test_guests_get_winrates_at_the_end(server: Board, visit: Visit) -> None:
    visit.new_game("pinch", 5, options={"pie": False})
    visit.ask("play", "state", at=BLACK)
    visit.send("analyze", on=True)
    visit.wait("tree", where=lambda tree: tree["nodes"][-1]["black"] is not None)
    links = visit.ask("invite", "invitation", color="white", id=1)
    with ExitStack() as stack:
        guests = [
            stack.enter_context(join(server, links[role]["address"]))
            for role in ("friend", "watcher")
        ]
        for guest in guests:
            assert all(node["black"] is None for node in guest.seen["tree"]["nodes"])
            assert "SBKV" not in guest.ask("export", "exported", kind="sgf")["text"]
        assert "SBKV" in visit.ask("export", "exported", kind="sgf")["text"]
        visit.send("resign")
        for guest in guests:
            guest.wait("tree", where=lambda tree: tree["nodes"][1]["black"] is not None)
            assert "SBKV" in guest.ask("export", "exported", kind="sgf")["text"]


def test_guests_export_no_stored_game(party: tuple[Visit, Visit, Visit]) -> None:
    host, friend, _ = party
    stored = host.ask("new-game", "game-stored", game="pinch", size=[5, 5])["game"]
    host.ask("export", "exported", kind="sgf", game=stored)
    refused = friend.refused("export", kind="sgf", game=stored)
    assert refused == "only the host of this game can do that"


def test_ended_invitation_disconnects_and_is_void(
    server: Board, party: tuple[Visit, Visit, Visit]
) -> None:
    host, friend, _ = party
    host.ask("end-invitation", "state")
    assert host.state["seat"] == ""
    assert friend.wait("notice")["text"] == "This invitation has ended."
    late = Visit(server, friend.cookie, path=friend.path)
    assert late.wait("notice")["text"] == "This invitation has ended."
    with pytest.raises(ConnectionClosed) as closed:
        late.wait("hello")
    assert closed.value.rcvd
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (
        1008,
        "This invitation has ended.",
    )
    late.close()


@pytest.mark.parametrize("is_loaded", [True, False])
def test_ended_invitation_hides_the_board_and_admits_nobody(
    tmp_path: Path, is_loaded: bool
) -> None:
    with Board(tmp_path) as board:
        with board.visit() as visit:
            visit.new_game("pinch", 5)
            links = visit.ask("invite", "invitation", color="white", id=1)
            paths = [links[role]["address"] for role in ("friend", "watcher")]
            assert [board.get(path, Cookie=visit.cookie).status for path in paths] == [200, 200]
            visit.ask("end-invitation", "state")
            visit.ask("invite", "invitation", color="white", id=2)  # another one
        if not is_loaded:
            board.stop()
            board.start()
        for path in paths:
            for headers in ({"Cookie": visit.cookie}, {}):
                response = board.get(path, **headers)
                assert response.status == 410
                assert response.body == b"This invitation has ended.\n"
                assert "Set-Cookie" not in response.headers


def test_invented_invitation_is_rejected(server: Board) -> None:
    path = f"/game/{'0' * 32}-friend-{'0' * 16}-{'0' * 32}"
    assert server.get(path).status == 403
    assert server.get(path, Cookie=server.cookie()).status == 404


def test_invitation_survives_a_restart(tmp_path: Path) -> None:
    with Board(tmp_path) as board:
        with board.visit() as visit:
            visit.new_game("pinch", 5)
            visit.ask("play", "state", at=BLACK)
            path = visit.ask("invite", "invitation", color="white", id=1)["friend"]["address"]
        board.stop()
        board.start()
        with join(board, path) as friend:
            assert friend.state["seat"] == "white"
            friend.ask("play", "state", at=WHITE)


def test_links_of_a_local_board_are_paths(visit: Visit) -> None:
    found = visit.ask("invite", "invitation", color="white", id=1)
    assert not visit.seen["hello"]["served"]
    for role in ("friend", "watcher"):
        assert found[role]["address"].startswith("/game/")
        assert found[role]["code"] == ""


def test_links_of_a_served_board_open_elsewhere(tmp_path: Path) -> None:
    """The host's page came by loopback, so its own address would be of no use to a phone."""
    with Board(tmp_path, "--listen", "0.0.0.0") as board, board.visit() as visit:
        found = visit.ask("invite", "invitation", color="white", id=1)
        assert visit.seen["hello"]["served"]
        for role in ("friend", "watcher"):
            address = urlsplit(found[role]["address"])
            assert f"{address.scheme}://{address.netloc}" in board.said
            assert address.hostname not in ("127.0.0.1", "0.0.0.0", "localhost")
            assert board.get(address.path, Host=address.netloc).status == 303
            assert unquote(found[role]["code"]).startswith("data:image/svg+xml;charset=utf-8,<svg")


def test_own_address_is_of_the_listening_family() -> None:
    assert find_reachable("192.168.1.5") == "192.168.1.5"
    assert "." in find_reachable("0.0.0.0") or find_reachable("0.0.0.0") == gethostname()
    assert ":" in find_reachable("::") or find_reachable("::") == gethostname()


def test_own_address_without_a_route_is_of_an_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [("127.0.0.1", AF_INET), ("fe80::1%eth0", AF_INET6), ("2001:db8::5", AF_INET6)]
    found += [("169.254.0.9", AF_INET), ("192.168.1.5", AF_INET)]
    interfaces = {"eth0": [SimpleNamespace(address=at, family=kind) for at, kind in found]}
    monkeypatch.setattr(addresses.psutil, "net_if_addrs", lambda: interfaces)
    monkeypatch.setattr(addresses.socket, "socket", without_route)
    assert find_reachable("0.0.0.0") == "192.168.1.5"
    assert find_reachable("::") == "2001:db8::5"


def without_route(*_: object) -> None:
    raise OSError


def test_dismissed_page_plays_no_more() -> None:
    """It played both colors until its connection was closed."""
    page = Page(role="friend")
    page.dismiss("the end")
    with pytest.raises(RequestError, match="this invitation has ended"):
        check_role("play", Table(), page)


async def test_dismissed_page_gets_its_last_message() -> None:
    """It was lost where other messages were waiting."""
    page = Page(role="friend")
    page.send('{"type":"state"}')
    page.dismiss("the end")
    page.send("too late")
    assert not page.is_done
    assert await page.next() == "the end"
    assert page.is_done
