"""The JSON document of a result made by hand, whole, and the contract's shape."""

from __future__ import annotations

import json
from dataclasses import replace

from snapset.render.records.report_json import dumps, to_json

from tests.support.interface.results import FILE, PART, READ, RESULT, UNKNOWN_CALL

OPTIONS = {"snp0": ["u"], "opt1": [], "opt2": [], "opt3": ["nu"]}
CONTROL = [{"file": FILE, "line": 12, "what": "trip count", "part": "D", "callee": None, "bytes": 4,
            "counted_bytes": None}]  # fmt: skip


def test_solutions() -> None:
    (part,) = to_json(RESULT)["regions"]
    assert part["solutions"] == {
        "lazy": {
            "req": [],
            "options": OPTIONS,
            "snp": ["u"],
            "sbk": [],
            "req_d": ["nu"],
            "req_c": [],
            "sections": {},
            "sizes": {"u": "8*n"},
            "snapshot_bytes": "8*n",
            "peak_bytes": None,
            "traffic_bytes": None,
            "tape": [
                {"file": FILE, "line": 21, "location": "nu", "part": "D", "callee": None, "bytes": "8*nsteps",
                 "counted_bytes": None},
                {"file": FILE, "line": 25, "location": "cost", "part": "D", "callee": None, "bytes": None,
                 "counted_bytes": None},
            ],
            "control": CONTROL,
            "again": [],
            "moves": [],
        },
        "eager": {
            "req": [],
            "options": OPTIONS,
            "snp": ["nu", "u"],
            "sbk": [],
            "req_d": [],
            "req_c": [],
            "sections": {},
            "sizes": {"nu": 8, "u": "8*n"},
            "snapshot_bytes": "8*n + 8",
            "peak_bytes": None,
            "traffic_bytes": None,
            "tape": [],
            "control": CONTROL,
            "again": [],
            "moves": [],
        },
    }


def test_part() -> None:
    (part,) = to_json(RESULT)["regions"]
    del part["solutions"]
    assert part == {
        "id": "burgers@14",
        "kind": "region",
        "procedure": "burgers",
        "callee": None,
        "parent": None,
        "file": FILE,
        "first_line": 14,
        "last_line": 19,
        "split": False,
        "context": 0,
        "sets": {
            "req": [],
            "use_c": ["dt", "n", "nu", "u"],
            "out_c": ["flux", "u"],
            "use_cbar": ["dt", "n", "nu", "u"],
            "out_cbar": ["flux", "u"],
            "use_dbar": ["dt", "n", "nu", "u"],
            "out_dbar": ["cost", "nu", "u"],
            "intact": [],
        },
        "options": OPTIONS,
        "messages": None,
        "diagnostics": [said(READ.code, READ.message, 15, 7)],
    }


def said(code: str, message: str, line: int, column: int) -> dict[str, object]:
    return {"code": code, "severity": "warning", "message": message, "file": FILE, "line": line, "column": column}


def test_head_totals_and_all_diagnostics_once_by_place() -> None:
    document = to_json(replace(RESULT, diagnostics=(READ, UNKNOWN_CALL)))
    assert list(document) == ["schema", "head", "regions", "no_parts", "splits", "contexts", "totals", "dearest",
                              "unknown", "pareto", "optimal", "notes", "diagnostics"]
    assert document["schema"] == "snapset.report/1"
    assert document["head"] == "burgers(u)>(cost)"
    unknown = {"peak_bytes": None, "traffic_bytes": None, "counted_traffic_bytes": None}
    assert document["totals"] == {"lazy": unknown, "eager": unknown}
    assert document["diagnostics"] == [said("SN205", UNKNOWN_CALL.message, 3, 1), said("SN101", READ.message, 15, 7)]


def test_assumed_values_make_numbers() -> None:
    (part,) = to_json(RESULT, {"n": 100, "nsteps": 3})["regions"]
    assert part["solutions"]["eager"]["snapshot_bytes"] == 808
    assert part["solutions"]["lazy"]["tape"][0]["bytes"] == 24


def test_lists_are_sorted_whatever_the_analysis_gives() -> None:
    sets = replace(PART.sets, use_c=("u", "nu", "a"))
    (part,) = to_json(replace(RESULT, parts=(replace(PART, sets=sets),)))["regions"]
    assert part["sets"]["use_c"] == ["a", "nu", "u"]


def test_one_head_is_an_object_and_several_an_array() -> None:
    document = to_json(RESULT)
    assert json.loads(dumps([document])) == document
    assert json.loads(dumps([document, document])) == [document, document]
