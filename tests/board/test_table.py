"""The table and its game tree, without a server."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pinchtp.board import table as tables
from pinchtp.board import tree as trees
from pinchtp.board.importing import read, sgf_of
from pinchtp.board.protocol.players import PlayerChoice, Players, TimeSetting
from pinchtp.board.rating import Ratings
from pinchtp.board.storage import files
from pinchtp.board.storage.files import MOST_CHANGES, TableFile, VisitorStore
from pinchtp.board.storage.saved_table import load_table, reopen, save_table
from pinchtp.board.table import Table
from pinchtp.board.tree import Node, RequestError, Tree
from pinchtp.board.view import Activity, describe_state, summarize_game
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session


def test_tree_same_move_twice_has_one_node() -> None:
    table = Table()
    table.play_text("c3")
    first = table.node
    table.show(table.tree.root)
    table.play_text("c3")
    assert table.node is first
    table.show(table.tree.root)
    table.play_text("d4")
    assert [node.text for node in table.tree] == ["", "C3", "D4"]
    table.tree.delete(first)
    with pytest.raises(RequestError):
        table.tree.node(first.id)


def test_undelete_of_a_move_played_again_is_refused() -> None:
    table = Table()
    table.play_text("c3")
    table.tree.delete(table.node)
    table.show(table.tree.root)
    table.play_text("c3")
    with pytest.raises(RequestError, match="C3: it was played again"):
        table.tree.undelete()
    assert len(table.tree.root.children) == 1


def test_undelete_of_too_many_comments_is_refused() -> None:
    table = Table()
    table.play_text("c3")
    table.tree.comment(table.node, "x" * trees.MOST_COMMENTS)
    table.tree.delete(table.node)
    table.tree.comment(table.tree.root, "x")
    with pytest.raises(RequestError, match="comments"):
        table.tree.undelete()


def test_tree_revision_counts_visible_changes() -> None:
    table = Table()
    tree = table.tree
    table.play_text("c3")
    node = table.node
    revision = tree.revision
    table.show(tree.root)
    table.play_text("c3")
    assert tree.revision == revision
    tree.set_winrate(node, 0.5, visits=10)
    tree.set_winrate(node, 0.9, visits=5)  # less evidence
    tree.set_winrate(node, 0.5, visits=20)
    assert tree.revision == revision + 1
    tree.set_loss(node, 0.1)
    tree.comment(node, "a fine move")
    tree.promote(node)
    tree.delete(node)
    assert tree.revision == revision + 5


class Time:
    """A clock that tests set."""

    now = 0.0


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr(tables, "monotonic", lambda: made.now)
    return made


ENGINE = PlayerChoice(engine=0)


def timed(main: float = 10, players: Players | None = None, **setting: Any) -> Table:
    """Returns a game with clocks, after Black's first move."""
    table = Table()
    table.begin(Session(table.game, 5, 5, pie=False), players, TimeSetting(main, **setting))
    table.play_text("c3")
    return table


def left(table: Table) -> tuple[float, float]:
    return table.clock(Color.BLACK).left, table.clock(Color.WHITE).left


def test_undo_refunds_the_time(time: Time) -> None:
    table = timed()
    time.now = 3
    table.play_text("d4")
    assert left(table) == (10, 7)
    time.now = 4
    table.undo()
    assert left(table) == (10, 10)
    time.now = 6
    assert left(table) == (10, 8)
    assert table.runs


def test_clock_stops_at_the_root(time: Time) -> None:
    table = timed()
    table.undo()
    time.now = 100
    assert not table.check_time()
    assert left(table) == (10, 10)
    table.play_text("c3")
    assert left(table) == (10, 10)


def test_clock_stops_after_undo_between_engines(time: Time) -> None:
    table = timed(players=Players(ENGINE, ENGINE))
    table.play_text("d4")
    table.undo()
    assert not table.live
    time.now = 100
    assert not table.check_time()


def test_undo_after_a_loss_on_time_gives_the_time_back(time: Time) -> None:
    table = timed()
    time.now = 3
    table.play_text("d4")
    time.now = 14
    assert table.check_time()
    table.undo()
    assert not table.is_over
    assert left(table) == (10, 10)
    time.now = 15
    assert not table.check_time()


def test_game_goes_on_where_a_flag_fell_before(time: Time) -> None:
    table = timed()
    table.play_text("d4")
    time.now = 11
    assert table.check_time()
    table.undo()
    table.play_text("d4")
    assert not table.is_over
    assert left(table) == (10, 10)


def test_continued_game_is_the_main_line() -> None:
    table = timed()
    table.play_text("d4")
    table.undo()
    table.play_text("e5")
    table.pause()
    table.show(table.tree.root)
    table.play_text("a1")  # only tried
    line = table.tree.end_of_line(table.tree.root).line()
    assert [node.text for node in line] == ["", "C3", "E5"]


def test_game_resumed_in_a_variation_is_the_main_line() -> None:
    table = timed()
    first = table.node
    table.play_text("d4")
    table.show(first)
    table.play_text("a1")
    table.resume()
    table.play_text("b1")
    line = table.tree.end_of_line(table.tree.root).line()
    assert [node.text for node in line] == ["", "C3", "A1", "B1"]


def test_clock_waits_for_the_teacher(time: Time) -> None:
    table = timed(players=Players(PlayerChoice(), ENGINE))
    table.teach = True
    table.judge_last()
    time.now = 100
    table.start_clock()
    assert not table.check_time()
    table.forget_lesson()
    table.start_clock()
    assert left(table) == (10, 10)
    assert table.runs


def test_resigning_after_the_other_flag_fell_wins(time: Time) -> None:
    table = timed()
    time.now = 11
    with pytest.raises(RequestError, match="over"):
        table.resign(Color.BLACK)
    assert table.winner == Color.BLACK


def test_clock_stops_at_the_end(time: Time) -> None:
    table = timed()
    table.resign(Color.WHITE)
    time.now = 100
    assert not table.check_time()
    assert table.until_flag is None
    assert table.winner == Color.BLACK


def test_resignation_on_the_others_turn_is_charged_to_the_mover(time: Time) -> None:
    """It was charged to the resigning player, with an increment."""
    table = timed(increment=5)
    time.now = 3
    table.resign(Color.BLACK)
    assert left(table) == (15, 7)


@pytest.mark.parametrize("color", [None, Color.BLACK, Color.WHITE])
@pytest.mark.parametrize("white", [ENGINE, PlayerChoice()])
def test_undo_of_a_resignation_on_the_others_turn_keeps_the_moves(
    time: Time, color: Color | None, white: PlayerChoice
) -> None:
    table = timed(players=Players(white=white))
    table.resign(Color.BLACK)
    table.undo(color)
    assert table.node.text == "C3"
    assert table.live
    assert table.runs


def test_pause_keeps_the_time_used(time: Time) -> None:
    table = timed()
    time.now = 4
    table.show(table.tree.root)
    time.now = 50
    table.show(table.tree.node(1))
    assert left(table) == (10, 6)
    table.resume()
    time.now = 51
    assert left(table) == (10, 5)
    assert not table.unrated


def test_saved_players_are_found_by_their_names() -> None:
    """The board may have been started with other engines since."""
    table = Table(["ours", "lion", "zebra"])
    table.players = Players(PlayerChoice(engine=1), PlayerChoice(engine=2))
    data = save_table(table, Ratings())
    for engines, expected in (
        (["ours", "lion", "zebra"], (PlayerChoice(engine=1), PlayerChoice(engine=2))),
        (["zebra", "ours"], (PlayerChoice(name="lion"), PlayerChoice(engine=0))),
        (["ours", "ape", "zebra"], (PlayerChoice(name="lion"), PlayerChoice(engine=2))),
    ):
        restored, _ = load_table(data, engines)
        assert (restored.players.black, restored.players.white) == expected


def test_clocks_of_all_nodes_are_saved(time: Time) -> None:
    table = timed(period=5, periods=2)
    time.now = 3
    table.play_text("d4")
    time.now = 4
    restored, *_ = load_table(save_table(table, Ratings()))
    assert left(restored) == (9, 7)
    restored.undo()
    assert left(restored) == (10, 10)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (lambda table: table.undo(), "taken back"),
        (lambda table: (table.show(table.tree.root), table.resume()), "another position"),
        (lambda table: table.unrate("an engine gave help"), "help"),
        (lambda table: (table.pause(), table.resume()), ""),
    ],
)
def test_unrated_game_has_a_reason(action: Any, reason: str) -> None:
    table = timed()
    action(table)
    assert reason in table.unrated
    assert bool(table.unrated) == bool(reason)


def test_rematch_from_a_set_up_position_is_unrated() -> None:
    table = timed()
    table.set_up(table.game, (5, 5), bytes([1, *[0] * 24]), Color.BLACK)
    table.rematch()
    assert table.unrated == "it started from a set-up position"


def test_help_after_the_end_leaves_the_game_rated() -> None:
    table = timed()
    table.resign(Color.WHITE)
    table.unrate("an engine gave help")
    assert not table.unrated


def test_game_has_ended_while_a_variation_is_displayed() -> None:
    table = Table()
    table.play_text("c3")
    table.resign(Color.WHITE)
    end = table.node
    table.show(table.tree.root)
    table.play_text("a1")
    assert (table.has_ended, table.reached) == (True, end)
    assert not table.is_over


def test_place_of_a_paused_game_is_saved() -> None:
    table = Table()
    table.play_text("c3")
    table.show(table.tree.root)
    restored, *_ = load_table(save_table(table, Ratings()))
    assert not restored.is_in_play
    restored.show(restored.tree.node(1))
    assert restored.is_in_play


def in_the_middle_of_a_won_game() -> Table:
    """Returns a game against an engine that has ended, with an earlier position displayed."""
    table = Table()
    table.begin(Session(table.game, 5, 5, pie=False), Players(white=ENGINE))
    for text in ("c3", "d4", "b2"):
        table.play_text(text)
    table.resign(Color.WHITE)
    table.rating_change = "Your rating is 859 (+74)."
    table.show(table.tree.node(1))
    return table


def stored_and_opened(table: Table) -> None:
    reopen(table, save_table(table, Ratings()))


@pytest.mark.parametrize("act", [stored_and_opened, Table.pause])
def test_ended_game_stays_ended_in_its_middle(act: Callable[[Table], None]) -> None:
    table = in_the_middle_of_a_won_game()
    act(table)
    assert table.has_ended
    with pytest.raises(RequestError, match="the game is over"):
        table.resign(Color.BLACK)
    summary = summarize_game(table, ("", "pinchtp"))
    assert (summary.moves, summary.winner) == (3, "black")


def test_undo_of_an_ended_game_that_is_looked_at_only_steps_back() -> None:
    table = in_the_middle_of_a_won_game()
    table.show(table.reached)
    table.undo()
    assert table.has_ended
    assert not table.unrated


@pytest.mark.parametrize("is_puzzle", [False, True])
def test_friends_game_goes_on_in_a_variation(time: Time, is_puzzle: bool) -> None:
    table = timed()
    table.play_text("d4")
    table.show(table.tree.node(1))
    table.friend = Color.WHITE
    table.puzzle = "of-today" if is_puzzle else ""
    table.play_text("a1")
    assert (table.live, table.reached is table.node, table.runs) == (not is_puzzle,) * 3


def test_moves_tried_with_a_friend_leave_an_ended_game_ended() -> None:
    table = in_the_middle_of_a_won_game()
    table.friend = Color.WHITE
    table.play_text("a1")
    assert (table.has_ended, table.live) == (True, False)


@pytest.mark.parametrize("game", ["pinch", "pinch-relocate"])
def test_options_of_a_loaded_record_are_no_choice_of_the_visitor(game: str) -> None:
    table = Table()
    loaded = read("(;SZ[5]RU[pinch];B[cc])", table)
    table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    table.rematch()
    assert table.is_loaded
    table.set_up(GAMES[game], (5, 5), [0] * 25, Color.BLACK)
    assert table.is_loaded == (game == "pinch")


def test_rating_is_told_at_the_end_that_counted_alone() -> None:
    table = in_the_middle_of_a_won_game()
    assert not told_rating(table)
    table.show(table.reached)
    assert told_rating(table)
    table.show(table.tree.node(1))
    table.resume()
    table.resign(Color.BLACK)
    assert not told_rating(table)


def told_rating(table: Table) -> str:
    return describe_state(table, Ratings().message("pinch"), Activity()).rating_change


RECORD = (
    "(;FF[4]CA[UTF-8]SZ[5]RU[pinch, no swap]GN[Final]DT[2020-02-03]PB[Ada]PW[Bo]"
    "C[Round 1]TM[60]OT[5 fischer];B[cc]C[bold];W[dd])"
)


def test_load_and_save_keep_names_date_and_comments() -> None:
    table = Table()
    loaded = read(RECORD, table)
    table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    restored, *_ = load_table(save_table(table, Ratings()))
    for each in (table, restored):
        assert each.tree.root.comment == "Round 1"
        text = sgf_of(each, ("", ""))
        for kept in ("GN[Final]", "DT[2020-02-03]", "PB[Ada]", "PW[Bo]", "C[Round 1]", "C[bold]"):
            assert kept in text
        assert "TM[60]" in text
        assert "OT[5 fischer]" in text


def reopened(text: str) -> Table:
    """Returns a table that has loaded a text, was saved, and restored."""
    table = Table()
    loaded = read(text, table)
    table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    return load_table(save_table(table, Ratings()))[0]


def test_illegal_variations_are_written_back_where_they_were() -> None:
    text = (
        "(;SZ[5]RU[pinch](;B[cc](;W[aa])(;W[bb];B[bb]C[no](;W[cd])(;W[dc])))(;B[xx])(;B[ee]C[x]))"
    )
    loaded = read(text, Table())
    assert loaded.refused == ["move 1: xx is not on the 5x5 board", "move 3: B4 is occupied"]
    assert len(loaded.tree) == 5
    written = sgf_of(reopened(text), ("", "")).replace("\n", "")
    assert written.endswith(
        "(;B[cc](;W[aa])(;W[bb](;)(;B[bb]C[no](;W[cd])(;W[dc]))))(;B[ee]C[x])(;B[xx]))"
    )
    assert sgf_of(reopened(written), ("", "")).replace("\n", "") == written


def test_moves_that_the_tree_cannot_have_are_written_back() -> None:
    resigned = "(;SZ[5]RU[pinch];B[cc];W[aa];N[black resigns];W[];B[])"
    assert ";N[black resigns](;)(;W[];B[]))" in sgf_of(reopened(resigned), ("", ""))
    incomplete = "(;SZ[5]RU[pinch-relocate];B[cc]MV[C3];W[bb];B[ba])"
    assert read(incomplete, Table()).refused == []


def test_variation_after_the_end_of_the_main_line_does_not_become_its_end() -> None:
    text = "(;SZ[5]RU[pinch]RE[W+T];B[cc](;)(;W[bb]))"
    assert read(text, Table()).refused == ["the game ends before it"]
    written = sgf_of(reopened(text), ("", "")).replace("\n", "")
    assert "RE[W+T]" in written
    assert written.endswith(";B[cc](;)(;W[bb]))")


def test_comments_of_joined_variations_are_written_back() -> None:
    text = "(;SZ[5]RU[pinch](;B[cc]C[one];W[aa])(;B[cc]C[two]LB[aa:1];W[bb]))"
    assert ";B[cc]C[one\ntwo]LB[aa:1](;W[aa])(;W[bb]))" in sgf_of(reopened(text), ("", ""))


def test_variations_beyond_the_bound_are_written_back(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "(;SZ[5]RU[pinch];B[cc](;W[aa])(;W[bb];B[ba])(;W[dd])(;W[ee]))"
    monkeypatch.setattr(trees, "MOST_NODES", 4)
    loaded = read(text, Table())
    assert len(loaded.tree) == 4
    reason = "a game has at most 4 moves, variations included"
    assert loaded.refused == [reason] * 3
    table = Table()
    table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    written = sgf_of(table, ("", "")).replace("\n", "")
    assert written.endswith(";B[cc](;W[aa])(;W[bb](;)(;B[ba]))(;W[dd])(;W[ee]))")


@pytest.mark.slow
def test_every_one_of_49000_variations_is_read() -> None:
    """The last ones were left out for want of time."""
    points = [f"{x}{y}" for x in "abcdefghijklm" for y in "abcdefghijklm"]
    several = "".join(f"(;W[{points[at % 169]}])" for at in range(49_000))
    loaded = read(f"(;SZ[13]RU[pinch, no swap];B[gg]{several})", Table())
    assert len(loaded.tree) == 2 + 168
    assert set(loaded.refused) == {"move 2: G7 is occupied"}
    assert len(loaded.refused) == 290


def test_position_without_moves_is_read() -> None:
    loaded = read(".../.X./... w", Table())
    assert (len(loaded.tree), loaded.tree.start.width) == (1, 3)


def test_unnamed_game_raises_doubt() -> None:
    assert (
        read("(;SZ[5];B[cc])", Table()).doubt == "neither RU nor GN names its game; read as Pinch"
    )
    assert read("(;SZ[5]RU[pinch];B[cc])", Table()).doubt == ""


def test_known_move_is_found_among_many_after_a_removal() -> None:
    table = Table()
    tree = table.tree
    children = []
    for x in range(9):
        entries = read(f"{'abcdefghj'[x]}5", table).node.entries
        children.append(tree.add(tree.root, entries, "x"))
    gone = children[4]
    tree.delete(gone)
    again = tree.add(tree.root, gone.entries, "x")
    assert again is not gone
    assert tree.add(tree.root, gone.entries, "x") is again
    tree.delete(again)
    tree.undelete()
    assert [tree.add(tree.root, each.entries, "x") for each in tree.root.children] == (
        tree.root.children
    )


def test_loss_on_time_is_saved_and_loaded(time: Time) -> None:
    table = timed()
    time.now = 11
    assert table.check_time()
    loaded = read(sgf_of(table, ("", "")), Table())
    assert loaded.node.flag_fell == Color.WHITE


def test_damaged_byte_raises_value_error() -> None:
    table = Table()
    table.play_text("e5")
    kept = save_table(table, Ratings())
    for at in range(len(kept)):
        for byte in (0xFF, *b'"9-{'):
            with suppress(ValueError):
                load_table(kept[:at] + bytes([byte]) + kept[at + 1 :])


def test_lines_of_changes_restore_the_table(tmp_path: Path) -> None:
    table = Table()
    ratings = Ratings()
    file = TableFile(VisitorStore(tmp_path), "visitor")
    path = tmp_path / "visitor.jsonl"

    def restored() -> Table:
        file.save(table, ratings)
        return load_table(path.read_bytes())[0]

    for text in ("e5", "d4", "c3", "f6"):
        table.play_text(text)
        restored()
    (late,) = table.node.line()[2:3]
    table.show(late)
    table.play_text("g7")  # a variation
    table.tree.comment(late, "Why?")
    table.tree.set_winrate(late, 0.25, 10)
    again = restored()
    assert path.read_bytes().count(b"\n") == 5
    assert sgf_of(again, ("", "")) == sgf_of(table, ("", ""))
    assert again.node.text == "G7"
    table.tree.delete(late)
    table.show(table.tree.root)
    assert len(restored().tree) == 2
    assert path.read_bytes().count(b"\n") == 1


def test_truncated_change_leaves_the_table_before_it(tmp_path: Path) -> None:
    table = Table()
    file = TableFile(VisitorStore(tmp_path), "visitor")
    path = tmp_path / "visitor.jsonl"
    table.play_text("e5")
    file.save(table, Ratings())
    known = path.read_bytes()
    table.play_text("d4")
    file.save(table, Ratings())
    for end in range(len(known), len(path.read_bytes())):
        assert load_table(path.read_bytes()[:end])[0].node.text == "E5"


def test_file_with_changes_stays_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could have twice the bytes that are read."""
    monkeypatch.setattr(files, "MOST_FILE_BYTES", 10_000)
    table = Table()
    store = VisitorStore(tmp_path)
    file = TableFile(store, "visitor")
    for number in range(50):
        table.tree.comment(table.tree.root, f"{number:1000}")
        file.save(table, Ratings())
        load_table(store.load("visitor"))


def test_changes_are_bounded(tmp_path: Path) -> None:
    table = Table()
    file = TableFile(VisitorStore(tmp_path), "visitor")
    path = tmp_path / "visitor.jsonl"
    sizes = []
    for number in range(200):
        table.tree.comment(table.tree.root, f"{number}" * 200)
        file.save(table, Ratings())
        sizes.append(path.stat().st_size)
    assert max(sizes) < 2 * min(sizes) + MOST_CHANGES + 2000
    assert sizes != sorted(sizes)
    path.unlink()  # too many visitors
    table.play_text("e5")
    file.save(table, Ratings())
    assert load_table(path.read_bytes())[0].node.text == "E5"


def test_variations_are_restored_without_playing_their_line_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table()
    for text in ("c3", "d4", "e5"):
        table.play_text(text)
    line = table.node.line()
    for node in line[1:]:
        table.show(node)
        table.play_text("a1")
        table.play_text("b2")
    walks: list[Node] = []
    session = Tree.session

    def walk(tree: Tree, node: Node) -> Session:
        walks.append(node)
        return session(tree, node)

    monkeypatch.setattr(Tree, "session", walk)
    loaded, _ = load_table(save_table(table, Ratings()) + b"\n")
    assert [(each.text, each.parent and each.parent.text) for each in loaded.tree] == [
        (each.text, each.parent and each.parent.text) for each in table.tree
    ]
    assert len(walks) < 6  # once for each displayed node, not for each variation
