"""pinchtp: an engine for Pinch and its relatives, from Python (pinchtp/api/README.md) and over GTP.

    >>> import pinchtp
    >>> game = pinchtp.Game("pinch", size=5)
    >>> game.play("c3")
    >>> with pinchtp.Engine(seed=1) as engine:
    ...     game.play(engine.play(game, visits=100).move)

The names of `pinchtp.api` are here too, and loaded when the first of them is used.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if find_spec("pinchtp._core") is None:
    raise ImportError(
        "pinchtp has no compiled core here: run `pip install .` in the clone, and start Python in "
        "another folder"
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
    "NotationError",
    "Outcome",
    "PlayResult",
    "PositionError",
    "ProtocolError",
    "RecordError",
    "SgfError",
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
