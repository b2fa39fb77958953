"""Phrases of other languages and slips of newcomers in `cep`: see `wrong_inputs.py` for what stands in a line."""

from typing import Final

from tests.cli.wrong_inputs import CEP, Wrong

PAIR: Final = "a: Login then b: Buy within 5 s"
ABSENT: Final = "(a: A then b: B) unless c: C between a and b"
AGAIN: Final = "repeat r: 3 of a: A within 1 min"
TWICE: Final = "repeat r: 2 of a: Login within 5 s"
EMITS: Final = "emits Alert(user = a.user)"
BOUNDS: Final = "a.field >= 1 and a.field <= 9"

PHRASES: Final[tuple[Wrong, ...]] = (
    (f"run 'a: Login then b: Buy in 5 s' {CEP}", "syntax", "in 5 s", "within 5 s"),
    (f"run 'a: Login then b: Buy within five seconds' {CEP}", "syntax", "within five seconds", "within 5 s"),
    (f"run 'a: Login, b: Buy within 5 s' {CEP}", "syntax", ",", " then"),
    (f"run 'a: Login then then b: Buy within 5 s' {CEP}", "syntax", "then then", "then", "leave one `then` out"),
    (
        f"run '{PAIR} unless c: Exit between a and b' {CEP}",
        "syntax",
        f"{PAIR} unless",
        f"({PAIR}) unless",
        "put what stands before it in parentheses",
    ),
    (
        f"run 'a: Login then not c: Exit then b: Buy within 5 s' {CEP}",
        "syntax",
        "a: Login then not c: Exit then b: Buy within 5 s",
        f"({PAIR}) unless c: Exit between a and b",
        ABSENT,
    ),
    (
        f"run 'a: Login then !Exit then b: Buy within 5 s' {CEP}",
        "syntax",
        "a: Login then !Exit then b: Buy within 5 s",
        f"({PAIR}) unless c: Exit between a and b",
        ABSENT,
    ),
    (
        f"run 'a: Login without b: Exit within 1 min' {CEP}",
        "syntax",
        "without b: Exit within 1 min",
        "unless b: Exit relation 0 s <= start(b) - end(a) <= 1 min",
        "relation 0 s <= start(b) - end(a) <= 1 min",
    ),
    (f"run 'every a: Login then b: Buy within 5 s' {CEP}", "syntax", "every ", "", "leave `every` out"),
    (f"run '2 x Login within 5 s' {CEP}", "syntax", "2 x Login within 5 s", TWICE, AGAIN),
    (f"run 'Login{{2}} within 5 s' {CEP}", "syntax", "Login{2} within 5 s", TWICE, AGAIN),
    (f"run '2 of Login within 5 s' {CEP}", "syntax", "2 of Login within 5 s", TWICE, AGAIN),
    (f"run 'repeat 2 of Login within 5 s' {CEP}", "syntax", "repeat 2 of Login within 5 s", TWICE, AGAIN),
    (f"run 'repeat a: Login 2 times within 5 s' {CEP}", "syntax", "repeat a: Login 2 times within 5 s", TWICE, AGAIN),
    (f"run 'count(Login) > 1 within 5 s' {CEP}", "syntax", "count(Login) > 1 within 5 s", TWICE, AGAIN),
    (f"run 'Login[n > 3] as x' {CEP}", "syntax", "Login[n > 3] as x", "x: Login[n > 3]", "x: A"),
    (f"run 'a: Login emits a.user' {CEP}", "syntax", "emits a.user", EMITS),
    (f"run 'a: Login emits user = a.user' {CEP}", "syntax", "emits user = a.user", EMITS),
    (f"run 'a: Login emits Alert(a.user)' {CEP}", "syntax", "emits Alert(a.user)", EMITS),
    (f"run 'a: Login emits Alert(user: a.user)' {CEP}", "syntax", "emits Alert(user: a.user)", EMITS),
    (f"run 'a: Login emits' {CEP}", "syntax", "emits", EMITS),
    (f"run 'rule X a: Login' {CEP}", "syntax", "rule X a: Login", "rule X: a: Login emits X", "rule X: a: A"),
    (f"run 'rule: a: Login emits X' {CEP}", "syntax", "rule:", "rule X:", "rule X: a: A"),
    (f"run 'a: \"Login\"' {CEP}", "syntax", '"Login"', "Login", "a: A"),
    (f"run '(a: Login then b: Buy within 5 s' {CEP}", "syntax", "5 s", "5 s)", "`)`"),
    (f"run 'a: Login) then b: Buy within 5 s' {CEP}", "syntax", ")", "", "leave it out"),
    (f"run 'a: Login[n in 3..5]' {CEP}", "syntax", "n in 3..5", "a.n >= 3 and a.n <= 5", BOUNDS),
    (
        f"run 'a: Login[user matches \"a.*\"]' {CEP}",
        "syntax",
        'user matches "a.*"',
        'matches(a.user, "a.*")',
        'matches(a.field, "x")',
    ),
    (
        f"run 'a: Login[user contains \"a\"]' {CEP}",
        "syntax",
        'user contains "a"',
        'contains(a.user, "a")',
        'contains(a.field, "x")',
    ),
    (f"run 'a: Login where time(a) > 0' {CEP}", "syntax", "time(a)", "start(a)"),
    (f"run '{PAIR} where b - a > 0 s' {CEP}", "syntax", "b - a", "start(b) - start(a)", "start(b)"),
    (f"run '{PAIR} limit 3' {CEP}", "syntax", "limit 3' ", "' --limit 3 ", "--limit 3"),
    (f"run 'repeat r: 2 of a: Login within 5 s on user' {CEP}", "syntax", "on user", "by user"),
    (
        f"run 'a: Login unless b: Exit within 5 s' {CEP}",
        "syntax",
        "within 5 s",
        "relation 0 s <= start($absent) - end($pattern) <= 5 s",
    ),
    (
        f"run 'repeat r: 2 of a: Login then b: Buy within 5 s' {CEP}",
        "syntax",
        "repeat r: 2 of a: Login then b: Buy",
        "(repeat r: 2 of a: Login within 5 s) then b: Buy",
        "(repeat r: 3 of a: A within 1 min) then b: B",
    ),
    (
        f"run '(repeat r: 2 of a: Login within 5 s) then b: Buy within 9 s on user' {CEP}",
        "syntax",
        "within 5 s) then b: Buy within 9 s on user",
        "within 5 s with user = last of a.user) then b: Buy within 9 s on r.user == b.user",
        "on r.user == b.user",
    ),
    (
        f"run 'repeat r: 2 of a: Login within 5 s with n = count(a) emits X(n = r.n)' {CEP}",
        "syntax",
        "count(a)",
        "count of items",
    ),
    (
        f"run 'repeat r: 2 of a: Login within 5 s with n = sum(a.n) emits X(n = r.n)' {CEP}",
        "syntax",
        "sum(a.n)",
        "sum of a.n",
    ),
    (
        f"run 'repeat r: 2 of a: Login within 5 s emits X(user = r.user)' {CEP}",
        "unknown-fold",
        "within 5 s",
        "within 5 s with user = last of a.user",
        "with user = last of a.user",
    ),
    (f"run 'a: Login | b: Buy' {CEP}", "syntax", "|", "or"),
    (f"run 'Login then Login within 5 s' {CEP}", "duplicate-part", "then Login", "then Login2: Login", "Login2: Login"),
    (f"run 'stream Login 5 per 1 s a: Login' {CEP}", "syntax", "5 per 1 s", "rate 5 per 1 s", "rate"),
)
