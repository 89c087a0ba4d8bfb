"""Measures the speed of this build on this machine, and the fingerprint of its behavior."""
