"""Any GTP engine, driven from Python.

An engine is a program of its own. Nothing it does can hang, flood or outlive the program that talks
to it: each answer has a deadline, its memory and its output have limits, what it said is kept, and
at the end of the `with` statement it is killed together with everything that it started.

    >>> from pinchtp.client import GtpClient
    >>> with GtpClient("pinchtp --size 5 --seed 1", memory_mb=4000) as engine:
    ...     print(engine.ask("name", timeout=10))
    ...     refusal = engine.send("play b C9", timeout=10)
    ...     print(refusal.ok, refusal.text)
    ...     print(engine.transcript.lines())
    pinchtp
    False illegal move
    ['> name', '< = pinchtp', '< ', '> play b C9', '< ? illegal move', '< ']

`ask` returns the text of a response and raises CommandRefused for a `?`; `send` returns the whole
Response. What goes wrong is an EngineError: EngineStartError, EngineTimeout, EngineDied (with exit
status and last words), MemoryExceeded, ProtocolError and UnexpectedOutput (malformed, or not asked
for). `write`, `read` and `collect` deal in raw bytes.

`engine` drives an engine over many games with the commands that it knows, and `position` brings it
to the position of a session; `option_commands`, `time_settings` and `analysis` are the dialects in
which engines are set up, told of clocks, and report what they think of moves.
"""

from pinchtp.client.client import ANSWER_END, LINE_END, GtpClient, Response, split_command
from pinchtp.client.errors import (
    CommandRefused,
    EngineDied,
    EngineError,
    EngineStartError,
    EngineTimeout,
    MemoryExceeded,
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
    "ProtocolError",
    "Response",
    "Transcript",
    "TranscriptEvent",
    "UnexpectedOutput",
    "merge_transcripts",
    "split_command",
]
