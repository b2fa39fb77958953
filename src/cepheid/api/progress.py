"""Matches that are not complete, as users get them: with times in the form of the input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.programs import Program
from cepheid.connectors import Form, Time, show_time
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.engine import Detector, progress
from cepheid.events import EventId

MOST = 1000


@dataclass(frozen=True, slots=True)
class PartialMatch:
    """A match that is not complete.

    `share` is how much of it is there, from 0 to 1. `found` are the ids of the events that each part rests on,
    `missing` says what has still to come, or must not come. `start` and `end` are those of what was found.
    """

    name: str
    share: float
    start: Time
    end: Time
    found: Mapping[str, tuple[EventId, ...]]
    missing: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """Return it as it is written."""
        return {
            "match": self.name,
            "share": round(self.share, 4),
            "start": self.start,
            "end": self.end,
            "found": {name: list(ids) for name, ids in self.found.items()},
            "missing": list(self.missing),
        }


def partial_matches(detector: Detector, rule: str | None, most: int, form: Form) -> list[PartialMatch]:
    """Return the matches of a rule, or of all, that are not complete, those first that have come furthest."""
    return [
        PartialMatch(one.rule, one.share, show_time(one.start, form), show_time(one.end, form), one.found, one.missing)
        for one in progress(detector, rule, most)
    ]


def check_rule(program: Program, name: str | None) -> None:
    """Raise where a program has no rule of this name."""
    names: Sequence[str] = [rule.name for rule in program.rules]
    if name is None or name in names:
        return
    closest = close_match(name, names)
    hint = f"did you mean `{closest}`?" if closest else f"the rules are {', '.join(f'`{one}`' for one in names)}"
    raise CepheidError(Diagnostic("unknown-rule", f"the query has no rule `{name}`", hints=(hint,)))
