"""Programs that are deep: of each shape one for every depth. A shape is a function of the depth to a text.

Every text has the head ``f(x)>(y)``, unless :data:`HEADS` says another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

HEAD = "f(x)>(y)"
Shape = Callable[[int], str]


def around(body: str, declarations: str = "", after: str = "", before: str = "", contains: str = "") -> str:
    """``f`` with these statements between ``a = x*x`` and ``y = a*x``."""
    inside = f"contains\n{contains}\n" if contains else ""
    return (
        f"{before}subroutine f(x, y)\n  real(8), intent(in) :: x\n  real(8), intent(out) :: y\n  real(8) :: a\n"
        f"  integer :: i\n{declarations}\n  a = x*x\n{body}\n  y = a*x\n{inside}end subroutine f\n{after}"
    )


def nested(opens: str, closes: str, core: str = "a = a*x", declarations: str = "") -> Shape:
    """``opens`` and ``closes`` as often as the depth says; ``{k}`` in them is the level."""
    def shape(depth: int) -> str:
        lines = [opens.format(k=k) for k in range(1, depth + 1)]
        ends = [closes.format(k=k) for k in range(depth, 0, -1)]
        return around("\n".join([*lines, core, *ends]), declarations.replace("DEPTH", str(depth)))

    return shape


def expression(start: str, left: str, right: str, declarations: str = "", after: str = "", contains: str = "") -> Shape:
    """An expression of this depth, over lines of some length."""
    def shape(depth: int) -> str:
        return around("  a = " + broken(left * depth + start + right * depth), declarations, after, "", contains)

    return shape


def broken(text: str, width: int = 100) -> str:
    """One statement over continued lines; words may be cut."""
    return "&\n&".join(text[k : k + width] for k in range(0, len(text), width))


# ---------------------------------------------------------------- calls


def call_chain(depth: int, last: str = "a = a*a", recursive: str = "") -> str:
    links = [
        f"{recursive}subroutine s{k}(a)\n  real(8) :: a\n  a = sin(a)*a\n  "
        f"{f'call s{k + 1}(a)' if k < depth else last}\n  a = a*a\nend subroutine\n"
        for k in range(1, depth + 1)
    ]
    return around("  call s1(a)", after="".join(links))


def ring(depth: int) -> str:
    return call_chain(depth, "if (a > 1d3) call s1(a)", "recursive ")


def function_chain(depth: int) -> str:
    links = [
        f"real(8) function g{k}(a)\n  real(8), intent(in) :: a\n"
        f"  {f'real(8) :: g{k + 1}' if k < depth else ''}\n"
        f"  g{k} = {f'g{k + 1}(a)*a' if k < depth else 'a*a'}\nend function\n"
        for k in range(1, depth + 1)
    ]
    return around("  a = g1(a)", "  real(8) :: g1", "".join(links))


def internal_chain(depth: int) -> str:
    links = [
        f"subroutine s{k}\n  a = sin(a)\n  {f'call s{k + 1}' if k < depth else ''}\nend subroutine"
        for k in range(1, depth + 1)
    ]
    return around("  call s1", contains="\n".join(links))


def runs_deep(depth: int) -> str:
    return around(
        f"  call down({depth}, a)",
        after="recursive subroutine down(n, a)\n  integer, intent(in) :: n\n  real(8) :: a\n  a = a*1.0001d0\n"
        "  if (n > 0) call down(n - 1, a)\n  a = sin(a)\nend subroutine\n",
    )


def runs_deep_functions(depth: int) -> str:
    return around(
        f"  a = down({depth}, a)",
        "  real(8), external :: down",
        "recursive function down(n, a) result(r)\n  integer, intent(in) :: n\n  real(8) :: a, r\n"
        "  if (n > 0) then\n    r = sin(down(n - 1, a))\n  else\n    r = a*a\n  end if\nend function\n",
    )


def runs_deep_by_turns(depth: int) -> str:
    return around(
        f"  call even({depth}, a)",
        after="recursive subroutine even(n, a)\n  integer, intent(in) :: n\n  real(8) :: a\n  a = a*1.0001d0\n"
        "  if (n > 0) call odd(n - 1, a)\nend subroutine\n"
        "recursive subroutine odd(n, a)\n  integer, intent(in) :: n\n  real(8) :: a\n  a = sin(a)\n"
        "  if (n > 0) call even(n - 1, a)\nend subroutine\n",
    )


def runs_forever(depth: int) -> str:
    return around(
        "  call down(a)", after="recursive subroutine down(a)\n  real(8) :: a\n  a = sin(a)\n  call down(a)\nend\n"
    )


# ---------------------------------------------------------------- declarations


def parameters(depth: int) -> str:
    lines = ["  integer, parameter :: p0 = 1"]
    lines += [f"  integer, parameter :: p{k} = p{k - 1} + 1" for k in range(1, depth + 1)]
    return around(f"  a = a*p{depth}", "\n".join(lines))


def real_parameters(depth: int) -> str:
    lines = ["  real(8), parameter :: p0 = 1.5d0"]
    lines += [f"  real(8), parameter :: p{k} = p{k - 1}*1.001d0" for k in range(1, depth + 1)]
    return around(f"  a = a*p{depth}", "\n".join(lines))


def parameters_backwards(depth: int) -> str:
    lines = [f"  integer, parameter :: p{k} = p{k - 1} + 1" for k in range(depth, 0, -1)]
    return around(f"  a = a*p{depth}", "\n".join([*lines, "  integer, parameter :: p0 = 1"]))


def parameters_of_modules(depth: int) -> str:
    modules = ["module m0\n  integer, parameter :: p0 = 1\nend module\n"]
    modules += [
        f"module m{k}\n  use m{k - 1}\n  integer, parameter :: p{k} = p{k - 1} + 1\nend module\n"
        for k in range(1, depth + 1)
    ]
    return around(f"  a = a*p{depth}", before="".join(modules)).replace(
        "f(x, y)\n", f"f(x, y)\n  use m{depth}\n", 1)


def module_chain(depth: int) -> str:
    """Each uses the one before, which stands behind it."""
    modules = [
        f"module m{k}\n  use m{k - 1}, only: v{k - 1}\n  real(8) :: v{k} = 1\nend module\n" for k in range(depth, 0, -1)
    ]
    first = "module m0\n  real(8) :: v0 = 1\nend module\n"
    return around(f"  v{depth} = a*a\n  a = v{depth}", before="".join([*modules, first])).replace(
        "f(x, y)\n", f"f(x, y)\n  use m{depth}\n", 1)


def array_bounds(depth: int) -> str:
    """Each array is as large as the one before says."""
    lines = ["  real(8) :: b0(2)"] + [f"  real(8) :: b{k}(size(b{k - 1}))" for k in range(1, depth + 1)]
    return around(f"  b{depth} = a\n  a = b{depth}(1)*b{depth}(2)", "\n".join(lines))


def type_chain(depth: int) -> str:
    types = ["  type t0\n    real(8) :: v\n  end type"]
    types += [f"  type t{k}\n    type(t{k - 1}) :: c\n  end type" for k in range(1, depth + 1)]
    return around(f"  b{'%c' * min(depth, 5)} = e\n  a = a*a", "\n".join(
        [*types, f"  type(t{depth}) :: b", f"  type(t{max(depth - 5, 0)}) :: e"]))


def long_reference(depth: int) -> str:
    types = ["  type t0\n    real(8) :: v\n  end type"]
    types += [f"  type t{k}\n    type(t{k - 1}) :: c\n  end type" for k in range(1, depth + 1)]
    return around("  " + broken(f"b{'%c' * depth}%v = a") + "\n  a = " + broken(f"b{'%c' * depth}%v*a"),
                  "\n".join([*types, f"  type(t{depth}) :: b"]))


def extends_chain(depth: int) -> str:
    types = ["  type t0\n    real(8) :: v0\n  end type"]
    types += [f"  type, extends(t{k - 1}) :: t{k}\n    real(8) :: v{k}\n  end type" for k in range(1, depth + 1)]
    return around(f"  b%v0 = a\n  a = b%v0*a\n  b%v{depth} = a\n  a = b%v{depth}*b%v0", "\n".join(
        [*types, f"  type(t{depth}) :: b"]))


def statement_functions(depth: int) -> str:
    lines = ["  real(8) :: z, " + ", ".join(f"q{k}" for k in range(3)), "  q0(z) = z*z"]
    lines = ["  real(8) :: z", *(f"  real(8) :: q{k}" for k in range(depth + 1)), "  q0(z) = z*z"]
    lines += [f"  q{k}(z) = q{k - 1}(z) + z" for k in range(1, depth + 1)]
    return around(f"  a = q{depth}(a)", "\n".join(lines))


def equivalences(depth: int) -> str:
    lines = [f"  real(8) :: e{k}" for k in range(depth + 1)]
    lines += [f"  equivalence (e{k}, e{k - 1})" for k in range(1, depth + 1)]
    return around(f"  e0 = a\n  a = e{depth}*a", "\n".join(lines))


def submodules(depth: int) -> str:
    text = "module m\n  interface\n    module subroutine s(a)\n      real(8) :: a\n    end subroutine\n"
    text += "  end interface\nend module\n"
    for k in range(1, depth + 1):
        parent = "m" if k == 1 else f"m:b{k - 1}"
        text += f"submodule ({parent}) b{k}\n"
        if k == depth:
            text += "contains\n  module subroutine s(a)\n    real(8) :: a\n    a = a*a\n  end subroutine\n"
        text += "end submodule\n"
    return around("  call s(a)", before=text).replace("f(x, y)\n", "f(x, y)\n  use m\n", 1)


def linked_types(depth: int) -> str:
    """Types that point to each other in a ring."""
    types = [
        f"  type t{k}\n    real(8) :: v\n    type(t{k % depth + 1}), pointer :: n\n  end type"
        for k in range(1, depth + 1)
    ]
    return around("  b%v = a\n  a = b%v*a", "\n".join([*types, "  type(t1) :: b"]))


# ---------------------------------------------------------------- statements


def else_ifs(depth: int) -> str:
    arms = [f"else if (x > {k}) then\n    a = a*{k}" for k in range(depth, 0, -1)]
    return around("\n".join(["  if (x > 1d6) then\n    a = a*x", *arms, "  end if"]))


def cases(depth: int) -> str:
    return around("\n".join(["  select case (i)", *(f"case ({k})\n  a = a*{k}" for k in range(depth)), "end select"]),
                  "  integer :: n = 3").replace("  a = x*x", "  a = x*x\n  i = 3", 1)


def elsewheres(depth: int) -> str:
    arms = [f"elsewhere (b > {k})\n    b = b*{k}" for k in range(depth, 0, -1)]
    return around("\n".join(["  b = a", "  where (b > 1d6)\n    b = b*x", *arms, "  end where", "a = b(1)*b(3)"]),
                  "  real(8) :: b(3)")


def parts(depth: int) -> str:
    lines = ["!$AD CHECKPOINT-START\n  a = sin(a)"] * depth + ["  a = a*x\n!$AD CHECKPOINT-END"] * depth
    return around("\n".join(lines))


def parts_side_by_side(depth: int) -> str:
    return around("\n".join(["!$AD CHECKPOINT-START\n  a = sin(a)\n!$AD CHECKPOINT-END"] * depth))


def straight(depth: int) -> str:
    names = "\n".join(f"  real(8) :: b{k}" for k in range(depth + 1))
    lines = ["  b0 = a"] + [f"  b{k} = b{k - 1}*sin(b{k - 1})" for k in range(1, depth + 1)]
    return around("\n".join([*lines, f"  a = b{depth}"]), names)


def overwriting(depth: int) -> str:
    return around("\n".join(["  a = a*sin(a)"] * depth))


def gotos(depth: int) -> str:
    lines = ["  goto 1"] + [f"{k} a = a*1.001d0\n  goto {k + 1}" for k in range(1, depth + 1)]
    return around("\n".join([*lines, f"{depth + 1} continue"]))


def gotos_back(depth: int) -> str:
    lines = [f"{k} a = a*0.5d0" for k in range(1, depth + 1)]
    lines += [f"  if (a > {k}) goto {k}" for k in range(1, depth + 1)]
    return around("\n".join(lines))


def pointer_chain(depth: int) -> str:
    lines = ["  real(8), target :: b", *(f"  real(8), pointer :: p{k}" for k in range(depth + 1))]
    moves = ["  p0 => b"] + [f"  p{k} => p{k - 1}" for k in range(1, depth + 1)]
    return around("\n".join(["  b = a", *moves, f"  p{depth} = p{depth}*a", "  a = b*b"]), "\n".join(lines))


def ifdefs(depth: int) -> str:
    return around("\n".join([*("#ifndef NO" + str(k) for k in range(depth)), "  a = a*x", *["#endif"] * depth]))


def macros(depth: int) -> str:
    lines = ["#define M0 x"] + [f"#define M{k} M{k - 1}" for k in range(1, depth + 1)]
    return "\n".join(lines) + "\n" + around(f"  a = a*M{depth}")


DEEP: Mapping[str, Shape] = {
    "call chain": call_chain, "ring": ring, "function chain": function_chain, "internal chain": internal_chain,
    "runs deep": runs_deep, "runs deep functions": runs_deep_functions, "runs deep by turns": runs_deep_by_turns,
    "runs forever": runs_forever,
    "parameters": parameters, "real parameters": real_parameters, "parameters backwards": parameters_backwards,
    "parameters of modules": parameters_of_modules, "module chain": module_chain, "array bounds": array_bounds,
    "type chain": type_chain, "long reference": long_reference, "extends chain": extends_chain,
    "statement functions": statement_functions, "equivalences": equivalences, "submodules": submodules,
    "linked types": linked_types,
    "else ifs": else_ifs, "cases": cases, "elsewheres": elsewheres, "parts": parts,
    "parts side by side": parts_side_by_side, "straight": straight, "overwriting": overwriting, "gotos": gotos,
    "gotos back": gotos_back, "pointer chain": pointer_chain,
    "ifs": nested("if (x > -{k}) then\n a = a*x", "end if"),
    "loops": nested("do i{k} = 1, 1", "end do"),
    "while loops": nested("do while (a < 1d-30)", "end do"),
    "endless loops": nested("do", "exit\nend do"),
    "selects": nested("select case (int(x))\n case default", "end select"),
    "blocks": nested("block\nreal(8) :: b{k}\nb{k} = a", "a = b{k}*x\nend block"),
    "associates": nested("associate (z{k} => a)", "end associate", "z1 = z1*x"),
    "chained associates": nested("associate (a => a)", "end associate"),
    "wheres": nested("where (b > -{k})", "end where", "b = b*x", "  real(8) :: b(3) = 1"),
    "forall loops": nested("forall (i{k} = 1:1)", "end forall", "b(1) = x", "  real(8) :: b(3)"),
    "concurrent loops": nested("do concurrent (i{k} = 1:1)", "end do"),
    "criticals": nested("critical", "end critical"),
    "ifs in loops": nested("do i{k} = 1, 1\nif (x > -{k}) then", "end if\nend do"),
    "loops in parts": nested("!$AD CHECKPOINT-START\ndo i{k} = 1, 1", "end do\n!$AD CHECKPOINT-END"),
    "parentheses": expression("x", "(", ")"),
    "parenthesised sums": expression("x", "(x+", ")"),
    "signs": expression("x", "-(", ")"),
    "nots": nested("if (.not.(x > -1)) then", "end if"),
    "sines": expression("x", "sin(", ")"),
    "functions in functions": expression(
        "x", "g(", ")", "  real(8), external :: g",
        "real(8) function g(z)\n  real(8), intent(in) :: z\n  g = z*1.001d0\nend function\n"),
    "unknown functions": expression("x", "g(", ")", "  real(8), external :: g"),
    "indices": expression("1", "b(int(", "))", "  real(8) :: b(3) = 1"),
    "sums": expression("x", "x + ", ""),
    "differences": expression("x", "x - ", ""),
    "products": expression("x", "x * ", ""),
    "quotients": expression("x", "x / ", ""),
    "powers": expression("x", "x ** ", ""),
    "mixed": expression("x", "x + x * ", ""),
    "conjunctions": lambda depth: around("  if (" + " &\n &".join(["x > 0 .and. "] * depth) + "x < 10) a = a*x"),
    "constructors": expression("x", "[", "]"),
    "maxima": expression("x", "max(x, ", ")"),
    "merges": expression("x", "merge(x, ", ", x > 0)"),
    "ifdefs": ifdefs, "macros": macros,
}
PREPROCESSED = frozenset({"ifdefs", "macros"})
