"""Fuzzes sessions of the core, compiled with sanitizers.

    python tests/long/fuzz/core.py --seconds 60              libFuzzer, guided by coverage
    python tests/long/fuzz/core.py --seconds 60 --random     random bytes, with any compiler
    python tests/long/fuzz/core.py FILE                      repeats a failed session

Compiles tests/native/core_sessions.cpp with the core, which takes some minutes the first time; that
needs cmake, ninja, and clang++ unless --random is given. Failing inputs go to the directory of
--faults.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
PROGRAM = "core_sessions"
# Comparisons are not traced: tracing them halves the speed.
FLAGS = "-O2 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined"
FUZZER_FLAGS = " -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp"
LONGEST = 1000  # bytes per session
TIMEOUT = 60  # seconds per session


def build(folder: Path, is_random: bool) -> Path:
    """Compiles the program in this folder, incrementally, and returns its path."""
    options = [
        f"-DPINCHTP_NATIVE_TESTS={SOURCE / 'tests' / 'native'}",
        "-DPINCHTP_INSTRUCTION_SETS=",
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_CXX_FLAGS_DEBUG={FLAGS if is_random else FLAGS + FUZZER_FLAGS}",
    ]
    if not is_random:
        options += ["-DCMAKE_CXX_COMPILER=clang++", "-DPINCHTP_LIBFUZZER=ON"]
    core = SOURCE / "pinchtp" / "core"
    subprocess.run(["cmake", "-G", "Ninja", "-S", core, "-B", folder, *options], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", PROGRAM], check=True)
    return folder / PROGRAM


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, help="a session to repeat")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--random", action="store_true", help="without libFuzzer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=Path, default=SOURCE / "build", help="folder for builds")
    parser.add_argument("--corpus", type=Path, default=Path("corpus"), help="inputs to keep")
    parser.add_argument("--faults", type=Path, default=Path("faults"))
    options = parser.parse_args()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kind = "random" if options.random else "fuzzer"
    program = build(options.build.resolve() / f"core-{kind}", options.random)
    if options.file:
        arguments = [str(options.file.resolve())]
    elif options.random:
        arguments = [str(options.seconds), str(options.seed)]
    else:
        options.corpus.mkdir(parents=True, exist_ok=True)
        arguments = [
            *(f"-max_total_time={options.seconds}", f"-seed={options.seed}", "-artifact_prefix=./"),
            *(f"-max_len={LONGEST}", "-len_control=0", f"-timeout={TIMEOUT}"),
            str(options.corpus.resolve()),
        ]
    options.faults.mkdir(parents=True, exist_ok=True)
    return subprocess.run([program, *arguments], cwd=options.faults, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
