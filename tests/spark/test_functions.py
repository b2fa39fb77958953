"""Functions in conditions find on Spark what they find in this process."""

from pyspark.sql import SparkSession

import cepheid as c
from cepheid.spark import detect
from cepheid.terms import Term, function

A = c.event("Request", name="a")
EVENTS = [
    {"type": "Request", "time": 1715934600, "ip": "10.1.2.3", "path": "/admin/login.php"},
    {"type": "Request", "time": 1715938200, "ip": "192.0.2.7", "path": "/shop"},
    {"type": "Request", "time": 1716000000, "ip": None, "path": None},
]
CONDITIONS: list[Term] = [
    A.ip.in_network("10.0.0.0/8"),
    A.path.matches(r"^/\w+$"),
    A.path.extract(r"(\w+)\.php") == "login",
    function("split_part")(A.path, "/", 2) == "shop",
    function("hour")(A.end, "Europe/Berlin") == 11,
    function("weekday")(A.end) >= 6,
]


def test_conditions_hold_as_in_this_process(spark: SparkSession) -> None:
    frame = spark.createDataFrame(EVENTS)
    query = c.compile(c.program(*(c.query(A.where(one), name=f"R{number}") for number, one in enumerate(CONDITIONS))))
    here = sorted((match.name, match.end) for match in query.run(EVENTS))
    there = detect(frame, query, type="type", time="time").where("tag = 'match'").select("match", "end").collect()
    assert sorted((row["match"], int(row["end"])) for row in there) == here
    assert {name for name, _ in here} == {f"R{number}" for number in range(len(CONDITIONS))}
