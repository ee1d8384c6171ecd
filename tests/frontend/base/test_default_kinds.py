"""-r8 and -i8: what default kinds are, against gfortran with its options of the same meaning."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from snapset.cli import main
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.load import load_text

EXPRESSIONS = (
    "kind(1)", "kind(1.0)", "kind(1.5e3)", "kind(1d0)", "kind(1_4)", "kind(1.0_4)", "kind(.true.)", "kind(.true._4)",
    "kind((1.0, 2.0))", "kind((1, 2.0))", "kind((1d0, 2.0))", "kind(real(3))", "kind(real(3, 4))", "kind(real(3d0))",
    "kind(int(2.5))", "kind(nint(2.5d0))", "kind(cmplx(1, 2))", "kind(cmplx(1d0, 2d0))", "kind(cmplx(1, 2, 8))",
    "kind(sqrt(2.0))", "kind(dble(2.0))", "kind(2.0*1d0)", "kind(2*3)", "kind(2.0*3)", "kind(r)", "kind(r4)",
    "kind(d)", "kind(k)", "kind(k4)", "kind(l)", "kind(z)", "kind(implied)", "kind(jmplied)", "kind(size([1, 2]))",
    "kind(dot_product([1.0], [2.0]))", "kind(sum([1, 2]))", "kind(abs((1.0, 2.0)))", "kind(aimag((1.0, 2.0)))",
    "kind(maxval([1.0]))", "kind(logical(.true._4))", "selected_real_kind(6)", "selected_int_kind(9)",
    "kind(star)", "kind(istar)", "kind(dc)", "precision(1.0)", "digits(1)",
)  # fmt: skip
DECLARATIONS = """\
  real r
  real(4) r4
  real*4 star
  integer*4 istar
  double precision d
  double complex dc
  integer k
  integer(4) k4
  logical l
  complex z
  parameter (implied = 2.0, jmplied = 2)
"""


def constants() -> str:
    return "".join(f"  integer(4), parameter :: q{n} = {text}\n" for n, text in enumerate(EXPRESSIONS))


@pytest.mark.parametrize(("kinds", "flags"), [
    (DefaultKinds(), []),
    (DefaultKinds(real=8), ["-fdefault-real-8", "-fdefault-double-8"]),
    (DefaultKinds(integer=8), ["-fdefault-integer-8"]),
    (DefaultKinds(8, 8), ["-fdefault-real-8", "-fdefault-double-8", "-fdefault-integer-8"]),
], ids=["plain", "r8", "i8", "both"])  # fmt: skip
def test_kinds_are_gfortrans(kinds: DefaultKinds, flags: list[str], tmp_path: Path) -> None:
    shown = "".join(f"  print *, q{n}\n" for n in range(len(EXPRESSIONS)))
    text = f"program p\n{DECLARATIONS}{constants()}{shown}end program\n"
    (tmp_path / "p.f90").write_text(text)
    subprocess.run(["gfortran", *flags, "p.f90", "-o", "p"], cwd=tmp_path, check=True, timeout=60)
    answer = subprocess.run(["./p"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60).stdout
    variables = load_text(text, "p.f90", ReadOptions(kinds=kinds)).procedures["p"].variables
    ours = [value_of(variables[f"q{n}"].value) for n in range(len(EXPRESSIONS))]
    known = {text: value for text, value in zip(EXPRESSIONS, ours, strict=True) if value is not None}
    theirs = dict(zip(EXPRESSIONS, map(int, answer.split()), strict=True))
    assert known == {text: theirs[text] for text in known}
    assert len(known) > 0.7 * len(EXPRESSIONS)


PROGRAM = """\
subroutine f(x, y)
  real x, y, w
  integer k
  w = x
  k = 3
  call part(w, k)
  y = w*w*k
end subroutine
subroutine part(w, k)
  real w
  integer k
  w = w*w*k
  k = k + 1
end subroutine
"""


@pytest.mark.parametrize(("options", "bytes_"), [
    ([], 8), (["-r8"], 12), (["-i8"], 12), (["-r8", "-i8", "-dr8"], 16), (["--real-kind", "8"], 12),
    (["--integer-kind", "8", "--real-kind", "4"], 12), (["-r4", "-i4"], 8), (["-i2"], 6),
])  # fmt: skip
def test_the_report_counts_them(
    options: list[str], bytes_: int, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: the snapshot is w and k. Also from the project file, and from a cache filled with other kinds."""
    monkeypatch.chdir(tmp_path)
    Path("f.f90").write_text(PROGRAM)
    wanted = f"snapshot bytes   {bytes_}"
    for kinds in ([], options):
        assert main.main(["report", "--sets", "f.f90", "--head", "f(x)>(y)", "--cache-dir", "cache", *kinds]) == 0
        out = capfd.readouterr().out
    assert wanted in out


def test_the_project_file_has_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.f90").write_text(PROGRAM)
    project = 'sources = ["f.f90"]\nheads = ["f(x)>(y)"]\nreal-kind = 8\ninteger-kind = 8\n'
    Path("snapset.toml").write_text(project)
    assert main.main(["report", "--sets", "--no-cache"]) == 0
    assert "snapshot bytes   16" in capfd.readouterr().out
    Path("snapset.toml").write_text(project.replace("= 8", "= 7", 1))
    assert main.main(["report", "--no-cache"]) == 2
    assert "real-kind must be 4 or 8" in capfd.readouterr().err
