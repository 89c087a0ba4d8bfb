"""Exceptions for engine failures."""

from __future__ import annotations


class EngineError(RuntimeError):
    """An engine failed. The message completes a sentence that begins `the engine`."""


class EngineStartError(EngineError):
    """There is no such program, or it cannot be executed."""


class EngineDied(EngineError):
    """The engine ended, or closed its standard output, when more was expected of it."""


class EngineTimeout(EngineError):
    """The engine did not do in time what it should."""


class ProtocolError(EngineError):
    """The output of the engine is not valid GTP."""


class NotSupported(ProtocolError):
    """The engine lacks or rejects a command; it keeps running, and a restart does not help."""


class UnexpectedOutput(ProtocolError):
    """The engine sent unexpected output, or too much of it."""


class MemoryExceeded(EngineDied):
    """The engine was killed because it exceeded its memory limit."""


class CommandRefused(RuntimeError):
    """The engine answered `?`; the text is the engine's."""
