"""pinchtp: an engine for Pinch and its relatives, from Python (pinchtp/api/README.md) and over GTP.

    >>> import pinchtp
    >>> game = pinchtp.Game("pinch", size=5)
    >>> game.play("c3")
    >>> with pinchtp.Engine(seed=1) as engine:
    ...     game.play(engine.play(game, visits=100).move)

The names of `pinchtp.api` are here too, and loaded when the first of them is used.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

__version__ = "0.1.0"


def _explain_missing_core() -> str:
    """Returns why there is no core for this Python."""
    from pathlib import Path  # noqa: PLC0415  (few need it)

    files = [file for folder in __path__ for file in Path(folder).glob("_core.*")]
    built = [file for file in files if file.suffix in (".so", ".pyd")]
    if built:
        return (
            f"the core {built[0]} was built for another Python than this one, "
            f"{sys.implementation.cache_tag}: run `pip install .` with it"
        )
    return (
        "pinchtp has no compiled core here: run `pip install .` in the clone, and start Python in "
        "another directory"
    )


def _is_main_interpreter() -> bool:
    """Returns whether this is the main interpreter, by private modules of Python."""
    if sys.version_info >= (3, 12):
        return bool(import_module("_thread")._is_main_interpreter())
    try:
        interpreters = import_module("_xxsubinterpreters")
    except ImportError:
        return True
    return bool(interpreters.get_current() == interpreters.get_main())


if find_spec("pinchtp._core") is None:
    raise ImportError(_explain_missing_core())
if not _is_main_interpreter():
    raise ImportError(
        "pinchtp works in the main interpreter only, not in a subinterpreter: use a process "
        "(under mod_wsgi: WSGIApplicationGroup %{GLOBAL})"
    )

# ruff: noqa: F405
__all__ = [  # as in pinchtp.api
    "Analysis",
    "AnalysisStream",
    "Batch",
    "Candidate",
    "CannotUndo",
    "Color",
    "Engine",
    "EngineClosed",
    "EngineDied",
    "EngineError",
    "EngineStartError",
    "EngineTimeout",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "MatchSummary",
    "MemoryExceeded",
    "NetworkError",
    "NotSupported",
    "NotationError",
    "Outcome",
    "PlayResult",
    "ProtocolError",
    "RecordError",
    "Solved",
    "UnexpectedOutput",
    "Winrate",
    "game_names",
    "play_match",
    "read_record",
    "read_sgf",
    "solve",
]

if TYPE_CHECKING:
    from pinchtp.api import *  # noqa: F403
else:

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("pinchtp.api"), name)

    def __dir__():
        return sorted([*globals(), *__all__])
