"""Learns Pinch on 5x5 with sb3-contrib's MaskablePPO, in games against random play.

    pip install 'pinchtp[env]' sb3-contrib
    python tools/examples/maskable_ppo.py 20000      # actions of the learner

stable-baselines3 takes environments of one agent: here the opponent is part of the environment.
"""

from __future__ import annotations

import sys

import numpy as np
from random_play import AgainstRandomPlay, print_score
from sb3_contrib import MaskablePPO


def main() -> None:
    model = MaskablePPO("MlpPolicy", AgainstRandomPlay(), n_steps=1024, seed=1)
    model.learn(int(sys.argv[1]))

    def choose(observation: dict[str, np.ndarray]) -> int:
        seen, mask = observation["observation"], observation["action_mask"]
        return int(model.predict(seen, action_masks=mask)[0])

    print_score(choose)


if __name__ == "__main__":
    main()
