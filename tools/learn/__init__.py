"""How networks are trained: games of the engine against itself, and training on them.

Start reading at `run`. `play` plays games, `games` are what it leaves on disk, `samples` what
training makes of them, `model` is the network as JAX sees it and `export` as the engine does.
"""

import sys
from pathlib import Path

# `python -m tools.learn` looks for modules in the root of the repository first, where the sources
# of pinchtp lie without their compiled core: the installed package comes first here.
_ROOT = str(Path(__file__).resolve().parents[2])
sys.path[:] = [entry for entry in sys.path if str(Path(entry).resolve()) != _ROOT] + [_ROOT]
