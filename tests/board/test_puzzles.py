"""The puzzles of the package: by the reference rules, by the solver, and for a page."""

from pathlib import Path

import pytest
from board.visits import Board, Visit, engine
from boards import core_stones
from msgspec import structs
from puzzles import Prover, choose_puzzles
from reference import GAMES as RULEBOOK
from rulebooks import Follower

from pinchtp._core import Proof, Solver
from pinchtp.board.pages import Page
from pinchtp.board.puzzles import Puzzle, load_puzzles
from pinchtp.board.roles import check_role
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.games import Color, Position
from pinchtp.player.player import Player
from pinchtp.player.settings import Settings

ALL = list(load_puzzles().values())
PROVEN = [each for each in ALL if "nodes" in each.proof]
QUICK = sorted(PROVEN, key=lambda each: len(each.line))[:3]
SECONDS = 300  # to prove that a move does not win


def name(puzzle: Puzzle) -> str:
    return f"{puzzle.game} {puzzle.id}"


def follower(puzzle: Puzzle) -> Follower:
    """Returns the reference rules at the position of a puzzle."""
    position = puzzle.session().position
    stones = core_stones(position)
    fields = {
        color: frozenset(at for at, each in stones.items() if each == color)
        for color in ("black", "white")
    }
    mover = Color(position.to_move).title.lower()
    size = position.width, position.height
    return Follower(RULEBOOK[puzzle.game](*size, pie=False, to_move=mover, **fields))


def wins(solver: Solver, position: Position, move: int) -> bool:
    """Returns whether a move, or a step of one, wins for the side to move."""
    after = position.play(move)
    if after.result is not None:
        return after.result == position.to_move
    value = solver.solve(after, SECONDS).value
    assert value != Proof.UNKNOWN
    return value == (Proof.WIN if after.to_move == position.to_move else Proof.LOSS)


@pytest.mark.parametrize("color", ["black", "white"])
def test_puzzle_is_for_the_host_of_a_friends_game(visit: Visit, color: str) -> None:
    """The friend played in it, and the host could not if the friend had its color."""
    visit.ask("invite", "invitation", color=color, id=1)
    visit.ask("open-puzzle", "opened-puzzle", puzzle=ALL[0].id)
    state = visit.until(lambda state: state["puzzle"] == ALL[0].id)
    assert (state["seat"], state["away"]) == ("", [])
    [move] = state["legal"]["points"][:1]
    assert visit.ask("play", "state", at=move)["number"] == 1
    assert "go back to your game" in visit.refused("invite", color=color)
    visit.send("leave-puzzle")
    assert visit.until(lambda state: not state["puzzle"])["seat"] != color


def test_friend_watches_a_puzzle() -> None:
    table = Table()
    table.seat_friend(Color.BLACK)
    table.pose(ALL[0].id, ALL[0].session(), "", "")
    for request in ("play", "resign", "undo"):
        with pytest.raises(RequestError, match="only the host"):
            check_role(request, table, Page(role="friend"))


@pytest.mark.parametrize("puzzle", ALL, ids=name)
def test_puzzle_line_wins_by_the_reference(puzzle: Puzzle) -> None:
    book = follower(puzzle)
    mover = book.book.to_move
    for move in puzzle.line:
        assert book.book.winner is None
        book.play_text(move)
    assert book.book.winner == mover


@pytest.mark.parametrize(
    "puzzle",
    [pytest.param(each, marks=() if each in QUICK else pytest.mark.nightly) for each in PROVEN],
    ids=name,
)
def test_only_the_first_move_of_the_line_wins(puzzle: Puzzle) -> None:
    """And each of its steps alone."""
    session = puzzle.session()
    position = session.position
    solver = Solver(session.position, memory_mb=256)
    for step in session.parse(puzzle.line[0]):
        moves = position.legal_moves()
        assert [move for move in moves if wins(solver, position, move)] == [step]
        position = position.play(step)


def test_chosen_puzzles_differ_in_game_and_grade() -> None:
    easy = [structs.replace(ALL[0], level=1, seed=seed) for seed in (1, 1, 2, 3)]
    hard = structs.replace(ALL[0], level=20, seed=4)
    for count, levels in ((3, [1, 1, 20]), (5, [1, 1, 1, 20])):
        chosen = choose_puzzles([*easy, hard], count)
        assert [each.level for each in chosen] == levels
        assert len({each.seed for each in chosen}) == len(chosen)


def test_packaged_puzzles_are_of_different_games_and_in_order() -> None:
    for board in {(each.game, each.session().position.width) for each in ALL}:
        of_board = [each for each in ALL if (each.game, each.session().position.width) == board]
        assert len({each.seed for each in of_board}) == len(of_board)
        levels = [each.level for each in of_board]
        assert levels == sorted(levels)


def test_finder_rejects_several_winning_moves() -> None:
    """On 5x5 Black has two stones in a column, and wins at either end."""
    column = Puzzle("pinch", "...../..X../..X../...../..... b", (), 1, "", 0, 0).session()
    puzzle = QUICK[0].session()
    player = Player(Settings())
    for session, first in ((column, []), (puzzle, [QUICK[0].line[0]])):
        prover = Prover(player, player.solver(session.position), most_nodes=100_000)
        assert prover.only_win(session)[:1] == first


def test_puzzle_is_not_stored_as_a_game(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    first, second = visit.ask("ask-puzzles", "puzzles")["puzzles"][:2]
    opened = visit.ask("open-puzzle", "opened-puzzle", puzzle=first["id"])
    visit.ask("play-turn", "state", text=opened["line"][0]["text"])
    visit.send("mark-solved", puzzle=first["id"])
    visit.ask("open-puzzle", "opened-puzzle", puzzle=second["id"])
    assert visit.ask("ask-games", "games")["games"] == []
    solved = [
        each["id"] for each in visit.ask("ask-puzzles", "puzzles")["puzzles"] if each["solved"]
    ]
    assert solved == [first["id"]]


def test_leaving_a_puzzle_returns_to_the_reviewed_game(visit: Visit) -> None:
    visit.new_game("pinch", 3, options={"pie": False})
    for text in ("A1", "B2", "A3"):
        visit.ask("play-turn", "state", text=text)
    visit.send("ask-review", visits=50)
    done = visit.wait("review", where=lambda each: not each["running"])
    first, second = visit.ask("ask-puzzles", "puzzles")["puzzles"][:2]
    del visit.seen["review"]
    visit.ask("open-puzzle", "opened-puzzle", puzzle=first["id"])
    visit.ask("open-puzzle", "opened-puzzle", puzzle=second["id"])
    (game,) = visit.ask("ask-games", "games")["games"]
    assert [each["move"] for each in game["lessons"]] == [each["move"] for each in done["own"]]
    visit.send("leave-puzzle")
    assert visit.wait("review") == done
    assert (visit.state["puzzle"], visit.moves()) == ("", ["A1", "B2", "A3"])
    assert "game-stored" not in visit.seen
    assert visit.refused("leave-puzzle") == "no puzzle is on the board"


def test_leaving_a_first_puzzle_begins_the_first_game(visit: Visit) -> None:
    puzzle = visit.ask("ask-puzzles", "puzzles")["puzzles"][0]
    visit.ask("open-puzzle", "opened-puzzle", puzzle=puzzle["id"])
    state = visit.ask("leave-puzzle", "state")
    assert state["players"]["white"]["level"]["adaptive"]
    assert not state["puzzle"]


@pytest.mark.parametrize("is_set_up", [True, False])
def test_leaving_a_puzzle_returns_to_a_game_without_moves(visit: Visit, is_set_up: bool) -> None:
    players = {"white": {"engine": 0}}
    began = visit.new_game("capture-go", 13, players=players)
    if is_set_up:
        began = visit.ask("set-up", "state", cells=[1] + 168 * [0], to_move="white")
    for puzzle in visit.ask("ask-puzzles", "puzzles")["puzzles"][:2]:
        visit.ask("open-puzzle", "opened-puzzle", puzzle=puzzle["id"])
    state = visit.ask("leave-puzzle", "state")
    assert state | {"serial": began["serial"]} == began


@pytest.mark.parametrize("way", ["set-up", "load"])
def test_puzzle_keeps_the_opponent_and_the_clocks(tmp_path: Path, way: str) -> None:
    """For a new game, a set-up position and a record; the puzzle itself has neither."""
    with Board(tmp_path) as server:
        with server.visit() as visit:
            players = {"white": engine(visits=30)}
            began = visit.new_game("pinch", 5, players=players, time={"main": 300, "increment": 3})
            for puzzle in ALL[:2]:
                visit.ask("open-puzzle", "opened-puzzle", puzzle=puzzle.id)
            cookie = visit.cookie
        server.stop()
        server.start()
        with server.visit(cookie) as visit:
            assert visit.state["puzzle"] == ALL[1].id
            assert visit.state["players"]["white"]["engine"] is None
            assert visit.state["clocks"] is None
            proposed = visit.state["proposed"], visit.state["time"]
            assert proposed == (began["players"], began["time"])
            if way == "set-up":
                state = visit.ask(way, "state", cells=[1] + 24 * [0], size=(5, 5), to_move="white")
                assert state["time"] == began["time"]
                assert state["clocks"] == began["clocks"]
            else:
                state = visit.ask(way, "state", text="(;SZ[5]RU[pinch];B[cc])")
            assert state["players"] == began["players"]


def test_unknown_puzzle_is_refused(visit: Visit) -> None:
    assert visit.refused("open-puzzle", puzzle="x") == "unknown puzzle 'x'"
