"""Tree search: exact proofs, determinism, limits."""

import math
import random
import threading
import time
from typing import Any

import pytest
from exhaustive import assert_search_proves, exact_results, mover_wins

from pinchtp import _core
from pinchtp._core import Proof, Search, Solver
from pinchtp.games import GAMES
from pinchtp.games.notation import parse_move, point
from pinchtp.player.network import Networks
from pinchtp.player.settings import PACKAGED

FOREVER = float("inf")


def after(width: int, height: int, *moves: str, pie: bool = False) -> _core.Position:
    position = _core.new_position("pinch", width, height, pie=pie)
    for text in moves:
        position = position.play(parse_move(text, position))
    return position


def after_random_moves(width: int, height: int, moves: int, seed: int) -> _core.Position:
    rng = random.Random(seed)
    position = after(width, height)
    for _ in range(moves):
        position = position.play(rng.choice(position.legal_moves()))
    return position


def searched(position: _core.Position, visits: int, *, seed: int = 1, threads: int = 1) -> Search:
    search = Search(position, memory_mb=64)
    search.run(FOREVER, visits, threads, seed)
    return search


def with_network(position: _core.Position) -> Search:
    return Search(position, memory_mb=64, network=Networks(PACKAGED).of(position))


def summary(search: Search) -> list[tuple[int, int, float | None]]:
    return [(each.move, each.visits, each.winrate) for each in search.report().choices]


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("pie", [False, True])
def test_proofs_in_random_positions(width: int, height: int, pie: bool) -> None:
    """Fully searched, every small position has the value of exhaustive search."""
    rng = random.Random(f"{width}{height}{pie}")
    known: dict[_core.Position, bool] = {}
    for _ in range(40):
        position = _core.new_position("pinch", width, height, pie=pie)
        for _ in range(rng.randrange(width * height)):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is not None:
            continue
        best = searched(position, 200_000).report().choices[0]
        assert best.proof == (Proof.WIN if mover_wins(position, known) else Proof.LOSS)


@pytest.mark.parametrize("game", ["pinch-remove", "pinch-relocate"])
@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_proofs_in_games_with_cycles(game: str, size: tuple[int, int]) -> None:
    exact = exact_results(_core.new_position(game, *size, pie=False))
    assert_search_proves(exact, min(100, len(exact) // 4))


def test_proven_4x4_opening() -> None:
    best = searched(after(4, 4, "b2"), 500_000).report().choices[0]
    assert best.proof is Proof.LOSS


def test_win_in_one_needs_no_visit() -> None:
    search = searched(after(3, 3, "b1", "a3", "b2", "c1"), 0)
    best = search.report().choices[0]
    assert (best.move, best.proof, best.distance) == (point(1, 2), Proof.WIN, 1)


def test_distance_includes_the_move_however_it_was_proven() -> None:
    win_in_one = after(3, 3, "a1", "c3", "a2", "c2")
    loss_in_two = after(3, 3, "a1", "c3", "a2")
    for solves in (True, False):
        options = {"memory_mb": 32, "solve_forced_moves": solves}
        for position, proof, distance in ((win_in_one, Proof.WIN, 1), (loss_in_two, Proof.LOSS, 2)):
            search = Search(position, **options)
            search.run(FOREVER, 20_000, 1, 1)
            proven = {each.distance for each in search.report().choices if each.proof is proof}
            assert min(proven) == distance


def test_threat_detection_can_be_disabled() -> None:
    position = after(3, 3, "A1", "B1", "A2", "B2")
    seen, unseen = (
        Search(position, memory_mb=32),
        Search(position, memory_mb=32, solve_forced_moves=False),
    )
    for search in (seen, unseen):
        search.run(FOREVER, 0, 1, 1)
    assert seen.report().choices[0].proof == Proof.WIN
    assert {choice.proof for choice in unseen.report().choices} == {Proof.UNKNOWN}
    assert len(unseen.report().choices) == len(position.legal_moves())
    unseen.run(FOREVER, 2000, 1, 1)
    best = unseen.report().choices[0]
    assert (best.move, best.proof) == (parse_move("A3", position), Proof.WIN)


def test_report_without_visits_has_no_winrate() -> None:
    report = searched(after(9, 9), 0).report()
    assert report.winrate is None
    assert {choice.winrate for choice in report.choices} == {None}


def test_report_of_few_playouts_is_their_mean() -> None:
    """The best of few is the luckiest."""
    for visits, is_best in ((20, False), (5000, True)):
        report = searched(after(9, 9), visits).report()
        visited = [choice for choice in report.choices if choice.visits]
        mean = sum(choice.winrate * choice.visits for choice in visited) / visits
        assert report.winrate == pytest.approx(report.choices[0].winrate if is_best else mean)
        assert all((each.winrate is None) == (each.visits == 0) for each in report.choices)
        assert report.choices[0].winrate > mean


def test_threat_is_met() -> None:
    """Black threatens C5: other moves are known losses immediately."""
    position = after(5, 5, "c1", "a5", "c2", "e5", "c3", "a1", "c4")
    threat = point(2, 4)
    choices = searched(position, 0).report().choices
    lost = [choice.move for choice in choices if choice.proof is Proof.LOSS]
    assert threat not in lost
    for move in position.legal_moves():
        child = position.play(move)
        leaves_it = child.is_legal(threat) and child.play(threat).result == 0
        assert (move in lost) == leaves_it


def test_seed_makes_search_deterministic() -> None:
    position = after(9, 9, "e5")
    one, same, other = (searched(position, 3000, seed=seed) for seed in (7, 7, 8))
    assert summary(one) == summary(same)
    assert summary(one) != summary(other)
    assert one.report().visits == 3000


def test_visits_survive_advance() -> None:
    search = searched(after(7, 7, "d4"), 4000)
    best = search.report().choices[0]
    search.advance(best.move)
    kept = search.report()
    assert kept.visits == best.visits
    search.run(FOREVER, best.visits + 500, 1, 2)
    assert search.report().visits == best.visits + 500


def test_visits_of_proven_losses_do_not_count() -> None:
    """Otherwise a tree that follows the game may have none left for moves that can still win."""
    for seed in range(8):
        position = after_random_moves(6, 6, 3, seed)
        search = with_network(position)
        while position.result is None:
            search.run(FOREVER, 60, 1, seed)
            best = search.report().choices[0]
            assert best.visits > 0 or best.proof is not Proof.UNKNOWN
            search.advance(best.move)
            position = position.play(best.move)


def test_visits_of_disallowed_moves_do_not_count() -> None:
    search = searched(after(7, 7, "d4"), 3000)
    least = search.report().choices[-1]
    for _ in range(2):  # a continued search gets no more
        search.run(FOREVER, 3000, 1, 2, allowed=[least.move])
        assert search.report().choices[0].visits == 3000


@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_disallowed_win_leaves_others_searched(network: bool, threads: int) -> None:
    position = after_random_moves(7, 7, 19, seed=37)
    (win,) = (move for move in position.legal_moves() if position.play(move).result is not None)
    others = [move for move in position.legal_moves() if move != win]
    search = with_network(position) if network else Search(position, memory_mb=64)
    for visits in (100, 200):
        search.run(FOREVER, visits, threads, 1, allowed=others)
        choices = search.report().choices
        assert {choice.move for choice in choices} == set(others)
        assert sum(choice.visits for choice in choices) == visits
        assert sum(choice.visits > 0 for choice in choices) > 3
        search.run(FOREVER, 2**31, threads, 1)  # all moves allowed: the win is still known
        assert search.report().visits == visits
        best = search.report().choices[0]
        assert (best.move, best.proof) == (win, Proof.WIN)


@pytest.mark.parametrize("network", [False, True])
def test_allowed_moves_are_proven_despite_disallowed_win(network: bool) -> None:
    position = after(3, 3, "A1", "C1", "A2", "C2")
    win = parse_move("A3", position)
    known = dict[_core.Position, bool]()
    for move in position.legal_moves():
        if move == win:
            continue
        search = with_network(position) if network else Search(position, memory_mb=64)
        search.run(FOREVER, 2**31, 1, 1, allowed=[move])
        lost = mover_wins(position.play(move), known)
        assert search.report().choices[0].proof == (Proof.LOSS if lost else Proof.WIN)


def test_advance_reports_disallowed_moves() -> None:
    position = after(7, 7, "d4")
    search = searched(position, 3000)
    best = search.report().choices[0].move
    search.run(FOREVER, 3000, 1, 2, allowed=[best])
    search.advance(best)
    assert len(search.report().choices) == len(position.play(best).legal_moves())


def test_advance_to_unvisited_move_restarts() -> None:
    position = after(7, 7, "d4")
    search = searched(position, 10)
    for move in random.Random(1).sample(position.legal_moves(), 10):
        search.advance(move)
        position = position.play(move)
        assert search.report().visits <= 10
    search.run(FOREVER, 2000, 1, 2)
    assert search.report().visits == 2000
    assert all(position.is_legal(choice.move) for choice in search.report().choices)


def test_full_tree_continues() -> None:
    search = Search(after(13, 13), memory_mb=1)
    nodes = []
    for visits in range(1000, 60_001, 1000):
        search.run(FOREVER, visits, 1, 1)
        assert search.report().visits == visits
        nodes.append(search.report().nodes)
    assert max(nodes) <= (1 << 20) // 32
    assert max(nodes) > (1 << 20) // 32 * 0.9


def test_advance_to_pruned_move() -> None:
    """Later moves are unknown before the next search: the report is empty."""
    position = after(9, 9)
    reported = []
    for number in range(20):
        search = Search(position, memory_mb=1, expand_visits=1)
        search.run(FOREVER, 1500, 1, 1)
        move = search.report().choices[4 * number].move
        search.advance(move)
        found = {choice.move for choice in search.report().choices}
        assert len(found) == len(search.report().choices)
        assert found <= set(position.play(move).legal_moves())
        reported.append(len(found))
    assert min(reported) == 0 < max(reported)


@pytest.mark.parametrize("threads", [1, 2])
def test_full_tree_prunes_least_visited_nodes(threads: int) -> None:
    """1 MB then suffices to prove that Black wins 4x4, which takes about 300,000 nodes.

    Two threads need 24,000 to 1,200,000 visits for it (300 searches), since what is pruned varies.
    """
    search = Search(after(4, 4), memory_mb=1)
    search.run(FOREVER, 20_000_000, threads, 1)
    assert search.report().choices[0].proof == Proof.WIN
    assert search.report().nodes <= (1 << 20) // 32


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_share_tree(threads: int) -> None:
    search = searched(after(9, 9), 20_000, threads=threads)
    report = search.report()
    assert report.visits == 20_000
    assert sum(choice.visits for choice in report.choices) == report.visits


@pytest.mark.parametrize("moves", [10, 11])
def test_batch_updates_amaf_like_single_visits(moves: int) -> None:
    """Either side may be to move. Black leads, so a win credited to the wrong side would show."""
    game = ["e3", "a9", "e5", "j9", "e7", "j1", "e4", "b9", "e6", "h9", "a1"]
    position = after(9, 9, *game[:moves])

    def all_moves_as_first(simulations: int) -> dict[int, float]:
        search = Search(position, memory_mb=64, batch=simulations)
        search.run(FOREVER, 20_000, 1, 1)
        return {each.move: each.amaf for each in search.report().choices}

    one_by_one, in_rounds = all_moves_as_first(20_000), all_moves_as_first(16)
    assert abs(sum(one_by_one.values()) / len(one_by_one) - 0.5) > 0.08
    for move, amaf in one_by_one.items():
        assert in_rounds[move] == pytest.approx(amaf, abs=0.06)


def test_search_without_time_gives_move() -> None:
    search = Search(after(9, 9), memory_mb=64)
    search.run(0, 2**31, 1, 1)
    assert len(search.report().choices) == 81


def test_should_stop_error_propagates() -> None:
    def should_stop() -> bool:
        raise LookupError("oops")

    search = Search(after(9, 9), memory_mb=64)
    with pytest.raises(LookupError, match="oops"):
        search.run(30, 2**31, 2, 1, should_stop)
    search.run(FOREVER, 100, 1, 1)
    assert search.report().choices


def test_python_goes_on_while_search_waits() -> None:
    """advance() waits for ownership(), but without the lock of the interpreter."""
    search = searched(after(9, 9), 100)
    asking = threading.Thread(target=search.ownership, args=(1, 100_000))  # a second
    advancing = threading.Thread(target=search.advance, args=(0,))
    asking.start()
    time.sleep(0.1)
    advancing.start()
    ticks = 0
    while advancing.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 3
    asking.join()


def test_line_visits_never_grow_along_the_line() -> None:
    report = searched(after(7, 7), 3000).report()
    best = report.choices[0]
    assert best.line_visits[0] == best.visits
    assert best.line_visits == sorted(best.line_visits, reverse=True)
    assert len(best.line) > 3
    assert all(len(each.line) == len(each.line_visits) for each in report.choices)


@pytest.mark.parametrize("threads", [1, 2])
def test_swapped_stone_has_opponents_value(threads: int) -> None:
    """White takes the centre: its value for Black is that of the other side."""
    # On 5x5 the centre has the highest value, about 0.58, so that two threads agree on it.
    empty = after(5, 5, pie=True)
    centre = parse_move("C3", after(5, 5))
    opening, reply = Search(empty, memory_mb=64), Search(empty.play(centre), memory_mb=64)
    # Enough that visits before the swap was found have little weight.
    opening.run(FOREVER, 600_000, threads, 1, None, [centre])
    reply.run(FOREVER, 600_000, threads, 1)
    taken = reply.report().choices[0]
    assert taken.move == _core.SWAP
    assert taken.winrate > 0.53
    # Runs of two threads differ with a standard deviation of 0.015.
    assert opening.report().choices[0].winrate == pytest.approx(1 - taken.winrate, abs=0.06)


def test_ownership_is_that_after_a_better_swap() -> None:
    """Before the swap and after it, the centre of 3x3 ends up white, unless White may not swap."""
    empty = after(3, 3, pie=True)
    centre = parse_move("B2", empty)
    stone = empty.play(centre)
    replies = [move for move in stone.legal_moves() if move != _core.SWAP]
    for position, allowed, owner in [
        (empty, [centre], -1),
        (stone, [], -1),
        (stone.play(_core.SWAP), [], -1),
        (stone, replies, 1),
    ]:
        search = Search(position, memory_mb=64)
        search.run(FOREVER, 2000, 1, 1, None, allowed)
        assert search.ownership(1, 300)[centre] * owner > 0.2


def test_first_stones_are_at_most_even_after_few_visits() -> None:
    for seed in range(20):
        report = searched(after(3, 3, pie=True), 3, seed=seed).report()
        assert report.winrate is not None
        assert report.winrate <= 0.5


def test_black_opens_with_even_stone() -> None:
    opening = searched(after(7, 7, pie=True), 200_000).report().choices[0]
    assert opening.move != parse_move("D4", after(7, 7))
    assert 0.45 < opening.winrate < 0.55


NO_MOVES = [-1, 2**40, 9999, _core.SWAP + 1, _core.PASS, _core.SWAP, point(0, 0), point(9, 9)]


@pytest.mark.parametrize("number", NO_MOVES)
def test_search_rejects_illegal_moves(number: int) -> None:
    position = _core.new_position("pinch", 9, 9, pie=False).play(point(0, 0))
    search = _core.Search(position, memory_mb=4)
    search.run(60, 500, 1, 1)
    known = [(choice.move, choice.visits) for choice in search.report().choices]
    with pytest.raises(ValueError, match="illegal move"):
        search.advance(number)
    with pytest.raises(ValueError, match="illegal move"):
        search.run(60, 1000, 1, 1, None, [point(4, 4), number])
    assert [(choice.move, choice.visits) for choice in search.report().choices] == known
    search.run(60, 1000, 1, 1)
    assert search.report().visits == 1000


def test_finished_game_is_not_searched() -> None:
    position = _core.set_up("pinch", 2, 2, bytes([0, 0, 1, 0]), 0)
    search = _core.Search(position, memory_mb=4)
    search.advance(point(0, 0))
    with pytest.raises(ValueError, match="illegal move"):
        search.advance(point(1, 1))


@pytest.mark.parametrize(
    ("game", "usual"), [("bushka", 0.7), ("pinch", 0.01), ("capture-go", 0.01)]
)
def test_exploration_default_depends_on_game(game: str, usual: float) -> None:
    def visits(**options: float) -> list[tuple[int, int]]:
        search = _core.Search(GAMES[game].start(*GAMES[game].size), memory_mb=16, **options)
        search.run(60, 2000, 1, 1)
        return [(choice.move, choice.visits) for choice in search.report().choices]

    assert visits() == visits(exploration=usual) != visits(exploration=0.1)


NONSENSE: list[dict[str, Any]] = [
    {"exploration": math.nan},
    {"exploration": -1},
    {"amaf_visits": math.inf},
    {"batch": 0},
    {"batch": 1.5},
    {"batches": 1},
    {"virtual_loss": 2**31},
]


@pytest.mark.parametrize("options", NONSENSE, ids=str)
def test_invalid_search_option_is_rejected(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        _core.Search(_core.new_position("pinch", 9, 9), memory_mb=4, **options)


@pytest.mark.parametrize("option", _core.search_options(), ids=lambda option: option.name)
def test_search_option_has_range(option: _core.SearchOption) -> None:
    def give(value: float | None) -> None:
        _core.Search(_core.new_position("pinch", 9, 9), memory_mb=4, **{option.name: value})

    for value in (option.default, option.min, option.max, None):
        give(value)
    for value in (option.min - 1, 2 * option.max + 1, math.nan):
        with pytest.raises(ValueError, match=option.name):
            give(value)


def test_huge_batch_is_never_filled() -> None:
    """A node bears 32 batches before one begins there, which are more than 32 bits count."""

    def found(batch: int) -> list[tuple[int, int, float | None]]:
        position = after(5, 5)
        network = Networks(PACKAGED).of(position)
        search = Search(position, memory_mb=64, network=network, batch=batch)
        for visits in (100, 300):
            search.run(FOREVER, visits, 1, 1)
        return summary(search)

    assert found(1 << 26) == found(1 << 27)


TOO_MANY = _core.MAX_THREADS + 1


@pytest.mark.parametrize(("seconds", "threads"), [(math.nan, 1), (1, 0), (1, -1), (1, TOO_MANY)])
def test_invalid_limits_are_rejected(seconds: float, threads: int) -> None:
    search = _core.Search(_core.new_position("pinch", 9, 9), memory_mb=4)
    with pytest.raises(ValueError, match=r"threads|seconds"):
        search.run(seconds, 100, threads, 1)
    search.run(1, 100, 1, 1)
    assert search.report().visits == 100


@pytest.mark.parametrize("game", ["pinch", "pinch-remove", "pinch-relocate", "capture-go"])
def test_transpositions_share_proofs(game: str) -> None:
    """Proofs are shared by position; they must agree with the solver, which uses no network."""
    proven = 0
    for seed in range(12):
        rng = random.Random(seed)
        position = GAMES[game].start(4, 3, pie=False)
        for _ in range(rng.randint(0, 4)):
            position = position.play(rng.choice(position.legal_moves()))
            if position.result is not None:
                break
        if position.result is not None or position.mid_turn:
            continue
        search = with_network(position)
        search.run(FOREVER, 20_000, 1, seed)
        best = search.report().choices[0]
        if best.proof is Proof.UNKNOWN:
            continue
        value = Solver(position, memory_mb=64).solve(position).value
        assert best.proof.name == value.name
        proven += 1
    assert proven >= 5


def test_proven_win_is_found_in_every_move() -> None:
    """A position proven elsewhere in the tree is proven again when the game reaches it."""
    for seed in range(6):
        position = after_random_moves(5, 5, 4, seed)
        search = with_network(position)
        mover = position.to_move
        won = False
        while position.result is None:
            search.run(FOREVER, 40_000, 1, seed)
            best = search.report().choices[0]
            won = won or (position.to_move == mover and best.proof is Proof.WIN)
            if won and position.to_move == mover:
                assert best.proof is Proof.WIN
            search.advance(best.move)
            position = position.play(best.move)
        assert won == (position.result == mover)
