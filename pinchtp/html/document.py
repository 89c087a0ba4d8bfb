"""Pages from templates: creates and writes one document with its style, script and data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pinchtp.base.files import replace_file
from pinchtp.base.text import visible
from pinchtp.html.format import FILTERS

_HERE = "pinchtp.html"
_STYLE = "style.css"

_ESCAPES = str.maketrans({each: f"\\u{ord(each):04x}" for each in "<>&'"})
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


class PageTemplate:
    """A template of pages.

    package: contains the templates (in `templates/`), styles and scripts; this package's styles and
    scripts are available too. template: extends `frame.html`, whose blocks it fills. styles: added
    to the style of all pages. scripts: ES modules, each after those that it imports.
    """

    def __init__(
        self,
        package: str,
        template: str,
        *,
        styles: Sequence[str] = (),
        scripts: Sequence[str] = (),
    ) -> None:
        self._package = package
        self._template = template
        self._styles = (_STYLE, *styles)
        self._scripts = tuple(scripts)

    def render(
        self,
        *,
        title: str,
        facts: Sequence[str] = (),
        data: Any = None,
        refresh: int = 0,
        **values: Any,
    ) -> str:
        """Returns the document.

        facts: texts below the title. data: for the script, in the element `data` as JSON; Markup is
        JSON already. refresh: seconds between reloads; 0: never. values: variables of the template.
        """
        return self._environment.get_template(self._template).render(
            title=title,
            facts=facts,
            data=data,
            policy=_policy(self._style, self._script),
            refresh=refresh,
            style=self._style,
            script=self._script,
            **values,
        )

    @cached_property
    def _environment(self) -> Environment:
        return environment(self._package)

    @cached_property
    def _style(self) -> Markup:
        return Markup("\n".join(self._read(name) for name in self._styles))

    @cached_property
    def _script(self) -> Markup:
        """The modules joined into one, without their imports."""
        return Markup("").join(Markup(_IMPORT.sub("", self._read(name))) for name in self._scripts)

    def _read(self, name: str) -> str:
        """Reads a file of the template's package or of this one."""
        own = files(self._package).joinpath(name)
        return (own if own.is_file() else files(_HERE).joinpath(name)).read_text("utf-8")


def environment(package: str) -> Environment:
    """Returns the environment of a package's templates and the shared ones. It escapes output."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(_HERE)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_visible,
    )
    made.filters |= FILTERS | {"json_data": json_data}
    return made


def json_data(data: Any) -> Markup:
    """Returns data as JSON that is safe in HTML. Markup is returned unchanged."""
    if isinstance(data, Markup):
        return data
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.translate(_ESCAPES))


def _make_visible(value: object) -> object:
    """Makes control characters of foreign text visible; leaves markup unchanged."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _policy(style: str, script: str) -> Markup:
    """Returns a content security policy that allows this style and script, and loads nothing."""
    sources: Mapping[str, str] = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script) if script else "'none'",
        "img-src": "data:",
        "connect-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return Markup("; ".join(f"{name} {source}" for name, source in sources.items()))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def encode(document: str) -> bytes:
    """Encodes a document; makes lone surrogates, which engines may send, visible."""
    return document.encode("utf-8", "backslashreplace")


def write_document(path: Path, document: str) -> int:
    """Writes a page and returns its size in bytes.

    Replaces the file atomically. Raises OSError.
    """
    content = encode(document)
    replace_file(path, content, durable=False)  # it can be written again
    return len(content)
