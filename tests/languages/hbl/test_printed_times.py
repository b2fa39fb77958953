"""Terms with times in them are printed as what they mean: a number beside them counts units or is a duration."""

import random
from pathlib import Path

import pytest

from cepheid.algebra.expressions import Call, Literal, Variable
from cepheid.languages.hbl import parse, show
from tests.docs.pages_that_run import ROOT

PROGRAMS = sorted((ROOT / "examples").glob("*/*.hbl"))
BODIES = (
    "main = a letting q = now() -> b[70 * ((now() - q) / 1 s) < v];",
    "main = a letting q = now() -> b[(now() - q) / 2 < 5 s and (now() - q) / 2 us < v];",
    "main = a letting q = now() -> b[round((now() - q) / 1 s) > 3 and round(now() - q) > 3];",
    "main = a letting q = now(), d = now() - q -> b letting d = now() - q -> c[now() - q < 2 * d];",
    "main = a letting q = now() -> b[(now() - q) // 250 ms == n] letting n = (now() - q) // 1 s;",
    "initially wait = 5 s, more = 500 ms; main = a letting q = now() -> b[now() <= q + (wait + more)];",
    "initially n = 5; main = a letting q = now() -> b[now() <= q + n and n > 3];",
    "initially wait = 5 s, longer = wait + 1; main = a letting q = now() -> b[now() <= q + longer];",
    "main = a letting wait = 5 s -> b; alert { wait = wait, more = wait + 1, twice = wait / 1 s * 2 };",
    "main = a letting q = now() -> b[now() - q > -(5 s) and not -(now() - q) < -3];",
    "main = a letting q = now() -> b[5 s / (now() - q) > 2 and 1.5 s // (now() - q) > 1 and 2 * now() > 3];",
    "main = a letting q = now() -> b[max(now() - q, 2.5) < if(v > 3, 5 s, 3)];",
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_an_example_is_printed_as_a_text_that_means_the_same(program: Path) -> None:
    meant = parse(program.read_text(encoding="utf-8"))
    assert parse(show(meant)) == meant


@pytest.mark.parametrize("body", BODIES)
def test_a_watchpoint_with_times_is_printed_as_one_that_means_the_same(body: str) -> None:
    meant = parse(f"watchpoint w {{ window 1 h; {body} }}")
    assert parse(show(meant)) == meant


def test_random_terms_are_printed_as_what_they_mean() -> None:
    for seed in range(60):
        text = f"watchpoint w {{ window 5 s; main = a letting q = now(), d = now() - q -> b[{_condition(seed)}]; }}"
        meant = parse(text)
        assert parse(show(meant)) == meant, text


def test_a_length_between_two_times_is_one_also_where_both_are_set_in_one_step() -> None:
    (rule,) = parse("watchpoint w { main = a letting q = now(), d = now() - q; alert { s = d / 1 s } }").rules
    assert rule.fields["s"] == Call("/", (Variable("d"), Literal(1_000_000)))


@pytest.mark.parametrize("written", ["-5 s", "-(5 s)", "- (5 s)", "(-5 s)", "-((5 s))"])
def test_a_duration_has_its_unit_also_in_parentheses(written: str) -> None:
    text = "watchpoint w {{ main = a letting q = now() -> b[now() - q > {}]; }}"
    assert parse(text.format(written)) == parse(text.format("-5 s"))


def _condition(seed: int) -> str:
    draw = random.Random(seed)
    return f"{_term(draw, 2)} {draw.choice(['<', '<=', '==', '>'])} {_term(draw, 2)}"


def _term(draw: random.Random, depth: int) -> str:
    if depth == 0 or draw.random() < 0.3:
        return draw.choice(["now()", "q", "d", "5 s", "250 ms", "3", "2.5", "k", "index()", "-2"])
    one, other = _term(draw, depth - 1), _term(draw, depth - 1)
    kind = draw.choice(["+", "-", "*", "/", "//", "%", "min", "max", "abs", "round"])
    if kind in ("min", "max"):
        return f"{kind}({one}, {other})"
    return f"{kind}({one})" if kind in ("abs", "round") else f"({one} {kind} {other})"
