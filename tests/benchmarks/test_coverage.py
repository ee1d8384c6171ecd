"""benchmarks/coverage.py: which files of a directory are understood."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from snapset.frontend.base.source_model import ReadOptions

from tests.support.paths import ROOT

SCRIPT = ROOT / "benchmarks" / "coverage.py"
FILES = {
    "clean.f90": "subroutine s(a)\nreal a\na = 1\nend subroutine\n",
    "again.f90": "subroutine s(a)\nreal a\na = 2\nend subroutine\n",
    "opaque.f90": "subroutine t(a)\nreal a\nsync all\nsync memory\nend subroutine\n",
    "broken.f90": "subroutine u(a)\nreal a\na = = 1\nend subroutine\n",
    "old.f": "      subroutine v(a)\n      real a\n      a = 1\n      end\n",
    "notes.txt": "no Fortran\n",
}


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coverage_benchmark", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_files_are_clean_opaque_or_refused(coverage: ModuleType, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    found = coverage.measure(tmp_path, ReadOptions())
    assert (found.files, found.clean) == (5, 3)
    assert [Path(path).name for path in found.refused] == ["broken.f90"]
    assert [Path(path).name for path in found.opaque] == ["opaque.f90"]
    (kind,) = (kind for kind in found.kinds if kind.startswith("SN202"))
    assert found.kinds[kind] == 2
    text = coverage.show([found])
    assert " 60.0%" in text
    assert "opaque.f90:3" in text
