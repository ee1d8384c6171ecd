"""Constructs of procedures that see their arguments, or their names, in another way than their caller does."""

from __future__ import annotations

from tests.generators.constructs.objects import around
from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

MATRIX = "mt44"


def matrix(unit: Unit) -> str:
    """A local matrix of four rows and four columns, whose elements are scalars like any other."""
    if MATRIX not in unit.locals:
        unit.local(MATRIX, f"real(8) :: {MATRIX}(4, 4)", f"{MATRIX} = 0.35d0*{unit.first[0]}",
                   f"{MATRIX}(2, :) = {unit.first[1]}(1:4)")
        unit.know(MATRIX, (f"{MATRIX}(2, 3)", f"{MATRIX}(k, 4)", f"{MATRIX}(3, k)"))
    return MATRIX


SEEN = {
    "blocked": ("v(lda, *)", "v(i, j) = 0.5d0*v(i, j)*s + 0.2d0*v(1, 1)", "v(i, j) = sin(v(j, i))*s",
                "v(j, i) = 0.6d0*v(i, i)"),
    "folded": ("v(lda, nn)", "v(i, j) = 0.7d0*v(i, j) + 0.1d0*s", "v(i, :) = 0.4d0*v(j, :)*s",
               "v(:, j) = 0.8d0*v(:, i)"),
    "flat": ("v(lda*nn)", "v(i + j) = 0.5d0*v(i)*s", "v(i:i + 1) = 0.6d0*v(j:j + 1)", "v(i) = sin(v(j)*s)"),
    "larger": ("v(12 + lda)", "v(i + j) = 0.5d0*v(i)*s", "v(1:2) = v(2:3)*s", "v(i) = v(j + 1)*0.7d0"),
    "open": ("v(*)", "v(i + j) = 0.5d0*v(i)*s", "v(1:i + 1) = 0.6d0*v(1:i + 1)*s", "v(i) = sin(v(j)*s)"),
}  # fmt: skip


def seen(unit: Unit, how: str) -> str:
    """A procedure of ``(v, lda, nn, s)`` that works on a corner of two rows and two columns, or on its length in an
    array of one dimension: at most five elements."""
    shape, *bodies = SEEN[how]
    name = unit.fresh(how)
    unit.module.procedures[name] = "\n".join((
        f"subroutine {name}(v, lda, nn, s)", "  integer, intent(in) :: lda, nn",
        f"  real(8), intent(inout) :: {shape}, s", "  integer :: i, j", "  do j = 1, 2", "    do i = 1, 2",
        f"      {unit.pick(*bodies)}", "    end do", "  end do",
        f"  s = 0.5d0*s + 0.3d0*{'v(2, 1)' if how in ('blocked', 'folded') else 'v(2)'}", f"end subroutine {name}", ""))
    return name


def matrix_block(unit: Unit) -> None:
    """``call s(c(2, 2), lda, n)``: a block of a matrix, whose last column is not whole."""
    c, name = matrix(unit), seen(unit, unit.pick("blocked", "blocked", "larger", "open"))
    unit.mark("matrix_block")
    s = unit.passed_scalar(c)
    unit.add(f"call {name}({c}({unit.pick('1, 1', '2, 2', '3, 3', '2, 3', 'k, 2', '1, k', '3, 1')}), 4, 2, {s})"
             if "larger" not in name and "k" not in name else f"call {name}({c}(1, 2), 4, 2, {s})")


def sequence_association(unit: Unit) -> None:
    """An array that is declared of another rank, or larger or smaller than what is passed."""
    how = unit.pick("folded", "flat", "larger", "open", "blocked")
    name = seen(unit, how)
    unit.mark("sequence_association")
    if unit.chance(50):
        one = unit.passed(1)[0]
        if one not in ("a", "b", "c", "u", "own"):  # a pointer, a section: any copy may be passed
            one = unit.first[1]
        unit.add(f"call {name}({one}, 2, 2, {unit.passed_scalar(one)})")
        return
    c = matrix(unit)
    unit.add(f"call {name}({c}{unit.pick('', '(1, 2)', '(1, 1)')}, {unit.pick('2', '3') if how != 'folded' else '2'}, "
             f"2, {unit.passed_scalar(c)})")


def entry_subroutine(unit: Unit) -> None:
    """A subroutine with ENTRY points, other arguments, and a variable that all of them keep."""
    name, module = unit.fresh("main_"), unit.module
    inner = around(unit, ["s"], ["v"], 1)
    inner.lines.append("  kept = 0.5d0*kept + 0.2d0*s")
    inner.add(f"v(2) = {inner.pick('kept*v(1)', 'sin(v(2))*s', 'v(3)*0.6d0')}", "return")
    inner.lines += [f"entry {name}_b(q)", f"  q = {unit.pick('q*kept', 'sin(q) + 0.2d0*kept', '0.5d0*q')}",
                    f"  kept = {unit.pick('0.7d0*q', 'kept*q', '0.3d0')}", "  return",
                    f"entry {name}_c(many, v, q)", "  do j = 1, many", "    v(j) = 0.8d0*v(j)*kept + 0.1d0*q",
                    "  end do", f"  q = {unit.pick('v(1)*q', '0.6d0*q + 0.2d0*v(2)')}",
                    "  return", f"entry {name}_d(q)", "  kept = q"]
    module.procedures[name] = inner.text(
        f"subroutine {name}(v, s)", ["real(8), intent(inout) :: v(5), s, q", "integer, intent(in) :: many",
                                     "real(8), save :: kept = 0.4d0"], f"end subroutine {name}")
    module.setup += ["gkept = 0.4d0", f"call {name}_d(gkept)"]
    module.variable("gkept", "real(8) :: gkept")
    unit.mark("entry_subroutine")
    v = unit.passed(1)[0]
    calls = [f"call {name}_b({unit.passed_scalar()})", f"call {name}_c(3, {v}, {unit.passed_scalar(v)})",
             f"call {name}({v}, {unit.passed_scalar(v)})"]
    for _ in range(unit.random.randint(1, 3)):
        unit.add(unit.pick(*calls))


def statement_function(unit: Unit) -> None:
    """Statement functions, one of which uses the other and a variable that changes."""
    if unit.level or "sf_one" in unit.locals:
        if "sf_one" not in unit.locals:
            return
    else:
        unit.local("sf_one", "real(8) :: sf_one, sf_two, sf_u, sf_v, sf_k\n  integer :: sf_at, sf_i")
        unit.local("sf_texts", "sf_one(sf_u, sf_v) = 0.6d0*sin(sf_u) + 0.3d0*sf_v*sf_k\n"
                   "  sf_two(sf_u) = 0.5d0*sf_one(sf_u, 0.7d0*sf_u)\n  sf_at(sf_i) = mod(sf_i, 4) + 1")
        unit.setup.insert(0, "sf_k = 0.4d0")
        unit.know("sf_k", ("sf_k",))
    unit.mark("statement_function")
    s, t = unit.scalar(), unit.read()
    unit.add(unit.pick(f"{s} = sf_one({t}, {unit.read()})", f"{s} = sf_two({t})",
                       f"{s} = sf_one(sf_two({t}), 0.5d0*{unit.read()})", f"{unit.array()}(sf_at(k)) = sf_two({t})",
                       f"if (sf_two({t}) > 0.21d0) {s} = 0.7d0*{t}"))


def block_constants(unit: Unit) -> None:
    """A BLOCK with constants, a SAVEd variable and arrays whose bounds use them."""
    z, kept = unit.fresh("z"), unit.fresh("kept")
    unit.mark("block_constants")
    with unit.nested("block", "end block"):
        unit.add("integer, parameter :: bc_n = 3, bc_at(3) = [3, 1, 2]",
                 "real(8), parameter :: bc_w(bc_n) = [0.5d0, 0.3d0, 0.7d0]",
                 f"real(8) :: {z}(bc_n, 0:k)", f"real(8), save :: {kept} = 0.3d0",
                 f"{z} = bc_w(2)*{unit.scalar()}", f"{z}(bc_at(2), k) = {unit.expression()}")
        with unit.scope(z, (f"{z}(1, 0)", f"{z}(bc_at(1), 1)"), (), ("bc_w(2)", "bc_w(bc_at(3))")):
            block(unit, 1, 1)
        unit.add(f"{kept} = {unit.pick('0.6d0', unit.read())} + 0.2d0*{z}(3, 0)",
                 f"{unit.scalar()} = {kept}*bc_w(bc_at(1))")
        unit.add(f"{unit.scalar()} = 0.1d0*sum({z}) + 0.3d0*{unit.read()}")


FEATURES = (
    Feature("matrix_block", matrix_block, 3), Feature("sequence_association", sequence_association, 3),
    Feature("entry_subroutine", entry_subroutine), Feature("statement_function", statement_function),
    Feature("block_constants", block_constants),
)  # fmt: skip
