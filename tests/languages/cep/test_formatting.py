"""A text that is laid out says what it said, keeps its comments, and is laid out once for all."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import parse, show
from cepheid.languages.cep.formatting import formatted
from cepheid.testing.strategies import programs

BEFORE = """# brute force
stream   Failed rate 5 per 1 s  # from sshd
ties arrival
rule brute  by ip:  (repeat r: 5..* of f: Failed within 10 min with n = count of items) then \
ok: Accepted[ user=="root" and x>-1] within 10 min choose next where r.n >= 5 and ok.user != 'nobody'  # five
 emits Brute(ip=ok.ip, n=r.n)
rule second: Brute emits S
# the end
"""
AFTER = """# brute force
stream Failed rate 5 per 1 s  # from sshd
ties arrival

rule brute by ip:
    (repeat r: 5..* of f: Failed within 10 min with n = count of items)
    then ok: Accepted[user == "root" and x > -1]
    within 10 min
    choose next
    where r.n >= 5 and ok.user != 'nobody'  # five
    emits Brute(ip = ok.ip, n = r.n)

rule second:
    Brute
    emits S

# the end
"""


def test_a_text_is_laid_out() -> None:
    assert formatted(BEFORE) == AFTER
    assert formatted(AFTER) == AFTER
    assert parse(BEFORE) == parse(AFTER)


def test_a_query_without_a_name_stays_one_line() -> None:
    assert formatted("tick 1 s   a then b within 5 s by x") == "tick 1 s\na then b within 5 s by x\n"


@given(programs(), st.randoms(use_true_random=False))
def test_whatever_white_space_there_was(program: Program, chance: Random) -> None:
    text = show(program)
    loose = "".join(chance.choice((" ", "  ", "\n", " # why\n")) if one == " " else one for one in text)
    try:
        meant = parse(loose)
    except CepheidError:  # a string or a length was cut in two
        loose, meant = text, program
    once = formatted(loose)
    assert parse(once) == meant
    assert formatted(once) == once
    assert once.count("# why") == loose.count("# why")
