"""HTML tables of results, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def html_table(caption: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a table with escaped texts."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in row)}</tr>\n" for row in rows
    )
    return f"<table>\n<caption>{escape(caption)}</caption>\n<tr>{head}</tr>\n{body}</table>"
