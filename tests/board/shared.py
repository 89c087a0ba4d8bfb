"""The state that visitors share, without a server."""

from pathlib import Path

from pinchtp.board.engines.pool import EnginePool
from pinchtp.board.engines.table_engine import EngineCommand, our_command
from pinchtp.board.storage.files import VisitorStore
from pinchtp.board.visitor import Shared
from pinchtp.board.web.keys import Keys

OUR_ENGINE = EngineCommand("pinchtp", our_command(), own=True, memory_mb=2048, patience=60.0)


def make_shared(
    folder: Path, engine: EngineCommand = OUR_ENGINE, store: type[VisitorStore] = VisitorStore
) -> Shared:
    """Returns the state of visitors whose files are in a directory, with one engine at a time."""
    return Shared([engine], EnginePool(1), store(folder), Keys(b""), idle=900.0)
