"""How fast this build is on this machine, and a fingerprint of what it computes."""

from pinchtp.bench.command import main

__all__ = ["main"]
