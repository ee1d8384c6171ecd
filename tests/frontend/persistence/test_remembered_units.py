"""Files whose text is as it was are not read again; what other files say in them is."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.persistence import remembered_units
from snapset.frontend.persistence.disk_cache import no_cache, open_cache
from snapset.frontend.persistence.remembered_units import RememberedUnits
from snapset.frontend.reading.read import read_units, units_alone

STEP = """subroutine step(x)
  real :: x
  x = 2*x
end subroutine step
"""
NAMED = "subroutine step(x)\n  real :: x\n{}\n  x = n*x\nend subroutine step\n"


class Reader:
    """Reads files through one cache. ``read``: those that were cut into units since this was asked for last."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.read: list[str] = []

        def noted(text: str, path: str, options: ReadOptions) -> tuple[tuple[Unit, ...], bool]:
            self.read.append(Path(path).name)
            return units_alone(text, path, options)

        monkeypatch.setattr(remembered_units, "units_alone", noted)

    def __call__(self, *names: str, options: ReadOptions | None = None) -> list[str]:
        """The files that were read; the units of all are what they are without a cache."""
        self.read.clear()
        options = options or ReadOptions()
        cache = open_cache(self.folder / "cache")
        found = {name: RememberedUnits(cache).of_file(str(self.folder / name), options) for name in names}
        cache.close()
        done = list(self.read)
        assert found == {name: read_units(str(self.folder / name), options) for name in names}
        return done


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(tmp_path, monkeypatch)


def test_a_file_is_read_again_where_its_text_has_changed(reader: Reader) -> None:
    names = ("a.f90", "b.f90", "c.f")
    for name in names:
        (reader.folder / name).write_text(STEP.replace("step", name[0]) if name != "c.f" else "      end\n")
    assert reader(*names) == [*names]
    assert reader(*names) == []
    (reader.folder / "b.f90").write_text(STEP.replace("2*x", "3*x"))
    assert reader(*names) == ["b.f90"]
    (reader.folder / "b.f90").write_text("\n" + STEP.replace("2*x", "3*x"))  # its places
    assert reader(*names) == ["b.f90"]


def test_names_and_options_count(reader: Reader) -> None:
    for name in ("a.f90", "b.f90", "a.f"):
        (reader.folder / name).write_text(STEP)
    assert reader("a.f90") == ["a.f90"]
    assert reader("b.f90", "a.f") == ["b.f90", "a.f"]
    assert reader("a.f90", options=ReadOptions(form="fixed")) == ["a.f90"]
    assert reader("a.f90", options=ReadOptions(include_dirs=("x",))) == ["a.f90"]
    assert reader("a.f90", "b.f90", "a.f") == []


@pytest.mark.parametrize("statement", ["  include 'n.inc'", "  inc&\n  &lude 'n.inc'", "  include 'outer.inc'"])
def test_what_is_included_is_read_each_time(statement: str, reader: Reader) -> None:
    """A file that is not there is a fact about others, too: it may come."""
    (reader.folder / "outer.inc").write_text("  include 'n.inc'\n")
    (reader.folder / "a.f90").write_text(NAMED.format(statement))
    for text in (None, "  integer, parameter :: n = 2\n", "  integer, parameter :: n = 3\n"):
        if text is not None:
            (reader.folder / "n.inc").write_text(text)
        assert reader("a.f90") == ["a.f90"]


def test_an_include_in_a_file_that_cannot_be_cut_counts(reader: Reader) -> None:
    (reader.folder / "a.f90").write_text("subroutine a\ninclude 'n.inc'\n")
    assert reader("a.f90") == ["a.f90"]
    (reader.folder / "n.inc").write_text("end subroutine a\n")
    assert reader("a.f90") == ["a.f90"]


def test_what_is_preprocessed_is_read_each_time(reader: Reader) -> None:
    (reader.folder / "n.h").write_text("#define n 2\n")
    (reader.folder / "a.F90").write_text(NAMED.format('#include "n.h"'))
    assert reader("a.F90") == ["a.F90"]
    (reader.folder / "n.h").write_text("#define n 3\n")
    assert reader("a.F90") == ["a.F90"]
    (reader.folder / "b.f90").write_text(NAMED.format("#define n 3"))
    assert reader("b.f90", options=ReadOptions(preprocess=True)) == ["b.f90"]
    assert reader("b.f90", options=ReadOptions(preprocess=True)) == ["b.f90"]


def test_a_link_that_leads_out_is_looked_at_each_time(reader: Reader, tmp_path: Path) -> None:
    project, other = tmp_path / "project", tmp_path / "other.f90"
    project.mkdir()
    (project / ".git").mkdir()
    (project / "a.f90").write_text(STEP)
    other.write_text(STEP)
    reader.folder = project
    assert reader("a.f90") == ["a.f90"]
    (project / "a.f90").unlink()
    (project / "a.f90").symlink_to(other)
    assert reader("a.f90") == []  # the text is as it was, but nobody looks: the units say why


def test_without_a_cache_all_is_read(reader: Reader) -> None:
    (reader.folder / "a.f90").write_text(STEP)
    path = str(reader.folder / "a.f90")
    for _ in range(2):
        reader.read.clear()
        assert RememberedUnits(no_cache()).of_file(path, ReadOptions()) == read_units(path, ReadOptions())
        assert reader.read == ["a.f90"]
