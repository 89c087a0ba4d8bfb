"""Exceptions for engine failures."""

from __future__ import annotations


class EngineError(RuntimeError):
    """An engine failed. The message completes a sentence that begins with `the engine`."""


class EngineStartError(EngineError):
    """The command line is invalid, or its program does not exist or cannot be executed."""


class EngineDied(EngineError):
    """The engine exited or closed its pipes unexpectedly."""


class EngineTimeout(EngineError):
    """The engine did not respond, read its input or exit in time."""


class ProtocolError(EngineError):
    """The output of the engine is not valid GTP."""


class NotSupported(ProtocolError):
    """The engine does not support a required command, so a restart does not help.

    It still runs, unless it rejected a startup command.
    """


class UnexpectedOutput(ProtocolError):
    """The engine sent unexpected output, or too much of it."""


class MemoryExceeded(EngineDied):
    """The engine was killed because it exceeded its memory limit."""


class CommandRefused(RuntimeError):
    """The engine sent an error response (`?`); the message has its text."""
