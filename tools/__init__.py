"""Maintainer tools; README.md lists them."""

import sys
from pathlib import Path

# `python -m tools.NAME` searches the root of the repository first, where pinchtp has no compiled
# core. Puts the installed package first.
_ROOT = str(Path(__file__).resolve().parents[1])
sys.path[:] = [entry for entry in sys.path if str(Path(entry).resolve()) != _ROOT] + [_ROOT]
