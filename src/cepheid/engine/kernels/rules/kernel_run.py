"""A plan at work in kernels: batches of events in, matches as columns out."""

from collections.abc import Callable, Iterator
from typing import Any

from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis import Plan, certify
from cepheid.engine.clock.point_limits import check_points, has_points
from cepheid.engine.kernels.columns.batches import Batch
from cepheid.engine.kernels.columns.state_bytes import from_bytes, named, to_bytes, under
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.columns.words_in_use import WORDS, with_words_in_use
from cepheid.engine.kernels.compiling.typed_arrays import Mask, Rows
from cepheid.engine.kernels.facts.families import Family, families
from cepheid.engine.kernels.facts.shapes import Shape
from cepheid.engine.kernels.intake.admission import Admission
from cepheid.engine.kernels.plans.pattern_stages import StagedShape
from cepheid.engine.kernels.rules.chain_state import take_up_chain, written_chain
from cepheid.engine.kernels.rules.rule_chain import ChainRule, RuleChain
from cepheid.engine.kernels.rules.rule_shapes import shapes_of
from cepheid.engine.kernels.sequences.collected_matches import collected_columns
from cepheid.engine.kernels.sequences.family_kernel import kernel_of
from cepheid.engine.kernels.sequences.matches_found import MatchColumns, match_columns
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.engine.limits.refusals import closed_already
from cepheid.engine.state.snapshot import state_fingerprint
from cepheid.events import MAX_TIME, MIN_TIME, Arrival

Matches = MatchColumns | ChainMatches
CHAIN, ANY, COUNTING, ARRIVING, BESIDE_ALL = "chain", "any", "counting", "arriving", "beside all"
MANY_WORDS = 1 << 18
"""So many words may be known before anybody looks which of them are still needed."""
_COUNTED = (Arrival.IN_TIME, Arrival.LATE, Arrival.DUPLICATE)


class KernelRun:
    """The kernels of all rules of a plan, behind one frontier; `accepted` says what became of the last batch."""

    def __init__(self, plan: Plan, *, disorder: int, identified: bool, evidence: bool, state: bytes | None) -> None:
        self.plan, self.program = plan, state_fingerprint(plan.program)
        self._disorder, self._identified = disorder, identified
        self.words, self.marks, self.evidence = Words(), KeyMarks(), evidence
        allowed = max([disorder, *(stream.disorder for stream in plan.program.streams)])
        self.admission = Admission(allowed, identified=identified)
        tables, most = plan.program.tables, _most_held(plan, allowed)
        self.kernels = [kernel_of(one, self.words, self.marks, tables, most(one)) for one in families_of(plan)]
        numbers = {rule.rule.name: rule.number for rule in plan.rules}
        for kernel in self.kernels:
            kernel.rule_numbers = tuple(numbers[one.plan.rule.name] for one in kernel.family.members)
        self.chains = self._chained(plan)
        self.has_points = has_points(plan)
        self.accepted: Mask | None = None
        self.closed = False
        self.beside: Any = None  # whatever was kept beside the state
        if state is not None:
            self._restore(from_bytes(state, self.program))
        self._most_words = max(MANY_WORDS, 2 * len(self.words))

    def with_few_words(self) -> "KernelRun":
        """Return who goes on from here: where there are many words, another run, which has only those that it needs.

        What was found before keeps the words it had.
        """
        if len(self.words) <= self._most_words or self.closed:
            return self
        state = self.snapshot(self.beside)
        return KernelRun(
            self.plan, disorder=self._disorder, identified=self._identified, evidence=self.evidence, state=state
        )

    def _chained(self, plan: Plan) -> dict[str, RuleChain]:
        """Return the rules that run as stages: those that look at all events apart, and those that count them.

        Rules that feed each other stay together.
        """
        apart: dict[str, list[StagedShape]] = {}
        for shape in shapes_of(plan):
            if isinstance(shape, StagedShape):
                counting = ARRIVING if shape.plan.root.prompt else COUNTING
                kind = counting if shape.plan.counts_records else ANY if shape.takes_any else CHAIN
                apart.setdefault(BESIDE_ALL if shape.beside_all else kind, []).append(shape)
        return {kind: self._chain(kind, shapes, plan) for kind, shapes in apart.items()}

    def _chain(self, kind: str, shapes: list[StagedShape], plan: Plan) -> RuleChain:
        return RuleChain(
            shapes,
            self.words,
            self.marks,
            plan.program.tables,
            lasts=plan.lengths.default != 0,
            sorts=kind == COUNTING or self.admission.allowed > 0,
            evidence=self.evidence,
            every=kind != CHAIN,
            counts=kind in (COUNTING, ARRIVING),
            prompt=kind == ARRIVING or any(shape.by_arrival for shape in shapes),
        )

    @property
    def staged(self) -> list[ChainRule]:
        """The rules that run as stages."""
        return [rule for chain in self.chains.values() for rule in chain.rules]

    @property
    def frontier(self) -> int:
        return self.admission.frontier

    def push(self, batch: Batch, *, in_order: bool = False) -> Iterator[Matches]:
        """Take in a batch, and yield the matches that are certain now; all must be asked for before the next call.

        `in_order`: each kernel tells them in the order in which they come out, where it can.
        """
        self._check_open()
        before = self.frontier
        if self.has_points:
            self._check_points(int(batch.times.max(initial=MIN_TIME)) - self.admission.allowed)
        self.accepted = self.admission.admit(batch)
        admitted = batch if self.accepted is None else batch.only(self.accepted)
        for kernel in self.kernels:
            kernel.take(admitted, before)
        for chain in self.chains.values():
            chain.take(admitted)
        return self._certain(in_order=in_order)

    def advance(self, time: int, *, in_order: bool = False) -> Iterator[Matches]:
        """Promise that every event still to come ends at `time` or later; yield what becomes certain by that."""
        self._check_open()
        self._check_points(self.admission.latest if time == MAX_TIME else time)
        self.admission.arrivals.promise(time)
        return self._certain(in_order=in_order)

    def close(self, *, in_order: bool = False) -> Iterator[Matches]:
        """End the input."""
        self._check_open()
        self.closed = True
        self.admission.arrivals.promise(MAX_TIME)
        return self._certain(in_order=in_order)

    def snapshot(self, beside: object = None) -> bytes:
        """Return the whole state as bytes, with what somebody wants to be kept `beside` it."""
        for kernel in self.kernels:
            kernel.forget(self.frontier)
        for chain in self.chains.values():
            chain.forget()
        arrivals = self.admission.arrivals
        counts = [arrivals.counts[kind] for kind in _COUNTED]
        entries: dict[str, Any] = {
            "arrivals": [arrivals.bound, arrivals.memory(), counts, self.admission.latest],
            "marks": self.marks.all(),
            "beside": beside,
        }
        for number, kernel in enumerate(self.kernels):
            entries |= named(str(number), kernel.written())
        for own, chain in self.chains.items():
            entries |= named(own, written_chain(chain))
        return to_bytes(self.program, with_words_in_use(entries, self.words.all()))

    def _restore(self, entries: dict[str, Any]) -> None:
        bound, memory, counts, self.admission.latest = entries["arrivals"]
        self.admission.arrivals.recall(bound, memory)
        self.admission.arrivals.counts = dict(zip(_COUNTED, counts, strict=True))
        self.words.restore(entries[WORDS])
        self.marks.restore(entries["marks"])
        self.beside = entries["beside"]
        for number, kernel in enumerate(self.kernels):
            kernel.take_up(under(str(number), entries))
        for own, chain in self.chains.items():
            take_up_chain(chain, under(own, entries), self.frontier)

    def _certain(self, *, in_order: bool = False) -> Iterator[Matches]:
        for kernel in self.kernels:
            for rows in self._found(kernel, in_order=in_order and kernel.comes_in_order):
                found = self._columns(kernel, rows)
                if len(found):
                    yield found
        for chain in self.chains.values():
            yield from chain.certain(self.frontier)

    def _columns(self, kernel: RuleKernel, rows: Rows) -> MatchColumns:
        tell = match_columns if kernel.shape.collect is None else collected_columns
        return tell(kernel, rows, evidence=self.evidence)

    def tell_nothing(self) -> None:
        """Have everything compiled that matches will be told with."""
        for kernel in self.kernels:
            self._columns(kernel, kernel.out[:, :0])

    @property
    def is_one_kernel(self) -> bool:
        """Whether matches come from one kernel alone, which tells them in order."""
        return not self.chains and len(self.kernels) == 1 and self.kernels[0].comes_in_order

    def _found(self, kernel: RuleKernel, *, in_order: bool) -> Iterator[Rows]:
        suppresses = kernel.suppression is not None
        log, found = kernel.log, kernel.found_in_order if in_order or suppresses else kernel.found
        waits = (kernel.shape.by_arrival or suppresses) and log.ties is not None
        if kernel.shape.eager and self.admission.allowed == 0 and not waits:
            return found(log.top)
        log.sort()
        collect = kernel.shape.collect
        later = 0 if collect is None else max(collect.high, 0)
        return found(log.ready(max(self.frontier - later, MIN_TIME)), log.ready(self.frontier))

    def _check_points(self, after: int) -> None:
        if any(chain.lived is not None for chain in self.chains.values()):
            check_points(self.plan, self.frontier, after)

    def _check_open(self) -> None:
        if self.closed:
            raise closed_already()


@ByIdentity
def families_of(plan: Plan) -> list[Family]:
    """Return the shapes of all rules of a plan that kernels can run, in families."""
    return families(one for one in shapes_of(plan) if isinstance(one, Shape))


def _most_held(plan: Plan, disorder: int) -> Callable[[Family], int | None]:
    """Return what says how many events the rules of a family hold at most, by the rates that are declared."""
    if all(stream.arrival is None for stream in plan.program.streams):
        return lambda _: None
    certificate = certify(plan, disorder)

    def most(family: Family) -> int | None:
        rules = [certificate.rule(member.plan.rule.name) for member in family.members]
        held = [rule.state.number for rule in rules]
        known = [number for number in held if number is not None]
        return sum(known) if len(known) == len(held) else None

    return most
