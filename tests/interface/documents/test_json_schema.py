"""The schemas: what is committed is what the command prints, and every document of the corpus is as its schema says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import msgspec
import pytest
import snapset
from jsonschema import Draft202012Validator, ValidationError
from snapset import Choices, dag
from snapset.cli.grammar.schema_arguments import COMMANDS
from snapset.documents import json_text
from snapset.documents.json_schema import DOCUMENTS, json_schema, schema_text
from snapset.frontend.base.diagnostics import InputError
from snapset.render.layout.table_layout import TableStyle
from snapset.render.pages.starting import schema_page
from snapset.render.records import dag_json, verify_json

from tests.analysis.replay.machine.test_replay import PROGRAMS
from tests.support.command import run
from tests.support.corpus import CORPUS, parse_expected
from tests.support.interface.verdicts import all_verdicts
from tests.support.paths import ROOT

SCHEMAS = ROOT / "docs" / "schema"
NAMES = sorted(file.stem for file in CORPUS.glob("*.expected"))
REPLAYED = [name for name in PROGRAMS if not name.startswith("mpi_")][::6]  # executing takes longest

SPLIT = ("chosen_physics", "particles", "split_both", "split_entry", "split_return")


def closed(command: str) -> Draft202012Validator:
    """The schema as it is today: no field beside the known ones (the published one leaves room for later ones)."""
    schema = deepcopy(json_schema(command))
    for one in schema["$defs"].values():
        if "properties" in one:
            one["additionalProperties"] = False
    return Draft202012Validator(schema)


def inputs(name: str) -> tuple[list[str], str]:
    (file,) = (str(file) for file in CORPUS.glob(f"{name}.f*"))
    return [file], parse_expected((CORPUS / f"{name}.expected").read_text()).head


def objects(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (one for one in schema["$defs"].values() if "properties" in one)


def test_the_committed_schemas_are_what_the_command_prints() -> None:
    assert set(COMMANDS) == set(DOCUMENTS)
    assert {file.name for file in SCHEMAS.iterdir()} == {f"{command}.json" for command in COMMANDS}
    for command in COMMANDS:
        assert (SCHEMAS / f"{command}.json").read_text() == schema_text(command), f"snapset schema {command}"
    done = run("schema", "dag", PYTHONIOENCODING="utf-8")
    assert (done.returncode, json.loads(done.stdout)) == (0, json_schema("dag"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_schema_is_one_and_every_field_is_required(command: str) -> None:
    schema = json_schema(command)
    Draft202012Validator.check_schema(schema)
    for one in objects(schema):
        assert one["required"] == list(one["properties"])
        assert one["description"], "an object without a word on what it is"


@pytest.mark.parametrize("command", COMMANDS)
def test_its_fields_are_told_to_people(command: str) -> None:
    """Every object has its table and every field its row, the document itself first."""
    schema = json_schema(command)
    text = schema_page.write(schema, TableStyle(2000))
    assert text.startswith(DOCUMENTS[command].__name__ + ": ")
    told = {part.partition(":")[0]: [line.split()[0] for line in part.splitlines() if line.startswith("  ")][1:]
            for part in text.split("\n\n")}
    for name, one in schema["$defs"].items():
        rows = [row for row in told[name] if set(row) != {"─"}]
        assert rows == list(one["properties"]) if "properties" in one else not rows


def test_types_in_words() -> None:
    ref = {"$ref": "#/$defs/Part"}
    for what, said in (
        ({"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}, "integer or string or null"),
        ({"type": "array", "items": ref}, "list of Part"),
        ({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
         "object of list of string"),
        ({"enum": ["lazy", None]}, '"lazy" or null'),
        ({}, "anything"),
    ):  # fmt: skip
        assert schema_page.kind(what) == said


@pytest.mark.parametrize("words", [(), ("lock",), ("report", "dag")])
def test_no_schema_of_that(words: tuple[str, ...]) -> None:
    done = run("schema", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_reports_are_valid(name: str) -> None:
    files, head = inputs(name)
    found = snapset.to_json(snapset.report(files, head, Choices(strategies="all")))
    closed("report").validate(found)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_dags_are_valid(name: str) -> None:
    files, head = inputs(name)
    if name in SPLIT:
        with pytest.raises(InputError, match="not in split mode"):
            dag.decide(files, head)
    else:
        closed("dag").validate(json_text.plain(dag_json.document(dag.decide(files, head))))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", REPLAYED)
def test_the_corpus_replays_are_valid(name: str) -> None:
    files, head = inputs(name)
    closed("replay").validate(snapset.replay_document(snapset.replay(files, head, necessity=True)))


def test_the_verdicts_are_valid() -> None:
    closed("verify").validate(json_text.plain(verify_json.document(all_verdicts())))


@pytest.mark.parametrize(("field", "value"), [("head", 1), ("regions", {}), ("schema", "snapset.report/2"), (None, 0)])
def test_what_is_no_report_is_refused(field: str | None, value: object) -> None:
    files, head = inputs("burgers_region")
    found = snapset.to_json(snapset.report(files, head))
    if field is None:
        del found["regions"][0]["sets"]["req"]
    else:
        found[field] = value
    with pytest.raises(ValidationError):
        Draft202012Validator(json_schema("report")).validate(found)


def test_several_heads_are_an_array() -> None:
    files, head = inputs("burgers_region")
    one = snapset.to_json(snapset.report(files, head))
    Draft202012Validator(json_schema("report")).validate([one, one])


class Sample(msgspec.Struct):
    """A document that has what msgspec writes otherwise than Python."""

    text: str
    number: float | int | None = None


@pytest.mark.parametrize("number", [1e-9, 1e-5, 2.5e-5, 1e16, 1e22, 0.1, -0.0, 5e-324, 2**70, None])
@pytest.mark.parametrize("text", ["", "a\\\"b", "\x7f\b\f\x01\u2028 é\t/", "\udc80", "1e9", "∂x"])
def test_the_text_is_what_the_standard_library_writes(text: str, number: float | None) -> None:
    one = Sample(text, number)
    assert json_text.text_of(one) == json.dumps({"text": text, "number": number}, indent=2, ensure_ascii=False)
    assert json_text.dumps([one, one]) == json.dumps([json_text.plain(one)] * 2, indent=2, ensure_ascii=False) + "\n"
