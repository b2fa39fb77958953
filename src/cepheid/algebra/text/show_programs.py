"""Rules, streams, tables and whole programs as text.

tick 1 s
ties arrival
stream Login rate 5 per 1 s spaced disorder 2 s
table prices(item, price) key 1 {("pear", 3)}
rule fraud per user:
    login then payment within 5 min
    emits Alert(user = login.user)
"""

from collections.abc import Iterator

from cepheid.algebra.expressions import Expr, Moment
from cepheid.algebra.programs import EVENT, HULL, Program, Rule, Stream, Table, Ties
from cepheid.algebra.relations import Endpoint, end, start
from cepheid.algebra.text.layout import enclosed, hanging, indented
from cepheid.algebra.text.show_clauses import shown_entries
from cepheid.algebra.text.show_expressions import shown_expression, shown_expressions
from cepheid.algebra.text.show_patterns import shown_pattern
from cepheid.algebra.text.show_pipes import shown_pipe
from cepheid.algebra.text.words import shown_name, shown_names, shown_ticks, shown_value


def shown_program(program: Program, usual: Ties = Ties.SIMULTANEOUS) -> str:
    """Return a program, its declarations first; rules stand apart from each other. `usual` ties are not said."""
    declarations = [
        *([] if program.tick == 1 else [f"tick {shown_ticks(program.tick)}"]),
        *([] if program.ties is usual else [f"ties {program.ties.value}"]),
        *map(shown_stream, program.streams),
        *(shown_table(table, name) for name, table in program.tables.items()),
    ]
    pipes = [hanging(f"pipe {shown_name(name)} =", shown_pipe(pipe)) for name, pipe in program.pipes.items()]
    groups = ["\n".join(declarations), *map(shown_rule, program.rules), "\n".join(pipes)]
    return "\n\n".join(filter(None, groups))


def shown_rule(rule: Rule) -> str:
    """Return a rule; where its events start and end is said unless it is where the match does."""
    per = f" per {shown_expressions(rule.per, own=EVENT)}" if rule.per else ""
    emits = f"emits {shown_name(rule.emits)}"
    if rule.fields:
        emits = enclosed(f"{emits}(", shown_entries(rule.fields), ")")
    times = [*_time("from", rule.start, start(HULL)), *_time("to", rule.end, end(HULL))]
    body = "\n".join([shown_pattern(rule.pattern), " ".join([emits, *times])])
    return f"rule {shown_name(rule.name)}{per}:\n{indented(body)}"


def shown_stream(stream: Stream) -> str:
    """Return what is declared about a stream."""
    return " ".join([f"stream {shown_name(stream.name)}", *_declared(stream)])


def shown_table(table: Table, name: str | None = None) -> str:
    """Return a table with its rows; in a program it has a name."""
    head = "table " + ("" if name is None else shown_name(name))
    rows = [f"({', '.join(map(shown_value, row))})" for row in table.rows]
    return enclosed(f"{head}({shown_names(table.columns)}) key {table.key_count} {{", rows, "}")


def _time(word: str, time: Expr, usual: Endpoint) -> list[str]:
    return [] if time == Moment(usual) else [f"{word} {shown_expression(time)}"]


def _declared(stream: Stream) -> Iterator[str]:
    if stream.arrival:
        yield f"rate {stream.arrival.count} per {shown_ticks(stream.arrival.per)}" + " spaced" * stream.arrival.spaced
    if stream.disorder:
        yield f"disorder {shown_ticks(stream.disorder)}"
    if stream.sources:
        yield f"sources ({shown_names(stream.sources)})"
    if stream.keys is not None:
        yield f"keys {stream.keys}"
