"""Random programs that pass runs of one-dimensional workspaces, for the replay machine: ``program(random)`` is the
text, its head ``p(x)>(y)``.

Slices by constants ``w(n + 1:2*n)`` and by DO variables ``w((k - 1)*n + 1:k*n)``, elements that stand for what follows
them ``w(2*n + 1)``, elements in loops ``w(3*n + i)``, workspaces handed on and cut again in the callee, rows of which a
call is passed the column, a module's array whose columns calls change unseen, slices that reach over two runs, steps
and counts backwards; whole arrays in between. All indices stay within bounds, arguments never overlap, everything is
set before it is read, and values stay small.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("w", "v", "a", "x", "y", "t", "i", "k", "j", "ic", "z", "mw", "room::mw")
ROOM = """module room
  implicit none
  integer, parameter :: n = 4, nb = 5
  real(8) :: mw(n, 3)
contains
  subroutine turn(c)
    real(8), intent(in) :: c
    mw(:, 2) = mw(:, 2)*cos(mw(:, 1)) + c*mw(:, 3)
    mw(1, 1) = sin(mw(1, 1))*mw(2, 3)
  end subroutine turn
  subroutine keep(y)
    real(8), intent(inout) :: y(n)
    y = y*mw(2, 3)
    mw(:, 3) = 0.5d0*mw(:, 3) + 0.1d0*y
  end subroutine keep
  subroutine take(m, x, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x(m)
    real(8), intent(inout) :: y(m)
    integer :: i
    do i = 1, m
      y(i) = 0.6d0*y(i)*cos(x(i)) + 0.2d0*x(max(1, i - 1))
    end do
  end subroutine take
  subroutine make(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = sin(x)*x(2)
  end subroutine make
  subroutine bend(y)
    real(8), intent(inout) :: y(:)
    y = y*cos(y) + 0.1d0
  end subroutine bend
  subroutine some(y, c)
    real(8), intent(inout) :: y(n)
    real(8), intent(in) :: c
    if (c > 0.2d0) y(2:3) = y(2:3)*c - 0.1d0*y(1)
  end subroutine some
  subroutine one(z, c)
    real(8), intent(inout) :: z
    real(8), intent(in) :: c
    z = sin(z)*(1.0d0 - 0.2d0*c)
  end subroutine one
"""


class Writer:
    """Writes the statements of one procedure; ``line``: its vector; ``main``: may it call stage?"""

    def __init__(self, random: Random, line: str, main: bool) -> None:
        self.random = random
        self.line = line
        self.main = main
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 2

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def runs(self) -> tuple[str, str]:
        """Two runs that do not overlap, as the number of blocks before them."""
        one, other = (str(b) for b in self.random.sample(range(4), 2))
        if "k" in self.loops and self.random.randrange(2):  # k runs within 1 to 3
            first, second = self.pick("k|(k - 1)", "(k - 1)|k", "(4 - k)|0", "0|k", "k|4", "(k - 1)|4").split("|")
            return first, second
        return one, other

    def run(self, blocks: str) -> str:
        """One block from there on."""
        w = self.line
        first = {"0": "1", "1": "n + 1"}.get(blocks, f"{blocks}*n + 1")
        last = f"{int(blocks) + 1}*n" if blocks.isdigit() else f"({blocks} + 1)*n"
        return self.pick(f"{w}({first}:{last})", f"{w}({first}:{last})", f"{w}({first})")

    def element(self) -> str:
        w = self.line
        options = [f"{w}({self.random.randint(1, 20)})", f"v({self.random.randint(1, 8)})",
                   f"a({self.random.randint(1, 4)}, 2)",
                   f"mw({self.random.randint(1, 4)}, {self.random.randint(1, 3)})"]
        if "i" in self.loops:
            options += [f"{w}({self.random.randint(0, 4)}*n + i)", f"{w}(i)", "v(i)", "v(9 - i)", "a(i, 3)"]
        if "k" in self.loops:
            options += [f"{w}(k*n)", f"{w}((k - 1)*n + 2)", "a(1, k)", "a(2, k)", "v(k)"]
            options += ["mw(2, k)"]*(self.random.randrange(3) == 0)
        return self.pick(*options)

    def call(self) -> None:
        one, other = self.runs()
        w, c = self.line, self.pick("x", "t", self.element())
        column = self.pick("1", "2", "3", *(["k"] if "k" in self.loops else []))
        self.add("call " + self.pick(
            f"take(n, {self.run(one)}, {self.run(other)})", f"take(n, {self.run(one)}, {self.run(other)})",
            f"make({self.run(one)}, {self.run(other)})", f"make({self.run(one)}, {self.run(other)})",
            f"bend({w}({other}*n + 1:({other} + 1)*n))", f"some({self.run(other)}, 0.5d0*{c})",
            f"one({self.element()}, 0.3d0*x)", f"take(n, {self.run(one)}, v({self.pick('1', '5')}))",
            f"take(2*n, v(1), {w}(n + 1))", f"take(3, {w}(ic), v(2))",
            f"take(2*n, {w}(1:2*n), {w}(2*n + 1:4*n))",
            f"make(v({self.pick('1:4', '5:8', '1')}), {self.run(other)})", f"bend({w}(n:1:-1))",
            f"bend({w}(1:4*n:3))", f"take(n, {self.run(one)}, a(1, {column}))",
            f"make(a(:, {column}), {self.run(other)})",
            f"some(a(:, {column}), a(1, 3)*0.5d0 + x)" if column != "3" else "bend(a(2, :))", "bend(a(1, 1:2))",
            "turn(0.3d0*x)", "turn(t)", f"keep({self.run(other)})",
            f"take(n, mw(1, {self.pick('1', '2')}), {self.run(other)})",
            f"make({self.run(one)}, mw(:, {self.pick('1', '2', '3')}))", "bend(mw(:, 2))",
            f"bend({w})" if self.random.randrange(4) == 0 else f"take(n, {self.run(one)}, {self.run(other)})",
            *(["stage(w(1), 2)", "stage(w, 3)", "stage(w(1:nb*n), ic)"] if self.main else [])))

    def assign(self) -> None:
        w, (one, other), target = self.line, self.runs(), self.element()
        slices = [f"{w}({at}*n + 1:({at} + 1)*n)" for at in (one, other)]
        self.add(self.pick(
            f"{target} = sin({target})*{self.element()}", f"{target} = 0.5d0*{target} + 0.3d0*{self.element()}",
            f"{slices[1]} = {slices[1]}*cos({slices[0]})", f"{slices[1]} = 0.4d0*{slices[0]}",
            f"{slices[1]} = a(:, 2)*v(1:4)", f"a(:, 1) = 0.7d0*sin({slices[0]})", f"t = sin({self.element()})",
            "ic = mod(ic, 5) + 1"))

    def statement(self, deep: int) -> None:
        kind = self.random.randrange(100)
        if kind < 45 or deep == 0:
            self.call()
        elif kind < 68:
            self.assign()
        elif kind < 86:
            self.loop(deep - 1)
        elif kind < 93:
            self.add("!$AD CHECKPOINT-START")
            self.block(deep - 1)
            self.add("!$AD CHECKPOINT-END")
        else:
            self.add(f"if ({self.pick('ic > 2', 'v(2) > 0.3d0', 'm > 2')}) then")
            self.depth += 1
            self.block(deep - 1)
            self.depth -= 1
            self.add("end if")

    def loop(self, deep: int) -> None:
        free = [one for one in "kij" if one not in self.loops]
        if not free:
            return self.call()
        var = self.pick(*free)
        self.add(f"do {var} = " + {"k": self.pick("1, 3", "3, 1, -1", "1, 3, 2", "2, 3", "1, m"), "j": "1, 2",
                                   "i": self.pick("1, n", "1, 4", "n, 1, -1", "2, n")}[var])
        self.loops.append(var)
        self.depth += 1
        self.block(deep)
        self.depth -= 1
        self.loops.pop()
        return self.add("end do")

    def block(self, deep: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(deep)


def program(random: Random, size: int = 6) -> str:
    """A module and the head."""
    stage, writer = Writer(random, "z", False), Writer(random, "w", True)
    stage.block(2)
    for _ in range(random.randint(2, size)):
        writer.statement(3)
    declared = "real(8) :: v(8), a(n, 3), t"
    text = ROOM + "\n".join([
        "  subroutine stage(z, m)", "    integer, intent(in) :: m",
        f"    real(8), intent(inout) :: z({stage.pick('nb*n', '20')})",
        f"    {declared}, x", "    integer :: i, j, k, ic",
        "    ic = 1; t = 0.4d0; x = z(2); v = 0.5d0*z(1:8); a = 0.3d0",
        *stage.lines, "    z(3) = 0.5d0*z(3) + 0.1d0*sin(sum(v) + sum(a) + t)", "  end subroutine stage",
        "end module room"]) + "\n"
    return text + "\n".join([
        "subroutine p(x, m, y)", "  use room", "  implicit none", "  integer :: m", "  real(8) :: x, y, w(nb*n)",
        f"  {declared}", "  integer :: i, j, k, ic",
        "  ic = 2; t = 0.5d0*x; v = 0.3d0*x; a = 0.2d0 + x; mw = 0.3d0*x", "  do j = 1, nb*n",
        "    w(j) = 0.1d0*j*x - sin(1.0d0*j)", "  end do", *writer.lines,
        "  y = t + sum(w*w) + sum(sin(v)) + sum(a*a) + sum(mw*mw)", "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"m": random.choice((3, 2, 1, 0))}
