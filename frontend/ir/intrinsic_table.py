"""One record for each intrinsic function: what its result is, what it reads, its derivative, who executes it.

To add one, add its record; everything else asks here. Derivatives are texts over the argument names, and ``v`` for
the function's own value: ``exp`` has ``{"x": "v"}``. Fortran 2018, 16.7 to 16.9, and GNU extensions. Functions with
effects (RAN, ETIME and their kin, all of them extensions) are not listed: they are unknown calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, Literal

from snapset.frontend.base.frozen_records import frozen

IS_OF_TYPE: Final = "type is"
"""An inquiry of ours: is the object of the type with this key? No name of Fortran's is so."""
DIGAMMA: Final = "_digamma"
"""The derivative of LOG_GAMMA, which Fortran has no name for."""

ResultRule = Literal[
    "same", "default real", "default integer", "default logical", "default complex", "double", "double complex",
    "long integer", "one character", "text", "real part", "product", "mold", "last", "unknown",
]  # fmt: skip
ShapeRule = Literal[
    "elemental", "scalar", "reduction", "location", "bound", "vector", "first", "spread", "product", "unpack",
    "reshape", "transfer", "largest",
]  # fmt: skip


ELEMENTARY = 8  # additions take as long as an exponential, more or less


@frozen
class IntrinsicFunction:
    """One intrinsic function.

    ``arguments``: their names, in order. ``result``, ``shape``: how type and rank follow from the arguments.
    ``kinded``: a KIND argument gives the result's kind.
    ``inquiry``: asks a descriptor, and reads no value. ``flat``: no derivative passes, because the value is piecewise
    constant or no real number.
    ``partials``: by argument, the partial derivative; an argument that is not in it passes none. None: no closed form
    here, so that its derivative reads all arguments, and replay refuses it.
    ``transposed``: of a function that is linear in arrays, or in real and imaginary parts; the derivative is no
    factor, but the transposed map has this name, and ``partials`` lists what it reads.
    ``extreme``: the comparison by which one of the arguments wins (MAX, MIN). ``sided``: its partial derivatives only
    say which side was taken, so that this may be recorded instead.
    ``effort``: as how many additions it counts where it might be computed again rather than read back from a tape; 0:
    it is not; of a reduction, for each element. ``machine``: what the replay machine computes it by, a
    NumPy function, one of ``replay/memory/intrinsic_values.py`` or ``generated``; empty: it refuses. ``python``: what
    gives the same bits for Python's floats. ``yielding``: many compilers do not have it, or only when asked
    (``-fdec-math``), so that a program's own function of this name comes first.
    """

    name: str
    arguments: tuple[str, ...]
    result: ResultRule = "same"
    shape: ShapeRule = "elemental"
    kinded: bool = False
    inquiry: bool = False
    flat: bool = False
    partials: Mapping[str, str] | None = None
    transposed: str = ""
    extreme: str = ""
    sided: bool = False
    effort: int = 0
    machine: str = ""
    python: str = ""
    yielding: bool = False


@frozen
class SpecificName:
    """A specific name: lowering makes ``generic`` of it, with a result by another rule; ``inside``: the result is
    that of ``generic`` applied to this one (AMAX0 is REAL of MAX). ``kind``: the KIND argument to be added."""

    generic: str
    result: ResultRule
    inside: str = ""
    kind: int | None = None


@dataclass(slots=True)
class _Table:
    """Collects records while this module is loaded."""

    records: dict[str, IntrinsicFunction] = field(default_factory=dict)

    def __call__(self, names: str, arguments: str = "x", **facts: Any) -> None:
        for name in names.split():
            one = IntrinsicFunction(name, tuple(arguments.split()))
            self.records[name] = replace(one, **facts)


def _functions() -> Mapping[str, IntrinsicFunction]:
    table = _Table()
    for fill in (_elementary, _sides_and_rounding, _numbers, _integers, _characters, _arrays, _inquiries):
        fill(table)
    of_type = IntrinsicFunction(IS_OF_TYPE, ("object", "key"), "default logical", "scalar", inquiry=True, flat=True,
                                machine="generated")
    digamma = IntrinsicFunction(DIGAMMA, ("x",), machine="digamma")
    return MappingProxyType(table.records | {IS_OF_TYPE: of_type, DIGAMMA: digamma})


def _elementary(add: _Table) -> None:
    for name, partial, machine in (
        ("exp", "v", "np.exp"), ("log", "1.0/x", "np.log"), ("log10", "1.0/(x*2.302585092994046)", "np.log10"),
        ("sin", "cos(x)", "np.sin"), ("cos", "-sin(x)", "np.cos"), ("tan", "1.0 + v*v", "np.tan"),
        ("asin", "1.0/sqrt(1.0 - x*x)", "np.arcsin"), ("acos", "-1.0/sqrt(1.0 - x*x)", "np.arccos"),
        ("atan", "1.0/(1.0 + x*x)", "np.arctan"), ("sinh", "cosh(x)", "np.sinh"), ("cosh", "sinh(x)", "np.cosh"),
        ("tanh", "1.0 - v*v", "np.tanh"), ("asinh", "1.0/sqrt(x*x + 1.0)", "np.arcsinh"),
        ("acosh", "1.0/sqrt(x*x - 1.0)", "np.arccosh"), ("atanh", "1.0/(1.0 - x*x)", "np.arctanh"),
        ("erf", "1.1283791670955126*exp(-(x*x))", "erf"), ("erfc", "-1.1283791670955126*exp(-(x*x))", "erfc"),
    ):  # fmt: skip
        add(name, partials={"x": partial}, machine=machine, effort=ELEMENTARY)
    add("sqrt", partials={"x": "0.5/v"}, machine="np.sqrt", python="sqrt", effort=4)
    add("atan2", "y x", partials={"y": "x/(x*x + y*y)", "x": "-y/(x*x + y*y)"}, machine="np.arctan2",
        effort=ELEMENTARY)
    add("hypot", "x y", partials={"x": "x/hypot(x, y)", "y": "y/hypot(x, y)"}, machine="np.hypot", effort=ELEMENTARY)
    add("dprod", "x y", result="double", partials={"x": "y", "y": "x"}, machine="generated")
    for name, partial in (
        ("gamma", "v*_digamma(x)"), ("log_gamma", "_digamma(x)"), ("erfc_scaled", "2.0*x*v - 1.1283791670955126"),
        ("bessel_j0", "-bessel_j1(x)"), ("bessel_j1", "0.5*(bessel_j0(x) - bessel_jn(2, x))"),
        ("bessel_y0", "-bessel_y1(x)"), ("bessel_y1", "bessel_y0(x) - v/x"),
    ):
        add(name, partials={"x": partial}, machine=name, effort=ELEMENTARY)
    for name in ("bessel_jn", "bessel_yn"):  # those of order -1 are those of order 1 with the other sign
        add(name, "n x", partials={"x": f"0.5*({name}(n - 1, x) - {name}(n + 1, x))"}, machine=name, result="last")
    for name, partial in (  # of degrees: Fortran 2023, and GNU's two cotangents; 0.0174... is pi/180
        ("sind", "0.017453292519943295*cosd(x)"), ("cosd", "-0.017453292519943295*sind(x)"),
        ("tand", "0.017453292519943295*(1.0 + v*v)"), ("cotand", "-0.017453292519943295*(1.0 + v*v)"),
        ("asind", "57.29577951308232/sqrt(1.0 - x*x)"), ("acosd", "-57.29577951308232/sqrt(1.0 - x*x)"),
        ("atand", "57.29577951308232/(1.0 + x*x)"), ("cotan", "-1.0 - v*v"),
    ):
        add(name, partials={"x": partial}, machine=name, yielding=True)
    add("atan2d", "y x", partials={"y": "57.29577951308232*x/(x*x + y*y)", "x": "-57.29577951308232*y/(x*x + y*y)"},
        machine="atan2d", yielding=True)


def _sides_and_rounding(add: _Table) -> None:
    add("max", "a1 a2", extreme=">", sided=True, effort=1, machine="generated")
    add("min", "a1 a2", extreme="<", sided=True, effort=1, machine="generated")
    add("abs", "a", result="real part", partials={"a": "sign(1.0, a)"}, sided=True, effort=1, machine="np.abs",
        python="abs")
    add("sign", "a b", partials={"a": "sign(1.0, b)*sign(1.0, a)"}, sided=True, effort=1, machine="sign",
        python="copysign")
    add("dim", "x y", partials={"x": "merge(1.0, 0.0, x > y)", "y": "-merge(1.0, 0.0, x > y)"}, sided=True,
        effort=1, machine="generated")
    add("merge", "tsource fsource mask", partials={"tsource": "merge(1.0, 0.0, mask)",
        "fsource": "merge(0.0, 1.0, mask)"}, sided=True, effort=1, machine="generated")
    add("mod", "a p", partials={"a": "1.0", "p": "-aint(a/p)"}, effort=1, machine="np.fmod", python="fmod")
    add("modulo", "a p", partials={"a": "1.0", "p": "-anint((a - modulo(a, p))/p)"}, effort=1, machine="np.mod")
    add("aint", "a kind", flat=True, effort=1, machine="np.trunc")
    add("anint", "a kind", flat=True, machine="half_away")
    for name, machine, python in (("int", "to_int", "int"), ("nint", "to_nearest", "nearest"),
                                  ("floor", "to_floor", "floor"), ("ceiling", "to_ceiling", "ceil")):
        add(name, "a kind", result="default integer", kinded=True, flat=True, effort=int(name != "ceiling"),
            machine=machine, python=python)
    add("fraction rrspacing spacing ieee_logb ieee_rint ieee_next_up ieee_next_down")
    add("nearest", "x s")
    add("scale set_exponent", "x i")
    add("ieee_copy_sign ieee_next_after ieee_rem ieee_scalb", "x y")
    add("exponent", result="default integer", flat=True)


def _numbers(add: _Table) -> None:
    add("real", "a kind", result="default real", kinded=True, partials={"a": "1.0"}, transposed="real part", effort=1,
        machine="generated")
    add("dble", "a", result="double", partials={"a": "1.0"}, transposed="real part", effort=1, machine="generated")
    add("aimag", "z", result="real part", partials={"z": ""}, transposed="imaginary part", machine="np.imag")
    add("conjg", "z", partials={"z": ""}, transposed="conjugate", machine="np.conj")
    add("cmplx complex", "x y kind", result="default complex", kinded=True, partials={"x": "", "y": ""},
        transposed="complex", machine="generated")
    add("isnan", result="default logical", flat=True, machine="np.isnan")
    add("ieee_is_nan", result="default logical", flat=True, machine="np.isnan")
    add("ieee_is_finite", result="default logical", flat=True, machine="np.isfinite")
    add("ieee_is_normal ieee_is_negative", result="default logical", flat=True)
    add("ieee_unordered", "x y", result="default logical", flat=True)
    add("out_of_range", "x mold round", result="default logical", shape="largest", flat=True)
    add("logical", "l kind", result="default logical", kinded=True, flat=True)


def _integers(add: _Table) -> None:
    add("iand", "i j", flat=True, machine="np.bitwise_and")
    add("ior", "i j", flat=True, machine="np.bitwise_or")
    add("ieor", "i j", flat=True, machine="np.bitwise_xor")
    add("not", "i", flat=True, machine="np.invert")
    add("ibset", "i pos", flat=True, machine="bit_set")
    add("ibclr", "i pos", flat=True, machine="bit_cleared")
    add("ibits", "i pos len", flat=True, machine="bits_of")
    add("ishft", "i shift", flat=True, machine="shifted")
    add("lshift shiftl", "i shift", flat=True, machine="shifted")
    add("shiftr", "i shift", flat=True, machine="shifted_right")
    add("rshift shifta", "i shift", flat=True, machine="np.right_shift")
    add("ishftc", "i shift size", flat=True, machine="rotated")
    add("and", "i j", flat=True, machine="np.bitwise_and")
    add("or", "i j", flat=True, machine="np.bitwise_or")
    add("xor", "i j", flat=True, machine="np.bitwise_xor")
    add("dshiftl dshiftr", "i j shift", flat=True)
    add("merge_bits", "i j mask", flat=True)
    add("popcnt", "i", result="default integer", flat=True, machine="ones")
    add("poppar", "i", result="default integer", flat=True, machine="parity")
    add("leadz", "i", result="default integer", flat=True, machine="leading_zeros")
    add("trailz", "i", result="default integer", flat=True, machine="trailing_zeros")
    add("btest", "i pos", result="default logical", flat=True, machine="bit_test")
    add("is_iostat_end is_iostat_eor", "i", result="default logical", flat=True)


def _characters(add: _Table) -> None:
    text: dict[str, Any] = {"flat": True, "machine": "generated"}
    add("index", "string substring back kind", result="default integer", **text)
    add("scan verify", "string set back kind", result="default integer", **text)
    add("len_trim", "string kind", result="default integer", **text)
    add("ichar iachar", "c kind", result="default integer", **text)
    add("lge lgt lle llt", "string_a string_b", result="default logical", **text)
    add("achar char", "i kind", result="one character", **text)
    add("adjustl adjustr", "string", **text)
    add("trim", "string", result="text", shape="scalar", **text)
    add("repeat", "string ncopies", result="text", shape="scalar", **text)
    add("new_line", "a", result="text", shape="scalar", **text)
    add("compiler_version compiler_options", "", result="text", shape="scalar", flat=True)


def _arrays(add: _Table) -> None:
    add("sum", "array dim mask", shape="reduction", partials={"array": "dim, mask"}, transposed="sum",
        effort=1, machine="generated")
    add("product", "array dim mask", shape="reduction", partials={"array": "array, dim, mask"},
        transposed="product", effort=1, machine="generated")
    add("maxval minval", "array dim mask", shape="reduction", partials={"array": "array, dim, mask"},
        transposed="extreme", effort=1, machine="generated")
    add("norm2", "x dim", shape="reduction", partials={"x": "x, dim"}, transposed="norm", machine="generated")
    add("dot_product", "vector_a vector_b", result="product", shape="scalar",
        partials={"vector_a": "vector_b", "vector_b": "vector_a"}, transposed="dot product",
        effort=2, machine="generated")
    add("matmul", "matrix_a matrix_b", result="product", shape="product",
        partials={"matrix_a": "matrix_b", "matrix_b": "matrix_a"}, transposed="matrix product", machine="generated")
    add("transpose", "matrix", shape="largest", partials={"matrix": ""}, transposed="transpose", machine="generated")
    add("spread", "source dim ncopies", shape="spread", partials={"source": "dim"}, transposed="spread",
        machine="generated")
    add("reshape", "source shape pad order", shape="reshape", partials={"source": "shape, size(pad), order",
        "pad": "size(source), shape, order"}, transposed="movement", machine="generated")
    add("pack", "array mask vector", shape="vector", partials={"array": "mask, size(vector)",
        "vector": "size(array), mask"}, transposed="movement", machine="generated")
    add("unpack", "vector mask field", shape="unpack", partials={"vector": "mask, size(field)",
        "field": "size(vector), mask"}, transposed="movement", machine="generated")
    add("cshift", "array shift dim", shape="first", partials={"array": "shift, dim"}, transposed="shift",
        machine="generated")
    add("eoshift", "array shift boundary dim", shape="first", partials={"array": "shift, dim",
        "boundary": "shift, dim"}, transposed="shift", machine="generated")
    add("transfer", "source mold size", result="mold", shape="transfer", partials={"source": "mold, size"},
        transposed="transfer")
    add("reduce", "array operation dim mask identity ordered", shape="reduction")
    add("iall iany iparity", "array dim mask", shape="reduction", flat=True)
    add("all any", "mask dim", result="default logical", shape="reduction", flat=True, machine="generated")
    add("parity", "mask dim", result="default logical", shape="reduction", flat=True)
    add("count", "mask dim kind", result="default integer", shape="reduction", flat=True, machine="generated")
    add("maxloc minloc", "array dim mask kind back", result="default integer", shape="location", flat=True,
        machine="generated")
    add("findloc", "array value dim mask kind back", result="default integer", shape="location", flat=True,
        machine="generated")


def _inquiries(add: _Table) -> None:
    whole: dict[str, Any] = {"result": "default integer", "shape": "scalar", "flat": True}
    asks: dict[str, Any] = {"inquiry": True, "flat": True}
    add("size", "array dim kind", **whole, inquiry=True, machine="generated")
    add("len", "string kind", **whole, inquiry=True, machine="generated")
    add("kind digits maxexponent minexponent precision radix range bit_size storage_size", **whole,
        inquiry=True)
    add("selected_int_kind", "r", **whole, inquiry=True)
    add("selected_real_kind", "p r radix", **whole, inquiry=True)
    add("rank selected_char_kind", **whole)
    add("sizeof c_sizeof", result="long integer", shape="scalar", inquiry=True, flat=True)
    add("loc", result="long integer", shape="scalar", flat=True)
    add("iargc command_argument_count num_images this_image", "", **whole)
    add("huge tiny epsilon", shape="scalar", machine="generated", **asks)
    add("shape", "source kind", result="default integer", shape="vector", machine="generated", **asks)
    add("lbound ubound", "array dim kind", result="default integer", shape="bound", machine="generated", **asks)
    add("coshape lcobound ucobound image_index team_number", "coarray", result="default integer", shape="largest",
        flat=True)
    truth: dict[str, Any] = {"result": "default logical", "shape": "scalar", "flat": True}
    add("present", "a", **truth, inquiry=True, machine="generated")
    add("allocated", "array", **truth, inquiry=True, machine="generated")
    add("associated", "pointer target", **truth, machine="generated")
    add("same_type_as extends_type_of", "a mold", **truth, machine="generated")
    add("c_associated", "c_ptr_1 c_ptr_2", **truth)
    add("is_contiguous", "array", **truth)
    add("ieee_support_io ieee_support_rounding ieee_support_flag ieee_support_halting ieee_support_underflow_control",
        **truth)
    add("ieee_support_datatype ieee_support_denormal ieee_support_divide ieee_support_inf ieee_support_nan "
        "ieee_support_sqrt ieee_support_standard ieee_support_subnormal", "x", **truth, inquiry=True,
        machine="generated")
    add("ieee_value", "x class", shape="largest")
    add("c_loc c_funloc", result="unknown", shape="scalar")
    add("get_team", "level", result="unknown", shape="largest")
    add("null", "mold", shape="scalar")


FUNCTIONS: Final = _functions()


def _specific() -> Iterator[tuple[str, SpecificName]]:
    def names(text: str, result: ResultRule, strip: str = "") -> Iterator[tuple[str, SpecificName]]:
        for pair in text.split():
            name, _, generic = pair.partition(":")
            yield name, SpecificName(generic or name.removeprefix(strip), result)

    yield from names("dabs dacos dasin datan datan2 dcos dcosh dexp ddim dlog dlog10 dmax1:max dmin1:min dmod dsign "
                     "dsin dsinh dsqrt dtan dtanh derf derfc dgamma dacosh dasinh datanh dcosd dsind dtand datand "
                     "dasind dacosd datan2d dcotan dcotand "
                     "dlgamma:log_gamma dlgama:log_gamma dint:aint dnint:anint dfloat:dble dreal:dble dimag:aimag",
                     "double", "d")
    yield from names("alog:log alog10:log10 amax1:max amin1:min amod:mod float:real sngl:real algama:log_gamma",
                     "default real")
    yield from names("iabs:abs idim:dim idint:int idnint:nint ifix:int isign:sign max0:max min0:min",
                     "default integer")
    yield from names("ccos cexp clog csin csqrt", "default complex", "c")
    yield from names("dconjg zsqrt:sqrt zexp:exp zlog:log zsin:sin zcos:cos cdsqrt:sqrt cdexp:exp cdlog:log "
                     "cdsin:sin cdcos:cos", "double complex", "d")
    yield "dcmplx", SpecificName("cmplx", "double complex", kind=8)
    yield from names("cabs:abs zabs:abs cdabs:abs imag:aimag", "real part")
    for name, inside in (("amax0", "max"), ("amin0", "min")):
        yield name, SpecificName("real", "default real", inside)
    for name, inside in (("max1", "max"), ("min1", "min")):
        yield name, SpecificName("int", "default integer", inside)


SPECIFIC: Final[Mapping[str, SpecificName]] = MappingProxyType(dict(_specific()))
NAMES: Final = frozenset(FUNCTIONS) | frozenset(SPECIFIC)
"""What may be called as an intrinsic function."""
FIRST: Final = frozenset(
    name for name in NAMES if not FUNCTIONS[SPECIFIC[name].generic if name in SPECIFIC else name].yielding)
"""Of these, what an intrinsic function is even where the program has an external function of that name."""
