"""Games between GTP engines, which are programs of their own, watched at every step.

`model` has the words, `engine` and what it stands on the subprocess, `controller`, `judge` and
`game` one game; `plan` says what a match is, `schedule` which games it has, `runner` plays them by
a `crew` and keeps them in a `store`, `summary` adds them up, `page` shows them. `play` does it all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pinchtp.match.api import MatchResult, play

__all__ = ["MatchResult", "main", "play"]


def main(arguments: list[str]) -> int:
    """Runs `pinchtp match` with its arguments; returns the exit status."""
    from pinchtp.match.command import main as run  # noqa: PLC0415  (seldom used, so loaded late)

    return run(arguments)


def __getattr__(name: str) -> Any:
    """What stands in `api`, loaded when it is asked for: others need the engine only."""
    if name in __all__:
        from pinchtp.match import api  # noqa: PLC0415

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
