"""What goes wrong with an engine, by kind."""

from __future__ import annotations


class EngineError(Exception):
    """An engine failed. The message completes a sentence that begins `the engine`."""


class EngineStartError(EngineError):
    """There is no such program, or it cannot be executed."""


class EngineDied(EngineError):
    """The engine ended, or closed its standard output, when more was expected of it."""


class EngineTimeout(EngineError):
    """The engine did not do in time what it should."""


class ProtocolError(EngineError):
    """What the engine said is not GTP."""


class UnexpectedOutput(ProtocolError):
    """The engine sent output that nobody asked for, or too much of it."""


class MemoryExceeded(EngineDied):
    """The engine was killed, as it used more memory than it may."""


class CommandRefused(Exception):
    """The engine answered `?`; the text is the engine's."""
