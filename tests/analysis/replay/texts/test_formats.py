"""What an internal WRITE writes is what gfortran's writes, character by character, and a READ fails where its does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.gradient import Dependents, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.texts.edit_descriptors import UnknownFormatError, edits
from snapset.frontend.load import load_text

DECLARED = """  character(130) :: page(3)
  integer :: i, k, status
  real(8) :: r
  logical :: l
  complex(8) :: z
"""
WRITES = """
*| 3.14159265358979d0, -1.0d-5, 2, 1.0d22
*| 2.7182817, 1.0e-5, -0.1, 100.0, 0.0
*| 123456789012345678d0, 12345678901234567d0, 0.1d0, 0.0d0
*| 0.01d0, 9.9999999d200, -1d-300, 0.99999999999999999d0
*| (1.5d0, -2.25d0), (1.0, 2.0)
*| .true., .false., 'ab', 'cd', 3, 'ef', 1_8, 2_2, 3_1
*| 1d16, 99999999999999990d0, 1d17, 9.999999999999999e16
'(g12.4, g12.4, g12.4)'| 0.5d0, 12345.678d0, 9999.96d0
'(g12.4, g12.4, g12.4e3)'| 0.05d0, 0d0, 12.5d0
'(g0, 1x, g0, 1x, g0, 1x, g0)'| 0.5d0, 7, 'abc', 1.5
'(g0.3, 1x, g0.4, g10.3e3, g8.2, g3.1)'| 0.5d0, 1d10, 12.5d0, 12, .true.
'(1p, e12.4, 2pf9.2, 0p, f8.3, 1p, g12.3, g12.3)'| 0.5d0, 1.25d0, 1d0, 3d0, 3d9
'(2pe12.4, -1p, e12.4, -2p, f8.5)'| 0.5d0, 125d0, 2d0
'(sp, f8.3, s, f8.3, sp, i4, e12.3, ss, i4)'| 0.5d0, 1.25d0, 3, 2d0, 4
'(t10, i3, tl3, a1, tr4, i2, t1, a)'| 345, 'x', 77, 'beg'
'(i3, /, f6.2)'| 1, 2d0
'(i3, (f6.2))'| 1, 2d0, 3d0
'(a, 2(i2, ":", i2))'| 'x', 1, 2, 3, 4
'(a, 2(i2, ":", i2), 1x)'| 'x', 1, 2, 3, 4
'(i3, :, " and", i3)'| 1
'(*(i0, :, ","))'| (k*k, k = 1, 5)
'(en12.3, en12.3, en10.1, en12.1)'| 12345d0, 0.00123d0, 999.96d0, 0d0
'(b8, o5, z6, b8.5, z8)'| 5, 64, 255, 3, -1
'(f0.3, 1x, f0.0, 1x, e0.3, 1x, f0.1)'| 0.5d0, 2.5d0, 3d0, -0.25d0
'(l1, l4, i5.3, i3.0, i0)'| .true., .false., 7, 0, -12
'(es12.3e3, e12.3e4, es9.1, d10.3)'| 1d-5, 1d-5, 1d-120, 12d0
'((i2, 1x))'| 1, 2
'(f4.3, f5.3, f3.1, f6.0, f5.2)'| 0.125d0, -0.125d0, 123d0, 2.5d0, -0.001d0
'(1x, a3, a, a2)'| 'ab', 'cd', 'efg'
'(3(f5.1, ","), 2x, ''it''''s'')'| 1d0, 2d0, 3d0
'(f6.2, e12.4)'| (1.5d0, 2.5d0)
"""
READS = """
*| '1 2', i, k
*| ' ', i
*| 'abc', i
*| 'two', r
*| '1,2*,', i, k, k
*| '3*7', i, k, i
*| '1 /', i, k
*| '"a b" 4', page(1), i
*| '(1.5, 2)', z
*| 'true F', l, l
'(i3)'| '12', i
'(f3.1)'| 'abc', r
'(tr2, i1, t1, i1)'| '1 2 3', i, k
'(g6.2)'| '12.5', r
'(bz, i3)'| '1 2', i
'(bn, i3)'| '1 2', i
'(2pf6.1)'| '125', r
'(2pf6.1)'| '1.25e1', r
'(f5.2)'| '12345', r
'(e7.1)'| '1.5-2', r
'(l4, z3)'| ' .T. ff', l, i
'(i2, 1x, a)'| '12 abc', i, page(1)
"""
# Fails, each with a status.
FAILING = """
'(i4, i4)'| 12, 13
'(i4, /, i4)'| 12, 13
*| 12, 13
'(a)'| 'abcdefgh'
"""


def rows(table: str) -> list[tuple[str, str]]:
    return [(form.strip(), items.strip()) for form, items in (row.split("|", 1) for row in table.strip().splitlines())]


def program(name: str, kind: str) -> str:
    """Everything as a code number in x(1:n), which the compiled program prints and the machine leaves behind."""
    lines = [f"subroutine {name}(x, y)", "  real(8), intent(inout) :: x(400)", "  real(8), intent(out) :: y", DECLARED,
             "  character(6) :: small", "  integer :: at", "  x(2:) = 0", "  at = 0"]
    if kind == "writes":
        for form, items in rows(WRITES):
            lines += ["  page = '~'", f"  write (page, {form}) {items}", "  do i = 1, 130",
                      "    x(2 + at) = x(2 + at) + mod(iachar(page(1)(i:i))*i*7919, 100003)"
                      " + mod(iachar(page(2)(i:i))*i*104729, 99991)", "  end do", "  at = at + 1"]
    elif kind == "reads":
        for form, items in rows(READS):
            text, _, targets = re.match(r"('.*?'|\".*?\")(,) (.*)", items).groups()  # type: ignore[union-attr]
            lines += ["  i = -5; k = -6; r = -7.5d0; l = .false.; z = (1, 2); page(1) = 'old'", f"  page(2) = {text}",
                      f"  read (page(2), {form}, iostat=status) {targets}",
                      "  x(2 + at) = i + 10*k + r + real(z) + 3*aimag(z) + merge(17, 0, l) + iachar(page(1)(1:1))",
                      "  x(3 + at) = status", "  at = at + 2"]
    else:
        for form, items in rows(FAILING):
            lines += ["  small = 'zzzzzz'", f"  write (small, {form}, iostat=status) {items}", "  x(2 + at) = status",
                      "  at = at + 1"]
    return "\n".join([*lines, "  y = x(1)*x(1)", f"end subroutine {name}", ""])


@pytest.mark.parametrize("kind", ["writes", "reads", "failing"])
def test_records_are_those_of_gfortran(kind: str, tmp_path: Path) -> None:
    text = program("s", kind)
    (tmp_path / "s.f90").write_text(text)
    (tmp_path / "main.f90").write_text("program main\n  real(8) :: x(400), y\n  x(1) = 2\n  call s(x, y)\n"
                                       "  print '(es24.16)', x\nend program main\n")
    subprocess.run(["gfortran", "-o", "run", "s.f90", "main.f90"], cwd=tmp_path, check=True, timeout=100)
    printed = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=True, timeout=100).stdout
    expected = np.array(printed.split(), float)
    program_ = load_text(text)
    (head,) = parse_heads("s(x)>(x, y)")
    machine = Machine(program_, find_procedure(program_, head).key)
    heard: list[Dependents] = []
    store_all(head, machine, Inputs({"x": [2.0] * 400}), heard.append)
    found = heard[0].values["x"]
    table = rows({"writes": WRITES, "reads": READS, "failing": FAILING}[kind])
    per = 2 if kind == "reads" else 1
    wrong = [table[(at - 1) // per] for at in range(1, 1 + per * len(table)) if found[at] != expected[at]]
    assert not wrong, wrong


@pytest.mark.parametrize("form", ["(rn, f8.3)", "(3habc)", "(dt)", "(i)", "(*i3)", "(f8)", "(2t3)(", "i3", "((i3)"])
def test_what_is_not_executed_is_refused_and_named(form: str) -> None:
    with pytest.raises(UnknownFormatError):
        edits(form)
    text = f"subroutine s(x, y)\n real(8) :: x, y\n character(9) :: c\n write (c, '{form}') 1\n y = x\nend subroutine\n"
    (head,) = parse_heads("s(x)>(y)")
    assert any(one.code == "SN402" and "format" in one.message for one in analyse(load_text(text), head).diagnostics)
