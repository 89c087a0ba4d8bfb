"""Plays our environment in wrappers of SuperSuit, for the table in pinchtp/api/README.md.

    PINCHTP_FIELD=FOLDER python tests/field/supersuit_table.py

writes the table; FOLDER has SuperSuit (programs.py).
"""

import contextlib
import io
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
from pettingzoo.utils import conversions

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from guide import GuidePart, programs_folder  # noqa: E402  (after the path is set)

from pinchtp import env  # noqa: E402

PART = GuidePart("api/README.md", "wrappers", "supersuit_table.py")
GAMES = 20
WIDTH = 80  # of an error, in characters

# Wrappers for one agent after the other, with their arguments.
WRAPPERS: dict[str, tuple[Any, ...]] = {
    "action_lambda_v1": (lambda action, _: action, lambda space: space),
    "agent_indicator_v0": (),
    "clip_reward_v0": (),
    "delay_observations_v0": (2,),
    "dtype_v0": ("float32",),
    "flatten_v0": (),
    "frame_stack_v2": (2,),
    "max_observation_v0": (2,),
    "normalize_obs_v0": (),
    "observation_lambda_v0": (lambda seen, *_: seen, lambda space, *_: space),
    "pad_action_space_v0": (),
    "pad_observations_v0": (),
    "reshape_v0": ((175,),),
    "reward_lambda_v0": (lambda reward: reward,),
    "sticky_actions_v0": (0.25,),
}


def make_environment() -> Any:
    return env.env("pinch", size=5)


def play_in(wrapper: Callable[..., Any], *arguments: Any) -> str:
    """Plays random games that obey the masks; returns how they end."""
    environment = wrapper(make_environment(), *arguments)
    rng = np.random.default_rng(1)
    illegal = 0
    for _ in range(GAMES):
        environment.reset(seed=1)
        for _ in environment.agent_iter():
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                break
            legal = np.flatnonzero(observation["action_mask"])
            environment.step(int(rng.choice(legal)))
        illegal += truncated
    return f"{illegal} of {GAMES} games end by an illegal action" if illegal else "plays"


def convert_by_turns(supersuit: Any) -> str:
    """Makes vectors of environments by the conversion for games in turns."""
    parallel = conversions.turn_based_aec_to_parallel(make_environment())
    vector = supersuit.pettingzoo_env_to_vec_env_v1(parallel)
    supersuit.concat_vec_envs_v1(vector, 2, base_class="gymnasium").reset()
    return "makes vectors"


def attempt(action: Callable[[], str]) -> str:
    """Returns the result of an action, or its error; without what the wrappers print."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            return action()
        except Exception as error:  # any error of a wrapper is its answer
            return shorten(f"{type(error).__name__}: {error}", WIDTH, placeholder="…")


def table(folder: Path) -> str:
    """Returns the table as Markdown."""
    sys.path.append(str(folder / "python" / "supersuit"))
    supersuit = import_module("supersuit")
    rows = {
        name: attempt(partial(play_in, getattr(supersuit, name), *WRAPPERS[name]))
        for name in WRAPPERS
    }
    rows["aec_to_parallel"] = attempt(partial(play_in, conversions.aec_to_parallel))
    rows["turn_based_aec_to_parallel, concat_vec_envs_v1"] = attempt(
        partial(convert_by_turns, supersuit)
    )
    lines = [f"| `{name}` | {result} |" for name, result in rows.items()]
    return "\n".join(["| wrapper | our environment in it |", "|---|---|", *lines, ""])


if __name__ == "__main__":
    PART.write(table(programs_folder()))
