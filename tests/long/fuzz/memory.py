"""Runs the program under memory limits and checks that it survives them.

    python tests/long/fuzz/memory.py                               300 limits from 40 MB to 1 GB
    python tests/long/fuzz/memory.py --limits 50 --from 100 --to 200 --threads 2
    python tests/long/fuzz/memory.py --at 180                      a single limit

Under each limit (as with `ulimit -v`) every command of a session in all games must get a response,
`? out of memory` if an allocation fails; or the program prints one line that it cannot start. Any
other outcome is printed and makes the exit status 1.
"""

import argparse
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

PROGRAM = [sys.executable, "-P", "-m", "pinchtp"]
MB = 10**6
TIMEOUT = 120  # seconds per session
VISITS = 200  # per move

COMMANDS = (
    *("name", "play b c3", "play w swap", "showboard", "genmove b", "undo", "printsgf"),
    *(
        "lz-genmove_analyze b 10",
        "kata-analyze 5 ownership true",
        "genmove w",
        "undo",
        "final_score",
    ),
    *("pinchtp-perft 3 distinct", "pinchtp-solve 1", "reg_genmove w", "kata-raw-nn 0"),
    *("list_commands", "help", "gogui-analyze_commands", "gogui-rules_board_gfx", "pinchtp-svg"),
    *("pinchtp-game pinch-relocate", "genmove b", "genmove w", "genmove b", "pinchtp-legal turns"),
    *("pinchtp-game bushka", "genmove w", "genmove b", "all_legal", "pinchtp-printboard"),
    *("pinchtp-game capture-go", "place_free_handicap 2", "genmove w", "gomill-explain_last_move"),
    *("pinchtp-game pinch-remove", "genmove b", "pinchtp-swap_map 5", "clear_board", "name"),
)
SESSION = "".join(f"{command}\n" for command in COMMANDS)

NO_MEMORY = "out of memory(, or a fault of Python: .*)?"
CANNOT_START = re.compile(rf"pinchtp: ({NO_MEMORY}|cannot be loaded: .*)\n")
ENDED_EARLY = re.compile(rf"(pinchtp: {NO_MEMORY}\n)*")  # in the middle of an analysis


@dataclass(frozen=True)
class Outcome:
    """The outcome of a session. refused: failed commands. fault: empty if there is none."""

    started: bool
    refused: int = 0
    fault: str = ""


def attempt(limit: int, *options: str) -> Outcome:
    """Plays the session under a limit in MB; options: program arguments."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit * MB, limit * MB))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = subprocess.run(
            [*PROGRAM, "--visits", str(VISITS), "--size", "9", *options],
            input=SESSION,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
            preexec_fn=limited,
        )
    except subprocess.TimeoutExpired:
        return Outcome(True, fault=f"no end within {TIMEOUT} s")
    if done.returncode == 1 and not done.stdout and CANNOT_START.fullmatch(done.stderr):
        return Outcome(False)
    answers = done.stdout.split("\n\n")[:-1]
    refused = answers.count("? out of memory")
    internal = [answer for answer in answers if "internal error" in answer]
    if done.returncode != 0:
        fault = f"exit status {done.returncode}: {done.stderr[-500:]}"
    elif not ENDED_EARLY.fullmatch(done.stderr):
        fault = f"standard error: {done.stderr[-500:]}"
    elif len(answers) != len(COMMANDS):
        fault = f"{len(answers)} answers to {len(COMMANDS)} commands"
    else:
        fault = ", ".join(internal)
    return Outcome(True, refused, fault)


def sweep(limits: Iterator[int], options: list[str], log: Callable[[str], None]) -> tuple[int, int]:
    """Tries each limit in MB; returns the numbers of limits and of faults."""
    tried = faulty = 0
    for limit in limits:
        outcome = attempt(limit, *options)
        tried += 1
        faulty += bool(outcome.fault)
        how = f"{outcome.refused} commands refused" if outcome.started else "cannot start"
        log(f"{limit} MB: {outcome.fault or how}")
    return tried, faulty


def spread(least: int, most: int, count: int) -> Iterator[int]:
    """Yields equally spaced limits, including both ends."""
    return (least + (most - least) * at // max(count - 1, 1) for at in range(count))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--from", dest="least", type=int, default=40, metavar="MB")
    parser.add_argument("--to", dest="most", type=int, default=1000, metavar="MB")
    parser.add_argument("--limits", type=int, default=300, metavar="N")
    parser.add_argument("--at", type=int, metavar="MB", help="a single limit")
    options, others = parser.parse_known_args()
    limits = spread(options.least, options.most, options.limits)
    if options.at is not None:
        limits = iter([options.at])
    tried, faulty = sweep(limits, others, lambda text: print(text, flush=True))
    print(f"{tried} limits, {faulty} with a fault")
    return min(faulty, 1)


if __name__ == "__main__":
    sys.exit(main())
