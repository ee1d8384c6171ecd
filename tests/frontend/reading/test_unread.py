"""Files and units that cannot be read: a remark where no head needs them, all of them in one run; else the error."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from snapset import load
from snapset.cli import main
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.reading.unreadable_units import unread_file

GOOD = """\
subroutine f(x, y)
  real(8) :: x(3), y
  call g(x)
  y = sum(x*x)
end subroutine f
subroutine g(x)
  real(8) :: x(3)
  x = x*x
end subroutine g
"""
HEAD = "f(x)>(y)"

BAD = {
    "comments.f90": ("! nothing but comments\n", "no program unit in this file", 1),
    "switched_off.F90": ("#ifdef NEVER\nsubroutine off\nend\n#endif\n", "no program unit in this file", 1),
    "include.f90": ("subroutine i1\n  include 'grid.inc'\nend\n", "INCLUDE file 'grid.inc' not found", 2),
    "between.f90": ("include 'units.inc'\nsubroutine i2\nend\n", "INCLUDE file 'units.inc' not found", 1),
    "cpp.F90": ("subroutine c1\n#include \"petscksp.h\"\nend\n", "#include file 'petscksp.h' not found", 2),
    "lines.f90": ("subroutine l1\n#include \"lisf.h\"\nend\n", "preprocessor line", 2),
    "ends.f90": ("module e\ncontains\nsubroutine e1\nend subroutine e2\nend module\n", "cannot close", 4),
    "open.f90": ("module o\ncontains\nsubroutine o1\nend module\n", "cannot close", 4),
    "cuda.f90": ("attributes(global) subroutine k1(a)\n  real :: a\nend subroutine k1\n", "cannot close", 3),
    "binary.f90": ("\x7fELF\x01\x02", "binary", 1),
    "quote.f90": ("subroutine q1\n  print *, 'never closed\nend\n", "without closing", 2),
    "twice.f90": ("subroutine t1\nend\nsubroutine t1\nend\n", "defined twice", 3),
    "again.f90": ("module a1\nuse a2\nend\nmodule a2\nuse a1\nend\n", "uses itself", 1),
}
"""File by file: its text, what is said, and of which line."""


def written(directory: Path, files: Mapping[str, str]) -> list[str]:
    for name, text in files.items():
        (directory / name).write_text(text)
    return [str(directory / name) for name in files]


def said(directory: Path, files: Mapping[str, str], head: str = HEAD) -> list[tuple[str, str, int, str]]:
    """What is said of files: code, file, line, message."""
    program = load(written(directory, files), heads=[head])
    return [(one.code, Path(one.span.file).name, one.span.line, one.message) for one in program.diagnostics]


@pytest.mark.parametrize("name", BAD)
def test_what_no_head_needs_is_a_remark(name: str, tmp_path: Path) -> None:
    text, message, line = BAD[name]
    remarks = said(tmp_path, {"good.f90": GOOD, name: text})
    if name in ("twice.f90", "again.f90"):  # it can be cut into units, and nothing looks further
        remarks = said(tmp_path, {"good.f90": GOOD.replace("x = x*x", "call nobody(x)"), name: text})
        remarks = [one for one in remarks if one[0] != "SN201"]
    ((code, file, at, found),) = remarks
    assert (code, file, at) == ("SN213" if "no program" in message else "SN212", name, line)
    assert message in found


def test_all_of_them_in_one_run(tmp_path: Path) -> None:
    files = {"good.f90": GOOD, **{name: text for name, (text, _, _) in BAD.items()}}
    found = {name for _, name, _, _ in said(tmp_path, files)}
    assert found == set(BAD) - {"twice.f90", "again.f90"}
    files["good.f90"] = GOOD.replace("x = x*x", "call nobody(x)")  # which may run anything
    found = {name for _, name, _, _ in said(tmp_path, files)}
    assert found == set(BAD)


@pytest.mark.parametrize(("name", "called"), [
    ("include.f90", "call i1"), ("cpp.F90", "call c1"), ("lines.f90", "call l1"), ("ends.f90", "call e1"),
    ("cuda.f90", "call k1(x)"), ("quote.f90", "call q1"), ("open.f90", "call o1"),
])  # fmt: skip
def test_what_a_head_needs_is_an_error_at_its_place(name: str, called: str, tmp_path: Path) -> None:
    text, message, line = BAD[name]
    use = {"ends.f90": "use e\n", "open.f90": "use o\n"}.get(name, "")
    good = GOOD.replace("subroutine g(x)\n", f"subroutine g(x)\n{use}").replace("x = x*x", called)
    with pytest.raises(InputError, match=re.escape(f"{name}:{line}:") + f".*{re.escape(message)}") as caught:
        said(tmp_path, {"good.f90": good, "comments.f90": "! nothing\n", name: text})
    assert "\n" not in str(caught.value)


def test_a_wrong_end_matters_where_the_procedure_is_run(tmp_path: Path) -> None:
    """`put` is a generic name: which specific procedure a call runs is known once it is read."""
    module = ("module e\ninterface put\nmodule procedure put_real, put_text\nend interface\ncontains\n"
              "subroutine put_real(x)\nreal(8) x(:)\nx = 2*x\nend subroutine put_text\n"
              "subroutine put_text(x)\ncharacter(*) x\nend subroutine put_real\nend module\n")
    good = GOOD.replace("subroutine g(x)\n", "subroutine g(x)\nuse e\n")
    with pytest.raises(InputError, match=r"e\.f90:9:.*cannot close"):
        said(tmp_path, {"good.f90": good.replace("x = x*x", "call put(x)"), "e.f90": module})
    found = said(tmp_path, {"good.f90": good.replace("x = x*x", "call put('a')"), "e.f90": module.replace(
        "end subroutine put_real", "end subroutine put_text")})
    assert [(code, line) for code, _, line, _ in found] == [("SN212", 9)]


def test_what_another_file_defines_is_not_needed_of_one_that_cannot_be_read(tmp_path: Path) -> None:
    other = "subroutine g(x)\n<<<grid, block>>>\n'\nend\n"
    assert [one[:2] for one in said(tmp_path, {"good.f90": GOOD, "gpu.f90": other})] == [("SN212", "gpu.f90")]


@pytest.mark.parametrize("body", [
    "associate (q1 => x(2))\nq1 = q1*q1\nend associate", "block\nreal(8) q1(3)\nq1(2) = 2\nx = x*q1\nend block",
])  # fmt: skip
@pytest.mark.parametrize("name", ["quote.f90", "include.f90"])
def test_a_variable_of_the_same_name_needs_nothing(body: str, name: str, tmp_path: Path) -> None:
    text = BAD[name][0].replace("subroutine i1", "subroutine q1")
    assert [one[:2] for one in said(tmp_path, {"good.f90": GOOD.replace("x = x*x", body), name: text})] == [
        ("SN212", name)]


@pytest.mark.parametrize("name", ["quote.f90", "include.f90"])
@pytest.mark.parametrize(("declared", "body"), [
    ("external q1\n", "call run(q1)"), ("procedure(), pointer :: p\nexternal q1\n", "p => q1\ncall p()"),
    ("real(8) q1\nexternal q1\n", "x(1) = q1(x)"), ("interface\nsubroutine q1\nend\nend interface\n", "call q1"),
])  # fmt: skip
def test_what_is_passed_pointed_at_or_called_is_needed(declared: str, body: str, name: str, tmp_path: Path) -> None:
    text = BAD[name][0].replace("subroutine i1", "subroutine q1")
    good = GOOD.replace("  real(8) :: x(3)\n  x = x*x", f"real(8) :: x(3)\n{declared}{body}")
    good += "subroutine run(p)\nexternal p\ncall p\nend\n"
    with pytest.raises(InputError, match=re.escape(f"{name}:2:")):
        said(tmp_path, {"good.f90": good, name: text})


def test_an_error_names_the_others_that_are_needed(tmp_path: Path) -> None:
    files = {name: BAD[name][0] for name in ("include.f90", "cpp.F90", "quote.f90")}
    good = GOOD.replace("x = x*x", "call i1\ncall c1")
    with pytest.raises(InputError, match=r"include\.f90:2:.*\(also .*cpp\.F90:2\)$"):
        said(tmp_path, {"good.f90": good, **files})


def test_a_head_that_is_nowhere_may_be_in_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"quote\.f90:2:.*'h' is in none of the files that could be read"):
        said(tmp_path, {"good.f90": GOOD, "quote.f90": BAD["quote.f90"][0]}, "h(x)>(y)")


def test_one_procedure_of_a_module_leaves_the_others(tmp_path: Path) -> None:
    module = "module m\ncontains\nsubroutine bad\ninclude 'none.h'\nend subroutine\n" + GOOD + "end module m\n"
    program = load(written(tmp_path, {"m.f90": module}), heads=[HEAD])
    assert set(program.procedures) == {"m::f", "m::g"}
    assert [one.code for one in program.diagnostics] == ["SN212"]


def test_what_is_not_fortran_leaves_its_neighbours_where_anything_may_be_run(tmp_path: Path) -> None:
    """`nobody` may run any procedure: all are read, and those that cannot be are left out, at once and by name."""
    broken = "\n".join(f"subroutine b{n}\nx = = {n}\nend" for n in range(20))
    text = GOOD.replace("x = x*x", "call nobody(x)") + broken + "\nsubroutine fine\nend\n"
    program = load(written(tmp_path, {"t.f90": text}), heads=[HEAD])
    assert set(program.procedures) == {"f", "g", "fine"}
    assert [one.code for one in program.diagnostics] == ["SN212"] * 20


@pytest.mark.parametrize(("header", "name", "suffix"), [
    ("include 'mpif.h'", "mpi_comm_world", ".f90"), ("include 'netcdf.inc'", "nf_noerr", ".f90"),
    ("#include <netcdf.inc>", "nf_noerr", ".F90"), ('#include "mpif.h"', "mpi_sum", ".F90"),
])  # fmt: skip
def test_headers_of_libraries_are_known_by_name(header: str, name: str, suffix: str, tmp_path: Path) -> None:
    text = GOOD.replace("  real(8) :: x(3)\n  x = x*x", f"implicit none\n{header}\nreal(8) :: x(3)\n"
                        f"x = x*x\ncall work(x, {name})")
    ((code, _, _, message),) = said(tmp_path, {f"good{suffix}": text})
    assert code == "SN201"
    assert "are taken to be its own" in message


def test_a_header_that_is_here_is_read(tmp_path: Path) -> None:
    old = "  real(8) :: x(3)\n  x = x*x"
    text = GOOD.replace(old, "implicit none\ninclude 'mpif.h'\nreal(8) :: x(mpi_sum)\nx = x*x")
    (tmp_path / "mpif.h").write_text("integer mpi_sum\nparameter (mpi_sum = 3)\n")
    assert said(tmp_path, {"good.f90": text}) == []


@pytest.mark.parametrize(("text", "names"), [
    ("module m\ncontains\npure real(8) function f(x)\n", {"m"}),
    ("module m\ncontains\nsubroutine f\nend module m\npure real(8) function g(x)\n", {"m", "g"}),
    ("submodule (m:n) s\ncontains\nmodule subroutine f\nend submodule s\nsubroutine h\n", {"s", "h"}),
    ("      SUBROUTINE BAR(X)\n      ENTRY Q(X)\n", {"bar", "q"}),
    ("c this subroutine is no statement\nC     function of x\n! module x\nuse y\nend subroutine z\n", set()),
    ("module procedure p\nattributes(device) function d(x)\n", {"d"}),
])  # fmt: skip
def test_names_that_a_text_seems_to_define(text: str, names: set[str]) -> None:
    problem = unread_file("t.f90", InputError("no"), text).problem
    assert problem is not None
    assert problem.names == names


def test_a_missing_file_is_always_an_error(tmp_path: Path) -> None:
    """That is a slip of the command line's, not a file nobody needs."""
    with pytest.raises(InputError, match="does not exist"):
        load([*written(tmp_path, {"good.f90": GOOD}), str(tmp_path / "none.f90")], heads=[HEAD])


def test_the_report_and_its_cache_say_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also on the next run, and no more once the file is mended."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, {"good.f90": GOOD, "bad.f90": BAD["quote.f90"][0]})
    run: Callable[[], int] = lambda: main.main(  # noqa: E731
        ["report", "good.f90", "bad.f90", "--head", HEAD, "--cache-dir", "cache"])
    for _ in range(2):
        assert run() == 0
        assert "bad.f90:2:1: warning SN212" in capfd.readouterr().out
    written(tmp_path, {"bad.f90": "subroutine q1\nend\n"})
    assert run() == 0
    assert "SN212" not in capfd.readouterr().out
