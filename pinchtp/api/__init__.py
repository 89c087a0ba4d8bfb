"""The Python interface: games, engines, solver, records and matches. Guide: README.md here.

`pinchtp` exports the same names. An invalid argument raises a ValueError and changes nothing. An
engine that fails or is closed raises a RuntimeError.
"""

from typing import TYPE_CHECKING, Any

from pinchtp.api.engine import Engine, EngineClosed, solve
from pinchtp.api.game import Game, LegalMoves, Outcome
from pinchtp.api.match import MatchSummary, play_match
from pinchtp.api.records import read_record, read_sgf
from pinchtp.api.sessions import game_names
from pinchtp.api.stream import AnalysisStream
from pinchtp.client.errors import (
    EngineDied,
    EngineError,
    EngineStartError,
    EngineTimeout,
    MemoryExceeded,
    NotSupported,
    ProtocolError,
    UnexpectedOutput,
)
from pinchtp.engine.analysis import Analysis, Candidate, Solved
from pinchtp.games import Color
from pinchtp.games.notation import NotationError
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import CannotUndo, IllegalMove
from pinchtp.games.winrate import Winrate
from pinchtp.player.network import NetworkError
from pinchtp.records.errors import RecordError

if TYPE_CHECKING:
    from pinchtp.api.arrays import Batch

__all__ = [
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


def __getattr__(name: str) -> Any:
    if name == "Batch":
        from pinchtp.api.arrays import Batch  # noqa: PLC0415  (numpy takes longer than the rest)

        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
