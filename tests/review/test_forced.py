"""Moves that lost by force, in all outputs of a review."""

import json
from pathlib import Path

import pytest
from boards import pinch
from clients import run

from pinchtp.engine.analysis import Solved
from pinchtp.engine.own import own_engines
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings
from pinchtp.records.sgf import to_sgf
from pinchtp.review import output
from pinchtp.review.forced import ForcedLoss, make_solver, solve_positions
from pinchtp.review.page import document
from pinchtp.review.review import GameReview, review

MOVES = "a1 b3 c1 c2 b1 a2"  # on 3x3; all but B3 and C1 give up a win


def reviewed(moves: str, size: int = 3, nodes: int = 20_000) -> GameReview:
    """Returns a review whose search is blind, so that all it finds comes from the solver."""
    session = pinch(size, size, moves, pie=False)
    return review(
        session, own_engines(Settings(memory=64), 1), Limits(visits=1), solver_nodes=nodes
    )


@pytest.fixture(scope="module")
def proven() -> GameReview:
    return reviewed(MOVES)


def test_every_move_that_gave_up_a_win_is_named(proven: GameReview) -> None:
    """As the search of 400 visits proves, see test_review.py."""
    lost = [move.text for move in proven.moves if move.forced]
    assert lost == ["A1", "C2", "B1", "A2"]
    assert all(move.forced.before.value == "win" for move in proven.moves if move.forced)


def test_forced_lines_win_for_the_opponent(proven: GameReview) -> None:
    for move in proven.moves:
        if move.forced is None:
            continue
        for line, winner in (
            (move.forced.before.line, move.color),
            ((move.text, *move.forced.after.line), move.color.opponent),
        ):
            replay = Session.at(GAMES["pinch"], move.turn.before)
            for text in line:
                replay.play(replay.to_move, *replay.parse(text))
            assert replay.winner == winner


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("white", "black", "gave up a forced win: Black wins with A1 B2"),
        ("", "black", "lost by force: Black wins with A1 B2"),
        ("draw", "black", "gave up a forced draw: Black wins with A1 B2"),
        ("black", "black", None),
        ("white", "white", None),
        ("white", "", None),
        ("white", "draw", None),
    ],
)
def test_move_lost_where_the_opponent_wins_only_after_it(
    before: str, after: str, sentence: str | None
) -> None:
    found = ForcedLoss.of(Color.WHITE, solved(before), solved(after))
    assert (found and found.sentence(2)) == sentence


def solved(winner: str) -> Solved:
    if winner in ("", "draw"):
        return Solved(winner or "unknown", None, (), 1)
    return Solved("win", Color[winner.upper()], ("A1", "B2", "C3"), 1)


def test_move_that_ended_the_game_lost_at_once() -> None:
    session = Session(GAMES["capture-go"], 3, 3)
    session.play(Color.BLACK, *session.parse("pass"))
    engines = own_engines(Settings(game="capture-go", memory=64), 1)
    (move,) = review(session, engines, Limits(visits=1), solver_nodes=1000).moves
    assert move.forced is not None
    assert move.forced.sentence(5) == "gave up a forced win: White wins"


def test_solver_respects_its_nodes_per_game() -> None:
    session = pinch(9, 9, "e5 d4 c3 f6 g7 a1", pie=False)
    positions = [Session.at(session.game, session.start, session.history[:end]) for end in range(7)]
    values = solve_positions(positions, 1000, make_solver(positions[0]))
    assert {each.value for each in values} == {"unknown"}
    assert [each.nodes for each in values][::-1] == sorted(
        (each.nodes for each in values), reverse=True
    )
    assert 500 < sum(each.nodes for each in values) <= 1000


def test_review_without_nodes_proves_nothing() -> None:
    assert not any(move.forced for move in reviewed(MOVES, nodes=0).moves)


def test_text_lists_what_lost_by_force(proven: GameReview) -> None:
    text = output.text(proven)
    listed = text[text.index("Forced losses\n") :].split("\n")
    assert listed[1].startswith("   1 black A1 gave up a forced win: White wins with ")
    assert all(len(line) <= 80 for line in listed)
    assert "by force" not in output.text(reviewed("b2"))


def test_json_has_the_proof_of_a_loss(proven: GameReview) -> None:
    first, second, *_ = json.loads(output.as_json(proven))["moves"]
    assert first["forced_loss"].keys() == {"before", "best", "line"}
    assert (first["forced_loss"]["before"], second["forced_loss"]) == ("win", None)
    assert first["forced_loss"]["line"]


def test_annotated_sgf_has_the_forced_line(proven: GameReview) -> None:
    assert "gave up a forced win: White wins with " in output.as_sgf(proven)


def test_page_has_the_forced_line(proven: GameReview) -> None:
    assert "gave up a forced win: White wins with " in document(proven, "game.sgf", "1 visit")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_command_proves_the_same_whatever_the_number_of_cores(jobs: str, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(to_sgf(pinch(3, 3, MOVES, pie=False)))
    done = run("review", str(path), "--visits", "1", "--json", "--jobs", jobs)
    assert [bool(move["forced_loss"]) for move in json.loads(done.stdout)["moves"]] == [
        *(True, False, False, True, True, True)
    ]
    off = run("review", str(path), "--visits", "1", "--json", "--solver-nodes", "0")
    assert not any(move["forced_loss"] for move in json.loads(off.stdout)["moves"])
