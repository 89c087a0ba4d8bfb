"""The engines with a defect each, and the checks that find it."""

from __future__ import annotations

from collections.abc import Callable

from engines.honest import Honest

DEFECTS: dict[str, type[Honest]] = {}
FAILS: dict[str, set[str]] = {}


def fails(*ids: str) -> Callable[[type[Honest]], type[Honest]]:
    """The checks that the engine fails; it passes all others, or they are skipped."""

    def register(engine: type[Honest]) -> type[Honest]:
        DEFECTS[engine.__name__] = engine
        FAILS[engine.__name__] = set(ids)
        return engine

    return register
