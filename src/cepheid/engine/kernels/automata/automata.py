"""A chain as numbers: its steps, what runs wait for, what is asked of records, and what may tell runs apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from cepheid.algebra.expressions import IsBound, Variable
from cepheid.algebra.patterns import Chain
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import walk
from cepheid.engine.kernels.automata.automaton_conditions import Asked, Coded, Conditions, compares_keys, is_alone
from cepheid.engine.kernels.automata.automaton_kernels import IS_BLOCKED, MAY_BE_BLOCKED, MAY_TAKE, TAKES
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask
from cepheid.engine.kernels.plans.pattern_stages import AutomatonShape


@dataclass(frozen=True, slots=True)
class Waiting:
    """A state: to wait for the lead of a step, after another one whose avoid counts; -1 is before any step."""

    step: int
    after: int


class Automaton:
    """What kernels know of a chain before it runs."""

    def __init__(self, shape: AutomatonShape) -> None:
        self.chain, self.shape = shape.chain, shape
        self.names, self.steps = list(self.chain.steps), list(self.chain.steps.values())
        self.variables = sorted({*self.chain.initially, *(name for step in self.steps for name in step.lets)})
        self.waits = [Waiting(self.names.index(self.chain.first), -1), *self._follows()]
        self.coded = frozenset(filter(self._is_coded, self.variables))
        self.conditions = Conditions(self.variables, self.coded)
        self.leads = [self.conditions.asked(step.lead) for step in self.steps]
        self.avoids = [self.conditions.asked(step.avoid) for step in self.steps]
        self.asked = [
            *((step.lead, one.alone) for step, one in zip(self.steps, self.leads, strict=True)),
            *((step.avoid, one.alone) for step, one in zip(self.steps, self.avoids, strict=True)),
        ]
        self._lets()  # a letting may read as a number what an earlier one sets
        self.texts = {"decide": self._decide(), "bind": self._lets()}

    def _follows(self) -> list[Waiting]:
        return [
            Waiting(self.names.index(follow), after)
            for after, step in enumerate(self.steps)
            for follow in dict.fromkeys(step.follow)
        ]

    def _is_coded(self, variable: str) -> bool:
        """Say whether a variable is compared as a key, and all that is ever bound to it is read from one record."""
        if self.chain.reads_support and not any(compares_keys(step, variable) for step in self.steps):
            return False
        given = [(step.lets[variable], step.lead.name) for step in self.steps if variable in step.lets]
        return all(is_alone(value, name) for value, name in given)

    @cached_property
    def state(self) -> Data:
        """For each state: the step, the one before, the variable that it is listed by, and the keys of records.

        Last, whether a run stays in it when it has taken a record.
        """
        rows = [[one.step, one.after, *self._listed_by(one), self.steps[one.step].every] for one in self.waits]
        return np.array(rows, np.int32).T.copy()

    def _listed_by(self, wait: Waiting) -> tuple[int, int, int]:
        if self.shape.per:
            return (-1, 0, 0) if wait.after < 0 else (len(self.variables), 0, 0)
        lead = self.leads[wait.step].equal if wait.after >= 0 else {}
        avoids = wait.after >= 0 and self.steps[wait.after].avoid is not None
        avoid = self.avoids[wait.after].equal if avoids else lead
        for variable, column in lead.items():
            if variable in avoid:
                return self.variables.index(variable), column, avoid[variable]
        return -1, 0, 0

    @cached_property
    def coded_as(self) -> list[tuple[Coded, int | None]]:
        """What of records is made a key, each with an earlier one of the same expression."""
        codes = self.conditions.codes
        first = [next(place for place, (other, _) in enumerate(codes) if other == one) for one, _ in codes]
        return [
            (code, place if place < number else None)
            for number, (code, place) in enumerate(zip(codes, first, strict=True))
        ]

    @cached_property
    def follows(self) -> tuple[Data, Data]:
        """Where the states that follow each step begin, and these."""
        after = [one.after for one in self.waits]
        counts = [after.count(number) for number in range(len(self.steps))]
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32), np.arange(1, len(after), dtype=np.int32)

    @cached_property
    def told(self) -> Mask:
        """By which variables matches can be told apart."""
        observed = self.chain.observed
        return np.array([observed is None or name in observed for name in self.variables], np.bool_)

    @cached_property
    def observes(self) -> Mask:
        """For each state, which variables somebody can still tell runs apart by."""
        observed = {name for name, is_told in zip(self.variables, self.told, strict=True) if is_told}
        found = np.zeros((len(self.waits), len(self.variables)), np.bool_)
        for row, one in enumerate(self.waits):
            avoid = self.steps[one.after].avoid if one.after >= 0 else None
            read = (
                observed
                | _read(avoid)
                | _read(*(self.chain.steps[step] for step in _ahead(self.chain, self.names[one.step])))
            )
            found[row] = [name in read for name in self.variables]
        return found

    def _decide(self) -> str:
        lines = []
        for number, one in enumerate(self.waits):
            lead, avoid = self.leads[one.step], self.avoids[one.after] if one.after >= 0 else None
            head = "if" if number == 0 else "elif"
            lines += [f"{head} w == {number}:", *_deciding(lead, "leading", TAKES, MAY_TAKE)]
            lines += [] if avoid is None else _deciding(avoid, "avoiding and decided == 0", IS_BLOCKED, MAY_BE_BLOCKED)
        return _function(
            "decide(w, i, q, leading, avoiding, records, facts, runs)", ["decided = 0", *lines, "return decided"]
        )

    def _lets(self) -> str:
        lines: list[str] = []
        for number, step in enumerate(self.steps):
            own = [self.conditions.let(name, value, step.lead.name) for name, value in step.lets.items()]
            lines += [f"if s == {number}:", *(f"    {line}" for some in own for line in some)] if own else []
        return _function("bind(s, i, q, records, facts, runs)", [*lines, "return"])


@ByIdentity
def automaton_of(shape: AutomatonShape) -> Automaton:
    """Return what kernels know of a chain."""
    return Automaton(shape)


def is_linear(chain: Chain) -> bool:
    """Say whether no step has alternatives, so that one record begins one run."""
    return all(len(set(step.follow)) <= 1 and not step.every for step in chain.steps.values())


def lead_names(chain: Chain) -> tuple[str, ...] | None:
    """Return what the leads of a chain are called, in the order in which every run takes them first; None: in several.

    Several leads may have one name, which then stands for the last record that any of them took.
    """
    for steps in (chain.steps, [*_ahead(chain, chain.first), *chain.steps]):  # some may never be taken
        names = tuple(dict.fromkeys(chain.steps[name].lead.name for name in steps))
        if all(not _may_come_first(chain, later, name) for name, later in combinations(names, 2)):
            return names
    return None


def _may_come_first(chain: Chain, one: str, other: str) -> bool:
    """Say whether a run can take something under one name, and only later something under another."""
    before = _ahead(chain, chain.first, without=other)
    then = {step for name in before if chain.steps[name].lead.name == one for step in _ahead(chain, name)}
    return any(chain.steps[name].lead.name == other for name in then)


def _ahead(chain: Chain, name: str, without: str | None = None) -> list[str]:
    """Return a step and all that can follow it, but for those whose lead has a name."""
    found = [name] if chain.steps[name].lead.name != without else []
    for one in found:
        follow = [step for step in chain.steps[one].follow if chain.steps[step].lead.name != without]
        found += [step for step in dict.fromkeys(follow) if step not in found]
    return found


def _deciding(asked: Asked, when: str, sure: int, unsure: int) -> list[str]:
    decided = str(sure) if asked.doubt == "False" else f"{unsure} if {asked.doubt} else {sure}"
    return [f"    if {when} and {asked.may_be}:", f"        decided = {decided}"]


def _function(head: str, lines: Sequence[str]) -> str:
    """Return the text of a helper, with the names that code for conditions reads."""
    unpacked = "numbers, codes, spaces, constant = records.numbers, records.codes, facts.spaces, facts.constant"
    body = [unpacked, "value, code = runs.value, runs.code", *lines]
    return "".join([f"def {head}:\n", *(f"    {line}\n" for line in body)])


def _read(*nodes: object) -> set[str]:
    found: Iterable[object] = (one for node in nodes for one in walk(node))
    return {one.name for one in found if isinstance(one, Variable | IsBound)}
