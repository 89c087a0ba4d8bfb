"""Measures levels of play, first stones and the swap, and the calibration of winrates.

Results are stored next to these tools in JSON, and listed in README.md.
"""
