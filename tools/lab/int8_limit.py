"""Compares network inference with the peak rate of products of small integers.

A loop of dot products with data in the L1 cache (int8_limit.cpp) measures the limits: of products
of bytes, and of 16-bit integers, of which Winograd's convolutions need 25 instead of 81. In
alternation, it measures the products of bytes that the trunk's convolutions of evaluations are
equivalent to. All rates are per CPU time. Needs g++, and a network without pruned weights. Example:

    python tools/lab/int8_limit.py --sizes 9,13,17
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.player import network

SOURCE = Path(__file__).with_suffix(".cpp")
KERNELS = SOURCE.parents[2] / "pinchtp/core/evaluation/network"
BUILD = SOURCE.parents[2] / "pinchtp/core/CMakeLists.txt"
WINOGRAD = 81 / 25  # products of a direct convolution per product of Winograd's
ROUNDS = 7


def flags_of(instruction_set: str) -> list[str]:
    """Returns the compiler flags that the build has for an instruction set."""
    flags = dict(reversed(re.findall(r"set\(flags_(\w+) ([^)]*)\)", BUILD.read_text())))
    known = re.sub(r"\$\{flags_(\w+)\}", lambda name: flags[name[1]], flags[instruction_set])
    return [flag for flag in known.split() if flag.startswith("-m")]


def compile_limit(instruction_set: str, folder: Path) -> Path:
    """Compiles the loop for an instruction set; returns the program."""
    program = folder / instruction_set
    define = f"-DPINCHTP_INSTRUCTION_SET={instruction_set}"
    command = ["g++", "-std=c++20", "-O3", define, *flags_of(instruction_set), f"-I{KERNELS}"]
    subprocess.run([*command, str(SOURCE), "-o", str(program)], check=True)
    return program


def limits(program: Path) -> tuple[float, float]:
    """Returns the peak products per second: of bytes, and of 16-bit integers."""
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    bytes_, halves = map(float, output.split())
    return bytes_, halves


def products(shape: dict[str, int], points: int) -> int:
    """Returns the products of bytes in the convolutions of an evaluation's trunk."""
    channels = shape["channels"]
    layers = shape["planes"] * channels + 2 * shape["blocks"] * channels**2
    return 9 * points * layers


class Evaluations:
    """Timed evaluations of a starting position by the network of a file."""

    def __init__(self, file: network.NetworkFile, size: int, instruction_set: str) -> None:
        self.products = products(dict(file.shape), size * size)
        self._start = GAMES[file.game].start(size, size)
        self._network = network.load(file, self._start, file.game)
        self._set = instruction_set

    def rate(self, seconds: float) -> float:
        """Returns the evaluations per second of CPU time."""
        count = 50
        while True:
            begin = process_time()
            self._start.evaluate_often(self._network, count, instruction_set=self._set)
            taken = process_time() - begin
            if taken >= seconds:
                return count / taken
            count = max(2 * count, int(count * seconds / max(taken, 1e-6)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--network", type=Path, default=network.find_packaged("capture-go"))
    add("--sizes", default="9,13,17", help="boards, separated by commas")
    add("--seconds", type=float, default=0.3, help="seconds per measurement")
    options = parser.parse_args()
    file = network.read(options.network)
    print("instruction set  board  evaluations/s  products/s  of bytes' limit  of Winograd's limit")
    with tempfile.TemporaryDirectory() as folder:
        for each in _core.inference_instruction_sets():
            program = compile_limit(each, Path(folder))
            for size in map(int, options.sizes.split(",")):
                evaluations = Evaluations(file, size, each)
                rounds = [
                    (evaluations.rate(options.seconds), *limits(program)) for _ in range(ROUNDS)
                ]
                rate, of_bytes, of_halves = (median(column) for column in zip(*rounds, strict=True))
                made = rate * evaluations.products
                print(
                    f"{each:15}{size:>4}x{size:<3}{rate:>13,.0f}{made / 1e9:>10,.1f}e9"
                    f"{made / of_bytes:>17.2f}{made / of_halves / WINOGRAD:>21.2f}"
                )


if __name__ == "__main__":
    main()
