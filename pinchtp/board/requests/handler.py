"""The entry of all requests."""

from __future__ import annotations

from pinchtp.board.pages import Page, check_role, to_json
from pinchtp.board.protocol.answers import Accepted, RequestRefused
from pinchtp.board.protocol.base import Message
from pinchtp.board.requests.registry import BadRequest, perform, read_request
from pinchtp.board.tree import RequestError
from pinchtp.board.visitor import Visitor

# Requests that pages make without input of the visitor. Presence records that of `set-visible`.
OF_PAGES = frozenset(("ping", "set-visible", "ask-overlay", "judge-move", "mark-solved"))


async def handle(visitor: Visitor, page: Page, text: str) -> None:
    """Handles a request and sends its response, with the reason if it is rejected."""
    try:
        request = read_request(text)
    except BadRequest as error:
        page.send(to_json(RequestRefused(error.id, str(error))))
        return
    kind = str(request.__struct_config__.tag)
    if kind not in OF_PAGES:
        visitor.presence.touch(page)
    answer: Message | None = None
    try:
        check_role(kind, visitor.table, page)
        answer = await perform(request, visitor, page)
    except RequestError as error:
        answer = RequestRefused(request.id, str(error))
    visitor.update()
    if answer is not None:
        page.send(to_json(answer))
    if request.id and not isinstance(answer, RequestRefused):
        page.send(to_json(Accepted(request.id)))
