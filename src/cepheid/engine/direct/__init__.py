"""Rules at work on events that come one at a time and in order, many times faster than in the interpreter.

A partial match is a tuple here, and conditions are functions that were made once. What is rare is left to the
interpreter, which goes on from the same state.
"""

from cepheid.engine.direct.gear import DirectGear, direct_gear
from cepheid.engine.direct.partials import Uncounted, is_counted

__all__ = ["DirectGear", "Uncounted", "direct_gear", "is_counted"]
