"""The command `pinchtp`, also as `python -m pinchtp`."""

import os
import signal
import sys
from contextlib import suppress
from errno import ENOMEM
from pathlib import Path

ADVICE = "; this build does not fit the machine: build it here by `pip install .` in a clone"

FAULTS = {int(signal.SIGILL): "uses an instruction that this CPU lacks"}
if sys.platform != "win32":
    FAULTS[int(signal.SIGBUS)] = "reads past the end of a file"


def main() -> int:
    """Runs the program; returns its exit status.

    Ctrl-C while the program is being loaded, or is at its end, ends it by the signal: there is
    nothing to tidy up, and Python's report of where it was helps nobody.
    """
    usual = signal.getsignal(signal.SIGINT)
    at_once = signal.SIG_DFL if usual is signal.default_int_handler else usual
    signal.signal(signal.SIGINT, at_once)
    try:
        _watch_for_faults()
        from pinchtp import cli  # noqa: PLC0415  (it is what takes time to load)

        signal.signal(signal.SIGINT, usual)
        status = cli.main()
    except (MemoryError, OSError) as error:  # the import system raises both
        if isinstance(error, OSError) and error.errno != ENOMEM:
            raise
        status = _report_failure("out of memory")
    except SystemError as error:  # CPython's own, as when it loses a MemoryError
        status = _report_failure(f"out of memory, or a fault of Python: {error}")
    except ImportError as error:  # of a library for which there is no room, too
        is_core = Path(error.path or "").name.startswith("_core.")
        status = _report_failure(f"cannot be loaded: {error}{ADVICE if is_core else ''}")
    signal.signal(signal.SIGINT, at_once)
    return status


def _watch_for_faults() -> None:
    """Installs `_on_fault`. A `signal.signal` handler would wait for the faulting instruction."""
    import ctypes  # noqa: PLC0415  (main tells if there is no memory for it)

    handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(_on_fault)
    _handlers.append(handler)
    for number in FAULTS:
        ctypes.pythonapi.PyOS_setsig(number, handler)


_handlers: list[object] = []  # ctypes does not keep them alive


def _on_fault(number: int) -> None:
    """Ends the program."""
    frame = sys._getframe()
    package = ""
    while frame.f_back and package in ("", "importlib"):
        frame = frame.f_back
        package = str(frame.f_globals.get("__package__") or "").partition(".")[0]
    is_core = package in ("", "pinchtp")
    owner, advice = ("the core", ADVICE) if is_core else (package, "")
    os._exit(_report_failure(f"{owner} {FAULTS[number]}{advice}"))


def _report_failure(reason: str) -> int:
    """Tells why the program could not start; returns the exit status."""
    with suppress(OSError):
        os.write(2, f"pinchtp: {reason}\n".encode())
    return 1


if __name__ == "__main__":
    sys.exit(main())
