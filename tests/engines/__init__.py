"""Engines for tests of GTP clients: a correct one, and many with one fault each."""

from engines import framing_faults, game_faults, process_faults, response_faults
from engines.faults import FAILS, FAULTY

__all__ = ["FAILS", "FAULTY", "framing_faults", "game_faults", "process_faults", "response_faults"]
