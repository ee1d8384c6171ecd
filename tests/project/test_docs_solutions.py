"""The example of docs/solutions.md prints what the page says, and the table's verdicts are the prover's."""

from __future__ import annotations

import re

import pytest
from snapset import verify

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "solutions.md"


def test_the_examples_print_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    text = re.sub(r"```console\n.*?```", "", PAGE.read_text(), flags=re.DOTALL)  # these has test_shown_commands
    blocks = re.findall(r"```(?:python)?\n(.*?)```", text, re.DOTALL)
    names: dict[str, object] = {}
    for code, printed in zip(blocks[::2], blocks[1::2], strict=True):
        exec(compile(code, str(PAGE), "exec"), names)
        assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()


def test_the_table_s_verdicts() -> None:
    proved = {one.id: one.holds for one in verify([
        "dh45-inclusions", "equalities-minimal", "dh7-valid", "dh7-minimal", "dh7-minimal-any", "dh7-complete",
        "dh7-all-complete", "out-same", "nested-out", "out-same-valid", "successive-lazy", "successive-last",
        "successive-kept"])}
    assert {name for name, holds in proved.items() if not holds} == {
        "dh7-minimal-any", "dh7-complete", "out-same-valid", "successive-last"}
