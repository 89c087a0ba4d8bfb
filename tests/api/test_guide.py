"""The guide of the Python interface: its examples run, and it names everything that is public."""

import importlib.util
import inspect
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from clients import FOLDER, put_on_path
from threads import call_in_new_thread

import pinchtp
from pinchtp import api, client
from pinchtp.api.engine import ENGINE_OPTIONS

GUIDE = FOLDER.parent / "pinchtp" / "api" / "README.md"
HAS_PETTINGZOO = importlib.util.find_spec("pettingzoo") is not None


def examples() -> list[str]:
    """Returns the Python blocks of the guide."""
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text("utf-8"), re.M | re.S)
    return [each for each in blocks if HAS_PETTINGZOO or "env.env" not in each]


def test_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pinchtp` in their command lines is this one."""
    put_on_path(monkeypatch, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert len(examples()) > 10
    names: dict[str, object] = {}

    def run() -> None:
        for block in examples():
            exec(compile(block, "README.md", "exec"), names)

    call_in_new_thread(run)


def test_every_public_name_is_documented() -> None:
    text = GUIDE.read_text("utf-8")
    classes = [getattr(api, name) for name in api.__all__]
    members = {
        name
        for each in classes
        if isinstance(each, type)
        and each.__module__.startswith(("pinchtp.api", "pinchtp.engine", "pinchtp.games.winrate"))
        for name, member in vars(each).items()
        if not name.startswith("_") and (callable(member) or isinstance(member, property))
    }
    private = {"of", "of_result", "of_session"}  # for the package itself
    missing = {
        name for name in {*api.__all__, *members} - private if not re.search(rf"\b{name}\b", text)
    }
    assert missing == set()


def test_package_has_the_names_of_the_interface() -> None:
    assert pinchtp.__all__ == api.__all__
    assert set(api.__all__) <= set(dir(pinchtp))
    for name in api.__all__:
        assert getattr(pinchtp, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="no attribute 'Board'"):
        _ = pinchtp.Board  # type: ignore[attr-defined]


def test_engine_names_its_options() -> None:
    """Completion and type checkers need them."""
    parameters = inspect.signature(pinchtp.Engine).parameters
    assert set(ENGINE_OPTIONS) == {each.name for each in parameters.values() if each.kind == 3}


def test_errors_of_engines_are_public() -> None:
    errors = {name for name, each in vars(client.errors).items() if isinstance(each, type)}
    assert errors - {"CommandRefused"} <= set(api.__all__)  # which is raised as an EngineError


def test_import_loads_nothing_else() -> None:
    script = "import sys, pinchtp; print(*sorted(m for m in sys.modules if 'pinchtp' in m))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True
    )
    loaded = [name for name in done.stdout.split() if not name.startswith(("_", "__editable"))]
    assert loaded == ["pinchtp"]


def test_import_takes_milliseconds() -> None:
    """60 ms of a processor at most; the fastest of some, since other tests run meanwhile."""
    seconds = []
    for script in ("pass", "import pinchtp") * 5:
        began = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        subprocess.run([sys.executable, "-P", "-c", script], check=True)
        seconds.append(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - began)
    assert min(seconds[1::2]) - min(seconds[::2]) < 0.06


def test_first_use_loads_no_heavy_library() -> None:
    script = "import sys, pinchtp; pinchtp.Game(size=5).play('c3'); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "rich", "sgfmill", "pyparsing", "asyncio"} & set(done.stdout.split())


def import_error(folder: Path) -> str:
    """Imports a copy of the package without its core; returns the last line of the error."""
    source = FOLDER.parent / "pinchtp" / "__init__.py"
    (folder / "pinchtp" / "__init__.py").write_text(source.read_text("utf-8"))
    script = "import sys; sys.meta_path = [f for f in sys.meta_path if 'ditable' not in str(f)]\n"
    script += f"sys.path[0] = {str(folder)!r}\nimport pinchtp"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def test_missing_core_error_names_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "pinchtp").mkdir()
    assert import_error(tmp_path).startswith(
        "ImportError: pinchtp has no compiled core here: run `pip install .`"
    )


def test_core_of_another_python_is_named(tmp_path: Path) -> None:
    (tmp_path / "pinchtp").mkdir()
    core = tmp_path / "pinchtp" / "_core.cpython-27-x86_64-linux-gnu.so"
    core.touch()
    (tmp_path / "pinchtp" / "_core.pyi").touch()
    assert import_error(tmp_path) == (
        f"ImportError: the core {core} was built for another Python than this one, "
        f"{sys.implementation.cache_tag}: run `pip install .` with it"
    )


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="a private module of older Pythons")
@pytest.mark.parametrize("first", ["", "import pinchtp; pinchtp.Game(); "])
def test_subinterpreter_is_refused(first: str) -> None:
    """A search would wait forever for the lock of the main interpreter."""
    script = f"{first}import _xxsubinterpreters as i; i.run_string(i.create(), 'import pinchtp')"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "pinchtp works in the main interpreter only, not in a subinterpreter" in done.stderr
