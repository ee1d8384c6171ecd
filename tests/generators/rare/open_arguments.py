"""Arguments of any rank and any type, ENTRY beside internal procedures, functions that change their arguments."""

from __future__ import annotations

from tests.generators.constructs.objects import item, types
from tests.generators.constructs.writing import Feature, Unit

ANYTHING = """recursive subroutine anything(a, t, also)
  class(*), intent(inout) :: a
  real(8), intent(inout) :: t
  class(*), intent(in), optional :: also
  select type (a)
  type is (real(8))
    a = 0.6d0*sin(a)*t
    t = 0.8d0*t
  type is (integer)
    t = 0.3d0*t*a
  type is (wide)
    a%w = 0.5d0*a%w*t
    call anything(a%u, t)
    call held_by(a, t)
  class is (base)
    t = 0.5d0*t + 0.2d0*a%u
    a%v(2) = a%v(1)*t
    call held_by(a, t)
  type is (character(*))
    t = 0.1d0*t*len(a)
  class default
    t = 0.7d0*t
  end select
  if (present(also)) then
    select type (also)
    type is (real(8))
      t = 0.9d0*t + 0.1d0*also
    end select
  end if
end subroutine anything
subroutine held_by(a, t)
  class(*), intent(in) :: a
  real(8), intent(inout) :: t
  select type (a)
  type is (base)
    t = 0.9d0*t*cos(a%u)
  class is (wide)
    t = sin(t)*a%w
  end select
end subroutine held_by
"""
SHAPED = """recursive subroutine shaped(a, t)
  real(8), intent(inout) :: a(..)
  real(8), intent(inout) :: t
  t = 0.6d0*t + 0.02d0*rank(a) + 0.01d0*size(a)
  select rank (a)
  rank (0)
    a = 0.5d0*sin(a) + 0.2d0*t
  rank (1)
    a(2:) = 0.4d0*a(:size(a) - 1)*t
    call shaped(a(1), t)
  rank default
    t = 0.8d0*t
    call within
  end select
contains
  subroutine within
    select rank (a)
    rank (2)
      a(1, :) = 0.7d0*a(2, :)*t
      t = 0.5d0*t + 0.2d0*a(1, 2)
      call shaped(a(:, 1), t)
    end select
  end subroutine within
end subroutine shaped
"""


def any_type(unit: Unit) -> None:
    """CLASS(*) arguments, passed numbers, texts, objects, and CLASS objects."""
    types(unit)
    unit.module.procedures["anything"] = ANYTHING
    s = unit.passed_scalar()
    t = unit.passed_scalar(s)
    unit.local("kept_k", "integer :: kept_k", "kept_k = 2")
    unit.local("kept_c", "character(4) :: kept_c", "kept_c = 'abc'")
    unit.mark("any_type")
    also = unit.pick("", "", f", {unit.pick('0.3d0', 'kept_c', '0.7d0*' + t)}")
    if unit.chance(50):
        o = item(unit)
        unit.add(f"call anything({o}, {unit.passed_scalar(o)})")
    else:
        unit.add(unit.pick(f"call anything({s}, {t}{also})", f"call anything(kept_k, {t}{also})",
                           f"call anything(kept_c, {t})"))


def assumed_rank(unit: Unit) -> None:
    """An argument of any rank: SELECT RANK, and passed on."""
    unit.module.procedures["shaped"] = SHAPED
    unit.local("two_d", "real(8) :: two_d(2, 3)", f"two_d = 0.4d0*{unit.first[0]}")
    if "two_d(1, 2)" not in unit.scalars:
        unit.know("two_d", ("two_d(1, 2)", "two_d(2, min(k, 3))"))
    a = unit.passed(1)[0]
    s = unit.passed_scalar(a)
    unit.mark("assumed_rank")
    unit.add(unit.pick(f"call shaped({a}, {s})", f"call shaped({a}(2:4), {s})", f"call shaped({a}(5:1:-2), {s})",
                       f"call shaped(two_d, {unit.passed_scalar('two_d')})",
                       f"call shaped({s}, {unit.passed_scalar(s)})",
                       f"call shaped(two_d(:, 2:3), {unit.passed_scalar('two_d')})"))


ENTRIES = """subroutine heated(u, s)
  real(8), intent(inout) :: u(5), s
  real(8) :: w
  w = 0.3d0*s
  call warmed(u(2))
  s = 0.5d0*s + 0.2d0*w
  return
entry cooled(s)
  w = 0.5d0*s
  call warmed(s)
  s = 0.8d0*s + 0.1d0*w
  if (s > 0.2d0) call twice
contains
  subroutine warmed(z)
    real(8), intent(inout) :: z
    z = 0.6d0*z*cos(w)
    w = 0.7d0*w + 0.2d0*z
  end subroutine warmed
  subroutine twice
    w = 0.5d0*w
    s = s*cos(w)
  end subroutine twice
end subroutine heated
function melted(s) result(r)
  real(8), intent(in) :: s
  real(8) :: r, q
  r = 0.4d0*s
  call mixed_in(s)
  return
entry frozen(s) result(q)
  q = 0.3d0*sin(s)
  call mixed_in(0.5d0*s)
contains
  subroutine mixed_in(z)
    real(8), intent(in) :: z
    r = 0.6d0*r + 0.2d0*z*r
  end subroutine mixed_in
end function melted
"""


def entries(unit: Unit) -> None:
    """ENTRY beside internal procedures, which share the variables of whichever is called."""
    unit.module.procedures["heated"] = ENTRIES
    a = unit.passed(1)[0]
    s = unit.passed_scalar(a)
    unit.mark("entries")
    unit.add(unit.pick(f"call heated({a}, {s})", f"call cooled({s})", f"{s} = melted({unit.read()})",
                       f"{s} = 0.5d0*frozen({unit.read()}) + 0.2d0*melted({unit.read()})"))


CHANGING = """function drawn(s, v) result(r)
  real(8), intent(inout) :: s, v(5)
  real(8) :: r
  r = 0.5d0*s*v(2)
  s = 0.6d0*sin(s) + 0.1d0*r
  v(2:3) = 0.7d0*v(1:2)*s
end function drawn
logical function again(left, s)
  integer, intent(inout) :: left
  real(8), intent(inout) :: s
  left = left - 1
  s = 0.8d0*s
  again = left > 0 .and. s > 0.02d0
end function again
"""


def changing_function(unit: Unit) -> None:
    """Functions with INTENT(INOUT) arguments in expressions, and in the condition of a loop."""
    unit.module.procedures["drawn"] = CHANGING
    unit.local("left_", "integer :: left_", "left_ = 0")
    v = unit.passed(1)[0]
    s = unit.passed_scalar(v)
    t, other = unit.scalar(s, v), unit.scalar(s, v)
    unit.mark("changing_function")
    if unit.chance(30):
        unit.add("left_ = min(k, 3)")
        with unit.nested(f"do while (again(left_, {s}))", "end do"):
            unit.add(f"{t} = 0.7d0*sin({t}) + 0.1d0*{other}")
    else:
        unit.add(unit.pick(f"{t} = 0.5d0*drawn({s}, {v}) + 0.2d0*{other}", f"{t} = {t}*cos(drawn({s}, {v}))",
                           f"if (drawn({s}, {v}) > 0.11d0) {t} = 0.6d0*{other}"))


FEATURES = (Feature("any_type", any_type, 3), Feature("assumed_rank", assumed_rank, 3), Feature("entries", entries, 3),
            Feature("changing_function", changing_function, 3))
