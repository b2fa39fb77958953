"""Kinds are checked where pipes are joined: what one gives must be what the other can take."""

from collections.abc import Sequence

from cepheid.algebra.graphs import doors
from cepheid.algebra.graphs.kinds import ANY, KINDS, Kinds, KindsDisagreeError, agree, kind_name, outputs_kinds
from cepheid.algebra.graphs.processors import Atom, Beside, Chain, Fan, InContext, OfKinds, Processor, short
from cepheid.algebra.graphs.refusals import refusal
from cepheid.diagnostics import CepheidError, Diagnostic, close_match

_HINT = "turn the values into what is needed, as in `p.apply(p.number)`"


def gives(processor: Processor) -> Kinds:
    """Return the kinds of the outputs of a processor, as far as they are known."""
    if processor.kinds is None:
        object.__setattr__(processor, "kinds", transferred(processor, (ANY,) * processor.inputs))
    return processor.kinds or ()


def transferred(processor: Processor, inputs: Sequence[str]) -> Kinds:
    """Return the kinds of the outputs for inputs of some kinds, or raise where those cannot be."""
    match processor:
        case Atom(operation=operation):
            return outputs_kinds(operation, tuple(inputs))
        case Chain(first=first, second=second):
            is_open = all(kind == ANY for kind in inputs)
            return transferred(second, gives(first) if is_open else transferred(first, inputs))
        case Fan(parts=parts) | Beside(parts=parts):
            return _side_by_side(processor, parts, inputs)
        case OfKinds(inner=inner, declared=declared):
            return transferred(inner, _declared(processor, declared, inputs))
        case InContext(inner=inner):
            return transferred(inner, inputs)
        case _:
            return (ANY,) * processor.outputs


def _side_by_side(processor: Processor, parts: Sequence[Processor], inputs: Sequence[str]) -> Kinds:
    is_open = all(kind == ANY for kind in inputs)
    found: Kinds = ()
    taken = 0
    for part in parts:
        first = taken if isinstance(processor, Beside) else 0
        found += gives(part) if is_open else transferred(part, inputs[first : first + part.inputs])
        taken += part.inputs
    return found


def _declared(processor: Processor, declared: Sequence[str], inputs: Sequence[str]) -> list[str]:
    for place, (one, other) in enumerate(zip(inputs, declared, strict=True)):
        if not agree(one, other):
            raise KindsDisagreeError(
                f"input {place} is declared to be of kind {other}, and what comes is of kind {one}"
            )
    return [other if one == ANY else one for one, other in zip(inputs, declared, strict=True)]


def check_join(joined: Processor) -> None:
    """Refuse a join of pipes whose kinds cannot agree, and remember what a sound one gives."""
    if not isinstance(joined, Chain):
        return
    try:
        given = gives(joined.first)
    except KindsDisagreeError as error:
        raise _never_right(joined.first, error) from None
    try:
        object.__setattr__(joined, "kinds", transferred(joined.second, given))
    except KindsDisagreeError as error:
        raise _refused(joined, given, error) from None


def check_kinds(kinds: Sequence[str | type], inputs: int) -> tuple[str, ...]:
    """Return declared kinds by their names, or refuse those that are none."""
    if len(kinds) != inputs:
        raise refusal(f"{len(kinds)} kinds are declared for {inputs} inputs", "declare one for each input")
    for kind in kinds:
        if isinstance(kind, str) and kind not in KINDS:
            raise refusal(f"there is no kind `{kind}`", f'write `"{close_match(kind, KINDS) or ANY}"`')
    return tuple(map(kind_name, kinds))


def _never_right(processor: Processor, error: KindsDisagreeError) -> CepheidError:
    return CepheidError(
        Diagnostic("kinds-disagree", f"`{short(processor)}` takes no input: {error.args[0]}", hints=(_HINT,))
    )


def _refused(joined: Chain, given: Kinds, error: KindsDisagreeError) -> CepheidError:
    message = (
        f"`{short(joined.first)}` gives {_told(given)}, which `{short(joined.second)}` cannot take: {error.args[0]}"
    )
    return CepheidError(Diagnostic("kinds-disagree", message, hints=(_HINT,)))


def _told(kinds: Kinds) -> str:
    return " and ".join(kinds) or "nothing"


doors.check_joins(check_join, check_kinds)
