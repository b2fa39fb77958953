"""What `suppress` is as text: a clause of one pattern, with a span and a key, and what is said where it is wrong."""

import pytest

from cepheid.algebra.expressions import Field
from cepheid.algebra.patterns import Pattern, Suppress
from cepheid.algebra.programs import EVENT
from cepheid.algebra.validation import validate
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import parse, show

USER = Field("login", "user")


def read(text: str) -> Pattern:
    [rule] = parse(text).rules
    return rule.pattern


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("login suppress 10 min", ()),
        ("login suppress 10 min by login.user", (USER,)),
        ("login suppress 600 by (login.user), login.site emits X", (USER, Field("login", "site"))),
        ("rule x: (login suppress 10 min by login.user) emits X", (USER,)),
    ],
)
def test_a_suppression_has_a_span_and_a_key(text: str, by: tuple[Field, ...]) -> None:
    pattern = read(text)
    assert isinstance(pattern, Suppress)
    assert (pattern.apart, pattern.by) == (600_000_000, by)
    assert read(show(parse(text))) == pattern


def test_a_key_of_the_rule_stands_outside() -> None:
    [rule] = parse("(login suppress 10 min) by user").rules
    assert rule.per == (Field(EVENT, "user"),)
    assert rule.pattern == read("login suppress 10 min")


REFUSED = {
    "login suppress 0 s": """
error[bad-span]: nothing is left out within `0` after a match
 --> <query>:1:1
  |
1 | login suppress 0 s
  | ^^^^^^^^^^^^^^^^^^
  = hint: suppress for longer, for example for `10 min`""",
    "login suppress -5 s": """
error[bad-span]: nothing is left out within `-5 s` after a match
 --> <query>:1:1
  |
1 | login suppress -5 s
  | ^^^^^^^^^^^^^^^^^^^
  = hint: suppress for longer, for example for `10 min`""",
    "login suppress 5 s by logn.user": """
error[unknown-part]: there is no part `logn`
 --> <query>:1:1
  |
1 | login suppress 5 s by logn.user
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = hint: did you mean `login`?""",
    "login suppress 5 s by user": """
error[syntax]: `user` is a field of nothing
 --> <query>:1:23
  |
1 | login suppress 5 s by user
  |                       ^^^^ no event is meant here
  = hint: write the part it belongs to: `login.user`; a variable is `@user`""",
    "login then logout suppress 5 s": """
error[syntax]: `suppress` cannot stand here
 --> <query>:1:19
  |
1 | login then logout suppress 5 s
  |                   ^^^^^^^^^^^^ a join takes `within`, `relation`, `on`, `if`, `choose` and `where`
  = hint: put what stands before it in parentheses""",
    "login suppress 5 s where login.value > 1": """
error[syntax]: `where` cannot stand here
 --> <query>:1:20
  |
1 | login suppress 5 s where login.value > 1
  |                    ^^^^^^^^^^^^^^^^^^^^^ a suppression takes `suppress`
  = hint: put what stands before it in parentheses""",
    "login suppress user": """
error[syntax]: `user` cannot stand here
 --> <query>:1:16
  |
1 | login suppress user
  |                ^^^^ expected a length of time""",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_suppression_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(CepheidError) as caught:
        validate(parse(text))
    assert str(caught.value) == REFUSED[text].strip("\n")
