"""How requests of the page are declared: by a function each, as the commands of GTP are.

    @request
    def play(visitor: Visitor, at: Count = 0, node: int | None = None) -> None:

does what `{"type": "play", "at": 40, "node": 7}` asks for. Its parameters are the fields of the
request, with their types, bounds and defaults. `visitor` comes before them; a function that has
parameters called `page` or `id` also gets the page that asks, or the id of the request. It raises
RequestError if that cannot be done; what it returns is the answer to the page that asks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, Union, get_type_hints

import msgspec

from pinchtp.board import messages as m

Function = TypeVar("Function", bound=Callable[..., m.Message | None])

GIVEN = ("visitor", "page", "id")  # parameters that are no fields


class Request(  # a page that knows fields which we do not is a newer one, or none of ours
    msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, kw_only=True
):
    """What the page sends. id: comes back in what answers the request; 0 for no `accepted`."""

    id: int = 0


class BadRequest(ValueError):
    """What a page sent is no request; the text says why."""


REQUESTS: dict[type[Request], Callable[..., m.Message | None]] = {}


def request(function: Function) -> Function:
    """Makes a function what is done for requests of its name: `play_turn` for `play-turn`."""
    hints = get_type_hints(function, include_extras=True)
    words = function.__name__.strip("_").split("_")
    fields: list[Any] = [
        (name, hints[name])
        if parameter.default is parameter.empty
        else (name, hints[name], parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in GIVEN
    ]
    made: type[Request] = msgspec.defstruct(  # type: ignore[assignment]
        "".join(word.capitalize() for word in words),
        fields,
        bases=(Request,),
        frozen=True,
        tag="-".join(words),
        kw_only=True,
    )
    REQUESTS[made] = function
    return function


@cache
def _decoder() -> msgspec.json.Decoder[Request]:
    return msgspec.json.Decoder(Union[tuple(REQUESTS)])  # noqa: UP007


def read_request(data: str | bytes) -> Request:
    """The request in a message. Raises BadRequest."""
    if len(data) > m.MOST_BYTES:
        raise BadRequest("the message is too long")
    try:
        return _decoder().decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadRequest(str(error)) from None


def perform(asked: Request, visitor: object, page: object) -> m.Message | None:
    """Does what a page asks for; the answer, if there is one. Raises what its function does."""
    function = REQUESTS[type(asked)]
    parameters = inspect.signature(function).parameters
    given = {"visitor": visitor, "page": page} | msgspec.structs.asdict(asked)
    return function(**{name: value for name, value in given.items() if name in parameters})
