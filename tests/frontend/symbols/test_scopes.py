"""Symbol tables: what every name of every procedure means."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line, ReadOptions
from snapset.frontend.ir import Area, Literal_, Ref, Type
from snapset.frontend.reading.read import split_units, text_items
from snapset.frontend.symbols.scope_builder import build_scopes
from snapset.frontend.symbols.symbol_table import Scope, Scopes, implicit_type

from tests.support.growth import grows_linearly


def scopes_of(*texts: str, form: str = "free") -> Scopes:
    units = []
    for number, text in enumerate(texts, 1):
        path = f"f{number}.{'f90' if form == 'free' else 'f'}"
        units += split_units(text_items(text, path, ReadOptions()), path)
    return build_scopes(units)


def sub(declarations: str, args: str = "") -> Scope:
    """The scope of one subroutine with these declarations."""
    text = f"subroutine s({args})\n{declarations}\nend subroutine\n"
    return scopes_of(text).scopes["s"]


def types_of(scope: Scope, names: str) -> list[Type]:
    return [scope.variables[name].type for name in names.split()]


def codes(scopes: Scopes) -> list[str]:
    return [diagnostic.code for diagnostic in scopes.diagnostics]


def value(variable: ir.Variable) -> object:
    assert isinstance(variable.value, Literal_), variable.value
    return variable.value.value


def bounds(variable: ir.Variable) -> list[tuple[object, object]]:
    def one(end: ir.Expr | None) -> object:
        return end.value if isinstance(end, Literal_) else end.name if isinstance(end, Ref) else end

    return [(one(dim.lower), one(dim.upper)) for dim in variable.shape.dims]


# ---------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("real x", Type("real", 4)),
        ("real(8) :: x", Type("real", 8)),
        ("real*8 x", Type("real", 8)),
        ("real x*8", Type("real", 8)),
        ("double precision x", Type("real", 8)),
        ("real(kind=8) x", Type("real", 8)),
        ("real(kind(1.0d0)) :: x", Type("real", 8)),
        ("real(selected_real_kind(15, 307)) :: x", Type("real", 8)),
        ("real(selected_real_kind(6)) :: x", Type("real", 4)),
        ("real(10) :: x", Type("real", 16)),
        ("complex x", Type("complex", 8)),
        ("complex(8) x", Type("complex", 16)),
        ("complex*16 x", Type("complex", 16)),
        ("double complex x", Type("complex", 16)),
        ("integer*2 x", Type("integer", 2)),
        ("integer(selected_int_kind(12)) x", Type("integer", 8)),
        ("byte x", Type("integer", 1)),
        ("logical*1 x", Type("logical", 1)),
        ("logical x", Type("logical", 4)),
        ("character x", Type("character", 1)),
        ("character*8 x", Type("character", 8)),
        ("character*8, x", Type("character", 8)),
        ("character x*5", Type("character", 5)),
        ("character(len=7) :: x", Type("character", 7)),
        ("character(3, kind=1) :: x", Type("character", 3)),
        ("character(len=2*4) :: x", Type("character", 8)),
        ("character*(*) x", Type("character", None)),
        ("character(len=:), allocatable :: x", Type("character", None)),
        ("class(*), pointer :: x", Type("unknown")),
        ("type(integer) :: x", Type("integer", 4)),
    ],
)
def test_intrinsic_types(declaration: str, expected: Type) -> None:
    assert types_of(sub(declaration, "x"), "x") == [expected]


def test_kinds_of_parameters_and_intrinsic_modules() -> None:
    scope = sub(
        """
        use, intrinsic :: iso_fortran_env, only: real64, i8 => int64
        use iso_c_binding
        integer, parameter :: sp = kind(1.0), dp = selected_real_kind(2*precision(1.0_sp)), wp = dp
        real(wp) :: a
        real(real64) :: b
        real(c_double) :: c
        integer(i8) :: d
        complex(dp) :: e
        integer(c_int) f
        """
    )
    assert [type_.bytes for type_ in types_of(scope, "a b c d e f")] == [8, 8, 8, 8, 16, 4]


def test_a_name_that_begins_like_a_type_is_no_declaration() -> None:
    scope = sub("integer realvalue, typeface\nrealvalue = 1\ntypeface = 2")
    assert [item.text for item in scope.executable if isinstance(item, Line)] == ["realvalue = 1", "typeface = 2"]


def test_initialised_and_old_style_values_are_saved() -> None:
    scope = sub(
        """
        integer :: i = 3, j
        integer*4 k/3/, l
        real, save :: m(2)
        real n(3)/1., 2., 3./
        real q, r
        save /b/, q, /c/, r
        """
    )
    saved = [name for name in "ijklmnqr" if scope.variables[name].area == Area("saved", "s", name)]
    assert saved == list("ikmnqr")
    assert scope.variables["j"].area == Area("local", "s", "j")
    assert scope.variables["i"].initialised
    assert not scope.variables["j"].initialised
    assert scope.variables["n"].shape.rank == 1


def test_data_initialises_and_saves_wherever_it_stands() -> None:
    scope = sub(
        "real a(3), b, c(4), d, s\ninteger i\ndata a/3*0.0/, b/1./, (c(i), i=1,4)/4*0./\ns = 1\ndata d /'/x'/\ns = 2"
    )
    saved = [name for name, variable in scope.variables.items() if variable.area.kind == "saved"]
    assert sorted(saved) == ["a", "b", "c", "d"]


def test_blanket_save_spares_what_cannot_be_saved() -> None:
    scope = sub("save\ninteger n\nreal a(10), b(n), c", "n")
    kinds = [scope.variables[name].area.kind for name in "nabc"]
    assert kinds == ["formal", "saved", "local", "saved"]


# ---------------------------------------------------------------- shapes and constants


@pytest.mark.parametrize(
    ("declaration", "kind", "expected"),
    [
        ("real x(3)", "explicit", [(None, 3)]),
        ("real x(0:n, m)", "explicit", [(0, "n"), (None, "m")]),
        ("real, dimension(2*k) :: x", "explicit", [(None, 10)]),
        ("real :: x\ndimension x(-k:k)", "explicit", [(-5, 5)]),
        ("real x(:)", "assumed-shape", [(None, None)]),
        ("real x(0:, :)", "assumed-shape", [(0, None), (None, None)]),
        ("real x(*)", "assumed-size", [(None, None)]),
        ("real x(3, 0:*)", "assumed-size", [(None, 3), (0, None)]),
        ("real, allocatable :: x(:, :)", "deferred", [(None, None), (None, None)]),
        ("real x\npointer x\ndimension x(:)", "deferred", [(None, None)]),
        ("real, dimension(4) :: x(2)", "explicit", [(None, 2)]),
    ],
)
def test_shapes(declaration: str, kind: str, expected: list[tuple[object, object]]) -> None:
    scope = sub(f"integer, parameter :: k = 5\ninteger n, m\n{declaration}", "x, n, m")
    assert scope.variables["x"].shape.kind == kind
    assert bounds(scope.variables["x"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 + 3*4 - 1", 13),
        ("-7/2", -3),
        ("2**10", 1024),
        ("2**(-1)", None),
        ("mod(-7, 3)", -1),
        ("modulo(-7, 3)", 2),
        ("max(3, 9, 4)", 9),
        ("min(3, 9)", 3),
        ("abs(-4)", 4),
        ("size(t)", 6),
        ("size(t, 2)", 2),
        ("len('abc') + len(c)", 8),
        ("huge(1)", 2147483647),
        ("list(2)", 20),
        ("bit_size(1_8)", 64),
        ("ishft(1, 4)", 16),
        ("int(3.7)", None),
        ("1/0", None),
    ],
)
def test_constants_are_folded(text: str, expected: int | None) -> None:
    known = "real t(3,2)\ncharacter*5 c\ninteger, parameter :: list(3) = [10, 20, 30]\n"
    scope = sub(f"{known}integer, parameter :: k = {text}")
    found = scope.variables["k"].value
    assert (found.value if isinstance(found, Literal_) else None) == expected


def test_parameter_statement_in_any_form_and_implied_bounds() -> None:
    scope = sub("implicit none\ninteger n\nparameter (n = 4, x = 2*n)\nreal x\nreal, parameter :: v(*) = [1., 2., 3.]\n"
                "character(*), parameter :: name = 'hello'")
    assert value(scope.variables["n"]) == 4
    assert value(scope.variables["x"]) == 8.0
    assert scope.variables["x"].value is not None
    assert scope.variables["x"].value.type == Type("real", 4)
    assert bounds(scope.variables["v"]) == [(None, 3)]
    assert scope.variables["name"].type == Type("character", 5)


def test_bounds_through_components_and_functions() -> None:
    scope = scopes_of(
        """
        module m
          type mesh
            integer :: n
          end type
        end module
        subroutine s(g, b)
          use m
          type(mesh) g
          real a(g%n, size(b)), b(:), c(f(g%n))
          interface
            pure integer function f(i)
              integer, intent(in) :: i
            end function
          end interface
        end subroutine
        """
    ).scopes["s"]
    first, second = scope.variables["a"].shape.dims
    assert first.upper == Ref((ir.PartRef("g"), ir.PartRef("n")), ir.INTEGER)
    assert isinstance(second.upper, ir.Intrinsic)
    assert isinstance(scope.variables["c"].shape.dims[0].upper, ir.OpaqueExpr)
    assert scope.variables["c"].shape.dims[0].upper.reads == ("g",)


def test_enumerators_count() -> None:
    scope = sub("enum, bind(c)\nenumerator :: red, green = 4\nenumerator blue\nend enum")
    assert [value(scope.variables[name]) for name in ("red", "green", "blue")] == [0, 4, 5]


# ---------------------------------------------------------------- implicit typing


def test_default_and_changed_implicit_types() -> None:
    scope = sub("dimension kk(3), xx(2)")
    assert types_of(scope, "kk xx") == [ir.INTEGER, ir.REAL]
    scope = sub("implicit real*8 (a-h, o-z), integer(2) (i)\ncommon x, i, j", "y")
    assert types_of(scope, "x i j y") == [ir.DOUBLE, Type("integer", 2), ir.INTEGER, ir.DOUBLE]
    assert implicit_type(scope, "zz") == ir.DOUBLE
    assert implicit_type(sub("implicit none"), "x") is None


def test_internal_procedures_inherit_implicit_rules() -> None:
    inner = "subroutine t\nend\nsubroutine u\nimplicit real(a-z)\nend\n"
    scopes = scopes_of(f"subroutine s\nimplicit none\ncontains\n{inner}end").scopes
    assert implicit_type(scopes["s::t"], "x") is None
    assert implicit_type(scopes["s::u"], "i") == ir.REAL


# ---------------------------------------------------------------- attributes


def test_attributes_of_dummy_arguments() -> None:
    scope = sub(
        "real, intent(in) :: a\nreal, intent(in out), optional :: b\nreal, pointer :: c(:)\nreal d\nintent(out) d\n"
        "optional :: d\ntarget e\nreal, allocatable, intent(inout) :: f(:)",
        "a, b, c, d, e, f",
    )
    v = scope.variables
    assert [v[name].intent for name in "abcdef"] == ["in", "inout", None, "out", None, "inout"]
    assert [v[name].optional for name in "abcd"] == [False, True, False, True]
    assert v["c"].pointer
    assert v["e"].target
    assert v["f"].allocatable
    assert all(v[name].area == Area("formal", "s", name) for name in "abcdef")


def test_alternate_returns_are_counted() -> None:
    scope = sub("", "a, *, b, *")
    assert scope.formals == ("a", "*", "b", "*")
    assert scope.alternates == 2


@pytest.mark.parametrize(
    ("header", "result", "expected"),
    [
        ("real(8) function f(x)", "f", ir.DOUBLE),
        ("integer function f(x) result(r)", "r", ir.INTEGER),
        ("pure elemental double precision function f(x)", "f", ir.DOUBLE),
        ("function f(x)", "f", ir.REAL),
        ("recursive function f(x) result (n)", "n", ir.INTEGER),
        ("character(len=4) function f(x)", "f", Type("character", 4)),
    ],
)
def test_function_results(header: str, result: str, expected: Type) -> None:
    scope = scopes_of(f"{header}\n{result} = 1\nend function").scopes["f"]
    assert scope.kind == "function"
    assert scope.result == result
    assert scope.variables[result].type == expected
    assert scope.variables[result].area == Area("local", "f", result)
    assert scope.elemental == ("elemental" in header)
    assert scope.recursive == ("recursive" in header)


def test_a_result_declared_inside() -> None:
    scope = scopes_of("function f(n)\nreal*8 f(n)\nf = 1\nend").scopes["f"]
    assert scope.variables["f"].type == ir.DOUBLE
    assert bounds(scope.variables["f"]) == [(None, "n")]


# ---------------------------------------------------------------- COMMON and EQUIVALENCE


def test_common_offsets_and_continued_blocks() -> None:
    scopes = scopes_of(
        """
        subroutine s
          real*8 a(3)
          integer i
          common /c/ i, a /d/ x
          common /c/ y(2) // z
        end
        subroutine t
          common /c/ k(9)
        end
        """
    )
    v = scopes.scopes["s"].variables
    assert [(v[name].area, v[name].offset) for name in "iayxz"] == [
        (Area("common", "c", "c"), 0), (Area("common", "c", "c"), 4), (Area("common", "c", "c"), 28),
        (Area("common", "d", "d"), 0), (Area("common", "", ""), 0),
    ]  # fmt: skip
    assert sorted(variable.name for variable in scopes.commons["c"]) == ["a", "i", "k", "y"]
    assert scopes.scopes["t"].variables["k"].area == v["a"].area


def test_common_of_unknown_size_is_reported() -> None:
    scopes = scopes_of("subroutine s\nreal, pointer :: p(:)\ncommon /c/ a, p, b\nend")
    assert codes(scopes) == ["SN209"]
    assert scopes.scopes["s"].variables["p"].area == Area("common", "c", "c")


def test_equivalence_of_locals_shares_one_area() -> None:
    scope = sub("real*8 a(4), c\ninteger b(4), d\nequivalence (a(2), b(1)), (b(3), c)\nequivalence (d, c)")
    v = scope.variables
    assert {v[name].area for name in "abcd"} == {Area("local", "s", "a")}
    assert [v[name].offset for name in "abcd"] == [0, 8, 16, 16]


def test_equivalence_before_the_first_variable_shifts_it() -> None:
    scope = sub("real a, b(3)\nequivalence (a, b(3))")
    assert [(scope.variables[name].area.name, scope.variables[name].offset) for name in "ab"] == [("a", 8), ("a", 0)]


def test_equivalence_with_common_extends_it() -> None:
    scope = sub("real x, y, z(4), w(2,2)\ncommon /c/ x, y\nequivalence (y, z(2)), (w(1,1), x)")
    v = scope.variables
    assert [(v[name].area.name, v[name].offset) for name in "xyzw"] == [("c", 0), ("c", 4), ("c", 0), ("c", 0)]


def test_multi_dimensional_and_substring_equivalence() -> None:
    declared = "real a(3,4), b\ncharacter*10 s1\ncharacter c(3)*2, e\n"
    scope = sub(f"{declared}equivalence (a(2,3), b), (s1(4:5), c(2)), (c(3)(2:2), e)")
    v = scope.variables
    assert v["b"].offset == 4 * (1 + 3 * 2)
    assert [v["s1"].offset, v["c"].offset, v["e"].offset] == [0, 1, 6]


def test_an_equivalence_with_a_saved_variable_is_saved() -> None:
    scope = sub("real a, b\nequivalence (a, b)\nsave b")
    assert {scope.variables[name].area for name in "ab"} == {Area("saved", "s", "a")}
    scope = sub("real a, b\nequivalence (a, b)\ndata a/1./")
    assert scope.variables["b"].area == Area("saved", "s", "a")


def test_an_equivalence_of_unknown_place_is_one_location() -> None:
    scopes = scopes_of("subroutine s\nreal a(4), b\nequivalence (a(k), b)\nend")
    v = scopes.scopes["s"].variables
    assert codes(scopes) == ["SN209"]
    assert v["a"].area == v["b"].area
    assert v["a"].type.bytes is None


@pytest.mark.parametrize(
    ("declarations", "args", "message"),
    [
        ("real a(3), b(3)\nequivalence (a(1), b(1)), (a(2), b(3))", "", "two places"),
        ("common /c/ x\ncommon /d/ y\nequivalence (x, y)", "", "two COMMON"),
        ("real y(3)\ncommon /c/ x\nequivalence (x, y(3))", "", "before its first byte"),
        ("common /c/ x, y\nequivalence (x, y)", "", "another place"),
        ("common /c/ x, x", "", "twice"),
        ("common /c/ a", "a", "dummy argument"),
        ("equivalence (a, b)", "a", "cannot be in EQUIVALENCE"),
    ],
)
def test_contradicting_storage_is_an_error(declarations: str, args: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        sub(declarations, args)
    assert caught.value.span is not None
    assert caught.value.span.file == "f1.f90"


def test_block_data_contributes_its_view() -> None:
    scopes = scopes_of("block data\ncommon /c/ a(2)\ndata a/1.,2./\nend\nsubroutine s\ncommon /c/ b, d\nend")
    assert sorted(variable.name for variable in scopes.commons["c"]) == ["a", "b", "d"]
    assert list(scopes.scopes) == ["s"]


# ---------------------------------------------------------------- modules

MODULE = """
module base
  implicit none
  private
  integer, parameter, public :: wp = 8
  real(wp), public :: state(3)
  real(wp) :: hidden
  integer, public :: n, m
  public :: solve, thing, operator(+)
  type thing
    real(wp) :: value
  end type
  interface operator(+)
    module procedure add
  end interface
contains
  subroutine solve(x)
    real(wp) :: x
    hidden = x
  end subroutine
  function add(a, b) result(c)
    type(thing), intent(in) :: a, b
    type(thing) :: c
    c%value = a%value + b%value
  end function
end module
"""


def test_modules_in_any_order_with_access_and_renames() -> None:
    user = "subroutine s\nuse base, only: wp, here => state, run => solve, operator(+)\nreal(wp) :: x\nend"
    scopes = scopes_of(user, MODULE)
    scope = scopes.scopes["s"]
    assert scope.variables["x"].type == ir.DOUBLE
    assert scope.variables["here"].area == Area("module", "base", "state")
    assert scope.variables["here"].name == "here"
    assert scope.procedures["run"] == "base::solve"
    assert scope.generics["operator(+)"] == ("base::add",)
    assert not {"state", "n", "hidden"} & set(scope.variables)
    assert scopes.module_variables["base", "hidden"].type == ir.DOUBLE
    assert "hidden" in scopes.scopes["base::solve"].variables
    assert scopes.scopes["base::solve"].module == "base"


def test_everything_public_comes_with_a_plain_use_but_for_renames() -> None:
    scope = scopes_of(MODULE, "subroutine s\nuse base, k => n\nend").scopes["s"]
    assert {"state", "k", "m", "wp"} <= set(scope.variables)
    assert not {"n", "hidden"} & set(scope.variables)
    assert scope.types == {"thing": "base::thing"}


def test_use_chains_export_again() -> None:
    middle = "module middle\nuse base, only: wp, u => state\nreal(wp) own\nprivate wp\nend"
    scope = scopes_of("subroutine s\nuse middle\nend", middle, MODULE).scopes["s"]
    assert scope.variables["u"].area == Area("module", "base", "state")
    assert scope.variables["own"].type == ir.DOUBLE
    assert "wp" not in scope.variables


def test_own_names_hide_used_ones() -> None:
    scope = scopes_of(MODULE, "subroutine s\nuse base\ninteger :: solve, thing\nreal state\nend").scopes["s"]
    assert scope.variables["state"].area == Area("local", "s", "state")
    assert "solve" not in scope.procedures
    assert "thing" not in scope.types


def test_internal_procedures_see_the_hosts_variables() -> None:
    scopes = scopes_of(
        "subroutine s(n)\ninteger n\nreal a(n), b\ncall t\ncontains\n"
        "subroutine t\nreal b\nend\nsubroutine u(n)\nend\nend"
    ).scopes
    inner = scopes["s::t"]
    assert inner.variables["a"].area == Area("local", "s", "a")
    assert inner.variables["b"].area == Area("local", "s::t", "b")
    assert inner.host == "s"
    assert scopes["s"].procedures["t"] == "s::t"
    assert bounds(inner.variables["a"]) == [(None, "n")]
    assert isinstance(scopes["s::u"].variables["a"].shape.dims[0].upper, ir.OpaqueExpr)


def test_a_module_without_source_is_a_warning_and_its_names_unknown() -> None:
    scopes = scopes_of("subroutine s\nuse nowhere, only: a, b => c\nreal x\nend\nsubroutine t\nuse nowhere\nend")
    assert codes(scopes) == ["SN201"]
    scope = scopes.scopes["s"]
    assert scope.variables["b"].type == ir.UNKNOWN
    assert scope.variables["b"].area == Area("module", "?", "c")
    assert scope.variables["b"].pointer
    assert scope.unknown_modules == ()
    assert scopes.scopes["t"].unknown_modules == ("nowhere",)


def test_intrinsic_modules_need_no_source() -> None:
    uses = "use ieee_arithmetic\nuse, intrinsic :: iso_c_binding, only: c_ptr\n"
    scopes = scopes_of(f"subroutine s\n{uses}type(c_ptr) p\nend")
    assert codes(scopes) == []
    assert scopes.scopes["s"].variables["p"].type == Type("derived")


def test_submodules_implement_interfaces_of_their_module() -> None:
    scopes = scopes_of(
        """
        submodule (m) impl
          real counter
        contains
          module procedure area
            a = r * r * counter
          end procedure
          module subroutine reset(x)
            real x
            call helper
          end subroutine
          subroutine helper
          end subroutine
        end submodule
        """,
        """
        module m
          implicit none
          real shared
          interface
            module function area(r) result(a)
              real, intent(in) :: r
              real :: a
            end function
            module subroutine reset(x)
              real x
            end subroutine
            module subroutine absent
            end subroutine
          end interface
        end module
        """,
        "subroutine s\nuse m\nend",
    )
    area = scopes.scopes["m::area"]
    assert area.kind == "function"
    assert area.formals == ("r",)
    assert area.variables["r"].intent == "in"
    assert area.variables["a"].area == Area("local", "m::area", "a")
    assert area.variables["shared"].area == Area("module", "m", "shared")
    assert scopes.module_variables["m:impl", "counter"].area == Area("module", "m:impl", "counter")
    assert scopes.scopes["s"].procedures == {"s": "s", "area": "m::area", "reset": "m::reset", "absent": None}
    assert scopes.scopes["m::reset"].procedures["helper"] == "m:impl::helper"
    assert scopes.scopes["s"].function_types["area"] == ir.REAL


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("module a\nuse b\nend", "module b\nuse a\nend"), "uses itself"),
        (("subroutine s\nend", "subroutine s\nend"), "defined twice, first at f1.f90:1"),
        (("module s\nend", "module s\nend"), "defined twice"),
        (("module m\ncontains\nsubroutine s\nend\nsubroutine s\nend\nend",), "defined twice in `m`"),
        (("submodule (none) x\nend",), "no source for `none`"),
    ],
)
def test_units_that_do_not_fit_together(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        scopes_of(*texts)


def test_a_long_chain_of_modules_is_no_recursion() -> None:
    texts = [f"module m{i}\nuse m{i + 1}\nend" for i in range(1500)] + ["module m1500\nreal x\nend"]
    scopes = scopes_of(*texts, "subroutine s\nuse m0\nend")
    assert scopes.scopes["s"].variables["x"].area == Area("module", "m1500", "x")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "text",
    [
        lambda n: "integer, parameter :: p0=1\n" + "".join(f"integer, parameter :: p{i}=p{i - 1}+1\n"
                                                            for i in range(1, n))
        + f"type t\nreal a(p{n - 1})\nend type\ntype(t) x",
        lambda n: "enum, bind(c)\n" + "".join(f"enumerator e{i}\n" for i in range(n)) + f"end enum\nreal x(e{n - 1})",
        lambda n: "real x(9999)\n" + "".join(f"real e{i}\nequivalence (x({i + 1}), e{i})\n" for i in range(n)),
        lambda n: f"real x({4*n})/" + ",".join(["1.0"] * (4*n)) + "/",
        lambda n: "real " + ",".join(f"x{i}({i + 1})" for i in range(4*n)) + ", x",
        lambda n: "common /c/ x," + ",".join(f"x{i}" for i in range(2*n)),
    ],
    ids=["constants", "enumerators", "equivalence", "values", "names", "common"],
)
def test_long_declarations_are_neither_deep_nor_slow(text: Callable[[int], str]) -> None:
    assert "x" in sub(text(1500)).variables
    assert grows_linearly(lambda n: sub(text(n)), 3000)


def test_statements_outside_the_standard_end_the_declarations() -> None:
    scope = sub("real x\naccept *, x\ntype *, x")
    assert [item.text for item in scope.executable if isinstance(item, Line)] == ["accept *, x", "type *, x"]


# ---------------------------------------------------------------- derived types


def test_derived_types_with_extension_and_bindings() -> None:
    scopes = scopes_of(
        """
        module shapes
          implicit none
          integer, parameter :: wp = 8
          type, abstract :: shape
            integer :: id = 0
            class(shape), pointer :: next => null()
          contains
            procedure(iface), deferred, nopass :: area
            procedure :: name => shape_name
            procedure, pass(self) :: show, hide
            generic :: out => show, hide
            generic :: operator(+) => plus
            procedure, private :: plus
          end type
          type, extends(shape) :: circle
            private
            real(wp) :: r, grid(2, 0:3)
            type(inner), allocatable :: data(:)
            procedure(iface), pointer, nopass :: callback => null()
          end type circle
          type inner
            character(len=3) tag
            integer i
            real(wp) x
          end type
          abstract interface
            subroutine iface
            end subroutine
          end interface
        contains
          subroutine shape_name(this)
            class(shape) this
          end subroutine
        end module
        """
    )
    shape, circle, inner = (scopes.types[f"shapes::{name}"] for name in ("shape", "circle", "inner"))
    assert dict(shape.bindings) == {
        "name": "shapes::shape_name", "show": "show", "hide": "hide", "plus": "plus",
    }  # fmt: skip
    assert dict(shape.passing) == {"area": "", "show": "self", "hide": "self"}
    assert dict(shape.generic) == {"out": ("show", "hide"), "operator(+)": ("plus",)}
    assert circle.extends == "shapes::shape"
    assert [component.name for component in circle.components] == ["id", "next", "r", "grid", "data", "callback"]
    assert circle.components[1].type.derived == "shapes::shape"
    assert bounds(circle.components[3]) == [(None, 2), (0, 3)]
    assert circle.components[4].allocatable
    assert circle.components[4].type.derived == "shapes::inner"
    assert circle.components[5].type.kind == "procedure"
    assert [component.initialised for component in circle.components][:3] == [True, True, False]
    assert inner.key == "shapes::inner"


def test_sizes_of_derived_types_are_aligned() -> None:
    scope = sub("type t\nsequence\ncharacter(3) c\ninteger i\nreal(8) x\nend type\ntype(t) v(2)")
    assert scope.variables["v"].type == Type("derived", 16, "s::t")
    scope = sub("type t\nreal, allocatable :: a(:)\nend type\ntype(t) v")
    assert scope.variables["v"].type == Type("derived", None, "s::t")


def test_an_unknown_type_is_a_warning() -> None:
    scopes = scopes_of("subroutine s(x)\ntype(nosuch) x\nend")
    assert codes(scopes) == ["SN210"]
    assert scopes.scopes["s"].variables["x"].type == Type("derived")


# ---------------------------------------------------------------- procedures as names


def test_externals_by_declaration_interface_or_use_in_the_code() -> None:
    scope = scopes_of(
        """
        subroutine s(f, g, h, x, c)
          external f, known
          real(8) :: e1, e2, y, dsin
          external e1
          character*4 c, tail
          interface
            integer function body(i)
              integer i
            end function
            subroutine g(z)
              real z
            end subroutine
          end interface
          procedure(body), pointer :: p
          y = e2(1) + dsin(x) + h(y) + z2(3)
          c(1:2) = tail(2:3)
          call free(x)
        end subroutine
        """,
        "subroutine free(x)\nend\nsubroutine known\nend\nreal function z2(i)\nend\nfunction e2(i)\nreal*8 e2\nend",
    ).scopes["s"]
    assert scope.dummies == {"f", "g", "h"}
    assert scope.procedures == {
        "s": "s", "f": None, "known": "known", "e1": None, "e2": "e2", "body": None, "g": None, "h": None,
        "free": "free", "z2": "z2",
    }  # fmt: skip
    assert scope.function_types["e1"] == ir.DOUBLE
    assert scope.function_types["body"] == ir.INTEGER
    assert scope.function_types["e2"] == ir.DOUBLE
    assert {"x", "c", "y", "tail", "p"} <= set(scope.variables)
    assert not {"f", "g", "h", "e1", "e2", "dsin"} & set(scope.variables)
    assert scope.variables["p"].type.kind == "procedure"
    assert scope.variables["p"].pointer


def test_generics_merge_over_modules_and_keep_their_specifics() -> None:
    scope = scopes_of(
        "module a\ninterface put\nmodule procedure pa\nend interface\ncontains\nsubroutine pa(i)\nend\nend",
        "module b\nuse a\ninterface put\nprocedure :: pb\nsubroutine ext(x)\nreal x\nend subroutine\nend interface\n"
        "interface assignment (=)\nmodule procedure pb\nend interface\ncontains\nsubroutine pb(x)\nend\nend",
        "subroutine s\nuse b\nend",
    ).scopes["s"]
    assert set(scope.generics["put"]) == {"a::pa", "b::pb", "ext"}
    assert scope.generics["assignment(=)"] == ("b::pb",)


def test_statement_functions_and_assignments_to_arrays() -> None:
    scope = scopes_of(
        "subroutine s\nreal area, r, x, a(3)\ninteger f\n"
        "area(r) = 3.0*r**2\nf(x, r) = x + r\ng(x) = 2*x\na(1) = area(2.0)\nend"
    ).scopes["s"]
    assert {name: function.params for name, function in scope.statement_functions.items()} == {
        "area": ("r",), "f": ("x", "r"), "g": ("x",),
    }  # fmt: skip
    assert scope.function_types["f"] == ir.INTEGER
    assert [item.text for item in scope.executable if isinstance(item, Line)] == ["a(1) = area(2.0)"]
    assert "area" not in scope.variables


@pytest.mark.parametrize(
    "text",
    [
        "subroutine s\nuse m\narr(i) = 1\nend",
        "subroutine s\nuse unknown\narr(i) = 1\nend",
        "subroutine s\ndimension arr(3)\narr(i) = 1\nend",
        "subroutine s(arr)\nreal arr\narr(i) = 1\nend",
        "subroutine s\ncommon /c/ arr(3)\narr(i) = 1\nend",
        "subroutine s\nimplicit none\narr(i) = 1\nend",
    ],
)
def test_an_assignment_to_an_array_is_no_statement_function(text: str) -> None:
    scope = scopes_of("module m\nreal arr(4)\nend", text).scopes["s"]
    assert not scope.statement_functions
    assert [item.text for item in scope.executable if isinstance(item, Line)] == ["arr(i) = 1"]


def test_pragmas_formats_and_entries_stay_with_the_code() -> None:
    scope = sub("!$ad checkpoint-start\nreal x\n10 format(i3)\ny = 1\n!$ad checkpoint-end")
    assert [getattr(item, "kind", None) or getattr(item, "text", None) for item in scope.executable] == [
        "checkpoint-start", "format(i3)", "y = 1", "checkpoint-end",
    ]  # fmt: skip


# ---------------------------------------------------------------- what is not understood


@pytest.mark.parametrize(
    "text",
    ["real x(", "integer, dimension( :: x", "real :: 3x", "real x y", "parameter (n)", "foo bar baz", "implicit real x",
     "type t\nfoo\nend type", "real x(2+)", "use 3", "data x/1", "interface\nfoo\nend interface", "save 1x",
     "external f+g", "common /c x", "common x /", "parameter (=3)", "real x(1,,2)", "namelist /a x"],
)  # fmt: skip
def test_an_unreadable_declaration_is_an_error_with_its_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        sub(f"integer k\n{text}")
    assert caught.value.span is not None
    assert caught.value.span.line >= 3 or "paren" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "opaque"),
    [
        ("structure /point/\nreal x, y\nend structure\nrecord /point/ p, q(3)", True),
        ("pointer (ip, x)", True),
        ("pointer (ip, x(10)), (iq, y)", True),
        ("real :: c[*]", False),
        ("real, codimension[*] :: c", False),
    ],
)
def test_extensions_are_over_approximated_with_a_warning(text: str, opaque: bool) -> None:
    scopes = scopes_of(f"subroutine s\n{text}\nz = 1\nend")
    assert "SN207" in codes(scopes)
    assert (scopes.scopes["s"].opaque is not None) == opaque


def test_fixed_form_declarations() -> None:
    text = (
        "      SUBROUTINE S(A,N)\n      IMPLICIT REAL*8(A-H,O-Z)\n      PARAMETER(M=3)\n      DIMENSION A(N,*),B(M)\n"
        "      COMMON/C/X,K\n      DATA B/3*0D0/\n      DO10I=1,N\n   10 CONTINUE\n      END\n"
    )
    scope = scopes_of(text, form="fixed").scopes["s"]
    assert types_of(scope, "a n b x k") == [ir.DOUBLE, ir.INTEGER, ir.DOUBLE, ir.DOUBLE, ir.INTEGER]
    assert scope.variables["b"].area.kind == "saved"
    assert bounds(scope.variables["b"]) == [(None, 3)]
