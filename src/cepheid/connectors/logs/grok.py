r"""Patterns of lines: regular expressions with named groups, and `%{IP:ip}` for patterns that have a name.

    %{SYSLOGTIMESTAMP:time} %{HOST:host} sshd\[%{INT:pid}\]: %{WORD:type} password for %{USER:user} from %{IP:ip}

`%{NAME:field:kind}` says what the text is read as: `int`, `float`, `bool` or `string`. What a group finds is a field;
of two groups for one field, the one that found something. All of it is searched for by RE2, so no pattern can hang.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cepheid.algebra.text_functions import expression_named
from cepheid.connectors.logs.named_patterns import NAMED
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import Value, casts

_USE = re.compile(r"%\{([^{}]*)\}")
_USAGE = re.compile(r"(?P<name>\w+)(?::(?P<field>[\w.@-]+))?(?::(?P<kind>\w+))?", re.ASCII)
_GROUP = re.compile(r"\(\?P?<([A-Za-z_]\w*)>")
_OWN = "cepheid_"
_MOST_DEEP = 16
KINDS: Final[Mapping[str, Callable[[Value], Value]]] = {
    "int": casts.cast_int,
    "float": casts.cast_float,
    "bool": casts.cast_bool,
    "string": lambda text: text,
}


@dataclass(frozen=True, slots=True)
class LinePattern:
    """A pattern that is ready to be searched for; each group is a field of a kind."""

    text: str
    expression: Any  # re2 has no types
    groups: tuple[tuple[str, str, Callable[[Value], Value]], ...]
    time_formats: Mapping[str, str]

    def record(self, line: str) -> dict[str, Value] | None:
        """Return the fields of a line; None where the pattern is not found in it."""
        found = self.expression.search(line)
        if found is None:
            return None
        record: dict[str, Value] = {}
        for group, name, read in self.groups:
            text = found.group(group)
            if text is not None or name not in record:
                record[name] = None if text is None else read(text)
        return record

    def reach(self, line: str) -> str | None:
        """Return up to where a line is as the pattern says: the first part of the pattern that is not found."""
        ends = [use.start() for use in _USE.finditer(self.text)]
        for place in ends:
            begin = line_pattern(self.text[:place]) if place and _is_whole(self.text[:place]) else None
            if begin is not None and begin.expression.search(line) is None:
                return self.text[:place]
        return None


@dataclass(slots=True)
class _Writing:
    """The regular expression that is being written, with the fields of its groups."""

    whole: str
    fields: list[tuple[str, str, str]] = field(default_factory=list)
    time_formats: dict[str, str] = field(default_factory=dict)

    def written(self, text: str, depth: int = 0) -> str:
        """Return a pattern with all that is named in it written out."""
        if depth > _MOST_DEEP:
            raise _bad(self.whole, "its named patterns contain each other", "write it without them")
        if "%{" in _USE.sub("", text):
            raise _bad(self.whole, "a `%{` has no end", "write it like `%{IP:ip}`")
        parts, place = [], 0
        for use in _USE.finditer(text):
            parts += [self._plain(text[place : use.start()]), self._use(use[1], depth)]
            place = use.end()
        return "".join((*parts, self._plain(text[place:])))

    def _plain(self, text: str) -> str:
        """Return a part of a regular expression, whose groups get names of ours."""
        return _GROUP.sub(lambda found: self._group(found[1], "string"), text)

    def _use(self, usage: str, depth: int) -> str:
        found = _USAGE.fullmatch(usage)
        named = None if found is None else NAMED.get(found["name"])
        if found is None or named is None:
            raise _bad(self.whole, f"there is no pattern `%{{{usage}}}`", f"write `%{{{_mended(usage)}}}`")
        inner = self.written(named.expression, depth + 1)
        if found["field"] is None:
            return f"(?:{inner})"
        kind = found["kind"] or named.kind
        if kind not in KINDS:
            close = close_match(kind, KINDS) or "string"
            hint = f"write `%{{{found['name']}:{found['field']}:{close}}}`"
            raise _bad(self.whole, f"nothing is read as `{kind}`", hint)
        if named.time_format is not None:
            self.time_formats.setdefault(found["field"], named.time_format)
        return f"{self._group(found['field'], kind)}{inner})"

    def _group(self, name: str, kind: str) -> str:
        own = f"{_OWN}{len(self.fields)}"
        self.fields.append((own, name, kind))
        return f"(?P<{own}>"


def line_pattern(text: str) -> LinePattern:
    """Return the pattern that a text says, or refuse it.

    >>> line_pattern("%{IP:ip} %{INT:status}").record("10.0.0.1 404")
    {'ip': '10.0.0.1', 'status': 404}
    """
    writing = _Writing(text)
    expression = writing.written(text)
    try:
        found = expression_named(expression)
    except ValueError as reason:
        hint = "put a backslash before a bracket that stands for itself, as in `sshd\\[`"
        raise _bad(text, _in_their_words(str(reason), expression), hint) from None
    groups = tuple((own, name, KINDS[kind]) for own, name, kind in writing.fields)
    return LinePattern(text, found, groups, writing.time_formats)


def _mended(usage: str) -> str:
    """Return the use of a pattern that was probably meant, without what cannot be a field or a kind."""
    name, *rest = usage.split(":")
    close = close_match(name, NAMED) or "NOTSPACE"
    uses = (_USAGE.fullmatch(":".join((close, *rest[:length]))) for length in (2, 1))
    fitting = (use[0] for use in uses if use is not None and (use["kind"] is None or use["kind"] in KINDS))
    return next(fitting, close)


def named_patterns() -> Iterator[str]:
    yield from sorted(NAMED)


def _in_their_words(reason: str, expression: str) -> str:
    return reason.partition(": ")[0] if expression in reason or _OWN in reason else reason


def _is_whole(text: str) -> bool:
    try:
        line_pattern(text)
    except CepheidError:
        return False
    return True


def _bad(pattern: str, reason: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-pattern", f"`{pattern}` cannot be searched for: {reason}", hints=(hint,)))
