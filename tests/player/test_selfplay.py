"""Complete games of two programs through pipes, compared with the reference after every move."""

from collections.abc import Iterator
from itertools import islice

import pytest
from boards import COLORS
from clients import Program
from rulebooks import COLUMNS, Follower, followed

from pinchtp.games import GAMES, GameType

SIZES = [(5, 5), (6, 6), (7, 7), (6, 4), (5, 7)]
UNTRAINED = ("--network", "none")  # so that both results and swaps occur in ten games
SCORES = {"black": "= B+R", "white": "= W+R", "draw": "= 0"}


WITH_PARTS = [game for game in GAMES.values() if game.notation.multi_part]


def openings(game: GameType) -> Iterator[tuple[int, int, str]]:
    """Yields columns, rows and the forced first move of ten games, or four for a single size.

    Without a forced move, the program chooses.
    """
    for width, height in SIZES if game.smallest < game.largest else [game.size] * 2:
        centre = f"{COLUMNS[width // 2]}{height // 2 + 1}"
        yield from [(width, height, first if game.places_stones else "") for first in (centre, "")]


def agreed(programs: tuple[Program, Program], line: str) -> str:
    """Returns the response, which must be the same for both programs."""
    first, second = (program.ask(line) for program in programs)
    assert first == second
    return first


def played(
    game: GameType, programs: tuple[Program, Program], width: int, height: int, first: str
) -> Follower:
    """Plays a game; returns it in the reference. Black's program comes first.

    Each program receives the other's moves.
    """
    rulebook = followed(game.name, width, height, **game.rules())
    for line in [f"boardsize {width} {height}", "clear_board", "komi 0"]:
        assert agreed(programs, line) == "= "
    if first:
        assert agreed(programs, f"play {game.first} {first}") == "= "
        rulebook.play_text(first)
    while rulebook.book.winner is None:
        assert agreed(programs, "winner") == "= none"
        color = rulebook.book.to_move
        mover, other = programs if color == "black" else reversed(programs)
        answer = mover.ask(f"genmove {color}")
        assert answer.startswith("= ")
        move = answer.removeprefix("= ")
        assert other.ask(f"play {color} {move}") == "= "
        rulebook.play_text(move)
    return rulebook


def play_games(game: GameType, *options: str, most: int = 10) -> tuple[set[str], int]:
    """Plays up to ten games; returns their results and the number of swaps.

    After each game both programs must report the winner and have no legal moves.
    """
    swaps = 0
    results = set()
    with (
        Program("--game", game.name, *UNTRAINED, "--visits", "60", "--seed", "3", *options) as one,
        Program("--game", game.name, *UNTRAINED, "--visits", "30", "--seed", "2", *options) as two,
    ):
        for number, (width, height, first) in enumerate(islice(openings(game), most)):
            programs = (one, two) if number % 4 in (0, 3) else (two, one)
            rulebook = played(game, programs, width, height, first)
            results.add(winner := rulebook.book.winner)
            assert agreed(programs, "winner") == f"= {winner}"
            assert agreed(programs, "final_score") == SCORES[winner]
            for color in COLORS:
                assert agreed(programs, f"genmove {color}") == "= pass"
                assert agreed(programs, f"play {color} pass") == "= "
            swaps += " swap" in agreed(programs, "pinchtp-history")
        for program in (one, two):
            assert program.ask("quit") == "= "
            assert program.ended() == (0, "")
    return results, swaps


def check_games(game: GameType, *options: str) -> None:
    results, swaps = play_games(game, *options)
    assert len(results) > 1
    assert 1 <= swaps < 10 if game.rules().get("pie") else swaps == 0


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_games_through_pipes(game: GameType) -> None:
    check_games(game)


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_PARTS, ids=lambda game: game.name)
def test_some_games_by_steps(game: GameType) -> None:
    play_games(game, "--move-parts", most=3)


@pytest.mark.nightly
@pytest.mark.parametrize("game", WITH_PARTS, ids=lambda game: game.name)
def test_all_games_by_steps(game: GameType) -> None:
    check_games(game, "--move-parts")
