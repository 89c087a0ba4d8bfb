"""No regular expression of the project backtracks: work is linear in the length of the text.

Every pattern is found in the sources and taken apart. A repetition without a limit has to be of
single signs that what follows cannot begin with, or possessive (`*+`), or the end of an atomic
group. One that is looked for anywhere in a text must not begin with one, or long runs cost their
square.

A group is not repeated possessively: Python 3.11.0 to 3.11.4, which Debian 12 has, do not take back
what an incomplete repetition has read (CPython issue 106052).
"""

import ast
import builtins
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from clients import FOLDER, PACKAGE

SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "re." in path.read_text("utf-8"))

FUNCTIONS = {"compile", "match", "fullmatch", "search", "sub", "split", "finditer", "findall"}
ANYWHERE = {"compile", "search", "sub", "split", "finditer", "findall"}
MANY = 1000  # repetitions that count as no limit

# Parts of patterns that functions assemble; other names count as a word.
EXAMPLES = {"last": "y"}


class Examples(dict[str, Any]):
    """The names of a module, and those of its functions by examples."""

    def __missing__(self, name: str) -> Any:
        return vars(builtins).get(name, EXAMPLES.get(name, "word"))


SIGNS = range(256)
SPACES = {32, *range(9, 14), 28, 29, 30, 31, 133, 160}
DIGITS = set(range(48, 58))
WORDS = {at for at in SIGNS if chr(at).isalnum()} | {ord("_")}
CATEGORIES = {
    c.CATEGORY_SPACE: SPACES,
    c.CATEGORY_DIGIT: DIGITS,
    c.CATEGORY_WORD: WORDS,
    c.CATEGORY_NOT_SPACE: set(SIGNS) - SPACES,
    c.CATEGORY_NOT_DIGIT: set(SIGNS) - DIGITS,
    c.CATEGORY_NOT_WORD: set(SIGNS) - WORDS,
}


def patterns(path: Path) -> Iterator[tuple[int, str, str | bytes]]:
    """The line, the function and the text of each pattern in a source."""
    module = importlib.import_module(
        ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts).removesuffix(".__init__")
    )
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func
        is_ours = isinstance(called, ast.Name) and called.id == "_make_factory"
        is_theirs = (
            isinstance(called, ast.Attribute)
            and isinstance(called.value, ast.Name)
            and (called.value.id, called.attr in FUNCTIONS) == ("re", True)
        )
        if not (is_ours or is_theirs):
            continue
        name = called.attr if isinstance(called, ast.Attribute) else "match"
        source = ast.unparse(node.args[0])
        for text in evaluated(source, vars(module)):
            yield node.lineno, name, text


def evaluated(source: str, known: dict[str, Any]) -> list[str | bytes]:
    if source == "pattern":  # of a list, or an argument
        lists = [value for value in known.values() if isinstance(value, list)]
        return [each[0] for entries in lists for each in entries if isinstance(each, tuple)]
    value = eval(source, {}, Examples(known))
    return [value.pattern if isinstance(value, re.Pattern) else value]


def signs(item: tuple[Any, Any]) -> set[int] | None:
    """Returns the characters a single-character item matches; None for other items."""
    kind, value = item
    if kind is c.LITERAL:
        return {value} & set(SIGNS)
    if kind is c.NOT_LITERAL:
        return set(SIGNS) - {value}
    if kind is c.ANY:
        return set(SIGNS)
    if kind is not c.IN:
        return None
    found: set[int] = set()
    for each, what in value:
        if each is c.LITERAL:
            found.add(what)
        elif each is c.RANGE:
            found |= set(range(what[0], what[1] + 1))
        elif each is c.CATEGORY:
            found |= CATEGORIES[what]
    return set(SIGNS) - found if value[0][0] is c.NEGATE else found


def first(items: list[Any], after: set[int]) -> set[int]:
    """Returns the first characters of a sequence; `after`: those that follow an empty one."""
    found: set[int] = set()
    for kind, value in items:
        single = signs((kind, value))
        if single is not None:
            return found | single
        if kind is c.SUBPATTERN:
            inner = first(list(value[3]), {-1})
        elif kind is c.ATOMIC_GROUP:
            inner = first(list(value), {-1})
        elif kind is c.BRANCH:
            inner = set().union(*(first(list(each), {-1}) for each in value[1]))
        elif kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            inner = first(list(value[2]), {-1}) | ({-1} if value[0] == 0 else set())
        elif kind is c.ASSERT and value[0] > 0:
            inner = first(list(value[1]), {-1}) | {-1}
        else:  # an end, or what must not follow
            inner = {-1}
        found |= inner - {-1}
        if -1 not in inner:
            return found
    return found | after


def faults(items: list[Any], after: set[int], atomic: bool = False) -> Iterator[str]:
    """Yields the possible backtracking of a sequence followed by one of `after`.

    atomic: it ends an atomic group.
    """
    for at, (kind, value) in enumerate(items):
        then = first(items[at + 1 :], after)
        ends = atomic and at == len(items) - 1
        if kind is c.SUBPATTERN:
            yield from faults(list(value[3]), then, ends)
        elif kind is c.ATOMIC_GROUP:
            yield from faults(list(value), set(), atomic=True)
        elif kind is c.BRANCH:
            for each in value[1]:
                yield from faults(list(each), then, ends)
        elif kind is c.POSSESSIVE_REPEAT:
            if len(value[2]) > 1 or signs(value[2][0]) is None:
                yield "a group is repeated possessively"
        elif kind in (c.MAX_REPEAT, c.MIN_REPEAT):
            inner = list(value[2])
            again = first(inner, set()) if value[1] > 1 else set()
            single = signs(inner[0]) if len(inner) == 1 else None
            if value[1] < MANY or (single is None and ends):
                yield from faults(inner, then | again, ends and value[1] == 1)
            elif single is None:
                yield "a group is repeated"
            elif single & then:
                yield "what is repeated may follow as well"


def begins_anywhere(items: list[Any]) -> bool:
    """Whether it begins with a repetition, and may fail after it."""
    kind, value = items[0]
    while kind is c.SUBPATTERN and len(items) == 1:
        items = list(value[3])
        kind, value = items[0]
    repeats = kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
    return repeats and value[1] >= MANY and len(items) > 1


def is_used_anywhere(path: Path, line: int, name: str) -> bool:
    if name != "compile":
        return name in ANYWHERE
    text = path.read_text("utf-8")
    given = text.split("\n")[line - 1].partition(" = ")[0].strip()
    return any(f"{given}.{use}" in text for use in ANYWHERE - {"compile"})


def found_faults(path: Path) -> list[str]:
    wrong = []
    for line, name, text in patterns(path):
        flags = re.VERBOSE if "(?#" not in str(text) and "\n" in str(text) else 0
        items = list(parser.parse(text, flags))
        reasons = list(faults(items, set()))
        if items and begins_anywhere(items) and is_used_anywhere(path, line, name):
            reasons.append("it is looked for anywhere and begins with a repetition")
        wrong += [f"{path.relative_to(PACKAGE)}:{line}: {text!r}: {reason}" for reason in reasons]
    return wrong


def test_patterns_do_not_backtrack() -> None:
    assert [fault for path in SOURCES for fault in found_faults(path)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+b",
        r"[^ ].*?(?=( +[0-9]{1,18})?$)",
        r"(b +[^ ]+( +|$))*",
        "a*ab",
        "(?:a++b)*+c",
        "(?:a++b)?+c",
        "(?>(?:a+)*)b",
        "(?>(?:a++b)*a)b",
        "(?>((?:a++b)*)a)b",
    ],
)
def test_backtracking_pattern_is_found(pattern: str) -> None:
    assert list(faults(list(parser.parse(pattern)), set()))


def test_quadratic_pattern_is_found() -> None:
    assert begins_anywhere(list(parser.parse(r"\s+"))) is False
    assert begins_anywhere(list(parser.parse(r"\s*+#")))


@pytest.mark.parametrize(
    "pattern", ["(?>(?:a++b)*)c", "[0-9]+x", "[^ ]++(?>(?: ++[^ ]++)*)", "a{1,9}a"]
)
def test_linear_pattern_is_accepted(pattern: str) -> None:
    assert not list(faults(list(parser.parse(pattern)), set()))
