"""The part of SARIF 2.1.0 (OASIS standard, section 3) that snapset writes, as a JSON Schema without other properties:
names, types and required members are the standard's."""

from __future__ import annotations

from typing import Any


def _object(required: str = "", **properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": required.split(), "properties": properties}


def _list(of: Any, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": least}


_TEXT = {"type": "string"}
_POSITIVE = {"type": "integer", "minimum": 1}
_MESSAGE = _object("text", text=_TEXT)  # 3.11.3: text or id
_ARTIFACT = _object("uri", uri={"type": "string", "pattern": r"^[A-Za-z0-9%/._~!$&'()*+,;=@:-]+$"}, uriBaseId=_TEXT)
_REGION = _object("startLine", startLine=_POSITIVE, startColumn=_POSITIVE, endLine=_POSITIVE)  # 3.30
_PHYSICAL = _object("artifactLocation", artifactLocation=_ARTIFACT, region=_REGION)
_LOGICAL = _object("fullyQualifiedName", fullyQualifiedName=_TEXT, kind={"enum": ["function"]})  # 3.33.7
_LOCATION = _object("", physicalLocation=_PHYSICAL, logicalLocations=_list(_LOGICAL), message=_MESSAGE)
_THREAD_FLOW = _object("locations", locations=_list(_object("", location=_LOCATION), 1))  # 3.37.6
_CODE_FLOW = _object("threadFlows", message=_MESSAGE, threadFlows=_list(_THREAD_FLOW, 1))  # 3.36.3
_RESULT = _object(
    "message", ruleId=_TEXT, ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]}, message=_MESSAGE, locations=_list(_LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": _TEXT}, codeFlows=_list(_CODE_FLOW))
_RULE = _object("id", id=_TEXT, shortDescription=_MESSAGE, help=_MESSAGE)
_DRIVER = _object("name", name=_TEXT, version=_TEXT, rules=_list(_RULE))
_RUN = _object("tool", tool=_object("driver", driver=_DRIVER), results=_list(_RESULT),
               columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]})
SARIF = _object("version runs", version={"enum": ["2.1.0"]}, runs=_list(_RUN), **{"$schema": _TEXT})
