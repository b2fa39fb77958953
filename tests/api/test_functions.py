"""Functions in conditions: the same matches from the interpreter and from kernels, and constants that cannot be."""

import pytest

import cepheid as c
from cepheid.terms import Term, function

EVENTS = [
    {"type": "Request", "time": 1715934600, "ip": "10.1.2.3", "path": "/admin/login.php"},
    {"type": "Request", "time": 1715938200, "ip": "192.0.2.7", "path": "/shop"},
    {"type": "Request", "time": 1715941800, "ip": "nonsense", "path": None},
    {"type": "Request", "time": 1716000000},
]
A = c.event("Request", name="a")


@pytest.mark.parametrize("engine", ["interpreter", "kernels"])
@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (A.ip.in_network("10.0.0.0/8"), [1]),
        (~A.ip.in_network("10.0.0.0/8"), [2]),
        (A.path.matches(r"^/\w+$"), [2]),
        (A.path.extract(r"(\w+)\.php") == "login", [1]),
        (function("split_part")(A.path, "/", 2) == "shop", [2]),
        (function("is_ip")(A.ip), [1, 2]),
        (function("hour")(A.end) == 9, [2]),
        (function("hour")(A.end, "Europe/Berlin") == 10, [1]),
        (function("weekday")(A.end) >= 6, [4]),
        (function("date")(A.end) == "2024-05-17", [1, 2, 3]),
    ],
    ids=str,
)
def test_every_engine_answers_alike(condition: Term, found: list[int], engine: str) -> None:
    query = c.compile(c.query(A.where(condition)))
    matches = query.run(EVENTS, engine=engine)  # type: ignore[arg-type]  # one of the two that are named above
    assert [match.evidence for match in matches] == [(one,) for one in found]


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (A.path.matches("(a"), "error[bad-pattern]: `(a` is not a regular expression: missing ): (a"),
        (A.ip.in_network("10.0.0"), "error[bad-argument]: `10.0.0` is not a network"),
        (function("hour")(A.end, "Europe/Berln") == 1, "error[bad-argument]: there is no time zone `Europe/Berln`"),
    ],
)
def test_constants_that_cannot_be_are_refused(condition: Term, message: str) -> None:
    with pytest.raises(c.CepheidError) as error:
        c.compile(c.query(A.where(condition)))
    assert str(error.value).splitlines()[0] == message
