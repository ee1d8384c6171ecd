"""Random programs whose marked parts write stretches of arrays, for the replay machine: ``program(random)`` is the
text, its head ``p(x)>(y)``.

Limits are names that change: before parts, behind them, in them, in the loops around them. Loops run up and down, in
steps, not at all, in other loops. All indices stay between -2 and 10, and everything is set before it is read.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
ARRAYS = ("u", "w", "h", "ca", "d%v", "e(2)%v", "e(l)%v", "o")
PLANES = ("c", "g")
LIMITS = ("k", "l", "d%first", "kg")
LOCATIONS = ("u", "w", "h", "ca", "d%v", "e%v", "o", "c", "g", "k", "l", "d%first", "kg", "s", "t", "x", "i", "j", "it",
             "/blk/ca", "shared::g", "shared::kg", "v", "z", "b")
MODULE = """module shared
  implicit none
  type box
    real(8) :: v(-2:14)
    integer :: first
  end type box
  real(8) :: g(-2:10, -2:10)
  integer :: kg
contains
  subroutine step(k)
    integer, intent(inout) :: k
    k = mod(k + 1, 4)
  end subroutine step
  subroutine bump(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(m)
    integer :: i
    do i = 2, m - 1
      a(i) = sin(a(i))*a(i + 1)
    end do
  end subroutine bump
  subroutine tail(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(0:*)
    if (m > 2) a(m) = 0.8d0*a(m)
    a(1:m) = a(1:m)**2*0.9d0 + 0.1d0*a(m + 1)
  end subroutine tail
  subroutine shaped(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(:)
    call bump(a, m)
    a(1:2) = cos(a(1:2))
  end subroutine shaped
  subroutine one(r)
    real(8), intent(inout) :: r
    r = r*r*0.9d0 + 0.1d0
  end subroutine one
  subroutine boxed(b, m)
    integer, intent(in) :: m
    type(box), intent(inout) :: b
    b%v(b%first:m) = sin(b%v(b%first:m))*b%v(0)
  end subroutine boxed
  subroutine global(k, m)
    integer, intent(in) :: m
    integer, intent(inout) :: k
    g(0:m, 1) = 0.7d0*g(0:m, 1)*g(m, 2)
    g(k, kg) = g(k, kg)**2
    if (m > 1) k = mod(k + 2, 4)
  end subroutine global
  subroutine plane(a, m, rows)
    integer, intent(in) :: m, rows
    real(8), intent(inout) :: a(rows, *)
    integer :: i
    do i = 1, m
      a(i, 2:3) = a(i, 2:3)*a(i + 1, 1)
    end do
  end subroutine plane
"""


class Writer:
    """Writes the statements of one procedure."""

    def __init__(self, random: Random, arrays: tuple[str, ...], planes: tuple[str, ...]) -> None:
        self.random = random
        self.arrays = arrays
        self.planes = planes
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 1

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    # ------------------------------------------------------------ what is assigned

    def limits(self) -> str:
        """Of a loop or a range: between 0 and 7."""
        a = self.pick("1", "2", "0", *LIMITS, *self.loops)
        b = self.pick("n", "n", "n - 1", "m", "n + 1", "k + 2", "l", "l + 1", "4", f"{a} + 2")
        return f"{a}, {b}"

    def moved(self, name: str) -> str:
        return self.pick(name, name, name, f"{name} + 1", f"{name} - 1", f"n - {name} + 4", f"{name} + k - 1")

    def index(self, own: str | None) -> str:
        if own is not None and self.chance(70):
            return self.moved(own)
        return self.pick("0", "3", *LIMITS, *(self.moved(loop) for loop in self.loops))

    def element(self, own: tuple[str, ...] = ()) -> str:
        if self.planes and self.chance(30):
            first, second = (own * 2)[:2] if own else (None, None)
            return f"{self.pick(*self.planes)}({self.index(first)}, {self.index(second)})"
        return f"{self.pick(*self.arrays)}({self.index(own[-1] if own else None)})"

    def value(self, old: str, own: tuple[str, ...] = ()) -> str:
        other = self.pick(self.element(own), self.element(own), "s", "t", "x", f"b({self.index(None)})")
        return self.pick(f"0.9d0*sin({old}*{other})", f"cos({old})*{other}", f"0.8d0*{old} + 0.1d0*{other}",
                         f"sin({other})*t", f"{old}*{old}*0.5d0", "0.3d0")

    def assign(self, own: tuple[str, ...] = ()) -> None:
        target = self.element(own)
        condition = f"if ({self.pick('k > 1', self.element(own) + ' > 0.2d0')}) " if self.chance(20) else ""
        self.add(f"{condition}{target} = {self.value(target, own)}")

    def constant(self) -> None:
        """Of the array that no derivative flows through: its indices are needed by nothing else."""
        a, b = self.limits().split(", ")
        one = self.pick(f"b({self.index(None)})", f"b({a}:{b})")
        self.add(f"{one} = 0.5d0*{one} + 0.1d0")

    def loop(self) -> None:
        """A loop over a stretch, or two of them."""
        var = "ij"[len([x for x in self.loops if x != "it"])] if len(self.loops) < 2 else ""
        if not var or (var == "j" and "j" in self.loops):
            return self.ranges()
        a, b = self.limits().split(", ")
        self.add(f"do {var} = " + self.pick(f"{a}, {b}", f"{a}, {b}", f"{b}, {a}, -1", f"{a}, {b}, 2"))
        self.loops.append(var)
        self.depth += 1
        if var == "i" and self.chance(25):
            self.loop()
        for _ in range(self.random.randint(1, 2)):
            if self.chance(12):
                self.call()
            else:
                self.assign(tuple(x for x in self.loops if x != "it"))
        if self.chance(10):
            self.add(f"if ({self.element()} > 2.5d0) {self.pick('exit', 'cycle')}")
            self.assign((var,))
        self.depth -= 1
        self.loops.pop()
        self.add("end do")
        return None

    def ranges(self) -> None:
        """An assignment to a range, of a plane also."""
        a, b = self.limits().split(", ")
        if self.planes and self.chance(30):
            one = self.index(None)
            target = self.pick("{p}({a}:{b}, {i})", "{p}({i}, {a}:{b})", "{p}(:, {i})", "{p}({a}:{b}, :)").format(
                p=self.pick(*self.planes), a=a, b=b, i=one)
        else:
            target = f"{self.pick(*self.arrays)}({a}:{b})"
        if self.chance(20):
            target = f"{self.pick(*self.arrays)}({self.pick('1:n', '2:n + 1', '3:m', '0:4')})"
            self.add(f"where ({target} > 0.2d0) {target} = 0.7d0*sin({target})*s")
        else:
            self.add(f"{target} = {self.pick('0.9d0*sin({0}*s)', '{0}*{0}*0.5d0', '0.4d0', 't*{0}').format(target)}")

    def call(self) -> None:
        """A call that is passed an array, a part of one, an element, what follows one."""
        m = self.pick("n", "m", "2", "3", "k", "l", "n + 1")
        array = self.pick(*(one for one in self.arrays if one != "e(l)%v"))
        start = f"{array}({self.pick('0', '1', *LIMITS)})"
        column = f"{self.pick(*self.planes)}({{}}, {self.index(None)})" if self.planes else start
        self.add("call " + self.pick(
            f"bump({array}, {m})", f"bump({start}, {m})", f"bump({column.format('1')}, {m})",
            f"bump({column.format('-2') if self.planes else array}, 13)", f"tail({array}, {m})", f"tail({start}, {m})",
            f"tail({column.format(self.pick('0', 'k'))}, {m})", f"shaped({array}, {m})",
            f"shaped({array}({self.pick('0', 'k', 'l')}:), {m})",
            f"shaped({column.format(':') if self.planes else array}, {m})", f"one({self.element()})",
            f"one({array}({self.index(self.loops[-1] if self.loops else None)}))",
            *([f"boxed({self.pick('d', 'e(2)', 'e(l)')}, {m})",
               f"global({self.pick('k', 'l', 'd%first')}, {self.pick('n', 'm', '2', '3')})",
               f"plane({self.pick('c, {m}, 13', 'g, {m}, 13', 'g, 4, {m} + 6')})".format(m=m)] if self.planes else [])))

    # ------------------------------------------------------------ statements

    def statement(self, deep: int) -> None:
        kind = self.random.randrange(100)
        if kind < 34:
            self.loop()
        elif kind < 40:
            self.call()
        elif kind < 52:
            self.ranges()
        elif kind < 60:
            self.assign()
        elif kind < 70:
            self.limit()
        elif kind < 73:
            self.constant()
        elif kind < 77:
            self.add(f"{self.pick('s', 't')} = {self.pick('0.5d0*', 'sin(x)*', 'cos(t)*')}{self.element()}")
        elif deep <= 0:
            self.loop()
        elif kind < 88:
            self.part(deep - 1)
        elif kind < 95 and not self.loops:
            self.around(deep - 1)
        else:
            self.branch(deep - 1)

    def limit(self) -> None:
        name = self.pick(*LIMITS)
        if self.chance(30):
            return self.add(f"call step({name})")
        return self.add(f"{name} = {self.pick(f'mod({name} + 1, 4)', '1', '2', 'min(n, 4)', 'm', self.pick(*LIMITS))}")

    def block(self, deep: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(deep)

    def part(self, deep: int) -> None:
        self.add("!$AD CHECKPOINT-START")
        self.block(deep)
        self.add("!$AD CHECKPOINT-END")

    def around(self, deep: int) -> None:
        self.add(f"do it = {self.pick('1, 3', '1, m', '3, 1, -1', 'k, k + 1')}")
        self.loops.append("it")
        self.depth += 1
        if self.chance(70):
            self.part(deep)
        self.block(deep)
        self.depth -= 1
        self.loops.remove("it")
        self.add("end do")

    def branch(self, deep: int) -> None:
        self.add(f"if ({self.pick('k > 1', 'n > m', self.element() + ' > 0.3d0')}) then")
        self.depth += 1
        self.block(deep)
        self.depth -= 1
        self.add("end if")


def inner(random: Random, name: str) -> str:
    """A procedure with dummy arrays of every shape, and parts of its own."""
    writer = Writer(random, ("v", "z"), ())
    kind = writer.pick("v(-2:), z(-2:)", "v(-2:*), z(-2:10)", "v(-2:n + 10), z(-2:*)", "v(-2:10), z(-2:n + 10)")
    writer.part(1)
    writer.block(1)
    return "\n".join([
        f"  subroutine {name}(v, z, n, m, x)", "    integer :: n, m", f"    real(8) :: x, {kind}",
        "    integer :: i, j, it, k, l", "    type(box) :: d", "    real(8) :: s, t, b(-2:14)",
        "    k = 1; l = 2; d%first = 1; s = 0.5d0*x; t = 0.25d0; b = 0.7d0",
        *("    " + line for line in writer.lines), f"  end subroutine {name}"]) + "\n"


def program(random: Random, size: int = 5) -> str:
    """A module and the head."""
    text = MODULE
    callee = random.randrange(3) == 0
    if callee:
        text += inner(random, "within")
    writer = Writer(random, ARRAYS, PLANES)
    for _ in range(random.randint(1, size)):
        if random.randrange(3):
            writer.part(2)
        else:
            writer.statement(2)
        if callee and random.randrange(3) == 0:
            first, second = random.sample(["u", "h", "ca", "d%v", "o"], 2)
            writer.add(f"call within({first}, {second}, {writer.pick('n', 'm', '2')}, m, x)")
    setup = [f"  {name} = {writer.pick('x', '0.5d0', 'x*x', 'sin(x)')}"
             for name in ("u", "w", "h", "ca", "d%v", "o", "c", "g", "s", "t", "e(1)%v", "e(2)%v", "e(3)%v", "e(0)%v",
                          "e(4)%v")] + ["  b = 0.7d0"]
    return text + "\n".join([
        "end module shared", "subroutine p(x, n, m, y)", "  use shared", "  implicit none", "  integer :: n, m",
        "  real(8) :: x, y, s, t, u(-2:14), w(-2:n + 14), ca(-2:14), b(-2:14), c(-2:10, -2:n + 10), o(-2:14), o2(3)",
        "  real(8), allocatable :: h(:)", "  common /blk/ ca", "  equivalence (o(1), o2(1))",
        "  type(box) :: d, e(0:4)", "  integer :: i, j, it, k, l", "  allocate(h(-2:14))",
        "  k = 2; l = 3; kg = 1; d%first = 1", *(f"  e({at})%first = {at % 3}" for at in range(5)), *setup,
        *writer.lines,
        "  y = s*t + sum(u*u) + sum(w*w) + sum(h*h) + sum(ca*u) + sum(d%v*d%v) + sum(o*h) + sum(c*c) + sum(g*g)",
        "  do i = 0, 4", "    y = y + sum(e(i)%v*e(i)%v)", "  end do", "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers: loops that run not at all, once, and often."""
    return {"n": random.choice((3, 4, 1, 0)), "m": random.choice((2, 4, 0))}
