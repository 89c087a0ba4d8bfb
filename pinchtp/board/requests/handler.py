"""The entry of all requests."""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine

from pinchtp.board.pages import Page, to_json
from pinchtp.board.protocol.answers import Accepted, RequestRefused
from pinchtp.board.requests.registry import (
    BadRequest,
    Request,
    Response,
    perform,
    read_request,
)
from pinchtp.board.roles import check_role
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor

# Requests that pages also make without input of the visitor; `set-visible` reports the input.
AUTOMATIC_REQUESTS = frozenset(("ping", "set-visible", "ask-overlay", "judge-move", "mark-solved"))


def handle(visitor: Visitor, page: Page, text: str) -> Coroutine[None, None, None] | None:
    """Handles a request and sends its response, with the reason if it is rejected.

    Returns the rest of a request that takes long, to be awaited.
    """
    try:
        request = read_request(text)
    except BadRequest as error:
        page.send(to_json(RequestRefused(error.id, str(error))))
        return None
    kind = str(request.__struct_config__.tag)
    if kind not in AUTOMATIC_REQUESTS:
        visitor.presence.touch(page)
    answer: Response | Awaitable[Response]
    try:
        check_role(kind, visitor.table, page)
        answer = perform(request, visitor, page)
    except RequestError as error:
        answer = RequestRefused(request.id, str(error))
    if isinstance(answer, Awaitable):
        return _finish(visitor, page, request, answer)
    _respond(visitor, page, request, answer)
    return None


async def _finish(
    visitor: Visitor, page: Page, request: Request, pending: Awaitable[Response]
) -> None:
    """Waits for the response to a request, and sends it."""
    try:
        answer = await pending
    except RequestError as error:
        answer = RequestRefused(request.id, str(error))
    _respond(visitor, page, request, answer)


def _respond(visitor: Visitor, page: Page, request: Request, answer: Response) -> None:
    """Sends what a request has changed, and the response to it."""
    visitor.update()
    if answer is not None:
        page.send(to_json(answer))
    if request.id and not isinstance(answer, RequestRefused):
        page.send(to_json(Accepted(request.id)))
