"""Plausible wrong meanings of collections, repetitions and chains."""

from tests.mutants.catalogue import Mutant

_PATTERNS = "cepheid.algebra.pattern_semantics"
_REPEATS = "cepheid.algebra.repeat_semantics"
_CHAINS = "cepheid.algebra.chain_semantics"
_SKIPS = "cepheid.algebra.skipping"
_SUPPRESSING = "cepheid.algebra.suppressing"

_COLLECT: tuple[Mutant, ...] = (
    Mutant(
        "a collection takes everything",
        "Collect",
        _PATTERNS,
        "[item for item in items if counts(anchor, item)]",
        "items",
    ),
    Mutant(
        "the relation of a collection is ignored",
        "Collect",
        _PATTERNS,
        "return stands(collect.relation, scope) and agree(collect",
        "return agree(collect",
    ),
    Mutant(
        "the equalities of a collection are ignored",
        "Collect",
        _PATTERNS,
        "agree(collect.equal, scope) and holds(collect.where, scope)",
        "holds(collect.where, scope)",
    ),
    Mutant(
        "the condition of a collection is ignored",
        "Collect",
        _PATTERNS,
        "agree(collect.equal, scope) and holds(collect.where, scope)",
        "agree(collect.equal, scope)",
    ),
    Mutant(
        "an anchor without items is no match",
        "Collect",
        _PATTERNS,
        "for anchor in occurrences(collect.anchor, history)",
        "for anchor in occurrences(collect.anchor, history)\n        if any(counts(anchor, item) for item in items)",
    ),
    Mutant(
        "the hull of a collection takes in its items",
        "Collect",
        _PATTERNS,
        "return anchor.changed(\n        identity=",
        "return combined([anchor, *items]).changed(\n        identity=",
    ),
    Mutant(
        "the items of a collection are no evidence",
        "Collect",
        _PATTERNS,
        "rests_on=anchor.rests_on | frozenset().union(*(item.rests_on for item in items)),",
        "rests_on=anchor.rests_on,",
    ),
    Mutant(
        "the group of a collection has the hull of the anchor",
        "Collect",
        _PATTERNS,
        "combined(items or [anchor])",
        "combined([anchor])",
    ),
    Mutant(
        "items are collected in any order",
        "Collect",
        _PATTERNS,
        "items = _in_order(collect.item, history)",
        "items = _in_order(collect.item, history)[::-1]",
    ),
)

_REPEAT: tuple[Mutant, ...] = (
    Mutant("the gap is ignored", "Repeat", _REPEATS, "return stands(repeat.gap, between) and holds", "return holds"),
    Mutant("the link is ignored", "Repeat", _REPEATS, "and holds(repeat.link, between) and", "and"),
    Mutant("the window is ignored while a run grows", "Repeat", _REPEATS, " and stands(_reach(repeat), across)", ""),
    Mutant(
        "the window is ignored when a run is whole",
        "Repeat",
        _REPEATS,
        "return len(run) >= repeat.least and stands(repeat.window, Scope({",
        "return len(run) >= repeat.least or stands((), Scope({",
    ),
    Mutant(
        "a run must be long enough before it grows",
        "Repeat",
        _REPEATS,
        "replace(bound, low=None) if bound",
        "bound if bound",
    ),
    Mutant(
        "neighbours are the first and the next",
        "Repeat",
        _REPEATS,
        """"$previous": _bare(run[-1])""",
        """"$previous": _bare(run[0])""",
    ),
    Mutant("the most is exceeded by one", "Repeat", _REPEATS, "len(run) >= repeat.most", "len(run) > repeat.most"),
    Mutant(
        "the least is too little by one", "Repeat", _REPEATS, "len(run) >= repeat.least", "len(run) + 1 >= repeat.least"
    ),
    Mutant(
        "greedy runs start at every item",
        "Repeat",
        _REPEATS,
        "        if not takers:\n            runs.append([item])",
        "        runs.append([item])",
    ),
    Mutant(
        "an item extends one run only",
        "Repeat",
        _REPEATS,
        "        for run in takers:\n",
        "        for run in takers[:1]:\n",
    ),
    Mutant(
        "all runs start where none can grow",
        "Repeat",
        _REPEATS,
        "open_runs += [*grown, [item]]",
        "open_runs += grown or [[item]]",
    ),
    Mutant(
        "all runs take what comes at once",
        "Repeat",
        _REPEATS,
        "open_runs += [*grown, [item]]",
        "open_runs = [*grown, [item]] + [run for run in open_runs if not takes(repeat, run, item, history)]",
    ),
    Mutant("runs mix keys", "Repeat", _REPEATS, "in groups(keyed, lambda entry: entry[0])", "in [keyed]"),
    Mutant(
        "a repetition has the folds of its first item",
        "Repeat",
        _REPEATS,
        "scopes = [history.scope(item) for item in items]",
        "scopes = [history.scope(item) for item in items[:1]]",
    ),
    Mutant(
        "folds go backwards",
        "Repeat",
        _REPEATS,
        "scopes = [history.scope(item) for item in items]",
        "scopes = [history.scope(item) for item in reversed(items)]",
    ),
)

_LEAD = "        if satisfies(step.lead, event, record, run, history.tables):"
_CHAIN: tuple[Mutant, ...] = (
    Mutant(
        "avoid is tested on the record that is taken",
        "Chain",
        _CHAINS,
        _LEAD,
        "        if avoid is not None and satisfies(avoid, event, record, run, history.tables):\n            return\n"
        + _LEAD,
    ),
    Mutant("avoid is ignored", "Chain", _CHAINS, "here + 1, history, avoid=step.avoid)", "here + 1, history)"),
    Mutant(
        "only the first alternative is tried",
        "Chain",
        _CHAINS,
        "for follow in step.follow:",
        "for follow in step.follow[:1]:",
    ),
    Mutant(
        "a chain looks back",
        "Chain",
        _CHAINS,
        "here + 1, history, avoid=step.avoid)\n            if not step.every:\n                return\n",
        "here + 1, history, avoid=step.avoid)\n",
    ),
    Mutant(
        "a step that takes every record takes the first",
        "Chain",
        _CHAINS,
        "if not step.every:\n",
        "if True:\n",
    ),
    Mutant(
        "lets are simultaneous",
        "Chain",
        _CHAINS,
        "Scope({step.lead.name: record}, variables, tables)",
        "Scope({step.lead.name: record}, run.variables, tables)",
    ),
    Mutant(
        "lets lose what was bound",
        "Chain",
        _CHAINS,
        "variables = dict(run.variables)",
        "variables = dict[str, Value]()",
    ),
    Mutant(
        "nothing is bound initially",
        "Chain",
        _CHAINS,
        "return ChainRun((), (), {name: evaluate(value, empty) for name, value in chain.initially.items()})",
        "return ChainRun((), (), {})",
    ),
    Mutant(
        "a lead does not see the variables",
        "Chain",
        _CHAINS,
        "Scope({atom.name: record}, run.variables, tables)",
        "Scope({atom.name: record}, {}, tables)",
    ),
    Mutant("the window of a chain is ignored", "Chain", _CHAINS, "        if fits(chain, run)\n", ""),
    Mutant(
        "the window of a chain begins with its second record",
        "Chain",
        _CHAINS,
        """"$first": run.records[0],""",
        """"$first": run.records[1] if run.records[1:] else run.records[0],""",
    ),
    Mutant(
        "a merge keeps the run that started first",
        "Chain",
        _CHAINS,
        "return [max(group, key=lambda found: (found.low, found.rank))",
        "return [min(group, key=lambda found: (found.low, found.rank))",
    ),
    Mutant(
        "with evidence runs merge as without",
        "Chain",
        _CHAINS,
        "records = found.identity if chain.reads_support else found.high",
        "records = found.high",
    ),
    Mutant(
        "without evidence runs do not merge",
        "Chain",
        _CHAINS,
        "records = found.identity if chain.reads_support else found.high",
        "records = found.identity",
    ),
    Mutant(
        "what nobody observes distinguishes runs",
        "Chain",
        _CHAINS,
        "names = found.variables if chain.observed is None else chain.observed",
        "names = found.variables",
    ),
    Mutant(
        "variables do not distinguish runs",
        "Chain",
        _CHAINS,
        "for name in sorted(names)))",
        "for name in sorted(names)[:0]))",
    ),
)

_SKIP: tuple[Mutant, ...] = (
    Mutant(
        "a match may not begin where it is to go on",
        "Skip",
        _SKIPS,
        "first_record(one) < known.place",
        "first_record(one) <= known.place",
    ),
    Mutant(
        "matches without a key count",
        "Skip",
        _SKIPS,
        "if key is None or (known",
        "if (known",
    ),
    Mutant(
        "the longest match is looked at first",
        "Skip",
        _SKIPS,
        "NO_RECORD if instance.high is None else instance.high, instance.rank)",
        "NO_RECORD if instance.high is None else -instance.high, instance.rank)",
    ),
    Mutant(
        "what does not count says where to go on too",
        "Skip",
        _SKIPS,
        "            continue\n        found.append(one)\n",
        "            pass\n        else:\n            found.append(one)\n",
    ),
)

_SUPPRESS: tuple[Mutant, ...] = (
    Mutant(
        "a match passes that ends the span after another",
        "Suppress",
        _SUPPRESSING,
        "one.end - before > suppress.apart",
        "one.end - before >= suppress.apart",
    ),
    Mutant(
        "what is left out keeps others away",
        "Suppress",
        _SUPPRESSING,
        "            found.append(one)\n",
        "            found.append(one)\n        last[key] = one.end\n",
    ),
    Mutant(
        "suppression looks at the first value alone",
        "Suppress",
        _SUPPRESSING,
        "for expression in suppress.by)",
        "for expression in suppress.by[:1])",
    ),
    Mutant(
        "matches without a key all pass",
        "Suppress",
        _SUPPRESSING,
        "if before is None or one.end",
        "if before is None or None in key or one.end",
    ),
    Mutant(
        "the first passes alone",
        "Suppress",
        _SUPPRESSING,
        "if before is None or one.end - before > suppress.apart",
        "if before is None",
    ),
    Mutant(
        "the span begins with the match",
        "Suppress",
        _SUPPRESSING,
        "last[key] = one.end",
        "last[key] = one.start",
    ),
    Mutant(
        "of matches that end together the last passes",
        "Suppress",
        _PATTERNS,
        "passing(pattern, _in_order(pattern.pattern, history), history",
        "passing(pattern, sorted(_in_order(pattern.pattern, history)[::-1], key=lambda one: one.end), history",
    ),
)

RUN_MUTANTS: tuple[Mutant, ...] = _COLLECT + _REPEAT + _CHAIN + _SKIP + _SUPPRESS
