"""The files of the page.

The page is `/`. All other files are below a directory named by a hash of their contents, so that
browsers cache them permanently. Styles, which block the first paint, and an SVG of the visitor's
board are inlined in the page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, normpath

from starlette.requests import Request
from starlette.responses import Response

from pinchtp.board.web.guard import YEAR, make_policy

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOLDERS = ("board/page", "html")  # served directories of the package
BOARD = "<!-- board -->"  # replaced by the board
SCRIPT = "board/page/main.js"
IMPORTED = re.compile(r'^(?:import|export) \{[^}]*\} from "([^"]+)";', re.MULTILINE)
STYLE = re.compile(r'<link rel="stylesheet" href="/([^"]+)">\n')

# Cookies of page/settings.js.
SETTINGS = ("theme", "board", "stones", "coordinates", "motion", "sound", "notes", "seen")
WORD = re.compile(r"[a-z.]{1,200}\Z")

KEPT = {"Cache-Control": "private, max-age=31536000, immutable"}


class PageFiles:
    """The served files: modules, styles and images of the package."""

    def __init__(self) -> None:
        package = files("pinchtp")
        self._files = {
            path: file.read_bytes()
            for folder in FOLDERS
            for path, file in _walk_files(package / folder, folder)
            if _find_type(path)
        }
        digest = hashlib.sha256(repr(sorted(self._files.items())).encode())
        self.version = digest.hexdigest()[:16]
        index = (package / "board" / "page" / "index.html").read_text("utf-8")
        style = "".join(self._files[name].decode() for name in STYLE.findall(index))
        self._policy = make_policy(style=f"'sha256-{_hash_text(style)}'")
        links = "".join(
            f'<link rel="modulepreload" href="/{path}">\n' for path in self._list_imports()
        )
        index = STYLE.sub("", index)
        index = index.replace("</head>", f"{links}<style>{style}</style>\n</head>")
        self._index = self._add_versions(index)

    def _list_imports(self) -> list[str]:
        """Returns the scripts that the page imports at its start, without chains of requests."""
        found = [SCRIPT]
        for path in found:  # grows
            for name in IMPORTED.findall(self._files[path].decode()):
                imported = normpath(f"{dirname(path)}/{name}")
                if imported not in found:
                    found.append(imported)
        return found[1:]

    def home(self, request: Request, board: str, up: str = "") -> Response:
        """Returns the page with the settings of a request's cookies, which it renews.

        board: the SVG of the visitor's board. up: the path from the page to the root, which may be
        below a prefix.
        """
        headers = {"Content-Security-Policy": self._policy}
        chosen = {name: request.cookies.get(f"pinchtp_{name}", "") for name in SETTINGS}
        data = [f' data-{name}="{value}"' for name, value in chosen.items() if WORD.match(value)]
        index = self._index.replace(f'"/{self.version}/', f'"{up}{self.version}/')
        index = index.replace("<html", "<html" + "".join(data), 1).replace(BOARD, board, 1)
        response = Response(index, media_type="text/html", headers=headers)
        for name, value in chosen.items():
            if WORD.match(value):
                response.set_cookie(f"pinchtp_{name}", value, max_age=YEAR, samesite="lax")
        return response

    async def file(self, request: Request) -> Response:
        """Returns the response with a file below the directory of this version."""
        path = request.path_params["path"]
        if request.path_params["version"] != self.version or path not in self._files:
            return Response(status_code=404)
        return Response(self._files[path], media_type=_find_type(path), headers=KEPT)

    def _add_versions(self, index: str) -> str:
        """Returns the page with this version's URLs."""
        for folder in FOLDERS:
            index = index.replace(f'"/{folder}/', f'"/{self.version}/{folder}/')
        return index


def _walk_files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """Yields the files below a directory."""
    for each in folder.iterdir():
        below = f"{path}/{each.name}"
        if each.is_dir():
            yield from _walk_files(each, below)
        else:
            yield below, each


def _hash_text(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _find_type(path: str) -> str | None:
    """Returns the media type of a served file; None for other files."""
    return TYPES.get(path[path.rfind(".") :])
