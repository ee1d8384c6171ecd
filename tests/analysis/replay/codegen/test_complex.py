"""COMPLEX in the machine: the adjoint of z = x + iy is dJ/dx + i dJ/dy, each held against differences of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.load import load_text

from tests.support.judged import judge, routine

DECLARED = "  complex(8) :: z, w, v(6), m(2, 3)\n  z = cmplx(x(1), x(2), 8)\n  w = (0.3d0, 0.7d0)\n" \
           "  v = cmplx(x, 0.5d0*x(6:1:-1), kind=8)\n  m = reshape(v, [2, 3])"
END = "\n  t = t + real(z*conjg(w)) + aimag(z)"
BODIES = {
    "arithmetic": "z = z*w - z/w + w*t; w = (z + 2)**2*0.1d0 + t/z - (1.0d0, 2.0d0)",
    "parts": "t = real(z) + aimag(w)*dble(z); z = cmplx(t, aimag(z), 8)*conjg(w)",
    "abs": "t = t + abs(z) + abs(w*z); z = z/abs(z)",
    "functions": "z = exp(w)*sin(z) + cos(w); w = sqrt(z) + log(w + 2)*0.1d0",
    "hyperbolic": "z = tan(z)*sinh(w) - cosh(z)*tanh(w)",
    "powers": "z = z**3 + w**(-1) + (z*w)**t; w = w**z*0.3d0 + t**w",
    "arrays": "v = v*z + a; a = a + abs(v)**2; t = t + sum(real(v))",
    "sections": "v(1:3) = v(6:4:-1)*conjg(v(1:3)); z = z + v(k + 1); v(k) = z*a(k)",
    "dot_product": "z = z + dot_product(v, v*w); t = t + dot_product(v, v) + real(dot_product(a, v))\n"
                   "w = w + dot_product(v, a)",
    "matmul": "m(:, 1:2) = matmul(m, conjg(transpose(m)))*z; v(1:2) = matmul(b, v(1:3)) + matmul(m, a(1:3))\n"
              "b = b + 0.1d0*real(m)",
    "reductions": "z = sum(v)*product(v(1:3)) + sum(m(:, 2), mask=aimag(m(:, 2)) > 0.4d0)",
    "movements": "v = cshift(v, k)*[(v(i)*a(i), i = 1, 6)]; z = merge(z*w, w, real(z) > 0.5d0)\n"
                 "v(1:2) = sum(pack(m, abs(m) > 1d0))*0.1d0 + eoshift(v(1:2), 1, z)",
    "where": "where (abs(v) > 1.0d0)\nv = v*z\nelsewhere (real(v) > 0.8d0)\nv = conjg(v)*a\nend where\nz = z + v(2)",
    "comparison": "if (z == w .or. z /= w) t = t*real(w); if (abs(z) > 0.1d0) z = z*w",
    "real takes the real part": "t = z*w; a = v*z; k = int(z)*0 + k",
    "sides": "t = max(real(z*w), aimag(z)) + min(t, abs(w)); z = z*t",
}


def program(body: str) -> str:
    """The body with complex variables declared and made from x."""
    declared, _, start = DECLARED.partition("\n")
    text = routine(body.replace("; ", "\n") + END, declared)
    return text.replace("  k = 1\n  do", f"{start}\n  k = 1\n  do", 1)


@pytest.mark.sample(4)
@pytest.mark.parametrize("what", BODIES)
def test_complex_is_differentiated(what: str, tmp_path: Path) -> None:
    judge(program(BODIES[what]), "s(x)>(y)", tmp_path, Inputs({"n": 6}))


PHYSICS = """module waves
  implicit none
  complex(8) :: carried = (0.5d0, -0.25d0)
  type mode
    complex(8) :: amplitude
    real(8) :: wavenumber
  end type mode
contains
  subroutine advance(z, f, m, n, energy)
    integer, intent(in) :: n
    complex(8), intent(inout) :: z(n), f
    type(mode), intent(inout) :: m
    real(8), intent(out) :: energy
    complex(4) :: single
    complex(8) :: pair(2)
    real(8) :: parts(4)
    integer :: k
    equivalence (pair, parts)
    do k = 1, n
      call turn(z(k), m%wavenumber*k)
      m%amplitude = m%amplitude*rotated(z(k), f)
      carried = carried + z(k)**2
    end do
    pair(1) = z(1)*f
    pair(2) = carried
    parts(2) = parts(2)*parts(3)
    f = f*pair(1)
    single = cmplx(0.25, 0.5)
    energy = sum(abs(z)**2) + real(m%amplitude*single) + aimag(carried) + abs(pair(1))
  end subroutine advance
  subroutine turn(z, angle)
    complex(8), intent(inout) :: z
    real(8), intent(in) :: angle
    z = z*exp(cmplx(0.0d0, angle, 8))*1.1d0
  end subroutine turn
  complex(8) function rotated(z, by)
    complex(8), intent(in) :: z, by
    rotated = z*by/(1.0d0 + abs(z))
  end function rotated
end module waves
"""


def test_complex_arguments_components_overlays_and_results(tmp_path: Path) -> None:
    judge(PHYSICS, "advance(z, f, m)>(energy, f, m)", tmp_path, Inputs({"n": 3}))


def test_the_gradient_has_both_parts() -> None:
    """J = |z|**2 + half of the imaginary part of z: dJ/dx = 2x, dJ/dy = 2y + 0.5."""
    text = ("subroutine s(z, y)\n complex(8), intent(inout) :: z\n real(8), intent(out) :: y\n"
            " y = real(z*conjg(z))\nend subroutine s\n")
    (head,) = parse_heads("s(z)>(y)")
    program = load_text(text)
    found = store_all(head, Machine(program, find_procedure(program, head).key), Inputs({"z": 3.0}))[0].values
    assert {name: float(a) for name, a in found.items()} == {"z%re": 6.0, "z%im": 0.0}
    (both,) = parse_heads("s(z)>(y, z)")
    found = store_all(both, Machine(program, find_procedure(program, both).key), Inputs({"z": 3.0}))[0].values
    assert {name: float(a) for name, a in found.items()} == {"z%re": 7.0, "z%im": 0.5}
