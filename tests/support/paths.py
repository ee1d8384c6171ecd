"""Where the repository's folders are: the only place that asks where this file is."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
