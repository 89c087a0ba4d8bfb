"""The secret of a board, and the values derived from it: the key of its address, and cookies.

A new secret invalidates all keys and cookies. A cookie is a random name with a signature, so the
server stores nothing for visitors who do not play.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pinchtp.base.files import read_file

Role = Literal["owner", "friend", "watcher"]  # of a page, see roles.py
INVITED = "/game/"  # path of an invitation, before its token
ENDED = "this invitation has ended"

_BYTES = 32  # length of the secret
_INVITATION = re.compile(r"[0-9a-f]{32}-(friend|watcher)-[0-9a-f]{16}")
_COOKIE = re.compile(r"([A-Za-z0-9_-]{43})\.([0-9a-f]{64})")


class Keys:
    """The key and the cookies of one secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self.key = self._sign("key")[:32]

    def make_cookie(self, old: str = "") -> str:
        """Returns a new cookie; for the same visitor, if `old` is a cookie of another secret."""
        parts = _COOKIE.fullmatch(old)
        name = parts[1] if parts else secrets.token_urlsafe(32)
        return f"{name}.{self._sign(name)}"

    def find_visitor(self, cookie: str) -> str | None:
        """Returns the visitor's id for a cookie; None if the cookie is invalid."""
        parts = _COOKIE.fullmatch(cookie)
        if parts is None or not hmac.compare_digest(parts[2], self._sign(parts[1])):
            return None
        return hashlib.sha256(parts[1].encode()).hexdigest()[:32]

    def make_invitation(self, visitor: str, role: Role, number: str) -> str:
        """Returns the token of an invitation.

        visitor: the id of the inviting visitor. role: of the invited person. number: of the
        invitation.
        """
        text = f"{visitor}-{role}-{number}"
        return f"{text}-{self._sign(text)[:32]}"

    def find_invitation(self, token: str) -> tuple[str, Role, str] | None:
        """Returns the visitor, role and number of an invitation; None if the token is invalid."""
        text, _, signature = token.rpartition("-")
        if not _INVITATION.fullmatch(text) or not hmac.compare_digest(
            signature.encode(), self._sign(text)[:32].encode()
        ):
            return None
        visitor, role, number = text.split("-")
        return visitor, "friend" if role == "friend" else "watcher", number

    def _sign(self, text: str) -> str:
        return hmac.digest(self._secret, text.encode(), "sha256").hex()


def load_keys(folder: Path, *, renew: bool = False) -> Keys:
    """Returns the keys of a data directory. Raises OSError.

    renew: whether to replace the secret.
    """
    path = folder / "secret"
    if renew:
        path.unlink(missing_ok=True)
    with suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(secrets.token_bytes(_BYTES))
        except OSError:  # a full disk; another start may find room
            path.unlink()
            raise
    secret = read_file(path)
    if len(secret) != _BYTES:
        raise OSError(errno.EINVAL, f"not a secret of {_BYTES} bytes; --new-key replaces it")
    return Keys(secret)
