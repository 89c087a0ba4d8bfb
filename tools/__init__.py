"""Maintainer tools; README.md lists them."""

import sys
from pathlib import Path

# `python -m tools.NAME` looks for modules in the root of the repository first, where pinchtp has no
# compiled core: the installed package comes first here.
_ROOT = str(Path(__file__).resolve().parents[1])
sys.path[:] = [entry for entry in sys.path if str(Path(entry).resolve()) != _ROOT] + [_ROOT]
