"""The table of bounds for watchpoints, of the paper on HBL: which row a chain is in, and what it says, in words.

    steps in a row      w runs
    alternatives        w * b runs
    linear recursion    w * w * b runs

Here w are the records that can begin a run which still waits, and b the ways that are open. What is certified beside it
counts types of records and is often less. A record looks at all runs, or only at those that an equality with one of
their variables leaves.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cepheid.algebra.expressions import Call, Expr, IsBound, Variable, conjuncts
from cepheid.algebra.patterns import Atom, Chain
from cepheid.algebra.traversal import walk
from cepheid.analysis.bounds.bounds import Bound
from cepheid.analysis.plans.chain_ways import branches, cycles_of

IN_A_ROW, ALTERNATIVES, RECURSION, NOT_LINEAR = "steps in a row", "alternatives", "linear recursion", "recursion"
EVERY_RECORD = "steps that take every record"


@dataclass(frozen=True, slots=True)
class ChainRuns:
    """How many runs of a chain there can be: all of them, and where runs that are alike are one, of those.

    `begun` are the records that can begin a run which still waits; `reached` are the runs that one record looks at.
    """

    chain: Chain
    begun: Bound
    every: Bound
    merged: Bound | None
    reached: Bound
    merges: bool


def row_of(chain: Chain) -> str:
    """Return the row of the table that a chain is in.

    >>> from cepheid.languages.hbl import parse
    >>> row_of(parse("watchpoint w { window 9 records; main = a -> (b | c); }").rules[0].pattern)
    'alternatives'
    """
    cycles = cycles_of(chain)
    again = [sum(one in cycles[name] for one in step.follow) for name, step in chain.steps.items()]
    every = [name for name, step in chain.steps.items() if step.every and name != chain.first]
    if max(again) > 1 or any(cycles[name] for name in every):
        return NOT_LINEAR
    if every:
        return EVERY_RECORD
    if any(cycles.values()):
        return RECURSION
    return ALTERNATIVES if branches(chain) > 1 else IN_A_ROW


def equalities(atom: Atom | None) -> frozenset[str]:
    """Return the variables that something of a record must equal."""
    return frozenset(name for one in conjuncts(None if atom is None else atom.where) for name in _equal(one))


def reached_by(chain: Chain) -> Iterator[frozenset[str]]:
    """Yield for each thing to wait for the variables by which a record finds the runs that it may mean something to."""
    for step in chain.steps.values():
        for follow in dict.fromkeys(step.follow):
            lead = equalities(chain.steps[follow].lead)
            yield lead if step.avoid is None else lead & equalities(step.avoid)


def are_found_alone(chain: Chain) -> bool:
    """Say whether a record finds at most one run that waits for the same thing, where runs that are alike are one.

    So it is where nothing tells runs apart but one variable, which the record must equal.
    """
    observed = _variables(chain) if chain.observed is None else frozenset(chain.observed)
    apart = (observed | _read(chain.steps)) & _variables(chain)
    return len(apart) <= 1 and all(apart <= found for found in reached_by(chain))


def words(runs: ChainRuns, begun: str, every: str, merged: str) -> str:
    """Return the row of a chain in words, with its bounds."""
    row, ways = row_of(runs.chain), branches(runs.chain)
    formula = {
        IN_A_ROW: "w runs",
        ALTERNATIVES: f"w * {ways} runs",
        RECURSION: f"w * w * {ways} runs",
        NOT_LINEAR: "runs that may double with every record",
        EVERY_RECORD: "w runs times the records of each such step",
    }[row]
    found = " and ".join(f"`{name}`" for name in _index(runs.chain))
    looks = f"; a record looks at those of its own {found}" if found else ""
    return f"{row}, {formula} for w = {begun} records that begin one: {every}; {_merging(runs, merged)}{looks}"


def _merging(runs: ChainRuns, merged: str) -> str:
    if not runs.merges:
        reason = "the evidence distinguishes them" if runs.chain.reads_support else "records may last"
        return f"none are merged, because {reason}"
    if runs.merged is not None:
        return f"merged, where nothing distinguishes them: {merged}"
    observed = sorted(_variables(runs.chain) & (_read(runs.chain.steps) | set(runs.chain.observed or ())))
    return f"merged, where they agree on {', '.join(f'`{name}`' for name in observed) or 'everything'}: no less"


def _index(chain: Chain) -> list[str]:
    """Return the variables by which a record finds runs, whatever these wait for."""
    return sorted(frozenset.intersection(*reached_by(chain))) if any(reached_by(chain)) else []


def _equal(condition: Expr) -> Iterator[str]:
    match condition:
        case Call("==", (Variable(name), other)) | Call("==", (other, Variable(name))) if not _reads_variables(other):
            yield name


def _reads_variables(node: object) -> bool:
    return any(isinstance(one, Variable | IsBound) for one in walk(node))


def _read(node: object) -> frozenset[str]:
    return frozenset(one.name for one in walk(node) if isinstance(one, Variable | IsBound))


def _variables(chain: Chain) -> frozenset[str]:
    return frozenset(name for step in chain.steps.values() for name in step.lets)
