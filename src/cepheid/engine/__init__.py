"""Runs a plan in process: operators behind frontiers, with state that can be written down."""

from cepheid.engine.clock.output_order import in_output_order, rule_numbers
from cepheid.engine.clock.point_limits import has_points, portions, steps
from cepheid.engine.clock.turn import Record
from cepheid.engine.detectors.detector import Detector
from cepheid.engine.detectors.history_usage import HistoryUsage, histories
from cepheid.engine.detectors.progress import Progress, progress
from cepheid.engine.detectors.protocol import RunsPlan
from cepheid.engine.detectors.shipped_kernels import ShippedKernels, shipped_kernels
from cepheid.engine.detectors.slices import Block, Slices, reach_of
from cepheid.engine.detectors.stage_intake import FromBefore, push_in_step
from cepheid.engine.detectors.tiered_detector import Given, TieredDetector, demand_kernels
from cepheid.engine.detectors.tiers import Engine, Tier, not_compiled, tiers_of
from cepheid.engine.detectors.warming_detector import WORTH, WarmingDetector, detector_for
from cepheid.engine.kernels import (
    REACH,
    ArrowNames,
    Found,
    MatchBatch,
    OutOfReach,
    Words,
    array_of,
    code_counts,
    common_kind,
    found_of_matches,
    in_order,
    is_of_kernels,
    lists_as_arrow,
    no_column,
    plain_array,
    says_json,
    texts_as_arrow,
    times_as_arrow,
    values_in,
    whole_or_listed,
    within_reach,
)
from cepheid.engine.limits.feeding import fed
from cepheid.engine.limits.premises import Excess, Wait, told_too_fast
from cepheid.engine.limits.too_many import TooManyMatches
from cepheid.engine.state.sealing import sealed, unsealed
from cepheid.engine.state.snapshot import state_fingerprint
from cepheid.engine.state.state_codec import cut, decode, encode
from cepheid.engine.watching.promises import Usage
from cepheid.engine.watching.room import Limits

__all__ = [
    "REACH",
    "WORTH",
    "ArrowNames",
    "Block",
    "Detector",
    "Engine",
    "Excess",
    "Found",
    "FromBefore",
    "Given",
    "HistoryUsage",
    "Limits",
    "MatchBatch",
    "OutOfReach",
    "Progress",
    "Record",
    "RunsPlan",
    "ShippedKernels",
    "Slices",
    "Tier",
    "TieredDetector",
    "TooManyMatches",
    "Usage",
    "Wait",
    "WarmingDetector",
    "Words",
    "array_of",
    "code_counts",
    "common_kind",
    "cut",
    "decode",
    "demand_kernels",
    "detector_for",
    "encode",
    "fed",
    "found_of_matches",
    "has_points",
    "histories",
    "in_order",
    "in_output_order",
    "is_of_kernels",
    "lists_as_arrow",
    "no_column",
    "not_compiled",
    "plain_array",
    "portions",
    "progress",
    "push_in_step",
    "reach_of",
    "rule_numbers",
    "says_json",
    "sealed",
    "shipped_kernels",
    "state_fingerprint",
    "steps",
    "texts_as_arrow",
    "tiers_of",
    "times_as_arrow",
    "told_too_fast",
    "unsealed",
    "values_in",
    "whole_or_listed",
    "within_reach",
]
