"""Claims about the values of a trace from each position on: linear temporal logic.

>>> import cepheid as c
>>> cool = c.pipes.stream("Oven").verdict(c.ltl.always(c.ltl.holds(c.pipes.here.degrees < 90)))
"""

from cepheid.algebra.builder.formulas import Claim, always, eventually, for_every, for_some, holds, next_

__all__ = ["Claim", "always", "eventually", "for_every", "for_some", "holds", "next_"]
