"""Random programs of loops of calls: ``program(random)`` is the text, its head ``p(x)>(y)``.

``do k = 1, n; call step(v(k)); end do`` writes every element of v, or all but one, or perhaps not all; loops of
columns, of two arrays at once, upward and downward, with another statement or call between, a function of elements; two
columns of one array, of which a call overwrites one and a part of the other; and before, between and behind them what
reads all of an array, or overwrites it, whole, by elements, under a mask.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
ARRAYS = ("v", "w", "q", "r", "s")
LOCATIONS = (*ARRAYS, "x", "y", "t", "k", "j", "l", "a", "b", "c", "d")
CALLEES = """subroutine step(a)
  real(8), intent(inout) :: a
  a = 0.9d0*a + 0.1d0*sin(a)
end subroutine step
subroutine square(a, b)
  real(8), intent(inout) :: a
  real(8), intent(in) :: b
  a = a*b
  a = a + 0.1d0*b*b
end subroutine square
subroutine maybe(a)
  real(8), intent(inout) :: a
  if (a > 0.6d0) a = a*a
end subroutine maybe
subroutine both(a, b)
  real(8), intent(inout) :: a, b
  b = b + 0.1d0*sin(a)*b
  a = 0.5d0*a + 0.3d0*b*b
end subroutine both
subroutine linear(a)
  real(8), intent(inout) :: a
  a = 0.7d0*a
end subroutine linear
subroutine anew(a, b)
  real(8), intent(out) :: a
  real(8), intent(in) :: b
  a = 0.5d0 + 0.2d0*b*b
end subroutine anew
subroutine whole(c, t)
  real(8), intent(in) :: c(:)
  real(8), intent(inout) :: t
  t = 0.5d0*t + 0.1d0*sum(c*c)*t
end subroutine whole
subroutine column(d)
  real(8), intent(inout) :: d(3)
  d = d*0.8d0 + 0.1d0*d**2
end subroutine column
subroutine columns(c, d, m, t)
  integer, intent(in) :: m
  real(8), intent(inout) :: c(m), d(m), t
  t = 0.5d0*t + 0.1d0*c(1)*d(m)*d(1)*c(m)
  d(1) = 0.8d0*d(1) + 0.1d0*t
  c = c*(0.7d0 + 0.1d0*t)
end subroutine columns
real(8) function bent(a, b)
  real(8), intent(in) :: a, b
  bent = sin(a)*b
  bent = bent*bent + 0.2d0*a
end function bent
"""


def numbers(random: Random) -> dict[str, int]:
    """Values of the arguments that are integers."""
    return {"n": random.randrange(5)}


def program(random: Random) -> str:
    """The head with internal procedures, or with those of a module."""
    writer = _Writer(random)
    writer.block(random.randrange(3, 7))
    body = ["  y = 0", "  t = x", "  v = 0.3d0*x", "  w = 0.5d0 + 0.2d0*x", "  q = 0.4d0*x", "  l = 1",
                "  r = 0.6d0*x", "  s = 0.5d0*x",
            "  do it = 1, 2", *writer.lines, "    y = y + 0.1d0*t", "  end do",
            "  y = y + sum(v*w) + sum(q*q) + t + sum(r*r) + sum(s*s)"]
    head = ["subroutine p(x, y, n)"]
    declared = ["  implicit none", "  integer, intent(in) :: n", "  real(8), intent(in) :: x", "  real(8) :: y, t",
                "  real(8) :: v(n), w(n), q(3, n), r(4), s(n + 1, 4)", "  integer :: k, j, l, it"]
    if random.randrange(2):
        return "\n".join((*head, *declared, *body, "contains", CALLEES.rstrip(), "end subroutine p")) + "\n"
    module = ["module shared", "contains", CALLEES.rstrip(), "end module shared"]
    return "\n".join((*module, *head, "  use shared", *declared, *body, "end subroutine p")) + "\n"


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.marked = False

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def block(self, size: int) -> None:
        for _ in range(size):
            if not self.marked and self.random.randrange(6) == 0:
                self.marked = True
                self.lines.append("    !$AD CHECKPOINT-START")
                self.block(self.random.randrange(1, 3))
                self.lines.append("    !$AD CHECKPOINT-END")
                self.marked = False
            else:
                self.lines += [f"    {line}" for line in self.statement().split("\n")]

    def statement(self) -> str:
        if self.random.randrange(2):
            return (self.loop, self.loop, self.alone, self.of_four)[self.random.randrange(4)]()
        one, two = self.random.sample(("v", "w"), 2)
        return self.pick(f"call whole({one}, t)", "call whole(q(2, :), t)", f"{one} = {two}*x", f"{one} = {one}*{two}",
                         f"t = t + 0.1d0*sum({one}*{two})", f"if (n > 1) {one}(2) = 0.3d0*t",
                         f"where ({one} > 0.4d0) {one} = 0.4d0 + 0.1d0*{two}*{one}", "l = max(1, n - 1)",
                         "q(1, :) = v*q(2, :)", "call whole(r, t)", "r = 0.3d0*r*r", "s = 0.5d0*s",
                         f"if (n > 0) call step({one}(l))", f"{one} = 0.2d0 + 0.1d0*t")

    def loop(self) -> str:
        one, two = self.random.sample(("v", "w"), 2)
        bounds = self.pick("1, n", "1, n", "n, 1, -1", "2, n", "1, n - 1")
        called = self.pick(f"call step({one}(k))", f"call square({one}(k), {two}(k))", f"call square({one}(k), t)",
                           f"call square({one}(k), {one}(1)*{two}(k))",
                           f"call maybe({one}(k))", f"call both({one}(k), {two}(k))", f"call linear({one}(k))",
                           f"call anew({one}(k), {two}(k))", "call column(q(:, k))", "call column(q(1, k))",
                           f"{one}(k) = bent({one}(k), {two}(k))", f"t = t*bent({one}(k), t)",
                           f"call square(q(2, k), {one}(k))", "do j = 1, 3\n  call step(q(j, k))\nend do")
        more = self.pick("", "", "", f"{one}(k) = {one}(k)*t", f"call step({one}(k))", f"call whole({one}, t)",
                         f"t = t + 0.05d0*{one}(k)**2", f"{two}(k) = 0.5d0*{one}(k)", f"{one}(n) = 0.2d0 + 0.1d0*t",
                         f"if ({one}(k) > 0.5d0) cycle")
        lines = [called, more] if self.random.randrange(2) else [more, called]
        inside = "\n".join(line for part in lines if part for line in part.split("\n"))
        return f"do k = {bounds}\n" + "\n".join(f"  {line}" for line in inside.split("\n")) + "\nend do"

    def alone(self) -> str:
        """A loop of which one call writes the array, all of it or all but an element, which is overwritten behind it;
        perhaps that reads other elements, too, or something else in the loop or before it does."""
        one, two = self.random.sample(("v", "w"), 2)
        called = self.pick(f"call maybe({one}(k))", f"call square({one}(k), t)",
                           f"call square({one}(k), {one}(1)*{one}(n))", f"call square({one}(k), {two}(k)*{one}(n))")
        reader = self.pick("", "", f"  call whole({one}, t)\n")
        before = self.pick("", f"call whole({one}, t)\n")
        loop = f"{before}do k = {self.pick('1, n', '1, n', '2, n')}\n{reader}  {called}\n"
        if self.random.randrange(3) == 0:
            return f"{loop}  {one}(n) = 0.2d0 + 0.1d0*t\nend do"
        return f"{loop}end do\n{one} = 0.5d0*{self.pick(one, two)}"

    def of_four(self) -> str:
        """A loop whose calls write all of an array together, or all but an element, some of it perhaps twice."""
        if self.random.randrange(2):
            return f"do k = {self.pick('1, 4', '4, 1, -1')}\n  call columns(s(:, k), s(:, 5 - k), n + 1, t)\nend do"
        first, second = (self.pick("call maybe({})", "call linear({})", "call square({}, t)") for _ in "12")
        more = self.pick("", "", "\n  r(4) = 0.2d0 + 0.1d0*t", "\n  call whole(r, t)")
        return f"do k = 1, 3\n  {first.format('r(k)')}\n  {second.format('r(k + 1)')}{more}\nend do"
