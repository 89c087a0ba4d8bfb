"""Allowed imports between modules, read from the sources."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from clients import FOLDER, PACKAGE

from pinchtp.games import GAMES, RULE_OPTIONS
from pinchtp.records import sgf

SOURCES = sorted(PACKAGE.rglob("*.py"))

# Each module or subpackage of pinchtp, with the others it may import. Every new one is added here.
MAY_IMPORT = {
    "__init__": "api",
    "__main__": "cli",
    "shell": "cli base",
    "env": "api render games",
    "build": "",
    "doctor": "build player games base _core",
    "cli": "analysis build doctor solving gtp bench board check match play records report review "
    "player games base",
    "api": "match engine client player records render html games base _core",
    "play": "review engine gtp records render player games base _core",
    "analysis": "engine player games base _core",
    "board": "review engine client records render gtp player games base _core",
    "report": "solving bench engine html player records render games base _core",
    "bench": "player games base _core",
    "check": "client render games base _core",
    "match": "client html player records render games base _core",
    "solving": "engine player render records games base _core",
    "gtp": "engine player records render games base _core",
    "review": "engine html records render client player games base _core",
    "engine": "client player html games base _core",
    "client": "records render games base",
    "player": "games base _core",
    "html": "render games base",
    "records": "render games base _core",
    "render": "games base _core",
    "games": "base _core",
    "base": "",
}


def part_of(source: Path) -> str:
    """The module or subpackage that a source belongs to."""
    return source.relative_to(PACKAGE).with_suffix("").parts[0]


@cache
def tree(source: Path) -> ast.Module:
    return ast.parse(source.read_text("utf-8"), str(source))


def imported(source: Path) -> Iterator[str]:
    """Yields the full names of a source's imports, at any place, type checking included."""
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}:{node.lineno}: write the full name"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parts_imported(source: Path) -> set[str]:
    names = [name.split(".") for name in imported(source)]
    parts = {name[1] for name in names if name[0] == "pinchtp" and len(name) > 1}
    return parts - {"__version__", part_of(source)}


def module_name(source: Path) -> str:
    """Returns the name by which a source is imported."""
    parts = source.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def test_imports_point_downwards() -> None:
    """Say in MAY_IMPORT where a new part stands."""
    upwards = {
        module_name(source): parts_imported(source) - set(MAY_IMPORT[part_of(source)].split())
        for source in SOURCES
    }
    assert {name: parts for name, parts in upwards.items() if parts} == {}


def test_modules_import_in_no_circle() -> None:
    modules = {module_name(source) for source in SOURCES}
    imports: dict[str, set[str]] = {}
    for source in SOURCES:
        names = {name if name in modules else name.rpartition(".")[0] for name in imported(source)}
        # All may import the version and the core from the package itself.
        imports[module_name(source)] = (names & modules) - {PACKAGE.name}
    TopologicalSorter(imports).prepare()  # raises CycleError, with the circle


def test_folders_of_a_package_import_in_no_circle() -> None:
    """The floors of a package are in order; its modules beside them may import any."""
    inits = [source for source in SOURCES if source.name == "__init__.py"]
    floors = {module_name(source) for source in inits if source.parents[1] not in PACKAGE.parents}
    floors -= {module_name(source) for source in inits if source.parents[1] == PACKAGE}
    assert {"pinchtp.match.playing", "pinchtp.match.results"} <= floors
    imports: dict[str, set[str]] = {floor: set() for floor in floors}
    for source in SOURCES:
        floor = module_name(source.with_name("__init__.py"))
        for other in floors - {floor} if floor in floors else ():
            if any(name.startswith(f"{other}.") for name in imported(source)):
                imports[floor].add(other)
    TopologicalSorter(imports).prepare()  # raises CycleError, with the circle


def test_allowed_imports_have_no_cycle() -> None:
    table = {part: names.split() for part, names in MAY_IMPORT.items()}
    assert set(TopologicalSorter(table).static_order()) == {*MAY_IMPORT, "_core"}


def test_imports_are_found() -> None:
    """If they were not, everything would seem to be in order."""
    assert {"gtp", "player"} <= parts_imported(PACKAGE / "cli.py")
    assert {"games", "player", "base"} <= parts_imported(PACKAGE / "gtp" / "engine.py")


def test_only_the_registry_names_a_game() -> None:
    naming = {
        (module_name(source), node.value)
        for source in SOURCES
        for node in ast.walk(tree(source))
        if isinstance(node, ast.Constant) and node.value in set(GAMES)
    }
    assert {each for each in naming if each[0] != "pinchtp.games.game"} == set()


def test_only_the_registry_names_a_rule_option() -> None:
    """A new one touches its game's entry and its game's core header, and nothing else."""
    naming = {
        (source.name, str(word))
        for source in SOURCES
        if source.parent != PACKAGE / "games"
        for node in ast.walk(tree(source))
        for word in (getattr(node, name, None) for name in ("value", "arg", "attr"))
        if str(word) in RULE_OPTIONS
    }
    assert naming <= {("plan.py", "pie")}


# The rest of the program may import from records/ the reader with its results, and the writers.
READER = {"errors", "game", "reader", "options", "command"}
WRITERS = {f"sgf.{name}" for name in sgf.__all__} | {
    *("sgf", "sgf.nodes.default_comment", "abstract_play.encode", "abstract_play.to_record"),
    *("link.link_text", "position_line.position_line", "position_line.start_from"),
    *("position_line.SWAP_OPEN", "position_line.SWAPPED"),
    *("move_list.move_words", "move_list.play_moves"),
}


def test_games_are_read_in_one_place() -> None:
    root = "pinchtp.records."
    taken = {
        name.removeprefix(root)
        for source in SOURCES
        if part_of(source) != "records"
        for name in imported(source)
        if name.startswith(root)
    }
    assert {name for name in taken if name.partition(".")[0] not in READER} <= WRITERS


def test_only_player_and_bench_import_the_search() -> None:
    knowing = set()
    for source in SOURCES:
        for node in ast.walk(tree(source)):
            # `from pinchtp._core import Search`, or `_core.Search`
            if "Search" in (getattr(node, "name", ""), getattr(node, "attr", "")):
                knowing.add(part_of(source))
    assert knowing == {"player", "bench"}


def test_only_the_engine_package_brings_programs_to_sessions() -> None:
    """A table's engine and those of reviews and Python are uses of one implementation."""
    position = "pinchtp.client.position.EnginePosition"
    knowing = {module_name(source) for source in SOURCES if position in imported(source)}
    assert knowing == {"pinchtp.engine.gtp"}


MOST_MODULES = 50
HEAVY = {"hmac", "jinja2", "tomllib", "numpy", "starlette", "uvicorn", "msgspec"}

LOADED_BY_A_SERVER = """
import sys
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.server import Server
from pinchtp.player.settings import Settings

server = Server(GtpEngine(Settings()))
for line in ["name", "list_commands", "boardsize 9", "play b e5", "showboard", "all_legal"]:
    assert server.answer(line).ok
print(*sys.modules)
"""


ANSWERED_FIRST = """
import sys
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.server import Server
from pinchtp.player.settings import Settings

assert Server(GtpEngine(Settings())).answer("name").ok
assert not {"difflib", "hashlib", "pyparsing", "traceback"} & set(sys.modules)
"""


def test_first_response_needs_no_argument_parser() -> None:
    subprocess.run([sys.executable, "-c", ANSWERED_FIRST], check=True, cwd=FOLDER)


def test_server_loads_no_heavy_module() -> None:
    """A GUI starts four, and numpy alone takes longer than all the rest."""
    loaded = subprocess.run(
        [sys.executable, "-c", LOADED_BY_A_SERVER],
        check=True,
        capture_output=True,
        text=True,
        cwd=FOLDER,
    ).stdout.split()
    assert "pinchtp.gtp.server" in loaded
    assert HEAVY & set(loaded) == set()
    assert len([name for name in loaded if name.startswith("pinchtp")]) <= MOST_MODULES


SOLVED = """
import sys
from pinchtp.solving.command import main
assert main(["--size", "2"]) == 0
print(*sys.modules, file=sys.stderr)
"""


def test_short_proof_loads_no_heavy_module() -> None:
    """Small boards take less time than numpy and asyncio, which proof files and clusters need."""
    loaded = subprocess.run(
        [sys.executable, "-c", SOLVED], check=True, capture_output=True, text=True, cwd=FOLDER
    ).stderr.split()
    assert "pinchtp.solving.proof" in loaded
    assert (HEAVY | {"asyncio"}) & set(loaded) == set()


CORE = PACKAGE / "core"

# A folder of the core, or a source next to them, and the others it may include; `.` means the
# files next to the folders, which all may include. `position` is the interface of the core.
CORE_MAY_INCLUDE = {
    "bindings": "batch solver position search evaluation",
    "shared": "batch solver position instances search evaluation .",
    "batch": "position .",
    "solver": "position search evaluation .",
    "position": "instances search evaluation .",
    "instances": "search evaluation games .",
    "search": "evaluation games .",
    "evaluation": "games .",
    "games": ".",
    ".": "",
}
CORE_SOURCES = sorted(path for path in CORE.rglob("*") if path.suffix in {".hpp", ".cpp"})


def core_part_of(source: Path) -> str:
    part = source.relative_to(CORE).with_suffix("").parts[0]
    return part if part in CORE_MAY_INCLUDE else "."


def included(source: Path) -> Iterator[Path]:
    """Yields the files of the core that one includes."""
    for name in re.findall(r'^#include "(.+)"', source.read_text("utf-8"), re.MULTILINE):
        beside = (source.parent / name).resolve()
        found = beside if beside.exists() else CORE / name
        assert found.exists(), f"{source}: {name}"
        yield found


def test_includes_of_the_core_point_downwards() -> None:
    upwards = {
        (source.name, other.name)
        for source in CORE_SOURCES
        for other in included(source)
        if core_part_of(other)
        not in (part := core_part_of(source), *CORE_MAY_INCLUDE[part].split())
    }
    assert upwards == set()


def test_only_the_bindings_know_python() -> None:
    knowing = {
        core_part_of(source) for source in CORE_SOURCES if "nanobind" in source.read_text("utf-8")
    }
    assert knowing == {"bindings"}
