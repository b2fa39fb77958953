"""What a detector watches: that no more is held than was promised, and that there is room for every event."""

from collections.abc import Mapping, Sequence

from cepheid.analysis import Certificate
from cepheid.engine.clock.settled import Settled
from cepheid.engine.interpreter.pipe_runner import PipeRunner
from cepheid.engine.interpreter.rule_runner import RuleRunner
from cepheid.engine.limits.premises import Excess
from cepheid.engine.watching.promises import Promises
from cepheid.engine.watching.room import Limits, Room


def watched(
    certificate: Certificate | None,
    on_excess: Excess,
    limits: Limits,
    runners: Sequence[RuleRunner],
    settled: Settled,
    pipes: Mapping[str, PipeRunner],
) -> tuple[Promises | None, Room | None]:
    """Return what holds rules and pipes to a certificate, and what makes events wait where there is no room."""
    if certificate is None:
        return None, None
    waits = on_excess is Excess.WAIT
    promises = Promises(certificate, runners, settled, pipes, in_step=waits)
    if not waits and not limits:
        return promises, None
    piped = frozenset().union(*(pipe.streams for pipe in pipes.values()))
    return promises, Room(certificate, runners, frozenset(promises.sources), limits, piped)
