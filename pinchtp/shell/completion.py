"""The command `pinchtp completion`: scripts for shells that complete commands and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from shlex import quote

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.option_types import OneOf
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import print_lines
from pinchtp.shell.declarations import Flag, ProgramCommand, command_lines, commands_of

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
  case "${{COMP_WORDS[*]:1:COMP_CWORD-1}} " in
{commands}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _pinchtp pinchtp"""


def bash(lines: Mapping[str, ProgramCommand]) -> str:
    # The longest names first, since a command's pattern matches its commands, too.
    names = sorted(lines, key=lambda name: -len(name.split()))
    cases = [_bash_case(lines[name], commands_of(lines, name)) for name in names]
    return BASH.format(commands="\n".join(cases))


def _bash_case(line: ProgramCommand, commands: Sequence[str]) -> str:
    pattern = f"'{line.name} '*" if line.name else "*"
    place = 1 + len(line.name.split())
    more = f'[ "$COMP_CWORD" = {place} ] && words="{" ".join(commands)} $words"' if commands else ""
    return f"    {pattern})\n{_bash_words(line, more)}      ;;"


def _bash_words(line: ProgramCommand, more: str) -> str:
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
  local -a commands
  case "$words[2,CURRENT-1] " in
{cases}
  esac
}}
_pinchtp "$@\""""


def zsh(lines: Mapping[str, ProgramCommand]) -> str:
    names = sorted(lines, key=lambda name: -len(name.split()))
    return ZSH.format(cases="\n".join(_zsh_case(lines, name) for name in names))


def _zsh_case(lines: Mapping[str, ProgramCommand], name: str) -> str:
    words = len(name.split())
    case = ["*)"]
    if name:
        case = [f"'{name} '*)", f"  shift {words} words; (( CURRENT -= {words} ))"]
    if commands := commands_of(lines, name):
        helps = [(each, lines[f"{name} {each}".strip()].help) for each in commands]
        described = " ".join(quote(f"{each}:{help}") for each, help in helps)
        case += [f"  commands=({described})", "  (( CURRENT == 2 )) && _describe command commands"]
    return "\n".join(f"    {each}" for each in [*case, f"  {_zsh_arguments(lines[name])} ;;"])


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
    found = []
    for name, line in lines.items():
        here = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in name.split())
        if commands := commands_of(lines, name):
            outside = f"not __fish_seen_subcommand_from {' '.join(commands)}"
            here = f"{here}; and {outside}" if here else outside
        more = [f"-a {each} -d {quote(lines[f'{name} {each}'.strip()].help)}" for each in commands]
        more += [_fish_flag(flag) for flag in line.flags()]
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
