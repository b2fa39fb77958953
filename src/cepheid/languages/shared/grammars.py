"""Grammars from files, and texts read by them: a tree, or the place where reading stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.load_grammar import FromPackageLoader

from cepheid.diagnostics import Source, Span

Node: TypeAlias = Tree[Token]
Branch: TypeAlias = "Node | Token | None"

_SHARED = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a text leaves its grammar: after the tokens `before`, at `token`; None: no token starts at `at`."""

    source: Source
    before: tuple[Token, ...]
    token: Token | None
    at: int

    @property
    def is_end(self) -> bool:
        return self.token is not None and self.token.type == "$END"


def grammar(package: str, name: str) -> Lark:
    """Return the grammar in the file `name` of a package; what it imports is looked for in this package."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    loader = FromPackageLoader(_SHARED)
    return Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=True, import_paths=[loader])


@dataclass(frozen=True, slots=True)
class Reading:
    """The tree of a text, and its tokens."""

    tree: Node
    tokens: tuple[Token, ...]


def read_tree(reader: Lark, source: Source) -> Reading | Stop:
    """Return the tree of a text, or where reading it stopped."""
    interactive = reader.parse_interactive(source.text)
    before: list[Token] = []
    try:
        for token in interactive.iter_parse():
            before.append(token)  # noqa: PERF402  # what was read must be known when it raises
        tree: Node = interactive.feed_eof(before[-1] if before else None)  # type: ignore[no-untyped-call]  # lark's
    except UnexpectedToken as error:
        return _stop(source, before, error.token)
    except UnexpectedCharacters as error:
        return Stop(source, tuple(before), None, int(getattr(error, "pos_in_stream", 0)))
    return Reading(tree, tuple(before))


def _stop(source: Source, before: Sequence[Token], token: Token) -> Stop:
    if token.type == "$END":
        return Stop(source, tuple(before), token, source.end.start)
    earlier = tuple(one for one in before if (one.start_pos or 0) < (token.start_pos or 0))
    return Stop(source, earlier, token, token.start_pos or 0)


def span_of(branch: Node | Token, source: Source) -> Span:
    """Return the place of a node or token; an empty node is at the beginning."""
    place = branch if isinstance(branch, Token) else branch.meta
    start = getattr(place, "start_pos", None) or 0
    return source.span(start, getattr(place, "end_pos", None) or start)


def rule_of(tree: Node) -> str:
    """Return the name of the rule of a node, wherever its grammar was imported from."""
    return str(tree.data).rpartition("__")[2]
