"""The command ``snapset``, and ``python -m snapset``."""

from __future__ import annotations

import signal


def run() -> None:
    """The command. Ctrl-C while its modules are read ends it without a traceback, as it ends any program."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not where a shell has it ignored
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from snapset.cli import main

    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main.run()


if __name__ == "__main__":
    run()
