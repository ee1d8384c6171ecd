"""Random programs that write elements and read them again, for what is proved of such reads: ``program(random)`` is the
text, its head ``p(x)>(y)``.

What is read is mostly what was written before by the same words, or by others; between the two a name in the subscript
changes, a jump skips the write, a loop is left, takes another step or does not run, a branch writes less than the
other. Limits by numbers, arguments, variables, DO variables, other loops' variables, integer arrays, sizes; sections;
boxes that touch, or almost; arrays with few elements, from 0 or -3 on, of a module, of the size of an argument, of
integers, allocatable, with a pointer to them, in COMMON under two names, of objects; calls that read and write elements
or more. All indices stay within bounds, everything has a value before it is read, and values stay small.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("c", "d", "e", "g", "b", "h", "o%v", "w", "al", "u1", "room::q", "q", "t", "x", "y", "l", "k", "j", "at")
ROOM = """module room
  implicit none
  real(8) :: q(-3:12)
  type cell
    real(8) :: v(-3:12)
  end type
contains
  subroutine get(a, t)
    real(8), intent(in) :: a
    real(8), intent(inout) :: t
    t = 0.5d0*t + 0.3d0*sin(a)
  end subroutine get
  subroutine near(a, t)
    real(8), intent(in) :: a(2)
    real(8), intent(inout) :: t
    t = 0.5d0*t + 0.3d0*a(1)*a(2)
  end subroutine near
  subroutine put(w, a)
    real(8), intent(in) :: w
    real(8), intent(out) :: a
    a = 0.4d0*cos(w)
  end subroutine put
  subroutine fill(m, w, a)
    integer, intent(in) :: m
    real(8), intent(in) :: w
    real(8), intent(out) :: a(m)
    a = 0.4d0*w + 0.1d0
  end subroutine fill
  subroutine some(m, w, a)
    integer, intent(in) :: m
    real(8), intent(in) :: w
    real(8), intent(inout) :: a(m)
    if (m > 2) a(1:2) = 0.3d0*sin(w)
  end subroutine some
  subroutine shift(l)
    integer, intent(inout) :: l
    l = 1 + mod(l, 5)
  end subroutine shift
  subroutine also(a, t)
    real(8), intent(in) :: a
    real(8), intent(inout) :: t
    t = 0.5d0*t + 0.3d0*a*q(3)
  end subroutine also
  subroutine behind(w)
    real(8), intent(in) :: w
    q(2) = 0.5d0*q(3) + 0.2d0*w
  end subroutine behind
end module room
"""
ARRAYS = ("c", "c", "c", "d", "d", "e", "q", "b", "h", "o%v", "al")
RARE = ("u1", "u2", "pt", "w")  # in some of the programs

RARELY = (["  real(8), target :: w(-3:12)", "  real(8), pointer :: pt(:)", "  real(8) :: u1(-3:12), u2(-2:13)",
           "  equivalence (u1, u2)"],
          ["  w = 0.2d0*x; pt(-3:) => w; u1 = 0.3d0*x"], ["  y = y + sum(w*w) + sum(u1*u1)"])


class Writer:
    """Writes the statements of the head."""

    def __init__(self, random: Random, plain: bool) -> None:
        """``plain``: without what memory may be reached by in several ways, and without what is unusual."""
        self.random, self.plain = random, plain
        self.arrays = ARRAYS if plain else (*ARRAYS, *RARE)
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.recent: list[str] = ["c(1)"]
        self.depth = 1
        self.label = 10
        self.marked = False

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def often(self, of: int) -> bool:
        return self.random.randrange(of) == 0

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    # ------------------------------------------------------------ elements

    def place(self) -> str:
        """A subscript, of 1 to 5 give or take one."""
        near = [self.random.choice(self.loops) for _ in range(5)] if self.loops else []
        one = self.pick("1", "2", "3", "n", "l", "l", "m + 1", "at(2)", "at(l)", self.pick("k", "j", "n"), *near)
        return shifted(one, self.random.choice((-1, -1, 0, 0, 0, 0, 1)))

    def section(self) -> str:
        near = [f"{one} - 1" for one in self.loops for _ in range(3)]
        last = self.pick("n", "n", "l", "3", "4", "m", "n - 1", "n + 1", *near)
        return f"{self.pick('1', '1', '2', 'l', '3')}:{last}"

    def element(self, array: str = "") -> str:
        array = array or self.random.choice(self.arrays)
        if self.often(9):
            return f"g({self.place()}, {self.place()})"
        return f"{array}({self.place()})"

    def read(self) -> str:
        """What was written before, or near."""
        one = self.random.choice(self.recent[-6:])
        if self.often(4):
            return self.element(one.partition("(")[0] if one[0] != "g" else "")
        return one

    def scalar_read(self) -> str:
        one = self.read()
        return f"0.2d0*sum({one})" if ":" in one else one

    def value(self) -> str:
        one = self.scalar_read()
        return self.pick(f"0.5d0*sin({one}) + 0.2d0*x", f"0.4d0*{one}*{self.scalar_read()} + 0.1d0", "0.7d0*x*x",
                         f"0.3d0*{one}", f"t*0.3d0 + 0.2d0*{one}**2")

    # ------------------------------------------------------------ statements

    def write(self, target: str = "") -> None:
        if not target and self.often(3):
            array = self.random.choice(self.arrays)
            row = "" if self.random.randrange(5) else f"{self.place()}, "
            target = f"{'g' if row else array}({row}{self.section()})"
        target = target or self.element()
        if self.often(8) and ":" not in target:
            self.add(f"call put({self.pick('x', 't')}, {target})")
        elif self.often(12) and ":" in target:
            first, _, last = target.partition("(")[2].rstrip(")").partition(":")
            text = f"{last} - {first} + 1" if first != "1" else last
            if target[0] != "g":
                text = f"max({text}, 0)"
                self.add(f"call {self.pick('fill', 'fill', 'some')}({text}, x, {target})")
        else:
            self.add(f"{target} = {self.value()}")
        self.recent.append(target)

    def masked(self) -> None:
        array, other, last = self.pick("c", "d", "q", "al"), self.pick("c", "d", "q", "e"), self.pick("n", "4", "l")
        self.add(f"where ({other}(1:{last}) > 0.2d0) {array}(1:{last}) = 0.4d0*{other}(2:{shifted(last, 1)})")
        self.recent.append(f"{array}({self.pick('1:n', '1:' + last, '2', 'l')})")

    def use(self) -> None:
        one = self.read()
        if ":" in one:
            self.add(self.pick(f"t = 0.3d0*t + 0.1d0*sum({one}**2)", f"y = y + 0.2d0*sum(sin({one}))"))
        else:
            self.add(self.pick(f"t = 0.5d0*t + 0.2d0*{one}**2", f"y = y + x*{one}", f"call get({one}, t)",
                               f"if ({one} > 0.1d0) t = 0.5d0*t + 0.3d0*{one}",
                               "call behind(x)", f"call also({one}, t)",
                               f"call near({one}, t)" if one[0] in "cdq" and one[1] == "(" else f"t = {one}*t"))

    def integer(self) -> None:
        self.add(self.pick("l = max(l - 1, 1)", "l = min(l + 1, 5)", f"l = {self.pick('1', '2', '3', 'n')}",
                           "call shift(l)", f"at({self.pick('2', 'l')}) = 1 + mod(at(2) + l, 4)",
                           *(f"l = min({one}, 5)" for one in self.loops if one != "kk")))

    def loop(self, deep: int) -> None:
        free = [one for one in ("k", "j") if one not in self.loops]
        if not free:
            return self.write()
        var, low = free[0], self.pick("1", "1", "2", "2", "l", "3")
        low = shifted(self.loops[-1], self.random.choice((0, 1))) if self.loops and self.often(4) else low
        high = self.pick("n", "n", "n", "l", "3", "m", "4")
        self.add(self.pick(f"do {var} = {low}, {high}", f"do {var} = {low}, {high}", f"do {var} = {high}, {low}, -1",
                           f"do {var} = {low}, {high}, 2", f"do {var} = {high}, {low}, -2",
                           f"do {var} = {low}, {high}, max(1, m - 1)"))
        self.loops.append(var)
        self.depth += 1
        target = f"{self.pick(*self.arrays)}({shifted(var, self.random.choice((0, 0, 0, 1)))})"
        if self.often(5):
            target = f"g({self.pick(*self.loops)}, {var})"
        if self.often(4):
            self.use()
        for at in range(self.random.randint(1, 3)):
            if at == 0 and self.random.randrange(4):
                self.write(target)
            elif self.often(7):
                self.add(f"if ({self.condition()}) {self.pick('cycle', 'exit')}")
            elif self.often(9):
                self.jump()
            else:
                self.statement(deep)
        if self.often(5):
            self.integer()
        self.depth -= 1
        self.loops.pop()
        self.recent.append(f"{target.partition('(')[0]}({self.pick(low, '1', '2')}:{high})" if target[0] != "g"
                           else f"g({self.place()}, 1:{high})")
        return self.add("end do")

    def repeated(self, deep: int) -> None:
        """DO WHILE, twice at most."""
        self.add("i = 0")
        self.add(f"do while (i < 2 .and. {self.scalar_read()} > -9d0)")
        self.depth += 1
        for _ in range(self.random.randint(1, 2)):
            self.statement(deep - 1)
        self.add(f"i = i + 1; {self.pick('l = min(l + 1, 5)', 'l = max(l - 1, 1)', 't = 0.5d0*t')}")
        self.depth -= 1
        self.add("end do")

    def condition(self) -> str:
        one = self.random.choice(self.loops) if self.loops else "n"
        return self.pick("m > 2", "t > 0.3d0", "l > 2", f"{one} > 2", f"{one} == 2", f"{self.scalar_read()} > 0.2d0")

    def rows(self) -> None:
        """Rows of g, of which some are written before a loop along them reads and writes some."""
        for row in self.random.sample("123", self.random.randint(1, 3)):
            self.add(f"g({row}, {self.pick('1:n', '1:n', '1:n', '2:n', ':')}) = {self.value()}")
            if self.often(3):
                self.use()
        var = "k" if "k" not in self.loops else "j"
        if var in self.loops:
            return
        self.add(f"do {var} = {self.pick('1', '1', '2')}, n")
        for _ in range(self.random.randint(1, 3)):
            one, two, three = (f"g({self.pick('1', '1', '2', '3', 'l')}, {var})" for _ in "abc")
            self.add("  " + self.pick(f"{one} = 0.5d0*sin({two}) + 0.2d0*{three}", f"t = 0.3d0*t + 0.2d0*{one}*{two}",
                                      f"if ({one} > 0.1d0) {two} = 0.3d0*{three}", f"{one} = 0.3d0*t*x"))
        self.add("end do")

    def jump(self) -> None:
        """Over a write, or back to one, once."""
        self.label += 10
        if self.often(3):
            self.add("i = 0")
            self.lines.append(f"{self.label} continue")
            self.use()
            self.write()
            self.add("i = i + 1")
            self.add(f"if (i < 2) go to {self.label}")
        else:
            self.add(f"if ({self.condition()}) go to {self.label}")
            self.write()
            self.lines.append(f"{self.label} continue")

    def branch(self, deep: int) -> None:
        """Both ways write the same, or almost; one may be left before."""
        target = self.element()
        self.label += 10
        name = f"b{self.label}" if self.often(3) else ""
        self.add(f"{name}: if ({self.condition()}) then" if name else f"if ({self.condition()}) then")
        self.depth += 1
        if name and self.often(2):
            self.add(f"if ({self.condition()}) exit {name}")
        self.write(target)
        if self.often(4):
            self.integer()
        self.depth -= 1
        if self.random.randrange(4):
            self.add(f"else {name}".rstrip())
            self.depth += 1
            if self.often(4):
                self.statement(deep - 1)
            self.write(self.element(target.partition("(")[0]) if self.often(3) and target[0] != "g" else target)
            self.depth -= 1
        self.add(f"end if {name}".rstrip())
        self.recent.append(target)

    def unusual(self) -> None:
        """What is not followed, or by its own rules."""
        array, other = self.pick("c", "d", "q"), self.pick("c", "d", "q")
        self.add(self.pick(
            f"forall (k = 1:n) {array}(k) = 0.3d0*{array}(k + 1)",
            f"do concurrent (k = 1:n); {array}(k) = 0.3d0*{other if other != array else 'e'}(k + 1); end do",
            f"{array}([2, 4]) = 0.3d0*{other}(1:2)", f"{array}(1:5:2) = 0.3d0*x", f"{array} = 0.3d0*{other}",
            f"{array}(1:2) = [(0.4d0*{other}(i), i = 3, 4)]", "pt(-3:) => w(:8)", "pt(-3:) => w",
            "deallocate(al); allocate(al(-3:11)); al = 0.2d0*x",
            f"block; integer :: l; l = 2; {array}(l) = x*0.3d0; end block"))

    def statement(self, deep: int) -> None:
        kind = self.random.randrange(100)
        if kind < 28 or deep == 0:
            self.write()
        elif kind < 50:
            self.use()
        elif kind < 60:
            self.integer()
            if self.often(2):
                self.use()
        elif kind < 78:
            self.loop(deep - 1)
        elif kind < 83:
            self.branch(deep)
        elif kind < 85:
            self.rows()
        elif kind < 88 and not self.loops and deep == 3:
            self.repeated(deep)
        elif kind < 90 and not self.marked:
            self.part(deep)
        elif kind < 94 and not self.loops:
            self.jump()
        elif kind < 96:
            self.masked()
            self.use()
        elif kind < 98 and not self.plain:
            self.unusual()
        else:
            self.write()
            self.use()

    def part(self, deep: int) -> None:
        self.marked = True
        self.add("!$AD CHECKPOINT-START")
        self.depth += 1
        for _ in range(self.random.randint(2, 4)):
            self.statement(deep - 1)
        self.depth -= 1
        self.add("!$AD CHECKPOINT-END")
        self.marked = False


def shifted(name: str, by: int) -> str:
    return name if not by else f"{name} {'+' if by > 0 else '-'} {abs(by)}"


def program(random: Random, size: int = 8) -> str:
    """A module and the head."""
    writer = Writer(random, random.randrange(3) > 0)
    again = random.randrange(2) == 0
    if again:
        writer.add("do kk = 1, 2")
        writer.depth = 2
    for _ in range(random.randint(3, size)):
        writer.statement(3) if random.randrange(3) else writer.part(3)
    if again:
        writer.depth = 1
        writer.add("end do")
    declared, set_, read = ([], [], []) if writer.plain else RARELY
    return ROOM + "\n".join([
        "subroutine p(x, n, m, y)", "  use room", "  implicit none", "  integer, intent(in) :: n, m",
        "  real(8) :: x, y, t, c(-3:12), d(-3:12), e(-3:12), g(-3:9, -3:9), b(-3:n + 8), h(-3:n + 8)",
        "  real(8), allocatable :: al(:)", "  type(cell) :: o", "  integer :: i, j, k, kk, l, at(9)", *declared,
        "  i = 1; j = 2; k = 3; l = 2; at = 2; t = 0.5d0*x; y = x", *set_,
        "  c = 0.3d0*x; d = 0.2d0 + x; e = 0.1d0 - x; g = 0.2d0*x; b = 0.4d0*x; h = 0.2d0*x",
        "  q = 0.3d0*x*x; o%v = 0.1d0*x; allocate(al(-3:12)); al = 0.3d0*x", *writer.lines,
        "  y = y + t + sum(c*c) + sum(sin(d)) + sum(e*e) + sum(g*g) + sum(b*b) + sum(h*h) + sum(q*q)",
        "  y = y + sum(al*al) + sum(o%v**2)",
        *read, "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"n": random.choice((5, 4, 3, 2, 1)), "m": random.choice((3, 2, 1, 0))}
