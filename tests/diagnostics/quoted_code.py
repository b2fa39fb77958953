"""Whether what a hint quotes can be typed: as code of a language, as Python, in a pipeline, or on the command line."""

import ast
import builtins
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Final

import click
from lark import Lark
from lark.exceptions import LarkError
from lark.load_grammar import FromPackageLoader

from cepheid.cli.commands import main
from cepheid.cli.conversations import COMMANDS
from cepheid.connectors.logs.grok import line_pattern
from cepheid.connectors.logs.logfmt import read_logfmt
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import CepheidError, Source
from cepheid.events.schema import Kind
from cepheid.languages.cep.reading import grammar as cep_grammar
from cepheid.languages.esql.grammars.reading import read
from cepheid.languages.esql.grammars.tokens import tokens_of
from cepheid.languages.esql.parsing import dictionary_of
from cepheid.languages.esql.parsing import parse as parse_esql
from cepheid.languages.shared.grammars import grammar as grammar_of
from cepheid.testing import trace
from cepheid.testing.literals import literal
from tests.diagnostics.hints_in_source import HOLE
from tests.diagnostics.source_reading import trees
from tests.docs.pages_that_run import ROOT

SOURCE: Final = ROOT / "src" / "cepheid"

SAMPLES: Final = (
    *("a", "A", "5", "5 s", "then", "where", "<", '"x"', "(A ; B)", "user", "a.x", "a: A", "/data", "s", "@P"),
    *("daily", "weekly", "disorder", "letting", "AND", "[0 s, 1 h]"),
)
"""What may stand in a hole."""
SETS: Final = (
    ("A", "5", "1 s"),
    *(("INT", "x", "int"), ("x", "int"), ("first", "a"), ("X", "<", "Y", "Y", "<"), ("a", "b", "[0 s, 1 h]")),
    *(
        ("5", "s"),
        ("5", "min"),
        ("a", "<", "5"),
        ("a", "5"),
        ("A", "5"),
        ("a.x", "<"),
        ("id > 3", "id", "<"),
        ("a", "b", "3"),
    ),
)
"""What may stand in several holes that cannot hold the same."""
WORD: Final = re.compile(r"[\w.@%\\*:/~+-]+|\W{1,2}")
"""A single word or sign: a name, a number, an ending of files, a path, an operator."""
CALL: Final = re.compile(r"[\w.]+\(.*\)")
AROUND: Final[Mapping[str, tuple[str, ...]]] = {
    "cep": ("a: A then b: B GAP", "a: A[GAP]", "stream A rate GAP", "stream A GAP", "GAP a: A", "sequence { GAP }"),
    "algebra": ("(A ; B) GAP", "A GAP B", "X = A ; B GAP", "A[GAP]", "rate A GAP\nA"),
    "etalis": ("e <- GAP.", "e(X) <- a(X) GAP.", "GAP.", "e(X) <- a(X) WHERE (GAP).", "policy recent GAP."),
    "hbl": (
        "watchpoint w { GAP main = a -> b; }",
        "watchpoint w { main = a GAP -> b; }",
        "watchpoint w { main = a; GAP }",
    ),
    "parte": (
        "rule R where a : A {} GAP then emit B at a.timestamp with {}",
        "rule R where a : A {} when then emit B GAP with {}",
        "rule R where no a : A {} GAP when then emit B at a.timestamp with {}",
        "rule R GAP when then emit B at a.timestamp with {}",
        "GAP a : A {} when then emit B at a.timestamp with {}",
        "source A 10 per s from GAP",
        "rule R where a : A { GAP } when then emit B at a.timestamp with {}",
        "rule R where GAP when then emit B at a.timestamp with {}",
        "rule R where n : count(x) of x : A {} GAP when then emit B at a.timestamp with {}",
        "rule R where a : A {} n : count(x) GAP in a [0 s, 1 h] when then emit B at a.timestamp with {}",
        "rule R where a : A {} when GAP",
        "rule R where a : A {} when GAP in a [0 s, 1 h] then emit B at a.timestamp with {}",
        "rule R where noon : daily GAP then",
    ),
    "esql": (
        "GAP THE START OF @P IS THE PROCESSOR THE FIRST 3 OF @P.",
        "WHEN @P IS A PROCESSOR: GAP IS THE PROCESSOR THE FIRST 3 OF @P.",
        "SELECT a FROM @P GAP a",
        "GAP.",
    ),
}
"""Queries with a gap, for parts of a text that no rule of a grammar reads alone."""
RULE: Final = re.compile(r"^[?!]?([a-z][a-z_0-9]*)(?:\.\d+)?\s*:", re.MULTILINE)


def can_be_typed(piece: str, path: Path) -> bool:
    """Say whether a piece of a hint can be typed as it stands, with something in its holes."""
    return _can_be_typed(piece, home_of(path))


@cache
def _can_be_typed(piece: str, home: str) -> bool:
    if CALL.fullmatch(piece) and home == "":
        return any(map(is_python, variants(piece)))
    return any(reads(filled) for reads in readers(home) for filled in variants(piece))


def home_of(path: Path) -> str:
    """Return the language that a module belongs to, `shared`, `testing`, or nothing."""
    if "languages" in path.parts:
        language = path.parts[path.parts.index("languages") + 1]
        return language if language in {*AROUND, "shared"} else ""
    return "esql" if "esql" in path.parts else "testing" if "testing" in path.parts else ""


def variants(piece: str) -> Iterator[str]:
    """Yield a piece with samples in its holes."""
    parts = piece.split(HOLE)
    holes = len(parts) - 1
    fitting = [one for one in SETS if len(one) == holes] if holes > 1 else []
    for chosen in (*fitting, *((one,) * holes for one in (SAMPLES if holes else ("",)))):
        yield "".join(chain.from_iterable(zip(parts, (*chosen, ""), strict=True)))


def readers(home: str) -> tuple[Callable[[str], bool], ...]:
    """Return what reads the code that hints of a module quote, the fastest first."""
    typed = (is_word, is_option, is_python)
    files = (is_toml, is_json, is_shell, is_log, is_schema)
    match home:
        case "esql":
            return (*typed, *files, is_esql)
        case "shared":
            return (*typed, *files, *(partial(is_of, one) for one in AROUND if one != "esql"))
        case "testing":
            return (*typed, is_json, is_trace)
        case "":
            return (*typed, *files, partial(is_of, "cep"))
        case _:
            return (*typed, partial(is_of, home))


def is_word(text: str) -> bool:
    return "..." not in text and WORD.fullmatch(text) is not None


@cache
def grammar(language: str) -> Lark:
    """Return the grammar of a language that reads any of its rules."""
    package = f"cepheid.languages.{language}"
    text = files(package).joinpath(f"{language}.lark").read_text(encoding="utf-8")
    whole = f"{text}\nanything_of_it: {' | '.join(dict.fromkeys(RULE.findall(text)))}\n"
    loader = FromPackageLoader("cepheid.languages.shared")
    return Lark(whole, parser="earley", start="anything_of_it", import_paths=[loader])


@cache
def whole(language: str) -> Callable[[str], object]:
    """Return what reads whole texts of a language, which is much faster."""
    if language == "cep":
        return partial(cep_grammar().parse, start="program")
    return grammar_of(f"cepheid.languages.{language}", f"{language}.lark").parse


@cache
def is_of(language: str, text: str) -> bool:
    texts = (text, *(around.replace("GAP", text) for around in AROUND[language]))
    return any(_parses(whole(language), one) for one in texts) or _parses(grammar(language).parse, text)


def _parses(reads: Callable[[str], object], text: str) -> bool:
    try:
        reads(text)
    except LarkError:
        return False
    return True


@cache
def is_esql(text: str) -> bool:
    """Say whether a text is a query or a definition of eSQL, a part of one, or any symbol of its grammar."""
    if "..." in text:
        return False
    if text in dictionary_of().grammar.by_symbol:
        return True
    whole = (text, *(around.replace("GAP", text) for around in AROUND["esql"]))
    return any(_accepts(parse_esql, one) for one in whole) or any(
        _accepts(partial(_read_esql, symbol), text) for symbol in dictionary_of().grammar.by_symbol
    )


def _read_esql(symbol: str, text: str) -> None:
    source = Source("<hint>", text)
    read(dictionary_of().grammar, symbol, tokens_of(source), source)


def _accepts(reads: Callable[[str], object], text: str) -> bool:
    try:
        reads(text)
    except CepheidError:
        return False
    return True


def is_python(text: str) -> bool:
    """Say whether a text is Python, or a part of a call, whose functions and keywords there are."""
    if "..." in text:
        return False
    for shape in ("{}", "f({})", "x{}", "x {}", "{}\ndef f(): ..."):
        try:
            tree = ast.parse(shape.format(text) if "{" not in text else shape.replace("{}", text))
        except (SyntaxError, UnicodeError):
            continue
        return all(name in known_names() for name in _named(tree))
    return False


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
                yield name
            case ast.keyword(str(name)):
                yield name


@cache
def known_names() -> frozenset[str]:
    """Return the names of all functions, classes, fields and parameters of the source, and those that Python has."""
    found = {
        *dir(builtins),
        "f",
        "a",
        "A",
        "astype",
        "withColumnRenamed",
        "from_pylist",
        "RecordBatch",
        "write",
        "config",
        "getOrCreate",
        "x",
        "user",
    }
    for tree in trees(SOURCE).values():
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef(name) | ast.ClassDef(name) | ast.arg(name) | ast.AnnAssign(ast.Name(name)):
                    found.add(name)
    return frozenset(found)


def is_toml(text: str) -> bool:
    for one in (text, f"x = {text}"):
        try:
            tomllib.loads(one)
        except tomllib.TOMLDecodeError:
            continue
        return "..." not in text
    return False


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def is_trace(text: str) -> bool:
    return any(_accepts(reads, one) for reads in (trace, literal) for one in (text, f"1 {text}"))


def is_log(text: str) -> bool:
    """Say whether a text is a line of a log, or a pattern for one."""
    if "=" in text and not isinstance(read_logfmt(text), Refused):
        return True
    return re.search(r"%\{|\\", text) is not None and _accepts(line_pattern, f"{text} %{{INT:n}}")


def is_schema(text: str) -> bool:
    """Say whether a text declares the kind of an attribute."""
    name, _, kind = text.partition(": ")
    return name.isidentifier() and kind.removesuffix("?") in {one.value for one in Kind}


def is_option(text: str) -> bool:
    """Say whether a text is a command line of ours, or options of one."""
    words = shlex.split(text) if text.count("'") % 2 == 0 and text.count('"') % 2 == 0 else []
    if words[:1] == ["cepheid"]:
        return any(_takes(command, words[length:]) for length, command in _commands() if _called(command, words))
    return bool(words) and words[0].startswith("-") and any(_takes(command, words) for _, command in _commands())


def is_shell(text: str) -> bool:
    """Say whether a text is a line for a shell or for `cepheid repl`, by how it begins."""
    if text.startswith("\\"):
        return text[1:].partition(" ")[0] in COMMANDS
    return re.match(r"(jq|iconv|pip install|python -m|[A-Z]+=\S+)", text) is not None and "..." not in text


@cache
def _commands() -> tuple[tuple[int, click.Command], ...]:
    def inner(command: click.Command, depth: int) -> Iterator[tuple[int, click.Command]]:
        yield depth, command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                found = command.get_command(context, name)
                assert found is not None
                yield from inner(found, depth + 1)

    return tuple(inner(main, 1))


def _called(command: click.Command, words: list[str]) -> bool:
    return command.name in words[1:3]


def _takes(command: click.Command, words: list[str]) -> bool:
    try:
        _, rest, _ = command.make_parser(click.Context(command)).parse_args(list(words))
    except click.UsageError:
        return False
    return not any(word.startswith("--") for word in rest)
