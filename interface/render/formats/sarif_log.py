"""SARIF 2.1.0 (OASIS): results with rules, places, and code flows, as code scanning services read it."""

from __future__ import annotations

import hashlib
import json
import os
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.visible_text import visible, visible_line
from snapset.render.formats.annotations import Annotation, FindingKind, Flow, FlowStep, Outcome

_LINE = pattern_of(r"@\d+")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def write(outcome: Outcome) -> str:
    """The log, one run."""
    rules = {one.name: place for place, one in enumerate(outcome.kinds)}
    run = {
        "tool": {"driver": {"name": "snapset", "version": version("snapset"),
                            "rules": [_rule(one) for one in outcome.kinds]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, rules) for one in outcome.annotations],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(one: FindingKind) -> dict[str, Any]:
    return {"id": one.name, "shortDescription": _text(one.summary), "help": _text(one.help)}


def _text(text: str) -> dict[str, str]:
    return {"text": visible(text)}


def _result(one: Annotation, rules: dict[str, int]) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": one.line}
    if one.column > 1:
        region["startColumn"] = one.column
    if one.end_line > one.line:
        region["endLine"] = one.end_line
    found: dict[str, Any] = {
        "ruleId": one.rule, "ruleIndex": rules[one.rule], "level": one.level, "message": _text("\n".join(one.message)),
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(one.file), "region": region},
                       "logicalLocations": [{"fullyQualifiedName": visible_line(f"{one.head}: {one.part}".rstrip(": ")),
                                             "kind": "function"}]}],
        "partialFingerprints": {"snapset/1": _fingerprint(one)},
    }
    if one.flows:
        found["codeFlows"] = [_flow(way) for way in one.flows]
    return found


def _flow(way: Flow) -> dict[str, Any]:
    return {"message": _text(way.text), "threadFlows": [{"locations": [{"location": _step(one)} for one in way.steps]}]}


def _step(one: FlowStep) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(one.file), "region": {"startLine": one.line}},
            "message": _text(one.text)}


def _artifact(path: str) -> dict[str, str]:
    """A path as a URI: relative ones to the root of the sources."""
    encoded = quote(os.fsencode(path.replace(os.sep, "/")))
    return {"uri": f"file://{encoded}"} if os.path.isabs(path) else {"uri": encoded, "uriBaseId": "%SRCROOT%"}


def _fingerprint(one: Annotation) -> str:
    """The same where only lines moved or figures changed."""
    text = _LINE.sub("@", "\0".join((one.rule, one.head, one.part, one.file, one.title)))
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:32]
