"""`snapset replay` as a user types it: text, JSON, picture, inputs, exit codes; and the same from the library."""

from __future__ import annotations

import json
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
import snapset
from snapset.analysis.replay.experiment.inputs import Uniform
from snapset.analysis.replay.experiment.measurements import Comparison, Difference
from snapset.analysis.replay.machine.stack_profile import Profile
from snapset.cli.commands import replay_command
from snapset.cli.grammar.arguments import replay_parser
from snapset.cli.main import main
from snapset.frontend.base.diagnostics import InputError
from snapset.library.replay import parse_inputs
from snapset.pictures.plot import PlotArea, document, ticks
from snapset.pictures.stack_picture import HEIGHT, LEFT, RIGHT, TOP, WIDTH, draw, outline, thinned
from snapset.render.pages.replay_text import difference, write_replay
from snapset.render.records.replay_json import number

from tests.support.command import run
from tests.support.corpus import CORPUS

BURGERS = (CORPUS / "burgers_region.f90", "--head", "burgers(u)>(cost)")


def burgers(**more: Any) -> Comparison:
    return snapset.replay([str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)", **more)


# ---------------------------------------------------------------- text


def test_a_row_for_each_strategy_and_every_place() -> None:
    done = run("replay", *BURGERS, "--set", "n=6", "--set", "nsteps=3")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["inputs:", "u(6),", "n=6,", "nsteps=3,", "dt=1.3277"] in lines
    assert ["lazy", "yes", str(3 * 40), str(3 * 40), "same", "6", "0"] in [line[:7] for line in lines]
    assert ["line", "20", "-", "tape", "nu", "24", "in", "3", "-"] in lines


def test_necessity_in_text() -> None:
    done = run("replay", CORPUS / "if_arithmetic.f", "--head", "arith(x)>(y)", "--strategy", "lazy", "--necessity",
               "--save-intact")
    assert done.returncode == 0
    assert "0 of 1" in done.stdout
    assert "if_arithmetic.f:7, part arith@7: Snp a (8 bytes): its place still holds the right value" \
        in " ".join(done.stdout.split())


def test_many_places_only_with_verbose(tmp_path: Path) -> None:
    taped = "".join("  a = sin(a)*x\n" for _ in range(20))
    path = tmp_path / "many.f90"
    path.write_text(f"subroutine p(x, y)\n  real(8) :: x, y, a\n  a = x\n{taped}  y = a*a\nend subroutine p\n")
    result = snapset.replay([str(path)], "p(x)>(y)")
    assert "20 places save something; --verbose lists them" in write_replay(result)
    assert "line 17" in write_replay(result, verbose=True)


def test_a_difference_in_words() -> None:
    one = Difference("u", (2, 3), 0.25, float("nan"), 7)
    assert difference(one) == "the adjoint of u differs in 7 elements, first u(2,3): store-all 0.25, found nan"
    assert difference(Difference("x", (), 1.0, 2.0, 1)) == "the adjoint of x differs: store-all 1.0, found 2.0"


# ---------------------------------------------------------------- exit codes


# The second run draws another number, and so makes another array.
ANEW = """subroutine p(x, y)
  real(8) :: x, y, r
  real(8), allocatable :: w(:)
  !$AD CHECKPOINT-START
  call random_number(r)
  allocate (w(1 + int(1d6*r)))
  w = x*x
  !$AD CHECKPOINT-END
  y = sum(w*w)
end subroutine p
"""


def test_a_strategy_that_fails_is_a_finding() -> None:
    with NamedTemporaryFile("w", suffix=".f90") as file:
        file.write(ANEW)
        file.flush()
        done = run("replay", file.name, "--head", "p(x)>(y)", "--format", "json")
    assert done.returncode == 1
    lazy = json.loads(done.stdout)["strategies"]["lazy"]
    assert lazy["error"].endswith("a second run leaves something allocated otherwise than the first one did")
    assert (lazy["equal"], lazy["peak_bytes"], lazy["necessity"]) == (False, None, None)


@pytest.mark.sample(4)
@pytest.mark.parametrize(("arguments", "message"), [
    (("--set", "n"), "error: --set n: not NAME=VALUE, such as n=50, x=random or c%p=3.5"),
    (("--set", "n=many"), "error: --set n=many: 'many' is no number"),
    (("--set", "n=5", "--set", "n=6"), "error: --set gives n two values"),
    (("--set", "nn=5"), "error: 'nn' is no input of burgers; there are u, n, nsteps, dt, cost"),
    (("--set", "n=2.5"), "error: n is an integer of 4 bytes; 2.5 is none"),
    (("--set", "dt=random(2,1)"), "error: --set dt=random(2,1): 2 is above 1"),
    (("--set", "size(u)=x"), "error: --set size(u)=x: a size is a whole number"),
    (("--set", "size(u)=9"), "error: size(u) cannot be set: its declaration gives it"),
    (("--seed", "-3"), "error: argument --seed: -3: not a whole number"),
    (("--picture", "stack.png"), "error: --picture stack.png: pictures are drawn as SVG"),
    (("--picture", "nowhere/stack.svg"), "error: --picture nowhere/stack.svg: there is no directory nowhere"),
    (("--strategy", "lazy,Opt3+=zz"), "error: strategy 'Opt3+=zz': no part's Opt3 holds 'zz'"),
])
def test_bad_input_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = run("replay", *BURGERS, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1


def test_what_is_not_executed_is_refused_by_line() -> None:
    done = run("replay", CORPUS / "messages.f90", "--head", "spread(x)>(y)")
    assert done.returncode == 2
    done = run("replay", CORPUS / "pointers.f90", "--head", "aliased(x)>(y)")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_leaving_the_bounds_is_bad_input_by_line(tmp_path: Path) -> None:
    path = tmp_path / "out.f90"
    path.write_text("subroutine p(x, n, y)\n  integer :: n\n  real(8) :: x(3), y\n  y = x(n)**2\nend subroutine p\n")
    done = run("replay", path, "--head", "p(x)>(y)")
    assert done.returncode == 2
    assert done.stderr == (f"{path}:4:3: error: the program stopped on these inputs: subscript 5 is out of bounds: "
                           "dimension 1 of `x` goes from 1 to 3; choose others with --set\n")


def test_what_is_not_executed_is_no_fault_of_the_inputs(tmp_path: Path) -> None:
    path = tmp_path / "cut.f90"
    path.write_text("subroutine p(x, y)\n  real(8) :: x(3, 2), y\n  call q(x(1:2, :), y)\nend subroutine p\n"
                    "subroutine q(v, y)\n  real(8) :: v(4), y\n  y = v(1)*v(4)\nend subroutine q\n")
    done = run("replay", path, "--head", "p(x)>(y)")
    assert done.returncode == 2
    assert done.stderr == f"{path}:3:3: error: replay stops: an array section is passed that would have to be copied\n"


# ---------------------------------------------------------------- JSON


def test_json_has_every_key_of_the_contract() -> None:
    done = run("replay", *BURGERS, "--format", "json", "--set", "n=6")
    document = json.loads(done.stdout)
    assert document["schema"] == "snapset.replay/1"
    assert document["head"] == "burgers(u)>(cost)"
    assert document["reference"].keys() >= {"peak_bytes", "traffic_bytes", "primal_steps", "adjoint_steps"}
    assert list(document["strategies"]) == ["lazy", "eager"]
    for one in document["strategies"].values():
        assert one.keys() >= {"equal", "peak_bytes", "traffic_bytes", "predicted_peak_bytes",
                              "predicted_traffic_bytes", "recomputed_steps", "necessity"}
        assert (one["equal"], one["necessity"], one["superfluous"]) == (True, None, None)
        assert sum(place["bytes"] for place in one["spent"]) == one["traffic_bytes"]
    assert {"name": "n", "shape": [], "value": 6, "elements": None, "given": True,
            "unknown": False} in document["inputs"]
    assert document["diagnostics"] == []


def test_json_with_necessity() -> None:
    done = run("replay", CORPUS / "if_arithmetic.f", "--head", "arith(x)>(y)", "--necessity", "--format", "json",
               "--save-intact")
    lazy = json.loads(done.stdout)["strategies"]["lazy"]
    assert (lazy["necessity"], lazy["saved_locations"]) == (0.0, 1)
    (one,) = lazy["superfluous"]
    assert (one["part"], one["line"], one["kind"], one["location"], one["why"]) == (
        "arith@7", 7, "snp", "a", "unchanged")


def test_several_heads_are_an_array(tmp_path: Path) -> None:
    path = tmp_path / "two.f90"
    path.write_text("".join(f"subroutine {n}(x, y)\n real(8) :: x, y\n y = x*x\nend subroutine {n}\n" for n in "pq"))
    done = run("replay", path, "--head", "p(x)>(y) q(x)>(y)", "--format", "json")
    assert [one["head"] for one in json.loads(done.stdout)] == ["p(x)>(y)", "q(x)>(y)"]


def test_json_has_no_nan() -> None:
    assert [number(value) for value in (float("nan"), float("-inf"), 1.5, None)] == ["nan", "-inf", 1.5, None]


# ---------------------------------------------------------------- inputs


def test_what_set_says() -> None:
    inputs = parse_inputs(["N=50", "x = 3.5", "c%p=-1d-3", "c.q=2_8", "on=.FALSE.", "v=1,2.5", "w=random",
                           "z=random(-1,1)", "size(v)=2", "size(c%m) = 3, 4", "UPLO = 'U'", "names='aB','c, d'",
                           'mark="it\'s"'], 7)
    assert inputs.given == {"n": 50, "x": 3.5, "c%p": -1e-3, "c%q": 2, "on": False, "v": [1, 2.5], "w": Uniform(),
                            "z": Uniform(-1.0, 1.0), "uplo": "U", "names": ["aB", "c, d"], "mark": "it's"}
    assert isinstance(inputs.given["n"], int)
    assert inputs.sizes == {"v": (2,), "c%m": (3, 4)}
    assert inputs.seed == 7


@pytest.mark.parametrize("text", ["=5", "n=", "2n=5", "n=1e", "n=--1", "n=random(1)", "n=0x10", "n=nan", "c%=1",
                                  "c='a", "c='a',b"])
def test_what_set_does_not_say(text: str) -> None:
    with pytest.raises(InputError, match="--set"):
        parse_inputs([text])


@pytest.mark.wide
def test_another_seed_is_another_input_and_the_same_seed_the_same() -> None:
    first, again, other = (run("replay", *BURGERS, "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert first == again != other


# ---------------------------------------------------------------- picture


def test_the_picture_has_a_panel_for_each_strategy(tmp_path: Path) -> None:
    path = tmp_path / "stack.svg"
    done = run("replay", *BURGERS, "--picture", path)
    assert done.returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["stack.svg"]
    texts = [one.text for one in ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")]
    for text in ("Stack of burgers(u)>(cost)", "lazy", "eager", "burgers@13", "peak 160 bytes", "steps of the run",
                 "bytes on the stack"):
        assert text in texts


def test_the_picture_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "stack.svg"
    path.mkdir()
    done = run("replay", *BURGERS, "--picture", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{path}:1:1: error: not a file, so no picture can be written there\n"


def test_names_are_escaped_in_the_picture() -> None:
    result = burgers(choices=snapset.Choices(strategies="Opt3+=nu"), profile=True)
    assert "burgers(u)&gt;(cost)" in draw([result])
    ET.fromstring(draw([result]))


def test_a_failed_run_has_an_empty_panel() -> None:
    with NamedTemporaryFile("w", suffix=".f90") as file:
        file.write(ANEW)
        file.flush()
        result = snapset.replay([file.name], "p(x)>(y)", profile=True)
    ET.fromstring(draw([result]))
    assert "lazy: the gradient is wrong" in draw([result])


def test_the_curve_goes_through_every_bucket_s_highest_and_lowest() -> None:
    profile = Profile(10, (2, 3), (90, 20), (5, 5), 12, {}, {})
    scale = PlotArea(LEFT, WIDTH - RIGHT, TOP, TOP + HEIGHT, 20, 90)
    path = outline(profile, scale)
    for height in (90, 2, 5, 20, 3):
        assert f"V{scale.y(height):.1f}" in path


def test_ticks_are_round_and_few() -> None:
    assert ticks(240) == [0, 50, 100, 150, 200]
    assert ticks(1) == [0, 1]
    assert len(ticks(123_456_789)) <= 6


def test_a_long_picture_has_its_length() -> None:
    """1.23457e+06 is not what 1,234,567 is."""
    assert 'height="1234567"' in document(900, 1234567, [])
    assert 'height="12.5"' in document(900, 12.5, [])


def test_marks_that_would_hide_one_another_are_drawn_once() -> None:
    assert thinned([0, 1, 3, 4, 5, 9], 4) == [0, 4, 9]


# ---------------------------------------------------------------- library and help


def test_the_library_gives_what_the_command_prints() -> None:
    result = burgers(values={"N": 6}, seed=3, necessity=True)
    document = json.loads(run("replay", *BURGERS, "--set", "n=6", "--seed", "3", "--necessity", "--format", "json",
                              ).stdout)
    same = snapset.replay_document(result)
    for place in (*same["strategies"]["lazy"]["spent"], *same["strategies"]["eager"]["spent"]):
        assert place["file"] == str(CORPUS / "burgers_region.f90")
    assert same == document


def test_without_poison_a_right_plan_is_right_too() -> None:
    result = burgers(poison=False)
    assert result.equal
    assert result.runs[0].profile is None


@pytest.mark.parametrize(("arguments", "wanted"), [
    ((), (True, False, False)),
    (("--no-poison",), (False, False, False)),
    (("--poison", "--necessity"), (True, True, False)),
    (("--picture", "a.svg"), (True, False, True)),
])
def test_what_the_options_ask_for(arguments: tuple[str, ...], wanted: tuple[bool, bool, bool], tmp_path: Path,
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def record(*given: Any) -> Comparison:
        asked.append(given[4])
        return burgers(profile=True)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(replay_command, "replay_head", record)
    assert main(["replay", *map(str, BURGERS), *arguments]) == 0
    assert [(one.poison, one.necessity, one.profile) for one in asked] == [wanted]


def test_the_examples_of_the_help_are_valid() -> None:
    text = run("replay", "--help").stdout
    examples = [line.strip() for line in text.splitlines() if line.startswith("  snapset replay ")]
    assert len(examples) == 4
    for example in examples:
        replay_parser().parse_intermixed_args(shlex.split(example)[2:])
    sets = [shlex.split(line.split("   ")[0])[1] for line in text.splitlines()
            if line.startswith("  --set ") and "NAME=VALUE" not in line]
    assert len(sets) == 7
    assert parse_inputs(sets[:2]).given == {"n": 50, "x": [1, 2.5, 1e-3]}
    for one in sets:
        parse_inputs([one])
