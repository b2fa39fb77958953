"""The intermediate form of every language, the Python builder, and the definition that runs."""

from typing import TYPE_CHECKING

from cepheid.on_demand import names_on_demand

if TYPE_CHECKING:
    from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, IsBound, Literal, Lookup, Moment, Variable
    from cepheid.algebra.json_form import fingerprint, from_json, program_from_json, program_to_json, to_json
    from cepheid.algebra.matches import Match, same_matches
    from cepheid.algebra.patterns import (
        Atom,
        Chain,
        Collect,
        Distinct,
        Either,
        Instant,
        Join,
        Pattern,
        Repeat,
        Restrict,
        Select,
        Skip,
        Step,
        Suppress,
        Unless,
    )
    from cepheid.algebra.pipe_semantics import trace_of
    from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
    from cepheid.algebra.policies import Choice, Policy
    from cepheid.algebra.programs import Arrival, Program, Rule, Stream, Table
    from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint, Relation
    from cepheid.algebra.text import show
    from cepheid.algebra.traversal import event_types, rename, transform, walk
    from cepheid.algebra.validation import validate

__all__ = [
    "Aggregate",
    "Arrival",
    "Atom",
    "Axis",
    "Call",
    "Chain",
    "Choice",
    "Collect",
    "Detect",
    "Difference",
    "Distinct",
    "Edge",
    "Either",
    "Endpoint",
    "Expr",
    "Field",
    "Fold",
    "Gate",
    "Instant",
    "IsBound",
    "Join",
    "Literal",
    "Lookup",
    "Map",
    "Match",
    "Moment",
    "Pattern",
    "Pipe",
    "Policy",
    "Program",
    "Relation",
    "Repeat",
    "Resample",
    "Restrict",
    "Rule",
    "Select",
    "Skip",
    "Slice",
    "Source",
    "Step",
    "Stream",
    "Suppress",
    "Table",
    "Unless",
    "Variable",
    "Verdict",
    "Window",
    "event_types",
    "fingerprint",
    "from_json",
    "program_from_json",
    "program_to_json",
    "rename",
    "same_matches",
    "show",
    "to_json",
    "trace_of",
    "transform",
    "validate",
    "walk",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "cepheid.algebra.expressions": (
            "Aggregate",
            "Call",
            "Expr",
            "Field",
            "IsBound",
            "Literal",
            "Lookup",
            "Moment",
            "Variable",
        ),
        "cepheid.algebra.json_form": ("fingerprint", "from_json", "program_from_json", "program_to_json", "to_json"),
        "cepheid.algebra.matches": ("Match", "same_matches"),
        "cepheid.algebra.patterns": (
            "Atom",
            "Chain",
            "Collect",
            "Distinct",
            "Either",
            "Instant",
            "Join",
            "Pattern",
            "Repeat",
            "Restrict",
            "Select",
            "Skip",
            "Step",
            "Suppress",
            "Unless",
        ),
        "cepheid.algebra.pipe_semantics": ("trace_of",),
        "cepheid.algebra.pipes": (
            "Detect",
            "Fold",
            "Gate",
            "Map",
            "Pipe",
            "Resample",
            "Slice",
            "Source",
            "Verdict",
            "Window",
        ),
        "cepheid.algebra.policies": ("Choice", "Policy"),
        "cepheid.algebra.programs": ("Arrival", "Program", "Rule", "Stream", "Table"),
        "cepheid.algebra.relations": ("Axis", "Difference", "Edge", "Endpoint", "Relation"),
        "cepheid.algebra.text": ("show",),
        "cepheid.algebra.traversal": ("event_types", "rename", "transform", "walk"),
        "cepheid.algebra.validation": ("validate",),
    },
)
