"""Builds wheels for all platforms, checks them and tries them: `python -m tools.wheels`."""
