"""Types, kinds, shapes and constants that declarations give in symbol tables."""

from __future__ import annotations

import pytest
from snapset.frontend import ir
from snapset.frontend.base.source_model import Line
from snapset.frontend.ir import Area, Literal_, Ref, Type

from tests.frontend.symbols.test_scopes import bounds, scopes_of, sub, types_of, value


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
