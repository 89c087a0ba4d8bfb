"""GTP engines as subprocesses that cannot hang, flood or outlive the program that talks to them."""

from pinchtp.client.client import Client, Response, shorten, split_command
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
from pinchtp.client.transcript import Transcript

__all__ = [
    "CannotStart",
    "Client",
    "EngineBabbles",
    "EngineDied",
    "EngineError",
    "EngineTimeout",
    "EngineTooBig",
    "ProtocolError",
    "Refused",
    "Response",
    "Transcript",
    "shorten",
    "split_command",
]
