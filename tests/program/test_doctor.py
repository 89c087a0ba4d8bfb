"""`pinchtp doctor`, and installations that are damaged."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from clients import FOLDER, run

from pinchtp import _core, doctor
from pinchtp.base.process import ExitStatus
from pinchtp.build import build_info, version_text
from pinchtp.player.network import packaged

PACKAGE = FOLDER.parent / "pinchtp"


def test_doctor_shows_the_installation() -> None:
    done = run("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if "use" not in line)
    assert rows["pinchtp"] == version_text()
    assert sys.executable in rows["python"]
    assert str(_core.__file__) in rows["core"]
    assert f"networks use  {_core.inference_instruction_sets()[-1]} (of" in done.stdout
    path = packaged("pinch")
    assert path is not None
    assert f"pinch {hashlib.sha256(path.read_bytes()).hexdigest()[:8]}" in rows["networks"]
    assert "pytest" in rows["test"]
    assert len(done.stdout.splitlines()) <= 13


def test_doctor_names_missing_parts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: None)
    assert doctor.main([]) == ExitStatus.SUCCESS
    text = capsys.readouterr().out
    assert "needs segno, starlette, uvicorn, websockets: pip install 'pinchtp[board]'" in text


def test_doctor_names_damaged_network(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    damaged = tmp_path / "pinch.network"
    damaged.write_bytes(b"no network")
    monkeypatch.setattr(doctor, "packaged", lambda game: damaged)
    assert doctor.main([]) == ExitStatus.FAILURE
    assert "pinch damaged: " in capsys.readouterr().out


def test_build_names_its_compiler() -> None:
    assert build_info()["compiler"].split()[0] in ("GNU", "Clang", "AppleClang")


@pytest.mark.parametrize(
    ("core", "text"),
    [
        (b"", "file too short"),
        (b"\x7fELF" + bytes(200), "cannot be loaded"),
        (b"nonsense" * 100, "invalid ELF header"),
        (None, "has no compiled core here: run `pip install .`"),
    ],
)
def test_damaged_core_is_told_in_a_line(core: bytes | None, text: str, tmp_path: Path) -> None:
    copy = tmp_path / "pinchtp"
    copy.mkdir()
    for entry in PACKAGE.iterdir():
        if not entry.name.startswith("_core."):
            (copy / entry.name).symlink_to(entry)
    if core is not None:
        (copy / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}").write_bytes(core)
    libraries = sysconfig.get_path("purelib")
    start = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {libraries!r}]; "
    start += "from pinchtp.__main__ import main; sys.exit(main())"
    done = subprocess.run(  # -S: without the hook of an editable install
        [sys.executable, "-P", "-S", "-c", start, "-e", "name"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert text in last
    assert core is None or "build it here by `pip install .`" in last
    assert core is None or len(done.stderr.splitlines()) == 1
