"""State that outlives calls: procedures with ENTRY that share SAVEd variables, callbacks that nobody sets."""

from __future__ import annotations

from tests.generators.constructs.objects import around
from tests.generators.constructs.statements import block
from tests.generators.constructs.writing import Feature, Unit

COUNTER = """subroutine remember(s)
  real(8), intent(inout) :: s
  real(8), intent(inout) :: v(5)
  real(8), save :: kept, ring(3)
  integer, save :: turn
  kept = 0.5d0*s
  ring = [0.3d0, 0.2d0, 0.1d0]*s
  turn = 1
  return
entry recall(s)
  s = 0.6d0*s + 0.3d0*kept*ring(turn)
  if (s > 0.55d0) return
entry stir(s)
  ring(turn) = 0.7d0*sin(kept)*s
  turn = mod(turn, 3) + 1
  return
entry turned(v, s)
  kept = 0.4d0*kept + 0.2d0*v(turn)*s
  v(turn + 1) = 0.5d0*kept*v(turn + 1)
  call remember_more(ring(turn), kept)
end subroutine remember
subroutine remember_more(r, q)
  real(8), intent(inout) :: r, q
  r = 0.8d0*r*cos(q)
end subroutine remember_more
function told(s) result(r)
  real(8), intent(in) :: s
  real(8) :: r, q
  real(8), save :: last
  r = last*s
  last = 0.6d0*sin(s) + 0.2d0*last
  return
entry told_first(s) result(q)
  last = 0.4d0*s
  q = 0.5d0*last
end function told
"""


def entry_state(unit: Unit) -> None:
    """SAVEd variables behind several entries, one of which runs on into the next."""
    unit.module.procedures["remember"] = COUNTER
    first = ["call remembered(0.6d0*x(1))"]
    if first[0] not in unit.module.setup:
        unit.module.setup += first
        unit.module.procedures["remembered"] = """subroutine remembered(s)
  real(8), intent(in) :: s
  real(8) :: t
  t = s
  call remember(t)
  t = told_first(0.3d0*s)
end subroutine remembered
"""
    v = unit.passed(1)[0]
    s = unit.passed_scalar(v)
    unit.mark("entry_state")
    unit.add(unit.pick(f"call recall({s})", f"call stir({s})", f"call turned({v}, {s})", f"call remember({s})",
                       f"{s} = 0.5d0*told({unit.read()})", f"{s} = 0.4d0*told_first({unit.read()})"))


def entry_body(unit: Unit) -> None:
    """Random statements behind several entries, with state of their own; which entry is called is random, too."""
    name = unit.fresh("ent")
    inner = around(unit, ["t"], ["u"], 0)
    state = f"{name}_s"
    inner.local(state, f"real(8), save :: {state}, {name}_a(5)")
    inner.know(state, (state,))
    inner.know(f"{name}_a", (), (f"{name}_a",))
    block(inner, inner.random.randint(1, 2))
    inner.add("return", f"entry {name}_one(t)", "", f"@{name}")
    for pool in (inner.scalars, inner.arrays, inner.values):
        pool[:] = [one for one in pool if inner.root(one) != "u"]
    block(inner, inner.random.randint(1, 3))
    setup, inner.setup = inner.setup, []
    at = inner.lines.index(f"  @{name}")
    starts = [f"  {line}" for line in setup]
    inner.lines = [*starts, f"  {state} = 0.4d0*t", f"  {name}_a = 0.3d0*t*u", *inner.lines[:at], *starts,
                   *inner.lines[at + 1:]]
    unit.module.procedures[name] = inner.text(
        f"subroutine {name}(u, t)", ["real(8), intent(inout) :: u(5), t"], f"end subroutine {name}")
    unit.module.setup += [f"call {name}_first(x(2))"]
    unit.module.procedures[f"{name}_first"] = f"""subroutine {name}_first(s)
  real(8), intent(in) :: s
  real(8) :: v(5), t
  v = 0.5d0*s
  t = 0.6d0*s
  call {name}(v, t)
end subroutine {name}_first
"""
    unit.mark("entry_body")

    def call(user: Unit) -> None:
        user.mark("entry_body")
        if user.chance(30):
            array = user.passed(1)[0]
            user.add(f"call {name}({array}, {user.passed_scalar(array)})")
        else:
            user.add(f"call {name}_one({user.passed_scalar()})")

    call(unit)
    unit.callees.append(call)


CALLBACKS = """  abstract interface
    subroutine watcher(v, s)
      real(8), intent(inout) :: v(5), s
    end subroutine watcher
    function weigher(s) result(r)
      real(8), intent(in) :: s
      real(8) :: r
    end function weigher
  end interface"""
WATCHED = """subroutine watched(w, v, s)
  type(watching), intent(inout) :: w
  real(8), intent(inout) :: v(5), s
  s = 0.7d0*s + 0.1d0*v(2)
  if (associated(w%before)) call w%before(v, s)
  v(3) = 0.6d0*v(3)*s
  if (associated(w%weigh)) s = 0.5d0*w%weigh(s)
  if (associated(after_all)) call after_all(v, s)
  if (w%count > 2 .and. associated(w%behind)) then
    call w%behind(v, s)
    w%count = 0
  end if
  w%count = w%count + 1
end subroutine watched
subroutine hold_back(v, s)
  real(8), intent(inout) :: v(5), s
  s = 0.4d0*s*v(1)
  v(2) = 0.8d0*sin(v(2))
end subroutine hold_back
"""


def unset_callback(unit: Unit) -> None:
    """Callbacks behind a test, which nobody sets, or another object's alone is."""
    module = unit.module
    module.interfaces["watcher"] = CALLBACKS
    module.types["watching"] = """  type :: watching
    integer :: count = 0
    procedure(watcher), pointer, nopass :: before => null()
    procedure(watcher), pointer, nopass :: behind => null()
    procedure(weigher), pointer, nopass :: weigh => null()
  end type watching"""
    module.variable("after_all", "procedure(watcher), pointer :: after_all => null()")
    module.procedures["watched"] = WATCHED
    unit.local("wa1", "type(watching) :: wa1, wa2", *(("wa2%before => hold_back",) if unit.chance(40) else ()))
    v = unit.passed(1)[0]
    unit.mark("unset_callback")
    unit.add(f"call watched({unit.pick('wa1', 'wa1', 'wa2')}, {v}, {unit.passed_scalar(v)})")


def pointer_head(unit: Unit) -> None:
    """The head's own arguments are pointers, to be overwritten through others."""
    module = unit.module
    if unit.level:
        return
    module.pointers = True
    unit.local("hx", "real(8), pointer :: hx(:), hx_one", "hx => x(5:1:-1)", "hx_one => x(3)")
    if "hx" not in unit.arrays:
        unit.know("x", ("hx_one", "x(2)", "hx(4)"), ("hx", "x"))
    unit.mark("pointer_head")
    unit.add(unit.pick("hx => x", "hx(1:5) => x(1:5)", f"hx_one => x({unit.index()})", "hx_one => hx(k)",
                       f"hx_one = 0.6d0*sin({unit.read()})", f"x(2:4) = 0.5d0*{unit.array('x')}(1:3)",
                       f"hx = 0.7d0*hx*{unit.read()}", f"{unit.scalar('x')} = 0.4d0*hx_one*hx(2)"))


FEATURES = (Feature("entry_state", entry_state, 3), Feature("entry_body", entry_body, 2),
            Feature("unset_callback", unset_callback, 3), Feature("pointer_head", pointer_head, 3))
