"""Game records."""

from __future__ import annotations

from pinchtp import sgf
from pinchtp.base.files import read_file
from pinchtp.base.streams import note
from pinchtp.gtp import grammar
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.registry import command
from pinchtp.sgf import RecordError

STANDARD_OUTPUT = "-"
REFUSED = "file access is not allowed here (--no-files)"


@command(
    "loadsgf",
    grammar.rest_but_number("file"),
    grammar.integer("move").optional(),
    fails="`cannot load file: REASON`: not there, no game of ours from start to end, or "
    "`--no-files`",
    effect="the game in the file is the game on the board, on a board of its size, up to the "
    "position before that move (1 is the first; left out: to the end); undo takes its moves back; "
    "both clocks start afresh. Of a record whose GM is that of Go, standard error says so",
)
def loadsgf(engine: Engine, path: str, move: int | None) -> str:
    """Loads a game from an SGF file. Its name may hold blanks; a number at the end is the move."""
    session = engine.session
    try:
        _check_access(engine)
        data = read_file(path, sgf.MAX_BYTES)
        record = sgf.from_sgf(data, session.game, **session.options)
    except OSError as error:
        raise GtpError(f"cannot load file: {error.strerror}", path) from None
    except RecordError as error:
        raise GtpError(f"cannot load file: {error}", path) from None
    record.put_on(session, move)
    if record.doubt:
        note(f"pinchtp: {path}: {record.doubt}")
    engine.player.forget()
    return ""


@command(
    "printsgf",
    grammar.rest("file").optional(),
    answer="nothing; without a file, or for `-`, the record itself",
    fails="`cannot save file: REASON`: it cannot be written, or `--no-files`",
    effect="none on the game; the file is replaced",
)
def printsgf(engine: Engine, path: str | None) -> str:
    """Writes the game as SGF, to a file whose name may hold blanks or into the answer."""
    text = sgf.to_sgf(engine.session, sgf.today())
    if path is None or path == STANDARD_OUTPUT:
        return text
    try:
        _check_access(engine)
        sgf.write_file(path, text)
    except RecordError as error:
        raise GtpError(f"cannot save file: {error}", path) from None
    return ""


def _check_access(engine: Engine) -> None:
    """Raises RecordError where commands may not touch files."""
    if not engine.settings.files:
        raise RecordError(REFUSED)
