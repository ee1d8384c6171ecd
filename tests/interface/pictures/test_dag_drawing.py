"""Pictures of graphs: what they show, where it is drawn, SVG and Graphviz text."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import snapset
from snapset import dag
from snapset.analysis.dag.fortran.solved_levels import HeadRegions
from snapset.pictures import dag_graphviz, dag_output, dag_svg
from snapset.pictures.dag_scene import COLOURS, Panel, Vertex, panels
from snapset.pictures.layered_layout import GAP, layered, layers

from tests.support.corpus import CORPUS

FIG2 = """\
subroutine s(a, b, q)
  real(8) :: a, b, o, p, q
  o = sin(a)
  p = cos(b)
  q = o*p
  a = q*q
  b = a*q
end subroutine
"""


@pytest.fixture(scope="module")
def fig2(tmp_path_factory: pytest.TempPathFactory) -> HeadRegions:
    path = tmp_path_factory.mktemp("drawn") / "fig2.f90"
    path.write_text(FIG2)
    return dag.decide([str(path)], "s(a,b)>(a,b)")


def vertices(panel: Panel) -> dict[str, Vertex]:
    return {vertex.name: vertex for vertex in panel.vertices}


def test_the_cut_is_marked(fig2: HeadRegions) -> None:
    ((title, found),) = panels(fig2)
    choice = fig2.regions[0].answer.choice
    assert title.endswith(f": {choice.cost} value" + ("s" if choice.cost > 1 else ""))
    drawn = vertices(found[0])
    assert {name for name, v in drawn.items() if v.cut} == choice.cuts["s@3"]
    assert {name for name, v in drawn.items() if v.state == "stored"} == choice.U
    assert {name for name, v in drawn.items() if v.state == "recomputed"} == choice.recomputed["s@3"]
    assert {name for name, v in drawn.items() if v.required} == fig2.regions[0].level.problem.graphs[0].required
    assert drawn["b from 7"].state == "unneeded"
    assert drawn["o from 3"].shape == "value"
    assert all(v.shape == "partial" for name, v in drawn.items() if name.startswith("∂"))


def test_gb_and_its_bicliques(tmp_path: Path) -> None:
    text = "subroutine s(x, y, c)\n real(8) :: x, y, c\n y = x*x*y\n if (c > 0) x = c\n y = y*y*x\n x = sin(y)\n" \
           " y = x*y\nend subroutine\n"
    path = tmp_path / "s.f90"
    path.write_text(text)
    found = dag.decide([str(path)], "s(x,y)>(y)")
    ((_, drawn),) = panels(found)
    bipartite = drawn[-1]
    assert bipartite.bipartite
    ready = {v: own for v, own in found.regions[0].level.problem.overwrites.items() if own}
    places = {vertex.label for vertex in bipartite.vertices if vertex.shape == "place"}
    assert places
    assert places <= frozenset().union(*ready.values())
    cover = found.regions[0].answer.cover.bicliques
    for arrow in bipartite.arrows:
        own = [COLOURS[n] for n, b in enumerate(cover)
               if arrow.edge[0] in b.vertices and arrow.edge[1][1:-1] in b.places]
        assert list(arrow.colours) == own != []
    assert {len(arrow.colours) for arrow in bipartite.arrows} == {1, 2}


# ---------------------------------------------------------------- layout


def test_layers_are_longest_paths() -> None:
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("d", "c"), ("c", "e")]
    assert layers(list("abcde"), edges) == {"a": 0, "b": 1, "c": 2, "d": 1, "e": 3}


@pytest.mark.parametrize("seed", range(12))
def test_arrows_go_down_and_nothing_overlaps(seed: int) -> None:
    random = Random(seed)
    names = [f"v{n}" for n in range(random.randint(1, 25))]
    widths = {name: 20.0 + random.randint(0, 90) for name in names}
    edges = [(a, b) for n, b in enumerate(names) for a in names[:n] if random.random() < 0.15]
    found = layered(widths, edges)
    for (a, b), route in found.routes.items():
        assert (route[0], route[-1]) == (found.centres[a], found.centres[b])
        assert all(one[1] < other[1] for one, other in pairwise(route))
    for a in names:
        x, y = found.centres[a]
        assert widths[a] / 2 - 1e-6 <= x <= found.width - widths[a] / 2 + 1e-6
        assert 0 <= y <= found.height
        for b in names:
            if b != a and found.centres[b][1] == y:
                assert abs(found.centres[b][0] - x) >= (widths[a] + widths[b]) / 2 + GAP / 2


def test_nothing_to_lay_out() -> None:
    assert layered({}, []).width == 0


# ---------------------------------------------------------------- files


def test_svg(fig2: HeadRegions) -> None:
    root = ET.fromstring(dag_svg.draw([fig2]))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any(text.endswith("∂(o, line 3)/∂a") for text in texts)
    assert any(text.startswith("∂o from 3/∂a at 3: ") for text in texts)  # its name, where the mouse rests
    cut = [node for node in root.iter() if node.attrib.get("stroke") == dag_svg.CUT
           and node.attrib.get("stroke-width") == "3"]
    assert len(cut) == 1 + len(fig2.regions[0].answer.choice.cuts["s@3"])  # and the legend's
    assert width > 600
    assert height > 200


def test_large_graphs_are_left_to_graphviz(fig2: HeadRegions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dag_svg, "MOST", 5)
    text = dag_svg.draw([fig2])
    assert "too many to draw; Graphviz text holds them" in text
    assert "∂o from 3/∂a at 3" not in text
    ET.fromstring(text)


def test_graphviz(fig2: HeadRegions) -> None:
    text = dag_graphviz.write([fig2])
    assert text.count("{") == text.count("}")
    panel = panels(fig2)[0][1][0]
    for arrow in panel.arrows:
        assert f'"0: {arrow.edge[0]}" -> "0: {arrow.edge[1]}"' in text
    assert text.count("peripheries=2") == sum(v.required for v in panel.vertices)
    assert dag_graphviz.quoted('a"b\\c') == '"a\\"b\\\\c"'


def test_a_file_is_written_whole_or_not_at_all(fig2: HeadRegions, tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    dag_output.save(str(path), [fig2])
    assert path.read_text() == dag_svg.draw([fig2])
    (tmp_path / "dir.dot").mkdir()
    with pytest.raises(snapset.InputError, match="not a file"):
        dag_output.save(str(tmp_path / "dir.dot"), [fig2])


@pytest.mark.parametrize("name", ["burgers_region.f90:burgers(u)>(cost)", "straight_line.f90:mix(x)>(y)"])
def test_corpus_pictures_are_well_formed(name: str) -> None:
    file, _, _ = name.partition(":")
    head = (CORPUS / file).with_suffix(".expected").read_text().partition("\n")[0].removeprefix("head: ")
    ET.fromstring(dag_svg.draw([dag.decide([str(CORPUS / file)], head)]))


def test_vertices_are_called_by_what_they_are() -> None:
    result = dag.decide([str(CORPUS / "dag_coupled.f90")], "coupled(q)>(q)")
    ((title, drawn),) = panels(result)
    called = {vertex.name: vertex.label for vertex in drawn[0].vertices}
    assert called["q at 12"] == "q"
    assert called["q from 13"] == "q, line 13"
    assert {"growth*(1.0-q)", "growth*(1.0-q)-grazing", "exp(0.3*temperature)", "0.5+q*q"} <= set(called.values())
    assert called["∂q from 13/∂q at 12'"] == "∂(q, line 13)/∂q'"
    assert len(set(called.values())) == len(called)
    assert title.endswith("1 graph without an operation not drawn")
    assert len(drawn) == 2  # and G_b


@pytest.mark.parametrize(("formula", "shown"), [
    ("a - (b - c)", "a-(b-c)"), ("(a*b)*c", "a*b*c"), ("a/(b*c)", "a/(b*c)"), ("(a + b)*c", "(a+b)*c"),
    ("(a**b)**c", "(a**b)**c"), ("a**(b + c)", "a**(b+c)"), ("sin(a + b)*c", "sin(a+b)*c"),
])  # fmt: skip
def test_formulas_have_the_parentheses_that_they_need(formula: str, shown: str, tmp_path: Path) -> None:
    path = tmp_path / "s.f90"
    path.write_text(f"subroutine s(a, b, c, y, n)\n integer :: n, k\n real(8) :: a, b, c, y\n do k = 1, n\n"
                    f"  y = y*exp({formula})\n  a = a*y\n  b = b*y\n  c = c*y\n end do\nend subroutine\n")
    ((_, drawn),) = panels(dag.decide([str(path)], "s(a,b,c)>(y)"))
    assert shown in {vertex.label for panel in drawn for vertex in panel.vertices}
