"""The checks, by subject; importing this package fills the registry."""

from pinchtp.check.checks import (
    analysis,
    commands,
    endings,
    errors,
    framing,
    input,
    play,
    process,
    ruler,
    state,
    time,
)

__all__ = [
    "analysis",
    "commands",
    "endings",
    "errors",
    "framing",
    "input",
    "play",
    "process",
    "ruler",
    "state",
    "time",
]
