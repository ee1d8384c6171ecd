"""What knowing of messages costs a program that has none: processor time of an analysis, beside one that does not ask.

    python -m benchmarks.messages_cost [LINES]

The second is the same code with `known_call` and its like answering no at once, in turns with the first.
"""

from __future__ import annotations

import statistics
import sys
import time
from unittest.mock import patch

from snapset import analyse
from snapset.frontend.load import load_text

from benchmarks.synthetic import HEAD, program

ROUNDS = 7
_ASKED = (
    "snapset.analysis.allocation.message_hazards.known_call",
    "snapset.analysis.activity.message_adjoints.known_call",
    "snapset.analysis.costs.part_messages.known_call",
    "snapset.analysis.procedures.model_builder.starts_messages",
)


def seconds(text: str) -> float:
    """One analysis."""
    loaded = load_text(text)
    start = time.process_time()
    analyse(loaded, HEAD)
    return time.process_time() - start


def deaf(text: str) -> float:
    """The same, asking nothing."""
    patches = [patch(name, lambda *given: None) for name in _ASKED]
    for one in patches:
        one.start()
    try:
        return seconds(text)
    finally:
        for one in patches:
            one.stop()


def main() -> None:
    text = "\n".join(program(int(sys.argv[1]) if len(sys.argv) > 1 else 3000).values())
    seconds(text), deaf(text)
    pairs = [(seconds(text), deaf(text)) for _ in range(ROUNDS)]
    ratios = sorted(one / other for one, other in pairs)
    print(f"{text.count(chr(10))} lines without messages: {statistics.median(one for one, _ in pairs):.2f} s, asking "
          f"nothing {statistics.median(other for _, other in pairs):.2f} s; ratio {ratios[0]:.3f} to {ratios[-1]:.3f}, "
          f"median {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main()
