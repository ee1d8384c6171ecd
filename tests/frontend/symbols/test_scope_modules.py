"""Modules in symbol tables: use association, renames, submodules, hosts."""

from __future__ import annotations

import pytest
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import Area, Type

from tests.frontend.symbols.test_scopes import bounds, codes, scopes_of

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
    assert scopes.scopes["s"].variables["p"].type == Type("unknown", 8)


@pytest.mark.parametrize(("name", "value"), [("c_null_char", "\0"), ("c_new_line", "\n"), ("c_null_ptr", 0),
                                             ("c_null_funptr", 0), ("c_double", 8)])
def test_constants_of_iso_c_binding(name: str, value: object) -> None:
    scopes = scopes_of(f"subroutine s\nuse iso_c_binding, only: {name}\nend")
    constant = scopes.scopes["s"].variables[name].value
    assert isinstance(constant, ir.Literal_)
    assert constant.value == value


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
