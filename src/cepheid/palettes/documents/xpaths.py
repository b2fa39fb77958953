"""XPath over XML: a path starts at the document, or at the element it is applied to, and may read the context.

xpath("game/pingu[@id=$id]/x/text()")
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.terms import NativeTerm, native
from cepheid.palettes.documents.xml_documents import HOLDER, etree, parsed

_VARIABLE: Final = re.compile(r"\$([A-Za-z_][\w.-]*)")
_ABSOLUTE: Final = re.compile(r"""("[^"]*"|'[^']*')|((?:^|[(\[,|=<>]|\b(?:and|or)\b)\s*)(?=/)""")
_ROOT: Final = "cepheid-document"


def xpath(path: str) -> NativeTerm:
    """What a path finds: a list of texts or elements, or the number, text or truth that it computes.

    None for what is neither a document nor an element. A name `$name` is read from the context.
    """
    names = tuple(sorted(set(_VARIABLE.findall(path))))
    _evaluator(path)

    def found(context: Callable[[str], Thing], document: Thing) -> Thing:
        element = _element(document)
        if element is None:
            return None
        holder = element.getparent()
        is_root = holder is not None and holder.tag == HOLDER and holder.getparent() is None
        variables = {name: _variable(context(name)) for name in names}
        variables["_document"] = element.getroottree().getroot()
        return _plain(_evaluator(path)(holder if is_root else element, **variables))

    return native(f"xpath({path!r})", found, in_context=True)


@cache
def _evaluator(path: str) -> Any:  # lxml has no types
    found = etree()
    # A root stands in an element of ours, so a path from the root on begins there.
    own = _ABSOLUTE.sub(lambda match: match[1] or f"{match[2]}$_document", path)
    try:
        return found.XPath(own, smart_strings=False)
    except found.XPathSyntaxError as error:
        raise refusal(f"`{path}` is no XPath: {str(error).lower()}", 'write `p.xpath("a/b/text()")`') from None


def _element(document: Thing) -> Any:  # an element of lxml
    if isinstance(document, str | bytes):
        try:
            return parsed(document)
        except ValueError:
            return None
    return document if hasattr(document, "getroottree") and hasattr(document, "getparent") else None


def _variable(value: Thing) -> Thing:
    """Return a value as XPath can read it."""
    if isinstance(value, bool | int | float | str) or hasattr(value, "getroottree"):
        return value
    return "" if value is None else str(value)


def _plain(result: Thing) -> Thing:
    return list(result) if isinstance(result, list) else result
