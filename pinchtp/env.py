"""The games as an environment of PettingZoo (the extra `env`): turns of two agents, AEC.

`env()` is what learners take: it checks the order of calls, and an illegal action loses the game,
as PettingZoo does it: -1 for its agent, 0 for the other, both terminated and truncated.
Guide: pinchtp/api/README.md, "PettingZoo".
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pinchtp.api.arguments import wrong
from pinchtp.api.game import Game
from pinchtp.api.sessions import DEFAULT
from pinchtp.games import Color
from pinchtp.games.game import BANNED, KINGS, own_cells
from pinchtp.render.text import side_owners

AGENTS = ["player_0", "player_1"]
PLANES = 7
ILLEGAL = -1.0  # the reward of an illegal action

Observation = dict[str, npt.NDArray[np.int8]]


def env(
    game: str = DEFAULT,
    size: int | tuple[int, int] | None = None,
    *,
    render_mode: str | None = None,
    **rules: int,
) -> AECEnv:
    """Returns the environment of a game, with checks; arguments as of pinchtp.Game.

    render_mode: `ansi` returns the board as text, `human` prints it.
    """
    raw = raw_env(game, size, render_mode=render_mode, **rules)
    checked = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(ActionCheck(checked))


class ActionCheck(wrappers.BaseWrapper):  # type: ignore[misc]
    """Rejects invalid actions before any other wrapper."""

    def step(self, action: int | None) -> None:
        check_action(self, action)
        super().step(action)


def check_action(environment: AECEnv, action: object) -> None:
    """Raises ValueError for an invalid action of the next agent, which may be done."""
    agent = environment.agent_selection
    if environment.terminations[agent] or environment.truncations[agent]:
        return  # PettingZoo refuses all but None
    space = environment.action_space(agent)
    if isinstance(action, bool) or not space.contains(action):
        advice = "None is for an agent whose game has ended"
        raise wrong("action", action, f"an integer from 0 to {space.n - 1}; {advice}")


class raw_env(AECEnv):  # type: ignore[misc]
    """The environment itself. Rewards are 1 for a win, -1 for a loss, 0 for a draw."""

    def __init__(
        self,
        game: str = DEFAULT,
        size: int | tuple[int, int] | None = None,
        *,
        render_mode: str | None = None,
        **rules: int,
    ) -> None:
        super().__init__()
        self._new = Game(game, size, moves=(), **rules)
        name = f"{game.replace('-', '_')}_v0"
        modes = ["ansi", "human"]
        if render_mode not in (None, *modes):
            raise ValueError(f"unknown render mode {render_mode!r}: expected {', '.join(modes)}")
        self.metadata = {"name": name, "render_modes": modes, "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []

        # A dictionary each, since an agent's space has to be the same object always.
        width, height = self._new.size
        count = self._new.num_actions
        board, mask = Box(0, 1, (height, width, PLANES), np.int8), Box(0, 1, (count,), np.int8)
        self.observation_spaces = {
            agent: Dict(observation=board, action_mask=mask) for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(count) for agent in AGENTS}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.game = self._new.copy()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = self._mover()

    def observe(self, agent: str) -> Observation:
        """Returns the board as `agent` sees it, and its legal actions: none out of turn."""
        mask = self.game.action_mask()
        return {
            "observation": _planes(self.game, self._color(agent)),
            "action_mask": mask if agent == self.agent_selection else np.zeros_like(mask),
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        check_action(self, action)
        self.game.play_action(int(action))  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        if self.game.is_over:
            winner = self.game.winner
            for each in AGENTS:
                won = winner == self._color(each)
                self.rewards[each] = 0.0 if winner is None else 1.0 if won else -1.0
                self.terminations[each] = True
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            if self.game.session.is_full:
                self.truncations = dict.fromkeys(AGENTS, True)
            self.agent_selection = self._mover()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Returns the board as text, or prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
        if self.render_mode == "human":
            print(self.game)
        return str(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass

    def _mover(self) -> str:
        return AGENTS[self.game.to_move != self._color(AGENTS[0])]

    def _color(self, agent: str) -> Color:
        """Returns an agent's color, which a swap does not change: it changes the stone's."""
        first = self.game.session.game.first
        return first if agent == AGENTS[0] else first.opponent


def _planes(game: Game, color: Color) -> npt.NDArray[np.int8]:
    """Returns the observation of a color, int8 [height, width, PLANES]."""
    board = game.board
    own, enemy = (np.isin(board, list(own_cells(each))) for each in (color, color.opponent))
    kings = np.isin(board, list(KINGS))
    owners = side_owners(game.session)
    flags = [game.swap_open, owners is not None and owners[0] == color]
    planes = [own, enemy, own & kings, enemy & kings, board == BANNED]
    return np.stack([*planes, *(np.full(board.shape, flag) for flag in flags)], -1).astype(np.int8)
