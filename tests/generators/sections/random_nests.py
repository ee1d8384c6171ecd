"""Random programs whose marked parts stand in each other, for the replay machine: ``program(random)`` is the text, its
head ``p(x)>(y)``.

    !$AD CHECKPOINT-START
    do i = 1, 5
      !$AD CHECKPOINT-START
      call march(z(i), k, s)                  ! marked parts and loops that are left are in march, too
      !$AD CHECKPOINT-END
      if (z(k)%r(i) > 0.4d0) exit
    end do
    g(2)%c(k)%q = z(min(i, 5))%q*s            ! i is where the loop has been left
    !$AD CHECKPOINT-END

Parts up to three deep, in the head and in procedures that call each other, round arrays of derived types, chosen by
integers that change; loops, IF constructs and BLOCKs that are left, RETURN in the middle, a module's array that is
everybody's, an object that ASSOCIATE and a pointer name.
"""

from __future__ import annotations

from random import Random

from snapset.frontend.base.frozen_records import frozen

HEAD = "p(x)>(y)"
LOCATIONS = ("z", "h", "z%q", "z%r", "g", "g%c%q", "g%c%r", "g%f", "g%k", "v", "kept", "seat", "s", "t", "x", "y",
             "i", "j", "k", "l", "o", "f", "e", "m")
TEXT = """module m
  implicit none
  type :: cell
    real(8) :: q, r(5)
  end type cell
  type :: grid
    type(cell) :: c(5)
    real(8), allocatable :: f(:)
    integer :: k
  end type grid
  real(8) :: kept(5)
  integer :: seat
contains
subroutine bend(o, f)
  type(cell), intent(inout) :: o
  real(8), intent(in) :: f
  integer :: i, j, k, l
  real(8) :: e
  e = f
  k = 2
  l = seat
{bend}
  o%q = 0.5d0*o%q + 0.1d0*e
end subroutine bend
subroutine march(o, m, f)
  type(cell), intent(inout) :: o
  integer, intent(inout) :: m
  real(8), intent(inout) :: f
  integer :: i, j, k, l
  real(8) :: e
  e = 0.5d0*f
  k = m
  l = 3
{march}
  m = mod(m, 5) + 1
  f = 0.5d0*f*kept(m) + 0.2d0*e + 0.3d0*f*f
end subroutine march
recursive subroutine sink(o, m, f)
  type(grid), intent(inout) :: o
  integer, intent(in) :: m
  real(8), intent(inout) :: f
  integer :: i, j, k, l
  real(8) :: e
  e = 0.3d0*f
  k = m
  l = o%k
{sink}
  if (m > 3) call sink(o, m - 3, f)
  f = 0.5d0*f + 0.2d0*e
end subroutine sink
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(cell) :: z(5)
  type(cell), target :: h(2)
  type(cell), pointer :: o
  type(grid) :: g(2)
  real(8) :: v(5), s, t
  integer :: i, j, k, l, turn
  do i = 1, 5
    z(i)%q = 0.1d0*i*x
    z(i)%r = [0.2d0, 0.5d0, 0.3d0, 0.6d0, 0.4d0]*x
    g(1)%c(i)%q = sin(x)
    g(1)%c(i)%r = 0.15d0*i*x
  end do
  g(2)%c = g(1)%c([2, 1, 5, 4, 3])
  g(1)%f = 0.3d0*x*[1, 2, 3, 2, 1]
  g(2)%f = g(1)%f([5, 4, 3, 2, 1])*x
  g%k = [2, 4]
  kept = 0.6d0*x
  seat = 2
  v = 0.4d0*x*[3, 1, 2, 1, 2]
  s = 0.9d0*x
  t = x*x
  k = 2
  l = 3
  h = z(4:5)
  o => h(2)
  do turn = 1, {turns}
{p}
  end do
  y = s + t + 0.1d0*(sum(v*kept) + sum(z%q) + sum(h%q) + sum(g(1)%f*g(2)%f))
  do i = 1, 5
    y = y + 0.1d0*(sum(z(i)%r) + sum(g(1)%c(i)%r*g(2)%c(i)%r) + g(1)%c(i)%q*g(2)%c(i)%q)
  end do
end subroutine p
end module m
"""


@frozen
class Scope:
    """What a procedure can name. ``elements``: with a hole for each subscript; ``cells``, ``grids``: objects that it
    may pass on; ``callees``: the procedures that it calls."""

    elements: tuple[str, ...]
    scalars: tuple[str, ...]
    integers: tuple[str, ...]
    cells: tuple[str, ...]
    grids: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()
    callees: tuple[str, ...] = ()


OF_CELL = ("o%r(@)", "o%r(@)", "kept(@)")
SCOPES = {
    "bend": Scope(OF_CELL, ("e", "o%q"), ("k", "l", "seat"), (), arrays=("o%r", "kept")),
    "march": Scope(OF_CELL, ("e", "f", "o%q"), ("k", "l", "m", "seat"), ("o",), arrays=("o%r", "kept"),
                   callees=("bend",)),
    "sink": Scope(("o%c(@)%q", "o%c(@)%r(@)", "o%f(@)", "kept(@)"), ("e", "f"), ("k", "l", "o%k"),
                  ("o%c(@)", "o%c(@)"), arrays=("o%f", "o%c%q", "o%c(@)%r", "kept"), callees=("bend", "march")),
    "p": Scope(("z(@)%q", "z(@)%r(@)", "z(@)%r(@)", "g(2)%c(@)%q", "g(1)%c(@)%r(@)", "g(1)%f(@)", "g(2)%f(@)", "v(@)",
                "kept(@)", "o%r(@)"),
               ("s", "t", "o%q", "g(1)%c(3)%q"), ("k", "l", "g(2)%k", "seat"),
               ("z(@)", "z(@)", "g(1)%c(@)", "g(2)%c(@)", "o"), ("g(1)", "g(2)"),
               ("v", "kept", "z%q", "z(@)%r", "g(2)%f", "o%r"), ("bend", "march", "march", "sink")),
}


def numbers(random: Random) -> dict[str, int]:
    """The head has no integers."""
    return {}


def program(random: Random) -> str:
    """A module with three procedures and the head."""
    bodies = dict[str, str]()
    for name, scope in SCOPES.items():
        writer = Writer(random, scope, 2 if name == "p" else 1)
        writer.block(random.randrange(4, 9) if name == "p" else random.randrange(2, 5))
        bodies[name] = "\n".join(writer.lines)
    return TEXT.format(turns=random.randrange(1, 3), **bodies)


class Writer:
    """Writes the statements of one procedure. ``loops``: the DO variables of the loops that we are in; ``open``: the
    constructs that may be left from here, innermost last; ``parts``: how deep we are in marked parts."""

    def __init__(self, random: Random, scope: Scope, depth: int) -> None:
        self.random, self.scope = random, scope
        few = tuple(random.choice(scope.elements) for _ in range(random.randrange(2, 4)))
        self.elements = few if random.randrange(2) else scope.elements
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.open: list[str] = []
        self.locals: list[str] = []
        self.lowest = self.depth = depth
        self.most, self.deepest = 16*depth, 2*depth - 1
        self.parts = 0
        self.named = 0

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def add(self, text: str) -> None:
        self.lines += ["  "*self.depth + line for line in text.split("\n")]

    def integer(self) -> str:
        return self.pick(*self.scope.integers, *self.loops, *self.loops, *self.loops)

    def subscript(self) -> str:
        one = self.integer()
        return self.pick(one, one, one, f"6 - {one}", "2", "4", f"mod({one}, 5) + 1", f"max(1, {one} - 1)",
                         f"min(5, {one} + 1)")

    def filled(self, name: str) -> str:
        while "@" in name:
            name = name.replace("@", self.subscript(), 1)
        return name

    def element(self) -> str:
        return self.filled(self.pick(*self.elements))

    def name(self) -> str:
        return self.pick(*self.scope.scalars, *self.locals) if self.chance(35) else self.element()

    def array(self) -> str:
        return self.filled(self.pick(*self.scope.arrays))

    def value(self) -> str:
        one, two = self.name(), self.name()
        return self.pick(f"0.8d0*{one}*{two}", f"0.6d0*{one} + 0.3d0*{two}", f"sin({one})", f"0.9d0*{one}",
                         f"{one}/(1.5d0 + {two}**2)", f"0.7d0*{one}*{one}", f"cos({one})*{two}")

    def condition(self) -> str:
        return self.pick(f"{self.name()} > 0.3d0", f"{self.name()} < {self.name()}", f"{self.integer()} > 2",
                         f"{self.integer()} == {self.integer()}")

    def block(self, size: int) -> None:
        for _ in range(size):
            self.statement()

    def body(self, size: int = 4) -> None:
        self.depth += 1
        self.block(self.random.randrange(1, size))
        self.depth -= 1

    def label(self) -> str:
        self.named += 1
        return f"c{self.named}"

    def statement(self) -> None:
        of, deep = self.random.randrange(100), self.depth - self.lowest > 5 or len(self.lines) > self.most
        if of < 16 and not deep and len(self.loops) < self.lowest:
            self.loop()
        elif of < 24 and not deep:
            self.branch()
        elif of < 40 and not deep and self.parts < self.deepest:
            self.part()
        elif of < 45 and not deep:
            self.local()
        elif of < 60 and self.scope.callees:
            self.call()
        elif of < 67:
            self.moved()
        elif of < 71:
            self.left()
        elif of < 76:
            self.whole()
        elif of < 90:
            self.add(f"{self.element()} = {self.value()}")
        else:
            self.add(f"{self.pick(*self.scope.scalars, *self.locals)} = {self.value()}")

    def loop(self) -> None:
        """A DO loop that may be left; what its variable is then is read."""
        variable, label = "j" if self.loops else "i", self.label()
        head = self.pick("1, 2", "1, 3", "4, 5", "5, 3, -1", f"1, {self.pick(*self.scope.integers)}", "3, 2", "1, 5, 3")
        self.add(f"{label}: do {variable} = {head}")
        self.loops.append(variable)
        self.open.append(label)
        self.body()
        self.depth += 1
        if self.chance(50):
            self.add(f"if ({self.condition()}) {self.pick('exit', 'exit', 'cycle')} {label}")
            self.block(self.random.randrange(0, 3))
        self.depth -= 1
        self.open.pop()
        self.loops.pop()
        self.add(f"end do {label}")
        if self.chance(40):
            self.add(f"{self.pick(*self.scope.integers)} = max(1, min({variable}, 5))")

    def branch(self) -> None:
        label = self.label()
        self.add(f"{label}: if ({self.condition()}) then")
        self.open.append(label)
        self.body()
        if self.chance(40):
            self.add(f"else {label}")
            self.body()
        self.open.pop()
        self.add(f"end if {label}")

    def part(self) -> None:
        """A marked part; nothing leaves it but at its end."""
        opened, self.open, self.parts = self.open, [], self.parts + 1
        self.add("!$AD CHECKPOINT-START")
        self.body(5)
        self.add("!$AD CHECKPOINT-END")
        self.open, self.parts = opened, self.parts - 1

    def local(self) -> None:
        """A BLOCK with a variable of its own, or another name for an object or an element."""
        label = self.label()
        own = f"n{label}"
        if self.chance(50):
            self.add(f"{label}: block\n  real(8) :: {own}\n  {own} = {self.value()}")
            end = f"end block {label}"
        else:
            self.add(f"{label}: associate ({own} => {self.element()})")
            end = f"end associate {label}"
        self.locals.append(own)
        self.open.append(label)
        self.body()
        self.add(f"  {self.name()} = {own}*{self.name()}")
        self.open.pop()
        self.locals.pop()
        self.add(end)

    def call(self) -> None:
        callee = self.pick(*self.scope.callees)
        if callee == "sink":
            depth = self.pick("1", "2", "5", "l")
            self.add(f"call sink({self.pick(*self.scope.grids)}, {depth}, {self.pick('s', 't')})")
        elif callee == "bend":
            self.add(f"call bend({self.filled(self.pick(*self.scope.cells))}, ({self.value()}))")
        else:
            factor = self.pick("s", "t") if "s" in self.scope.scalars else "e"
            self.add(f"call march({self.filled(self.pick(*self.scope.cells))}, {self.pick('k', 'l')}, {factor})")

    def moved(self) -> None:
        """Other elements from here on."""
        one, two = self.pick(*self.scope.integers), self.integer()
        if "z%q" in self.scope.arrays and self.chance(25):
            self.add(f"o => h({self.pick('1', '2')})")
        elif self.chance(25):
            self.add(f"if ({self.condition()}) {one} = mod({two}, 5) + 1")
        else:
            self.add(f"{one} = {self.pick(two, f'6 - {two}', f'mod({two}, 5) + 1', '2')}")

    def left(self) -> None:
        """A construct is left, or the procedure, where that leaves no marked part."""
        options = [f"exit {label}" for label in self.open]
        if not self.parts and self.scope is not SCOPES["p"]:
            options.append("return")
        if options:
            self.add(f"if ({self.condition()}) {self.pick(*options)}")

    def whole(self) -> None:
        """An array, or a piece of it."""
        one, two = self.array(), self.array()
        factor = self.pick(*self.scope.scalars)
        self.add(self.pick(f"{one} = 0.7d0*{one}*{two}", f"{one} = {two}*{factor}",
                           f"{one} = 0.5d0*{one} + 0.2d0*{two}",
                           f"where ({one} > 0.3d0) {one} = 0.8d0*{two}", f"{one} = 0.6d0*{factor}",
                           f"{one} = cshift({two}, 1)"))
