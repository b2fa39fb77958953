"""Every hint that quotes code quotes what can be typed as it stands."""

import re
from pathlib import Path

import pytest

from tests.diagnostics.hints_in_source import HOLE, Hint, Tracer
from tests.diagnostics.quoted_code import CALL, SOURCE, can_be_typed, is_python, variants

QUOTED = re.compile(r"`([^`]*)`")
ELSEWHERE = {
    "advice.py: said(hint.stream)",  # what a language says of a stream stands in its table `ADVICE`, which is followed
    "own_words.py: getattr(query.language, 'ADVICE', {})",  # the same table
    "own_words.py: {}",
    "causes.py: _HINT.findall(rest)",  # hints of an error that a worker of Spark raised
    "constants.py: check(argument.value)",  # looked up by the name of a function; its hints quote no code
    "meaning.py: self.value[1].format(name=name)",  # `Loose` of ETALIS
}
"""What is followed no further, and why."""


@pytest.fixture(scope="module")
def tracer() -> Tracer:
    tracer = Tracer(SOURCE)
    tracer.run()
    return tracer


def wrong(hint: Hint) -> list[str]:
    """Return what a hint says that nobody can type."""
    found = [piece for piece in QUOTED.findall(hint.text) if not can_be_typed(piece, hint.path)]
    if "..." in hint.text:
        found.append("...")
    if "`" not in hint.text and CALL.fullmatch(hint.text) and not any(map(is_python, variants(hint.text))):
        found.append(hint.text)
    return [f"{hint.path.name}:{hint.line}: {one.replace(HOLE, '{}')}" for one in found]


def test_what_hints_quote_can_be_typed(tracer: Tracer) -> None:
    hints = list(tracer.hints.values())
    assert len(hints) > 900
    assert sum(len(QUOTED.findall(hint.text)) for hint in hints) > 900
    assert [one for hint in hints for one in wrong(hint)] == []


def test_every_hint_is_followed_to_its_text(tracer: Tracer) -> None:
    assert tracer.unfollowed == ELSEWHERE


@pytest.mark.parametrize(
    ("folder", "text"),
    [
        ("api", "write `compile(..., intervals=True)`"),
        ("api", "write `compile(text, no_such_option=1)`"),
        ("api", "write `no_such_function(text)`"),
        ("api", "write `cepheid run query.cep --no-such-option`"),
        ("api", "write `--no-such-option 3`"),
        ("api", "write `a: A then within 5 s`"),
        ("api", "push(..., time=3)"),
        ("languages/etalis", "write `e(X <- a(X).`"),
        ("languages/hbl", "write `watchpoint { window 5 s }`"),
        ("languages/parte", "write `emit B at`"),
        ("languages/algebra", "write `(A ; ) within 5 s`"),
        ("languages/esql", "write `THE COUNT OF @trades.`"),
        ("languages/cep", "write `a: A the b: B`"),
    ],
)
def test_code_that_nobody_can_type_is_found(folder: str, text: str) -> None:
    assert wrong(Hint(text, SOURCE / folder / "module.py", 1)) != []


def test_hints_are_found_however_they_reach_a_diagnostic(tmp_path: Path) -> None:
    source = """
TABLE = {"a": "from a table"}

def plain(x):
    hint = f"of a name `{x}`" if x else "another"
    raise CepheidError(Diagnostic("code", "message", hints=(hint,)))

def _made(message, hint):
    return Diagnostic("code", message, hints=(hint, TABLE[message]))

def caller():
    message, hint = _words()
    raise CepheidError(_made(message, hint))

def _words():
    return "message", "of a function"
"""
    (tmp_path / "module.py").write_text(source)
    tracer = Tracer(tmp_path)
    texts = {hint.text for hint in tracer.run()}
    assert texts == {f"of a name `{HOLE}`", "another", "from a table", "of a function"}
    assert tracer.unfollowed == set()
