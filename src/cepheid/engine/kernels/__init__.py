"""Shapes of rules as machine code: columns in, columns out, with the answers of the interpreter.

A rule is recognised as one of few shapes. The code of a shape is generated and compiled once; types, distances and
conditions on single events are data. A rule without a shape is left to the interpreter.
"""

from cepheid.engine.kernels.admission import OutOfReach, within_reach
from cepheid.engine.kernels.batches import ArrowNames
from cepheid.engine.kernels.compiled import is_available
from cepheid.engine.kernels.counting import MatchCounter
from cepheid.engine.kernels.event_door import CompiledDetector
from cepheid.engine.kernels.kernel_detector import KernelDetector, demand_shapes, no_kernel
from cepheid.engine.kernels.pattern_stages import StagedShape
from cepheid.engine.kernels.rule_shapes import shapes_of
from cepheid.engine.kernels.shapes import Core, Shape
from cepheid.engine.kernels.state_bytes import is_of_kernels
from cepheid.engine.kernels.time_bounds import MOST as REACH
from cepheid.engine.kernels.told_matches import ToldMatches

__all__ = [
    "REACH",
    "ArrowNames",
    "CompiledDetector",
    "Core",
    "KernelDetector",
    "MatchCounter",
    "OutOfReach",
    "Shape",
    "StagedShape",
    "ToldMatches",
    "demand_shapes",
    "is_available",
    "is_of_kernels",
    "no_kernel",
    "shapes_of",
    "within_reach",
]
