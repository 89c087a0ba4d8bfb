"""Runs the engine whose name is given: `python start.py NoSpace`."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from engines import DEFECTS

sys.exit(DEFECTS[sys.argv[1]]().run())
