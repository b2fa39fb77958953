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
CHAINS = (
    shows(
        "a run of a chain may have started later and yet reach less far back",
        "chain from one window end($last) - start($first) <= 5 merged { step one: x: a then two step two: y: b }",
        "3-4 a, 0-5 a, 8 b",
        "3-8 a#1 b",
    ),
    shows(
        "the window of a chain may want it long",
        "chain from one window end($first) - end($last) <= -3 merged { step one: x: a then two step two: y: b }",
        "1 a, 3 a, 4 b",
        "1-4 a#1 b",
    ),
    shows(
        "a run that is too long for a window above stands for others all the same",
        "(chain from one merged observing () { step one: x: a let k = x.value then two step two: y: b[value > @k] })"
        " within 5",
        "3-4 a(1), 0-5 a(2), 8 b(5)",
    ),
)
NAMES = (
    shows(
        "a name that is bound in several branches has the bounds of all",
        "join [(either ["
        "(join [x: a, y: b, v] relation $0 then $1, end(y) - end(x) <= 2, $1 then $2), "
        "(join [x: a, y: b, v] relation $0 then $1, $1 then $2)]), w] relation end($1) - end(y) <= 3, $0 then $1",
        "0 a, 10 b, 11 v, 12 w",
        "0-12 a b v w",
    ),
    shows(
        "a condition asks whether a variable is there",
        "(chain from one { step one: x: a let k = x.value then two step two: y: b }) then c where bound(k)",
        "1 a(1), 2 b, 3 c",
        "1-3 a b c",
    ),
    shows(
        "a condition reads the fields of a variable",
        '(chain from one { step one: x: a let r = record("k", 1) then two step two: y: b }) then c where r.k == 1',
        "1 a(1), 2 b, 3 c",
        "1-3 a b c",
    ),
    shows(
        "nothing is chosen for a null key, not even everything",
        "a then b choose all per a.value",
        "1 a(null), 2 a(1), 3 b",
        "2-3 a#2 b",
    ),
)
PLACES = (
    shows(
        "a position that is told counts all records before",
        "rule p: x: a emits p(n = position(end(x)))",
        "1 a, 2 b, 3 a, 4 a",
        "1 a#1 {n: 0}",
        "3 a#3 {n: 2}",
        "4 a#4 {n: 3}",
    ),
    shows(
        "a position that is told counts the records of its key",
        "rule p per key: x: a emits p(n = position(end(x)))",
        "1 a{key: 1}, 2 a{key: 2}, 3 a{key: 1}, 4 a{key: 1}",
        "1 a#1 {n: 0}",
        "2 a#2 {n: 0}",
        "3 a#3 {n: 1}",
        "4 a#4 {n: 2}",
    ),
    shows(
        "what a point of time completes late may lie before all records to come",
        "c unless (((instant t: every(2, 0)) unless b relation 1 <= start($absent) - end($pattern) <= 6)"
        " and a choose recent) relation -2 <= position(end($absent)) - position(end($pattern)) <= -1",
        "2 a, 3 c, 4 z, 5 z, 20 z",
    ),
)


@examples(*TIMES, *LENGTHS, *CHAINS, *NAMES, *PLACES)
def test_a_rare_query_finds_what_it_means(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
