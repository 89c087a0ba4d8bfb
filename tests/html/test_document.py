"""Documents from templates: escaping, content security policies, writing."""

import base64
import hashlib
import json
import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchtp.html.document import PageTemplate, environment, write_document

EVIL = "</script><script>evil()</script><!-- \" ' & \x1b[31m"
TEMPLATE = PageTemplate("pinchtp.html", "frame.html", scripts=["dom.js", "board.js"])


def part(text: str, name: str) -> str:
    found = re.search(rf"<{name}(?: [^>]*)?>(.*?)</{name}>", text, re.DOTALL)
    assert found
    return found[1]


def test_text_and_data_are_escaped() -> None:
    data = {"name": EVIL, "\u2028": ["<!--", "]]>"]}
    text = TEMPLATE.render(title=EVIL, facts=[EVIL], data=data)
    assert text.count("<script") == text.count("</script>") == 2
    assert "evil()</script>" not in text
    assert "<!--" not in text
    assert unescape(part(text, "title")) == EVIL.replace("\x1b", "\N{SYMBOL FOR ESCAPE}")
    assert json.loads(part(text, "script")) == data


@given(st.text())
def test_json_in_a_script_reads_back(value: str) -> None:
    template = environment("pinchtp.html").from_string("<script>{{ value | tojson }}</script>")
    text = template.render(value=value)
    assert json.loads(part(text, "script")) == value
    assert not {"<", ">", "&"} & set(part(text, "script"))


def test_infinite_data_is_an_error() -> None:
    with pytest.raises(ValueError, match="JSON"):
        TEMPLATE.render(title="", data=[float("inf")])


def policy(text: str) -> dict[str, str]:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert found
    return dict(each.split(" ", 1) for each in found[1].split("; "))


def test_policy_allows_own_script_and_style_only() -> None:
    text = TEMPLATE.render(title="A page", data=[])
    script = re.findall(r"<script(?: [^>]*)?>(.*?)</script>", text, re.DOTALL)[1]
    allowed = policy(text)
    for name, content in (("script-src", script), ("style-src", part(text, "style"))):
        digest = hashlib.sha256(content.encode()).digest()
        assert allowed[name] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert allowed["default-src"] == allowed["connect-src"] == "'none'"
    assert "style=" not in text.replace("data-style", "")  # it would be forbidden
    without_script = PageTemplate("pinchtp.html", "frame.html").render(title="")
    assert policy(without_script)["script-src"] == "'none'"


def test_joined_modules_import_nothing() -> None:
    script = TEMPLATE.render(title="A page", data=[]).split('type="module">')[1]
    assert "import" not in script
    assert "function drawing(" in script


def test_write_document_replaces_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert write_document(path, "old \udcff") == len(rb"old \udcff")
    link = tmp_path / "link.html"
    link.symlink_to(path)
    write_document(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    with pytest.raises(OSError, match="not a regular file"):
        write_document(tmp_path, "")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.html", "page.html"]
