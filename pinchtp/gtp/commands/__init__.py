"""The commands, by subject; importing this package fills the registry."""

from pinchtp.gtp.commands import clocks, pinchtp, standard

__all__ = ["clocks", "pinchtp", "standard"]
