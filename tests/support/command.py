"""Running the command as a user does: in its own process, without a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def run(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """``run("report", "a.f90", cwd=...)``"""
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    command = [sys.executable, "-m", "snapset", *map(str, arguments)]
    return unhurried(subprocess.run(
        command, cwd=cwd, env={**clean, **environment}, capture_output=True, text=True, timeout=120, check=False
    ))  # fmt: skip


def unhurried(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    """Without what is said on stderr only because the machine is busy."""
    done.stderr = re.sub(r"^snapset: .* \(\d+ s\)\n", "", done.stderr, flags=re.MULTILINE)
    return done
