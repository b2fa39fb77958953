"""What nobody may see: it is kept in the environment or in a file, and where it is in the pipeline, it is not shown."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.pipelines.postgresql import without_password

_KEPT = re.compile(
    r"""((?:password|passwd|secret|token|credential|pem)[\w.-]*["']?\s*=\s*)("(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?)""", re.I
)


def without_secrets(text: str) -> str:
    r"""Return the text of a pipeline without the passwords and secrets in it.

    >>> without_secrets('options = { "sasl.password" = "hunter2", "client.id" = "a" }')
    'options = { "sasl.password" = ***, "client.id" = "a" }'
    >>> without_secrets('secret = { env = "HOOK" }')
    'secret = { env = "HOOK" }'
    """
    return _KEPT.sub(r"\1***", without_password(text))


def kept_elsewhere(name: str, table: Mapping[str, object], directory: Path) -> str:
    """Return what `{ env = "NAME" }` or `{ file = "path" }` stands for; a file's last line need not end."""
    match dict(table):
        case {"env": str(variable)} if len(table) == 1:
            found = os.environ.get(variable)
            if found is None:
                raise _absent(f"the environment has no `{variable}`", f"export {variable}=...")
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
