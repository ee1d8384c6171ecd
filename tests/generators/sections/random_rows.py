"""Random programs whose parts read scalars made of elements, for the replay machine: ``program(random)`` is the text,
its head ``p(x)>(y)``.

    do i = 1, n
      s = u(i, 3) - u(i, 2)      ! a part reads s, which its adjoint may compute again from this row
      ... marked part ...
      u(i, 3) = 2d0              ! nobody requires this row here, but those of the iterations before
      u(i, 2) = u(i, 2)*u(i, 1)
    end do

Rows of their own in each iteration, columns and vectors that are written anew piece by piece, elements that are set,
scaled and squared, before a marked part, in it and behind it, and all of it in one loop or two.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("u", "f", "c", "s", "q", "x", "y", "i", "j", "k", "it")


class Writer:
    """Writes the statements of the head. ``row``: the subscript of the loop over rows that we are in, or ``''``."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.depth = 1
        self.row = ""
        self.inner = False
        self.marked = False

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def add(self, text: str) -> None:
        self.lines.append("  "*self.depth + text)

    def element(self) -> str:
        j = self.pick("j", "j", "j + 1") if self.inner else self.pick("1", "2", "3", "4", "k")
        row = self.row or self.pick("1", "2", "3", "k")
        return self.pick(f"u({row}, {j})", f"u({row}, {j})", f"u({row}, {j})", f"f({j})", f"f({row})", f"c({j})")

    def value(self, of: str) -> str:
        one, other = self.element(), self.pick("s", "q", "x", self.element())
        return self.pick(f"{one} - {self.element()}", f"0.5d0*{one}", "2d0", f"0.3d0*{other}", f"sin({one})",
                         f"0.5d0*{one}*{other}", f"0.6d0*{of} - 0.2d0*{other}", f"cos({of})*{other}", f"0.4d0*{of}")

    def assign(self) -> None:
        of = self.pick("s", "s", "q", self.element(), self.element(), self.element())
        self.add(f"{of} = {self.value(of)}")

    def total(self) -> None:
        read = self.pick("s*q", "s**2", "q", f"{self.element()}*{self.element()}", f"sin({self.element()})", "sum(f*f)")
        self.add(f"y = {self.pick('y', '0.5d0*y', 'sin(y)')} + 0.1d0*{read}")

    def part(self, deep: int) -> None:
        self.add("!$AD CHECKPOINT-START")
        self.marked = True
        if self.chance(60):
            of = self.pick("q", "q", "y", "c(2)")
            value = self.pick(f"{of}*(1d0 + 0.3d0*s)", f"0.5d0*{of} + 0.2d0*s*s", f"sin(s)*{of}", "0.3d0*s*x")
            self.add(f"{self.pick('', 'if (s > 0.1d0) ')}{of} = {value}")
        else:
            self.block(deep)
        self.marked = False
        self.add("!$AD CHECKPOINT-END")

    def anew(self) -> None:
        """A vector is written anew, with something in between."""
        of = self.pick("f", "c")
        self.add(f"{of}(1) = {self.value(of + '(1)')}")
        if self.chance(60):
            self.add(f"s = {of}(1){self.pick('', ' - x', '*q')}")
        if not self.marked and self.chance(60):
            self.part(0)
        self.add("do k = 2, 4")
        self.add(f"  {of}(k) = {self.pick('0.3d0*x', f'{of}(k - 1)*0.5d0', 'sin(q)', f'0.2d0*{of}(k)', '1d0')}")
        self.add("end do")
        self.add("k = 2")

    def loop(self, deep: int) -> None:
        if not self.row:
            self.row = "i"
            self.body(f"do i = {self.pick('1, 4', '4, 1, -1', '1, n', '2, 4')}", deep)
            self.row = ""
        elif not self.inner:
            self.inner = True
            self.body(f"do j = {self.pick('1, 3', '3, 1, -1', '1, 2')}", deep)
            self.inner = False
        else:
            self.assign()

    def body(self, head: str, deep: int) -> None:
        self.add(head)
        self.depth += 1
        self.block(deep)
        self.block(deep)
        self.depth -= 1
        self.add("end do")

    def statement(self, deep: int) -> None:
        kind = self.random.randrange(100)
        if kind < 45 or (kind >= 60 and not deep):
            self.assign()
        elif kind < 60:
            self.total()
        elif kind < 75 and not self.marked:
            self.part(deep - 1)
        elif kind < 82 and not self.inner:
            self.anew()
        else:
            self.loop(deep - 1)

    def block(self, deep: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(deep)


def program(random: Random, size: int = 4) -> str:
    """The head, whose statements mostly run twice."""
    writer = Writer(random)
    twice = random.randrange(100) < 60
    writer.depth += twice
    for _ in range(random.randint(2, size)):
        writer.loop(3)
        writer.statement(3)
    return "\n".join([
        "subroutine p(x, n, y)", "  implicit none", "  integer :: n",
        "  real(8) :: x, y, u(4, 4), f(4), c(4), s, q", "  integer :: i, j, k, it",
        "  s = 0.3d0*x; q = x; k = 2; y = x", "  do j = 1, 4", "    f(j) = 0.2d0*x*j; c(j) = sin(x + j)",
        "    u(:, j) = 0.4d0*cos(x*j)", "  end do",
        *(["  do it = 1, 2"] if twice else []), *writer.lines, *(["  end do"] if twice else []),
        "  y = y + sum(u*u) + sum(f*c) + s*q", "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"n": random.choice((3, 4, 1, 0))}
