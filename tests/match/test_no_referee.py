"""Games without rules of ours: the engines end and score them."""

from dataclasses import replace
from pathlib import Path

import pytest
from clients import GNUGO, PATIENCE, needs_gnugo
from duels import SHORT, duel, game_plan, outcome, player

from pinchtp.base.clock import TimeControl
from pinchtp.games import Color
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import DRAW, Termination
from pinchtp.match.results.export import OutputError, OutputFiles


def unjudged(size: int = 5, **options: object) -> MatchPlan:
    given = replace(game_plan(size), game="halves", referee=False, evaluations=False)
    return replace(given, **options)  # type: ignore[arg-type]


def own(score: str, engine: str = "Own") -> EngineConfig:
    return player(engine, repr(score), name=f"says {score}")


def test_engines_score_after_two_passes() -> None:
    record = duel(own("W+3.5"), own("W+R"), given=unjudged())
    assert outcome(record) == (Color.WHITE, Termination.SCORED, None)
    assert record.detail == "black reports W+3.5, white reports W+R"
    assert record.sgf == ""
    assert [move.text for move in record.moves[-2:]] == ["pass", "pass"]
    assert record.moves[1].text == "pass"  # a swap, for all we know
    assert [move.color for move in record.moves[:3]] == [Color.BLACK, Color.WHITE, Color.BLACK]


def test_sgf_needs_a_referee(tmp_path: Path) -> None:
    files = OutputFiles(unjudged(sgf=tmp_path), print)
    with pytest.raises(OutputError, match="sgf: only a referee writes"):
        files.check(list)


@pytest.mark.parametrize("score", ["0", "Draw", "jigo", "0.0"])
def test_draw_is_scored_in_any_spelling(score: str) -> None:
    record = duel(own(score), own("0"), given=unjudged())
    assert outcome(record) == (DRAW, Termination.SCORED, None)


@pytest.mark.parametrize(
    ("scores", "detail"),
    [
        (("B+1", "W+1"), "black reports B+1, white reports W+1"),
        (("B+1", "0"), "black reports B+1, white reports 0"),
        (("B+1", "who knows"), "black reports B+1, white reports who knows"),
        (("", ""), "neither engine has a score"),
    ],
)
def test_without_agreement_the_game_is_void(scores: tuple[str, str], detail: str) -> None:
    record = duel(own(scores[0]), own(scores[1]), given=unjudged())
    assert outcome(record) == (None, Termination.DISAGREED, None)
    assert record.detail == detail
    assert "final_score" in record.transcript


def test_score_of_one_engine_decides_if_the_other_has_none() -> None:
    record = duel(own(""), own("B+1"), given=unjudged())
    assert outcome(record) == (Color.BLACK, Termination.SCORED, None)
    assert record.detail == "white reports B+1"


def test_refused_genmove_ends_a_finished_game() -> None:
    """Some engines refuse at the end of a game; otherwise it is a failure."""
    record = duel(own("B+1", "RefusesAtEnd"), own("B+1"), given=unjudged())
    assert outcome(record) == (Color.BLACK, Termination.SCORED, None)
    record = duel(own("B+1", "RefusesAtEnd"), own("W+1"), given=unjudged())
    assert (record.termination, record.winner) == (Termination.PROTOCOL, Color.WHITE)
    assert record.detail.endswith("(black) rejected genmove: the game is over")


def test_move_refused_without_a_referee_voids_the_game() -> None:
    """`NeverPasses` plays the same point again and again."""
    record = duel(own("B+1", "NeverPasses"), own("B+1"), given=unjudged())
    assert outcome(record) == (None, Termination.DISAGREED, None)
    assert "rejected the move A1: illegal move" in record.detail


def test_games_without_an_end_are_ended() -> None:
    black, white = own("B+1", "NeverPasses"), own("W+1", "NeverPasses")
    record = duel(black, white, given=unjudged(3))
    assert (record.winner, record.termination, len(record.moves)) == (DRAW, Termination.CAP, 36)
    record = duel(black, white, given=unjudged(3, move_cap=5))
    assert (record.winner, record.termination, len(record.moves)) == (DRAW, Termination.CAP, 5)


def test_resignation_ends_a_game_without_a_referee() -> None:
    record = duel(player("Twin"), player("Resigns"), given=unjudged())
    assert outcome(record) == (Color.BLACK, Termination.RESIGNATION, None)


def test_failures_lose_a_game_without_a_referee() -> None:
    hurried = unjudged(move_deadline=SHORT)
    record = duel(player("Twin"), player("Hangs"), "C3", "D4", given=hurried)
    assert outcome(record) == (Color.BLACK, Termination.HUNG, Color.WHITE)


def test_options_are_sent_as_commands() -> None:
    """Options unknown to an engine are not sent to it; it must accept the others."""
    record = duel(own("B+1"), own("W+1"), given=unjudged(options={"komi": "6.5", "dance": "1"}))
    assert record.transcript.count("> komi 6.5") == 2
    assert "dance" not in record.transcript
    record = duel(own("B+1"), own("W+1"), given=unjudged(options={"komi": "much"}))
    assert record.detail.endswith("(black) rejected 'komi much': syntax error")


@pytest.mark.slow
@needs_gnugo
def test_gnugo_plays_without_a_referee() -> None:
    gnugo = EngineConfig("gnugo", f"{GNUGO} --mode gtp --level 1")
    given = unjudged(
        5,
        game="go",
        time=TimeControl.canadian(0, PATIENCE, 1),
        options=(("komi", "5.5"),),
        grace=SHORT,
        evaluations=True,
    )
    record = duel(gnugo, replace(gnugo, name="other"), given=given)
    assert record.winner in tuple(Color)
    assert record.termination in (Termination.SCORED, Termination.RESIGNATION)
    assert record.identities[Color.BLACK].name == "GNU Go"
