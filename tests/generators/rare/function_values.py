"""Intrinsic functions: those of one real argument from the table itself, the others one by one."""

from __future__ import annotations

import re

from snapset.frontend.ir.intrinsic_table import FUNCTIONS

from tests.generators.constructs.writing import Feature, Unit

MILD = "0.3d0 + 0.2d0*sin({0})"  # where all of them have values and slopes
ABOVE_ONE = ("acosh",)
ELEMENTARY = tuple(sorted(
    name for name, one in FUNCTIONS.items() if one.arguments == ("x",) and one.shape == "elemental"
    and one.result == "same" and one.partials and one.machine and not one.yielding and not name.startswith("ieee_")))
REALS = (
    "atan2({0}, 1.0d0 + {1}**2)", "hypot({0}, 0.5d0 + {1}**2)", "dim({0}, 0.31d0)", "sign({0}, {1} - 0.43d0)",
    "mod({0}, 0.7d0)", "modulo({0}, 0.7d0)", "dprod(0.75, 0.5)*{0}", "real(aint(3*{0}), 8)*{1}",
    "anint(2*{0})*{1}", "min({0}, {1}, 0.6d0)", "fraction(2.0d0 + sin({0}))", "scale({0}, 2 - k)",
    "spacing(0.5d0)*{0}", "rrspacing(1.5d0)*1d-16*{0}", "set_exponent({0}, 1)*0.1d0", "epsilon(1.0)*{0} + {1}",
    "nearest(0.5d0, 1.0d0)*{0}", "tiny(1d0)*{0} + {1}", "(huge(1.0) - huge(1.0) + {0})*{1}",
    "log_gamma(1.5d0 + 0.3d0*sin({0}))", "erf({0})*{1}", "bessel_j0(1.0d0 + 0.1d0*sin({0}))",
    "aimag(conjg(cmplx({0}, {1}, 8)))", "abs(cmplx({0}, 0.5d0 + {1}**2, 8))", "transfer({0}, 1d0)*{1}",
    "merge({0}, {1}, isnan({0}) .eqv. .false.)", "real(cmplx({0}, {1}, 8), 8)*0.5d0", "aimag(cmplx({0}, {1}, 8))",
)  # fmt: skip
INTEGERS = (
    "ceiling(2*{0})", "floor(2*{0})", "nint(3*{0})", "exponent(2.0d0 + {0}**2)", "iand(k, 6)", "ior(k, 5)",
    "ieor(k, 3)", "not(k) + 8", "ishft(k, 1)", "ishftc(k, 1, 3)", "ibset(k, 2)", "ibclr(k, 1)", "ibits(k, 1, 2)",
    "popcnt(k)", "poppar(k)", "leadz(k)/8", "trailz(k)", "shiftl(k, 1)", "shiftr(k, 1)", "shifta(k, 1)",
    "and(k, 6)", "or(k, 4)", "xor(k, 5)",
    "lshift(k, 1)", "rshift(k, 1)",
    "merge_bits(k, 5, 3)", "dshiftl(k, 1, 2)", "dshiftr(k, 1, 30)/2", "int(k, 1)*2_1", "int(k, 8)**2_8",
    "int(k, 2) + 1_2", "digits(1d0)/20", "precision({0})/5", "range(k)/3", "radix(k)", "maxexponent(1.0)/64",
    "minexponent(1.0)/(-64)", "kind(1d0)/4", "bit_size(k)/16", "storage_size({0})/32", "selected_real_kind(12)/4",
    "selected_int_kind(9)", "len_trim('ab ')", "index('abcab', 'ca')", "scan('abc', 'cb')", "verify('aab', 'a')",
    "ichar(char(60 + k))/30", "iachar(achar(65 + k))/30", "len_trim(adjustl(word_)//adjustr(word_))",
    "merge(1, 2, lge('b', 'a') .and. llt('a', 'b'))", "merge(3, 1, lgt('b', 'a') .eqv. lle('a', 'b'))",
    "merge(1, 3, btest(k, 1))", "rank([k, k])", "len(new_line('a')) + len(trim('ab '))",)  # fmt: skip
WHOLE = (
    "maxval({0})*0.5d0", "minval({0})", "product(0.7d0 + 0.2d0*sin({0}))", "norm2(0.5d0 + {0}**2)*0.3d0",
    "sum({0}, mask={0} > 0.2d0)*0.2d0", "{0}(maxloc({0}, 1))*0.5d0", "{0}(minloc({0}, 1))",
    "{0}(max(1, findloc(ix, 3, 1)))", "0.2d0*sum([({0}(id3)*id3, id3 = 1, 5, 2)])",
    "merge(0.4d0, 0.6d0, all({0} > 0.1d0))*{0}(2)",
    "0.1d0*count({0} > 0.3d0)*{0}(1)", "merge(0.5d0, 0.3d0, parity({0} > 0.3d0))*{0}(3)",
)  # fmt: skip


_CALLED = re.compile(r"[a-z_]\w*(?=\()")


def executed(values: tuple[str, ...]) -> tuple[str, ...]:
    """Those of which the machine executes all that they call."""
    return tuple(one for one in values if all(FUNCTIONS[name].machine for name in _CALLED.findall(one)
                                              if name in FUNCTIONS))


def elementary(unit: Unit) -> None:
    """A function of one real argument: whatever the table has."""
    unit.mark("elementary")
    name = unit.pick(*ELEMENTARY)
    mild = ("1.1d0 + " if name in ABOVE_ONE else "") + MILD.format(unit.read())
    if unit.chance(30):
        a, b = unit.array(), unit.array()
        mild = ("1.1d0 + " if name in ABOVE_ONE else "") + MILD.format(b)
        unit.add(f"{a} = 0.5d0*sin({name}({mild}))")
    else:
        unit.add(f"{unit.scalar()} = 0.6d0*sin({name}({mild}))*{unit.read()}")


def real_values(unit: Unit) -> None:
    unit.mark("real_values")
    value = " + ".join(unit.pick(*executed(REALS)).format(unit.read(), unit.read()) for _ in range(3))
    unit.add(f"{unit.scalar()} = 0.2d0*({value})")


def integer_values(unit: Unit) -> None:
    """Integers and texts, in numbers of all kinds."""
    unit.local("i1_", "integer(1) :: i1_\n  integer(2) :: i2_\n  integer(8) :: i8_\n  logical(1) :: b1_\n"
                      "  logical(2) :: b2_\n  logical(8) :: b8_\n  complex(4) :: z4_\n  integer :: i8k_\n"
                      "  character(4) :: word_",
               "i8k_ = 1", "word_ = ' ab'", "i1_ = 1_1", "i2_ = 2_2",
               "i8_ = 3_8", "b1_ = .true.", "b2_ = .false.", "b8_ = .true.", "z4_ = (0.5, 0.25)")
    unit.mark("integer_values")
    value = " + ".join(unit.pick(*executed(INTEGERS)).format(unit.read()) for _ in range(4))
    unit.add(unit.pick("i1_ = int(mod(k, 3), 1)", "i2_ = i2_ + int(i1_, 2)", "i8_ = mod(i8_*7_8, 11_8)",
                       "b1_ = k > 2", "b2_ = b1_ .neqv. b8_", "b8_ = b1_ .eqv. b2_", "z4_ = z4_*(0.5, 0.1)",
                       "i8k_ = ibset(i8k_, 1)", "b8_ = .not. b8_"))
    unit.add(f"{unit.scalar()} = (0.03d0*({value}) + 0.05d0*i1_ + 0.02d0*i2_ + 0.01d0*i8_ + 0.01d0*i8k_)*"
             f"{unit.read()}",
             f"if (b1_ .eqv. b8_ .or. b2_) {unit.scalar()} = 0.5d0*{unit.read()} + 0.1d0*real(z4_)")


def whole_values(unit: Unit) -> None:
    unit.mark("whole_values")
    unit.local("id3", "integer :: id3")
    value = " + ".join(unit.pick(*executed(WHOLE)).format(unit.array()) for _ in range(2))
    unit.add(f"{unit.scalar()} = 0.4d0*({value})")


FEATURES = (Feature("elementary", elementary, 3), Feature("real_values", real_values, 3),
            Feature("integer_values", integer_values, 3), Feature("whole_values", whole_values, 3))
