"""``snapset completion``: what a shell has to know to complete commands, options and their values.

Written here and not by a package: shtab has no fish, argcomplete starts Python at every key. The scripts are made from
the same parsers that read the command line.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from snapset.cli.grammar.arguments import DEBUG, EXIT_CODES, Parser, command_parser

SHELLS = ("bash", "zsh", "fish")
_COMPLETION = """\
Prints a script that completes snapset's commands, options and their values in a shell. Files are completed where
nothing else fits."""

_COMPLETION_MORE = f"""\
examples:
  snapset completion bash > ~/.local/share/bash-completion/completions/snapset
  snapset completion zsh > ~/.zfunc/_snapset          # with fpath+=~/.zfunc before compinit
  snapset completion fish > ~/.config/fish/completions/snapset.fish

{EXIT_CODES}"""


def completion_parser() -> Parser:
    """``snapset completion``"""
    parser = command_parser("completion", _COMPLETION, _COMPLETION_MORE)
    parser.usage = f"snapset completion {{{','.join(SHELLS)}}}"
    parser.add_argument("shell", choices=SHELLS, help="for which shell")
    parser.add_argument(DEBUG, action="store_true", help="should snapset itself fail, print the traceback")
    return parser


def script(shell: str, parsers: Mapping[str, Parser]) -> str:
    """The script for one shell; ``parsers``: of all commands."""
    if shell == "fish":
        return "".join(f"{line}\n" for line in _fish(parsers))
    head = "#compdef snapset\nautoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return head + _bash(parsers)


def _options(parser: Parser) -> Iterator[argparse.Action]:
    return (one for one in parser._actions if one.option_strings)


def _choices(action: argparse.Action) -> list[str]:
    return [str(one) for one in action.choices or ()]


def _bash(parsers: Mapping[str, Parser]) -> str:
    """By command its options, by option its values; words in files' places are files."""
    lines = ["_snapset() {", '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=',
             "    local IFS=$' \\t\\n'", "    COMPREPLY=()", '    if [ "$COMP_CWORD" -eq 1 ]; then',
             f"        words={_quoted([*parsers, '--help', '--version'])}", "    else",
             '        case "${COMP_WORDS[1]} $before" in']
    for name, parser in parsers.items():
        for action in _options(parser):
            patterns = "|".join(_quoted([f"{name} {flag}"]) for flag in action.option_strings)
            if action.choices:
                lines.append(f"        {patterns}) words={_quoted(_choices(action))} ;;")
            elif action.nargs != 0:
                lines.append(f"        {patterns}) IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\")); return ;;")
    lines += ['        *) case "${COMP_WORDS[1]}" in']
    for name, parser in parsers.items():
        flags = [flag for action in _options(parser) for flag in action.option_strings]
        places = [one for action in parser._actions if not action.option_strings for one in _choices(action)]
        lines.append(f"            {name}) words={_quoted([*places, *flags])} ;;")
    lines += ["            esac ;;", "        esac", "    fi", '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
              '    if [ ${#COMPREPLY[@]} -eq 0 ] && [ "$COMP_CWORD" -gt 1 ]; then',
              '        IFS=$\'\\n\'; COMPREPLY=($(compgen -f -- "$word"))', "    fi", "}",
              "complete -o filenames -F _snapset snapset"]
    return "".join(f"{line}\n" for line in lines)


def _quoted(words: list[str]) -> str:
    text = " ".join(words)
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(parsers: Mapping[str, Parser]) -> Iterator[str]:
    yield f"complete -c snapset -n __fish_use_subcommand -f -a {_quoted([*parsers])}"
    for name, parser in parsers.items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for action in parser._actions:
            if action.option_strings:
                flags = " ".join(f"-l {one[2:]}" if one.startswith("--") else f"-s {one[1:]}" if len(one) == 2 else
                                 f"-o {one[1:]}" for one in action.option_strings)
                values = f" -xa {_quoted(_choices(action))}" if action.choices else " -r" if action.nargs != 0 else ""
                told = _quoted([" ".join((action.help or "").replace("%%", "%").split())])
                yield f"complete -c snapset {seen} {flags}{values} -d {told}"
            elif action.choices:
                yield f"complete -c snapset {seen} -f -a {_quoted(_choices(action))}"
