"""The intrinsic procedures: what type and rank their results have (Fortran 2018, 16.7, and GNU extensions).

Functions with effects (RAN, ETIME and their kin, all of them extensions) are not listed: they are unknown calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.ir.expression_queries import binary_type, rank_of, type_of

_SAME = """abs aint anint conjg dim sign mod modulo max min sqrt exp log log10 sin cos tan asin acos atan
    atan2 sinh cosh tanh asinh acosh atanh gamma log_gamma erf erfc erfc_scaled hypot bessel_j0 bessel_j1 bessel_jn
    bessel_y0 bessel_y1 bessel_yn sind cosd tand asind acosd atand atan2d fraction nearest rrspacing scale
    set_exponent spacing merge iand ior ieor ibset ibclr ibits ishft ishftc not and or xor lshift rshift
    adjustl adjustr shiftl shiftr shifta dshiftl dshiftr merge_bits
    ieee_copy_sign ieee_logb ieee_next_after ieee_rem ieee_rint
    ieee_scalb ieee_next_up ieee_next_down"""
_DOUBLE = """dabs dacos dasin datan datan2 dcos dcosh dexp ddim dint dlog dlog10 dmax1 dmin1 dmod dnint dprod
    dsign dsin dsinh dsqrt dtan dtanh dble dfloat dreal dimag derf derfc dgamma dlgamma dacosh dasinh datanh
    dcosd dsind dtand datand"""
_REAL = "alog alog10 amax0 amax1 amin0 amin1 amod float sngl algama"
_INTEGER = """iabs idim idint idnint ifix isign max0 max1 min0 min1 index len_trim ichar iachar int nint floor ceiling
    exponent scan verify popcnt poppar leadz trailz ceiling"""
_INTEGER_SCALAR = """size len kind digits maxexponent minexponent precision radix range rank selected_int_kind
    selected_real_kind selected_char_kind bit_size storage_size command_argument_count num_images this_image
    iargc loc sizeof c_sizeof"""
_LOGICAL = """lge lgt lle llt btest logical isnan is_iostat_end is_iostat_eor ieee_is_normal ieee_is_negative
    ieee_unordered ieee_is_nan ieee_is_finite"""
_LOGICAL_SCALAR = """allocated associated present is_contiguous same_type_as extends_type_of
    c_associated ieee_support_datatype ieee_support_denormal ieee_support_divide ieee_support_inf ieee_support_io
    ieee_support_nan ieee_support_rounding ieee_support_sqrt ieee_support_standard ieee_support_flag
    ieee_support_halting ieee_support_underflow_control ieee_support_subnormal"""
_COMPLEX = "cmplx ccos cexp clog csin csqrt complex"
_DOUBLE_COMPLEX = "dcmplx dconjg zsqrt zexp zlog zsin zcos cdsqrt cdexp cdlog cdsin cdcos"
_CHARACTER = "achar char"
_CHARACTER_SCALAR = "trim repeat new_line compiler_version compiler_options"
_REDUCTION = "sum product maxval minval iall iany iparity"
_OTHER = """real aimag imag cabs zabs cdabs all any count parity norm2 dot_product matmul transpose reshape spread
    pack unpack cshift eoshift maxloc minloc findloc lbound ubound shape epsilon huge tiny null transfer reduce
    c_loc c_funloc get_team image_index team_number coshape lcobound ucobound
    ieee_value out_of_range"""

_SUBROUTINES = """random_number random_seed random_init date_and_time system_clock cpu_time mvbits move_alloc
    get_command get_command_argument get_environment_variable execute_command_line atomic_define atomic_ref
    co_sum co_max co_min co_broadcast co_reduce event_query c_f_pointer c_f_procpointer
    getarg getcwd getenv getlog gerror hostnm idate itime ltime gmtime srand second etime dtime system sleep fseek
    ftell fdate ctime perror rename unlink flush backtrace
    ieee_set_flag ieee_get_flag ieee_set_status ieee_get_status ieee_set_halting_mode ieee_get_halting_mode
    ieee_set_rounding_mode ieee_get_rounding_mode ieee_set_underflow_mode ieee_get_underflow_mode"""
SUBROUTINES: Final = frozenset(_SUBROUTINES.split())
STOPPING: Final = frozenset({"exit", "abort"})


def _table() -> Mapping[str, str]:
    rules: dict[str, str] = {}
    groups = (
        ("same", _SAME), ("double", _DOUBLE), ("real4", _REAL), ("integer", _INTEGER),
        ("integer scalar", _INTEGER_SCALAR), ("logical", _LOGICAL),
        ("logical scalar", _LOGICAL_SCALAR), ("complex", _COMPLEX),
        ("double complex", _DOUBLE_COMPLEX), ("character", _CHARACTER), ("character scalar", _CHARACTER_SCALAR),
        ("reduction", _REDUCTION),
    )  # fmt: skip
    for rule, names in groups:
        rules.update((name, rule) for name in names.split())
    rules.update((name, name) for name in _OTHER.split())
    return MappingProxyType(rules)


FUNCTIONS: Final = _table()
ELEMENTAL: Final = frozenset(
    f"{_SAME} {_DOUBLE} {_REAL} {_INTEGER} {_LOGICAL} {_COMPLEX} {_DOUBLE_COMPLEX} {_CHARACTER} "
    "real aimag imag cabs zabs cdabs".split()
)  # fmt: skip
"""The functions whose result has the shape of their arguments."""

_FIXED: Final = MappingProxyType(
    {"double": ir.DOUBLE, "double complex": ir.Type("complex", 16), "character": ir.Type("character", 1)}
)
_BY_DEFAULT: Final[Mapping[str, ir.Kind]] = MappingProxyType(
    {"real4": "real", "integer": "integer", "logical": "logical", "complex": "complex"}
)
_SAME_TYPE = """reduction transpose reshape spread pack unpack cshift eoshift epsilon huge tiny norm2 reduce same null
    ieee_value"""
_FIRST = frozenset(_SAME_TYPE.split())
_LOGICAL_LIKE = frozenset({"all", "any", "parity", "out_of_range"})
_REDUCING = frozenset({"reduction", "all", "any", "count", "parity", "norm2", "reduce"})
_LOCATING = frozenset({"maxloc", "minloc", "findloc"})
_SCALAR = frozenset({"dot_product", "epsilon", "huge", "tiny", "c_loc", "c_funloc", "null"})


# The names of arguments that count by their place, where there are several.
_ORDER: Final = MappingProxyType({name: tuple(names.split()) for name, names in (
    ("merge", "tsource fsource mask"), ("matmul", "matrix_a matrix_b"), ("dot_product", "vector_a vector_b"),
    ("pack", "array mask vector"), ("unpack", "vector mask field"), ("cshift", "array shift dim"),
    ("eoshift", "array shift boundary dim"), ("spread", "source dim ncopies"), ("reshape", "source shape pad order"),
    ("findloc", "array value dim mask"), ("atan2", "y x"), ("sign", "a b"), ("mod", "a p"), ("modulo", "a p"),
    ("dim", "x y"), ("hypot", "x y"), ("cmplx", "x y kind"), ("transfer", "source mold size"),
    ("index", "string substring back"), ("scan", "string set back"), ("verify", "string set back"),
    ("repeat", "string ncopies"))})  # fmt: skip


def intrinsic(name: str, args: tuple[ir.Argument, ...], kinds: DefaultKinds) -> ir.Intrinsic:
    """The reference ``name(args)`` with its type and rank; ``name`` is a key of :data:`FUNCTIONS`.

    Arguments come in the standard's order: ``merge(mask=m, tsource=a, fsource=b)`` is ``merge(a, b, m)``.
    """
    args = _in_order(name, args)
    return ir.Intrinsic(name, args, _type(name, args, kinds), _rank(name, args))


def _in_order(name: str, args: tuple[ir.Argument, ...]) -> tuple[ir.Argument, ...]:
    order = _ORDER.get(name)
    if order is None or all(argument.keyword is None for argument in args):
        return args
    placed = [(order.index(one.keyword) if one.keyword in order else place, place) for place, one in enumerate(args)]
    return tuple(args[place] for _, place in sorted(placed))


def _argument(args: tuple[ir.Argument, ...], keyword: str, position: int) -> ir.Expr | None:
    for place, argument in enumerate(args):
        if argument.keyword == keyword or (argument.keyword is None and place == position):
            return argument.value
    return None


def _with_kind(type_: ir.Type, kind: ir.Expr | None) -> ir.Type:
    """``type_`` in the kind a KIND argument asks for (kind numbers are byte sizes)."""
    if kind is None:
        return type_
    if not isinstance(kind, ir.Literal_) or not isinstance(kind.value, int):
        return ir.Type(type_.kind)
    return ir.Type(type_.kind, kind.value * (2 if type_.kind == "complex" else 1))


def _type(name: str, args: tuple[ir.Argument, ...], kinds: DefaultKinds) -> ir.Type:
    rule = FUNCTIONS[name]
    types = [type_of(argument.value) for argument in args if argument.keyword not in ("dim", "mask", "kind", "back")]
    first = types[0] if types else ir.UNKNOWN
    base, _, _ = rule.partition(" scalar")
    if name in ("max", "min") and len(types) > 1:
        return max(types, key=lambda one: one.bytes or 0)
    if name in ("abs", "cabs", "zabs", "cdabs", "aimag", "imag", "real") and first.kind == "complex":
        half = ir.Type("real", first.bytes // 2 if first.bytes else None)
        return _with_kind(half, _argument(args, "kind", 1)) if name == "real" else half
    if base in _FIRST:
        return first
    if name in ("real", "aimag", "imag", "cabs"):
        return _with_kind(ir.default_type(kinds, "real"), _argument(args, "kind", 1))
    if name in ("cmplx", "complex"):
        return _with_kind(ir.default_type(kinds, "complex"), _argument(args, "kind", 2))
    if name in ("trim", "repeat"):
        return ir.Type("character")
    if base in _FIXED:
        return _FIXED[base]
    if base in _BY_DEFAULT:
        kind = _argument(args, "kind", 1) if name in ("int", "nint", "floor", "ceiling", "logical") else None
        return _with_kind(ir.default_type(kinds, _BY_DEFAULT[base]), kind)
    if name in ("dot_product", "matmul") and len(types) > 1:
        return binary_type("*", types[0], types[1])
    if name == "transfer":
        return types[1] if len(types) > 1 else ir.UNKNOWN
    if name in _LOGICAL_LIKE:
        return ir.default_type(kinds, "logical")
    return ir.UNKNOWN if name in ("c_loc", "c_funloc", "get_team") else ir.default_type(kinds, "integer")


def _rank(name: str, args: tuple[ir.Argument, ...]) -> int:
    rule = FUNCTIONS[name]
    ranks = [rank_of(argument.value) for argument in args]
    first = ranks[0] if ranks else 0
    if rule.endswith(" scalar") or rule in _SCALAR:
        return 0
    if rule in _REDUCING or rule in _LOCATING:
        return _reduced_rank(rule, args, first)
    if rule in ("lbound", "ubound"):
        return 0 if _argument(args, "dim", 1) is not None else 1
    if rule in ("pack", "shape"):
        return 1
    if rule in ("cshift", "eoshift"):
        return first
    if rule == "spread":
        return first + 1
    if rule == "matmul" and len(ranks) > 1:
        return ranks[0] + ranks[1] - 2
    if rule == "unpack":
        return ranks[1] if len(ranks) > 1 else 1
    if rule == "reshape":
        shape = _argument(args, "shape", 1)
        return len(shape.items) if isinstance(shape, ir.ArrayConstructor) else max(first, 1)
    if rule == "transfer":
        return 1 if _argument(args, "size", 2) is not None or (len(ranks) > 1 and ranks[1]) else 0
    return max(ranks, default=0)


def _reduced_rank(rule: str, args: tuple[ir.Argument, ...], first: int) -> int:
    """SUM and the like lose one dimension with DIM, all without; the second positional one may be DIM or MASK."""
    position = 2 if rule in ("findloc", "reduce") else 1
    dim = _argument(args, "dim", position)
    if dim is not None and type_of(dim).kind != "logical":
        return max(first - 1, 0)
    return 1 if rule in _LOCATING else 0
