"""Pipes that stand in a file of Python: `pipe.py:hopping` is the processor of that name in it.

The file is run, as any program that a user starts.
"""

import re
import runpy
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.api import processors as processors  # with the engine to run them
from cepheid.diagnostics import CepheidError, Diagnostic, close_match, unreadable
from cepheid.events import plain_json
from cepheid.palettes.documents import json_lines
from cepheid.palettes.texts import csv, lines

_NAMED: Final = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)")


def names_a_pipe(argument: str) -> bool:
    """Say whether an argument is a pipe in a file of Python.

    >>> names_a_pipe("pipe.py:hopping"), names_a_pipe("alarm.alg")
    (True, False)
    """
    return _NAMED.fullmatch(argument) is not None


def pipe_named(argument: str) -> Processor:
    """Return the processor that an argument names."""
    match = _NAMED.fullmatch(argument)
    assert match is not None
    file, name = match["file"], match["name"]
    if not Path(file).is_file():
        raise unreadable(file, "there is no such file")
    found = runpy.run_path(file)
    pipes = [key for key, value in found.items() if isinstance(value, Processor)]
    if name not in pipes:
        closest = close_match(name, pipes) or next(iter(pipes), "hopping")
        message = f"`{file}` has no processor `{name}`"
        raise CepheidError(Diagnostic("bad-pipe", message, hints=(f"write `{file}:{closest}`",)))
    processor = found[name]
    assert isinstance(processor, Processor)
    return processor


def outputs_of(processor: Processor, files: Iterable[str]) -> Iterator[object]:
    """Yield what a pipe gives over files, one for each of its inputs, as JSON can say it."""
    named = list(files) if processor.inputs else []
    if len(named) != processor.inputs:
        message = f"the pipe has {processor.inputs} inputs, and there are {len(named)} files"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=("name each with `--input`",)))
    # A file has an end; whether standard input may go on for ever is decided by whoever reads it.
    for output in processor.pull(*(_source(file).pull() for file in named), allow_unbounded=True):
        yield plain_json(_plain(output))


def _source(file: str) -> Processor:
    if file == "-":
        return json_lines(sys.stdin.buffer)
    readers = {".csv": csv, ".txt": lines, ".log": lines}
    return readers.get(Path(file).suffix, json_lines)(file)


def _plain(value: Thing) -> Thing:
    """Return sets as lists in order, so that the same set is told in the same way."""
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    return {name: _plain(item) for name, item in value.items()} if isinstance(value, dict) else value
