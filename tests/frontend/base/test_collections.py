"""A text is no collection of names: the library refuses it wherever a collection or a mapping is wanted."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest
import snapset
from snapset.analysis.proof.verify import verify
from snapset.analysis.recording.minimal_solutions import MinimalSolutions
from snapset.config import gcov_counts
from snapset.render.pages import report_text

from tests.support.corpus import CORPUS

BURGERS = str(CORPUS / "burgers_region.f90")

# What the library makes and users read: no caller fills these in.
RESULTS = {"Comparison", "Diagnostic", "HeadResult", "InputError", "MinimalSolution", "Part", "Solution",
           "MissingValue", "Span", "Verdict", "Quantity", "Truth", "Answer", "Choice", "Extended", "HeadRegions",
           "Explanation", "ContextCode", "Frontier", "FrontierPoint", "Move", "NamedSolution", "Optimality",
           "OptionalSets", "Sets", "Chain", "ComparedHead", "Counterexample", "Difference", "EvidenceStep",
           "InputUsed", "Necessity", "Numbers", "PartMessages", "Reason", "Reference", "SavedValue", "StrategyRun",
           "Witness"}  # fmt: skip

# What the calls need besides the argument that is tried.
FILLED: dict[str, Any] = {
    "paths": [BURGERS], "at": "burgers@13", "variable": "u", "head": "burgers(u)>(cost)",
    "heads": ["burgers(u)>(cost)"],
    "req": [], "out_c": [],
    "out_dbar": [], "out_cbar": [], "use_cbar": [], "size": {},
    "name": "g", "operations": (), "graphs": (), "overwrites": {},
    "edges": (), "required": frozenset(), "result": "t", "arguments": (), "sizes": {}, "counts": {}, "places": {},
    "contexts": {}, "sources": [], "adjoints": [], "steps": 3, "restart": 1, "dependencies": 1, "budget": 4,
    "self": MinimalSolutions({}),
}  # fmt: skip


def public() -> dict[str, Callable[..., Any]]:
    """Every function and every dataclass that a user calls, by name."""
    found: dict[str, Callable[..., Any]] = {}
    for prefix, module in (("", snapset), ("dag.", snapset.dag)):
        for name in module.__all__:
            one = getattr(module, name)
            if callable(one) and name not in RESULTS:
                found[prefix + name] = one
    return {**found, "judge": MinimalSolutions.judge, "render": report_text.render,
            "read_counts": gcov_counts.read_counts}


def parameters(one: Callable[..., Any]) -> dict[str, str]:
    """Each parameter's annotation, as it is written."""
    found = inspect.signature(one).parameters
    return {name: str(parameter.annotation) for name, parameter in found.items() if name != "self"}


def is_collection(annotation: str) -> bool:
    outer = annotation.partition("[")[0].strip()
    return outer.split(".")[-1] in {"Iterable", "Sequence", "Mapping", "tuple", "frozenset", "set", "list", "Lines",
                                    "Collection", "dict"}  # fmt: skip


def holds_collections(annotation: str) -> bool:
    """``tuple[Edge, ...]``, ``Mapping[str, frozenset[str]]``: of collections, in the words of the signatures."""
    inside = re.sub(r"^Mapping\[(\w+|tuple\[[^]]*\]),", "", annotation.partition("|")[0])
    inside = inside.partition("[")[2] if inside == annotation.partition("|")[0] else inside
    return any(word in inside for word in ("Edge", "Region", "Context", "frozenset[", "tuple[", "Any"))


CASES = [(name, parameter) for name, one in public().items()
         for parameter, annotation in parameters(one).items() if is_collection(annotation)]  # fmt: skip
NESTED = [(name, parameter) for name, one in public().items() for parameter, annotation in parameters(one).items()
          if is_collection(annotation) and holds_collections(annotation)]  # fmt: skip


def call(name: str, **given: Any) -> Any:
    one = public()[name]
    wanted = inspect.signature(one).parameters
    filled = {key: FILLED[key] for key, parameter in wanted.items()
              if parameter.default is inspect.Parameter.empty and key in FILLED}  # fmt: skip
    return one(**{**filled, **given})


def test_the_walk_finds_what_takes_collections() -> None:
    assert {("solve", "req"), ("report", "paths"), ("reports", "heads"), ("load", "regions"), ("Choices", "split"),
            ("ReadOptions", "macros"), ("verify", "ids"), ("to_json", "assume"), ("replay", "sizes"),
            ("dag.Operation", "arguments"), ("dag.Problem", "overwrites"), ("judge", "snp")} <= set(CASES)  # fmt: skip
    assert {("load", "regions"), ("dag.Graph", "edges"), ("dag.Problem", "overwrites")} <= set(NESTED)


@pytest.mark.parametrize("text", ["alpha", b"alpha"])
@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_a_text_in_place_of_a_collection_is_refused(name: str, parameter: str, text: str | bytes) -> None:
    with pytest.raises(TypeError, match=rf"{parameter} is the text b?'alpha' where a collection is wanted"):
        call(name, **{parameter: text})


@pytest.mark.parametrize(("name", "parameter"), NESTED)
def test_nor_is_one_inside_a_collection_of_collections(name: str, parameter: str) -> None:
    annotation = parameters(public()[name])[parameter]
    given: Any = {"x": "abc"} if "Mapping" in annotation.partition("[")[0] else ("abc",)
    with pytest.raises(TypeError, match="'abc' where a collection is wanted"):
        call(name, **{parameter: given})


def test_what_is_none_or_a_collection_of_any_kind_is_taken() -> None:
    one = snapset.solve(req=iter(["alpha"]), out_c=("alpha",), out_dbar=set(), out_cbar={}, use_cbar=frozenset())
    assert one.snp == {"alpha"}
    assert snapset.report((BURGERS,), "burgers(u)>(cost)", regions=iter([])).parts
    assert verify({"dh7-complete": 1})
