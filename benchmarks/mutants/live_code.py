"""Functions of the running process get other code: that of a changed module, or one that says which statements run."""

from __future__ import annotations

import ast
import gc
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from types import CodeType, FunctionType

from benchmarks.mutants.changes import Changes, Mutant


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


FOUND: dict[str, dict[str, list[FunctionType]]] = {}


def find_functions(modules: Iterable[str]) -> None:
    """Looks for the live functions of these modules, decorated ones too, by name: among all objects that there are,
    so once for all the forks."""
    of_file = {str(sys.modules[module].__file__): module for module in modules}
    FOUND.update((module, defaultdict(list)) for module in of_file.values())
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and (module := of_file.get(one.__code__.co_filename)) is not None:
            FOUND[module][one.__code__.co_qualname].append(one)


def code_in(code: CodeType, name: str) -> CodeType | None:
    """A function's code in that of its module."""
    for part in name.split("."):
        inner = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == part]
        if not inner:
            return None
        code = inner[-1]
    return code


def replace(module: str, names: Iterable[str], tree: ast.Module) -> bool:
    """Give live functions the code they have in ``tree``; False where one has none, or no other."""
    compiled = compile(ast.fix_missing_locations(tree), str(sys.modules[module].__file__), "exec")
    living, every = FOUND[module], True
    for name in names:
        code = code_in(compiled, name)
        live = [one for one in living[name] if one.__code__.co_freevars == (code.co_freevars if code else ())]
        for one in live:
            one.__code__ = code  # type: ignore[assignment]
        every &= code is not None and bool(live)
    return every


def parsed(module: str) -> ast.Module:
    return ast.parse(Path(str(sys.modules[module].__file__)).read_text())


def mutate(mutant: Mutant) -> bool:
    """Make the change in this process."""
    return replace(mutant.module, [mutant.function], Changes(mutant.number).visit(parsed(mutant.module)))


def observe(module: str, names: Collection[str], hits: set[str]) -> None:
    """Let the statements of these functions say that they run."""
    tree = parsed(module)
    vars(sys.modules[module])["hit_by_test_"] = hits.add
    for name in names:
        body: list[ast.stmt] = tree.body
        inner: ast.stmt | None = None
        for part in name.split("."):
            (inner,) = [one for one in body if getattr(one, "name", "") == part][-1:]
            body = inner.body  # type: ignore[attr-defined]
        assert inner is not None
        Hits(f"{module} {name}").visit(inner)
    replace(module, names, tree)
