"""The format of `.case` files: commands with what goes in and what comes out.

    # remarks stand between the cases
    <command> <arguments>
    input, any number of lines
    ----
    output, up to an empty line

Output with empty lines in it stands between two double rules, each `----` twice.
"""

from collections.abc import Callable, Mapping
from itertools import takewhile

from cepheid.diagnostics import CepheidError

Command = Callable[[str, str], str]  # arguments, input -> output

_RULE = "----"


def rewritten(text: str, commands: Mapping[str, Command]) -> str:
    """The case file with the output that its commands give now."""
    lines = text.removesuffix("\n").split("\n")
    result: list[str] = []
    while lines:
        if not lines[0].strip() or lines[0].startswith("#"):
            result.append(lines.pop(0))
        else:
            result.extend(_rewritten_case(lines, commands))
    return "".join(f"{line}\n" for line in result)


def _rewritten_case(lines: list[str], commands: Mapping[str, Command]) -> list[str]:
    """Take one case off the front of `lines` and return it with its present output."""
    if _RULE not in lines:
        raise ValueError(f"no `{_RULE}` after the command `{lines[0]}`")
    head = _take(lines, lines.index(_RULE))
    _take(lines, _length_of_output(lines))
    name, _, arguments = head[0].partition(" ")
    output = _output(commands[name], arguments, "\n".join(head[1:])).rstrip("\n").split("\n")
    return [*head, _RULE, _RULE, *output, _RULE, _RULE] if "" in output else [*head, _RULE, *output]


def _take(lines: list[str], count: int) -> list[str]:
    taken = lines[:count]
    del lines[:count]
    return taken


def _length_of_output(lines: list[str]) -> int:
    """How many lines the old output takes, from its rule on."""
    if lines[1:2] != [_RULE]:
        return len(list(takewhile(bool, lines)))
    for index in range(2, len(lines)):
        if lines[index : index + 2] == [_RULE, _RULE]:
            return index + 2
    raise ValueError(f"no `{_RULE}` twice after the output that starts with it twice")


def _output(command: Command, arguments: str, text: str) -> str:
    """What the command says; an error is as good an output as any."""
    try:
        return command(arguments, text)
    except CepheidError as error:
        return str(error)
