"""READ and WRITE of internal files: deterministic assignments, whose kills and uses are those of the characters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot
from snapset.analysis.replay.texts.edit_descriptors import edits
from snapset.analysis.replay.texts.record_reader import RecordReader
from snapset.analysis.replay.texts.record_writer import RecordWriter
from snapset.frontend.load import load_text

from tests.analysis.replay.texts.test_characters import DECLARED, START
from tests.support.judged import judge, routine

HEAD = "s(x)>(y)"
BODIES = {
    "a number and back": "write (c, '(i8)') turn\nread (c, '(i8)') i\nt = t*a(i)\nc = ' '",
    "reals read": "c = '1.25 2'\nread (c, *) t, i\na(i) = a(i)*t\nt = t + x(1)",
    "formatted reals": "d = '12345.5 '\nread (d, '(f3.1, f5.0)') t, b(1, k)\nb(2, k) = b(2, k)*t*x(2)\nt = t*x(3)",
    "arrays and implied DO": "d = '1 .5 2 3'\nread (d, *) a(2), (b(i, 2), i = 1, 2)\na(3) = a(3)*b(1, 2)\n"
                             "a(1) = a(1)*x(i)\nread (d(6:), *) a(4:5)\nt = t*a(4)*b(2, 2)",
    "a name from a number": "write (c, '(a, i2.2, a)') 'f', k, '.d'\nif (c == 'f02.d') t = t*a(2)\n"
                            "write (d(2:6), fmt='(i0, 1x, l1)') 10*turn, k > 1\nif (index(d, 'T') > 0) t = sin(t)",
    "status": "c = 'abc'\nread (c, *, iostat=i) t\nif (i /= 0) t = x(1)*x(2)\nc = ' 7'\nread (c, 10, iostat=i) k\n"
              "10 format (i3)\nt = t*k*(i + 1)\nk = 1",
    "null values": "d = ',,7'\nt = t*x(1)\nread (d, *) t, a(1), i\nt = t*i",
    "carried": "write (d, '(2i4)') turn, k\nif (turn > 1) then\nread (d(5:), *) i\nt = t*a(i)\nend if\n"
               "read (d, '(i4)') i\na(i) = a(i)*t",
    "jumps": "c = 'abc'\nread (c, *, err=10) t\nt = t*3\n10 continue\nc = ' '\nread (c, *, end=20, err=30) i\n"
             "t = t*i\n20 t = t*x(1)\nread (d(2:1 + turn), '(i3)', iostat=i, err=30) k\nk = 1\nt = t*i\n"
             "30 continue\nk = 1\nt = t + x(2)*a(1)",
    "reals written": "write (page(1), *) 0.25d0*turn, 1.5\nread (page(1), *) b(1, k), b(2, k)\nt = t*x(1)*b(1, k)\n"
                     "write (page(1), '(g12.4, 1x, 1p, e12.4, 2x, f7.3)') 0.5d0, -3d-7, 2d0\n"
                     "read (page(1), '(g12.4, tr1, e12.0, t26, f9.2)') a(1:3)\na(4) = a(4)*a(1) + a(2) + a(3)*x(1)",
    "records": "write (page, '(i4, f8.3, /, sp, i4, s, (f8.3))') turn, 2.5d0, 3, (0.5d0*i, i = 1, 2)\n"
               "read (page, '(i4, f8.3)') i, a(1), k, a(2), k, a(3)\nk = 1\na(4) = a(4)*i*a(1) + a(2) - a(3)\n"
               "read (page(2:3), *) a(5)\nt = t*a(5)",
    "nested implied DO": "write (page(2), '(*(i3))') ((10*i + kk, kk = 1, i), i = 1, 3)\n"
                         "read (page(2), '(6i3)') ((m(i, kk), kk = 1, i), i = 1, 3)\n"
                         "t = t*x(1)*m(3, 2)*0.01d0 + m(2, 1)*kk*i",
    "places that are read": "d = '3 2.5 .5'\nread (d, *) i, a(i), b(1, i)\nt = t*a(3)*b(1, 3)\n"
                            "d = '2 7.5 .5'\nread (d, *) i, (a(2*kk), kk = 1, i)\nt = t*a(2)*x(4)*a(4)",
    "complex and logical": "z = cmplx(x(1), 1, 8)\npage(1) = '(1.5,-2) T 2*.false.'\nread (page(1), *) z, l\n"
                           "if (l(1) .and. .not. l(3)) t = t*x(1)*real(z)\nwrite (page(1), *) l(1:2), z\n"
                           "if (index(page(1), '(1.5') > 0) t = t*len_trim(page(1))*0.1d0",
    "a computed format": "write (c, '(a, i1, a)') '(f', 3 + turn, '.1)'\nwrite (page(3), c) 2.25d0 + turn\n"
                         "read (page(3), c) a(2)\nt = t*a(2)*x(1)*len_trim(page(3))",
    "characters read": "d = 'two sin'\nread (d, *) names(1), names(2)\nif (names(1) == 'two') t = t*x(2)\n"
                       "read (d, '(4x, a3)') c\nif (c == names(2)) t = t*a(1)",
}

MORE = "\n  character(70) :: page(3)\n  integer :: kk, m(3, 3)\n  complex(8) :: z\n  logical :: l(3)"


def program(body: str, marked: bool) -> str:
    return routine(body, DECLARED + MORE, marked, turns=3).replace("  k = 1\n  do", f"{START}\n  k = 1\n  do", 1)


@pytest.mark.sample(6)
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("what", BODIES)
def test_internal_files_are_executed(what: str, marked: bool, tmp_path: Path) -> None:
    text = program(BODIES[what], marked)
    judge(text, HEAD, tmp_path, Inputs({"n": 6}))
    (head,) = parse_heads(HEAD)
    said = {one.code for part in analyse(load_text(text), head).parts for one in part.diagnostics}
    assert not said, "nothing of it is another record in the second run"


def test_a_write_kills_the_whole_variable_and_a_list_directed_read_nothing() -> None:
    """Nobody needs the old c behind a WRITE to all of it; null values may leave an item."""
    (head,) = parse_heads(HEAD)
    text = program("write (c, '(i3)') turn\nread (c, *) i\nif (c == ' 2') t = t*a(1)", True)
    model = __import__("snapset.analysis.pipeline", fromlist=["prepare"]).prepare(load_text(text), head).models
    found = next(iter(model.by_key.values()))
    names = found.space.names
    by_action = {n.stmt.action: found.effects[n.index] for n in found.flow.nodes if hasattr(n.stmt, "action")}
    assert names(by_action["write"].kill) == ("c",)
    assert names(by_action["write"].use) == ("turn",)
    assert names(by_action["read"].kill) == ()
    assert names(by_action["read"].use) == ("c",)


@pytest.mark.parametrize(("form", "value", "text"), [
    ("(f8.3)", 3.14159, "   3.142"), ("(f5.3)", 0.125, "0.125"), ("(f4.3)", 0.125, ".125"), ("(f3.1)", 123.0, "***"),
    ("(e12.4)", 0.00123, "  0.1230E-02"), ("(es10.2)", -1234.5, " -1.23E+03"), ("(e11.3e3)", 1.5, " 0.150E+001"),
    ("(d10.3)", 2.5, " 0.250D+01"), ("(i5.3)", -7, " -007"), ("(i0, 'k')", 12, "12k"), ("(2x, l3)", np.True_, "    T"),
    ("(es12.3)", 1e-120, "   1.000-120"), ("(a5)", b"ab", "   ab"), ("(a1)", b"ab", "a"),
    ('("it""s ", i1)', 4, 'it"s 4'),
])
def test_edit_descriptors(form: str, value: object, text: str) -> None:
    """Widths as the standard has them; gfortran's values stand in the programs above."""
    record = RecordWriter(edits(form), len(text))
    record.put(np.float64(value) if isinstance(value, float) else np.int32(value) if type(value) is int else value)
    assert record.done() == [text.encode()]


def test_a_record_that_is_too_short_ends_the_run() -> None:
    record = RecordWriter(edits("(i5)"), 4)
    with pytest.raises(ReplayError, match="beyond the end"):
        record.put(np.int32(3))
    slot = Slot(np.zeros(()), None, ())
    with pytest.raises(ReplayError, match="the end of"):
        RecordReader([b"   "], None).take(slot, ())
