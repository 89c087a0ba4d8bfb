"""Alpha-beta search of Bushka: proofs compared with the reference and the solver, and limits."""

import math
import random
import time
from typing import Any

import bushka_boards as boards
import pytest
from bushka_boards import board, endgames
from core.test_solve import few_pieces
from reference.bushka import DIGITS, LETTERS, SQUARES, read_square

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings

INSTRUCTION_SETS = pytest.mark.parametrize("instruction_set", _core.instruction_sets())
WHITE = boards.COLORS.index("white")
SURE = (_core.Proof.WIN, _core.Proof.LOSS)


def search_of(position: _core.Position, memory_mb: int = 16) -> _core.Search:
    return _core.Search(position, method="alpha-beta", memory_mb=memory_mb)


def searched(position: _core.Position, visits: int, **limits: Any) -> _core.Report:
    search = search_of(position)
    search.run(math.inf, visits, limits.pop("threads", 1), limits.pop("seed", 1), **limits)
    return search.report()


def random_position(turns: int, seed: int) -> _core.Position:
    rng = random.Random(seed)
    position = boards.start()
    for _ in range(turns):
        position = rng.choice(list(boards.all_turns(position).values()))
    return position


def turns_of(position: _core.Position, line: list[int]) -> tuple[int, _core.Position]:
    """Returns the number of turns in a line, and the position after it."""
    count = 0
    for move in line:
        position = position.play(move)
        count += not position.mid_turn
    return count, position


@pytest.mark.parametrize("turns", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_wins_are_found_in_time(turns: int) -> None:
    for position in endgames(turns, 6):
        best = searched(position, 100_000).choices[0]
        assert best.proof is _core.Proof.WIN
        assert best.winrate == 1
        count, end = turns_of(position, best.line)
        assert (count, end.result) == (turns, position.to_move)
        assert best.distance == len(best.line)


@pytest.mark.parametrize(("men", "kings", "needed"), [(3, 1, 12), (8, 1, 6)])
def test_proofs_agree_with_solver(men: int, kings: int, needed: int) -> None:
    """With more than six pieces the search also prunes by static evaluations."""
    rng = random.Random(1)
    solver = _core.Solver(boards.start(), memory_mb=64)
    proven = {_core.Proof.WIN: 0, _core.Proof.LOSS: 0}
    while min(proven.values()) < needed:
        position = boards.set_up(few_pieces(rng, men, rng.randint(0, kings)))
        if position.result is not None:
            continue
        for choice in searched(position, 5000).choices:
            after = position.play(choice.move)
            if choice.proof not in SURE or after.result is not None:
                continue
            value = solver.solve(after, nodes=20_000).value
            if value is _core.Proof.UNKNOWN:
                assert men > 3
                continue
            wins = _core.Proof.WIN if after.to_move == position.to_move else _core.Proof.LOSS
            assert (value == wins) == (choice.proof is _core.Proof.WIN)
            assert value is not _core.Proof.DRAW
            proven[value] += 1


@pytest.mark.parametrize("seed", [326, *range(8)])
def test_best_move_is_never_known_loss(seed: int) -> None:
    """At any visit limit, also just after the best move was refuted."""
    position = boards.set_up(few_pieces(random.Random(seed), 3 + seed % 4, 1 + seed % 3))
    search = search_of(position)
    for visits in range(1, 900, 3):
        search.run(math.inf, visits, 1, 1)
        proofs = [choice.proof for choice in search.report().choices]
        assert proofs[0] is not _core.Proof.LOSS or set(proofs) == {_core.Proof.LOSS}


def test_third_occurrence_draws() -> None:
    game = boards.set_up(board("e1", "f0", kings="e1 f0"))
    there = ["e1", "e2", "f0", "f9", "e2", "e1", "f9", "f0"]
    back = boards.code(read_square("f0"))
    for name in [*there, *there[:7]]:
        assert all(
            choice.proof is not _core.Proof.DRAW for choice in searched(game, 100).choices
        ) or (name == "f9" and not game.mid_turn)
        for choice in searched(game, 2000).choices:
            turns_of(game, choice.line)  # raises if it continues after a draw
        game = game.play(boards.code(read_square(name)))
    found = {choice.move: choice for choice in searched(game, 2000).choices}
    assert [move for move, choice in found.items() if choice.proof is _core.Proof.DRAW] == [back]
    assert found[back].winrate == 0.5
    assert found[back].visits == 0
    drawn = game.play(back)
    assert drawn.result == 2
    for method in ("tree", "alpha-beta"):
        search = _core.Search(drawn, memory_mb=16, method=method)
        assert search.run(math.inf, 100, 1, 1)
        assert search.report().choices == []


# --- kings alone


def random_kings(rng: random.Random, white: int, black: int) -> _core.Position:
    """Returns random kings of both colors without men, White to move."""
    taken = rng.sample([LETTERS[x] + DIGITS[y] for x, y in SQUARES], white + black)
    pieces = " ".join(taken[:white]), " ".join(taken[white:])
    return boards.set_up(board(*pieces, kings=" ".join(pieces)))


def played_out(position: _core.Position, most: int) -> _core.Position:
    """Plays self-play turns; returns the final position, or the one after `most` turns."""
    search = search_of(position)
    turns = 0
    while position.result is None and turns < most:
        search.run(math.inf, search.report().visits + 5000, 1, turns)
        move = search.report().choices[0].move
        search.advance(move)
        after = position.play(move)
        turns += after.to_move != position.to_move
        position = after
    return position


@pytest.mark.parametrize(
    ("kings", "value"),
    [
        ((1, 1), _core.Proof.DRAW),
        ((2, 1), _core.Proof.DRAW),
        pytest.param((2, 2), _core.Proof.DRAW, marks=pytest.mark.slow),  # 12 s
        pytest.param((3, 1), _core.Proof.WIN, marks=pytest.mark.nightly),  # 40 s
    ],
)
def test_king_endings_agree_with_solver(kings: tuple[int, int], value: _core.Proof) -> None:
    white = "e1 h4 g5"[: 3 * kings[0]].strip()
    black = "b6 c5"[: 3 * kings[1]].strip()
    position = boards.set_up(board(white, black, kings=f"{white} {black}"))
    assert _core.Solver(position, memory_mb=512).solve(position).value is value
    best = searched(position, 0).choices[0]
    assert (best.winrate > 0.99) == (value is _core.Proof.WIN)
    assert (best.winrate == 0.5) == (value is _core.Proof.DRAW)


@pytest.mark.parametrize(
    ("white", "black", "kings", "to_move", "visits"),
    [
        ("d5 f0", "c4 d2", "f0", "white", 60_000),
        ("e6", "g5 h8", "h8", "black", 200_000),
    ],
)
def test_long_wins_with_few_pieces(
    white: str, black: str, kings: str, to_move: str, visits: int
) -> None:
    position = boards.set_up(board(white, black, kings=kings, to_move=to_move))
    assert searched(position, visits).choices[0].proof is _core.Proof.WIN


@pytest.mark.parametrize("seed", range(6))
def test_several_kings_beat_one(seed: int) -> None:
    assert played_out(random_kings(random.Random(seed), 3, 1), 40).result == WHITE


@pytest.mark.parametrize("kings", [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_drawn_endings_are_short(kings: tuple[int, int]) -> None:
    for seed in range(3):
        assert played_out(random_kings(random.Random(seed), *kings), 60).result is not None


@INSTRUCTION_SETS
def test_instruction_sets_agree(instruction_set: str) -> None:
    def found(instruction_set: str) -> list[Any]:
        search = search_of(boards.start(instruction_set))
        output = []
        for turn in range(6):
            search.run(math.inf, search.report().visits + 3000, 1, turn)
            report = search.report()
            output.append((report.visits, report.nodes))
            output += [
                (each.move, each.visits, each.winrate, tuple(each.line)) for each in report.choices
            ]
            search.advance(report.choices[0].move)
        return output

    assert found(instruction_set) == found(_core.instruction_sets()[0])


@pytest.mark.parametrize("visits", [1, 100, 255, 256, 257, 12_345])
def test_visit_limit_is_exact(visits: int) -> None:
    report = searched(boards.start(), visits)
    assert report.visits == visits
    assert sum(choice.visits for choice in report.choices) <= visits


def test_report_has_line_for_every_move() -> None:
    for seed in range(5):
        position = random_position(20, seed)
        report = searched(position, 10_000)
        assert sorted(choice.move for choice in report.choices) == position.legal_moves()
        for choice in report.choices:
            assert choice.line[0] == choice.move
            assert 0 <= choice.winrate <= 1
            turns_of(position, choice.line)  # raises if a move is illegal
        # The best move stays in front, even if the last iteration, not yet complete, refutes it.
        rates = [choice.winrate for choice in report.choices[1:]]
        assert rates == sorted(rates, reverse=True)


def test_new_search_has_report() -> None:
    position = random_position(20, 1)
    report = searched(position, 0)
    assert report.visits == 0
    assert sorted(choice.move for choice in report.choices) == position.legal_moves()


def test_later_steps_follow_from_first() -> None:
    for seed in range(5):
        position = random_position(24, seed)
        search = search_of(position)
        search.run(math.inf, 20_000, 1, 1)
        line = search.report().choices[0].line
        at = position
        for move in line:
            best = search.report().choices[0]
            assert best.move == move
            at = at.play(move)
            search.advance(move)
            if not at.mid_turn:
                break
            choices = search.report().choices
            assert sorted(choice.move for choice in choices) == at.legal_moves()


def test_search_from_incomplete_turn() -> None:
    for seed in range(5):
        position = random_position(24, seed)
        position = position.play(position.legal_moves()[-1])
        report = searched(position, 3000)
        assert sorted(choice.move for choice in report.choices) == position.legal_moves()


def test_only_allowed_moves_are_searched() -> None:
    position = boards.start()
    allowed = position.legal_moves()[2:4]
    report = searched(position, 3000, allowed=allowed)
    assert sorted(choice.move for choice in report.choices) == allowed
    search = search_of(position)
    search.run(math.inf, 2000, 1, 1, allowed=allowed)
    search.run(math.inf, 4000, 1, 1)
    assert sorted(choice.move for choice in search.report().choices) == position.legal_moves()
    with pytest.raises(ValueError, match="illegal move"):
        search.run(1, 5000, 1, 1, allowed=[_core.SWAP])
    with pytest.raises(ValueError, match="illegal move"):
        search.advance(_core.SWAP)


def test_results_persist() -> None:
    search = search_of(boards.start())
    search.run(math.inf, 30_000, 1, 1)
    best = search.report().choices[0]
    search.advance(best.move)
    assert search.report().visits == best.visits
    nodes = search.report().nodes
    search.run(math.inf, best.visits + 100, 1, 1)
    assert search.report().nodes >= nodes


def test_visits_of_a_new_position_are_new() -> None:
    """Visits below the turn that led to it do not count, nor do those of a forced turn."""
    position = random_position(20, 1)
    search = search_of(position)
    for _ in range(6):
        search.run(math.inf, 2000, 1, 1)
        assert search.report().visits == 2000
        color = position.to_move
        while position.to_move == color:
            move = search.report().choices[0].move
            search.advance(move)
            position = position.play(move)
        assert search.report().visits == 0


def test_stepwise_search_reaches_same_depth() -> None:
    def depth(step: int) -> int:
        search = search_of(boards.start())
        for visits in range(step, 60_001, step):
            search.run(math.inf, visits, 1, 1)
        return len(search.report().choices[0].line)

    assert depth(1000) >= depth(60_000) - 2


@pytest.mark.parametrize("threads", [1, 3])
def test_stop_is_prompt(threads: int) -> None:
    search = search_of(boards.start())
    asked: list[float] = []

    def should_stop() -> bool:
        asked.append(time.monotonic())
        return len(asked) == 20

    search.run(60, 2**31, threads, 1, should_stop)
    assert time.monotonic() - asked[-1] < 10  # some milliseconds on a quiet machine
    assert search.report().visits > 0


def test_threads_prove_same_result() -> None:
    for position in endgames(3, 3):
        best = searched(position, 300_000, threads=3).choices[0]
        assert best.proof is _core.Proof.WIN


def test_little_memory_is_used_and_suffices() -> None:
    """1 MB is a power of two, of which only half used to be used."""
    search = search_of(random_position(10, 3), memory_mb=1)
    search.run(math.inf, 300_000, 1, 1)
    assert 0.9 * 2**20 / 16 < search.report().nodes <= 2**20 / 16
    assert len(search.report().choices[0].line) > 8


def test_ownership_does_not_change_the_search() -> None:
    search = search_of(boards.start())
    search.run(math.inf, 3000, 1, 1)
    before = [(each.move, each.visits) for each in search.report().choices]
    values = search.ownership(1, 300)
    assert len(values) == _core.STRIDE**2
    assert all(-1 <= value <= 1 for value in values)
    assert any(values)
    assert before == [(each.move, each.visits) for each in search.report().choices]


@pytest.mark.parametrize("method", ["tree", "alpha-beta"])
def test_owner_is_a_color(method: str) -> None:
    """White plays the first side, but 1 stands for Black, as in other games."""
    position = boards.set_up(boards.board("e1 d2 e2 f2", "f9"))
    search = _core.Search(position, memory_mb=16, method=method)
    search.run(math.inf, 300, 1, 1)
    assert sum(search.ownership(1, 300)) < -1


def test_unsupported_games_and_methods() -> None:
    with pytest.raises(ValueError, match="pinch has no alpha-beta search"):
        search_of(_core.new_position("pinch", 5, 5))
    with pytest.raises(ValueError, match="invalid search method; expected tree or alpha-beta"):
        _core.Search(boards.start(), method="magic")


# --- the search of a game


def visits_of(limit: int = 300, **settings: Any) -> list[tuple[int, int]]:
    game = settings.get("game", "bushka")
    session = Session(GAMES[game], *GAMES[game].size)
    report = Player(Settings(seed=0, **settings)).search(session, Limits(visits=limit))
    return [(choice.move, choice.visits) for choice in report.choices]


def direct(limit: int = 300, game: str = "bushka", **options: Any) -> list[tuple[int, int]]:
    session = Session(GAMES[game], *GAMES[game].size)
    search = _core.Search(session.position, memory_mb=512, **options)
    search.run(math.inf, limit, 1, 0)
    return [(choice.move, choice.visits) for choice in search.report().choices]


def test_bushka_default_is_alpha_beta() -> None:
    own = direct(method="alpha-beta")
    assert visits_of(game="bushka") == visits_of(game="bushka", search="alpha-beta") == own
    tree = direct()
    assert visits_of(game="bushka", search="mcts") == tree != own
    assert visits_of(game="bushka", network="none") == tree


def test_uct_has_no_extensions() -> None:
    """A baseline: without all-moves-as-first statistics, threats and networks."""
    plain = direct(game="pinch", exploration=0.7, amaf_visits=0, solve_forced_moves=False)
    assert visits_of(game="pinch", search="uct") == plain
    assert visits_of(game="pinch", search="uct", network="none") == plain
    assert visits_of(game="pinch") != plain


def test_game_has_declared_searches() -> None:
    for game in GAMES.values():
        for search in ("auto", *game.searches):
            assert visits_of(10, game=game.name, search=search)
    with pytest.raises(ValueError, match="Pinch has no search 'alpha-beta': give one of auto"):
        Player(Settings(game="pinch", search="alpha-beta"))
