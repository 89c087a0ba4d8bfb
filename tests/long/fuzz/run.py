"""Fuzzes a target: looks for inputs that make it fail.

    python tests/long/fuzz/run.py sessions --seconds 60
    python tests/long/fuzz/run.py sgf --seconds 60 --random      without coverage
    python tests/long/fuzz/run.py all --seconds 3600             each target in turn, for its share

A target (targets.py) is fed with mutations of its corpus (corpus/TARGET). With atheris installed
(`pip install atheris`), inputs that reach new code are saved; without it, or with --random, inputs
are random. Failing inputs go to the directory of --faults, each with its reason in a .txt file;
`run.py TARGET FILE` repeats one.
"""

import argparse
import random
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
TESTS = HERE.parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "support"), str(HERE.parent)]

ALL = "all"
LONGEST = 400  # bytes of a new random input


def corpus(name: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


def mutated(known: list[bytes], rng: random.Random) -> bytes:
    """Returns random bytes, or a corpus member with random changes."""
    if not known or rng.random() < 0.3:
        return rng.randbytes(rng.randrange(LONGEST))
    data = bytearray(rng.choice(known))
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.randint(0, 8))
        other = rng.choice(known)
        begin = rng.randrange(len(other) + 1)
        data[at:end] = rng.choice(
            [b"", rng.randbytes(rng.randint(1, 4)), other[begin : begin + rng.randint(1, 20)]]
        )
    return bytes(data)


def inputs(name: str, seed: int) -> Iterator[bytes]:
    """Yields the corpus, the ordered inputs, then mutations without end."""
    from fuzz.targets import ORDERED  # noqa: PLC0415  (after the path is set)

    known = corpus(name)
    rng = random.Random(seed)
    yield from known
    if name in ORDERED:
        yield from ORDERED[name]()
    while True:
        yield mutated(known, rng)


def kind_of(error: Exception) -> str:
    """Returns a key for the cause of a failure: error type, line and reason."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    reason = getattr(error, "kind", str(error)[:40])
    return f"{type(error).__name__} at {where.filename}:{where.lineno}: {reason}"


def keep(data: bytes, path: Path) -> None:
    """Writes a failing input, with the reason in a .txt file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.with_suffix(".txt").write_text(traceback.format_exc(), errors="replace")


def run_random(name: str, seconds: float, seed: int, faults: Path) -> int:
    """Prints the number of inputs; writes one failing input per kind of failure."""
    from fuzz.commands import tally  # noqa: PLC0415  (after the path is set)
    from fuzz.targets import TARGETS  # noqa: PLC0415

    tally.clear()

    target = TARGETS[name]
    end = monotonic() + seconds
    seen = set[str]()
    count = 0
    for data in inputs(name, seed):
        if monotonic() >= end:
            break
        count += 1
        try:
            target(data)
        except Exception as error:
            kind = kind_of(error)
            if kind not in seen:
                seen.add(kind)
                keep(data, faults / f"{name}-{count}")
                print(f"{kind}: {faults}/{name}-{count}.txt", file=sys.stderr)
    done = "".join(f", {number} {what}" for what, number in tally.items())
    print(f"{name}: {count} inputs{done}, {len(seen)} kinds of faults, seed {seed}", flush=True)
    return len(seen)


def run_atheris(name: str, seconds: float, faults: Path) -> None:
    """Fuzzes with libFuzzer, which ends the process."""
    import atheris  # noqa: PLC0415

    with atheris.instrument_imports(include=["pinchtp", "fuzz"]):
        from fuzz.targets import TARGETS  # noqa: PLC0415

    faults.mkdir(parents=True, exist_ok=True)
    found = tempfile.mkdtemp()  # new corpus; the one in the tree stays small
    options = [f"-max_total_time={int(seconds)}", f"-artifact_prefix={faults}/", "-max_len=4096"]
    atheris.Setup([sys.argv[0], *options, found, str(CORPUS / name)], TARGETS[name])
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = sorted(path.name for path in CORPUS.iterdir())
    parser.add_argument("target", choices=[ALL, *names])
    parser.add_argument("files", nargs="*", type=Path, help="inputs to repeat, instead of a search")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--random", action="store_true", help="without atheris")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--faults", type=Path, default=Path("faults"))
    options = parser.parse_args()
    if options.target == ALL:
        share = options.seconds / len(names)
        found = sum([run_random(name, share, options.seed, options.faults) for name in names])
        return min(found, 1)
    if options.files:
        from fuzz.targets import TARGETS  # noqa: PLC0415

        for path in options.files:
            TARGETS[options.target](path.read_bytes())
        return 0
    if not options.random:
        try:
            run_atheris(options.target, options.seconds, options.faults)
        except ImportError:
            print("atheris is not installed; inputs are random", file=sys.stderr)
    return min(run_random(options.target, options.seconds, options.seed, options.faults), 1)


if __name__ == "__main__":
    sys.exit(main())
