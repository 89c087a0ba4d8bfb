"""Pages from templates: one document with its style, its script and its data, and its writing."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pinchtp.base.files import replace_file
from pinchtp.base.streams import visible
from pinchtp.html.format import FILTERS

_HERE = "pinchtp.html"
_STYLE = "style.css"
_REFRESH = 3  # seconds between two looks of a live page

_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


class Pages:
    """Pages of one kind.

    package: where its templates (in `templates/`), styles and scripts are; those of this package
    can be used by their names as well. template: extends `frame.html`, whose blocks it fills.
    styles: of this kind, after the style of all pages. scripts: ES modules, each after those that
    it imports. live_scripts: those that pages which are served have besides.
    """

    def __init__(
        self,
        package: str,
        template: str,
        *,
        styles: Sequence[str] = (),
        scripts: Sequence[str] = (),
        live_scripts: Sequence[str] = (),
    ) -> None:
        self._package, self._template = package, template
        self._styles = (_STYLE, *styles)
        self._scripts, self._live_scripts = tuple(scripts), tuple(live_scripts)

    def render(
        self,
        *,
        title: str,
        facts: Sequence[str] = (),
        data: Any = None,
        live: bool = False,
        **values: Any,
    ) -> str:
        """The document.

        facts: what stands below the title. data: for the script, which finds it as JSON in the
        element `data`. live: whether the page is served and looks for newer versions of itself.
        values: what the template names.
        """
        script = self._script + self._live_script if live else self._script
        return self._environment.get_template(self._template).render(
            title=title,
            facts=facts,
            data=data,
            policy=_policy(self._style, script, live=live),
            refresh=_REFRESH if live else 0,
            style=self._style,
            script=script,
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
        return self._joined(self._scripts)

    @cached_property
    def _live_script(self) -> Markup:
        return self._joined(self._live_scripts)

    def _joined(self, names: Sequence[str]) -> Markup:
        """Modules as one, in which they need not import each other."""
        return Markup("").join(Markup(_IMPORT.sub("", self._read(name))) for name in names)

    def _read(self, name: str) -> str:
        """A file of the kind's package or of this one."""
        own = files(self._package).joinpath(name)
        return (own if own.is_file() else files(_HERE).joinpath(name)).read_text("utf-8")


def environment(package: str) -> Environment:
    """Templates of a package, and below them those of all pages; whatever they print is escaped."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(_HERE)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    made.filters |= FILTERS
    made.policies["json.dumps_kwargs"] = {
        "separators": (",", ":"),
        "ensure_ascii": False,
        "allow_nan": False,
    }
    return made


def _shown(value: object) -> object:
    """Foreign text with its control characters made visible; markup of ours has none."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _policy(style: str, script: str, *, live: bool) -> Markup:
    """A content security policy: this style and this script run, nothing is loaded."""
    sources: Mapping[str, str] = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script) if script else "'none'",
        "img-src": "data:",
        "connect-src": "'self'" if live else "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return Markup("; ".join(f"{name} {source}" for name, source in sources.items()))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def encoded(document: str) -> bytes:
    """A document as bytes; what is no Unicode, as engines may say it, is made visible."""
    return document.encode("utf-8", "backslashreplace")


def write_document(path: Path, document: str) -> int:
    """Writes a page, and returns its size in bytes.

    Whoever reads the file finds the old page or the new one. Raises OSError.
    """
    content = encoded(document)
    replace_file(path, content, durable=False)  # it can be made again
    return len(content)
