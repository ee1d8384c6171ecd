"""Values of functions that none of the others writes: Bessel functions of an order, GAMMA and its like of arrays."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

SCALAR = (
    "bessel_jn(2, 1.0d0 + 0.2d0*sin({0}))", "bessel_yn(1, 1.5d0 + 0.2d0*sin({0}))*0.3d0",
    "bessel_jn(k, 2.0d0 + 0.3d0*{0}/(1.0d0 + {0}**2))", "gamma(1.5d0 + 0.3d0*sin({0}))*{1}",
    "log_gamma(2.0d0 + 0.4d0*cos({0})) + {1}", "erfc_scaled(0.3d0*sin({0}))*{1}", "bessel_y0(1.2d0 + 0.1d0*sin({0}))",
    "bessel_j1({0}/(1.0d0 + {0}**2))", "bessel_y1(1.4d0 + 0.2d0*cos({0}))*0.5d0",
)  # fmt: skip
ARRAYS = (
    "0.5d0*gamma(1.4d0 + 0.3d0*sin({0}))", "log_gamma(1.8d0 + 0.2d0*cos({0}))*{1}", "erfc_scaled(0.4d0*sin({0}))",
    "bessel_j0({0}/(1.0d0 + {0}**2))*{1}", "bessel_jn(2, 1.0d0 + 0.3d0*sin({0}))",
    "0.4d0*bessel_y0(1.1d0 + 0.1d0*sin({0}))",
)  # fmt: skip


def special_functions(unit: Unit) -> None:
    unit.mark("special_functions")
    if unit.chance(40):
        unit.add(f"{unit.array()} = {unit.pick(*ARRAYS).format(unit.array(), unit.array())}")
    else:
        value = " + ".join(unit.pick(*SCALAR).format(unit.read(), unit.read()) for _ in range(2))
        unit.add(f"{unit.scalar()} = 0.3d0*({value})")


FEATURES = (Feature("special_functions", special_functions, 2),)
