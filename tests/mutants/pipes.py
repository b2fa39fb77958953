"""Plausible wrong evaluators of pipes and formulas; the properties in tests/algebra/pipes notice every one."""

from tests.mutants.catalogue import Mutant
from tests.mutants.formulas import FORMULA_MUTANTS

_PIPES = "cepheid.algebra.pipe_semantics"

_PIPE_MUTANTS = (
    Mutant(
        "a front numbers its inputs from the last one",
        "Map",
        _PIPES,
        "yield max(timed.time for timed in front), tuple(timed.value for timed in front)",
        "yield max(timed.time for timed in front), tuple(timed.value for timed in reversed(front))",
    ),
    Mutant(
        "a front carries the earliest time",
        "Map",
        _PIPES,
        "yield max(timed.time for timed in front)",
        "yield min(timed.time for timed in front)",
    ),
    Mutant(
        "a filter takes what is not false for true",
        "Gate",
        _PIPES,
        "if front[-1] is True]",
        "if front[-1] is not False]",
    ),
    Mutant(
        "a filter takes what Python calls true for true",
        "Gate",
        _PIPES,
        "if front[-1] is True]",
        "if front[-1]]",
    ),
    Mutant(
        "a filter reads its condition first",
        "Gate",
        _PIPES,
        "if front[-1] is True]",
        "if front[0] is True]",
    ),
    Mutant(
        "a filter of several inputs passes only the first",
        "Gate",
        _PIPES,
        "return front[0] if len(front) == 2 else front[:-1]",
        "return front[0]",
    ),
    Mutant(
        "a fold shows the total before the step",
        "Fold",
        _PIPES,
        """        total = _value(pipe.step, context, front, **{"$total": total})
        shown = total if""",
        """        before, total = total, _value(pipe.step, context, front, **{"$total": total})
        shown = before if""",
    ),
    Mutant(
        "a fold loses its total",
        "Fold",
        _PIPES,
        """        total = _value(pipe.step, context, front, **{"$total": total})""",
        """        total = _value(pipe.step, context, front, **{"$total": _value(pipe.initial, context, ())})""",
    ),
    Mutant(
        "a decimation starts with the last of its first group",
        "Resample",
        _PIPES,
        "trace[pipe.skip :: pipe.every]",
        "trace[pipe.skip + pipe.every - 1 :: pipe.every]",
    ),
    Mutant(
        "a decimation counts what was dropped",
        "Resample",
        _PIPES,
        "trace[pipe.skip :: pipe.every]",
        "trace[:: pipe.every][pipe.skip :]",
    ),
    Mutant(
        "a prefix is taken before the decimation",
        "Resample",
        _PIPES,
        "kept = trace[pipe.skip :: pipe.every][: pipe.limit]",
        "kept = trace[pipe.skip :][: pipe.limit][:: pipe.every]",
    ),
    Mutant(
        "copies count against the limit",
        "Resample",
        _PIPES,
        "return (timed for timed in kept for _ in range(pipe.copies))",
        "return iter([timed for timed in kept for _ in range(pipe.copies)][: pipe.limit])",
    ),
    Mutant(
        "a window is given before it is full",
        "Window",
        _PIPES,
        "for first in range(len(trace) - count + 1):",
        "for first in range(len(trace)):",
    ),
    Mutant(
        "the last window is dropped",
        "Window",
        _PIPES,
        "for first in range(len(trace) - count + 1):",
        "for first in range(len(trace) - count):",
    ),
    Mutant(
        "windows do not overlap",
        "Window",
        _PIPES,
        "for first in range(len(trace) - count + 1):",
        "for first in range(0, len(trace) - count + 1, count):",
    ),
    Mutant(
        "a window gives the last output of its body instead of the nth",
        "Window",
        _PIPES,
        "given[count - 1].value",
        "given[-1].value",
    ),
    Mutant(
        "a window gives what its body has, even if it is less than n outputs",
        "Window",
        _PIPES,
        """        if len(given) >= count:
            yield Timed(window[-1].time, given[count - 1].value)""",
        """        if given:
            yield Timed(window[-1].time, given[: count][-1].value)""",
    ),
    Mutant(
        "a window carries the time of its first value",
        "Window",
        _PIPES,
        "yield Timed(window[-1].time,",
        "yield Timed(window[0].time,",
    ),
    Mutant(
        "a time window is open at its older end",
        "Window",
        _PIPES,
        "if last.time - timed.time <= length]",
        "if last.time - timed.time < max(length, 1)]",
    ),
    Mutant(
        "a time window holds simultaneous values that come later",
        "Window",
        _PIPES,
        "for timed in trace[: position + 1] if last.time - timed.time <= length]",
        "for timed in trace if 0 <= last.time - timed.time <= length]",
    ),
    Mutant(
        "a time window gives the first output of its body",
        "Window",
        _PIPES,
        "yield Timed(last.time, given[-1].value)",
        "yield Timed(last.time, given[0].value)",
    ),
    Mutant(
        "a null key is a slice",
        "Slice",
        _PIPES,
        """    if key is None:
        return []
""",
        "",
    ),
    Mutant(
        "a value for all slices begins one",
        "Slice",
        _PIPES,
        """    if key == EVERY_SLICE:
        return list(keys)
""",
        "",
    ),
    Mutant(
        "a value for all slices goes to the last",
        "Slice",
        _PIPES,
        "        return list(keys)\n",
        "        return list(keys)[-1:]\n",
    ),
    Mutant(
        "a slice shows the first output of its body",
        "Slice",
        _PIPES,
        "[(keys[place], given[-1].value) for place in keys",
        "[(keys[place], given[0].value) for place in keys",
    ),
    Mutant(
        "all slices share one body",
        "Slice",
        _PIPES,
        "if (given := _body(pipe, parts[place], context))]",
        "if (given := _body(pipe, [one for part in parts.values() for one in part], context))]",
    ),
    Mutant(
        "a set of slices holds equal outputs once",
        "Slice",
        _PIPES,
        "return tuple(value for _, value in last)",
        "return tuple({values.key_of(value): value for _, value in last}.values())",
    ),
    Mutant(
        "the slice that was fed last comes last",
        "Slice",
        _PIPES,
        "    keys.setdefault(values.key_of(key), key)\n",
        "    keys.pop(values.key_of(key), None)\n    keys[values.key_of(key)] = key\n",
    ),
    Mutant(
        "an unknown verdict is skipped and the next one given",
        "Verdict",
        _PIPES,
        """        if known is None:
            return
""",
        """        if known is None:
            continue
""",
    ),
    Mutant(
        "an unknown verdict is given as false",
        "Verdict",
        _PIPES,
        """        if known is None:
            return
        yield Timed(timed.time, known)""",
        """        yield Timed(timed.time, known is True)""",
    ),
    Mutant(
        "the three-valued verdict speaks about the latest position",
        "Verdict",
        _PIPES,
        "judge(seen[: index + 1], 0)",
        "judge(seen[: index + 1], index)",
    ),
    Mutant(
        "the three-valued verdict knows the whole trace from the start",
        "Verdict",
        _PIPES,
        "judge(seen[: index + 1], 0)",
        "judge(seen, 0)",
    ),
)

_HISTORY_MUTANTS = (
    Mutant(
        "a stream is in the order of arrival",
        "Source",
        _PIPES,
        "for event in sort_events([*given, *_derived(stream, context)])]",
        "for event in [*given, *_derived(stream, context)]]",
    ),
    Mutant(
        "a stream has no derived events",
        "Source",
        _PIPES,
        "sort_events([*given, *_derived(stream, context)])",
        "sort_events(given)",
    ),
    Mutant(
        "a value carries the start of its event",
        "Source",
        _PIPES,
        "[Timed(event.end, dict(event.fields))",
        "[Timed(event.start, dict(event.fields))",
    ),
    Mutant(
        "the stream of all types does not say which type",
        "Source",
        _PIPES,
        """{**event.fields, "type": event.type}""",
        "dict(event.fields)",
    ),
    Mutant(
        "a detection gives the matches of all rules",
        "Detect",
        _PIPES,
        " if match.name == rule]",
        "]",
    ),
    Mutant(
        "a detection gives the values alone",
        "Detect",
        _PIPES,
        """{**match.values, "start": match.start, "end": match.end}""",
        "dict(match.values)",
    ),
)

MUTANTS: tuple[Mutant, ...] = _PIPE_MUTANTS + _HISTORY_MUTANTS + FORMULA_MUTANTS
