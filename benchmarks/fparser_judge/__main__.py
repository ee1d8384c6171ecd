"""Where our reader and fparser differ.

usage: python -m benchmarks.fparser_judge [FILE or DIRECTORY...]      (default: corpus)
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.fparser_judge.judge import Verdict, files


def main(arguments: Sequence[str]) -> int:
    verdict = Verdict()
    for file in files(map(Path, arguments or ["corpus"])):
        verdict.judge(file)
    for one in verdict.differences:
        print(f"{one.file}:{one.line}: {one.what}: {one.text[:100]}")
        print(f"    ours:    {one.ours}\n    fparser: {one.theirs}")
    for file, why in verdict.unread.items():
        print(f"{file}: not compared: {why}")
    kinds = Counter(one.what for one in verdict.differences)
    print(f"{verdict.files} files, {verdict.statements} statements, {verdict.expressions} expressions compared; "
          f"differ: {dict(kinds) or 'none'}; not compared: {len(verdict.unread)} files; seconds: ours "
          f"{verdict.seconds['ours']:.1f}, fparser {verdict.seconds['fparser']:.1f}")
    return 1 if verdict.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
