"""Writes the TypeScript types of the board's messages, for type checks of the page's scripts, and
the limits of numbers and texts in requests, for the fields of the page.

Run it after a change of messages or requests:  python tools/board_types.py
A test fails while the files are out of date.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

import pinchtp.board.requests  # noqa: F401  (declares the requests)
from pinchtp.board import protocol
from pinchtp.board.protocol.base import Message, Part
from pinchtp.board.requests.registry import REQUESTS, Request

PAGE = Path(__file__).parents[1] / "pinchtp" / "board" / "page"
TARGET = PAGE / "messages.d.ts"  # in the sources: it is not part of the package
LIMITS = PAGE / "limits.js"
HEADER = "// Written by tools/board_types.py from the messages and requests of pinchtp/board/.\n"

for module in iter_modules(protocol.__path__, f"{protocol.__name__}."):
    import_module(module.name)

PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


# The fields of the page, by message or request.
FIELDS = {
    "Strength": ["visits", "seconds"],
    "TimeSetting": ["main", "increment", "period", "periods"],
    "PlayerChoice": ["name"],
    "SetName": ["name"],
    "Solve": ["seconds"],
    "ConsoleCommand": ["line"],
    "Comment": ["text"],
    "RenameGame": ["title"],
    "Load": ["text"],
    "Step": ["by"],
}


def document_limits() -> str:
    """Returns the limits of the page's fields, as the attributes of their elements."""
    kinds = {each.__name__: each for each in (*_subclasses(Part), *REQUESTS)}
    blocks = []
    for kind, names in FIELDS.items():
        fields = {each.name: each for each in inspect.type_info(kinds[kind]).fields}  # type: ignore[attr-defined]
        lines = [f"    {name}: {{ {_limit(fields[name].type)} }},\n" for name in names]
        blocks.append(f"  {kind}: {{\n{''.join(lines)}  }},\n")
    return f"{HEADER}\nexport const LIMITS = {{\n{''.join(blocks)}}};\n"


def _limit(kind: inspect.Type) -> str:
    """Returns the limits of a text, or of a number; its type may include None."""
    types = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    for each in types:
        if isinstance(each, inspect.StrType):
            return f"maxlength: {each.max_length}"
        if isinstance(each, inspect.IntType | inspect.FloatType):
            return f"min: {each.ge:.10g}, max: {each.le:.10g}"
    raise TypeError(kind)


def document() -> str:
    """Returns all types, and the unions of server messages and of requests."""
    parts, sent = _subclasses(Part), _subclasses(Message)
    blocks = [_interface(each) for each in (*parts, *sent, *REQUESTS)]
    for name, kinds in (("ServerMessage", sent), ("PageRequest", REQUESTS)):
        names = [kind.__name__ for kind in kinds]
        blocks.append(f"export type {name} =\n  | " + "\n  | ".join(names) + ";\n")
    return HEADER + "\n" + "\n".join(blocks)


def _subclasses(base: type) -> list[type]:
    """Returns the subclasses by name, since their order depends on the imports so far."""
    return sorted(base.__subclasses__(), key=lambda each: each.__name__)


def _interface(kind: Any) -> str:
    return f"export interface {kind.__name__} {{\n" + "".join(_fields(kind)) + "}\n"


def _fields(kind: Any) -> Iterator[str]:
    """Yields the fields; those of a request with defaults are optional."""
    config = kind.__struct_config__
    if config.tag is not None:
        yield f'  type: "{config.tag}";\n'
    hints = get_type_hints(kind, include_extras=True)
    is_request = issubclass(kind, Request)
    for field in msgspec.structs.fields(kind):
        mark = "?" if is_request and not field.required else ""
        yield f"  {field.name}{mark}: {_type(hints[field.name])};\n"


def _type(hint: Any) -> str:
    """Returns the TypeScript type for a Python type."""
    kind = get_origin(hint)
    arguments = get_args(hint)
    if kind is Annotated:
        return _type(arguments[0])
    if kind is Literal:
        return " | ".join(f'"{argument}"' for argument in arguments)
    inner = [_type(argument) for argument in arguments]
    formats = {
        list: lambda: f"({inner[0]})[]" if "|" in inner[0] else f"{inner[0]}[]",
        tuple: lambda: f"[{', '.join(inner)}]",
        dict: lambda: f"{{ [key: string]: {inner[1]} }}",
        Union: lambda: " | ".join(dict.fromkeys(inner)),
        UnionType: lambda: " | ".join(dict.fromkeys(inner)),
    }
    return formats[kind]() if kind else PLAIN.get(hint, hint.__name__)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    TARGET.write_text(document(), "utf-8")
    LIMITS.write_text(document_limits(), "utf-8")
