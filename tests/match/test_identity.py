"""The hash that identifies the program an engine ran."""

import hashlib
import os
from pathlib import Path

from pinchtp.match.playing.engine import binary_hash


def test_binary_hash_of_changed_program_differs(tmp_path: Path) -> None:
    program, net = tmp_path / "engine", tmp_path / "net.bin"
    program.write_bytes(b"1")
    net.write_bytes(b"2")
    command = f"{program} --net {net} --fast"
    first = binary_hash(command)
    assert len(first) == 16
    assert binary_hash(f"./engine --net {net}", str(tmp_path)) == first
    assert binary_hash(str(program)) != first
    net.write_bytes(b"3")
    os.utime(net, (0, 0))
    assert binary_hash(command) != first
    parts = [hashlib.sha256(data).digest() for data in (b"1", b"3")]
    assert binary_hash(command) == hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def test_binary_hash_ignores_arguments_without_files() -> None:
    plain = binary_hash("/bin/sh")
    assert binary_hash(f"/bin/sh -c '{'x' * 5000}' /no/such/file /") == plain


def test_binary_hash_finds_program_by_path(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_bytes(b"#!/bin/sh\n")
    program.chmod(0o755)
    by_path = binary_hash("engine", env={"PATH": str(tmp_path)})
    assert by_path == binary_hash([str(program)])
