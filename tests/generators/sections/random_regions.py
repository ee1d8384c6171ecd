"""Random programs that work on regions of arrays, for the replay machine: ``program(random)`` is the text, its head
``p(x)>(y)``.

Workspaces cut in columns (``call fill(6, w(1, 5), w(1, 2))``), strided and offset sections, elements passed in a loop
whose next element is written behind the call, levels exchanged by their indices, states ``xs(:, k)``, COMMON in two
layouts, windows of a vector at computed offsets. All indices stay within bounds, arguments never overlap, everything is
set before it is read, and values stay small.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("w", "v", "a", "u", "xs", "g", "d%c", "x", "y", "ic", "ia", "ib", "old", "new", "i", "k", "t", "/st/h",
             "/st/q", "tools::g", "z", "b", "it", "e%c")
TOOLS = """module tools
  implicit none
  type box
    real(8) :: c(6), r
  end type box
  real(8) :: g(6, 4)
contains
  subroutine damp(z, c)
    real(8), intent(inout) :: z
    real(8), intent(in) :: c
    z = sin(z)*(1.0d0 - 0.1d0*c*z)
  end subroutine damp
  subroutine shift(z, c)
    real(8), intent(inout) :: z
    real(8), intent(in) :: c
    z = 0.8d0*z + 0.1d0*c
  end subroutine shift
  subroutine fill(m, x, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x(m)
    real(8), intent(out) :: y(m)
    integer :: i
    do i = 1, m
      y(i) = cos(x(i))*x(max(1, i - 1))
    end do
  end subroutine fill
  subroutine inner(m, x, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x(m)
    real(8), intent(inout) :: y(m)
    integer :: i
    do i = 2, m - 1
      y(i) = 0.5d0*sin(y(i)*x(i - 1)) + 0.3d0*y(i + 1)
    end do
  end subroutine inner
  subroutine add(m, c, x, y)
    integer, intent(in) :: m
    real(8), intent(in) :: c, x(m)
    real(8), intent(inout) :: y(m)
    integer :: i
    do i = 1, m
      y(i) = 0.7d0*y(i) + 0.2d0*c*x(i)
    end do
  end subroutine add
  subroutine smooth(z)
    real(8), intent(inout) :: z(:)
    integer :: i
    do i = 1, size(z)
      z(i) = z(i)*cos(z(i)) + 0.1d0
    end do
  end subroutine smooth
  subroutine rotate(x, y, c)
    real(8), intent(inout) :: x(:), y(:)
    real(8), intent(in) :: c
    real(8) :: t
    integer :: i
    do i = 1, min(size(x), size(y))
      t = cos(c)*x(i) + sin(c)*y(i)
      y(i) = cos(c)*y(i) - sin(c)*x(i)*0.9d0
      x(i) = sin(t)
    end do
  end subroutine rotate
  subroutine column(m, a, k)
    integer, intent(in) :: m, k
    real(8), intent(inout) :: a(m, 4)
    integer :: i
    do i = 1, m
      a(i, k) = sin(a(i, k))*a(i, 1) + 0.2d0*a(i, 4)
    end do
  end subroutine column
  subroutine third(m, a)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(m, 4)
    integer :: i
    do i = 1, m
      a(i, 3) = a(i, 2)*cos(a(i, 1))
    end do
    a(1, 4) = a(1, 4)*a(2, 3)
  end subroutine third
  subroutine boxed(b, c)
    type(box), intent(inout) :: b
    real(8), intent(in) :: c
    b%c(2:5) = b%c(2:5)*c + 0.1d0*b%r
    b%r = sin(b%c(3))
  end subroutine boxed
  subroutine first_layout(c)
    real(8), intent(in) :: c
    real(8) :: h(6), q(6), e(6)
    common /st/ h, q, e
    integer :: i
    do i = 1, 6
      h(i) = sin(h(i))*q(i) + 0.1d0*c
    end do
    e(1) = e(1)*h(2)
  end subroutine first_layout
  subroutine second_layout(k)
    integer, intent(in) :: k
    real(8) :: s(12), r(6)
    common /st/ s, r
    s(k:k + 5) = 0.5d0*s(k:k + 5)*cos(s(k + 1)) + 0.1d0*r
    r(k) = 0.3d0*r(k)**2
  end subroutine second_layout
"""


class Writer:
    """Writes the statements of one procedure. ``work``: its workspaces of six rows and four columns."""

    def __init__(self, random: Random, work: tuple[str, ...], main: bool) -> None:
        self.random = random
        self.work = work
        self.main = main
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.depth = 1

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def index(self, low: int, high: int) -> str:
        """Between two numbers."""
        options = [str(self.random.randint(low, high))]
        if "k" in self.loops and (low, high) == (1, 4):
            options += ["k", "k", "k", "5 - k"]
        if "i" in self.loops and (low, high) == (1, 6):
            options += ["i", "i", "i", "7 - i"]
        if "k" in self.loops and low <= 1 and high >= 4:
            options += ["k"]
        if (low, high) == (1, 4) and self.chance(20):
            options += ["ic"]
        return self.pick(*options)

    def scalar(self) -> str:
        w = self.pick(*self.work)
        return self.pick("x", "t", f"{w}({self.index(1, 6)}, {self.index(1, 4)})", f"v({self.index(1, 6)})")

    def columns(self) -> tuple[str, str, str]:
        """A length, and two columns that are not the same, each as an element or as a section."""
        w = self.pick(*self.work)
        if self.chance(50):
            first, second = (str(one) for one in self.random.sample((1, 2, 3, 4), 2))
        else:
            first, second = self.pick("k, k + 1", "k + 1, k", "old, new", "new, old", "ic, ic + 1").split(", ")
            if first[0] == "k" and "k3" not in self.loops:
                first, second = ("1", "3")
        kind = self.random.randrange(4)
        if kind == 0:
            return "6", f"{w}(1, {first})", f"{w}(1, {second})"
        if kind == 1:
            return "6", f"{w}(:, {first})", f"{w}(:, {second})"
        if kind == 2:
            return "3", f"{w}(1:3, {first})", f"{w}(2, {second})"
        return "6", f"{w}(:, {first})", f"{w}(1, {second})"

    # ------------------------------------------------------------ statements

    def call(self) -> None:
        m, one, other = self.columns()
        w = self.pick(*self.work)
        c = self.scalar()
        passed = self.pick(f"{c}*0.5d0", "0.3d0", "x")
        row = self.pick(f"{w}({self.index(1, 6)}, {self.index(1, 4)})", f"v({self.index(1, 6)})")
        offset = self.pick("ia", "ib", "ia + 6", "1", "7", "ic", "6*ic - 5")
        stride = self.pick("1:6:2", "2:6:2", "1:5:3", "6:1:-1", "6:2:-2", "ic:ic + 2", "2:5", ":")
        self.add("call " + self.pick(
            f"fill({m}, {one}, {other})", f"fill({m}, {one}, {other})", f"inner({m}, {one}, {other})",
            f"add({m}, {passed}, {one}, {other})", f"damp({row}, {passed})", f"shift({row}, {passed})",
            f"smooth({w}({stride}, {self.index(1, 4)}))", f"smooth(v({stride}))",
            f"rotate({w}({stride}, {self.index(1, 4)}), v({offset}:{offset} + 3), {passed})",
            f"rotate({w}({self.index(1, 6)}, :), v({stride}), 0.4d0)",
            f"fill(6, v(ia), {w}(1, {self.index(1, 4)}))", f"inner(6, {w}(:, {self.index(1, 4)}), v({offset}))",
            "fill(6, v(ia), v(ib))", "inner(6, v(ib), v(ia))",
            f"column(6, {w}, {self.index(1, 4)})", f"third(6, {w})", "third(3, v(ia))",
            f"smooth({w}(:, {self.index(1, 4)}))", f"smooth({w}({self.index(1, 6)}, 2:3))",
            *(["boxed(d, 0.4d0)", f"boxed(e({self.index(1, 4)}), {passed})", f"smooth(e({self.index(1, 4)})%c)",
               f"fill(6, e(ic)%c, {w}(:, {self.index(1, 4)}))", "first_layout(0.2d0)",
               f"second_layout({self.index(1, 4)})", f"stage({w}, 2)" if w != "g" else "first_layout(x)",
               f"first_layout({passed})"] if self.main else [])))

    def assign(self) -> None:
        w = self.pick(*self.work)
        k, i = self.index(1, 4), self.index(1, 6)
        one = self.pick(f"{w}({i}, {k})", f"{w}({i}, {k})", f"v({i})", f"v(ia + {self.random.randint(0, 5)})",
                        f"u({i}, new)", f"v(ic*{self.random.randint(1, 4)})")
        other = self.pick(f"{w}({self.index(1, 6)}, {self.index(1, 4)})", f"u({i}, old)", "x", f"v({i})", "t", one)
        value = self.pick(f"sin({one})*{other}", f"0.6d0*{one} + 0.2d0*{other}", f"cos({other})",
                          f"{other}*0.5d0*{one}")
        self.add(self.pick(
            f"{one} = {value}", f"{one} = {value}", f"{one} = {value}",
            f"{w}(:, {k}) = 0.5d0*sin({w}(:, {self.index(1, 4)}))", f"{w}({i}, :) = 0.9d0*{w}({i}, :)*x",
            f"{w}(1:5:2, {k}) = {w}(2:6:2, {self.index(1, 4)})*0.7d0", "v(1:6) = v(ia:ia + 5)*cos(v(1:6))",
            "v(ib:ib + 5) = 0.4d0*v(ib:ib + 5)", f"t = sin({one})"))

    def statement(self, deep: int) -> None:
        kind = self.random.randrange(100)
        if kind < 40:
            self.call()
        elif kind < 62:
            self.assign()
        elif kind < 67:
            self.add(self.pick("ic = mod(ic, 3) + 1", "ic = mod(ic, 3) + 1", "it = old; old = new; new = it",
                               "ia = 1; ib = 7", "ia = 7; ib = 1"))
        elif kind < 82 and deep > 0:
            self.loop(deep - 1)
        elif kind < 92 and deep > 0:
            self.add("!$AD CHECKPOINT-START")
            self.block(deep - 1)
            self.add("!$AD CHECKPOINT-END")
        elif deep > 0:
            self.add(f"if ({self.pick('ic > 1', 'n > m', 'v(2) > 0.3d0')}) then")
            self.depth += 1
            self.block(deep - 1)
            self.depth -= 1
            self.add("end if")
        else:
            self.call()

    def loop(self, deep: int) -> None:
        """Over columns, over rows, or the same again and again."""
        kind = self.pick("k", "k", "k3", "i", "i", "chain", "states", "step")
        if (kind[0] in self.loops or (kind == "k3" and "k" in self.loops) or (kind == "chain" and "i" in self.loops)
                or (kind == "states" and ("k" in self.loops or not self.main)) or kind in self.loops):
            kind = "step" if "step" not in self.loops else ""
        if not kind:
            return self.call()
        if kind == "chain":
            c, z = self.scalar(), self.pick("v({})", f"{self.pick(*self.work)}({{}}, {self.index(1, 4)})",
                                            *(["xs(1, {})"] if self.main else []))
            self.add(self.pick("do i = 1, 5", "do i = 2, 5", "do i = 1, m"))
            self.add(f"  call {self.pick('damp', 'shift')}({z.format('i')}, 0.5d0*{c})")
            self.add(f"  {z.format('i + 1')} = {z.format('i + 1')}*cos({z.format('i')})")
            if self.chance(40):
                self.add(f"  call damp({z.format('i + 1')}, 0.2d0)")
            return self.add("end do")
        if kind == "states":
            self.add(f"do k = 1, {self.pick('5', 'n', 'm')}")
            self.add(f"  call {self.pick('fill(4, xs(:, k - 1), xs(:, k))', 'fill(4, xs(1, k - 1), xs(1, k))')}")
            if self.chance(60):
                self.add(f"  xs(2, k) = xs(2, k)*{self.pick('xs(1, k)', 'x', 'xs(2, k - 1)')}")
            return self.add("end do")
        var = {"k": "k", "k3": "k", "i": "i", "step": "j"}[kind]
        span = {"k": self.pick("1, 4", "4, 1, -1", "2, 4", "1, n", "1, 4, 2"),
                "k3": self.pick("1, 3", "3, 1, -1", "1, m"),
                "i": self.pick("1, 6", "2, 5", "6, 1, -1", "1, n", "1, 6, 2"), "step": self.pick("1, 2", "1, m")}[kind]
        self.add(f"do {var} = {span}")
        self.loops += [kind, var]
        self.depth += 1
        self.block(deep)
        self.depth -= 1
        del self.loops[-2:]
        return self.add("end do")

    def block(self, deep: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(deep)


def program(random: Random, size: int = 6) -> str:
    """A module and the head."""
    stage = Writer(random, ("z", "b"), False)
    stage.block(2)
    writer = Writer(random, ("w", "a", "g"), True)
    for _ in range(random.randint(2, size)):
        writer.statement(3)
    text = TOOLS + "\n".join([
        "  subroutine stage(z, m)", "    integer, intent(in) :: m",
        f"    real(8), intent(inout) :: z(6, {stage.pick('4', 'm + 2')})",
        "    integer :: i, j, k, ic, ia, ib, old, new, it, n", "    real(8) :: b(6, 4), v(18), u(6, 2), t, x",
        "    n = 3; ic = 1; ia = 1; ib = 7; old = 1; new = 2; t = 0.4d0; x = z(2, 2); b = 0.3d0; v = 0.2d0",
        "    v(3) = z(1, 1); u = 0.5d0*x", *("    " + line for line in stage.lines),
        "    z(1, 1) = 0.5d0*z(1, 1) + 0.1d0*sin(sum(b) + sum(v) + sum(u))", "  end subroutine stage",
        "end module tools"]) + "\n"
    return text + "\n".join([
        "subroutine p(x, n, m, y)", "  use tools", "  implicit none", "  integer :: n, m",
        "  real(8) :: x, y, w(6, 4), v(18), a(6, 4), u(6, 2), xs(4, 0:6), t, h(6), q(6), r(6)",
        "  common /st/ h, q, r", "  type(box) :: d, e(4)", "  integer :: i, j, k, ic, ia, ib, old, new, it",
        "  ic = 1; ia = 1; ib = 7; old = 1; new = 2; t = 0.5d0*x", "  do k = 1, 4", "    do i = 1, 6",
        "      w(i, k) = sin(x*i + k); a(i, k) = 0.5d0*cos(x*k - i); g(i, k) = 0.3d0*x + 0.1d0*i", "    end do",
        "    e(k)%c = 0.4d0*x*k; e(k)%r = x", "  end do", "  do i = 1, 18", "    v(i) = 0.2d0*x*i - sin(1.0d0*i)",
        "  end do", "  u = 0.6d0*x; xs = 0.3d0; xs(:, 0) = x; h = x; q = 0.5d0*x; r = 0.2d0; d%c = x; d%r = 0.1d0",
        *writer.lines,
        "  y = t + sum(w*w) + sum(sin(v)) + sum(a*w) + sum(u*u) + sum(xs*xs) + sum(g*a) + sum(h*q) + sum(r*r)",
        "  do k = 1, 4", "    y = y + e(k)%r*sum(e(k)%c)", "  end do", "  y = y + sum(d%c)*d%r",
        "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"n": random.choice((3, 4, 1, 0)), "m": random.choice((2, 3, 0))}
