"""The page's files, read once and served from memory.

The page itself is `/`. All else lies below a folder named by the contents of all files, so that a
browser keeps a file for good and asks for nothing when the page is opened again. Styles stand in
the page itself, as nothing is painted before all of them are there, and so does a picture of the
visitor's board. Modules are named in a template, which page/start.js takes them from when all that
has been painted.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from pinchtp.board.guard import policy

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOLDERS = ("board/page", "html")  # of the package
EARLY = ("board/page/", "html/board.js", "html/dom.js")  # scripts that the page begins with,
LATE = "board/page/dialogs/"  # except for these
MODULES = "<!-- modules -->"  # where index.html names them
BOARD = "<!-- board -->"  # where it shows the board
STYLE = re.compile(r'<link rel="stylesheet" href="/([^"]+)">\n')

KEPT = {"Cache-Control": "private, max-age=31536000, immutable"}


class PageFiles:
    """Modules, styles and pictures; nothing else of the package."""

    def __init__(self) -> None:
        package = files("pinchtp")
        self._files = {
            path: file.read_bytes()
            for folder in FOLDERS
            for path, file in _found(package / folder, folder)
            if _type(path)
        }
        digest = hashlib.sha256(repr(sorted(self._files.items())).encode())
        self.version = digest.hexdigest()[:16]
        index = (package / "board" / "page" / "index.html").read_text("utf-8")
        style = "".join(self._files[name].decode() for name in STYLE.findall(index))
        self._policy = policy(style=f"'sha256-{_digest(style)}'")
        index = STYLE.sub("", index).replace("</head>", f"<style>{style}</style>\n</head>")
        self.index = self._versioned(index)

    def home(self, request: Request, board: str) -> Response:
        """The page, in the colors that were chosen last (page/theme.js). board: its picture."""
        headers = {"Content-Security-Policy": self._policy}
        theme = request.cookies.get("pinchtp_theme", "")
        chosen = f'<html data-theme="{theme}"' if theme in ("light", "dark") else "<html"
        index = self.index.replace("<html", chosen, 1).replace(BOARD, board, 1)
        return Response(index, media_type="text/html", headers=headers)

    async def file(self, request: Request) -> Response:
        """A file below the folder of this version."""
        path, version = request.path_params["path"], request.path_params["version"]
        if version != self.version or path not in self._files:
            return Response(status_code=404)
        return Response(self._files[path], media_type=_type(path), headers=KEPT)

    def _versioned(self, index: str) -> str:
        """The page with this version's addresses, and with all modules in a template, so that none
        waits for the one that imports it.
        """
        scripts = [each for each in sorted(self._files) if each.endswith(".js")]
        lines = "\n".join(
            f'<link rel="modulepreload" href="/{each}">'
            for each in scripts
            if each.startswith(EARLY) and not each.startswith(LATE)
        )
        index = index.replace(MODULES, f'<template id="modules">{lines}</template>')
        for folder in FOLDERS:
            index = index.replace(f'"/{folder}/', f'"/{self.version}/{folder}/')
        return index


def _found(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """The files in a folder and in those below it."""
    for each in folder.iterdir():
        below = f"{path}/{each.name}"
        if each.is_dir():
            yield from _found(each, below)
        else:
            yield below, each


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _type(path: str) -> str | None:
    """The type of a file that is served; None for others."""
    return TYPES.get(path[path.rfind(".") :])
