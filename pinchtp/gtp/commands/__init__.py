"""The commands, by subject; importing this package fills the registry, in this order."""

# isort: off
from pinchtp.gtp.commands import standard
from pinchtp.gtp.commands import clocks
from pinchtp.gtp.commands import records
from pinchtp.gtp.commands import analysis
from pinchtp.gtp.commands import setup
from pinchtp.gtp.commands import handicap
from pinchtp.gtp.commands import pinchtp
from pinchtp.gtp.commands import gogui
from pinchtp.gtp.commands import insight
from pinchtp.gtp.commands import solver
from pinchtp.gtp.commands import parameters

__all__ = [
    "analysis",
    "clocks",
    "gogui",
    "handicap",
    "insight",
    "parameters",
    "pinchtp",
    "records",
    "setup",
    "solver",
    "standard",
]
