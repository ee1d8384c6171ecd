"""The ``snapset`` command: what is printed where, and exit codes. Heavy imports wait until they are needed."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from snapset.cli.grammar import arguments as options
from snapset.cli.grammar import (
    check_arguments,
    compare_arguments,
    dag_arguments,
    divide_arguments,
    explain_arguments,
    init_arguments,
    message_arguments,
    schedule_arguments,
    schema_arguments,
    shell_completion,
)
from snapset.frontend.base import visible_text

if TYPE_CHECKING:
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program

UNUSABLE = 2
INTERRUPTED = 130
UNWRAPPED = 100_000
"""Columns of a page that no terminal shows."""


def run() -> None:
    """The command as a process of its own, which ends without tidying up: the system takes all memory back at once.

    Nearly all that is made stays to the end, so looking for garbage often, and in the end, would take a fifth of the
    time. What is open is closed, and stdout flushed, by :func:`main`.
    """
    import gc

    from snapset.frontend.base.deep_recursion import deep

    gc.set_threshold(10_000_000, 1000, 1000)
    code = deep(main)()
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. What is unusable, or fails, is one line on stderr, never a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _command(given)
        _flush()
    except KeyboardInterrupt:
        return _complain("error: interrupted", INTERRUPTED)
    except OSError as error:
        name = f"{_path(error.filename)}: " if error.filename else ""
        return _complain(f"{name}error: {error.strerror or error}", UNUSABLE)
    except Exception as error:
        return _failed(error, given)
    return code


def _path(name: object) -> str:
    """A file's name as an error carries it."""
    return os.fsdecode(name) if isinstance(name, (str, bytes)) else str(name)


def _failed(error: Exception, arguments: list[str]) -> int:
    """What nobody foresaw."""
    from snapset import crash

    if crash.is_exhaustion(error):
        return _complain(crash.exhausted(error), UNUSABLE)
    return _complain(crash.described(error, arguments, options.DEBUG in arguments), crash.EXIT_CODE)


def _command(arguments: list[str]) -> int:
    if not arguments:
        return _complain("error: no command; try snapset report FILE... --head 'name(x)>(y)', or snapset --help", 2)
    command, rest = arguments[0], arguments[1:]
    if command in ("-h", "--help", "help"):
        _emit(options.TOP)
        return 0
    if command == "--version":
        from importlib.metadata import version

        _emit(f"snapset {version('snapset')}\n")
        return 0
    commands = command_table()
    if command not in commands:
        from snapset.frontend.base.nearest_name import nearest

        known = f"{', '.join(commands)}{nearest(command, commands)}"
        return _complain(f"error: {command}: no such command; there are {known}; see snapset --help", UNUSABLE)
    grammar, work = commands[command]
    if "-h" in rest or "--help" in rest:  # argparse's own would hide that it could not be written
        _emit(grammar().format_help())
        return 0
    from snapset.cli.grammar import contradictions
    from snapset.frontend.base.diagnostics import InputError

    try:
        parser = grammar()
        parsed = parser.parse_intermixed_args(rest)
        contradictions.refuse(command, parser, parsed)
        if getattr(parsed, "output", None) is not None:
            from snapset.cli.running import output_place

            output_place.check_directory(parsed.output)
        return work(parsed)
    except options.UsageError as error:
        return _complain(f"error: {error}; see snapset {command} --help", UNUSABLE)
    except InputError as error:
        return _complain(str(error), UNUSABLE)


def command_table() -> dict[str, tuple[Callable[[], options.Parser], Callable[[Namespace], int]]]:
    """By command the grammar of its line, and what does it."""
    return {
        "report": (options.report_parser, _report),
        "check": (check_arguments.check_parser, _check),
        "diff": (check_arguments.diff_parser, _diff),
        "replay": (message_arguments.replay_parser, _replay),
        "messages": (message_arguments.messages_parser, _messages),
        "dag": (dag_arguments.dag_parser, _dag),
        "schedule": (schedule_arguments.schedule_parser, _schedule),
        "divide": (divide_arguments.divide_parser, _divide),
        "verify": (options.verify_parser, _verify),
        "explain": (explain_arguments.explain_parser, _explain),
        "compare": (compare_arguments.compare_parser, _compare),
        "init": (init_arguments.init_parser, _init),
        "schema": (schema_arguments.schema_parser, _schema),
        "completion": (shell_completion.completion_parser, _completion),
    }


# ---------------------------------------------------------------- commands


def _report(parsed: Namespace) -> int:
    if parsed.dump:
        return _dump(parsed)
    settings = _settle(parsed)
    from snapset.cli.commands import report_command

    text, code, said = report_command.run(settings, parsed, _terminal, _no_head)
    return _told(settings.quiet, said, text, parsed, code)


def _dump(parsed: Namespace) -> int:
    from snapset.cli.commands import dump_command

    text = dump_command.names_only(parsed)
    _deliver(dump_command.run(_settle(parsed), parsed, _no_head) if text is None else text, parsed)
    return 0


def _check(parsed: Namespace) -> int:
    settings = _settle(parsed)
    from snapset.cli.commands import check_command

    text, code, said = check_command.run(settings, parsed, _no_head)
    return _told(settings.quiet, said, text, parsed, code)


def _diff(parsed: Namespace) -> int:
    from snapset.cli.commands import diff_command
    from snapset.cli.running import output_place

    output_place.spare(parsed.output, parsed.files)
    text, code, said = diff_command.run(parsed, _no_head)
    return _told(parsed.quiet, said, text, parsed, code)


def _replay(parsed: Namespace) -> int:
    message_arguments.check_replay(parsed)
    if parsed.divide:
        return _divide(parsed)
    if parsed.ranks is not None:
        return _messages(parsed, whole=False)
    settings = _settle(parsed)
    from snapset.cli.commands import loop_replay_command, replay_command

    run = loop_replay_command.run if parsed.schedule else replay_command.run
    text, code, said = run(settings, parsed, _terminal, _no_head)
    return _told(settings.quiet, said, text, parsed, code)


def _schedule(parsed: Namespace) -> int:
    settings = _settle(parsed)
    from snapset.cli.commands import schedule_command

    text, said = schedule_command.run(settings, parsed, _terminal, _no_head)
    return _told(settings.quiet, said, text, parsed, 0)


def _messages(parsed: Namespace, whole: bool = True) -> int:
    settings = _settle(parsed)
    from snapset.cli.commands import messages_command

    text, code, said = messages_command.run(settings, parsed, _terminal, _no_head, whole)
    return _told(settings.quiet, said, text, parsed, code)


def _dag(parsed: Namespace) -> int:
    settings = _settle(parsed)
    from snapset.cli.commands import dag_command

    text, code, said = dag_command.run(settings, parsed, _terminal, _no_head)
    return _told(settings.quiet, said, text, parsed, code)


def _divide(parsed: Namespace) -> int:
    settings = _settle(parsed)
    from snapset.cli.commands import divide_command

    text, code, said = divide_command.run(settings, parsed, _terminal, _no_head)
    return _told(settings.quiet, said, text, parsed, code)


def _verify(parsed: Namespace) -> int:
    from snapset.cli.commands import verify_command

    text, code = verify_command.run(parsed, _terminal)
    _deliver(text, parsed)
    return code


def _explain(parsed: Namespace) -> int:
    from snapset.cli.commands import explain_command

    if parsed.at is None:
        _deliver(explain_command.of_codes(parsed, _terminal), parsed)
    else:
        settings = _settle(parsed)
        text, said = explain_command.run(settings, parsed, _prose, _no_head)
        return _told(settings.quiet, said, text, parsed, 0)
    return 0


def _compare(parsed: Namespace) -> int:
    adjoints = compare_arguments.adjoints(parsed)
    settings = _settle(parsed, adjoints)
    from snapset.cli.commands.comparing import compare_command

    text, code, said = compare_command.run(settings, parsed, adjoints, _prose, _no_head)
    return _told(settings.quiet, said, text, parsed, code)


def _init(parsed: Namespace) -> int:
    from pathlib import Path

    from snapset.cli.commands.starting import init_command

    _emit(init_command.run(parsed, Path.cwd()), parsed.format)
    return 0


def _schema(parsed: Namespace) -> int:
    from snapset.cli.commands.starting import schema_command

    _emit(schema_command.run(parsed, _terminal), parsed.format)
    return 0


def _completion(parsed: Namespace) -> int:
    _emit(shell_completion.script(parsed.shell, {name: grammar() for name, (grammar, _) in command_table().items()}))
    return 0


def _settle(parsed: Namespace, inputs: Sequence[str] = ()) -> Settings:
    """``inputs``: further files that are read."""
    from pathlib import Path

    from snapset.cli.running import output_place
    from snapset.config.settings import settle

    path = getattr(parsed, "output", None)
    settings = settle(parsed, Path.cwd())
    output_place.spare(path, (*settings.files, *inputs, settings.project, str(settings.baseline)))
    return settings


def _no_head(program: Program) -> Exception:
    from snapset.frontend.base.diagnostics import InputError

    every = sorted(program.procedures.values(), key=lambda one: (one.span, one.key))
    found = [f"{one.key.replace('::', '%')}({', '.join(one.formals)})" for one in every]
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    return InputError(
        "no head given: say what to differentiate with --head 'procedure(independents)>(dependents)', or heads in the "
        "project file (snapset.toml, or [tool.snapset] in pyproject.toml); procedures found: "
        f"{', '.join(found[:8]) or 'none'}{more}"
    )


def _told(quiet: bool, said: Sequence[str], text: str, parsed: Namespace, code: int) -> int:
    """Notes and the answer; what the command comes to."""
    _note(quiet, said)
    _deliver(text, parsed)
    return code


def _note(quiet: bool, said: Sequence[str]) -> None:
    for one in said if not quiet else ():
        print(visible_text.visible_line(f"note: {one}"), file=sys.stderr)


# ---------------------------------------------------------------- output


def _terminal() -> tuple[int, bool, bool]:
    """Of stdout: width, colour, and whether to draw with ASCII only."""
    from shutil import get_terminal_size

    stream = _stdout()
    tty = stream.isatty()
    colour = tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "")
    encoding = (stream.encoding or "ascii").lower().replace("-", "")
    return get_terminal_size((80, 24)).columns, colour, not encoding.startswith("utf")


def _prose() -> tuple[int, bool, bool]:
    """The same for sentences and quoted lines: where no terminal is, and no width is asked for, nothing is wrapped."""
    width, colour, plain = _terminal()
    return width if "COLUMNS" in os.environ or _stdout().isatty() else UNWRAPPED, colour, plain


def _deliver(text: str, parsed: Namespace) -> None:
    """To stdout, or to the file that is asked for."""
    path = getattr(parsed, "output", None)
    if path is None:
        _emit(text, parsed.format)
        return
    from pathlib import Path

    from snapset import atomic_file

    atomic_file.save(Path(path), _safe(text, parsed.format, False), "output")


def _emit(text: str, form: str = "text") -> None:
    """To stdout. A reader that has had enough (``| head``) is no error; a full disk is (OSError)."""
    stream = _stdout()
    text = _safe(text, form, stream.isatty())
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding))
    except BrokenPipeError:
        _silence()


def _safe(text: str, form: str, terminal: bool) -> str:
    """What a terminal or a log shows, and does not obey."""
    if form in ("json", "sarif"):
        return visible_text.document(text)
    return visible_text.workflow_commands(text) if form == "github" else visible_text.page(text, terminal)


def _stdout() -> TextIO:
    if sys.stdout is None:  # the shell's >&-
        raise OSError(9, "stdout is closed")
    return sys.stdout


def _flush() -> None:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _silence()


def _silence() -> None:
    """Nothing more can be written to stdout: let the interpreter's own flush at exit go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, code: int) -> int:
    """One line on stderr; what stdout still holds, and cannot take, is dropped."""
    try:
        print(visible_text.page(visible_text.visible_line(" ".join(message.split()))), file=sys.stderr)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _silence()
    return code
