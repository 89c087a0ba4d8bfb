"""The faulty engines and the checks that they fail."""

from collections.abc import Callable

from engines.honest import Honest

FAULTY: dict[str, type[Honest]] = {}
FAILS: dict[str, set[str]] = {}


def fails(*ids: str) -> Callable[[type[Honest]], type[Honest]]:
    """Registers an engine with the checks that it fails; all others pass or are skipped."""

    def register(engine: type[Honest]) -> type[Honest]:
        FAULTY[engine.__name__] = engine
        FAILS[engine.__name__] = set(ids)
        return engine

    return register
