"""`pinchtp doctor`, and damaged installations."""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from clients import PACKAGE, run

from pinchtp import _core, doctor
from pinchtp.base.process import ExitStatus
from pinchtp.build import build_info, version_text
from pinchtp.player.network import find_packaged, name_of, read

CORE = Path(str(_core.__file__)).read_bytes()

# Begins with an instruction that no processor has.
ILLEGAL = """
__attribute__((constructor)) static void begin(void) {
#ifdef __x86_64__
  __asm__(".byte 0x0f, 0x0b");
#else
  __asm__(".word 0");
#endif
}
"""


def test_doctor_shows_the_installation() -> None:
    done = run("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if "use" not in line)
    assert rows["pinchtp"] == version_text()
    assert sys.executable in rows["python"]
    assert str(_core.__file__) in rows["core"]
    assert f"networks use  {_core.inference_instruction_sets()[-1]} (of" in done.stdout
    path = find_packaged("pinch")
    assert path is not None
    assert name_of(path, read(path).digest) in rows["networks"].split(", ")
    assert "pytest" in rows["test"]
    assert len(done.stdout.splitlines()) <= 13


def test_doctor_names_missing_parts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: None)
    assert doctor.main([]) == ExitStatus.SUCCESS
    text = capsys.readouterr().out
    assert (
        "needs pillow, segno, starlette, uvicorn, websockets: pip install 'pinchtp[board]'" in text
    )


def test_doctor_names_damaged_network(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    damaged = tmp_path / "pinch.network"
    damaged.write_bytes(b"no network")
    monkeypatch.setattr(doctor, "all_packaged", lambda: [damaged])
    assert doctor.main([]) == ExitStatus.FAILURE
    assert "pinch damaged: " in capsys.readouterr().out


def test_build_names_its_compiler() -> None:
    assert build_info()["compiler"].split()[0] in ("GNU", "Clang", "AppleClang")


def start_with(core: bytes | None, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the program with another file as its core, or without one."""
    copy = folder / "pinchtp"
    copy.mkdir()
    for entry in PACKAGE.iterdir():
        if not entry.name.startswith("_core."):
            (copy / entry.name).symlink_to(entry)
    if core is not None:
        (copy / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}").write_bytes(core)
    libraries = sysconfig.get_path("purelib")
    start = f"import sys; sys.path[:0] = [{str(folder)!r}, {libraries!r}]; "
    start += "from pinchtp.__main__ import main; sys.exit(main())"
    return subprocess.run(  # -S: without the hook of an editable install
        [sys.executable, "-P", "-S", "-c", start, "-e", "name"],
        capture_output=True,
        text=True,
        check=False,
    )


def assert_ended_with(text: str, done: subprocess.CompletedProcess[str]) -> None:
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert text in line
    assert "build it here by `pip install .`" in line


@pytest.mark.parametrize(
    ("core", "text"),
    [
        (b"", "file too short"),
        (b"\x7fELF" + bytes(200), "cannot be loaded"),
        (b"nonsense" * 100, "invalid ELF header"),
        (CORE[: len(CORE) // 2], "the core reads past the end of a file"),
    ],
    ids=["empty", "header", "no-library", "truncated"],
)
def test_damaged_core_is_reported_in_one_line(core: bytes, text: str, tmp_path: Path) -> None:
    assert_ended_with(text, start_with(core, tmp_path))


@pytest.mark.parametrize(
    ("name", "other", "text"),
    [
        (rb"GLIBC_2[0-9.]+", b"GLIBC_9.9", "`GLIBC_9.9' not found"),
        (rb"PyErr_SetString", b"PyErr_Absent", "undefined symbol: PyErr_Absent"),
    ],
)
def test_core_for_other_libraries_is_reported_in_one_line(
    name: bytes, other: bytes, text: str, tmp_path: Path
) -> None:
    found = re.search(rb"\0(%b)\0" % name, CORE)
    if found is None:
        pytest.skip("this core needs no such version")
    core = CORE.replace(found[0], b"\0%b\0" % other.ljust(len(found[1]), b"\0"))
    assert_ended_with(text, start_with(core, tmp_path))


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler")
def test_unsupported_instruction_is_reported_in_one_line(tmp_path: Path) -> None:
    source, library = tmp_path / "core.c", tmp_path / "core.so"
    source.write_text(ILLEGAL)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    done = start_with(library.read_bytes(), tmp_path)
    assert_ended_with("the core uses an instruction that this CPU lacks", done)


def test_missing_core_is_reported_in_one_line(tmp_path: Path) -> None:
    done = start_with(None, tmp_path)
    assert done.returncode == 1
    assert "has no compiled core here: run `pip install .`" in done.stderr.splitlines()[-1]
