"""Aggregates: what the items of a group come to together.

>>> import cepheid as c
>>> price = c.event("Price")
>>> group = c.repeat(price, least=3, most=3, values={"mean": c.agg.avg(price.value), "items": c.agg.count()})
"""

from cepheid.algebra.builder.aggregates import (
    avg,
    count,
    first,
    last,
    list_of,
    maximum,
    minimum,
    sum,  # noqa: A004  # users write `c.agg.sum`
)

__all__ = ["avg", "count", "first", "last", "list_of", "maximum", "minimum", "sum"]
