"""A project to begin with: a rule with its test, some events, and a pipeline that runs the rule on Spark."""

import os
from pathlib import Path
from typing import Final

from cepheid.connectors import writable, write_text
from cepheid.diagnostics import CepheidError, Diagnostic

_RULE = """\
# The same user logs in from two places within five minutes.
rule Travel:
  (a: login then b: login within 5 min on a.user == b.user) where a.place != b.place
  emits Travel(user = a.user, from = a.place, to = b.place)
"""
_EVENTS = """\
{"type": "login", "time": "2024-05-17T08:30:00Z", "user": "ann", "place": "Oslo"}
{"type": "login", "time": "2024-05-17T08:30:20Z", "user": "bob", "place": "Rome"}
{"type": "login", "time": "2024-05-17T08:31:00Z", "user": "ann", "place": "Lima"}
{"type": "login", "time": "2024-05-17T08:59:00Z", "user": "bob", "place": "Bonn"}
"""
_MATCHES = """\
{"match": "Travel", "end": "2024-05-17T08:31:00Z", "values": {"user": "ann", "from": "Oslo", "to": "Lima"}}
"""
_NOBODY = """\
{"type": "login", "time": "2024-05-17T08:30:00Z", "user": "ann", "place": "Oslo"}
{"type": "login", "time": "2024-05-17T08:36:00Z", "user": "ann", "place": "Lima"}
"""
_PIPELINE = """\
# Logins come into a directory as JSON lines, and what the rule finds goes into another one.
# `cepheid pipeline check pipeline.toml`, then `cepheid pipeline run pipeline.toml`; both need PySpark.

[pipeline]
name = "{name}"
checkpoint = "state/checkpoint"    # what is done already: a restart goes on from here
trigger = "once"                   # take in what is there, and end; "10 s" would go on for ever

[sources.logins]
format = "json"
path = "logins"
schema = "type string, time string, user string, place string"
disorder = "1 min"                 # an event may come up to a minute after a later one

[queries.travel]
file = "rules/travel.cep"
rates = {{ login = "100/s" }}
ties = "simultaneous"              # Spark reads rows in any order: of two logins at one time none is the first

[sinks.travel]
query = "travel"
format = "json"
path = "results/travel"
"""
_README = """\
# {name}

    cepheid test rules                                          the tests of all rules
    cepheid run rules/travel.cep --input logins                 the matches of a rule
    cepheid check rules/travel.cep --rate login=100/s           what it costs
    cepheid pipeline run pipeline.toml                          the same on Spark

`rules/travel.cep` is a rule. Beside it stand events, `travel.events.jsonl`, and the matches that they must have,
`travel.matches.jsonl`; `travel.late.events.jsonl` is a second case, in which nothing is found.
"""
_FILES: Final = {
    "README.md": _README,
    "pipeline.toml": _PIPELINE,
    "logins/2024-05-17.jsonl": _EVENTS,
    "rules/travel.cep": _RULE,
    "rules/travel.events.jsonl": _EVENTS,
    "rules/travel.matches.jsonl": _MATCHES,
    "rules/travel.late.events.jsonl": _NOBODY,
    "rules/travel.late.matches.jsonl": "",
}
_FORMATTED: Final = ("README.md", "pipeline.toml")


def new_project(folder: str) -> list[Path]:
    """Write the files of a new project into a folder, and return their names; one with files in it is left alone."""
    root = Path(folder)
    if _is_there(folder) and (not root.is_dir() or any(root.iterdir())):
        message = f"there is something in `{folder}` already"
        raise CepheidError(Diagnostic("existing-project", message, hints=(f"name another folder: `{folder}-2`",)))
    name = Path(os.path.abspath(folder)).name
    written = []
    for file, text in _FILES.items():
        path = root / file
        with writable(str(path)):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_text(str(path), text.format(name=name) if file in _FORMATTED else text)
        written.append(path)
    return written


def _is_there(folder: str) -> bool:
    """Say whether there is something of that name, or refuse a name that nothing can have."""
    try:
        os.stat(folder)
    except ValueError:
        message = f"`{folder}` cannot be written: no file has such a name"
        raise CepheidError(Diagnostic("unwritable-output", message)) from None
    except OSError:  # what is wrong with it is said where it is written
        return False
    return True
