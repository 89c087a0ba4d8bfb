"""Access control: the key in the first address, the cookie, `Host` and `Origin`.

Any page in a browser on this machine can send requests here. Such a page has another origin; after
DNS rebinding it sends another host. Therefore both are checked on every request and socket. The
cookie excludes other users of this machine.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pinchtp.base.text import sentence_of
from pinchtp.board.web.addresses import PublicAddress, is_loopback, origin_of
from pinchtp.board.web.keys import ENDED, INVITED, Keys

YEAR = 365 * 24 * 3600


def make_policy(style: str = "'none'") -> str:
    """Returns a content security policy: scripts and images of this origin, and given styles."""
    return (
        f"default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


HEADERS = {
    "Content-Security-Policy": make_policy(),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",  # unless the application overrides it
}

NO_HOST = (
    "Unknown host. Open the address that `pinchtp board` printed when it started. Behind a proxy "
    "or a tunnel from another port, start it with the address in the address bar, such as "
    "`pinchtp board --origin https://example.org/pinch` or `--origin http://localhost:9000`.\n"
)
NO_ORIGIN = (
    "Requests from other origins are rejected. Behind a proxy, start the board with the address in "
    "the address bar, such as `pinchtp board --origin https://example.org/pinch`.\n"
)
PREFIX = "The proxy has to remove {prefix} from the paths of requests.\n"
NO_COOKIE = "Open the address that `pinchtp board` printed when it started.\n"
COOKIES_OFF = (
    "The browser does not keep this board's cookie. Allow cookies for this address. Then open the "
    "address that `pinchtp board` printed when it started, or the invitation, again.\n"
)
EXCHANGED = "cookie"  # the query of the page to which a new cookie leads
POLICY_VIOLATION = 1008  # close code; a page does not reconnect after it


class Guard:
    """ASGI middleware that requires the key or a cookie.

    It sets `scope["visitor"]` to the visitor's id, `scope["is_host"]` to whether the request comes
    from this machine, and `scope["address"]` to the board's address for other machines, which is
    empty for requests over loopback.
    """

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys,
        has_invited: Callable[[str, str], bool],
        hosts: Iterable[str],
        public: PublicAddress | None = None,
    ) -> None:
        """has_invited: returns whether the invitation of a visitor with a number is open, or raises
        OSError. hosts: accepted `Host` headers, with the port. public: the address of the board's
        proxy.
        """
        self._app = app
        self._keys = keys
        self._has_invited = has_invited
        self._public = public
        # The accepted origins of each host. Proxies forward the host of the public address or
        # replace it by the board's, but do not change the origin.
        self._origins = {host.lower(): {f"http://{host.lower()}"} for host in hosts}
        port = next(iter(self._origins)).rpartition(":")[2] if self._origins else ""
        self.cookie = f"pinchtp_board_{port}"  # browsers share cookies between ports
        if public is not None:
            for origins in self._origins.values():
                origins.add(public.origin)
            self._origins[public.host] = {public.origin}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        foreign = self._refuse_foreign(scope)
        refusal = foreign
        is_http = scope["type"] == "http"
        if refusal is None and is_http:
            refusal = self._refuse_ended_invitation(scope["path"]) or self._exchange(scope)
        if refusal is None:
            scope["visitor"] = self._keys.find_visitor(self._cookie(scope))
            scope["is_host"] = self._public is None and is_from_here(scope)
            scope["address"] = self._public.url if self._public else _own_origin(scope)
            if scope["visitor"] is None:
                refusal = PlainTextResponse(NO_COOKIE, 403)
        if refusal is None:
            await self._app(scope, receive, _with_headers(send) if is_http else send)
        elif is_http:
            await refusal(scope, receive, _with_headers(send))
        else:
            if foreign is None:  # our pages may read the reason
                await receive()
                await send({"type": "websocket.accept"})
            reason = bytes(refusal.body).decode().strip()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": reason})

    def _refuse_foreign(self, scope: Scope) -> Response | None:
        """Returns the error response to a request from another host or origin; None for others."""
        headers = Headers(scope=scope)
        origins = self._origins.get(headers.get("host", "").lower())
        if origins is None or len(headers.getlist("host")) > 1:
            return PlainTextResponse(NO_HOST, 421)
        if self._public and _is_below(self._public.prefix, scope["path"]):
            return PlainTextResponse(PREFIX.format(prefix=self._public.prefix), 404)
        origin = headers.get("origin")
        if scope["type"] == "websocket":
            allowed = origin in origins
        else:
            if scope["method"] not in ("GET", "HEAD"):
                return PlainTextResponse("Only GET is supported.", 405)
            site = headers.get("sec-fetch-site", "none")
            is_visit = headers.get("sec-fetch-mode", "navigate") == "navigate"
            allowed = (origin is None or origin in origins) and (
                site in ("none", "same-origin") or (is_visit and _is_page(scope["path"]))
            )
        return None if allowed else PlainTextResponse(NO_ORIGIN, 403)

    def _refuse_ended_invitation(self, path: str) -> Response | None:
        """Returns the error response for the path of an ended invitation; None for other paths."""
        invitation = self._keys.find_invitation(path.removeprefix(INVITED))
        if invitation is None:
            return None
        visitor, _, number = invitation
        with suppress(OSError):  # the socket reports it
            if not self._has_invited(visitor, number):
                return PlainTextResponse(f"{sentence_of(ENDED)}\n", 410)
        return None

    def _exchange(self, scope: Scope) -> Response | None:
        """Returns the response that exchanges the key in the first address, or an invitation, for a
        cookie; None for other requests.
        """
        query = scope["query_string"].decode("latin-1")
        name, _, value = query.partition("=")
        old = self._cookie(scope)
        path = scope["path"]
        if query == EXCHANGED and _is_page(path):
            is_kept = self._keys.find_visitor(old) is not None
            return _redirect(path) if is_kept else PlainTextResponse(COOKIES_OFF, 403)
        if path.startswith(INVITED) and self._keys.find_invitation(path.removeprefix(INVITED)):
            if self._keys.find_visitor(old) is not None:
                return None
        elif path != "/" or name != "key":
            return None
        elif not secrets.compare_digest(value.encode(), self._keys.key.encode()):
            return PlainTextResponse(NO_COOKIE, 403)
        if self._keys.find_visitor(old) is not None:
            return _redirect(path)
        response = _redirect(path, f"?{EXCHANGED}")
        response.set_cookie(
            self.cookie,
            self._keys.make_cookie(old),
            max_age=YEAR,
            path=f"{self._public.prefix}/" if self._public else "/",
            secure=self._public is not None and self._public.scheme == "https",
            httponly=True,
            samesite="lax",
        )
        return response

    def _cookie(self, scope: Scope) -> str:
        cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
        return cookies.get(self.cookie, "")


def _redirect(path: str, query: str = "") -> Response:
    """Returns a redirect to a page, by a relative path because a proxy may remove a prefix."""
    return Response(status_code=303, headers={"Location": f"./{path.rpartition('/')[2]}{query}"})


def _is_page(path: str) -> bool:
    return path == "/" or path.startswith(INVITED)


def _is_below(prefix: str, path: str) -> bool:
    """Returns whether a path still has the prefix that the proxy should remove."""
    return bool(prefix) and path.startswith(f"{prefix}/") and not path.startswith(INVITED)


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


def is_from_here(scope: Scope) -> bool:
    """Returns whether a request comes from this machine, over loopback or to its own address."""
    client, server = scope.get("client"), scope.get("server")
    if client is None:
        return False
    return is_loopback(client[0]) or (server is not None and client[0] == server[0])


def _own_origin(scope: Scope) -> str:
    """Returns the origin for a request from another machine; empty over loopback."""
    address, port = scope["server"]
    return "" if is_loopback(address) else origin_of(address, port)
