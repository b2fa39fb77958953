"""Shapes of rules as machine code: columns in, columns out, with the answers of the interpreter.

A rule is recognised as one of few shapes. The code of a shape is generated and compiled once; types, distances and
conditions on single events are data. A rule without a shape is left to the interpreter.
"""

from cepheid.engine.kernels.columns.batches import ArrowNames
from cepheid.engine.kernels.columns.code_counts import code_counts
from cepheid.engine.kernels.columns.columns import nulls as no_column
from cepheid.engine.kernels.columns.columns import values_of as values_in
from cepheid.engine.kernels.columns.state_bytes import is_of_kernels
from cepheid.engine.kernels.columns.words import Words, texts_as_arrow
from cepheid.engine.kernels.compiling.compiled import is_available
from cepheid.engine.kernels.doors.counting import MatchCounter
from cepheid.engine.kernels.doors.event_door import CompiledDetector
from cepheid.engine.kernels.doors.kernel_detector import KernelDetector, demand_shapes, no_kernel
from cepheid.engine.kernels.emitting.match_arrays import (
    array_of,
    common_kind,
    lists_as_arrow,
    plain_array,
    says_json,
    times_as_arrow,
    whole_or_listed,
)
from cepheid.engine.kernels.emitting.match_batches import Found, MatchBatch, found_of_matches, in_order
from cepheid.engine.kernels.facts.shapes import Core, Shape
from cepheid.engine.kernels.facts.time_bounds import MOST as REACH
from cepheid.engine.kernels.intake.admission import OutOfReach, within_reach
from cepheid.engine.kernels.plans.pattern_stages import StagedShape
from cepheid.engine.kernels.rules.rule_shapes import shapes_of

__all__ = [
    "REACH",
    "ArrowNames",
    "CompiledDetector",
    "Core",
    "Found",
    "KernelDetector",
    "MatchBatch",
    "MatchCounter",
    "OutOfReach",
    "Shape",
    "StagedShape",
    "Words",
    "array_of",
    "code_counts",
    "common_kind",
    "demand_shapes",
    "found_of_matches",
    "in_order",
    "is_available",
    "is_of_kernels",
    "lists_as_arrow",
    "no_column",
    "no_kernel",
    "plain_array",
    "says_json",
    "shapes_of",
    "texts_as_arrow",
    "times_as_arrow",
    "values_in",
    "whole_or_listed",
    "within_reach",
]
