"""Legal queries that random ones hardly ever are: each once lost or made up a match."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

TIMES = (
    shows(
        "a fixed time before the first event of a key is dated back",
        "rule k per key: instant t: at(3) emits k\n"
        "rule lone: c unless k relation -5 <= start($absent) - end($pattern) <= 5 emits lone",
        "2 c, 20 z, 22 z{key: 1}",
        "k: 3",
    ),
    shows(
        "every key has a fixed time of its own",
        "rule k per key: instant t: at(3) emits k",
        "2 c{key: 1}, 9 c{key: 2}, 20 z",
        "3",
        "3",
    ),
)
LENGTHS = (
    shows(
        "an event that lasts may be of a type that a rule emits as a point",
        "rule make: b emits a from end($pattern)\nrule use: c and a relation 0 <= start($1) - end($0) <= 3 emits use",
        "1 c, 3-20 a",
        "use: 1-20 c a",
    ),
)


@examples(*TIMES, *LENGTHS)
def test_a_rare_query_finds_what_it_means(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
