"""Networks: inference compared with a slow implementation, files, and searches."""

import itertools
import json
import math
import random
import re
import subprocess
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import networks
import numpy as np
import pytest
from clients import PROGRAM
from networks import SHAPE, shown, shown_planes

from pinchtp import _core
from pinchtp._core import Proof, Search
from pinchtp.games import GAMES
from pinchtp.player.network import (
    DIGEST_BYTES,
    MAGIC,
    VERSION,
    NetworkError,
    NetworkFile,
    Networks,
    all_packaged,
    find_packaged,
    load,
    parse,
    read,
)
from pinchtp.player.settings import PACKAGED

PINCH = GAMES["pinch"]
SIZES = [(9, 9), (5, 4), (4, 7), (2, 2), (13, 13), (25, 3), (20, 19), (25, 25)]


def some_position(
    width: int, height: int, seed: int, instruction_set: str | None = None
) -> _core.Position:
    """Returns a position in the middle of a random game."""
    rng = random.Random(seed)
    position = _core.new_position("pinch", width, height, pie=True, instruction_set=instruction_set)
    for _ in range(rng.randrange(width * height)):
        following = position.play(rng.choice(position.legal_moves()))
        if following.result is not None:
            break
        position = following
    return position


def run_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, timeout=300, check=False
    )


# -- inference


@pytest.mark.parametrize("image", range(4))
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_inference_equals_slow_prediction(width: int, height: int, image: int) -> None:
    weights = networks.random_weights(SHAPE, 1)
    network = networks.of_weights(SHAPE, weights)
    for seed in range(3):
        position = some_position(width, height, seed)
        value, priors, ownership = position.evaluate(network, image)
        planes = shown_planes(position, image)
        policy, owners, board = networks.slow_prediction(SHAPE, weights, planes)
        assert value == pytest.approx(1 / (1 + np.exp(-board[0])), abs=1e-4)

        places = np.arange(width * height).reshape(height, width)
        turned = shown(places, position.shown_in(image))
        by_point = np.empty(width * height)
        by_point[turned.ravel()] = policy.ravel()
        logits = [
            board[2] if move == _core.SWAP else by_point[move // 32 * width + move % 32]
            for move in position.legal_moves()
        ]
        expected = np.exp(logits - np.max(logits))
        np.testing.assert_allclose(priors, expected / expected.sum(), atol=1e-4)

        by_point[turned.ravel()] = 1 / (1 + np.exp(-owners.ravel()))
        np.testing.assert_allclose(np.ravel(ownership), by_point, atol=1e-4)


def test_network_input_has_named_planes() -> None:
    """The planes come in this order; padding channels up to a multiple of four are empty."""
    names = ("board", "opponent's stones", "own stones", "own joined to top", "swap open")
    shape = SHAPE | {"planes": 8}
    weights = networks.random_weights(shape, 1)
    network = networks.of_weights(shape, weights, names)
    for seed in range(6):
        position = some_position(7, 5, seed)
        numbers = [position.plane_names.index(name) for name in names]
        planes = np.pad(shown_planes(position)[..., numbers], ((0, 0), (0, 0), (0, 3)))
        _, owners, board = networks.slow_prediction(shape, weights, planes)
        value, _, ownership = position.evaluate(network)
        assert value == pytest.approx(1 / (1 + np.exp(-board[0])), abs=1e-4)
        expected = np.sort(1 / (1 + np.exp(-owners.ravel())))
        np.testing.assert_allclose(np.sort(np.ravel(ownership)), expected, atol=1e-4)


@pytest.mark.parametrize("zeros", [0, 0.5, 1])
@pytest.mark.parametrize(
    "shape", [SHAPE, SHAPE | {"channels": 24}, SHAPE | {"channels": 32, "head": 16, "blocks": 3}]
)
def test_instruction_sets_agree_bit_by_bit(shape: dict[str, int], zeros: float) -> None:
    network = networks.of_weights(shape, networks.random_weights(shape, 2, zeros))
    for (width, height), seed in itertools.product(SIZES, range(3)):
        position = some_position(width, height, seed)
        said = []
        for each in _core.inference_instruction_sets():
            said.append(position.evaluate(network, instruction_set=each))
        assert said == [said[0]] * len(said)


def test_extreme_weights_do_not_saturate() -> None:
    """Sums stay exact with all activations and weights at their maximum."""
    size = 16 * 8 * 9
    weights = bytearray(networks.random_weights(SHAPE, 3))
    weights[:size] = bytes([127]) * (size // 2) + bytes([129]) * (size - size // 2)
    network = networks.of_weights(SHAPE, bytes(weights))
    position = some_position(9, 9, 5)
    said = [
        position.evaluate(network, instruction_set=each)[1]
        for each in _core.inference_instruction_sets()
    ]
    assert said == [said[0]] * len(said)
    policy, _, _ = networks.slow_prediction(SHAPE, bytes(weights), shown_planes(position))
    assert np.ptp(policy) > 0


# -- files


def test_file_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "some.network"
    path.write_bytes(bytes(networks.file()))
    assert read(path) == networks.file()
    assert read(path).digest == networks.file().digest
    position = some_position(9, 9, 1)
    loaded = load(read(path), position, str(path))
    assert position.evaluate(loaded)[0] == position.evaluate(networks.network())[0]


def test_file_stores_slope() -> None:
    steep = replace(networks.file(), slope=1.75)
    assert parse(bytes(steep), "x") == steep
    for slope in (0, -1, math.nan, math.inf):
        with pytest.raises(NetworkError, match="the slope is not above 0"):
            parse(bytes(replace(steep, slope=slope)), "x")


def squared_odds(winrate: float | None) -> float | None:
    """Returns the winrate with squared odds, or None if it is unknown."""
    return winrate and winrate**2 / (winrate**2 + (1 - winrate) ** 2)


def test_shown_winrates_are_calibrated() -> None:
    """The search itself uses the network's raw output."""
    position = some_position(7, 7, 2)
    search = Search(position, memory_mb=16, network=networks.network())
    search.run(math.inf, 300, 1, 1)
    report = search.report()
    calibrated = report.calibrated(2)
    for before, after in zip(report.choices, calibrated.choices, strict=True):
        assert after.winrate == pytest.approx(squared_odds(before.winrate))
        assert (after.move, after.visits) == (before.move, before.visits)
    assert calibrated.winrate == pytest.approx(squared_odds(report.winrate))
    search = Search(some_position(2, 2, 0), memory_mb=16)
    search.run(math.inf, 300, 1, 1)
    for before, after in zip(
        search.report().choices, search.report().calibrated(3).choices, strict=True
    ):
        assert before.proof is not Proof.UNKNOWN
        assert after.winrate == before.winrate


def test_engine_applies_slope(tmp_path: Path) -> None:
    shown = []
    for slope in (1, 3):
        path = tmp_path / f"{slope}.network"
        path.write_bytes(bytes(replace(networks.file(), slope=slope)))
        info = run_program(*settings_for(path), "-e", "kata-genmove_analyze b").stdout
        rates = [float(rate) for rate in re.findall(r"winrate (\S+)", info)]
        shown.append((re.findall(r"visits \S+", info), rates))
    (visits, rates), (same_visits, steeper) = shown
    assert visits == same_visits
    odds = [(rate / (1 - rate)) ** 3 for rate in rates]
    assert steeper == pytest.approx([each / (1 + each) for each in odds], abs=1e-4)


def test_any_damage_is_detected() -> None:
    data = bytes(networks.file())
    rng = random.Random(1)
    for _ in range(200):
        at = rng.randrange(len(data))
        damaged = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        with pytest.raises(NetworkError):
            load(parse(damaged, "x"), some_position(9, 9, 1), "x")
    for size in (0, 5, 40, 100, len(data) - 1):
        with pytest.raises(NetworkError):
            parse(data[:size], "x")


def refused(file: NetworkFile, game: str = "pinch") -> str:
    entry = GAMES[game]
    with pytest.raises(NetworkError) as error:
        load(parse(bytes(file), "x.network"), entry.start(*entry.size), "x.network")
    return str(error.value)


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ({"planes": [1]}, "not all names"),
        ({"shape": {"channels": math.inf}}, "not all integers"),
        ({"shape": {"channels": 2**80}}, "not all integers"),
        ({"shape": {"channels": 8.5}}, "not all integers"),
        ({"shape": [8]}, "'shape' is missing"),
        ({"game": 3}, "'game' is missing"),
        ({"slope": True}, "slope"),
        ({"slope": 10**400}, "slope"),
        ({"origin": None}, "'origin' is missing"),
        ({"planes": None}, "'planes' is missing"),
    ],
)
def test_network_of_another_description_is_rejected(header: dict[str, Any], text: str) -> None:
    _, _, body = bytes(networks.file()).split(b"\n", 2)
    fields, _, weights = body.partition(b"\n")
    body = json.dumps(json.loads(fields) | header).encode() + b"\n" + weights
    digest = blake2b(body, digest_size=DIGEST_BYTES).hexdigest()
    with pytest.raises(NetworkError, match="invalid network description: .*" + text):
        parse(f"{MAGIC} {VERSION}\n{digest}\n".encode() + body, "x")


def test_unsuitable_networks_are_rejected(tmp_path: Path) -> None:
    file = networks.file()
    assert refused(file, "bushka") == "x.network is a network for pinch, not for bushka"
    planes = ("something new", *file.planes[1:])
    other = NetworkFile("pinch", planes, file.shape, file.weights)
    assert "needs input planes that this version" in refused(other)
    short = NetworkFile("pinch", file.planes, file.shape, file.weights[:-4])
    assert (
        refused(short)
        == "x.network does not contain a valid network: the network has too few weights"
    )
    long = NetworkFile("pinch", file.planes, file.shape, file.weights + b"\0")
    assert (
        refused(long)
        == "x.network does not contain a valid network: the network has too many weights"
    )
    odd = NetworkFile("pinch", file.planes, dict(file.shape) | {"channels": 9}, file.weights)
    assert refused(odd) == "x.network does not contain a valid network: unsupported tensor shapes"
    for weight in (np.nan, np.inf, -1e38):
        unsound = file.weights[:-4] + np.float32(weight).tobytes()
        said = refused(NetworkFile("pinch", file.planes, file.shape, unsound))
        assert "a weight of the network is NaN or beyond 1e9" in said
    with pytest.raises(NetworkError, match=r"x\.network is not a pinchtp network"):
        parse(b"GIF89a", "x.network")
    newer = bytes(file).replace(b"pinchtp network 1", b"pinchtp network 2", 1)
    with pytest.raises(NetworkError, match="written by a newer pinchtp: its format is 2"):
        parse(newer, "x.network")
    with pytest.raises(NetworkError, match="cannot be read: No such file"):
        read(tmp_path / "none.network")


# -- searches


def found(
    instruction_set: str, network: _core.Network, visits: int
) -> list[tuple[int, int, float]]:
    """Returns the moves of a search, their visits and winrates."""
    search = _core.Search(some_position(7, 6, 4, instruction_set), memory_mb=16, network=network)
    search.run(60, visits, 1, 5)
    return [(choice.move, choice.visits, choice.winrate) for choice in search.report().choices]


def test_instruction_sets_search_same_tree() -> None:
    network = networks.network(SHAPE | {"channels": 16}, 7)
    reports = [found(each, network, 700) for each in _core.instruction_sets()]
    assert reports == [reports[0]] * len(reports)
    assert sum(visits for _, visits, _ in reports[0]) == 699  # and the root's own


@pytest.mark.parametrize("game", sorted(name for name in GAMES if find_packaged(name)))
def test_cache_of_evaluations_keeps_results(game: str) -> None:
    """Evaluations kept from earlier visits and moves, or lost again in a little memory."""
    found = []
    for share in (0, 0.01, 0.25):
        position = GAMES[game].start(7, 7)
        network = Networks(PACKAGED).of(position)
        search = Search(position, memory_mb=16, network=network, cache=share)
        for ply in range(3):
            search.run(math.inf, search.report().visits + 1000, 1, ply)
            report = search.report()
            found.append([(each.move, each.visits, each.winrate) for each in report.choices])
            search.advance(report.choices[0].move)
    assert found[:3] == found[3:6] == found[6:]


@pytest.mark.parametrize("game", sorted(name for name in GAMES if find_packaged(name)))
def test_report_of_one_visit_is_network_evaluation(game: str) -> None:
    """Also within a turn; no move is preferred."""
    rng = random.Random(game)
    position = GAMES[game].start(7, 7)
    network = Networks(PACKAGED).of(position)
    mid_turns = 0
    for _ in range(40):
        position = position.play(rng.choice(position.legal_moves()))
        if position.result is not None:
            break
        search = Search(position, memory_mb=16, network=network)
        assert search.report().winrate is None
        search.run(math.inf, 1, 1, 1)
        report = search.report()
        if report.choices[0].proof is not Proof.UNKNOWN or position.swap_open:
            continue
        values = [position.evaluate(network, image)[0] for image in range(position.symmetries)]
        assert min(abs(report.winrate - each) for each in values) < 1 / 256
        assert all(each.winrate is None for each in report.choices if each.proof is Proof.UNKNOWN)
        mid_turns += position.mid_turn
    assert (mid_turns > 0) == GAMES[game].notation.multi_part


def test_search_follows_priors() -> None:
    network = networks.network()
    position = some_position(7, 7, 3)
    search = _core.Search(position, memory_mb=16, network=network)
    search.run(60, 2, 1, 0)
    choices = search.report().choices
    images = [position.evaluate(network, image)[1] for image in range(position.symmetries)]
    by_move = {choice.move: choice.prior for choice in choices}
    priors = [by_move[move] for move in position.legal_moves()]
    assert any(np.allclose(priors, image, atol=1e-4) for image in images)
    assert choices[0].prior == max(priors)


def test_swapper_plays_better_side() -> None:
    better = []
    for seed in range(12):
        network = networks.network(SHAPE, seed)
        search = _core.Search(PINCH.start(6, 6, pie=True), memory_mb=16, network=network)
        search.run(60, 2, 1, seed)
        stone = search.report().choices[0]
        alone = PINCH.start(6, 6, pie=False).play(stone.move)
        values = [alone.evaluate(network, each)[0] for each in range(alone.symmetries)]
        bound = [1 - max(value, 1 - value) for value in values]
        assert any(abs(stone.winrate - each) < 1 / 200 for each in bound)
        better.append(values[0] < 0.5)
    assert len(set(better)) == 2  # the swap is better in some positions only


def test_all_swappable_first_stones_are_tried() -> None:
    """The network's favourites among them are rarely even."""
    for pie in (True, False):
        position = PINCH.start(7, 7, pie=pie)
        search = _core.Search(position, memory_mb=16, network=networks.network())
        search.run(60, 70, 1, 1)
        tried = [divmod(each.move, 32) for each in search.report().choices if each.visits]
        quarter = {(min(x, 6 - x), min(y, 6 - y)) for y, x in tried}
        assert (len(quarter) == len(tried) == 16) is pie


def test_moves_are_ranked_by_winrate_bound() -> None:
    network = networks.network(SHAPE, 6)  # with priors not as uneven as most
    search = Search(some_position(7, 7, 2), memory_mb=16, network=network)
    search.run(math.inf, 300, 1, 1)
    choices = [each for each in search.report().choices if each.proof is Proof.UNKNOWN]
    least = 0.15 * max(each.visits for each in choices)
    often = [each for each in choices if each.visits >= least]
    assert 1 < len(often) < len(choices)
    assert choices[: len(often)] == often
    bounds = [each.winrate - 0.5 / math.sqrt(each.visits) for each in often]
    assert bounds == sorted(bounds, reverse=True)
    others = choices[len(often) :]
    visits = [each.visits for each in others]
    assert visits == sorted(visits, reverse=True)
    priors = [each.prior for each in others if not each.visits]
    assert priors == sorted(priors, reverse=True)


@pytest.mark.parametrize("threads", [1, 2])
def test_random_network_search_proves_immediate_wins(threads: int) -> None:
    position = PINCH.start(3, 3, pie=False)
    for move in (1 * 32 + 1, 0, 1):  # B2, A1, B1: B3 joins
        position = position.play(move)
    position = position.play(2)
    search = _core.Search(position, memory_mb=16, network=networks.network())
    search.run(60, 1000, threads, 0)
    best = search.report().choices[0]
    assert (best.move, best.proof, best.distance) == (2 * 32 + 1, _core.Proof.WIN, 1)


def test_small_boards_are_solved_with_random_network() -> None:
    """Black wins 3x3 by B2 and loses by A1; a random network only takes longer."""
    for move, proof in ((1 * 32 + 1, _core.Proof.LOSS), (0, _core.Proof.WIN)):
        position = PINCH.start(3, 3, pie=False).play(move)
        search = _core.Search(position, memory_mb=64, network=networks.network())
        search.run(60, 200_000, 1, 0)
        assert search.report().choices[0].proof == proof


def settings_for(path: Path, game: str = "pinch") -> list[str]:
    return ["--game", game, "--network", str(path), "--visits", "50", "--seed", "1"]


def test_program_uses_given_network(tmp_path: Path) -> None:
    path = tmp_path / "some.network"
    path.write_bytes(bytes(networks.file()))
    commands = ["-e", "genmove b", "-e", "pinchtp-priors"]
    with_it = run_program(*settings_for(path), *commands)
    without = run_program("--visits", "50", "--seed", "1", *commands)
    assert with_it.returncode == without.returncode == 0
    assert with_it.stdout != without.stdout
    assert run_program(*settings_for(path), *commands).stdout == with_it.stdout


@pytest.mark.parametrize("game", ["capture-go", "bushka"])
def test_network_of_another_game_is_refused(game: str, tmp_path: Path) -> None:
    """Refused at the start and after a change of game; the message names both games."""
    path = tmp_path / "some.network"
    path.write_bytes(bytes(networks.file()))
    why = f"{path} is a network for pinch, not for {game}"
    done = run_program(*settings_for(path, game), "-e", "name")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"pinchtp: {why}\n")
    changed = run_program(
        *settings_for(path), "-e", "play b c3", "-e", f"pinchtp-game {game}", "-e", "pinchtp-game"
    )
    played, refused, now, _ = changed.stdout.split("\n\n")
    assert (played, refused) == ("= ", f"? cannot change the game: {why}")
    assert now.startswith("= pinch ")


@pytest.mark.parametrize(("size", "small"), [(5, True), (8, True), (9, False)])
def test_packaged_network_is_default(size: int, small: bool) -> None:
    commands = [f"--size={size}", "--visits=50", "--seed=1", "-e=genmove b", "-e=pinchtp-priors"]
    usual = run_program(*commands).stdout
    for path in {find_packaged("pinch"), find_packaged("pinch", (5, 5))}:
        is_used = path == find_packaged("pinch", (5, 5) if small else None)
        assert (run_program("--network", str(path), *commands).stdout == usual) == is_used
    assert run_program("--network", "none", *commands).stdout != usual


@pytest.mark.parametrize("path", all_packaged(), ids=lambda path: path.stem)
def test_packaged_network_fits_game_and_names_origin(path: Path) -> None:
    file = read(path)
    game = GAMES[file.game]
    assert path.stat().st_size < 1_000_000
    assert path in (find_packaged(game.name), find_packaged(game.name, (5, 5)))
    assert file.origin
    load(file, game.start(*game.size), str(path))


def test_text_is_not_a_network_path() -> None:
    with pytest.raises(ValueError, match=r"'my\.network': give 'default', 'none' or the Path"):
        Networks("my.network")


@pytest.mark.parametrize("path", ["/missing/network", "./none"])
def test_missing_network_file_ends_program(path: str) -> None:
    done = run_program("--network", path, "-e", "name")
    name = path.removeprefix("./")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"pinchtp: network {name} cannot be read: No such file or directory\n"
