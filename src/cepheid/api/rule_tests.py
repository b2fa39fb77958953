"""Tests of rules: events and the matches that they must have, in files beside each rule.

    guessed.cep                     the rule
    guessed.events.jsonl            events; the ending says what they are, as for every input
    guessed.matches.jsonl           the matches, one in each line
    guessed.quiet.events.jsonl      another case of the same rule, called `quiet`
    guessed.quiet.matches.jsonl
    guessed.test.toml               how the events are read and the rule is compiled: `input_format = "openssh"`

A match is described by as many of its keys as matter: `match`, `start`, `end`, `known`, `values` and `evidence`.
"""

import json
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from cepheid.api.compiling import Settings, load
from cepheid.connectors import plain_json, to_json, write_text
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, close_match, readable
from cepheid.languages import EXTENSIONS

_COMPILED: Final = ("policy", "rates", "time_unit", "tick", "disorder", "ties", "allow_unbounded", "tables", "max_jump")
_READ: Final = ("type_column", "time_column", "start_column", "id_column", "order_by", "type", "pattern", "time_format")
_OPTIONS: Final = (*_COMPILED, *_READ, "year", "input_format")
_RULES: Final = frozenset(EXTENSIONS[name] for name in ("cep", "algebra", "parte", "etalis", "hbl"))
_COMPARED: Final = ("match", "start", "end", "known", "values", "evidence")


@dataclass(frozen=True, slots=True)
class RuleTest:
    """A rule, the events of a case, and the file of its matches."""

    rule: Path
    case: str
    events: Path
    matches: Path

    @property
    def name(self) -> str:
        return f"{self.rule.stem}.{self.case}" if self.case else self.rule.stem


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a test found: matches that are missing, matches that nobody expects, or the reason why it has no answer.

    `found` are all matches; None where the rule did not run.
    """

    test: RuleTest
    missing: Sequence[Mapping[str, object]] = ()
    surplus: Sequence[Mapping[str, object]] = ()
    error: CepheidError | None = None
    count: int = 0
    found: Sequence[Mapping[str, object]] | None = field(default=None, repr=False)

    @property
    def passed(self) -> bool:
        return not self.missing and not self.surplus and self.error is None

    def drawn(self) -> str:
        """Return the difference: what is missing after `-`, what is too much after `+`, in the order of time."""
        if self.error is not None:
            return str(self.error)
        lines = [(_moment(one), 0, f"- {to_json(one)}") for one in self.missing]
        lines += [(_moment(one), 1, f"+ {to_json(one)}") for one in self.surplus]
        return "\n".join(line for *_, line in sorted(lines))

    @property
    def summary(self) -> str:
        """What is wrong, in a few words."""
        if self.error is not None:
            return self.error.diagnostics[0].message
        return f"{len(self.missing)} missing, {len(self.surplus)} not expected"


def find_tests(*paths: str) -> tuple[list[RuleTest], list[Path]]:
    """Return the tests of rules, or of all rules below folders, and the rules that have none."""
    found = {rule: list(_cases(rule)) for path in paths for rule in _rules(path)}
    tests = [test for each in found.values() for test in each]
    if not tests:
        hint = "begin with `cepheid new fraud`, or write `NAME.events.jsonl` and `NAME.matches.jsonl` beside a rule"
        raise CepheidError(Diagnostic("no-tests", f"there are no tests in `{', '.join(paths)}`", hints=(hint,)))
    return tests, [rule for rule, each in found.items() if not each]


def _rules(path: str) -> list[Path]:
    with readable(path):
        root = Path(path)
        root.stat()
    return [root] if root.is_file() else sorted(one for one in root.rglob("*") if one.suffix in _RULES)


def _cases(rule: Path) -> Iterator[RuleTest]:
    """Yield the cases of a rule: its files of events, each with its file of matches."""
    for events in sorted(rule.parent.glob(f"{rule.stem}.*")):
        first, _, last = events.name.removeprefix(f"{rule.stem}.").partition("events.")
        if last and (not first or first.endswith(".")):
            case = first.removesuffix(".")
            matches = rule.with_name(f"{rule.stem}.{case}.matches.jsonl" if case else f"{rule.stem}.matches.jsonl")
            yield RuleTest(rule, case, events, matches)


def run_test(test: RuleTest) -> Outcome:
    """Run a rule over the events of a case, and compare what it finds."""
    try:
        found = _found(test)
    except CepheidError as error:
        return Outcome(test, error=error)
    try:
        expected = _expected(test.matches) if test.matches.exists() else []
    except CepheidError as error:
        return Outcome(test, error=_replaceable(error, test), count=len(found), found=found)
    missing, surplus = _compared(expected, found)
    return Outcome(test, missing, surplus, count=len(found), found=found)


def write_matches(outcome: Outcome) -> None:
    """Write what was found as what is expected from now on."""
    kept = [{key: one[key] for key in _COMPARED if key in one and key != "known"} for one in outcome.found or ()]
    lines = [f"{to_json(one)}\n" for one in kept]
    write_text(str(outcome.test.matches), "".join(lines))


def _found(test: RuleTest) -> list[Mapping[str, object]]:
    options = _options(test.rule.with_name(f"{test.rule.stem}.test.toml"))
    settings = Settings(**{key: value for key, value in options.items() if key in _COMPILED})
    query = load(str(test.rule), settings=settings)
    run = query.run(str(test.events), **{key: value for key, value in options.items() if key not in _COMPILED})
    return [_plain(match.to_dict()) for match in run]


def _plain(value: Any) -> Any:  # whatever JSON can say
    return json.loads(to_json(plain_json(value)))


def _options(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        with readable(str(path)):
            found = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise _bad_file(path, f"it is not TOML: {error}", 'write it like `input_format = "apache"`') from None
    for name in found:
        if name not in _OPTIONS:
            close = close_match(name, _OPTIONS) or "input_format"
            raise _bad_file(path, f"there is no option `{name}`", f"did you mean `{close}`?")
    return found


def _expected(path: Path) -> list[Mapping[str, object]]:
    with readable(str(path)):
        lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            found.append(_one(line, path, number))
    return found


def _replaceable(error: CepheidError, test: RuleTest) -> CepheidError:
    """Return an error about a file of matches with the hint that it can be written anew."""
    [reason] = error.diagnostics
    hint = f"write what is found into it: `cepheid test {shlex.quote(str(test.rule))} --update`"
    return CepheidError(replace(reason, hints=(*reason.hints, hint)))


def _one(line: str, path: Path, number: int) -> Mapping[str, object]:
    hint = 'write it like `{"match": "Guessed", "end": 12}`'
    try:
        one = json.loads(line)
    except ValueError:
        one = None
    if not isinstance(one, dict):
        message = "this line does not describe a match"
        raise CepheidError(Diagnostic("bad-json", message, hints=(hint,), place=DataPlace(str(path), number)))
    return one


def _compared(
    expected: Sequence[Mapping[str, object]], found: Sequence[Mapping[str, object]]
) -> tuple[list[Mapping[str, object]], list[Mapping[str, object]]]:
    """Return what is missing and what is too much; those that say most choose first."""
    left, missing = list(found), []
    for one in sorted(expected, key=len, reverse=True):
        like = next((other for other in left if _is_like(one, other)), None)
        if like is None:
            missing.append(one)
        else:
            left.remove(like)
    surplus: list[Mapping[str, object]] = [
        {key: one[key] for key in ("match", "start", "end", "values", "evidence") if key in one} for one in left
    ]
    return missing, surplus


def _is_like(expected: Mapping[str, object], found: Mapping[str, object]) -> bool:
    return all(found.get(key) == value for key, value in expected.items() if key in _COMPARED)


def _moment(one: Mapping[str, object]) -> tuple[int, float, str]:
    end = one.get("end", one.get("start"))
    return (0, float(end), "") if isinstance(end, int | float) else (1, 0.0, str(end))


def _bad_file(path: Path, reason: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-test", f"`{path}` cannot be used: {reason}", hints=(hint,)))
