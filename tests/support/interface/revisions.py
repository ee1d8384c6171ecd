"""Git repositories for tests, that know nothing of the user's or the system's settings."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path


def git(directory: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One command of git's."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **more}
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    return subprocess.run(["git", *identity, *arguments], cwd=directory, env=environment, capture_output=True,
                          text=True, check=False)


def repository(directory: Path, files: Mapping[str, str]) -> None:
    """A repository with these files, nothing committed yet."""
    directory.mkdir(exist_ok=True)
    assert git(directory, "init", "--quiet").returncode == 0
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)


def commit(directory: Path, message: str = "next") -> str:
    """All that lies there, as the next commit: its name."""
    git(directory, "add", "--all")
    done = git(directory, "commit", "--quiet", "-m", message)
    assert done.returncode == 0, done.stderr
    return git(directory, "rev-parse", "HEAD").stdout.strip()
