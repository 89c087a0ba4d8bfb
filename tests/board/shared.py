"""The state that visitors share, without a server."""

from pathlib import Path

from pinchtp.board.engines import EnginePool
from pinchtp.board.keys import Keys
from pinchtp.board.storage import VisitorStore
from pinchtp.board.table_engine import EngineCommand, our_command
from pinchtp.board.visitor import Shared

OUR_ENGINE = EngineCommand("pinchtp", our_command(), own=True, memory_mb=2048, patience=60.0)


def make_shared(
    folder: Path, engine: EngineCommand = OUR_ENGINE, store: type[VisitorStore] = VisitorStore
) -> Shared:
    """Returns the state of visitors whose files are in a directory, with one engine at a time."""
    return Shared([engine], EnginePool(1), store(folder), Keys(b""), idle=900.0)
