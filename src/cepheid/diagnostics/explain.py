"""Every code has a page that explains it."""

from importlib.resources import files

from cepheid.diagnostics.close_match import close_match
from cepheid.diagnostics.codes import codes
from cepheid.diagnostics.diagnostic import Diagnostic
from cepheid.diagnostics.error import CepheidError


def explain(code: str) -> str:
    """The page of a code, in Markdown.

    >>> explain("unknown-code").splitlines()[0]
    '# unknown-code: no error has this code'
    """
    if code not in codes:
        raise _unknown_code(code)
    return files("cepheid.diagnostics").joinpath("pages", f"{code}.md").read_text(encoding="utf-8")


def _unknown_code(code: str) -> CepheidError:
    closest = close_match(code, codes)
    hints = (f"did you mean `{closest}`?",) if closest else ()
    note = "a code stands in brackets at the start of an error, as in `error[unknown-code]`"
    message = f"no error has the code `{code}`"
    return CepheidError(Diagnostic("unknown-code", message, hints=hints, notes=(note,)))
