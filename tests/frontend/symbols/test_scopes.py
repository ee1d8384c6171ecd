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
