"""The command `pinchtp completion`: scripts for shells that complete commands and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from shlex import quote

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.option_types import OneOf
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines
from pinchtp.shell.declarations import Flag, ProgramCommand, command_lines

DESCRIPTION = """\
Prints a script that completes commands, options and their values."""

EPILOG = """\
examples:
  pinchtp completion bash > ~/.local/share/bash-completion/completions/pinchtp
  pinchtp completion zsh > ~/.zfunc/_pinchtp       with fpath+=~/.zfunc before compinit
  pinchtp completion fish > ~/.config/fish/completions/pinchtp.fish

exit status:
  0    printed
  2    invalid command line
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    options = make_parser().parse_args(arguments)
    print_lines(SHELLS[options.shell](command_lines()))
    return ExitStatus.SUCCESS


def make_parser() -> Parser:
    """Returns the command line."""
    parser = Parser(prog="pinchtp completion", description=DESCRIPTION, epilog=EPILOG)
    shells = OneOf(tuple(SHELLS))
    parser.add_argument(
        "shell", type=arg_type(shells), metavar="|".join(SHELLS), help="shell of the script"
    )
    return parser


# --- bash

BASH = """\
_pinchtp() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words=
  case "${{COMP_WORDS[1]}}" in
{commands}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _pinchtp pinchtp"""


def bash(lines: Mapping[str, ProgramCommand]) -> str:
    cases = [_bash_case(line) for name, line in lines.items() if name]
    names = " ".join(name for name in lines if name)
    server = _bash_words(lines[""], f'[ "$COMP_CWORD" = 1 ] && words="{names} $words"')
    return BASH.format(commands="\n".join([*cases, f"    *)\n{server}      ;;"]))


def _bash_case(line: ProgramCommand) -> str:
    return f"    {line.name})\n{_bash_words(line)}      ;;"


def _bash_words(line: ProgramCommand, more: str = "") -> str:
    flags = list(line.flags())
    names = " ".join([*line.words(), *(name for flag in flags for name in flag.names)])
    values = "".join(
        f'        {"|".join(flag.names)}) words="{" ".join(flag.words)}" ;;\n'
        for flag in flags
        if flag.takes_value
    )
    text = f'      words="{names}"\n' + (f"      {more}\n" if more else "")
    return text + (f'      case "$before" in\n{values}      esac\n' if values else "")


# --- zsh

ZSH = """\
#compdef pinchtp
_pinchtp() {{
  local -a commands=(
{names}
  )
  case $words[2] in
{cases}
  esac
}}
_pinchtp "$@\""""


def zsh(lines: Mapping[str, ProgramCommand]) -> str:
    names = "\n".join(f"    {quote(f'{n}:{line.help}')}" for n, line in lines.items() if n)
    cases = "\n".join(
        f"    {name})\n      shift words; (( CURRENT-- ))\n      {_zsh_arguments(line)} ;;"
        for name, line in lines.items()
        if name
    )
    server = _zsh_arguments(lines[""])
    others = f"    *)\n      (( CURRENT == 2 )) && _describe command commands\n      {server} ;;"
    return ZSH.format(names=names, cases=f"{cases}\n{others}")


def _zsh_arguments(line: ProgramCommand) -> str:
    specs = [_zsh_flag(name, flag) for flag in line.flags() for name in flag.names]
    others = f"({' '.join(line.words())})" if line.words() else "_files"
    return " \\\n        ".join(["_arguments", *specs, f"'*:argument:{others}'"])


def _zsh_flag(name: str, flag: Flag) -> str:
    help = flag.help.translate({ord("["): "(", ord("]"): ")", ord(":"): ";"})
    value = ""
    if flag.takes_value:
        value = ":value:" + (f"({' '.join(flag.words)})" if flag.words else "_files")
    return quote(f"{name}[{help}]{value}")


# --- fish


def fish(lines: Mapping[str, ProgramCommand]) -> str:
    names = " ".join(name for name in lines if name)
    found = []
    for name, line in lines.items():
        here = f"__fish_seen_subcommand_from {name}"
        if name:
            found.append(
                f"complete -c pinchtp -n __fish_use_subcommand -a {name} -d {quote(line.help)}"
            )
        else:
            here = f"not __fish_seen_subcommand_from {names}"
        more = [_fish_flag(flag) for flag in line.flags()]
        more += [f"-x -a {quote(' '.join(line.words()))}"] * bool(line.words())
        found += [f"complete -c pinchtp -n {quote(here)} {each}" for each in more]
    return "\n".join(found)


def _fish_flag(flag: Flag) -> str:
    names = " ".join(
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names
    )
    value = ""
    if flag.takes_value:
        value = f" -x -a {quote(' '.join(flag.words))}" if flag.words else " -r"
    return f"{names}{value} -d {quote(flag.help)}"


SHELLS: dict[str, Callable[[Mapping[str, ProgramCommand]], str]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
}
