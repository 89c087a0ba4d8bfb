"""A client for GTP engines.

An engine runs as a subprocess and cannot hang, flood or outlive its caller. Each response has a
deadline, memory and output have limits, and a transcript records both directions. The end of the
`with` statement kills the engine and all its child processes.

    >>> from pinchtp.client import GtpClient
    >>> with GtpClient("pinchtp --size 5 --seed 1", memory_mb=4000) as engine:
    ...     print(engine.ask("name", timeout=10))
    ...     refusal = engine.send("play b C9", timeout=10)
    ...     print(refusal.ok, refusal.text)
    ...     print(engine.transcript.lines())
    pinchtp
    False illegal move
    ['> name', '< = pinchtp', '< ', '> play b C9', '< ? illegal move', '< ']

`ask` returns the text of a response, and raises CommandRefused for an error response (`?`); `send`
returns the whole Response. Failures raise an EngineError: EngineStartError, EngineTimeout,
EngineDied (with exit status and the end of standard error), MemoryExceeded, ProtocolError or
UnexpectedOutput. `write`, `read` and `collect` transfer raw bytes.

The module `engine` drives an engine over many games with the commands that it supports, and
`position` brings it to the position of a session. `option_commands`, `time_settings` and
`analysis_lines` contain the dialects for options, clocks and analysis.
"""

from pinchtp.client.client import (
    ANSWER_END,
    LINE_END,
    GtpClient,
    Response,
    program_name,
    split_command,
)
from pinchtp.client.errors import (
    CommandRefused,
    EngineDied,
    EngineError,
    EngineStartError,
    EngineTimeout,
    MemoryExceeded,
    NotSupported,
    ProtocolError,
    UnexpectedOutput,
)
from pinchtp.client.transcript import Transcript, TranscriptEvent, merge_transcripts

__all__ = [
    "ANSWER_END",
    "LINE_END",
    "CommandRefused",
    "EngineDied",
    "EngineError",
    "EngineStartError",
    "EngineTimeout",
    "GtpClient",
    "MemoryExceeded",
    "NotSupported",
    "ProtocolError",
    "Response",
    "Transcript",
    "TranscriptEvent",
    "UnexpectedOutput",
    "merge_transcripts",
    "program_name",
    "split_command",
]
