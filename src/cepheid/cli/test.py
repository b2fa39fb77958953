"""`cepheid test`: run rules over the events beside them, and compare what they find with what they should."""

from collections.abc import Sequence
from xml.etree import ElementTree

import click

from cepheid.api import Outcome, find_tests, run_test, write_matches, write_text
from cepheid.cli.telling import say

_HELP = """Test rules: run each over the events beside it, and compare the matches.

\b
Beside a rule `guessed.cep` stand `guessed.events.jsonl` (or .csv, .log and so on) and `guessed.matches.jsonl`; further
cases are called `guessed.CASE.events.jsonl`. `guessed.test.toml` says how events are read: input_format = "openssh".

\b
Examples:
  cepheid test rules/
  cepheid test rules/ --junit report.xml
  cepheid test rules/guessed.cep --update
"""
_FAILED = 1


@click.command(help=_HELP)
@click.argument("paths", nargs=-1, required=True)
@click.option("--junit", metavar="FILE", help="Write what was found as JUnit XML, too.")
@click.option("--update", is_flag=True, help="Write what is found into the files of matches; read the difference then.")
def test(paths: tuple[str, ...], junit: str | None, update: bool) -> None:
    """Run the tests of all rules, and end with status 1 where one fails."""
    tests, untested = find_tests(*paths)
    outcomes = [_told(run_test(one), update) for one in tests]
    for rule in untested:
        say(f"none  {rule.stem}: there is no `{rule.stem}.events.jsonl` beside it")
    if junit is not None:
        _write_junit(junit, outcomes)
    failed = sum(not one.passed for one in outcomes)
    say(f"{len(outcomes) - failed} passed, {failed} failed")
    if failed:
        click.get_current_context().exit(_FAILED)


def _told(outcome: Outcome, update: bool) -> Outcome:
    """Say what came of a test."""
    test = outcome.test
    if update and outcome.found is not None and (not outcome.passed or not test.matches.exists()):
        write_matches(outcome)
        say(f"wrote {test.matches} ({_matches(outcome)})")
        return Outcome(test, count=outcome.count)
    if outcome.passed:
        say(f"ok    {test.name} ({_matches(outcome)})")
    else:
        drawn = outcome.drawn().replace("\n", "\n      ")
        say(f"FAIL  {test.name} ({test.events})\n      {drawn}")
    return outcome


def _matches(outcome: Outcome) -> str:
    return "1 match" if outcome.count == 1 else f"{outcome.count} matches"


def _write_junit(path: str, outcomes: Sequence[Outcome]) -> None:
    failed = str(sum(not one.passed for one in outcomes))
    root = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(root, "testsuite", name="cepheid", tests=str(len(outcomes)), failures=failed)
    for one in outcomes:
        case = ElementTree.SubElement(suite, "testcase", classname=str(one.test.rule), name=one.test.name)
        if not one.passed:
            ElementTree.SubElement(case, "failure", message=_without_controls(one.summary)).text = _without_controls(
                one.drawn()
            )
    write_text(path, ElementTree.tostring(root, encoding="unicode") + "\n")


def _without_controls(text: str) -> str:
    """Return a text as XML can hold it."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
