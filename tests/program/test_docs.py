"""The documents say what the program does: transcripts are run, the reference is compared."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from clients import run
from program.test_layers import MAY_IMPORT

from pinchtp.base.process import ExitStatus
from pinchtp.cli import SUBCOMMANDS, main

ROOT = Path(__file__).parents[2]

DOCUMENTS = [
    "README.md",
    "protocol.md",
    *(
        str(path.relative_to(ROOT))
        for folder in ("findings", "pinchtp", "tests", "tools")
        for path in sorted((ROOT / folder).rglob("*.md"))
    ),
]


def load_tool(name: str) -> dict[str, object]:
    """Returns the namespace of a script in tools/, which is not a package."""
    source = (ROOT / "tools" / f"{name}.py").read_text("utf-8")
    namespace: dict[str, object] = {
        "__name__": name,
        "__file__": str(ROOT / "tools" / f"{name}.py"),
    }
    exec(compile(source, name, "exec"), namespace)
    return namespace


def test_protocol_md_agrees_with_the_registry() -> None:
    text = (ROOT / "protocol.md").read_text("utf-8")
    update_document = load_tool("protocol")["update_document"]
    assert callable(update_document)
    assert update_document(text) == text, "run tools/protocol.py"


def test_links_lead_to_a_file_and_heading() -> None:
    links = [
        (document, link)
        for document in DOCUMENTS
        for link in re.findall(
            r"""(?:\]\(|src=")([^)"\s]+)""", (ROOT / document).read_text("utf-8")
        )
        if not link.startswith("http")
    ]
    assert [each for each in links if not leads_somewhere(*each)] == []


def leads_somewhere(document: str, link: str) -> bool:
    """Whether the file exists, and has the heading once."""
    file, _, heading = link.partition("#")
    target = (ROOT / document).parent / file if file else ROOT / document
    return target.exists() and (not heading or headings(target).count(heading) == 1)


@cache
def headings(path: Path) -> list[str]:
    """Returns the anchors of the headings of a document."""
    tool = load_tool("protocol")
    anchor, code = tool["anchor"], tool["CODE"]
    assert callable(anchor)
    assert isinstance(code, re.Pattern)
    text = code.sub("", path.read_text("utf-8"))
    return [anchor(title) for title in re.findall(r"^#+ (.*)$", text, re.M)]


def test_session_of_protocol_md_is_true() -> None:
    """It is sent as it stands, annotations included; lines of answers begin with = or ?."""
    text = (ROOT / "protocol.md").read_text("utf-8")
    found = re.search(r"<!-- tested session: (.*) -->\n```\n(.*?)```", text, re.DOTALL)
    assert found
    options, session = found.groups()
    sent, answers = [], []
    for line in session.splitlines():
        is_command = line and not line.startswith(("=", "?")) and (not answers or not answers[-1])
        (sent if is_command else answers).append(line)
    assert len(sent) > 10
    done = run(*options.split(), sent="\n".join(sent).encode())
    assert done.stdout.splitlines() == answers


@pytest.mark.parametrize(
    "guide", ["README.md", "pinchtp/client/README.md", "pinchtp/engine/README.md"]
)
def test_python_examples_run(guide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pinchtp` in their command lines is this one; tests/api has those of the interface."""
    path = [str(Path(sys.executable).parent), os.environ["PATH"], "/usr/games"]
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / guide).read_text("utf-8"), re.M | re.S)
    assert blocks
    for block in blocks:
        if "gnugo" not in block or shutil.which("gnugo"):
            exec(compile(block, guide, "exec"), {})


def test_cited_rules_are_numbered_in_the_guide() -> None:
    guide = (ROOT / "pinchtp" / "games" / "README.md").read_text("utf-8")
    numbered = set(re.findall(r"^- ([A-Z][0-9]+) ", guide, re.M))
    sources = [
        path
        for folder in ("pinchtp/core", "tests/reference", "tests/rulebook")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".hpp", ".cpp", ".py")
    ]
    cited = {
        rule
        for path in sources
        for line in path.read_text("utf-8").splitlines()
        for comment in re.findall(r"(?://|#|\"\"\").*", line)
        for rule in re.findall(r"\b[PVLR][0-9]{1,2}\b", comment)
    }
    assert len(cited) > 20
    assert cited <= numbered


def test_every_symbol_of_a_grammar_is_defined() -> None:
    """Grammars are the blocks of protocol.md without a language that have definitions."""
    text = (ROOT / "protocol.md").read_text("utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = "".join(block for block in blocks if re.match(r"[a-z]+ +=", block)).splitlines()
    defined = {line.split(" =")[0].strip() for line in lines if re.match(r"[a-z]+ +=", line)}
    rules = [re.sub(r'^[a-z]+ +=|"[^"]*"|;.*|%x[0-9A-F-]+', "", line) for line in lines]
    used = {word for rule in rules for word in re.findall("[A-Za-z]+", rule)}
    assert {"line", "vertex", "sign", "info", "slide"} <= defined
    assert used - defined == {"DIGIT", "SP", "LF"}


def transcripts() -> list[tuple[str, str]]:
    """Returns the commands of all tested blocks, each with the output that follows it."""
    texts = [(ROOT / document).read_text("utf-8") for document in DOCUMENTS]
    blocks = [
        block
        for text in texts
        for block in re.findall(r"<!-- tested transcript -->\n```console\n(.*?)```", text, re.S)
    ]
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M) if part]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("command", "output"), transcripts())
def test_transcripts_match_output(command: str, output: str) -> None:
    assert command.startswith("pinchtp ")
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m {command}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=ROOT / "tests",
        timeout=300,
    )
    assert done.stdout.strip() == output.strip()


PROGRAMS = ["", *SUBCOMMANDS, "match show", "match repair", "match openings"]


def statuses(text: str) -> list[int]:
    """The exit statuses that the --help of a program explains."""
    return [
        int(word) for word in re.findall(r"^  ([0-9]+) ", text.partition("exit status:")[2], re.M)
    ]


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_explains_the_exit_statuses(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*program.split(), "--help"])
    documented = statuses(capfd.readouterr().out)
    assert documented == sorted(documented)
    assert {ExitStatus.SUCCESS, ExitStatus.WRONG_USE} <= set(documented) <= set(ExitStatus)


def test_match_guide_lists_exit_statuses() -> None:
    text = (ROOT / "pinchtp" / "match" / "README.md").read_text("utf-8")
    table = text.partition("| exit status of `pinchtp match` |")[2].partition("\n\n")[0]
    documented = [int(row) for row in re.findall(r"^\| ([0-9]+) \|", table, re.M)]
    assert documented == statuses(run("match", "--help").stdout) == list(ExitStatus)


def test_report_guide_has_the_stored_figures() -> None:
    tool = load_tool("reports")
    readme = tool["README"]
    assert isinstance(readme, Path)
    text = readme.read_text("utf-8")
    update_table, reports = tool["update_table"], tool["REPORTS"]
    assert callable(update_table)
    assert update_table(text) == text, "run tools/reports.py --table"
    assert text.count("<br><sub>") > 5 * len(reports)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["board_types", "perft", "pictures", "protocol"])
def test_help_of_a_tool_writes_no_file(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", ROOT / "tools" / f"{name}.py", "--help"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith(f"usage: {name}.py")


def prose(document: str) -> list[str]:
    """Returns the lines of a document without tables and generated lists."""
    text = (ROOT / document).read_text("utf-8")
    text = re.sub(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return [line for line in text.splitlines() if not line.startswith("|")]


def test_prose_has_no_long_lines() -> None:
    lines = [(document, line) for document in DOCUMENTS for line in prose(document)]
    assert [each for each in lines if len(each[1]) > 100] == []


def test_architecture_lists_packages_in_dependency_order() -> None:
    text = (ROOT / "pinchtp" / "README.md").read_text("utf-8")
    table = text.partition("## Packages")[2].partition("\n## ")[0]
    rows = [
        re.findall(r"`([^`]*)`", row.split("|")[1]) for row in re.findall(r"^\|.*", table, re.M)
    ]
    level = {
        name.removeprefix("pinchtp/").removesuffix("/").removesuffix(".py"): number
        for number, names in enumerate(rows)
        for name in names
    }
    level["_core"] = level.pop("core")
    assert set(level) == {*MAY_IMPORT, "_core"} - {"__init__", "__main__"}
    for part, others in MAY_IMPORT.items():
        for other in others.split():
            assert part in ("__main__", "__init__") or level[other] <= level[part], (
                f"{part} imports {other}"
            )
