"""Jumps of all kinds, directives, and statements that old codes have."""

from __future__ import annotations

from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

JUMPING = """subroutine jumping(v, s, k, *, *)
  real(8), intent(inout) :: v(5), s
  integer, intent(in) :: k
  integer :: to, i
  if (s - 0.4d0) 10, 20, 30
10 s = 0.5d0*s + 0.1d0
  go to 40
20 s = 0.3d0
30 s = 0.8d0*sin(s)
40 go to (50, 60, 50), k
  v(1) = v(1)*s
50 v(2) = 0.6d0*v(2)*s
  go to 70
60 v(3) = 0.5d0*v(2) + 0.2d0*s
70 assign 80 to to
  if (v(2) > 0.3d0) assign 90 to to
  go to to (80, 90)
80 s = 0.9d0*s + 0.1d0*v(3)
90 continue
  do 100 i = 1, 4
    if (v(i) > 1.5d0) exit
    if (v(i) < 0.1d0) cycle
    v(i + 1) = 0.7d0*v(i)*s + 0.1d0*v(i + 1)
100 continue
  if (s > 0.25d0) return 1
  if (v(4) > 0.2d0) return k
  if (s > 1.0d4) stop 3
end subroutine jumping
"""


def jumps(unit: Unit) -> None:
    """Arithmetic IF, computed and assigned GOTO, labelled DO, alternate returns."""
    unit.module.procedures["jumping"] = JUMPING
    name = unit.fresh("hop")
    unit.module.procedures[name] = f"""subroutine {name}(v, s, k)
  real(8), intent(inout) :: v(5), s
  integer, intent(in) :: k
  call jumping(v, s, min(k, 3), *10, *20)
  s = 0.8d0*s
  return
10 s = 0.6d0*s + 0.1d0*v(1)
20 v(5) = s*{unit.pick('v(5)', '0.7d0', 'v(2)')}
end subroutine {name}
"""
    v = unit.passed(1)[0]
    unit.mark("jumps")
    unit.add(f"call {name}({v}, {unit.passed_scalar(v)}, k)")


def directives(unit: Unit) -> None:
    """Calls that are no checkpoints, loops that the user vouches for."""
    a = unit.array()
    unit.mark("directives")
    if unit.callees and unit.chance(50):
        unit.add("!$AD NOCHECKPOINT")
        unit.callees[unit.random.randrange(len(unit.callees))](unit)
        return
    id_ = unit.fresh("id")  # a loop in a loop has a variable of its own
    unit.local(id_, f"integer :: {id_}")
    if unit.chance(50):
        unit.add("!$AD II-LOOP")
        with unit.nested(f"do {id_} = 1, 5", "end do"):
            unit.add(f"{a}({id_}) = 0.7d0*sin({a}({id_})) + 0.1d0")
    else:
        unit.add("!$AD BINOMIAL-CKP 4 2 1")
        with unit.nested(f"do {id_} = 1, 4", "end do"):
            block(unit, 1, 0)


ABSENT = """subroutine perhaps_run(v, s, f)
  interface
    subroutine f(v, s)
      real(8), intent(inout) :: v(5), s
    end subroutine f
  end interface
  optional :: f
  real(8), intent(inout) :: v(5), s
  s = 0.7d0*s
  if (present(f)) call f(v, s)
end subroutine perhaps_run
subroutine to_run(v, s)
  real(8), intent(inout) :: v(5), s
  v(2) = 0.5d0*v(1)*s
  s = cos(s)*v(2)
end subroutine to_run
"""


def absent_procedure(unit: Unit) -> None:
    """A dummy procedure that may be absent."""
    unit.module.procedures["perhaps_run"] = ABSENT
    v = unit.passed(1)[0]
    unit.mark("absent_procedure")
    unit.add(f"call perhaps_run({v}, {unit.passed_scalar(v)})",
             f"call perhaps_run({v}, {unit.passed_scalar(v)}, to_run)")


def printing(unit: Unit) -> None:
    """In a procedure of its own, for the labels."""
    name = unit.fresh("told")
    unit.module.procedures[name] = f"""subroutine {name}(s)
  real(8), intent(inout) :: s
  integer :: oops
  oops = 0
  if (s > 1.0d5) then
    print 11, s
    open (17, file='never', iostat=oops)
    write (17, 11, err=12) s
    rewind 17
    backspace 17
    endfile 17
    flush 17
    close (17)
  end if
11 format (f8.3)
12 s = 0.7d0*s + 0.1d0*oops
  if (s > 1.0d6) error stop 'too large'
end subroutine {name}
"""
    unit.mark("printing")
    unit.add(f"call {name}({unit.passed_scalar()})")


FEATURES = (Feature("jumps", jumps, 3), Feature("directives", directives, 3),
            Feature("absent_procedure", absent_procedure), Feature("printing", printing))
