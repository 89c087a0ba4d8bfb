"""Measures the speed of this build on this machine, and the fingerprint of its behavior."""

from pinchtp.bench.command import main

__all__ = ["main"]
