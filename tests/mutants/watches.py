"""Which test modules watch which kind of node."""

_PIPES = "tests.algebra.pipes.test_pipe_laws"
_HISTORIES = "tests.algebra.pipes.test_history_laws"
_FORMULAS = "tests.algebra.pipes.test_formula_laws"
_PROPERTIES = "tests.properties.test_"

WATCHES: dict[str, tuple[str, ...]] = {
    "Difference": ("interval_operators", "node_laws"),
    "Endpoint": ("interval_operators", "repetitions", "node_laws"),
    "condition": ("event_algebra", "node_laws"),
    "equal": ("choices", "absence_and_collection"),
    "IsBound": ("node_laws",),
    "Lookup": ("programs",),
    "Aggregate": ("absence_and_collection", "repetitions"),
    "LATEST_START": ("algebra_theory", "choices"),
    "Select": ("algebra_theory", "node_laws"),
    "RECENT": ("choices",),
    "CHRONOLOGICAL": ("choices",),
    "NEXT": ("choices",),
    "STRICT": ("choices",),
    "Policy.per": ("choices",),
    "Atom": ("chains", "choices"),
    "Instant": ("time",),
    "Join": ("algebra_theory", "event_algebra", "interval_operators", "choices", "join_laws"),
    "Join.candidate": ("choices",),
    "Join.where": ("join_laws",),
    "Unless": ("absence_and_collection", "event_algebra", "algebra_theory"),
    "Either": ("event_algebra", "node_laws"),
    "Restrict": ("node_laws", "algebra_theory"),
    "Distinct": ("node_laws", "algebra_theory"),
    "Collect": ("absence_and_collection",),
    "Repeat": ("repetitions",),
    "Chain": ("chains",),
    "Skip": ("skips",),
    "Suppress": ("suppression",),
    "Ties": ("arrival_choices",),
    "Rule.per": ("programs",),
    "Rule": ("programs",),
    "Program": ("programs",),
}
FORMULAS = ("Holds", "Not", "And", "Or", "Implies", "Next", "Until", "Globally", "Eventually", "Exists", "ForAll")


def modules_for(node: str) -> tuple[str, ...]:
    """Return the test modules that watch a kind of node, those first that are likely to notice."""
    if node in WATCHES:
        return tuple(f"{_PROPERTIES}{one}" for one in WATCHES[node])
    return (_FORMULAS, _PIPES) if node in FORMULAS else (_PIPES, _HISTORIES, _FORMULAS)
