"""The registry of page requests. Each is declared by a function, like GTP commands.

    @request
    def play(visitor: Visitor, at: Count = 0, node: int | None = None) -> None:

handles `{"type": "play", "at": 40, "node": 7}`. Its keyword parameters define the fields of the
request with types, bounds and defaults. The special parameters `visitor`, `page` and `id` receive
the visitor, the requesting page and the request id. It returns the response to that page or None,
and raises RequestError if the request cannot be done. It is `async` if that takes long; further
requests of the page do not wait for it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from typing import Any, TypeAlias, TypeVar, Union, get_type_hints

import msgspec

from pinchtp.board.protocol.base import MOST_BYTES, Message

Response: TypeAlias = Message | None
Function = TypeVar("Function", bound=Callable[..., Response | Awaitable[Response]])

GIVEN = ("visitor", "page", "id")  # parameters that are not fields


class Request(  # unknown fields come from a newer or foreign page
    msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, kw_only=True
):
    """A request of the page. id: repeated in the response; 0: no `accepted`."""

    id: int = 0


class BadRequest(ValueError):
    """An invalid request; the message is the reason. id: of the request; 0 if unreadable."""

    def __init__(self, reason: str, id: int = 0) -> None:
        super().__init__(reason)
        self.id = id


REQUESTS: dict[type[Request], Callable[..., Response | Awaitable[Response]]] = {}


def request(function: Function) -> Function:
    """Registers a function as the handler of its name: `play_turn` for `play-turn`."""
    hints = get_type_hints(function, include_extras=True)
    words = function.__name__.strip("_").split("_")
    fields: list[Any] = [
        (name, hints[name])
        if parameter.default is parameter.empty
        else (name, hints[name], parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in GIVEN
    ]
    declared: type[Request] = msgspec.defstruct(  # type: ignore[assignment]
        "".join(word.capitalize() for word in words),
        fields,
        bases=(Request,),
        frozen=True,
        tag="-".join(words),
        kw_only=True,
    )
    REQUESTS[declared] = function
    return function


@cache
def _decoder() -> msgspec.json.Decoder[Request]:
    return msgspec.json.Decoder(Union[tuple(REQUESTS)])  # noqa: UP007


def read_request(data: str | bytes) -> Request:
    """Parses a request. Raises BadRequest."""
    if len(data) > MOST_BYTES:
        raise BadRequest("the message is too long")
    try:
        return _decoder().decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadRequest(_explain(str(error)), _read_id(data)) from None


class _Numbered(msgspec.Struct):
    """The part of Request that identifies an invalid one."""

    id: int = 0


def _read_id(data: str | bytes) -> int:
    """Returns the id of an invalid request; 0 if it is unreadable."""
    with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
        return msgspec.json.decode(data, type=_Numbered).id
    return 0


# A value out of its range, the only error that a visitor can cause in a field of the page.
_OUT_OF_RANGE = re.compile(r"Expected `\w+` (of length )?([<>])= (\S+)")


def _explain(error: str) -> str:
    """Returns an error of msgspec; one about the range of a field in words for visitors."""
    reason, _, path = error.partition(" - at ")
    if (found := _OUT_OF_RANGE.fullmatch(reason)) is None:
        return error
    length, sign, limit = found.groups()
    field = path.strip("`").rpartition(".")[2]
    bound = "at most" if sign == "<" else "at least"
    unit = " characters" if length else ""
    return f"{field}: expected {bound} {float(limit):,.10g}{unit}"


def perform(asked: Request, visitor: object, page: object) -> Response | Awaitable[Response]:
    """Runs the handler of a request, and returns its response, which may have to be awaited.

    Raises RequestError if the request cannot be carried out.
    """
    function = REQUESTS[type(asked)]
    parameters = inspect.signature(function).parameters
    given = {"visitor": visitor, "page": page} | msgspec.structs.asdict(asked)
    return function(**{name: value for name, value in given.items() if name in parameters})
