"""XML documents, parsed by lxml with entities and the network off.

A document is its root element. A file may hold several documents, one behind the other.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final
from xml.parsers import expat

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.terms import native
from cepheid.diagnostics import missing_package
from cepheid.palettes.files import Given, bad_data, byte_blocks, source

HOLDER: Final = "document"
"""The element that every root stands in, so that paths can begin at the document."""

LARGEST_DOCUMENT: Final = 16 * 1024 * 1024
_DEEPEST: Final = 200
"""Deeper documents are refused, as lxml does it."""


def xml(src: Given) -> Processor:
    """The documents of a file, one after the other."""
    return source("xml", src, _documents)


@cache
def etree() -> Any:  # lxml has no types
    """Return the module of lxml, or say that it is not there."""
    try:
        from lxml import etree as found  # an extra
    except ImportError:
        raise missing_package("lxml", "xml") from None
    return found


class _EntitiesError(Exception):
    """A document declares entities, which are never read."""


def parsed(text: str | bytes) -> Any:  # an element of lxml
    """Return the root of a document; what is none raises `ValueError`."""
    found = etree()
    parser = found.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False)
    try:
        root = found.fromstring(text.encode() if isinstance(text, str) else text, parser)
    except (found.XMLSyntaxError, ValueError) as error:
        raise ValueError(str(error)) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise ValueError("the document has a type of its own")
    holder = found.Element(HOLDER)
    holder.append(root)
    return root


def _parsed(text: Thing) -> Thing:
    if not isinstance(text, str | bytes) or len(text) > LARGEST_DOCUMENT:
        return None
    try:
        return parsed(text)
    except ValueError:
        return None


parse_xml = native("parse_xml", _parsed)
"""The document that a text of XML says; None for what is none."""


def _documents(given: Given) -> Iterator[Thing]:
    etree()
    rest, number = b"", 0
    blocks = byte_blocks(given)
    while True:
        number += 1
        document, rest = _next_document(rest, blocks, given, number)
        if document is None:
            return
        try:
            yield parsed(document)
        except ValueError as error:
            raise bad_data("bad-xml", f"document {number} is not XML: {error}", given) from None


class _Splitter:
    """Finds where a document ends; refuses what would grow when it is read."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.depth, self.end = 0, -1
        self.parser.StartElementHandler = self._starts
        self.parser.EndElementHandler = self._ends
        self.parser.StartDoctypeDeclHandler = self._refuses

    def _starts(self, *_: Thing) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("it is nested too deep")

    def _ends(self, *_: Thing) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.end = self.parser.CurrentByteIndex

    def _refuses(self, *_: Thing) -> None:
        raise ValueError("it has a document type, which may declare entities")


def _next_document(rest: bytes, blocks: Iterator[bytes], given: Given, number: int) -> tuple[bytes | None, bytes]:
    """Return the bytes of the next document and what follows it; None when only white space is left."""
    splitter, text = _Splitter(), rest.lstrip()
    fed = 0
    try:
        while True:
            _feed(splitter, text[fed:])
            fed = len(text)
            if splitter.end >= 0:
                end = _end_of(text, splitter.end)
                if end is not None:
                    return text[:end], text[end:]
            if len(text) > LARGEST_DOCUMENT:
                raise ValueError(f"it has more than {LARGEST_DOCUMENT:,} bytes")
            block = next(blocks, b"")
            if not block:
                if not text.strip():
                    return None, b""
                raise ValueError("it does not end")
            text = (text + block) if text else block.lstrip()
    except (ValueError, expat.ExpatError) as error:
        raise bad_data("bad-xml", f"document {number} is not XML: {error}", given) from None


def _feed(splitter: _Splitter, block: bytes) -> None:
    """Hand bytes to the parser; what it says behind the end of the document is about the next one."""
    if splitter.end >= 0 or not block:
        return
    try:
        splitter.parser.Parse(block, False)
    except expat.ExpatError:
        if splitter.end < 0:
            raise


def _end_of(text: bytes, last_tag: int) -> int | None:
    """Return where the last tag ends, which begins at a place, or ends there where the element is empty."""
    if text[last_tag : last_tag + 2] != b"</":
        return last_tag
    end = text.find(b">", last_tag)
    return None if end < 0 else end + 1
