"""Runs an engine by name: `python start.py NoSpace`, `python start.py FixedOrder 5`."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from engines import FAULTY
from engines.players import PLAYERS

name, *arguments = sys.argv[1:]
sys.exit({**FAULTY, **PLAYERS}[name](*arguments).run())
