"""Mutation testing: which small changes of the core no test notices.

    python -m benchmarks.mutants [PACKAGE ...] [--sample 40] [--seed 1] [--budget 8] [--jobs 2] [--only REGEX]
                                [--survey FILE]

A mutant is one function with one change: ``a & b`` becomes ``a | b``, ``~a`` is ``a``, a condition is turned round, a
constant is one more, a statement is left out. Its tests are those that run the changed statement: first those that
have killed others of the module, then quick ones, few of each test function, until one fails or ``--budget`` seconds
(of the processor) are spent; a test that takes four times as long as without the change has noticed it, too. Which test
runs which statement of the packages is found first, by running them all (``--survey`` keeps that for another time:
while the sources are the same only new tests are run; delete it where old tests have changed). Prints each mutant with
the test that killed it, or as a survivor, then killed and total for each package; the exit code is 1 below 85 per cent.

Own code, because cosmic-ray and mutmut change files and start a test run for each mutant: collecting the tests takes
longer than running those concerned, and mutmut's copy of the sources knows no package-dir table. Here the tests are
collected once, and each mutant is a fork in which a function has another ``__code__``. So only bodies of functions are
changed, no annotation, default value or class.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import hashlib
import importlib
import os
import random
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEAST = 0.85
EVERYWHERE = ("tests/analysis/test_corpus.py", "tests/oracles/test_choices_by_execution.py",
              "tests/analysis/replay/machine")
# By package: its sources, and the tests that guard it.
PACKAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "procedures": ("procedures", ("tests/analysis/procedures", "tests/analysis/allocation", "tests/analysis/external",
                                  "tests/analysis/memory", "tests/analysis/dataflow", "tests/analysis/incremental",
                                  *EVERYWHERE)),
    "sections": ("sections", ("tests/analysis/sections", *EVERYWHERE)),
    "adjoint": ("adjoint", ("tests/analysis/adjoint", "tests/analysis/activity",
                            "tests/analysis/recording/test_reruns.py", *EVERYWHERE)),
    "recording": ("recording", ("tests/analysis/recording", "tests/analysis/reversal",
                                "tests/frontend/base/test_collections.py", *EVERYWHERE)),
    "equations": ("equations.py", ("tests/analysis/test_equations.py", "tests/analysis/proof",
                                   "tests/frontend/base/test_collections.py", *EVERYWHERE)),
}
_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


@dataclass(frozen=True)
class Mutant:
    """The ``number``-th change in a module: in the outermost function or method of this name, at this line."""

    package: str
    module: str
    number: int
    function: str
    line: int
    statement: int
    what: str

    @property
    def place(self) -> str:
        """Which statement of which function: what a test has to run to notice it."""
        return f"{self.module} {self.function} {self.statement}"

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.what}"


class Changes(ast.NodeTransformer):
    """Walks over a module's functions; changes the place ``chosen`` and notes all places."""

    def __init__(self, chosen: int = -1) -> None:
        self.chosen = chosen
        self.places: list[tuple[str, int, int, str]] = []
        self.statement = 0  # the line of the innermost statement
        self.names: list[str] = []
        self.depth = 0

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.names.append(node.name)
        node.body = [self.visit(one) if isinstance(one, ast.FunctionDef | ast.ClassDef) else one for one in node.body]
        self.names.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        if self.depth == 1:
            self.names.append(node.name)
        node.body = [self.visit(one) for one in node.body]
        if self.depth == 1:
            self.names.pop()
        self.depth -= 1
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return node  # texts of messages

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node  # whatever is wrong in it, any test that gets there fails

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return node if node.arg == "strict" else self.generic_visit(node)  # zip's, an assertion of equal lengths

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        outer, self.statement = self.statement, node.lineno
        if node.value is not None:
            node.value = self.visit(node.value)
        self.statement = outer
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node.lineno
        super().generic_visit(node)
        found = self.changed(node) if self.depth else node
        self.statement = outer
        return found

    def here(self, node: ast.AST, what: str) -> bool:
        """Is this place the chosen one?"""
        self.places.append((".".join(self.names), getattr(node, "lineno", 0), self.statement, what))
        return len(self.places) - 1 == self.chosen

    def changed(self, node: ast.AST) -> ast.AST:
        """The node, or what stands in its place."""
        match node:
            case ast.BinOp() | ast.BoolOp() | ast.AugAssign() if type(node.op) in _OTHER:
                other = _OTHER[type(node.op)]
                if self.here(node, f"{type(node.op).__name__} is {other.__name__} in `{ast.unparse(node)[:70]}`"):
                    node.op = other()  # type: ignore[assignment]
            case ast.Compare(ops=[op]) if type(op) in _OTHER:
                other = _OTHER[type(op)]
                if self.here(node, f"{type(op).__name__} is {other.__name__} in `{ast.unparse(node)[:70]}`"):
                    node.ops = [other()]  # type: ignore[list-item]
            case ast.UnaryOp(op=ast.Invert() | ast.Not()):
                if self.here(node, f"`{ast.unparse(node)[:70]}` without {type(node.op).__name__}"):
                    return node.operand
            case ast.Constant(value=bool() as old):
                if self.here(node, f"{old} is {not old}"):
                    return ast.copy_location(ast.Constant(not old), node)
            case ast.Constant(value=int() as number):
                if self.here(node, f"{number} is {number + 1}"):
                    return ast.copy_location(ast.Constant(number + 1), node)
            case ast.If() | ast.IfExp() if not isinstance(node.test, ast.Compare):
                if self.here(node.test, f"`{ast.unparse(node.test)[:70]}` is turned round"):
                    node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
            case ast.Expr(value=ast.Call()):
                if self.here(node, f"without `{ast.unparse(node)[:70]}`"):
                    return ast.copy_location(ast.Pass(), node)
            case ast.Break() | ast.Continue():
                if self.here(node, f"without {type(node).__name__}"):
                    return ast.copy_location(ast.Pass(), node)
        return node


class Hits(ast.NodeTransformer):
    """Lets each statement of a function say that it runs."""

    def __init__(self, place: str) -> None:
        self.place = place

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [one for inner in block for one in self.with_hit(inner)])
        return node

    def with_hit(self, statement: ast.stmt) -> list[ast.stmt]:
        call = ast.parse(f"hit_by_test_({f'{self.place} {statement.lineno}'!r})").body[0]
        return [statement] if isinstance(statement, ast.Nonlocal | ast.Global) else [call, statement]


def module_of(path: Path) -> str:
    """``analysis/sections/lost_values.py`` is ``snapset.analysis.sections.lost_values``."""
    return ".".join(("snapset", *path.relative_to(ROOT).with_suffix("").parts))


def sources(package: str) -> list[Path]:
    """The files of a package."""
    place = ROOT / "analysis" / PACKAGES[package][0]
    return sorted(place.glob("*.py")) if place.is_dir() else [place]


def digest(packages: list[str]) -> str:
    """Stands for the sources of packages: a survey of others, or of other lines, tells nothing of these."""
    texts = [path.read_bytes() for package in packages for path in sources(package)]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def mutants_of(package: str) -> Iterator[Mutant]:
    """All mutants of a package."""
    for path in sources(package):
        walk = Changes()
        walk.visit(ast.parse(path.read_text()))
        for number, (function, line, statement, what) in enumerate(walk.places):
            yield Mutant(package, module_of(path), number, function, line, statement, what)


def functions(module: str) -> dict[str, list[FunctionType]]:
    """The live functions of a module by name, decorated ones too."""
    file = sys.modules[module].__file__
    found: dict[str, list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == file:
            found[one.__code__.co_qualname].append(one)
    return found


def code_in(tree: ast.Module, module: str, name: str) -> CodeType | None:
    """A function's code in a changed module."""
    found = compile(ast.fix_missing_locations(tree), str(sys.modules[module].__file__), "exec")
    for part in name.split("."):
        inner = [one for one in found.co_consts if isinstance(one, CodeType) and one.co_name == part]
        if not inner:
            return None
        found = inner[-1]
    return found


def replace(mutant: Mutant, tree: ast.Module) -> bool:
    """Give the live function the code it has in ``tree``; False where there is none, or no other."""
    code = code_in(tree, mutant.module, mutant.function)
    live = [one for one in functions(mutant.module)[mutant.function] if one.__code__.co_freevars == (
        code.co_freevars if code else ())]
    for one in live:
        one.__code__ = code  # type: ignore[assignment]
    return code is not None and bool(live)


def parsed(mutant: Mutant) -> ast.Module:
    return ast.parse(Path(str(sys.modules[mutant.module].__file__)).read_text())


class Forks:
    """A pytest plugin: instead of the tests it runs the mutants, each in a fork."""

    def __init__(self, mutants: list[Mutant], packages: list[str], given: argparse.Namespace) -> None:
        self.mutants = mutants
        self.packages = packages
        self.given = given
        self.took: dict[int, float] = {}  # by test
        self.by_place: dict[str, set[int]] = defaultdict(set)
        self.kills: dict[tuple[str, int], int] = defaultdict(int)  # by module and test
        self.killed: dict[Mutant, str] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for package in self.packages:
            for path in sources(package):
                importlib.import_module(module_of(path))
        gc.unfreeze()  # what is frozen is not found by functions()
        lines = self.surveyed(session)
        self.understand(session, lines)
        print(f"{len(session.items)} tests, {sum(self.took.values()):.0f} s; {len(self.mutants)} mutants", flush=True)
        running: dict[int, tuple[Mutant, int]] = {}
        for mutant in self.mutants:
            if len(running) >= self.given.jobs:
                self.wait(session, running)
            child, answer = self.fork(session, mutant)
            running[child] = mutant, answer
        while running:
            self.wait(session, running)
        return True

    def surveyed(self, session: pytest.Session) -> list[str]:
        """The survey: what the file has of the same sources, and the tests that it has not."""
        file, mark = self.given.survey, f"{digest(self.packages)}\n"
        known: list[str] = []
        if file is not None and file.exists():
            head, *rest = file.read_text().splitlines(keepends=True)
            known = rest if head == mark else []
        told = {line.partition("\t")[0] for line in known}
        known += self.survey(session, [number for number, one in enumerate(session.items) if one.nodeid not in told])
        if file is not None:
            file.write_text(mark + "".join(known))
        return known

    def survey(self, session: pytest.Session, numbers: list[int]) -> list[str]:
        """Which of the tests run which of the packages' statements, and how long they take: a line for each test."""
        if not numbers:
            return []
        every = [one for package in self.packages for one in mutants_of(package)]
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            hits: set[str] = set()
            for mutant in {f"{one.module} {one.function}": one for one in every}.values():
                self.observe(mutant, hits)
            wanted = {one.place for one in every}
            with os.fdopen(writer, "w", buffering=1) as out:
                for number, good, seconds in self.run(session, numbers, hits):
                    out.write(f"{number}\t{int(good)}\t{seconds:.3f}\t{'|'.join(sorted(hits & wanted))}\n")
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as found:
            lines = found.readlines()
        os.waitpid(child, 0)
        return [f"{session.items[int(number)].nodeid}\t{rest}"
                for number, rest in (line.split("\t", 1) for line in lines)]

    def understand(self, session: pytest.Session, lines: list[str]) -> None:
        numbers = {item.nodeid: number for number, item in enumerate(session.items)}
        for line in lines:
            test, good, seconds, names = line.rstrip("\n").split("\t")
            if good == "0":
                print(f"fails without any change: {test}", flush=True)
            elif test in numbers:
                self.took[numbers[test]] = float(seconds)
                for name in filter(None, names.split("|")):
                    self.by_place[name].add(numbers[test])

    def observe(self, mutant: Mutant, hits: set[str]) -> None:
        """Let the statements of a function say that they run."""
        tree = parsed(mutant)
        vars(sys.modules[mutant.module])["hit_by_test_"] = hits.add
        body: list[ast.stmt] = tree.body
        inner: ast.stmt | None = None
        for part in mutant.function.split("."):
            (inner,) = [one for one in body if getattr(one, "name", "") == part][-1:]
            body = inner.body  # type: ignore[attr-defined]
        assert inner is not None
        Hits(f"{mutant.module} {mutant.function}").visit(inner)
        replace(mutant, tree)

    def run(self, session: pytest.Session, numbers: range | list[int], hits: set[str]) -> Iterator[
            tuple[int, bool, float]]:
        """Run tests: number, whether it passed, seconds."""
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        for at, number in enumerate(numbers):
            hits.clear()
            failed, start = session.testsfailed, spent()
            item = session.items[number]
            if number in self.took:  # where it takes much longer the process ends
                signal.setitimer(signal.ITIMER_PROF, 4*self.took[number] + 2)
            following = session.items[numbers[at + 1]] if at + 1 < len(numbers) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield number, session.testsfailed == failed, spent() - start

    def chosen(self, session: pytest.Session, mutant: Mutant) -> list[int]:
        """The tests to be run, within the budget: those that killed before, then the quick ones, few of each test
        function."""
        quickest = sorted(self.by_place[mutant.place], key=lambda one: self.took[one])
        rank: dict[int, int] = {}
        seen: dict[str, int] = defaultdict(int)
        for number in quickest:
            function = session.items[number].nodeid.partition("[")[0]
            rank[number] = seen[function]
            seen[function] += 1
        budget, numbers = self.given.budget, list[int]()
        for number in sorted(quickest, key=lambda one: (-self.kills[mutant.module, one],
                                                        self.took[one]*(1 + rank[one]))):
            if self.took[number] <= budget:
                budget -= self.took[number]
                numbers.append(number)
        return numbers

    def fork(self, session: pytest.Session, mutant: Mutant) -> tuple[int, int]:
        """Start a mutant: the child, and where it writes the number of the test that failed."""
        numbers = self.chosen(session, mutant)
        reader, writer = os.pipe()
        child = os.fork()
        if child:
            os.close(writer)
            return child, reader
        tree = Changes(mutant.number).visit(copy.deepcopy(parsed(mutant)))
        if not numbers or not replace(mutant, tree):
            os._exit(3)
        for number, good, _ in self.run(session, numbers, set()):
            if not good:
                os.write(writer, str(number).encode())
                os._exit(1)
        os._exit(0)

    def wait(self, session: pytest.Session, running: dict[int, tuple[Mutant, int]]) -> None:
        """Take one child's answer."""
        child, status = os.wait()
        mutant, reader = running.pop(child)
        with os.fdopen(reader) as answer:
            failed = answer.read()
        code = os.waitstatus_to_exitcode(status)
        self.killed[mutant] = {0: "survives", 3: "no test runs it"}.get(code, "killed")
        by = "by the limit of time"
        if failed:
            self.kills[mutant.module, int(failed)] += 1
            by = f"by {session.items[int(failed)].nodeid}"
        print(f"{self.killed[mutant]}: {mutant}", by if self.killed[mutant] == "killed" else "", flush=True)


def spent() -> float:
    """Seconds of the processor, children's too."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(PACKAGES))
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="mutants of each package, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=8, metavar="SECONDS", help="tests of one mutant may take")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--survey", type=Path, metavar="FILE", help="which tests run what: read, or written")
    parser.add_argument("--only", metavar="REGEX", help="of the sample those whose line matches")
    given = parser.parse_args()
    began, packages = time.monotonic(), given.packages or list(PACKAGES)
    every = {package: list(mutants_of(package)) for package in packages}
    rooms = [random.Random(given.seed).sample(every[package], min(given.sample, len(every[package])))
             for package in packages]
    drawn = [one for together in zip_longest(*rooms) for one in together if one is not None]
    forks = Forks([one for one in drawn if re.search(given.only or "", str(one))], packages, given)
    tests = dict.fromkeys(str(ROOT / one) for package in packages for one in PACKAGES[package][1])
    pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow", "--rootdir", str(ROOT),
                 *tests], plugins=[forks])
    bad = 0
    for package in packages:
        answers = [answer for mutant, answer in forks.killed.items() if mutant.package == package]
        killed = answers.count("killed")
        bad += killed < LEAST*len(answers)
        print(f"{package}: {killed} of {len(answers)} killed ({killed/max(1, len(answers)):.0%}), of "
              f"{len(every[package])} in all", flush=True)
    print(f"{time.monotonic() - began:.0f} s", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
