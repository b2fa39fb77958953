"""What the declarations of a text say about its streams and its tick."""

from collections.abc import Sequence
from dataclasses import replace

from cepheid.algebra.programs import Stream
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Span
from cepheid.languages.algebra.syntax import Declaration, Disorder, Keys, Rate, Restriction, Tick


def streams_of(declarations: Sequence[Declaration]) -> tuple[Stream, ...]:
    """Return one stream for each type that is declared, in the order of their first declaration."""
    streams: dict[str, Stream] = {}
    for declared in declarations:
        match declared:
            case Rate(name, arrival):
                streams[name.name] = replace(_known(streams, name.name), arrival=arrival)
            case Disorder(name, longest):
                streams[name.name] = replace(_known(streams, name.name), disorder=longest)
            case Keys(name, count):
                streams[name.name] = replace(_known(streams, name.name), keys=count)
            case Tick() | Restriction():
                pass
    return tuple(streams.values())


def tick_of(declarations: Sequence[Declaration]) -> int:
    """Return the declared tick, else one microsecond."""
    return next((declared.length for declared in declarations if isinstance(declared, Tick)), 1)


def policy_of(declarations: Sequence[Declaration]) -> str | None:
    """Return the declared policy, if there is one."""
    return next((declared.policy for declared in declarations if isinstance(declared, Restriction)), None)


def check_declarations(declarations: Sequence[Declaration]) -> None:
    """Raise where something is declared twice, or before it is clear what."""
    first: dict[object, Span] = {}
    for declared in declarations:
        subject = declared.type.name if isinstance(declared, Rate | Disorder | Keys) else None
        span = first.setdefault((type(declared), subject), declared.span)
        if span is not declared.span:
            raise _twice(declared, subject, span)


def _twice(declared: Declaration, subject: str | None, first: Span) -> CepheidError:
    word = declared.span.text.split()[0]
    what = f"`{word}`" if subject is None else f"the `{word}` of `{subject}`"
    labels = (Label(declared.span, "declared again"), Label(first, "first declared here"))
    return CepheidError(
        Diagnostic("bad-declaration", f"{what} is declared twice", labels, hints=("leave one of the two out",))
    )


def _known(streams: dict[str, Stream], name: str) -> Stream:
    return streams.get(name, Stream(name))
