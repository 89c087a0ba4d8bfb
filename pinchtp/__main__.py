"""The command `pinchtp`, also as `python -m pinchtp`."""

import signal
import sys


def main() -> int:
    """Runs the program; returns its exit status.

    Ctrl-C while the program is being loaded, or is at its end, ends it by the signal: there is
    nothing to tidy up, and Python's report of where it was helps nobody.
    """
    usual = signal.getsignal(signal.SIGINT)
    at_once = signal.SIG_DFL if usual is signal.default_int_handler else usual
    signal.signal(signal.SIGINT, at_once)
    from pinchtp import cli  # noqa: PLC0415  (it is what takes time to load)

    signal.signal(signal.SIGINT, usual)
    status = cli.main()
    signal.signal(signal.SIGINT, at_once)
    return status


if __name__ == "__main__":
    sys.exit(main())
