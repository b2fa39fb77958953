"""What a program declares about its input: does it say something that can be?"""

from collections.abc import Iterator

from cepheid.algebra.programs import Program, Stream
from cepheid.algebra.validation.finding import finding
from cepheid.diagnostics import Diagnostic


def misdeclared(program: Program) -> Iterator[Diagnostic]:
    """Yield the declarations that no input can fit."""
    names = [stream.name for stream in program.streams]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield _refusal(f"the stream `{name}` is declared twice", "leave one of the two out")
    if program.tick < 1:
        yield _refusal(f"the tick is {program.tick} microseconds", "write `1 us` or longer")
    for stream in program.streams:
        yield from _stream(stream)


def _stream(stream: Stream) -> Iterator[Diagnostic]:
    arrival, name = stream.arrival, stream.name
    if arrival is not None and arrival.count < 1:
        yield _refusal(f"`{name}` comes at most {arrival.count} times", "count `1` or more")
    if arrival is not None and arrival.per < 1:
        yield _refusal(f"the rate of `{name}` is per {arrival.per} ticks", "measure it per `1 s`, for example")
    if stream.disorder < 0:
        yield _refusal(f"`{name}` comes at most {stream.disorder} ticks late", "write `0 s` or longer")
    if stream.keys is not None and stream.keys < 1:
        yield _refusal(f"the key of `{name}` has at most {stream.keys} values", "count `1` or more")


def _refusal(message: str, hint: str) -> Diagnostic:
    return finding("bad-declaration", message, None, hint)
