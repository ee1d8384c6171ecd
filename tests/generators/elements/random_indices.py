"""Random programs whose subscripts are made on the way, for the replay machine: ``program(random)`` is the text, its
head ``p(x)>(y)``.

    k = i
    if (v(k) > 0.2d0) k = mod(k, 5) + 1      ! a test reads the element of a k that is half made
    v(k - 1) = 0.3d0*s                       ! and this may be the element that it has read
    do concurrent (q = 1:3)
      v(at(q)) = v(at(q))*h(q)               ! q lives in the construct
    end do

Elements chosen by integers that IF constructs make, by another array, by the indices of loops, DO CONCURRENT and FORALL
alone and in sums, in marked parts, loops and calls; and WHERE on an allocatable array.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("v", "w", "h", "s", "t", "x", "y", "at", "i", "j", "k", "l")
TEXT = """module m
contains
pure subroutine mends(e, f)
  real(8), intent(inout) :: e
  real(8), intent(in) :: f
  e = 0.5d0*e*e*f + sin(e*f)
end subroutine mends
subroutine runs(u, n, f)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n), f
  integer :: q
  do q = 2, n
    u(q) = u(q) + 0.4d0*sin(u(q - 1))
    f = f + 0.3d0*u(q - 1)
  end do
end subroutine runs
pure subroutine scatters(u, at, f)
  real(8), intent(inout) :: u(8)
  integer, intent(in) :: at(5)
  real(8), intent(in) :: f
  integer :: q
  do concurrent (q = 1:2)
    u(at(q)) = u(at(q))*u(at(q) + 1)*f
  end do
  u(8) = f*u(at(1))
end subroutine scatters
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: v(-3:11), h(5), s, t
  real(8), allocatable :: w(:)
  integer :: at(5), i, j, k, l, q, turn
  v = 0.4d0*x
  v(1:5) = sin(x)
  allocate (w(-3:11))
  w = v*x
  h = 0.7d0*x
  s = 0.9d0*x
  t = x*x
  at = [3, 1, 4, 2, 5]
  k = 2
  l = 3
  do turn = 1, {turns}
{body}
  end do
  y = s + t + 0.1d0*(sum(v*w) + sum(w) + sum(h*h))
end subroutine p
end module m
"""


def numbers(random: Random) -> dict[str, int]:
    """The head has no integers."""
    return {}


def program(random: Random) -> str:
    """A module with three procedures and the head."""
    writer = Writer(random)
    writer.block(random.randrange(5, 11))
    return TEXT.format(turns=random.randrange(1, 3), body="\n".join(writer.lines))


class Writer:
    """Writes the statements of the head. ``loops``: the DO variables of the loops that we are in."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 2
        self.marked = False

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def add(self, text: str) -> None:
        self.lines += ["  "*self.depth + line for line in text.split("\n")]

    def integer(self) -> str:
        return self.pick("k", "k", "l", *self.loops, *self.loops)

    def subscript(self, of: str = "") -> str:
        one = of or self.integer()
        return self.pick(one, one, one, f"{one} + 1", f"{one} - 1", f"{one} + 2", f"6 - {one}", f"at({one})", "2",
                         f"at(6 - {one}) + 1", f"{one} + {self.integer()} - 1")

    def element(self, at: str = "") -> str:
        return f"{self.pick('v', 'v', 'w')}({at or self.subscript()})"

    def name(self) -> str:
        return self.pick("s", "t") if self.chance(35) else self.element()

    def value(self) -> str:
        one, two = self.name(), self.name()
        return self.pick(f"0.8d0*{one}*{two}", f"0.6d0*{one} + 0.3d0*{two}", f"sin({one})", f"0.9d0*{one}",
                         f"{one}/(1.5d0 + {two}**2)", f"0.7d0*{one}*{one}", f"cos({one})*{two}")

    def new(self) -> str:
        """A value from 1 to 5 for k or l."""
        one = self.integer()
        return self.pick(one, f"6 - {one}", f"mod({one}, 5) + 1", f"at({one})", "2", f"max(1, {one} - 1)")

    def condition(self) -> str:
        return self.pick(f"{self.name()} > 0.3d0", f"{self.name()} < {self.name()}", f"{self.integer()} > 2")

    def block(self, size: int) -> None:
        for _ in range(size):
            self.statement()

    def inside(self, first: str, *last: str) -> None:
        self.add(first)
        for end in last:
            self.depth += 1
            self.block(self.random.randrange(1, 4))
            self.depth -= 1
            self.add(end)

    def statement(self) -> None:
        of = self.random.randrange(100)
        if of < 14 and self.depth < 5 and len(self.loops) < 2:
            variable = "j" if self.loops else "i"
            low = self.pick("1", "2", "k", *self.loops)
            self.loops.append(variable)
            self.inside(f"do {variable} = {low}, {self.pick('5', '4')}", "end do")
            self.loops.pop()
        elif of < 24 and self.depth < 5:
            self.inside(f"if ({self.condition()}) then", *self.pick("end if", "else,end if").split(","))
        elif of < 34 and not self.marked:
            self.marked = True
            self.inside("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END")
            self.marked = False
        elif of < 44:
            self.construct()
        elif of < 56:
            self.made()
        elif of < 66:
            self.call()
        elif of < 70:
            value = self.pick("v*s", "w*w", "cshift(v, 1)*t", "0.5d0*v")
            self.add(f"where ({self.pick('v', 'w')} > 0.3d0) w = {value}")
        elif of < 84:
            self.add(f"{self.element()} = {self.value()}")
        else:
            self.add(f"{self.pick('s', 't')} = {self.value()}")

    def construct(self) -> None:
        """DO CONCURRENT or FORALL: each of its iterations has an element of its own."""
        own = f"v({self.pick('q', 'at(q)', 'q + 1', f'q + {self.integer()} - 1')})"
        read = self.pick("h(q)", "h(6 - q)", "s", "w(q)", "w(at(q))")
        first = self.pick(f"{own} = {own}*{own}*{read}", f"{own} = 0.8d0*{read}", f"{own} = {own}*{read} + 0.1d0*s",
                          f"h(q) = h(q)*{own}*{own}")
        then = self.pick(f"h(q) = h(q) + 0.3d0*{own}*{own}", f"{own} = 0.6d0*{own}*{own}", f"{own} = {own}*t")
        kind = self.pick("do concurrent", "do concurrent", "forall")
        if kind == "do concurrent" and self.chance(20):
            first = f"call mends({own}, {self.pick('s', 't')})"
        self.add(f"{kind} (q = 1:{self.pick('2', '3', '4')})\n  {first}\n  {then}\nend {kind.split()[0]}")

    def made(self) -> None:
        """An integer that several statements make, and what it chooses."""
        k = self.pick("k", "l")
        self.add(f"{k} = {self.new()}")
        test = f"{self.element(self.pick(k, f'{k} + 1'))} > 0.{self.random.randrange(1, 6)}d0"
        if self.chance(50):
            self.add(f"if ({test}) {k} = {self.pick(f'mod({k}, 5) + 1', f'min(5, {k} + 1)', f'6 - {k}')}")
        else:
            self.add(f"if ({test}) then\n  {k} = mod({k}, 5) + 1\nelse\n  {k} = min(5, {k} + 2)\n"
                     f"  if ({self.element(k)} > 0.4d0) {k} = 6 - {k}\nend if")
        if self.chance(60):
            self.add(f"{self.element(self.subscript(k))} = {self.value()}")
        self.add(f"s = s*{self.element(k)}")

    def call(self) -> None:
        self.add(self.pick(f"call mends({self.name()}, ({self.value()}))",
                           f"call scatters(v(1:8), at, ({self.value()}))",
                           f"call runs({self.element(self.pick('1', '2', 'k'))}, {self.pick('3', '4', '5')}, "
                           f"{self.pick('s', 't')})"))
