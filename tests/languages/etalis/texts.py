"""Texts of ETALIS with everything in them, and pieces of such texts."""

from typing import Final

from hypothesis import strategies as st

from tests.languages.etalis.random_programs import programs

LINES: Final = (
    "event stock(symbol, price, volume).",
    "event rise(symbol).",
    "tick 1 ms.",
    "rate a 5/s.",
    "rate b 3/250 ms.",
    "rate 'two words' every 200 ms.",
    "disorder a 2 s.",
    "keys b 1000.",
    "near(dock, harbour).\nnear(harbour, town).\nreach(X, Y) :- near(X, Y).\nreach(X, Z) :- near(X, Y), reach(Y, Z).",
    "table limits(account, limit) empty.",
    "table zone(place).\nzone(dock). zone(-1.5). zone(true).",
)
RULES: Final = (
    "rise(S) <- (stock(S, P1, _) SEQ stock(S, P2, _)).20 s WHERE (P2 > 1.2 * P1).",
    "first rule: e <- stock(\"GO\", 3, V) AND 'two words'(V, V).",
    'second rule: e <- stock(S, _, _) WHERE (S in ["GO", \'MS\'], not S = "X").',
    "spike(S, avg(P), count()) <- (ntimes(stock(S, P, _), 3)).5 s WHERE (max(P) - min(P) > 10 and sum(P * 2) < 1e9).",
    "many(sum(P)) <- star(a(P) WHERE (P > 0)) policy chronological.",
    "late(X) <- NOT(c(X) SEQ c(_)).[(a(X) OR b(X)) AND d, e2(X)].",
    "day <- p DURING (0 SEQ 6).",
    "then2 <- 1969-12-31 SEQ 2024-05-17T08:30:00.5Z.",
    "path(X, Y) <- edge(X, Y).\npath(X, Z) <- path(X, Y) SEQ edge(Y, Z).",
    "calc(-X, X mod 2, -(X + 1), abs(X)) <- a(X) WHERE (X - -2 > 3 - (2 - 1), -X < 5, coalesce(X, 1) / 2 // 3 >= 0).",
    "q(X) <- (((a(X) SEQ b(_)).5).7 WHERE (X > 1)) MEETS (c0 WHERE (true)).",
    "w(X) <- ((a(X) WHERE (X > 1)).3 WHERE (X < 9)).2.",
    "v(X) <- ((star(a(X)) WHERE (X > 1)).3 WHERE (X < 9)).2 policy recent.",
    "u(X) <- (NOT(c0).[a(X), b(X)] WHERE (X > 1)).4.",
    "'SEQ'(X) <- 'Capital letter'(X, \"it's\").",
    "ts(V) <- a(V) SEQ stock(_, _, V) policy recent tie greatest volume.",
    "more(S) <- (stock(S, P, V) SEQ stock(S, P + 1, V * 2)).5 s WHERE P > 3.",
    "both(X) <- stock(_, Y, X + Y) AND a(X).",
    "gone(X) <- NOT(c(X * 2))[a(X), b(X - 1)] WHERE not X = 3.",
)

_PIECES = """
    a b(X) c(X, Y) e <- :- SEQ seq AND OR PAR NOT( WHERE WHERE( ) ( ] [ , . .5 .[ 5 s
    3 q "GO" 'MS' "open ' policy
    recent tie longer recnt event stock table
    tick rate every keys ntimes( star( count( _ X Y == < =< && -> | ; rule: in not
    true null % $ é 1e999 99999999999999999999 0 2024-05-17 mod - + * /
"""
PIECES = st.sampled_from(_PIECES.split())
_JOINTS = st.sampled_from([" ", " ", " ", "", "\n"])
SOUP = st.lists(st.tuples(PIECES, _JOINTS), max_size=14).map(lambda pairs: "".join(map("".join, pairs)))


RICH = st.tuples(
    st.lists(st.sampled_from(LINES[1:]), max_size=4, unique=True),
    st.lists(st.sampled_from(RULES), min_size=1, unique=True),
).map(lambda drawn: "\n".join([LINES[0], *drawn[0], *drawn[1]]))
TEXTS = st.one_of(programs(), RICH)
