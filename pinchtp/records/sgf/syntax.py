"""The syntax of SGF: a parser and a writer of game trees with nodes, properties and values.

Values are as in the file, with their escapes; text_value() and escape() convert them. A file is
decoded before it is parsed, because a second byte in Shift-JIS, Big5 or GBK may be `\\` or `]`.
Libraries such as sgfmill remove escapes first, and report errors without their line.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, lookup
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from pinchtp.base.text import without_controls
from pinchtp.games.session import MOST_MOVES
from pinchtp.records.errors import RecordError

MAX_NODES = 5 * MOST_MOVES  # of a game, with variations and setup
MAX_COLUMN = 79  # of written lines, except within values


SgfNode = dict[str, list[str]]  # the properties of a node, each with its values


@dataclass
class GameTree:
    """A sequence of nodes, and the trees that continue it.

    source: the text of the file. begin, end: the tree's place in it. begins: the places of the
    nodes.
    """

    source: str
    begin: int
    end: int = 0
    nodes: list[SgfNode] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    children: list[GameTree] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.source[self.begin : self.end]

    def text_from(self, number: int) -> str:
        """Returns a node and its descendants, as the text of a tree.

        number: the number of the node, from 0.
        """
        return f"({self.source[self.begins[number] : self.end]}" if number else self.text


def has_game(text: str) -> bool:
    """Returns whether a game begins in a text."""
    return _BEGIN.search(text) is not None


def parse(data: bytes | str) -> Iterator[GameTree]:
    """Yields the games of a file. Text before and between games is ignored.

    Raises RecordError, with line and column, for invalid SGF.
    """
    text = decode(data)
    begin = _BEGIN.search(text)
    if begin is None:
        raise RecordError("not an SGF file: no game found, which would begin with '(;'")
    while begin:
        tree, at = _parse_game(text, begin.start())
        yield tree
        begin = _BEGIN.search(text, at)


def parse_first(data: bytes | str) -> GameTree:
    """Returns the first game of a file; see parse()."""
    return next(parse(data))


def main_line(tree: GameTree) -> list[GameTree]:
    """Returns the trees of the main line, the root first."""
    line = [tree]
    while line[-1].children:
        line.append(line[-1].children[0])
    return line


# --- texts of values


def text_value(raw: str) -> str:
    """Returns the text of a value, without escapes, soft line breaks and control characters."""
    text = _ESCAPE.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], raw)
    return without_controls(_LINE_BREAK.sub("\n", text))


def first_text(node: SgfNode, name: str) -> str:
    """Returns the first text of a property in one line, stripped; empty without the property."""
    return " ".join(text_value(node[name][0]).split("\n")).strip() if name in node else ""


def only_text(node: SgfNode, name: str) -> str:
    """Returns the text of a property that has one value; empty without one or with several."""
    return first_text(node, name) if len(node.get(name, [])) == 1 else ""


def escape(text: str) -> str:
    """Returns the value for a text, with escapes and without control characters."""
    plain = without_controls(_LINE_BREAK.sub("\n", text))
    return plain.encode(errors="replace").decode().replace("\\", "\\\\").replace("]", "\\]")


_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")


# --- writing


class Writer:
    """A writer of nodes that breaks long lines between properties; str() returns the text."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._column = 0

    def __str__(self) -> str:
        return "".join(self._parts)

    def node(self, node: SgfNode) -> None:
        properties = [name + "".join(f"[{value}]" for value in node[name]) for name in node]
        self.text(";" + "".join(properties[:1]))
        for each in properties[1:]:
            self.text(each)

    def text(self, part: str) -> None:
        """Adds a parenthesis, a property, or the text of a variation."""
        first, *rest = part.split("\n")
        if self._column and self._column + len(first) > MAX_COLUMN:
            self._parts.append("\n")
            self._column = 0
        self._parts.append(part)
        self._column = len(rest[-1]) if rest else self._column + len(part)


# --- decoding


def decode(data: bytes | str) -> str:
    """Returns the text of a file; a text is returned unchanged.

    The charset is that of the byte order mark or of CA, or UTF-8 if the file is valid UTF-8; most
    files without CA are. Invalid bytes become U+FFFD. If those are most of the characters beyond
    ASCII, the charset is ISO-8859-1, the default of the standard.
    """
    if isinstance(data, str):
        return data
    if data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)):
        return data.decode("utf-16", "replace")
    encoding = "utf-8-sig" if data.startswith(BOM_UTF8) else _find_encoding(data)
    for each in (encoding, "utf-8"):
        with suppress(UnicodeError):
            return data.decode(each)
    text = data.decode(encoding, "replace")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text if text.count("\ufffd") <= beyond_ascii / 2 else data.decode("latin-1")


def _find_encoding(data: bytes) -> str:
    """Returns the encoding that CA names; UTF-8 if it names none that we know."""
    if named := _CHARSET.search(data):
        charset = re.sub("^(iso|windows|koi8)[-_]?", r"\1-", named[1].decode().lower())
        if charset in _SUPERSETS or re.fullmatch(_CHARSETS, charset):
            with suppress(LookupError):
                return lookup(_SUPERSETS.get(charset, charset)).name
    return "utf-8"


_CHARSET = re.compile(rb"CA\s*\[\s*([-_0-9A-Za-z]{1,20})\s*\]")
# Charsets that occur in files; some other codecs of Python do not decode text.
_CHARSETS = r"(iso|windows|shift|euc|koi8)[-_0-9a-z]{1,11}|(cp|gb|big|latin)[-0-9k]{1,5}"
# Names that Python does not have, and names of small charsets that Windows programs write for
# larger ones.
_SUPERSETS = {
    **dict.fromkeys(("shift_jis", "shift-jis", "shiftjis", "sjis", "x-sjis"), "cp932"),
    **dict.fromkeys(("ms932", "windows-31j"), "cp932"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("euc-kr", "euckr", "ks_c_5601-1987"), "cp949"),
    "big5-hkscs": "big5hkscs",
}


# --- parsing

_BEGIN = re.compile(r"\((?=\s*;)")
# A mark, a value, or a name. Old files have names in mixed case, of which only the capitals count;
# names of LizzieYzy contain digits.
_TOKEN = re.compile(
    r"\s*(?:([();])|\[((?>(?:[^]\\]++|\\.)*))]|([A-Z][A-Z0-9]++(?![a-z])|[A-Za-z]+))", re.DOTALL
)


def _parse_game(text: str, at: int) -> tuple[GameTree, int]:
    """Returns the game that begins at a place, and the place after it. Raises RecordError."""
    root = GameTree(text, at)
    path = [root]  # the trees from the root to the current one
    values: list[str] | None = None  # of the last property
    count = 0
    at += 1
    while path:
        tree = path[-1]
        found = _TOKEN.match(text, at)
        if found is None:
            raise _unexpected(text, at, tree, values)
        mark, value, name = found.groups()
        if value is not None and values is not None:
            values.append(value)
        elif values == []:
            raise _unexpected(text, at, tree, values)
        elif name is not None and tree.nodes and not tree.children:
            values = tree.nodes[-1].setdefault(re.sub("[a-z]", "", name) or name, [])
        elif mark == ";" and not tree.children:
            count += 1
            if count > MAX_NODES:
                raise RecordError(f"more than {MAX_NODES} nodes")
            tree.nodes.append({})
            tree.begins.append(found.start(1))
            values = None
        elif mark == "(" and tree.nodes:
            path.append(GameTree(text, found.end() - 1))
            tree.children.append(path[-1])
            values = None
        elif mark == ")" and tree.nodes:
            tree.end = found.end()
            path.pop()
        else:
            raise _unexpected(text, at, tree, values)
        at = found.end()
    return root, at


def _unexpected(text: str, at: int, tree: GameTree, values: list[str] | None) -> RecordError:
    """Returns the error for an unexpected character: its place, and the expected syntax."""
    at += len(text[at:]) - len(text[at:].lstrip())
    where = f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"
    if at >= len(text):
        return RecordError(f"invalid SGF: {where}: the file ends before the ')' of its game")
    if text[at] == "[" and values is not None:
        why = "of a value without a closing ']'"
    elif values == []:
        why = "where '[' should begin the value of a property"
    elif text[at] == "]":
        why = "after the end of a value; inside a value write '\\]'"
    elif not tree.nodes:
        why = "where ';' should begin a node"
    elif tree.children:
        why = "where '(' or ')' should be"
    else:
        why = "where a property, ';', '(' or ')' should be"
    return RecordError(f"invalid SGF: {where}: {text[at]!a} {why}")
