"""The house: rooms to take in at a glance, names that mean one thing, pages that point at what is there."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from tests.support.paths import ROOT

TOPS = {"frontend": "snapset.frontend", "analysis": "snapset.analysis", "interface": "snapset"}
MODULES = tuple(path for top in TOPS for path in sorted((ROOT / top).rglob("*.py")))
BESIDE = tuple(path for top in ("tests", "benchmarks") for path in sorted((ROOT / top).rglob("*.py")))
NOT_KEPT = {".git", ".venv", "build", "dist", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis",
            ".import_linter_cache", "__pycache__"}
MOST_MODULES, MOST_LINES, LONGEST_CHAIN = 14, 400, 30


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def import_name(path: Path) -> str:
    top, *rooms = path.relative_to(ROOT).with_suffix("").parts
    return ".".join([TOPS[top], *(room for room in rooms if room != "__init__")])


NAMES = {import_name(path): path for path in MODULES}


def imports(path: Path) -> set[str]:
    """The modules that one imports, those for types included."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("snapset"):
            found |= {whole if (whole := f"{node.module}.{one.name}") in NAMES else node.module for one in node.names}
    return found - {import_name(path)}


@cache
def graph() -> nx.DiGraph:
    return nx.DiGraph([(name, other) for name, path in NAMES.items() for other in imports(path)])


def test_no_room_has_too_many_modules() -> None:
    rooms = Counter(path.parent.relative_to(ROOT) for path in (*MODULES, *BESIDE) if path.name != "__init__.py")
    assert {str(room): count for room, count in rooms.items() if count > MOST_MODULES} == {}


def test_no_file_is_too_long() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in (*MODULES, *BESIDE)}
    assert {name: count for name, count in lengths.items() if count > MOST_LINES} == {}


def test_only_text_is_kept() -> None:
    """A wheel that a command left in the checkout was committed once, and stayed for a day."""
    tops = [path for path in ROOT.iterdir() if path.name not in NOT_KEPT and path.suffix != ".egg-info"]
    files = [path for top in tops for path in (top.rglob("*") if top.is_dir() else [top]) if path.is_file()]
    kept = [path for path in files if not {"__pycache__"} & set(path.parts)]
    assert [str(path.relative_to(ROOT)) for path in kept if b"\0" in path.read_bytes()] == []


def test_every_room_says_what_it_is_for() -> None:
    empty = [str(path.relative_to(ROOT)) for path in MODULES if not ast.get_docstring(parsed(path))]
    assert empty == []


def test_no_two_modules_have_one_name() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        if path.name != "__init__.py":
            found[path.stem].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_no_two_public_classes_have_one_name() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        tree = parsed(path)
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_what_is_defined_is_used() -> None:
    """A function, class or constant whose name nobody else writes is dead; those that a library calls are not ours to
    name."""
    texts = [path.read_text() for top in (*TOPS, "tests", "benchmarks", "docs") for path in (ROOT / top).rglob("*.*")
             if path.suffix in (".py", ".md")]
    words = Counter(word for text in texts for word in re.findall(r"\w+", text))
    called = re.compile(r"__\w+__|visit_\w+|on_\w+|reducer_override|\w")
    dead = []
    for path in MODULES:
        for node in (one for outer in parsed(path).body for one in (outer, *getattr(outer, "body", ()))):
            targets = node.targets if isinstance(node, ast.Assign) else [node]
            names = [getattr(one, "name", None) or getattr(one, "id", "") for one in targets]
            dead += [f"{path.relative_to(ROOT)}: {name}" for name in names
                     if words[name] == 1 and not called.fullmatch(name)]
    assert dead == []


def test_rooms_do_not_import_each_other_in_a_circle() -> None:
    rooms = nx.DiGraph()
    for one, other in graph().edges:
        here, there = (str(NAMES[name].parent.relative_to(ROOT)) for name in (one, other))
        inner = here.startswith(there + "/") or there.startswith(here + "/")  # a package and what is in it
        if here != there and not inner:
            rooms.add_edge(here, there)
    assert [sorted(circle) for circle in nx.strongly_connected_components(rooms) if len(circle) > 1] == []


def test_no_chain_of_imports_is_too_long() -> None:
    chain = nx.dag_longest_path(whole := nx.condensation(graph()))
    assert len(chain) - 1 <= LONGEST_CHAIN, [sorted(whole.nodes[one]["members"])[0] for one in chain]


def test_the_layers_name_every_room() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    named = set(re.findall(r"snapset(?:\.\w+)+|snapset", text.partition("[tool.importlinter]")[2]))
    rooms = {import_name(path) for path in MODULES if path.name == "__init__.py"}
    parents = {"snapset", "snapset.analysis.dag", "snapset.analysis.replay", "snapset.render"}
    assert rooms - parents - named == set()


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md",
         *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_points_at_exists(page: Path) -> None:
    """Links to files; functions and classes that a link to a module names; files named in backquotes."""
    text = page.read_text()
    for label, target in re.findall(r"\[([^]]*)\]\(([^)#:]+)\)", text):
        path = (page.parent / target).resolve()
        assert path.exists(), target
        if path.suffix == ".py" and (name := re.fullmatch(r"`(\w+)`", label)):
            defined = {node.name for node in ast.walk(parsed(path))
                       if isinstance(node, ast.ClassDef | ast.FunctionDef)}
            assert name[1] in defined, f"{target} has no {name[1]}"
    for file in re.findall(r"`((?:frontend|analysis|interface|tests|benchmarks|docs)/[\w/]+\.\w+)`", text):
        assert (ROOT / file).exists(), file


def documentable(tree: ast.Module) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef]:
    """A module, and the classes and functions in it. No expression has any, so none is looked into."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield node
        pending += [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt | ast.ExceptHandler)]


def test_the_files_that_the_code_cites_exist() -> None:
    known = {path.name for folder in ("docs", "corpus") for path in (ROOT / folder).iterdir()}
    known |= {path.name for path in ROOT.iterdir()}
    for path in (*MODULES, *BESIDE):
        for node in documentable(parsed(path)):
            if text := ast.get_docstring(node):
                for cited in re.findall(r"\b([\w-]+\.md)\b", text):
                    assert cited in known, f"{path.relative_to(ROOT)}: {cited}"
                for cited in re.findall(r":(?:mod|class|func|meth|data):`~?(snapset[\w.]*)`", text):
                    assert resolves(cited), f"{path.relative_to(ROOT)}: {cited}"


def resolves(cited: str) -> bool:
    """Is it a module, or does its module define the name?"""
    module, rest = cited, ""
    while module not in NAMES and "." in module:
        module, _, last = module.rpartition(".")
        rest = last
    if module not in NAMES:
        return False
    return not rest or re.search(rf"\b{rest}\b", NAMES[module].read_text()) is not None


def test_every_equation_of_the_paper_is_in_the_page() -> None:
    text = (ROOT / "docs" / "equations.md").read_text()
    cited = set(re.findall(r"DH \((\d)\)", text.replace("DH (2), (4)", "DH (2) DH (4)").replace(
        "DH (3), (5)", "DH (3) DH (5)")))
    assert cited == set("123456789")
