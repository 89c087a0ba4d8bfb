"""Files of the results of a cluster's jobs, from which a proof continues after a crash.

The first line, JSON, describes the subject: the game, its size and rules, and versions. Each
further line has a checksum and a result. Damaged and incomplete lines are ignored.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from pinchtp.base.process import Resource
from pinchtp.engine.analysis import PROOF_WORDS, SolvedValue
from pinchtp.games import GameType, Position
from pinchtp.solving.job_tree import Finding, JobResult
from pinchtp.solving.store import (
    NOT_A_STORE,
    SolverStoreError,
    check_subject,
    describe_subject,
    open_alone,
    remove_if_new,
)

LOG_VERSION = 1  # changes with the content of lines
HEADER_BYTES = 4096  # at most

_PROOFS = {word: proof for proof, word in PROOF_WORDS.items()}


class _StoredFinding(msgspec.Struct, array_like=True):
    value: SolvedValue
    numbers: tuple[int, int]
    line: tuple[int, ...]


class _StoredResult(msgspec.Struct, array_like=True):
    """A result of a job. moves: from the start of the game to its position."""

    moves: tuple[int, ...]
    nodes: int
    finding: _StoredFinding
    after: dict[int, _StoredFinding]


class JobLog(Resource):
    """A file that results are added to.

    results: the results of earlier runs, in order, each with the moves from the start of the game
    to its position.
    """

    def __init__(self, path: Path, game: GameType, position: Position) -> None:
        """Opens or creates the file, and locks it. Raises SolverStoreError and OSError."""
        with remove_if_new(path):
            self._file = os.fdopen(open_alone(path), "r+b")
            try:
                self._read_header(describe_subject(game, position, jobs=LOG_VERSION))
                self.results = list(self._read_results())
            except BaseException:
                self.close()
                raise

    def add(self, moves: tuple[int, ...], result: JobResult) -> None:
        """Adds a result. moves: from the start of the game to its position.

        Raises SolverStoreError; the file may then have a part of the result.
        """
        stored = _StoredResult(
            moves,
            result.nodes,
            _to_stored(result.finding),
            {move: _to_stored(finding) for move, finding in result.after.items()},
        )
        data = msgspec.json.encode(stored)
        try:
            self._file.write(b"%08x %s\n" % (zlib.crc32(data), data))
            self._file.flush()
        except OSError as error:
            raise SolverStoreError(error.strerror) from None

    def close(self) -> None:
        with suppress(OSError):  # after a failed write: closing repeats it
            self._file.close()

    def _read_header(self, subject: dict[str, object]) -> None:
        """Checks the first line; writes it if it is missing or incomplete.

        Raises SolverStoreError and OSError.
        """
        header = self._file.readline(HEADER_BYTES)
        expected = msgspec.json.encode(subject) + b"\n"
        if header == expected:
            return
        if expected.startswith(header):  # a new file, or its creation was interrupted
            self._file.seek(0)
            self._file.write(expected)
            self._file.flush()
            return
        try:
            stored = msgspec.json.decode(header, type=dict[str, object])
        except msgspec.DecodeError:
            raise SolverStoreError(NOT_A_STORE) from None
        if "table" in stored:
            raise SolverStoreError("it was made without --cluster: omit that, or give another file")
        check_subject(stored, subject)

    def _read_results(self) -> Iterator[tuple[tuple[int, ...], JobResult]]:
        """Yields the intact results, and then completes an incomplete last line."""
        line = b"\n"
        for line in self._file:
            check, _, data = line.rstrip(b"\n").partition(b" ")
            if check == b"%08x" % zlib.crc32(data):
                stored = msgspec.json.decode(data, type=_StoredResult)
                after = {move: _from_stored(each) for move, each in stored.after.items()}
                yield stored.moves, JobResult(_from_stored(stored.finding), after, stored.nodes)
        if not line.endswith(b"\n"):
            self._file.write(b"\n")


def _to_stored(finding: Finding) -> _StoredFinding:
    return _StoredFinding(PROOF_WORDS[finding.value], finding.numbers, finding.line)


def _from_stored(stored: _StoredFinding) -> Finding:
    return Finding(_PROOFS[stored.value], stored.numbers, stored.line)
