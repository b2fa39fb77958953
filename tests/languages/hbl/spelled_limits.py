"""Limits on the time and the position of a record, written in every way that a condition can say them."""

IN_TIME = (
    "not (now() > q + {0})",
    "(now() - q) / 1 <= {0}",
    "-(now() - q) / 2 >= -{0} / 2",
    "floor((now() - q) / 3) <= floor({0} / 3)",
    "max(now(), 3) <= q + {0}",
    "min(now(), q + {0} + 4) <= q + {0}",
    "max(now() - q, value) <= {0}",
    "abs(now() - q) <= {0}",
    "if(value > 1, now() <= q + {0}, now() < q + {0})",
    "if(value > 1, now(), now() + 1) <= q + {0}",
    "now() <= q + if(value > 1, {0}, 1)",
    "now() <= min(q + {0}, max(q, value + 9))",
    "coalesce(now() <= q + {0}, false)",
    "now() - q in [1, {0}]",
    "not (now() != q + {0})",
    "now() <= q + {0} - index() % 2",
    "(now() + now() - q) - q <= 2 * {0}",
)
IN_RECORDS = (
    "not (index() > p + {0})",
    "(index() - p) // 2 <= {0} // 2",
    "(index() - p) / 3 <= {0} / 3",
    "2 * index() <= 2 * p + 2 * {0} + 1",
    "3 * index() <= 2 * p + {0}",
    "max(index(), value) <= p + {0}",
    "round((index() - p) / 2) < {0}",
    "index() - p in [1, 2, {0}]",
    "index() < {0} + 20",
    "not (index() >= p + {0} + 1 or value > 3)",
)
ROUNDED = ("now() / 2 <= q / 2 + {0}", "2 * now() <= 2 * q + {0}", "now() <= q + {0}.3", "avg(now(), q) <= q + {0}")
OF_THEIR_OWN = (
    "now() <= {0}",
    "2 * now() <= q + {0}",
    "not (now() - q > {0})",
    "now() * index() <= q + {0}",
    "index() <= 3 * p + {0}",
    "max(now(), value + {0}) >= q",
    "min(now(), value) <= q + {0}",
    "now() % {0} <= q",
    "if(value > 1, now() <= q + {0}, index() <= p + 1)",
    "now() <= q + value",
    "coalesce(value, now()) <= {0}",
    "not (now() * 4611686018427387904 > q + {0})",
    "is_null(now() * 4611686018427387904) or now() <= q + {0}",
)
"""What is a limit for some runs only, or for none, or nobody knows when: it must not be read as one that is earlier."""
