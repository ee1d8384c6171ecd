"""Statements to IR: source on the left, the lowered tree as text on the right."""

from __future__ import annotations

import pytest
from snapset.frontend import ir
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.ir.statement_walk import statements

from tests.support.frontend.lowered import DECLARATIONS, body, expected, program, said, shown
from tests.support.growth import ends

SIMPLE = [
    ("x = a(i)%re", "opaque `x = a(i)%re`"),
    ("a(1:n:2) = b(2:) + 1.0", "a(1:n:2) = (b(2:) + 1.0)"),
    ("c(2:3) = 'it''s'", "c(2:3) = \"it's\""),
    ("if = 3", "if = 3"),
    ("if (x > 0) y = 1", "if (x > 0)\n  y = 1"),
    ("if(3) = 1", "opaque `if(3) = 1`"),
    ("goto 10\n10 continue", "goto 10\n10: continue"),
    ("goto (10, 20), n\n10 x = 1\n20 y = 1", "goto (10, 20) by n\n10: x = 1\n20: y = 1"),
    ("if (x) 10, 20, 10\n10 x = 1\n20 y = 1", "if x 10, 20, 10\n10: x = 1\n20: y = 1"),
    ("10 x = 1\nassign 10 to k\ngoto k", "10: x = 1\nk = 10\ngoto (10) by k"),
    ("10 x = 1\ngoto k, (10)", "10: x = 1\ngoto (10) by k"),
    ("return", "return"),
    ("stop 'done'", "stop 'done'"),
    ("error stop 1", "stop 1"),
    ("call random_number(x)", "call random_number(x) intrinsic"),
    ("call exit(1)", "stop 1"),
    ("call foo", "call foo()"),
    ("call foo((x), a(2:), n=3)", "call foo((+x), a(2:), n=3)"),
    ("call foo(g, x)", "call foo(procedure g, x)"),
    ("call foo(x, *10)\n10 continue", "call foo(x) or to (10)\n10: continue"),
    ("call foo(&10, x, '*20')\n10 continue", "call foo(x, '*20') or to (10)\n10: continue"),
    ("100 format (a, 'x = ')\nx = 1", "x = 1"),
    ("y = merge(x, 1.0, flag)", "y = merge(x, 1.0, flag)"),
    ("y = -2.5", "y = -2.5"),
    ("y = x**(2 + 1)", "y = (x ** 3)"),
    ("a = [(i*1.0, i = 1, 10)]", "a = [((i@2 * 1.0), i@2 = 1, 10)]"),
]


@pytest.mark.parametrize(("source", "tree"), SIMPLE, ids=lambda text: text.partition("\n")[0])
def test_statement(source: str, tree: str) -> None:
    assert body(source, f"{DECLARATIONS}integer :: if") == tree


INPUT_OUTPUT = [
    ("read (5, *, iostat=ios, end=10) x, (a(i), i=1,n)\n10 continue",
     "read reads 5 writes ios, x, (a(i), i = 1, n), i to (10)\n10: continue"),
    ("read *, x", "read writes x"),
    ("read 100, x\n100 format (f8.2)", "read surely writes x"),
    ("read (c, '(f8.2)') x", "read internal reads c, '(f8.2)' surely writes x"),
    ("read (5) x", "read reads 5 surely writes x"),
    ("read (5, rec=n) x", "read reads 5, n surely writes x"),
    ("read (5, iostat=ios) x", "read reads 5 writes ios, x"),
    ("read (5, '(f8.2)', end=10) x\n10 continue", "read reads 5, '(f8.2)' writes x to (10)\n10: continue"),
    ("write (c(1:4), *) x + 1", "write internal reads (x + 1) surely writes c(1:4)"),
    ("write (*, '(a)') 'x'", "write reads '(a)', 'x'"),
    ("print *, x, y", "print reads x, y"),
    ("print '(a)', c", "print reads '(a)', c"),
    ("open (newunit=n, file=c, err=10)\n10 continue", "open reads c writes n to (10)\n10: continue"),
    ("inquire (file=c, exist=flag)", "inquire reads c writes flag"),
    ("inquire (iolength=n) x", "inquire reads x writes n"),
    ("close (n)", "close reads n"),
    ("rewind 10", "rewind reads 10"),
    ("backspace (10, iostat=ios)", "backspace reads 10 writes ios"),
    ("flush (6)", "flush reads 6"),
    ("end file 7", "endfile reads 7"),
    ("write (*, nml=grp)", "write reads x, n"),
    ("read (5, grp)", "read reads 5 writes x, n"),
    ("write (*, nml=other)", "opaque `write (*, nml=other)`"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "tree"), INPUT_OUTPUT, ids=lambda text: text.partition("\n")[0])
def test_input_and_output(source: str, tree: str) -> None:
    assert body(source, f"{DECLARATIONS}namelist /grp/ x, n") == tree


CONSTRUCTS = [
    (
        """
        if (x > 0) then
          y = 1
        else if (x < 0) then
          y = 2
        else
          y = 3
        end if
        """,
        """
        if (x > 0)
          y = 1
        else
          if (x < 0)
            y = 2
          else
            y = 3
        """,
    ),
    (
        """
        outer: do i = 1, n
          do
            if (x > y) exit outer
            cycle
          end do
        end do outer
        """,
        """
        do outer i = 1, n
          while
            if (x > y)
              exit outer
            cycle
        """,
    ),
    (
        """
        do 10 i = 1, n
        do 10 j = 1, n, 2
        10 m(i, j) = 0
        """,
        """
        do i = 1, n
          do j = 1, n, 2
            10: m(i, j) = 0
        """,
    ),
    (
        """
        do i = 1, n
          if (x > 0) goto 10
          x = 1
        10 end do
        """,
        """
        do i = 1, n
          if (x > 0)
            goto 10
          x = 1
          10: continue
        """,
    ),
    (
        """
        pick: select case (n)
        case (1, 3:5)
          x = 1
        case (:0)
          exit pick
        case default
          x = 3
        end select pick
        """,
        """
        select pick n
        case 1, 3:5
          x = 1
        case :0
          exit pick
        case default
          x = 3
        """,
    ),
    (
        """
        where (a > 0) b = 1
        where (a > 0)
          b = 2
        elsewhere (a < -1)
          b = 3
        elsewhere
          b = 4
        end where
        """,
        """
        where (a > 0)
          b = 1
        where (a > 0)
          b = 2
        elsewhere
          where (a < -1)
            b = 3
          elsewhere
            b = 4
        """,
    ),
    (
        """
        forall (i = 1:n, j = 1:n:2, i /= j) m(i, j) = 0
        forall (i = 1:n)
          a(i) = b(i)
        end forall
        """,
        """
        forall i@2 = 1, n
          forall j@2 = 1, n, 2
            if (i@2 /= j@2)
              m(i@2, j@2) = 0
        forall i@3 = 1, n
          a(i@3) = b(i@3)
        """,
    ),
    (
        """
        do concurrent (i = 1:n, j = 1:n) local(x) local_init(y)
          x = y
          if (x > 0) cycle
          m(i, j) = x
        end do
        """,
        """
        concurrent i@2 = 1, n
          concurrent j@2 = 1, n
            y@2 = y
            x@2 = y@2
            if (x@2 > 0)
              cycle
            m(i@2, j@2) = x@2
        """,
    ),
    (
        """
        associate (p => a(i), q => x + y)
          p = q
        end associate
        associate (p => m(2:5, j))
          p(3) = p(1)
        end associate
        """,
        """
        q@2 = (x + y)
        scope
          a(i) = q@2
        scope
          m(4, j) = m(2, j)
        """,
    ),
    (
        """
        associate (p => a(i))
          i = i + 1
          p = 0
        end associate
        """,
        """
        index@2 = i
        scope
          i = (i + 1)
          a(index@2) = 0
        """,
    ),
    (
        """
        critical
          x = 1
        end critical
        """,
        """
        scope
          x = 1
        """,
    ),
]


@pytest.mark.parametrize(("source", "tree"), CONSTRUCTS, ids=lambda text: text.split()[0])
def test_construct(source: str, tree: str) -> None:
    assert body(source) == expected(tree)


FUNCTIONS = [
    ("y = g(x) + g(g(x))", "g@2 = call g(x)\ng@2.2 = call g(x)\ng@2.3 = call g(g@2.2)\ny = (g@2 + g@2.3)"),
    ("a(int(g(x))) = 1", "g@2 = call g(x)\na(int(g@2)) = 1"),
    ("if (g(x) > 0) y = g(y)", "g@2 = call g(x)\nif (g@2 > 0)\n  g@2.2 = call g(y)\n  y = g@2.2"),
    ("do i = 1, int(g(x))\n  y = 1\nend do", "g@2 = call g(x)\ndo i = 1, int(g@2)\n  y = 1"),
    ("do while (g(x) > y)\n  x = 0\nend do", "before\n  g@2 = call g(x)\nwhile (g@2 > y)\n  x = 0"),
    ("select case (int(g(x)))\ncase (1)\n  y = 1\nend select", "g@2 = call g(x)\nselect int(g@2)\ncase 1\n  y = 1"),
    ("where (a > g(x)) b = g(y)", "g@2 = call g(x)\nwhere (a > g@2)\n  g@2.2 = call g(y)\n  b = g@2.2"),
    ("call foo(g(x))", "g@2 = call g(x)\ncall foo(g@2)"),
    ("print *, g(x)", "g@2 = call g(x)\nprint reads g@2"),
    (
        "print *, (g(a(i)), i = 1, n)",
        "scope\n  items@2 = []\n  do i = 1, n\n    g@2 = call g(a(i))\n    items@2 = [items@2, g@2]\n"
        "print reads items@2",
    ),
    (
        "forall (i = 1:n) a(i) = g(b(i))",
        "automatic deallocate forall@2\nautomatic allocate forall@2(1:n)\n"
        "do i@2 = 1, n\n  g@2 = call g(b(i@2))\n  forall@2(i@2) = g@2\ndo i@2 = 1, n\n  a(i@2) = forall@2(i@2)",
    ),
    ("return\n10 x = g(y)", "return\n10: g@3 = call g(y)\nx = g@3"),
    (
        "if (x > 0) then\n  y = 1\nelse if (g(x) > 0) then\n  y = 2\nend if",
        "if (x > 0)\n  y = 1\nelse\n  g@4 = call g(x)\n  if (g@4 > 0)\n    y = 2",
    ),
]


@pytest.mark.parametrize(("source", "tree"), FUNCTIONS, ids=lambda text: text.partition("\n")[0])
def test_function_references_are_taken_out(source: str, tree: str) -> None:
    assert body(source) == tree


@pytest.mark.parametrize("count", [190, 2000])
def test_long_else_if_chains(count: int) -> None:
    arms = "\n".join(f"else if (n == {i}) then\n  x = {i}" for i in range(count))
    procedure = program(f"subroutine s(n, x)\nif (n < 0) then\n  x = 0\n{arms}\nend if\nend").procedures["s"]
    assert procedure.opaque is None
    assert sum(isinstance(stmt, ir.If) for stmt in statements(procedure.body)) == count + 1
    build_flow(procedure)


def test_blocks_are_nested_as_deep_as_they_like() -> None:
    text = "\n".join(["if (i > 0) then"] * 2000 + ["i = 1"] + ["end if"] * 2000)
    procedure = program(f"subroutine s(i)\n{text}\nend").procedures["s"]
    assert procedure.opaque is None
    assert len(list(statements(procedure.body))) == 2001
    build_flow(procedure)


def test_statement_functions_are_inlined() -> None:
    text = """
    subroutine s(x, y, i)
      f(a, b) = a*b + x
      i1(a) = a*2.5
      y = f(x, f(y, 2.0))
      i = i1(y)
    end
    """
    assert shown(text) == expected("""
        y = ((x * ((y * 2.0) + x)) + x)
        i = int((y * 2.5))
    """)


def test_statement_functions_grow_no_further_than_a_bound() -> None:
    nested = "\n".join(f"f{k}(a) = f{k - 1}(a) + f{k - 1}(a)" for k in range(1, 31))
    with ends():
        assert shown(f"subroutine s(x)\nf0(a) = a*a\n{nested}\nx = f30(x)\nend") == "opaque `x = f30(x)`"


def test_a_declared_array_hides_an_intrinsic() -> None:
    assert body("x = sum(3) + max(y, z)", "real :: sum(5), x, y, z") == "x = (sum(3) + max(y, z))"
    assert "sum(i)" in shown("subroutine s(sum, x)\nreal sum(5)\nx = sum(i)\nend")


def test_a_function_of_ones_own_hides_an_intrinsic() -> None:
    text = "subroutine s(x)\nexternal sign\nx = sign(x)\nend\nreal function sign(x)\nsign = x\nend"
    assert shown(text) == "sign@3 = call sign(x)\nx = sign@3"


def test_undeclared_names_have_implicit_types() -> None:
    procedure = program("subroutine s\nx = i\nend").procedures["s"]
    assert {name: variable.type.kind for name, variable in procedure.variables.items()} == {"x": "real", "i": "integer"}


def test_an_undeclared_name_under_implicit_none_is_reported() -> None:
    assert said("subroutine s\nimplicit none\nx = 1\nend") == ["SN204@3"]


def test_internal_procedures_share_undeclared_names_of_their_host() -> None:
    text = "subroutine s\nx = 1\ncontains\nsubroutine t\nx = 2\nend subroutine\nend"
    procedures = program(text).procedures
    assert procedures["s"].variables["x"].area == procedures["s::t"].variables["x"].area


def test_a_substring_of_a_constant_is_one_of_a_variable_that_has_it() -> None:
    assert shown("subroutine s(x, i)\nx = 'abc'(i:i)\nend").splitlines() == ["text@2 = 'abc'", "x = text@2(i:i)"]
