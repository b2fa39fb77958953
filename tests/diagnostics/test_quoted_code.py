"""Every hint that quotes code quotes what can be typed as it stands."""

import re
from pathlib import Path

import pytest

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.causes import own_error
from tests.diagnostics.hints_in_source import HOLE, Hint, Tracer
from tests.diagnostics.quoted_code import CALL, SOURCE, can_be_typed, is_python, variants
from tests.diagnostics.shown_hints import Templates, shown_hints

QUOTED = re.compile(r"`([^`]*)`")
ELSEWHERE = {
    "causes.py: _HINT.findall(rest)",  # of an error that a worker of Spark raised: followed there, and read again below
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


def test_the_hints_of_a_worker_s_error_are_those_it_was_raised_with() -> None:
    raised = CepheidError(Diagnostic("rate-exceeded", "too many", hints=("write `stream A rate 5 per 1 s`", "wait")))
    relayed = own_error(f"PythonException: Traceback\n  cepheid.CepheidError: {raised}\n", "rate-exceeded")
    assert relayed is not None
    assert relayed.diagnostics[0].hints == raised.diagnostics[0].hints


def test_what_is_shown_of_hints_can_be_typed(tracer: Tracer) -> None:
    templates, shown = Templates(tracer.hints.values()), shown_hints()
    assert len(shown) > 500
    assert [text for text in shown if not templates.of(text)] == []
    untyped = [
        f"{path.name}: {text}: {piece}"
        for text, path in shown.items()
        for piece in QUOTED.findall(text)
        if not any(can_be_typed(piece, hint.path) for hint in templates.of(text))
    ]
    assert untyped == []


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


ROUTES = {
    "a name": """
def plain(x):
    hint = f"of a name `{x}`" if x else "another"
    raise CepheidError(Diagnostic("code", "message", hints=(hint,)))
""",
    "a parameter, a table and a result": """
TABLE = {"a": "from a table"}

def _made(message, hint):
    return Diagnostic("code", message, hints=(hint, TABLE[message]))

def caller():
    message, hint = _words()
    raise CepheidError(_made(message, hint))

def _words():
    return "message", "of a function"
""",
    "a default, and an argument without a name": """
def _made(hint="by default"):
    return Diagnostic("code", "message", (), (hint, _LAST))

_made()
_LAST = "by position"
""",
    "rows of a table": """
ROWS = (("a", "of a row"), ("b", "of another"))

def found(text):
    for sign, hint in ROWS:
        if sign in text:
            raise CepheidError(Diagnostic("code", "message", hints=(hint,)))
""",
    "a function in a table": """
def _zone(name):
    return "code", "message", f"write `{name}`"

CHECKS = {"a": (0, _zone), **dict.fromkeys(NAMES, (1, lambda name: ("code", "message", "of a lambda")))}

def checked(name):
    number, check = CHECKS.get(name, (0, None))
    found = check(name) if check else None
    code, message, hint = found
    return Diagnostic(code, message, hints=(hint,))
""",
    "an attribute of a module": """
ADVICE = {"window": "add `within 1 h`", "keys": lambda stream: f"say `keys {stream}`"}

def worded(hint, language):
    words = getattr(language, "ADVICE", {})
    said = words[hint]
    return replace(finding, hints=(said if isinstance(said, str) else said(hint),))
""",
    "a template of an enumeration": """
class Loose(Enum):
    ABSENT = ("is absent", "bind `{name}`")

    def way_out(self, name):
        return self.value[1].format(name=name)

def unbound(reason):
    return Diagnostic("code", "message", hints=(reason.way_out("x"),))
""",
    "a list that grows": """
def grown():
    hints = ["first"]
    hints.append("second")
    hints += _more()
    return Diagnostic("code", "message", hints=tuple(hints))

def _more():
    yield "third"
""",
}
FOUND = {
    "a name": {f"of a name `{HOLE}`", "another"},
    "a parameter, a table and a result": {"from a table", "of a function"},
    "a default, and an argument without a name": {"by default", "by position"},
    "rows of a table": {"of a row", "of another"},
    "a function in a table": {f"write `{HOLE}`", "of a lambda"},
    "an attribute of a module": {"add `within 1 h`", f"say `keys {HOLE}`"},
    "a template of an enumeration": {f"bind `{HOLE}`"},
    "a list that grows": {"first", "second", "third"},
}


def traced(source: str, folder: Path) -> Tracer:
    (folder / "module.py").write_text(source)
    tracer = Tracer(folder)
    tracer.run()
    return tracer


@pytest.mark.parametrize("route", ROUTES)
def test_hints_are_found_however_they_reach_a_diagnostic(route: str, tmp_path: Path) -> None:
    tracer = traced(ROUTES[route], tmp_path)
    assert {hint.text for hint in tracer.hints.values()} == FOUND[route]
    assert tracer.unfollowed == set()


@pytest.mark.parametrize(
    ("source", "unfollowed"),
    [
        ("Diagnostic('code', 'message', hints=read('hints.txt'))", "module.py: read('hints.txt')"),
        ("Diagnostic('code', 'message', hints=(error.way_out,))", "module.py: error.way_out"),
        ("Diagnostic('code', 'message', **options)", "module.py: options"),
        (
            "def made(hint):\n    Diagnostic('code', 'message', hints=(hint,))\nmade('known')\neach(texts, made)",
            "module.py: `hint` of `made`, which is handed on",
        ),
    ],
)
def test_a_hint_that_cannot_be_followed_is_listed(source: str, unfollowed: str, tmp_path: Path) -> None:
    assert traced(source, tmp_path).unfollowed == {unfollowed}
