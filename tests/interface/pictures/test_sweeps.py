"""The picture of the sweeps: what the report says of a part, in the places where it happens."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from snapset import Choices, report
from snapset.cli import main
from snapset.pictures.sweep_picture import draw

from tests.support.corpus import CORPUS

SVG = "{http://www.w3.org/2000/svg}"
BURGERS = str(CORPUS / "burgers_region.f90")


def texts(svg: str) -> dict[str, tuple[float, float]]:
    """Each text with its place in its lane."""
    return {one.text or "": (float(one.get("x", "0")), float(one.get("y", "0")))
            for one in ET.fromstring(svg).iter(f"{SVG}text")}


def drawn(strategy: str, file: str = BURGERS, head: str = "burgers(u)>(cost)") -> dict[str, tuple[float, float]]:
    result = report([file], head, Choices(strategies=strategy))
    return texts(draw([(result, result.parts)]))


def test_what_is_saved_and_taped_stands_where_that_happens() -> None:
    lazy, eager = drawn("lazy"), drawn("eager")
    assert {"U", "C", "D", "adj U", "C again, adj C", "adj D", "turn"} <= set(lazy)
    assert lazy["U"] < lazy["C"] < lazy["D"]  # from left to right
    assert lazy["adj U"][1] == lazy["adj D"][1] > lazy["D"][1]  # and back beneath
    assert "save Snp: u(2:n-1) (8*n - 16 bytes)" in lazy
    assert "tapes nu (line 20)" in lazy
    assert lazy["C"][0] < lazy["tapes nu (line 20)"][0] < lazy["D"][0]
    assert "restore Snp: u(2:n-1)" in lazy
    assert "save Snp: nu, u(2:n-1) (8*n - 8 bytes)" in eager
    assert not any("tapes" in one for one in eager)


def test_what_is_kept_to_the_end_comes_back_behind_the_adjoint_of_the_part() -> None:
    eager = drawn("eager", str(CORPUS / "eager_wins.f90"), "relax(x)>(y)")
    kept = next(one for one in eager if one.startswith("restore Sbk: "))
    assert eager[kept][0] < eager["C again, adj C"][0]
    assert next(one for one in eager if one.startswith("save Sbk: "))


@pytest.mark.parametrize(("more", "shown"), [((), 4), (("--part", "radiation"), 1)])
def test_the_command_draws_the_parts_that_are_asked_for(more: tuple[str, ...], shown: int, tmp_path: Path) -> None:
    out = tmp_path / "sweeps.svg"
    assert main.main(["report", str(CORPUS / "common_physics.f90"), "--head", "column(temp,vapour)>(rain,outgoing)",
                      "--quiet", "--no-cache", "--picture", str(out), *more]) == 0
    assert sum(one.text == "C again, adj C" for one in ET.parse(out).getroot().iter(f"{SVG}text")) == shown


def test_names_are_escaped_and_wrong_files_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a<b>&\"c.f90"
    source.write_text(Path(BURGERS).read_text())
    out = tmp_path / "sweeps.svg"
    arguments = ["report", str(source), "--head", "burgers(u)>(cost)", "--quiet", "--no-cache", "--picture"]
    assert main.main([*arguments, str(out)]) == 0
    assert any("a<b>&\"c.f90" in (one.text or "") for one in ET.parse(out).getroot().iter(f"{SVG}text"))
    capsys.readouterr()
    assert main.main([*arguments, "sweeps.png"]) == 2
    assert capsys.readouterr().err == (
        "error: --picture sweeps.png: pictures are drawn as SVG; give a name that ends in .svg\n")
