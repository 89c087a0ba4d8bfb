"""Measures the speed of this build on this machine, and the signature of its behavior."""
