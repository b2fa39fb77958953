"""Why a pipe keeps something for ever, in the words of the pipe, and what to write instead."""

from cepheid.algebra.pipes import Detect, Fold, Gate, Pipe, Resample, Slice, Source, Verdict
from cepheid.algebra.text import show
from cepheid.analysis.bounds.bounds import Unbounded
from cepheid.analysis.certificates.pipe_tree import pipe_called, processors


def endless_queue(ahead: Pipe, behind: Pipe) -> Unbounded:
    """Return why values wait for ever in front of a processor: another of its inputs may have fewer of them."""
    reason = f"nothing says that {pipe_called(behind)} gives as many values as {pipe_called(ahead)}"
    return Unbounded(reason, None, _balance(ahead, behind))


def _balance(ahead: Pipe, behind: Pipe) -> str:
    read, other = _sources(ahead), _sources(behind)
    if read != other:
        one, two = (next(iter(names - rest), "A") for names, rest in ((read, other), (other, read)))
        return f"pair events by a rule instead, for example `a: {one} then b: {two} within 1 h choose next`"
    if any(isinstance(one, Gate) for one in processors(behind)):
        return "filter later: put values and conditions together first, so that all of them lose the same positions"
    if any(isinstance(one, Resample) for one in (*processors(ahead), *processors(behind))):
        return "resample all inputs in the same way, or what comes out of them"
    return "put values and verdicts together only where the formula is bounded, for example `eventually within 10`"


def _sources(pipe: Pipe) -> frozenset[str]:
    read = (one for one in processors(pipe) if isinstance(one, Source | Detect))
    return frozenset(one.stream if isinstance(one, Source) else one.rule for one in read if one != Source())


def endless_verdict(pipe: Verdict) -> Unbounded:
    """Return why a verdict about every position keeps values for ever."""
    reason = f"nothing says how many values it takes to decide `{show(pipe.formula)}`"
    hint = "say how many values count, for example `eventually within 10`, or ask with `three-valued` about the first"
    return Unbounded(reason, None, hint)


def growing_total(pipe: Fold) -> Unbounded:
    reason = f"`{show(pipe.step)}` may grow with every value"
    return Unbounded(reason, None, "accumulate over a window, for example `window 10 { input | fold $0 + $1 from 0 }`")


def unknown_keys(pipe: Slice, hint: str | None = None) -> Unbounded:
    """Return why there may be ever more slices; `hint` is what to declare, if that helps."""
    return Unbounded(f"nobody knows how many values `{show(pipe.key)}` has", None, hint or _FIELD)


_FIELD = "slice by an attribute of a stream whose number of keys is declared: `stream P keys 1000`"
