"""The text of a random program while it is written: a module, its procedures, and the names each of them may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

COMMON = "@common"  # the root of what is in COMMON blocks
EXTENT = 5  # of every array of one dimension; indices in integers lie between 1 and 4


@dataclass(frozen=True, slots=True)
class Feature:
    """A construct: its name in the counts, what writes it, and how often it is chosen."""

    name: str
    write: Callable[[Unit], None]
    weight: int = 2


@dataclass(slots=True)
class Module:
    """What all procedures share. ``setup``: what the head does first to module variables and COMMON blocks."""

    random: Random
    number: int
    features: Sequence[Feature]
    before: dict[str, str] = field(default_factory=dict)
    uses: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    interfaces: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    procedures: dict[str, str] = field(default_factory=dict)
    setup: list[str] = field(default_factory=list)
    scalars: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    counter: int = 0
    pointers: bool = False  # the head's x and y are pointers

    def fresh(self, stem: str) -> str:
        """A name that nothing has yet."""
        self.counter += 1
        name = f"{stem}{self.counter}"
        self.names.add(name)
        return name

    def variable(self, name: str, declaration: str, *setup: str) -> None:
        """A module variable, once."""
        if name not in self.variables:
            self.variables[name] = declaration
            self.setup += setup
            self.names.add(name)


class Unit:
    """One procedure. ``scalars`` and ``arrays`` may be read and written, ``values`` read only; ``roots`` says what
    memory a name leads to, because no call may be passed one memory twice. ``level``: how deep in calls it stands."""

    def __init__(self, module: Module, level: int = 0) -> None:
        self.module = module
        self.random = module.random
        self.level = level
        self.locals: dict[str, str] = {}
        self.setup: list[str] = []
        self.lines: list[str] = []
        self.contained: list[str] = []
        self.scalars: list[str] = []
        self.arrays: list[str] = []
        self.values: list[str] = []
        self.logicals: list[str] = []
        self.loops: list[str] = []
        self.callees: list[Callable[[Unit], None]] = []
        self.roots: dict[str, str] = {}
        self.held: list[str] = []  # roots that other names stand for: they cannot be allocated anew
        self.first: tuple[str, str] = ("", "")  # a scalar and an array that have values before all else
        self.indent = 1
        self.parts = 0
        self.inner = 0  # constructs open around the next line
        # Behind a CALL through a procedure pointer in ASSOCIATE, BLOCK or SELECT TYPE gfortran 12 takes the pointer for
        # a procedure until the construct ends, and refuses `act => step_b`. None is changed in so many constructs.
        self.guarded = 0

    # ------------------------------------------------------------ choices

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def fresh(self, stem: str) -> str:
        return self.module.fresh(stem)

    # ------------------------------------------------------------ lines

    def add(self, *lines: str) -> None:
        self.lines += ["  " * self.indent + line for line in lines]

    def mark(self, name: str) -> None:
        """Counts a construct: a comment for snapset, a counter for the compiled program."""
        self.lines.append(f"!@{name}")

    @contextmanager
    def nested(self, first: str, last: str) -> Iterator[None]:
        """A construct around what is written meanwhile."""
        self.add(first)
        self.indent += 1
        self.inner += 1
        names = first.startswith(("associate ", "block", "select type"))
        self.guarded += names
        yield
        self.guarded -= names
        self.inner -= 1
        self.indent -= 1
        self.add(last)

    def local(self, name: str, declaration: str, *setup: str) -> str:
        """A local variable, once, and what gives it its first value."""
        if name not in self.locals:
            self.locals[name] = declaration
            self.setup += setup
            self.module.names.add(name)
        return name

    # ------------------------------------------------------------ names in scope

    def root(self, name: str) -> str:
        base = name.partition("(")[0].partition("%")[0]
        return self.roots.get(name) or self.roots.get(base, base)

    @contextmanager
    def scope(self, root: str, scalars: Sequence[str] = (), arrays: Sequence[str] = (),
              values: Sequence[str] = ()) -> Iterator[None]:
        """Names that only what is written meanwhile may use. ``root``: the memory they lead to."""
        self.know(root, scalars, arrays, values)
        self.held.append(root)
        yield
        self.held.remove(root)
        for pool, names in ((self.scalars, scalars), (self.arrays, arrays), (self.values, values)):
            for name in names:
                pool.remove(name)

    def know(self, root: str, scalars: Sequence[str] = (), arrays: Sequence[str] = (),
             values: Sequence[str] = ()) -> None:
        """Names for the rest of the procedure."""
        for name in (*scalars, *arrays, *values):
            self.roots[name] = root
        self.scalars += scalars
        self.arrays += arrays
        self.values += values

    def scalar(self, *without: str) -> str:
        """A real scalar whose memory is none of ``without``'s: an element now and then."""
        roots = {self.root(name) for name in without}
        found = [name for name in self.scalars if self.root(name) not in roots]
        arrays = [name for name in self.arrays if self.root(name) not in roots]
        if not found or (arrays and self.chance(35)):
            return f"{self.pick(*arrays)}({self.index()})"
        return self.pick(*found)

    def array(self, *without: str) -> str:
        roots = {self.root(name) for name in without}
        return self.pick(*(name for name in self.arrays if self.root(name) not in roots))

    def passed(self, count: int) -> list[str]:
        """Names of arrays that may be passed together, none of them a module's."""
        found: list[str] = []
        while len(found) < count:
            found.append(self.pick(*(self.free(self.arrays, found) or [self.another()])))
        return found

    def another(self) -> str:
        """One more local array, where all others have other names here."""
        name = self.fresh("w")
        self.local(name, f"real(8) :: {name}(5)", f"{name} = 0.4d0*{self.first[1]}")
        self.know(name, (), (name,))
        return name

    def free(self, names: Sequence[str], without: Sequence[str]) -> list[str]:
        """Those that may be passed beside ``without``: what other procedures see by themselves may not."""
        taken = {COMMON, *self.module.scalars, *self.module.arrays, *(self.root(one) for one in without)}
        return [name for name in names if self.root(name) not in taken]

    def free_scalars(self, *without: str) -> list[str]:
        return self.free(self.scalars, without)

    def passed_scalar(self, *without: str) -> str:
        """A scalar that may be passed beside ``without``; no module variable."""
        found, arrays = self.free(self.scalars, without), self.free(self.arrays, without)
        if not found or (arrays and self.chance(30)):
            return f"{self.pick(*arrays)}({self.index()})"
        return self.pick(*found)

    # ------------------------------------------------------------ expressions

    def index(self) -> str:
        if self.loops and self.chance(60):
            return self.pick("{v}", "{v}", "{v}", "{v} + 1", "ix({v})").format(v=self.pick(*self.loops))
        return self.pick("1", "2", "5", "k", "k + 1", "ix(k)")

    def read(self) -> str:
        if self.values and self.chance(15):
            return self.pick(*self.values)
        return self.scalar()

    def term(self) -> str:
        a, b = self.read(), self.read()
        return self.pick(a, f"sin({a}*{b})", f"cos({a})*{b}", f"{a}/(2.0d0 + {b}**2)", f"{a}*{b}",
                         f"sum({self.array()})*0.2d0", f"tanh({a})*{b}", f"exp(-{a}**2)", f"max({a}, 0.7d0*{b})",
                         f"sqrt(1.0d0 + {a}**2)", f"dot_product({self.array()}, {self.array()})*0.1d0")

    def expression(self) -> str:
        """Of a size near one whatever its operands are; smooth but on a few surfaces."""
        return self.pick("0.7d0*sin({0}) + 0.2d0*{1}", "0.5d0*{0}", "0.4d0*cos({0}) - 0.3d0*{1}",
                         "sin({0} + {1})", "0.6d0*{0}/(1.0d0 + {1}**2)").format(self.term(), self.term())

    def whole(self, *without: str) -> str:
        """An expression whose value is an array."""
        one, two = self.array(*without), self.array(*without)
        return self.pick("0.8d0*sin({0})", "0.5d0*{0} + 0.3d0*{1}", "{0}*{1}/(1.0d0 + {0}**2)", "0.6d0*{0}*{2}",
                         "cos({0}) - 0.2d0*{2}").format(one, two, self.scalar(*without))

    def condition(self) -> str:
        level = self.pick("0.13d0", "0.37d0", "0.61d0")
        options = [f"{self.read()} > {level}", f"{self.read()} < {level}", "k > 2", "mod(k, 2) == 0"]
        return self.pick(*options, *self.logicals, *(f"{loop} > 2" for loop in self.loops))

    # ------------------------------------------------------------ the procedure

    def text(self, first: str, dummies: Sequence[str], last: str) -> str:
        """The procedure with its declarations; ``first`` and ``last`` are its first and last line."""
        lines = [first, *(f"  {line}" for line in (*dummies, *self.locals.values())),
                 *(f"  {line}" for line in self.setup), *self.lines,
                 *(["contains", *self.contained] if self.contained else []), last]
        text = "\n".join(lines) + "\n"
        if any(line.strip().startswith("entry ") for line in self.lines):
            # Where a procedure with ENTRY has a BLOCK with texts of run-time length, gfortran 12 ends it by a jump into
            # nowhere (programs 9300458, 9500271).
            text = text.replace("character(k + 1) ::", "character(4) ::")
        return text
