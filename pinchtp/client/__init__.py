"""Any GTP engine, driven from Python.

An engine is a program of its own. Nothing it does can hang, flood or outlive the program that talks
to it: each answer has a deadline, its memory and its output have limits, what it said is kept, and
at the end of the `with` statement it is killed together with everything that it started.

    >>> from pinchtp.client import Client
    >>> with Client("pinchtp --size 5 --seed 1", memory_mb=4000) as engine:
    ...     print(engine.ask("name", timeout=10))
    ...     refusal = engine.send("play b C9", timeout=10)
    ...     print(refusal.ok, refusal.text)
    ...     print(engine.transcript.lines())
    pinchtp
    False illegal move
    ['> name', '< = pinchtp', '< ', '> play b C9', '< ? illegal move', '< ']

`ask` returns the text of an answer and raises Refused for a `?`; `send` returns the whole Response.
What goes wrong is an EngineError: CannotStart, EngineTimeout, EngineDied (with exit status and last
words), EngineTooBig (it used too much memory), ProtocolError and EngineBabbles (what it says is no
answer, or was not asked for). `write`, `read` and `collect` deal in raw bytes, for analysis that
runs until it is stopped. `time_settings` knows how engines are told of clocks, and `analysis` reads
what they say of moves.
"""

from pinchtp.client.client import ANSWER_END, LINE_END, Client, Response, split_command
from pinchtp.client.errors import (
    CannotStart,
    EngineBabbles,
    EngineDied,
    EngineError,
    EngineTimeout,
    EngineTooBig,
    ProtocolError,
    Refused,
)
from pinchtp.client.transcript import Event, Transcript, merged

__all__ = [
    "ANSWER_END",
    "LINE_END",
    "CannotStart",
    "Client",
    "EngineBabbles",
    "EngineDied",
    "EngineError",
    "EngineTimeout",
    "EngineTooBig",
    "Event",
    "ProtocolError",
    "Refused",
    "Response",
    "Transcript",
    "merged",
    "split_command",
]
