"""Writes the pages, and the parts of pages, that are made from records in the code: ``make docs``.

A test compares them, so that a page cannot lag behind. What the tutorial's commands print is such a part.
"""

from __future__ import annotations

import argparse
import enum
import inspect
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from snapset.analysis import analysis_options
from snapset.cli import main
from snapset.cli.commands import explained_rule
from snapset.cli.grammar.arguments import command_parser, common
from snapset.frontend.ir.intrinsic_table import DIGAMMA, FUNCTIONS, IS_OF_TYPE, SPECIFIC, IntrinsicFunction
from snapset.render.pages import dataflow_dump

DOCS = Path(__file__).resolve().parent

_INTRINSICS = """\
# Intrinsic functions

What is known of each: `v` is the function's own value in a derivative. Where there is no derivative, none passes \
(the value is piecewise constant, or no number); "reads all" means that no closed form is known here, so that the \
adjoint is taken to read every argument. A side (which argument of MAX won, the sign of ABS) may be recorded instead \
of what tells it. An inquiry reads no value. `snapset replay` refuses what it does not execute.

| function | derivatives | side | inquiry | replay |
|---|---|---|---|---|
"""


def _intrinsics() -> str:
    rows = [f"| `{one.name}({', '.join(one.arguments)})` | {_derivatives(one)} | {'yes' if one.sided else ''} | "
            f"{'yes' if one.inquiry else ''} | {'yes' if one.machine else ''} |"
            for one in sorted(FUNCTIONS.values(), key=lambda one: one.name) if one.name not in (IS_OF_TYPE, DIGAMMA)]
    generic: dict[str, list[str]] = {}
    for name, specific in sorted(SPECIFIC.items()):
        generic.setdefault(specific.generic, []).append(name)
    listed = "\n".join(f"| `{name}` | {', '.join(f'`{one}`' for one in names)} |"
                       for name, names in sorted(generic.items()))
    return (_INTRINSICS + "\n".join(rows) + "\n\n## Specific names\n\nThey become the generic name when a program is "
            "read, with the result their own name gives; `amax0(i, j)` becomes `real(max(i, j))`.\n\n"
            f"| generic | specific |\n|---|---|\n{listed}\n")


def _derivatives(function: IntrinsicFunction) -> str:
    if function.flat:
        return ""
    if function.extreme:
        return f"1 for the first that is `{function.extreme}` all others"
    if function.partials is None:
        return "reads all"
    if function.transposed:
        reads = sorted({one for text in function.partials.values() for one in text.split(", ")} - {"", "1.0"})
        return f"transposed map ({function.transposed})" + (f", reads {', '.join(f'`{one}`' for one in reads)}"
                                                           if reads else "")
    return "; ".join(f"by {name}: `{text}`" for name, text in function.partials.items())


def _project() -> str:
    """docs/project.md, in its table a row for each option of the analysis that the project file may give."""
    records = {name.replace("_", "-"): one for name, one in analysis_options.records().items() if one.key}
    lines = [line for line in (DOCS / "project.md").read_text().splitlines()
             if not any(line.startswith(f"| `{key}` |") for key in records)]
    last = next(n for n, line in enumerate(lines) if line.startswith("| `regions` |"))
    rows = [f"| `{key}` | {one.key} | {f'`{one.flag}`' if one.flag else ''} |" for key, one in records.items()]
    return "\n".join([*lines[:last + 1], *rows, *lines[last + 1:]]) + "\n"


def _tutorial() -> str:
    """docs/tutorial.md, with what its commands print, one after the other in one folder."""
    text = (DOCS / "tutorial.md").read_text()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").mkdir()
        for name in ("corpus", "docs/examples"):
            (Path(folder) / name).symlink_to(DOCS.parent / name)
        return re.sub(r"(?<=^```console\n)(.*?)(?=^```$)", lambda block: "".join(_printed(block[1], folder)), text,
                      flags=re.MULTILINE | re.DOTALL)


def _printed(block: str, folder: str) -> Iterator[str]:
    """The commands of a block, each with its output. Raises CalledProcessError where one fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for line in block.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(["bash", "-c", line[2:]], cwd=folder, capture_output=True, text=True, check=False,
                                  env={**os.environ, "PATH": path, "COLUMNS": "80"})
            if done.returncode != 1:  # 1: it has found what the page shows
                done.check_returncode()
            yield f"{line}\n{done.stdout}"


def _sweeps() -> str:
    """The picture of the first page."""
    from snapset import Choices, report
    from snapset.pictures import sweep_picture

    file = str(DOCS.parent / "corpus" / "burgers_region.f90")
    burgers = report([file], "burgers(u)>(cost)", Choices(strategies="lazy"))
    named = replace(burgers.parts[0], file="burgers_region.f90")
    return sweep_picture.draw([(burgers, [named])])


_COMMANDS = """\
# The commands

What `snapset COMMAND --help` prints, by command; made from the same texts. Every command that reads Fortran takes the \
options under [common options](#common-options) too. Exit codes: 0 nothing to complain of, 1 findings, 2 unusable \
input or command line (one line on stderr), 3 a bug in snapset.

"""


def _commands() -> str:
    """docs/commands.md: from the parsers, whatever argparse's own layout is."""
    shared = command_parser("", "", "")
    common(shared)
    flags = {tuple(one.option_strings) for one in shared._actions if one.option_strings}
    pages = [_COMMANDS]
    for name, (grammar, _) in main.command_table().items():
        parser = grammar()
        usage = parser.usage or f"snapset {name} [FILE...] [options]"
        more = (parser.epilog or "").partition("exit codes:")[0].rstrip()
        own = [one for one in parser._actions if not one.option_strings or tuple(one.option_strings) not in flags]
        pages.append(f"## snapset {name}\n\n{_code(usage)}\n{parser.description or ''}\n{_options(own)}\n"
                     f"{_code(more)}\n")
    pages.append("## Common options\n" + _options([one for one in shared._actions if one.dest != "help"]))
    return "".join(pages).rstrip("\n") + "\n"


def _code(text: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


def _options(actions: Sequence[argparse.Action]) -> str:
    rows = []
    for one in actions:
        if isinstance(one, argparse._HelpAction) or one.help == argparse.SUPPRESS:
            continue
        value = one.metavar or (f"{{{','.join(map(str, one.choices))}}}" if one.choices else one.dest.upper())
        shown = value if isinstance(value, str) else " ".join(value)
        names = ", ".join(one.option_strings) + (f" {shown}" if one.nargs != 0 else "") if one.option_strings else shown
        said = " ".join((one.help or "").replace("%%", "%").split()).replace("|", "\\|")
        rows.append(f"| `{names}` | {said} |".replace("`--real-kind, -r 4|8`", "`--real-kind, -r 4/8`").replace(
            "2|4|8`", "2/4/8`"))
    return "\n| option | what it does |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else ""


_API = """\
# All that `import snapset` gives

By name, made from the code: functions with what they take, then what they return, with its fields. [The library]\
(library.md) has it by example. `snapset.flow` and `snapset.dag` are modules; `help(snapset.flow)` prints theirs.

"""


def _api() -> str:
    """docs/api.md: signatures, fields and the first words of the docstrings."""
    import snapset

    public = [(name, getattr(snapset, name)) for name in snapset.__all__]
    functions = [f"### {name}\n\n{_code(f'snapset.{name}{_signature(one)}')}\n{_said(one)}\n"
                 for name, one in public if inspect.isfunction(one)]
    types = [f"### {name}\n\n{_said(one)}\n{_fields(one)}" for name, one in public if inspect.isclass(one)]
    return _API + "\n".join(["## Functions\n", *functions, "## Types\n", *types]).rstrip("\n") + "\n"


def _signature(one: Callable[..., object]) -> str:
    """A line for each argument where they are many."""
    whole = inspect.signature(one)
    plain = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", str(whole).replace("'", "").replace("mappingproxy({})", "{}"))
    if len(plain) < 80:
        return plain
    inside, _, result = plain[1:].rpartition(") -> ")
    arguments = re.split(r", (?=\*?\w+(?:: |,|=|$)|\*, )", inside)
    return "(\n" + "".join(f"    {each},\n" for each in arguments) + f") -> {result}"


def _said(one: object) -> str:
    """A docstring's text, without what is said of each argument."""
    text = inspect.cleandoc(one.__doc__ or "").partition("\n\nArgs:")[0]
    return re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", text) + "\n"


def _fields(kind: type) -> str:
    """The table of a record's fields, or an enumeration's values, and of what a class computes."""
    rows = [(name, f"`{type_}`") for name, type_ in getattr(kind, "__annotations__", {}).items()]
    if issubclass(kind, enum.Enum):
        rows = [(one.name, f"`{one.value}`") for one in kind]
    for name, made in vars(kind).items():
        made = getattr(made, "__func__", made)
        if isinstance(made, property):
            rows.append((name, _first(made)))
        elif inspect.isfunction(made):
            rows.append((f"{name}()", _first(made)))
    shown = [f"| `{name}` | {said} |".replace(" | None", " or None") for name, said in rows if not name.startswith("_")]
    return "\n| | |\n|---|---|\n" + "\n".join(shown) + "\n" if shown else ""


def _first(made: object) -> str:
    return _said(made).partition("\n")[0].replace("|", "\\|")


PAGES: Mapping[str, Callable[[], str]] = {
    "dataflow.md": dataflow_dump.page, "diagnostics.md": explained_rule.page, "intrinsics.md": _intrinsics,
    "project.md": _project, "sweeps.svg": _sweeps, "tutorial.md": _tutorial, "commands.md": _commands, "api.md": _api,
}  # fmt: skip

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page())
