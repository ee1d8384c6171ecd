"""The JSON Schema (draft 2020-12) of each command's document, made from the types."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from snapset.documents.check_documents import CheckDocument, DiffDocument
from snapset.documents.comparing.comparison_documents import CompareDocument
from snapset.documents.dag_documents import DagDocument
from snapset.documents.dataflow_documents import DataFlowDocument
from snapset.documents.divide_documents import DivideDocument
from snapset.documents.explain_documents import ExplainDocument
from snapset.documents.loop_replay_documents import LoopReplayDocument
from snapset.documents.message_documents import MessagesDocument, ProvedMessagesDocument
from snapset.documents.replay_documents import ReplayDocument
from snapset.documents.report_documents import ReportDocument
from snapset.documents.schedule_documents import ScheduleDocument
from snapset.documents.starting.code_documents import CodesDocument
from snapset.documents.starting.init_documents import InitDocument
from snapset.documents.verify_documents import VerifyDocument

DOCUMENTS: dict[str, type[msgspec.Struct]] = {
    "report": ReportDocument,
    "replay": ReplayDocument,
    "dag": DagDocument,
    "schedule": ScheduleDocument,
    "divide": DivideDocument,
    "loop-replay": LoopReplayDocument,
    "check": CheckDocument,
    "diff": DiffDocument,
    "verify": VerifyDocument,
    "dataflow": DataFlowDocument,
    "explain": ExplainDocument,
    "messages": MessagesDocument,
    "messages-proved": ProvedMessagesDocument,
    "compare": CompareDocument,
    "init": InitDocument,
    "codes": CodesDocument,
}
_COMMANDS = {"dataflow": "report --dump NAME", "loop-replay": "replay --schedule",
             "messages-proved": "messages --proved", "explain": "explain --at PART VARIABLE",
             "codes": "explain CODE..."}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(command: str) -> dict[str, Any]:
    """The schema of what ``snapset COMMAND --format json`` writes: an object, or an array of them for several heads.

    Every field is there, always. Later versions may have more fields, so a schema does not forbid others.
    """
    document = DOCUMENTS[command]
    (one,), definitions = msgspec.json.schema_components([document], ref_template="#/$defs/{name}")
    for definition in definitions.values():
        if "properties" in definition:
            definition["required"] = list(definition["properties"])
    name = definitions[document.__name__]["properties"]["schema"]["enum"][0]
    single = command in ("check", "diff", "verify", "dataflow", "explain", "init", "codes")
    form: dict[str, Any] = one if single else {"anyOf": [one, {"type": "array", "items": one}]}
    return {"$schema": _DIALECT, "$id": f"urn:{name.replace('.', ':').replace('/', ':')}",
            "title": f"snapset {_COMMANDS.get(command, command)} --format json", **form,
            "$defs": definitions}  # fmt: skip


def schema_text(command: str) -> str:
    """:func:`json_schema` as text."""
    return json.dumps(json_schema(command), indent=2, ensure_ascii=False) + "\n"
