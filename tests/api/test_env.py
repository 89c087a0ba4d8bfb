"""The environment for PettingZoo, by PettingZoo's own tests."""

import gc
import importlib.util
import re
import warnings
import weakref
from typing import Any

import numpy as np
import pytest

from pinchtp.games import GAMES

if importlib.util.find_spec("pettingzoo") is None:
    pytest.skip("PettingZoo is not installed", allow_module_level=True)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, render_test, seed_test

from pinchtp import env

pytestmark = pytest.mark.filterwarnings("ignore")  # PettingZoo's tests warn of matters of taste


def environment(game: str = "pinch", **options: Any) -> Any:
    return env.env(game, None if game == "bushka" else 5, **options)


@pytest.mark.parametrize("game", GAMES)
def test_environment_passes_api_test(game: str) -> None:
    api_test(environment(game), num_cycles=150)


def test_environment_passes_seed_and_render_tests() -> None:
    seed_test(environment, num_cycles=20)
    render_test(environment)


def test_steps_of_a_move_belong_to_one_agent() -> None:
    each = environment("pinch-relocate")
    each.reset()
    for agent in each.agents:
        each.action_space(agent).seed(4)
    repeated = 0
    last = ""
    for agent in each.agent_iter():
        observation, _, terminated, _, _ = each.last()
        if terminated:
            each.step(None)
            continue
        mid_turn = each.unwrapped.game.mid_turn
        repeated += mid_turn and agent == last
        assert not mid_turn or agent == last
        each.step(each.action_space(agent).sample(observation["action_mask"]))
        last = agent
    assert repeated > 0


def test_winner_gets_one_and_loser_minus_one() -> None:
    each = env.raw_env("pinch", 3, pie=False)
    each.reset()
    for action in (0, 2, 3, 5, 6):  # A1 C1 A2 C2 A3
        assert each.rewards == {"player_0": 0, "player_1": 0}
        each.step(action)
    assert each.rewards == {"player_0": 1, "player_1": -1}
    assert all(each.terminations.values())


def test_illegal_action_loses() -> None:
    each = environment()
    each.reset()
    each.step(0)
    each.step(0)
    assert each.rewards == {"player_0": 0, "player_1": env.ILLEGAL}
    assert all(each.terminations.values())
    assert all(each.truncations.values())


@pytest.mark.parametrize("make", [env.env, env.raw_env])
def test_invalid_action_raises_value_error(make: Any) -> None:
    each = make("pinch", 5)
    each.reset()
    each.step(0)
    before = each.unwrapped.game.copy()
    for action in (None, 3.9, 3.0, "3", -1, 27, True, [3]):
        message = f"action: {action!r}: give an integer from 0 to 26; None is for an agent"
        with pytest.raises(ValueError, match=re.escape(message)):
            each.step(action)
        assert each.unwrapped.game == before
        assert each.agent_selection == "player_1"
    each.step(np.array(3))


def test_observation_is_from_the_agents_side() -> None:
    each = env.raw_env("pinch", (4, 3))
    each.reset()
    each.step(5)  # B2
    mine, theirs = each.observe("player_0"), each.observe("player_1")
    assert mine["observation"].shape == (3, 4, env.PLANES)
    assert np.argwhere(mine["observation"][:, :, 0]).tolist() == [[1, 1]]
    assert np.argwhere(theirs["observation"][:, :, 1]).tolist() == [[1, 1]]
    assert theirs["observation"][:, :, 5].all()
    assert mine["action_mask"].sum() == 0
    assert theirs["action_mask"][13] == 1  # the swap
    assert each.unwrapped.observation_space("player_0").contains(mine)


def test_finished_game_has_empty_masks() -> None:
    each = env.raw_env("pinch", 2, pie=False)
    each.reset()
    for point in (0, 1, 2):
        each.step(point)
    assert all(each.terminations.values())
    assert not any(each.observe(agent)["action_mask"].any() for agent in env.AGENTS)


def test_unknown_render_mode_is_named() -> None:
    with pytest.raises(ValueError, match="unknown render mode 'svg': expected ansi, human"):
        env.raw_env(render_mode="svg")


def test_environment_is_freed() -> None:
    made = env.raw_env(size=3)
    assert made.action_space(made.possible_agents[0]) is made.action_space(made.possible_agents[0])
    known = weakref.ref(made)
    del made
    gc.collect()
    assert known() is None
