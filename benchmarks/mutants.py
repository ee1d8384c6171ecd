"""Mutation testing: which small changes of the core no test notices.

    python -m benchmarks.mutants [PACKAGE ...] [--sample 40] [--seed 1] [--budget 30] [--jobs 2]

A mutant is one function with one change: ``a & b`` becomes ``a | b``, ``~a`` is ``a``, a condition is turned round, a
constant is one more, a statement is left out. Its tests are those that run the function, the quickest first, until one
fails or ``--budget`` seconds (of the processor) are spent; whatever takes four times as long as without the change has
noticed it, too. Prints survivors, then killed and total for each package; the exit code is 1 below 85 per cent.

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
import importlib
import os
import random
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEAST = 0.85
EVERYWHERE = ("tests/analysis/test_corpus.py", "tests/oracles/test_choices_by_execution.py",
              "tests/analysis/replay/machine")
# By package: its sources, and the tests that guard it.
PACKAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "procedures": ("procedures", ("tests/analysis/procedures", "tests/analysis/allocation", *EVERYWHERE)),
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
    what: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.what}"


class Changes(ast.NodeTransformer):
    """Walks over a module's functions; changes the place ``chosen`` and notes all places."""

    def __init__(self, chosen: int = -1) -> None:
        self.chosen = chosen
        self.places: list[tuple[str, int, str]] = []
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

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        return self.changed(node) if self.depth else node

    def here(self, node: ast.AST, what: str) -> bool:
        """Is this place the chosen one?"""
        self.places.append((".".join(self.names), getattr(node, "lineno", 0), what))
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


def module_of(path: Path) -> str:
    """``analysis/sections/lost_values.py`` is ``snapset.analysis.sections.lost_values``."""
    return ".".join(("snapset", *path.relative_to(ROOT).with_suffix("").parts))


def mutants_of(package: str) -> Iterator[Mutant]:
    """All mutants of a package."""
    place = ROOT / "analysis" / PACKAGES[package][0]
    for path in sorted(place.glob("*.py")) if place.is_dir() else [place]:
        walk = Changes()
        walk.visit(ast.parse(path.read_text()))
        for number, (function, line, what) in enumerate(walk.places):
            yield Mutant(package, module_of(path), number, function, line, what)


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

    def __init__(self, mutants: list[Mutant], given: argparse.Namespace) -> None:
        self.mutants = mutants
        self.given = given
        self.took: dict[int, float] = {}  # by test
        self.by_function: dict[str, set[int]] = defaultdict(set)
        self.killed: dict[Mutant, str] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for one in self.mutants:
            importlib.import_module(one.module)
        gc.unfreeze()  # what is frozen is not found by functions()
        self.survey(session)
        print(f"{len(session.items)} tests, {sum(self.took.values()):.0f} s; {len(self.mutants)} mutants", flush=True)
        running: dict[int, Mutant] = {}
        for mutant in self.mutants:
            if len(running) >= self.given.jobs:
                self.wait(running)
            running[self.fork(session, mutant)] = mutant
        while running:
            self.wait(running)
        return True

    def survey(self, session: pytest.Session) -> None:
        """Which tests run which of the functions, and how long they take."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            hits: set[str] = set()
            for mutant in {f"{one.module} {one.function}": one for one in self.mutants}.values():
                self.observe(mutant, hits)
            with os.fdopen(writer, "w") as out:
                for number, good, seconds in self.run(session, range(len(session.items)), hits):
                    out.write(f"{number}\t{int(good)}\t{seconds:.3f}\t{'|'.join(sorted(hits))}\n")
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as found:
            for line in found:
                number, good, seconds, names = line.rstrip("\n").split("\t")
                if good == "0":
                    print(f"fails without any change: {session.items[int(number)].nodeid}", flush=True)
                    continue
                self.took[int(number)] = float(seconds)
                for name in filter(None, names.split("|")):
                    self.by_function[name].add(int(number))
        os.waitpid(child, 0)

    def observe(self, mutant: Mutant, hits: set[str]) -> None:
        """Let a function say that it runs."""
        name, tree = f"{mutant.module} {mutant.function}", parsed(mutant)
        vars(sys.modules[mutant.module])["hit_by_test_"] = hits.add
        body: list[ast.stmt] = tree.body
        for part in mutant.function.split("."):
            (inner,) = [one for one in body if getattr(one, "name", "") == part][-1:]
            body = inner.body  # type: ignore[attr-defined]
        call = ast.parse(f"hit_by_test_({name!r})").body[0]
        body.insert(1 if isinstance(body[0], ast.Expr) and len(body) > 1 else 0, call)
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
            following = session.items[numbers[at + 1]] if at + 1 < len(numbers) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield number, session.testsfailed == failed, spent() - start

    def fork(self, session: pytest.Session, mutant: Mutant) -> int:
        """Start a mutant; the child's exit code is 1 where a test failed."""
        chosen = sorted(self.by_function[f"{mutant.module} {mutant.function}"], key=lambda one: self.took[one])
        budget, numbers = self.given.budget, list[int]()
        for number in chosen:
            budget -= self.took[number]
            if budget < 0:
                break
            numbers.append(number)
        child = os.fork()
        if child:
            return child
        limit = int(4*sum(self.took[one] for one in numbers)) + 10
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        tree = Changes(mutant.number).visit(copy.deepcopy(parsed(mutant)))
        if not numbers or not replace(mutant, tree):
            os._exit(3)
        for _, good, _ in self.run(session, sorted(numbers), set()):
            if not good:
                os._exit(1)
        os._exit(0)

    def wait(self, running: dict[int, Mutant]) -> None:
        """Take one child's answer."""
        child, status = os.wait()
        mutant = running.pop(child)
        code = os.waitstatus_to_exitcode(status)
        self.killed[mutant] = {0: "survives", 3: "no test runs it"}.get(code, "killed")
        if code in (0, 3):
            print(f"{self.killed[mutant]}: {mutant}", flush=True)


def spent() -> float:
    """Seconds of the processor, children's too."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(PACKAGES))
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="mutants of each package, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=30, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    began, bad = time.monotonic(), 0
    for package in given.packages or PACKAGES:
        every = list(mutants_of(package))
        mutants = random.Random(given.seed).sample(every, min(given.sample, len(every)))
        forks = Forks(sorted(mutants, key=str), given)
        pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-m", "not slow", "--rootdir", str(ROOT),
                     *(str(ROOT / one) for one in PACKAGES[package][1])], plugins=[forks])
        killed = sum(one == "killed" for one in forks.killed.values())
        bad += killed < LEAST*len(mutants)
        print(f"{package}: {killed} of {len(mutants)} killed ({killed/max(1, len(mutants)):.0%}), of {len(every)} in "
              f"all; {time.monotonic() - began:.0f} s", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
