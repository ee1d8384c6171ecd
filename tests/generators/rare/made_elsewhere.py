"""Memory that other procedures make: module arrays allocated in an init routine, function results that grow, objects in
the elements of an array."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

INIT = """subroutine me_init(a, k)
  real(8), intent(in) :: a(5)
  integer, intent(in) :: k
  me_n = k
  if (.not. allocated(me_u)) allocate (me_u(me_n))
  allocate (me_v(0:me_n, 2))
  me_u = 0.5d0*a(1:k)
  me_v = 0.3d0
  me_v(1:, 1) = me_u
end subroutine me_init
subroutine me_step(s)
  real(8), intent(inout) :: s
  integer :: i
  do i = 1, me_n
    me_v(i, 2) = 0.5d0*me_v(i - 1, 2) + me_u(i)*me_v(i, 1)
  end do
  me_u = 0.6d0*sin(me_u + s*me_v(1:, 2))
  s = 0.5d0*s + 0.2d0*me_v(me_n, 2)
end subroutine me_step
subroutine me_done
  if (allocated(me_v)) deallocate (me_u, me_v)
end subroutine me_done
"""
TYPES = """  type :: gr_cell
    real(8) :: q = 0.5d0
  end type gr_cell
  type :: gr_box
    type(gr_cell), allocatable :: c
    type(gr_cell), allocatable :: d(:)
  end type gr_box
  type :: gr_two
    real(8), allocatable :: q(:), r(:)
  end type gr_two
"""
GROWING = """function gr_up(a, k) result(r)
  real(8), intent(in) :: a(5)
  integer, intent(in) :: k
  real(8), allocatable :: r(:)
  integer :: i
  r = [0.5d0*a(1)]
  do i = 2, k
    r = [r, 0.3d0*a(i)*sum(r) + 0.2d0*a(i)]
  end do
end function gr_up
function gr_made(a, k) result(r)
  real(8), intent(in) :: a(5)
  integer, intent(in) :: k
  type(gr_two) :: r
  r%q = 0.6d0*a(1:k)
  r%r = [r%q(1)*a(2), 0.4d0]
  r%q = [r%q, 0.5d0*r%r(1)]
end function gr_made
subroutine gr_hit(c, s)
  type(gr_cell), intent(inout) :: c
  real(8), intent(inout) :: s
  s = 0.6d0*s*c%q + 0.1d0
  c%q = 0.7d0*c%q*cos(s)
end subroutine gr_hit
subroutine gr_hits(d, s)
  type(gr_cell), intent(inout) :: d(:)
  real(8), intent(inout) :: s
  d%q = 0.6d0*d%q*cos(s)
  s = 0.5d0*s + 0.1d0*d(1)%q
end subroutine gr_hits
"""


def made_in_init(unit: Unit) -> None:
    """Module arrays that an init routine has allocated: stepped, read, now and then made anew."""
    unit.module.variable("me_u", "real(8), allocatable :: me_u(:), me_v(:, :)\n  integer :: me_n = 0",
                         "call me_done", "call me_init(x, 4)")
    unit.module.procedures["me_init"] = INIT
    s, other = unit.passed_scalar(), unit.scalar()
    unit.mark("made_in_init")
    if unit.chance(8):
        unit.add("call me_done", f"call me_init({unit.array()}, {unit.pick('4', '3')})")
        return
    unit.add(unit.pick(f"call me_step({s})", f"call me_step({s})",
                       f"{other} = 0.4d0*me_u({unit.pick('1', '2', 'me_n')})*{unit.read()}",
                       f"me_u(2) = 0.5d0*me_v(1, 2) + 0.3d0*{unit.read()}", f"me_v(1:, 1) = me_u*{unit.read()}",
                       f"{other} = 0.2d0*sum(me_v(1:, 2)*me_u)"))


def growing_results(unit: Unit) -> None:
    """Function results, and their components, that the function makes several times; objects that elements hold."""
    unit.module.types["gr"], unit.module.procedures["gr"] = TYPES, GROWING
    scalar, array = unit.first
    if "gr_a" not in unit.locals:
        unit.local("gr_a", "real(8), allocatable :: gr_a(:)\n  type(gr_two) :: gr_t\n  type(gr_box) :: gr_b(3)\n"
                   "  integer :: gr_i", f"gr_a = {array}(1:2)", f"gr_t = gr_two({array}(2:4), [0.5d0, {scalar}])",
                   "do gr_i = 1, 3", f"  gr_b(gr_i)%c = gr_cell(0.6d0*{scalar})",
                   "  allocate (gr_b(gr_i)%d(gr_i))", "end do")
        unit.values += ["gr_a(1)", "gr_a(2)", "gr_t%q(2)", "gr_t%r(1)", "gr_b(2)%c%q", "gr_b(3)%d(2)%q"]
    s, other, a = unit.passed_scalar(), unit.scalar(), unit.array()
    count = unit.pick("2", "3", "max(2, k)", "5")
    unit.mark("growing_results")
    if unit.chance(30):
        with unit.nested(f"do gr_i = {unit.pick('1, 3', '3, 1, -1', '2, 3')}", "end do"):
            unit.add(unit.pick(f"call gr_hit(gr_b(gr_i)%c, {s})", f"call gr_hits(gr_b(gr_i)%d, {s})",
                               f"call gr_hit(gr_b(gr_i)%d(1), {s})"))
        return
    unit.add(unit.pick(
        f"gr_a = gr_up({a}, {count})", f"gr_a = [gr_a(2), gr_up({a}, {count})]",
        f"{other} = 0.3d0*sum(gr_up({a}, {count}))", f"gr_t = gr_made({a}, {count})",
        "gr_t = gr_two(gr_t%r, gr_t%q)", f"gr_t = gr_two([gr_t%r(1), gr_t%q(2)*{other}], gr_t%q(1:2))",
        f"gr_a(1:2) = 0.5d0*gr_a(1:2)*{other}"))


FEATURES = (Feature("made_in_init", made_in_init, 4), Feature("growing_results", growing_results, 4))
