"""One event may complete very many matches: they are told in portions, and there may be a limit."""

import pytest

import cepheid
from cepheid.api import CompiledQuery
from cepheid.api.detectors import MOST_TOLD
from cepheid.diagnostics import CepheidError
from tests.cli.console import cepheid as run_command

A, B, C = cepheid.event("A", name="a"), cepheid.event("B", name="b"), cepheid.event("C", name="c")


def triples(**options: str) -> CompiledQuery:
    return cepheid.compile(cepheid.query((A >> B >> C).within("1 h"), name="Many"), **options)  # type: ignore[call-overload, no-any-return]  # by name


def events(count: int) -> list[dict[str, object]]:
    """So many `A` and so many `B`, and the `C` that completes all combinations."""
    return [
        *({"type": "A", "time": time} for time in range(count)),
        *({"type": "B", "time": 1000 + time} for time in range(count)),
        {"type": "C", "time": 3000},
    ]


def message(raised: pytest.ExceptionInfo[CepheidError]) -> str:
    [finding] = raised.value.diagnostics
    assert finding.code == "too-many-matches"
    return finding.message


@pytest.mark.parametrize("options", [{}, {"disorder": "0 s"}])
def test_an_event_that_completes_too_many_is_named_with_its_rule(options: dict[str, str]) -> None:
    assert len(list(triples(**options).run(events(10), max_matches=100))) == 100
    with pytest.raises(CepheidError) as raised:
        list(triples(**options).run(events(10), max_matches=99))
    assert message(raised) == "`C` of 3000, `21`, completes more than 99 matches of `Many`"


def test_a_detector_ends_at_such_an_event() -> None:
    detector = triples().detector(max_matches=99)
    *before, last = events(10)
    for event in before:
        detector.push(event)
    with pytest.raises(CepheidError) as raised:
        detector.push(last)
    assert message(raised) == "`C` of 3000, `21`, completes more than 99 matches of `Many`"
    with pytest.raises(CepheidError, match="detector-closed"):
        detector.push({"type": "A", "time": 3001})


def test_an_event_that_no_rule_reads_may_be_what_ends_it() -> None:
    query = cepheid.compile(cepheid.query((A >> B).within("1 h"), name="Many", policy="next"))
    detector = query.detector(max_matches=9)
    for event in [*({"type": "A", "time": time} for time in range(10)), {"type": "B", "time": 20}]:
        detector.push(event)
    with pytest.raises(CepheidError) as raised:
        detector.push({"type": "D", "time": 21})
    assert message(raised) == "`B` of 20, `11`, completes more than 9 matches of `Many`"
    with pytest.raises(CepheidError, match="detector-closed"):
        detector.push({"type": "D", "time": 22})


def test_the_end_of_the_input_completes_matches_too() -> None:
    query = cepheid.compile("(A ; B) within 1 h - C", policy="all", language="algebra")
    given = [*({"type": "A", "time": time} for time in range(10)), {"type": "B", "time": 20}]
    with pytest.raises(CepheidError) as raised:
        list(query.run(given, max_matches=9))
    assert message(raised) == "the end of the input completes more than 9 matches of `match`"


def test_each_rule_is_counted_for_itself_and_each_key_with_the_others() -> None:
    keyed = cepheid.compile(cepheid.query((A >> B).within("1 h"), name="Keyed", by="k"))
    given = [{"type": kind, "time": "AB".index(kind), "k": key} for kind in "AB" for key in range(20)]
    assert len(list(keyed.run(given, max_matches=1))) == 20  # each of one event


def test_what_matches_are_found_inside_does_not_count() -> None:
    chosen = cepheid.compile(cepheid.query((A >> B >> C).within("1 h"), name="Last", policy="recent"))
    assert len(list(chosen.run(events(10), max_matches=5))) <= 5


@pytest.mark.parametrize("engine", ["interpreter", "kernels"])
def test_many_matches_are_told_in_portions(engine: str) -> None:
    batches = list(triples().run(events(110), engine=engine).batches())  # type: ignore[arg-type]  # a parameter
    assert max(map(len, batches)) == MOST_TOLD
    told = [match for batch in batches for match in batch]
    assert len(told) == 110**2
    assert len({match.id for match in told}) == len(told)
    assert told == sorted(told, key=lambda match: (match.known, match.end, match.start, match.evidence))


def test_kernels_do_not_count() -> None:
    with pytest.raises(CepheidError, match="conflicting-options"):
        triples().run(events(2), engine="kernels", max_matches=5)


def test_the_command_line_has_the_limit() -> None:
    given = "type,time\n" + "".join(f"{event['type']},{event['time']}\n" for event in events(5))
    answer = run_command(
        "run", "(A ; C) within 1 h", "--language", "algebra", "--policy", "all", "--max-matches", "4", given=given
    )
    assert (answer.status, answer.said.splitlines()[0]) == (
        2,
        "error[too-many-matches]: `C` of 3000, `11`, completes more than 4 matches of `match`",
    )


def test_partial_matches_are_limited_too() -> None:
    query = cepheid.compile("policy all\n" + " + ".join(["A"] * 12), allow_unbounded=True, language="algebra")
    with pytest.raises(CepheidError) as raised:
        list(query.run([{"type": "A", "time": time} for time in range(8)], max_matches=1000))
    assert message(raised) == "`A` of 2, `3`, completes more than 100,000 partial matches of `match`"
