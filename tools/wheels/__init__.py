"""Builds, checks and tries wheels for all platforms: `python -m tools.wheels`."""
