"""The report's page: well-formed, one file, the figures that JSON has, evidence at each variable, nothing obeyed."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from snapset.analysis.pipeline import HeadAnalysis
from snapset.cli import main
from snapset.render.layout.markup import element, escaped

from benchmarks import synthetic
from tests.support.corpus import CORPUS
from tests.support.interface.html_tree import Node, read_page

BURGERS = [str(CORPUS / "burgers_region.f90"), "--head", "burgers(u)>(cost)"]
HOSTILE = """\
subroutine f(x, y)
  real(8) :: x(2), y  ! </span><script>alert(1)</script> & "quoted" 'single'
  character(40) :: said = '<img src=x onerror=alert(1)>'
  y = x(1)
  !$AD CHECKPOINT-START
  y = y*x(2)
  x(2) = y*y  ! ##[error]no :: ::warning::no
  !$AD CHECKPOINT-END
  y = y*x(2)
  call g(y, said)
end subroutine f
"""
NAMES = ["a<b>&c.f90", "</title><script>x<.f90".replace("/", "\u2215"), "a\" onload=\"x.f90", "a' onload='x.f90",
         "a&amp;b.f90", "a\x1b[2Jb.f90", "::error::x.f90", "##[error]y.f90", "a\u202eb.f90"]  # fmt: skip
ELEMENTS = ("html head meta title style body header main nav section aside script h1 h2 h3 p a div span b code pre ul "
            "li table thead tbody tr th td br details summary input button output figure figcaption svg g path circle "
            "rect text")
TAGS = {"", *ELEMENTS.split()}


def page(capsys: pytest.CaptureFixture[str], *arguments: str) -> Node:
    assert main.main(["report", *arguments, "--format", "html", "--quiet", "--no-cache"]) == 0
    return safe(capsys.readouterr().out)


def safe(text: str, tags: set[str] = TAGS) -> Node:
    """A page that fetches nothing, and runs its own script only."""
    tree = read_page(text)
    assert {one.tag for one in tree.all()} <= tags
    for one in tree.all():
        assert not any(name.startswith("on") or name in ("src", "style", "srcset") for name in one.given), one.given
    script, = tree.all("script")
    policy = next(one.given["content"] for one in tree.all("meta") if "http-equiv" in one.given)
    digest = base64.b64encode(hashlib.sha256(script.text().encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest}';" in policy
    assert "http" not in re.sub(r'xmlns="[^"]*"|http-equiv', "", text)
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
    return tree


def row(tree: Node, part: str, name: str) -> list[str]:
    """The cells of a variable in the box of a part, but for the evidence."""
    box = next(one for one in tree.all("details", "part") if one.text().startswith(part))
    found = next(one for one in box.all("tr") if one.children[0].text() == name)  # type: ignore[union-attr]
    return [one.text() for one in found.children[:-1] if isinstance(one, Node)]


def test_the_figures_of_json_without_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["report", *BURGERS, "--format", "json", "--quiet", "--no-cache"]) == 0
    document = json.loads(capsys.readouterr().out)
    tree = page(capsys, *BURGERS)
    answer = tree.by_id("answer")
    for strategy in ("lazy", "eager"):
        assert document["totals"][strategy]["peak_bytes"] in answer.text()
    solution = document["regions"][0]["solutions"]["lazy"]
    assert row(tree, "burgers@13", "u(2:n-1)") == [
        "u(2:n-1)", solution["sizes"]["u"], "Snp", "Snp", "use(C), out(C), use(adj C), use(adj D)"]
    assert row(tree, "burgers@13", "nu")[2:4] == ["Req_D", "Snp"]
    leaf, = tree.by_id("tree").all("li", "leaf")
    assert leaf.text() == "burgers@13  marked part8*n - 168*n - 8"


def test_the_source_is_there_and_its_variables_lead_to_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    tree = page(capsys, *BURGERS)
    lines = Path(BURGERS[0]).read_text().splitlines()
    shown = [one for one in tree.by_id("f0").all("span") if re.fullmatch(r"f0-\d+", one.given.get("id", ""))]
    for number, (text, line) in enumerate(zip(lines, shown, strict=True), 1):
        own = [one if isinstance(one, str) else one.text() for one in line.children[1:]
               if isinstance(one, str) or one.given.get("class") not in ("tag", "taped")]
        assert "".join(own) == text
        assert line.given.get("class") == ("d1" if 13 <= number <= 18 else None)
    linked = {(one.text(), one.given.get("class")) for one in shown[16].all("a")}
    assert linked == {("u", "saved"), ("nu", None), ("dt", None)}
    target = next(one.given["href"][1:] for one in shown[13].all("a") if one.text() == "u")
    why = next(tree.by_id(target).all("details"))
    steps = [one.text() for one in why.all("li")]
    assert any("burgers_region.f90:17 overwrites u" in one for one in steps)
    assert any("burgers_region.f90:14 its adjoint reads u" in one for one in steps)
    assert next(why.all("pre")).text().split("\n") == [
        "u(i) = u(i) - dt*(flux(i) - flux(i - 1)) + nu*dt*(u(i + 1) - u(i))",
        "^      ^                                          ^          ^"]
    assert [one.text() for one in shown[19].all("a", "taped")] == ["tapes nu for burgers@13"]


def test_calls_hold_the_parts_of_what_they_call(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, text in synthetic.program(400).items():
        (tmp_path / name).write_text(text)
    files = [str(one) for one in sorted(tmp_path.iterdir())]
    assert main.main(["report", *files, "--head", synthetic.HEAD, "--format", "json", "--quiet", "--no-cache"]) == 0
    regions = json.loads(capsys.readouterr().out)["regions"]
    tree = page(capsys, *files, "--head", synthetic.HEAD)
    items = list(tree.by_id("tree").all("li"))
    assert len(items) == len(regions) >= 20
    inner: dict[str, set[str]] = {}
    for item in items:
        own, *below = [next(one.all("a")).text() for one in item.all("li")]
        inner[own] = set(below)
    for one in regions:
        if one["callee"] is not None:
            called = {other["id"] for other in regions if other["procedure"] == one["callee"]}
            assert called <= inner[one["id"]] or any(called <= inner[other] for other in inner if other != one["id"])
    assert len(list(tree.all("details", "part"))) == len(regions)


def test_a_run_is_drawn_where_inputs_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    tree = page(capsys, *BURGERS, "--set", "n=100")
    pictures = tree.by_id("pictures")
    assert len(list(pictures.all("svg"))) == 2
    measured = [[cell.text() for cell in one.all("td")] for one in pictures.all("tr") if "lazy" in one.text()]
    assert ["3,960", "3,960"] in measured  # 5 steps of 98 elements, 5 values of nu
    assert "Not run" in page(capsys, *BURGERS).by_id("pictures").text()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_hostile_program_is_obeyed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    runs = name == NAMES[0]
    Path(name).write_text(HOSTILE.replace("  call g(y, said)\n", "") if runs else HOSTILE)
    tree = page(capsys, name, "--head", "f(x)>(y)", *(["--set", "x=1,2"] if runs else []))
    lines = [one for one in tree.all("span") if re.fullmatch(r"f0-\d+", one.given.get("id", ""))]
    assert HOSTILE.splitlines()[1].strip() in lines[1].text()
    assert "<img src=x onerror=alert(1)>" in lines[2].text()
    assert "##[error]no :: ::warning::no" in lines[6].text()
    title = repr(name)[1:-1] if not name.isprintable() else name
    assert title in next(tree.by_id("f0").all("summary")).text()


def test_text_becomes_markup_in_one_way_only() -> None:
    assert element("a", escaped("a<b & \"c\""), href='x" onclick="y', data_n=None) == (
        '<a href="x&quot; onclick=&quot;y">a&lt;b &amp; &quot;c&quot;</a>')
    assert escaped("::a ###[b\n") == "&#58;:a &#35;&#35;#[b\\n"
    assert escaped("  ::a") == "  &#58;:a"
    assert escaped("state::w, run_mod::step") == "state::w, run_mod::step"  # no command: it does not begin the line


def test_what_cannot_be_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for more, said in ((["--set", "n=3"], "--assume n=3"),
                       (["--format", "html", "-o", str(tmp_path / "no" / "x.html")], "there is no directory"),
                       (["--format", "html", "--brief"], "which --format html is not"),
                       (["--format", "html", "--set", "n"], "not NAME=VALUE")):
        assert main.main(["report", *BURGERS, "--quiet", *more]) == 2
        out, err = capsys.readouterr()
        assert not out
        assert said in err
        assert err.count("\n") == 1


def test_the_page_is_a_file_and_is_remade_when_a_comment_changes(tmp_path: Path) -> None:
    source, out = tmp_path / "b.f90", tmp_path / "b.html"
    text = Path(BURGERS[0]).read_text()
    for comment in ("! one", "! two"):
        source.write_text(text.replace("! One", comment))
        assert main.main(["report", str(source), *BURGERS[1:], "--format", "html", "--quiet", "-o", str(out),
                          "--cache-dir", str(tmp_path / "cache")]) == 0
        assert comment in read_page(out.read_text()).by_id("f0-1").text()


def test_a_page_grows_no_faster_than_its_program(tmp_path: Path) -> None:
    sizes = []
    for lines in (400, 800):
        folder = tmp_path / str(lines)
        assert synthetic.main([str(lines), str(folder)]) == 0
        out = tmp_path / f"{lines}.html"
        assert main.main(["report", *map(str, sorted(folder.iterdir())), "--head", synthetic.HEAD, "--format", "html",
                          "--quiet", "--no-cache", "-o", str(out)]) == 0
        sizes.append(out.stat().st_size)
    assert sizes[1] < 2.5 * sizes[0]


@pytest.mark.slow
def test_a_page_of_ten_thousand_lines_is_less_than_five_megabytes(tmp_path: Path) -> None:
    folder, out = tmp_path / "program", tmp_path / "page.html"
    assert synthetic.main(["10000", str(folder)]) == 0
    assert main.main(["report", *map(str, sorted(folder.iterdir())), "--head", synthetic.HEAD, "--format", "html",
                      "--quiet", "--no-cache", "-o", str(out)]) == 0
    assert len(list(read_page(out.read_text()).all("details", "part"))) > 200
    assert out.stat().st_size < 5_000_000


PRESSED = """<script>
var link = Array.from(document.querySelectorAll('.src a.saved'))[0];
link.focus(); document.title = document.getElementById('panel').hidden ? 'closed' : 'focused';
link.click(); document.body.dataset.panel = document.getElementById('panel').textContent;
document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
document.body.dataset.closed = document.getElementById('panel').hidden;
var section = document.querySelector('.calls');
section.querySelector('button[data-sort=bytes]').click();
document.body.dataset.order = Array.from(section.querySelector('.tree').children).map(
  function (one) { return one.querySelector('a').textContent; }).join(' ');
var search = section.querySelector('input'); search.value = 'P0000_2';
search.dispatchEvent(new Event('input'));
document.body.dataset.found = section.querySelector('output').textContent;
</script>"""


@pytest.mark.slow
def test_a_browser_runs_the_script_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Chromium, where there is one: the tools are there, the policy is kept, no alert is open."""
    monkeypatch.chdir(tmp_path)
    Path("hostile.f90").write_text(HOSTILE)
    assert main.main(["report", "hostile.f90", "--head", "f(x)>(y)", "--format", "html", "-o", "p.html"]) == 0
    shown, said = browsed(tmp_path / "p.html")
    assert "CONSOLE" not in said
    tools = re.search(r'<div class="tools"[^>]*>', shown)
    assert tools is not None
    assert "hidden" not in tools[0]
    assert shown.count("<script>") == 1


@pytest.mark.slow
def test_a_browser_shows_evidence_and_sorts_and_finds(tmp_path: Path) -> None:
    assert synthetic.main(["400", str(tmp_path / "program")]) == 0
    out = tmp_path / "p.html"
    files = map(str, sorted((tmp_path / "program").iterdir()))
    assert main.main(["report", *files, "--head", synthetic.HEAD, "--format", "html", "--quiet", "-o", str(out)]) == 0
    text = re.sub("<meta http-equiv.*?>", "", out.read_text(), count=1)  # else this script could not run
    out.write_text(text.replace("</body>", PRESSED + "</body>"))
    shown, _ = browsed(out)
    body = re.search("<body([^>]*)>", shown)
    assert body is not None
    given = dict(re.findall('data-(\\w+)="([^"]*)"', body[1]))
    assert "<title>focused</title>" in shown
    assert "in the sets: " in given["panel"]
    assert "overwrites" in given["panel"]
    assert given["closed"] == "true"
    assert given["order"].split()[0].startswith("model@")
    assert re.fullmatch(r"[1-9]\d* found", given["found"])


def browsed(page_: Path) -> tuple[str, str]:
    """The document as a browser leaves it, and its log."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no Chromium here")
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                           "--dump-dom", f"--user-data-dir={page_.parent / 'profile'}", page_.as_uri()],
                          capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
    return done.stdout, done.stderr


def test_a_head_is_analysed_once_for_its_figures_and_its_evidence(capsys: pytest.CaptureFixture[str], tmp_path: Path,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """And the page is the same where the cache is empty, and where it has the results but no page."""
    made: list[object] = []

    class Counted(HeadAnalysis):
        def __init__(self, *given: Any, **named: Any) -> None:
            made.append(given)
            super().__init__(*given, **named)

    monkeypatch.setattr("snapset.analysis.pipeline.HeadAnalysis", Counted)
    monkeypatch.setattr("snapset.analysis.evidence.part_explanation.HeadAnalysis", Counted)
    program = tmp_path / "calls.f90"
    program.write_text((CORPUS / "calls.f90").read_text())
    given = [str(program), "--head", "shallow(h0)>(cost)", "--quiet"]

    def written(*more: str) -> str:
        assert main.main(["report", *given, *more]) == 0
        return capsys.readouterr().out

    cold = written("--format", "html", "--no-cache")
    assert len(made) == 1
    assert written("--format", "html", "--cache-dir", str(tmp_path / "one")) == cold
    assert len(made) == 2
    assert written("--format", "json", "--cache-dir", str(tmp_path / "two"))
    assert written("--format", "html", "--cache-dir", str(tmp_path / "two")) == cold
    json_ = written("--format", "json", "--no-cache")
    assert written("--format", "json", "--cache-dir", str(tmp_path / "one")) == json_
