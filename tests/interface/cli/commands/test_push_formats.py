"""``--format pushes`` and ``--format taf``: the printed lines put into an adjoint written by hand, which gfortran
compiles and differences judge; TAF's directives as lines that snapset's own reading of directives finds right."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from snapset.cli.main import main
from snapset.library.analysis import Choices, report

from tests.support.corpus import CORPUS
from tests.support.paths import ROOT

MODEL = """\
subroutine model(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  real(8) :: u(4), w, z
  integer :: i, k
  u = x*x
  w = 1.5d0*x(1)
  z = w*w*u(1) + u(2)*u(3)
  do k = 1, 3
    !$AD CHECKPOINT-START
    do i = 2, 3
      u(i) = u(i)*u(i-1)*w
    end do
    w = w*sin(w)*u(2)
    !$AD CHECKPOINT-END
    w = w*w + u(3)
  end do
  y = z*w + sum(u)*w
end subroutine
"""
ADJOINT = """\
subroutine model_b(x, xb)
  use stack
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: xb(4)
  real(8) :: u(4), w, z, ub(4), wb, zb, t
  integer :: i, k
  u = x*x
  w = 1.5d0*x(1)
  z = w*w*u(1) + u(2)*u(3)
  do k = 1, 3
{before its first run}
    do i = 2, 3
      u(i) = u(i)*u(i-1)*w
    end do
    w = w*sin(w)*u(2)
{before line 17}
    w = w*w + u(3)
  end do
  ub = w
  zb = w
  wb = z + sum(u)
  do k = 3, 1, -1
{first, when line 17}
    ub(3) = ub(3) + wb
    wb = 2*w*wb
{before its adjoint}
    do i = 2, 3
{before line 13}
      u(i) = u(i)*u(i-1)*w
    end do
    ub(2) = ub(2) + w*sin(w)*wb
    wb = (sin(w) + w*cos(w))*u(2)*wb
    do i = 3, 2, -1
{first, when line 13}
      t = ub(i)
      ub(i) = u(i-1)*w*t
      ub(i-1) = ub(i-1) + u(i)*w*t
      wb = wb + u(i)*u(i-1)*t
    end do
{behind its adjoint}
  end do
  wb = wb + 2*w*u(1)*zb
  ub(1) = ub(1) + w*w*zb
  ub(2) = ub(2) + u(3)*zb
  ub(3) = ub(3) + u(2)*zb
  xb = 2*x*ub
  xb(1) = xb(1) + 1.5d0*wb
end subroutine
"""
CHAIN = """\
subroutine model(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  real(8) :: a, b, d, r, e, s, z
  integer :: i
  a = x(1)*x(2)
  b = 2.0d0*x(3)
  e = exp(x(4))
  s = 0.0d0
  do i = 1, 4
    d = x(i) - 0.3d0
    r = d*d + 0.1d0
    s = s + sin(r)*d*b
  end do
  z = s*a*b*e
  !$AD CHECKPOINT-START
  a = a*b
  d = a*e
  b = b*a*d
  !$AD CHECKPOINT-END
  e = e*a + b
  y = z*e + a*b
end subroutine
"""
CHAIN_ADJOINT = """\
subroutine model_b(x, xb)
  use stack
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: xb(4)
  real(8) :: a, b, d, r, e, s, z, ab, bb, db, rb, eb, sb, zb, t
  integer :: i
  a = x(1)*x(2)
  b = 2.0d0*x(3)
  e = exp(x(4))
  s = 0.0d0
  do i = 1, 4
{before line 12}
    d = x(i) - 0.3d0
{before line 13}
    r = d*d + 0.1d0
    s = s + sin(r)*d*b
  end do
  z = s*a*b*e
{before its first run}
  a = a*b
  d = a*e
  b = b*a*d
{before line 22}
  e = e*a + b
  zb = e
  eb = z
  ab = b
  bb = a
{first, when line 22}
  ab = ab + e*eb
  bb = bb + eb
  eb = a*eb
{before its adjoint}
{before line 18}
  a = a*b
{before line 19}
  d = a*e
  db = b*a*bb
  ab = ab + b*d*bb
  bb = a*d*bb
{first, when line 19}
  ab = ab + e*db
  eb = eb + a*db
{first, when line 18}
  t = ab
  ab = b*t
  bb = bb + a*t
{behind its adjoint}
{all of it taken back}
  sb = a*b*e*zb
  ab = ab + s*b*e*zb
  bb = bb + s*a*e*zb
  eb = eb + s*a*b*zb
  xb = 0
  do i = 4, 1, -1
{at the beginning of each iteration}
    rb = cos(r)*d*b*sb
    db = sin(r)*b*sb
    bb = bb + sin(r)*d*sb
{first, when line 13}
    db = db + 2*d*rb
{first, when line 12}
    xb(i) = xb(i) + db
  end do
  xb(4) = xb(4) + exp(x(4))*eb
  xb(3) = xb(3) + 2*bb
  xb(1) = xb(1) + x(2)*ab
  xb(2) = xb(2) + x(1)*ab
end subroutine
"""
DRIVER = """\
program judge
  use stack
  implicit none
  real(8) :: x(4), xb(4), other(4), y(4), h
  integer :: i, k
  integer, parameter :: step(4) = [-2, -1, 1, 2]
  x = [0.7d0, 0.9d0, 1.1d0, 0.6d0]
  call model_b(x, xb)
  h = 1.0d-4
  do i = 1, 4
    do k = 1, 4
      other = x
      other(i) = x(i) + step(k)*h
      call model(other, y(k))
    end do
    print '(es24.16, es24.16)', xb(i), (y(1) - 8*y(2) + 8*y(3) - y(4))/(12*h)
  end do
  print '(i0, a)', height, ' left'
end program
"""
HEAD = "model(x)>(y)"


def pushes(capsys: pytest.CaptureFixture[str], strategy: str, *more: str) -> dict[str, list[str]]:
    """By the comment above them, the printed statements."""
    options = ["--head", HEAD, "--strategy", strategy, "--format", "pushes", "--no-cache", "--quiet", *more]
    assert main(["report", "model.f90", *options]) == 0
    found: dict[str, list[str]] = {}
    place = ""
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("!"):
            place = line.lstrip("! ")
        elif line.strip():
            found.setdefault(place, []).append(line)
    return found


def filled(printed: dict[str, list[str]], template: str = ADJOINT) -> str:
    """The adjoint with the printed lines where their comments say; every one of them has a place there."""
    left = dict(printed)

    def lines(found: re.Match[str]) -> str:
        mine = [place for place in left if re.search(rf"\b{re.escape(found[1])}\b", place)]
        return "\n".join(line for place in mine for line in left.pop(place))

    text = re.sub(r"\{(.*)\}", lines, template)
    assert left == {}
    return text  # its second run leaves out line 15


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("model.f90").write_text(MODEL)
    stack = re.search(r"```fortran\n(module stack\n.*?)```", (ROOT / "docs/act.md").read_text(), re.DOTALL)
    assert stack is not None
    Path("stack.f90").write_text(stack[1])
    Path("driver.f90").write_text(DRIVER)
    return tmp_path


def gradients(adjoint: str) -> tuple[list[tuple[float, float]], str]:
    Path("adjoint.f90").write_text(adjoint)
    files = ["stack.f90", "model.f90", "adjoint.f90", "driver.f90"]
    subprocess.run(["gfortran", "-fcheck=all", "-o", "judge", *files], check=True, capture_output=True, timeout=120)
    run = subprocess.run(["./judge"], check=True, capture_output=True, text=True, timeout=60)
    *rows, left = run.stdout.splitlines()
    return [(float(one), float(other)) for one, other in (row.split() for row in rows)], left


@pytest.mark.parametrize("strategy", ["lazy", "eager", "Opt1+=w;Opt3+=*", "Opt1+=u"])
def test_the_adjoint_with_these_pushes_is_right(strategy: str, directory: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    found, left = gradients(filled(pushes(capsys, strategy)))
    for one, other in found:
        assert one == pytest.approx(other, rel=1e-7)
    assert left == "0 left"


def test_without_one_of_them_it_is_wrong(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What judges the adjoint does judge: u(2:3) pushed and popped nowhere."""
    printed = pushes(capsys, "lazy")
    assert printed["the part model@12, lines 12 to 15: before its first run"][0].strip() == "call push(u(2:3))"
    without = {place: [line for line in lines if "u(2:3)" not in line] for place, lines in printed.items()}
    found, left = gradients(filled(without))
    assert left == "0 left"
    assert any(one != pytest.approx(other, rel=1e-3) for one, other in found)


def test_what_has_no_name_is_a_comment(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = MODEL.replace("    w = w*w + u(3)\n", "    if (u(3) > 0.5d0) then\n      w = w*w + u(3)\n    end if\n")
    Path("model.f90").write_text(text)
    assert main(["report", "model.f90", "--head", HEAD, "--format", "pushes", "--record-branches", "--quiet"]) == 0
    assert re.search(r"^! +push branch$", capsys.readouterr().out, re.MULTILINE)


def test_names_of_callees_say_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    source = str(CORPUS / "module_hidden.f90")
    assert main(["report", source, "--head", "model(x)>(y)", "--format", "pushes", "--quiet"]) == 0
    assert "call push(w)  ! w of state" in capsys.readouterr().out


@pytest.mark.parametrize("strategy", ["lazy", "eager", "Opt3+=d,e"])
@pytest.mark.parametrize("more", [("--tape-scalars",), ("--recompute",)])
def test_what_is_computed_again_stands_in_place_of_pushes(strategy: str, more: tuple[str, ...], directory: Path,
                                                          capsys: pytest.CaptureFixture[str]) -> None:
    """One adjoint serves both plans: with --recompute nothing is pushed but one value, assignments stand there."""
    Path("model.f90").write_text(CHAIN)
    printed = pushes(capsys, strategy, *more)
    every = [line for lines in printed.values() for line in lines]
    assert sum("again, as in line" in line for line in every) == (7 if "--recompute" in more else 0)
    assert sum("call push" in line for line in every) == 1 or "--recompute" not in more
    found, left = gradients(filled(printed, CHAIN_ADJOINT))
    for one, other in found:
        assert one == pytest.approx(other, rel=1e-7)
    assert left == "0 left"


def test_without_an_assignment_that_runs_again_it_is_wrong(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("model.f90").write_text(CHAIN)
    printed = pushes(capsys, "lazy", "--recompute")
    every = [line.strip() for lines in printed.values() for line in lines]
    once = [line for line in every if "again, as in line" in line and every.count(line) == 1 and line[0] != "r"]
    assert len(once) == 2  # r is made of d alone, and a and b are made twice
    for lost in once:
        kept = {place: [line for line in lines if line.strip() != lost] for place, lines in printed.items()}
        found, _ = gradients(filled(kept, CHAIN_ADJOINT))
        assert any(one != pytest.approx(other, rel=1e-3) for one, other in found), lost


def test_taf_is_told_what_it_computes_again(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("model.f90").write_text(CHAIN)
    options = ["--head", HEAD, "--strategy", "lazy", "--format", "taf", "--quiet", "--recompute"]
    assert main(["report", "model.f90", *options]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "! model.f90:18, in front of model@18 (lines 18 to 20)",
        "! not stored, as TAF can compute it again: b = 2.0d0*x(3) (line 8)",
        "! not stored, as TAF can compute it again: a = x(1)*x(2) (line 7)", ""]


@pytest.mark.parametrize(("name", "fixed"), [("model.f90", False), ("model.f", True)])
def test_stores_for_taf_are_judged_right(name: str, fixed: bool, directory: Path,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    """Pasted in front of its part the list is what must be saved: nothing missing, nothing superfluous."""
    text = "\n".join("      " + line.strip() for line in MODEL.splitlines()) if fixed else MODEL
    text = text.replace("      !$AD", "C$AD") if fixed else text
    Path(name).write_text(text + "\n")
    assert main(["report", name, "--head", HEAD, "--strategy", "lazy", "--format", "taf", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "STORE" in line] == [
        f"{'CADJ' if fixed else '!$TAF'} STORE {what} = tape_model_12, key = k" for what in ("u(2:3)", "w")]
    assert any(line.endswith("INIT tape_model_12 = COMMON, 3") for line in lines)
    start = next(line for line in text.splitlines() if "CHECKPOINT-START" in line)
    stores = "\n".join(line for line in lines if "STORE" in line)
    for pasted, codes in ((stores, []), (stores.replace("w =", "z ="), ["SN701", "SN702"])):
        Path(name).write_text(text.replace(start, f"{pasted}\n{start}") + "\n")
        result = report([name], HEAD, Choices(strategies="lazy"))
        assert sorted(one.code for one in result.diagnostics if one.code.startswith("SN7")) == codes


def test_calls_that_run_again_are_named(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("model.f90").write_text("""subroutine p(x, h, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), h(n)
  real(8), intent(out) :: y
  real(8) :: f
  integer :: i
  y = 1
  do i = 1, n
    call flux(x(i), h(i), f)
    y = y*f*speed(x(i))
  end do
contains
  real(8) function speed(a)
    real(8), intent(in) :: a
    speed = a*a
    if (a > 1) speed = a
  end function speed
  subroutine flux(a, b, c)
    real(8), intent(in) :: a, b
    real(8), intent(out) :: c
    c = a*b
    if (b > 1) c = b
  end subroutine flux
end subroutine p
""")
    head = ["report", "model.f90", "--head", "p(x, h)>(y)", "--format", "pushes", "--recompute", "--quiet"]
    assert main(head) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^ +call flux\(x\(i\), h\(i\), f\)  ! again, as in line 9$", printed, re.MULTILINE)
    assert re.search(r"^ +! speed@10 = speed\(x\(i\)\)  ! again, as in line 10$", printed, re.MULTILINE)
