"""Random pipes over the streams and the rules of random programs: mostly all of a pipe reads one of them."""

from dataclasses import replace

from hypothesis import strategies as st

from cepheid.algebra.expressions import Field
from cepheid.algebra.pipes import Detect, Map, Pipe, Resample, Slice, Source
from cepheid.testing import Case
from cepheid.testing.strategies import cases
from tests.algebra.pipes.pipe_strategies import PIPES

KEY = Field("$0", "key")


@st.composite
def piped_cases(draw: st.DrawFn) -> Case:
    """A case whose program has one pipe, `it`."""
    case = draw(cases())
    given = sorted({event.type for event in case.trace})
    streams = sorted({rule.emits for rule in case.program.rules} | set(given) | {""})
    read = st.one_of(
        st.builds(Source, stream=st.sampled_from(given or streams)),
        st.builds(Source, stream=st.sampled_from(streams)),
        st.builds(Detect, rule=st.sampled_from([rule.name for rule in case.program.rules])),
    )
    one = st.just(draw(read))
    pipe = _rooted(draw, draw(PIPES), one if draw(st.booleans()) else one | read)
    return replace(case, program=replace(case.program, pipes={"it": draw(_sliced(pipe, draw(one)))}))


def _sliced(pipe: Pipe, source: Pipe) -> st.SearchStrategy[Pipe]:
    """A pipe, or its like in slices of a stream; the bodies of those read nothing else."""
    dropping = st.builds(Resample, st.just((source,)), st.integers(0, 2), st.integers(1, 2))
    bodies = st.just(Source()) | PIPES
    slices = st.builds(Slice, st.tuples(st.just(source) | dropping), bodies, st.just(KEY))
    return st.one_of(st.just(pipe), st.just(pipe), slices)


def _rooted(draw: st.DrawFn, pipe: Pipe, sources: st.SearchStrategy[Pipe]) -> Pipe:
    """A pipe over `*` that reads something outside instead; bodies stay as they are."""
    if isinstance(pipe, Source):
        source = draw(sources)
        return draw(st.sampled_from([source, Map((source,), Field("$0", "value"))]))
    return replace(pipe, inputs=tuple(_rooted(draw, one, sources) for one in pipe.inputs))
