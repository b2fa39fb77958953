"""Random texts of PARTElang: whole programs with most of what a text can hold."""

from typing import Final

from hypothesis import strategies as st

TEMPLATES: Final = """
template Transfer { id : Integer, account : AccountId, amount : Amount, name : String, ok : Boolean, sent : Timestamp }
template `two words` { id : Integer, `when` : Integer }
template Alarm { id : Integer, ids : [Integer; 3] }
template Marker {}"""

DECLARATIONS = st.lists(
    st.sampled_from(
        [
            "tick 1 ms",
            "source Transfer 10 per ms from 2 sources",
            "source Alarm every 5 s disorder 250 ms keys 7",
            "source `two words` 3 per 5 min from one, `and two`, three",
            "source Marker",
            'table routes(a, b) = [["E", "F"], ["S", "R"]]',
            'table limits(account) gives least : Float, `in` = [["E", 1.5, null], ["F", -2, true]]',
            "table empty(x) = []",
            "predicate small(x) = x < 3 or x > 5 and not x = 4",
            "pattern big(least) : Transfer { amount >= least, ok }",
        ]
    ),
    unique_by=lambda line: tuple(line.split()[:2]),
    max_size=6,
)

VALUES = st.recursive(
    st.sampled_from(["amount", "amount", "id", "a.amount", "a.id", "3", "-2", "0.5", "1e9"]),
    lambda inner: st.one_of(
        st.builds(lambda one, sign, two: f"({one} {sign} {two})", inner, st.sampled_from("+-*/%"), inner),
        st.builds(lambda one: f"-({one})", inner),
        st.builds(lambda one, two: f"max({one}, {two}, 1)", inner, inner),
        st.builds(lambda one: f"abs({one})", inner),
    ),
    max_leaves=3,
)
CONDITIONS = st.one_of(
    st.builds(
        lambda one, sign, two: f"{one} {sign} {two}",
        VALUES,
        st.sampled_from(["=", "==", "!=", "≠", "<", "<=", "≤", ">", ">=", "≥"]),
        VALUES,
    ),
    st.sampled_from(
        [
            "account = a.account",
            "a.account = account",
            'name != "a \\"quoted\\" word"',
            "ok",
            "not ok",
            "ok and amount > 3 or id in [1, -2, 3]",
            "ok and amount > 3 and id != a.id",
            "timestamp > a.timestamp + 5 s",
            "timestamp - a.timestamp < 250 ms",
            "a.amount > 3",
            "true",
            'contains(name, "x")',
            "is_null(amount)",
            'name + "!" != "x"',
            'account + "!" != name',
            "if(ok, amount, 3) > min(amount, 2)",
            'coalesce(name, "none") = string(id)',
            "length(list(id, 3)) = 2",
            "(timestamp - sent) * 2 < 5 or sent - timestamp > 3",
            'max(account, "E", 3) != a.account',
        ]
    ),
)
LENGTHS = st.sampled_from(["0", "0 s", "-5 s", "250 ms", "3 us", "1.5 h", "2 days"])


def _braces(conditions: list[str]) -> str:
    return f" {{ {', '.join(conditions)}, }}" if conditions else ""


BRACES = st.lists(CONDITIONS, max_size=3).map(_braces)
WINDOWS = st.sampled_from(["[0, 5 s]", "[-2 days, 2 days]", "[0 s, 0 s]", "[-250 ms, 3 us]", "[1.5 h, 2 h]"])

BEGINNINGS = st.sampled_from(["a : Transfer", "a : Transfer { amount > 3, ok }", "a : Transfer { id = 3 and ok }"])
FURTHER = st.one_of(
    st.builds(lambda braces, window: (f"b : Transfer{braces}", f"b in a {window}"), BRACES, WINDOWS),
    st.builds(lambda braces, window: (f"no n : Transfer{braces}", f"no n in a {window}"), BRACES, WINDOWS),
    st.builds(
        lambda braces, window: (f"t : sum(amount) of i : Transfer{braces} in a {window} {{ t > a.amount }}", ""),
        BRACES,
        WINDOWS,
    ),
    st.builds(lambda window: (f"c : count() of j : Marker in a {window}", ""), WINDOWS),
    st.builds(lambda window: ("w : `two words` { `when` > 3, id = a.id }", f"w in a {window}"), WINDOWS),
    st.builds(
        lambda schedule, window: (f"p : {schedule}", f"a in p {window}\n  a in p [*, 2 days]"),
        st.sampled_from(["daily 17:00 Europe/Brussels", "weekly mon 9:30 UTC", "every 5 min", "at 2018-03-28T12:00Z"]),
        WINDOWS,
    ),
    st.builds(
        lambda window: ("x : Transfer { timestamp > a.timestamp }", f"x in a [0 s, *]\n x in a {window}"), WINDOWS
    ),
)
REACTIONS = st.lists(
    st.sampled_from(
        [
            "emit Alarm at a.timestamp with { id = a.id, ids = list(a.id) }",
            "emit Alarm at max(a.timestamp, a.timestamp - 5 s) + 250 ms with { id = a.id * 2, ids = list() }",
            "emit Alarm at avg(a.timestamp, a.timestamp + 1 us) with { ids = list(1, 2, 3), id = 7 }",
            "alarm(a.id, a.id + 1, a.account)",
            "alarm()",
        ]
    ),
    max_size=3,
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Return a text with declarations and one or two rules."""
    rules = [draw(_rule(number)) for number in range(draw(st.integers(1, 2)))]
    return "\n".join([TEMPLATES, *draw(DECLARATIONS), *rules])


@st.composite
def _rule(draw: st.DrawFn, number: int) -> str:
    further = draw(st.lists(FURTHER, max_size=3, unique_by=lambda one: one[0].split(" :")[0]))
    patterns = "\n  ".join([draw(BEGINNINGS), *(pattern for pattern, _ in further)])
    lines = "\n  ".join(line for _, line in further)
    reactions = "\n  ".join(draw(REACTIONS))
    return f"rule Rule{number} where\n  {patterns}\nwhen\n  {lines}\nthen\n  {reactions}"
