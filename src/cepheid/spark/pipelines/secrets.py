"""What nobody may see: it is kept in the environment or in a file, and where it is in the pipeline, it is not shown."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.pipelines.postgresql import without_password

_SECRET = r"""(?:password|passwd|secret|token|credential|pem|jaas|oauthbearer|[._-]key)[\w.-]*["']?"""
_PLACE = r"""\{\s*(?:env|file)\s*=\s*(?:"[^"\n]*"|'[^'\n]*')\s*\}"""  # where a secret is kept may be seen
_LONG = r'"{3}(?s:.*?)(?:"{3}|\Z)' + r"|'{3}(?s:.*?)(?:'{3}|\Z)"
_SHORT = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?=\s*(?:[,}\]#]|$))"""
_LINE = r"""(?:(?!"{3}|'{3})[^\n])+"""
_KEPT = re.compile(rf"({_SECRET}\s*=(?!=)[ \t]*)(?:{_PLACE}|({_LONG}|{_SHORT}|{_LINE}))", re.I | re.M)
_WITHOUT_EQUALS = re.compile(rf"^([ \t]*[\"']?[\w.-]*{_SECRET})(?![\w.\"'-])(?!\s*=(?!=))({_LINE})", re.I | re.M)
_PATHS = re.compile(r"(https?://[^/\s\"']+/)[^\s\"']+")  # who knows the path may send
_ADDRESS = re.compile(r"""^(\s*url\s*=\s*["']?(?:\w+://)?[^/"'\n]*/)[^"'\n]+""", re.M)
_OPTIONS = re.compile(r"^\s*options\b[^\n=]*=.*$", re.M)
_QUOTED = re.compile(r"""(\b(?:env|file)\s*=\s*)?("[^"\n]*"|'[^'\n]*')(\s*=)?""")


def without_secrets(text: str) -> str:
    r"""Return the text of a pipeline without the passwords and secrets in it.

    >>> without_secrets('"sasl.password" = "hunter2"')
    '"sasl.password" = ***'
    >>> without_secrets('secret = { env = "HOOK" }'), without_secrets('url = "https://host/T0/x?key=1"')
    ('secret = { env = "HOOK" }', 'url = "https://host/***"')

    A mistake does not bring one to light.

    >>> without_secrets('password = hunter2'), without_secrets('secret = ["a", "b"]'), without_secrets('secret "a"')
    ('password = ***', 'secret = ***', 'secret***')

    Any option of a client may be a secret.

    >>> without_secrets('options = { "ssl.ca" = "x", user = { env = "USER" } }')
    'options = { "ssl.ca" = "***", user = { env = "USER" } }'
    """
    shown = without_password(_WITHOUT_EQUALS.sub(_starred, _KEPT.sub(_starred, text)))
    shown = _ADDRESS.sub(r"\1***", _PATHS.sub(r"\1***", shown))
    return _OPTIONS.sub(lambda line: _QUOTED.sub(_hidden, line[0]), shown)


def _starred(kept: re.Match[str]) -> str:
    """Return stars for a secret that stands behind its key, in as many lines as it has."""
    return kept[0] if kept[2] is None else f"{kept[1]}***" + "\n" * kept[2].count("\n")


def _hidden(quoted: re.Match[str]) -> str:
    """Return stars for a value; keys, and where something is kept, may be seen."""
    return quoted[0] if quoted[1] or quoted[3] else '"***"'


def kept_elsewhere(name: str, table: Mapping[str, object], directory: Path) -> str:
    """Return what `{ env = "NAME" }` or `{ file = "path" }` stands for; a file's last line need not end."""
    match dict(table):
        case {"env": str(variable)} if len(table) == 1:
            found = os.environ.get(variable)
            if found is None:
                raise _absent(f"the environment has no `{variable}`", f"export {variable}=secret")
            return found
        case {"file": str(path)} if len(table) == 1:
            return _in_file(directory / path)
        case _:
            raise _absent(
                f"`{name}` is kept nowhere", f'write `{{ env = "NAME" }}` or `{{ file = "path" }}` for `{name}`'
            )


def _in_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "it is no text").lower()
        raise _absent(f"`{path}` cannot be read: {reason}", f"put the secret into `{path}`") from None


def _absent(message: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-pipeline", message, hints=(hint,)))
