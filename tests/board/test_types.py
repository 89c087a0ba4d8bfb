"""The types of the board's messages and scripts."""

import shutil
import subprocess
from pathlib import Path

import board_types
import pytest
from clients import FOLDER

SOURCE = FOLDER.parent


def compiler() -> str:
    """TypeScript's compiler: in the path, or where `.ci/run` installs it."""
    installed = SOURCE / ".venv" / "node_modules" / ".bin" / "tsc"
    found = shutil.which("tsc") or (str(installed) if installed.exists() else None)
    if found is None or shutil.which("node") is None:
        pytest.skip("no TypeScript: npm install --no-save --prefix .venv typescript")
    return found


def test_message_types_are_up_to_date() -> None:
    """After a change: python tools/board_types.py"""
    assert board_types.TARGET.read_text("utf-8") == board_types.document()
    assert board_types.LIMITS.read_text("utf-8") == board_types.document_limits()


def test_only_fields_with_defaults_are_optional() -> None:
    types = board_types.document()
    assert 'type: "go";\n  id?: number;\n  node: number;' in types
    assert 'type: "play";\n  id?: number;\n  at?: number;' in types


@pytest.mark.slow
def test_scripts_agree_with_their_types() -> None:
    command = [compiler(), "-p", str(board_types.TARGET.parent / "jsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == ""
    assert done.returncode == 0


@pytest.mark.slow
def test_wrong_message_fails_the_type_check(tmp_path: Path) -> None:
    page = board_types.TARGET.parent
    (tmp_path / "wrong.js").write_text(
        f'/** @type {{import("{page.as_posix()}/messages.js").PageRequest}} */\n'
        'export const request = { type: "play", where: 3 };\n'
    )
    command = [compiler(), "--checkJs", "--noEmit", "--strict", "--target", "es2022"]
    command += ["--moduleResolution", "bundler", "--module", "es2022", "wrong.js"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path
    )
    assert "'where' does not exist" in done.stdout
