"""The commands, by subject; importing this package fills the registry, in this order."""

# isort: off
from pinchtp.gtp.commands import standard
from pinchtp.gtp.commands import clocks
from pinchtp.gtp.commands import pinchtp

__all__ = ["clocks", "pinchtp", "standard"]
