"""Running the command as a user does: in its own process, without a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """``run("report", "a.f90", cwd=...)``"""
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    command = [sys.executable, "-m", "snapset", *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env={**clean, **environment}, capture_output=True, text=True, timeout=60, check=False
    )
