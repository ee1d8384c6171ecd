"""The command as a process: Ctrl-C while its modules are read, files named by a pattern that no shell has resolved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from snapset.cli.main import main

STARTS = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.{handler})

class Presses:
    def find_spec(self, name, path=None, target=None):
        if name == "snapset.cli.main":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Presses())
from snapset.__main__ import run
sys.argv = ["snapset", "--version"]
run()
"""


@pytest.mark.skipif(os.name != "posix", reason="no process can press Ctrl-C for itself there")
@pytest.mark.parametrize(("handler", "code", "said"), [
    ("default_int_handler", -signal.SIGINT, b""), ("SIG_IGN", 0, b"snapset ")])
def test_ctrl_c_while_modules_are_read(handler: str, code: int, said: bytes) -> None:
    """It ends, as any program does, without a traceback; where the shell has it ignored it goes on."""
    done = subprocess.run([sys.executable, "-c", STARTS.format(handler=handler)], capture_output=True, check=False)
    assert (done.returncode, done.stdout[:8], done.stderr) == (code, said, b"")


def test_a_pattern_in_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                             capsys: pytest.CaptureFixture[str]) -> None:
    """src/*.f90 means what it would mean without the quotes, a file of that very name itself."""
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()
    text = "subroutine {name}(x)\n  real(8) :: x\n  {body}\nend subroutine\n"
    Path("src/f.f90").write_text(text.format(name="f", body="call g(x)"))
    Path("src/g.f90").write_text(text.format(name="g", body="x = x*x"))
    Path("src/notes.txt").write_text("none of them\n")
    Path("src/folder.f90").mkdir()
    for pattern in ("src/*.f90", "src/?.f90", "**/[fg].f90", "src/[f].f90"):
        assert main(["report", pattern, "--head", "f(x)>(x)", "--no-cache"]) == 0
        out, err = capsys.readouterr()
        assert ("SN301" in out + err) is (pattern == "src/[f].f90")
    Path("src/[g].f90").write_text(text.format(name="only", body="x = x*x"))
    assert main(["report", "src/[g].f90", "--head", "g(x)>(x)", "--no-cache"]) == 2
    assert "they hold: only" in capsys.readouterr().err
