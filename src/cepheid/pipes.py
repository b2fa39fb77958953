"""Traces of values, and what is made of them: mapped, filtered, folded, cut into windows and slices.

>>> import cepheid as c
>>> prices = c.pipes.stream("Trade")["price"]
>>> means = prices.window(3, lambda window: window.sum() / 3)
"""

from cepheid.algebra.builder.formulas import Item, here
from cepheid.algebra.builder.pipes import Trace, choose, collate, detections, stream, total, transition, yield_

__all__ = ["Item", "Trace", "choose", "collate", "detections", "here", "stream", "total", "transition", "yield_"]
