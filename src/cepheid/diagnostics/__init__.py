"""Errors that show the place, the reason and the way out.

A room raises `CepheidError` with one or more `Diagnostic`s. Each has a stable code, and labels that point
into the text it is about; `draw` shows it, `explain` tells more about its code.
"""

from cepheid.diagnostics.close_match import close_match
from cepheid.diagnostics.codes import codes
from cepheid.diagnostics.credentials import shown_address, without_credentials
from cepheid.diagnostics.data_place import DataPlace
from cepheid.diagnostics.diagnostic import Diagnostic, Label, Severity
from cepheid.diagnostics.drawing import draw
from cepheid.diagnostics.error import CepheidError, internal_error
from cepheid.diagnostics.explain import explain
from cepheid.diagnostics.missing_package import missing_package
from cepheid.diagnostics.page_text import html_block, html_table, html_text
from cepheid.diagnostics.readable import readable, unreadable
from cepheid.diagnostics.screen_text import shortened, visible
from cepheid.diagnostics.source import Source, Span

__all__ = [
    "CepheidError",
    "DataPlace",
    "Diagnostic",
    "Label",
    "Severity",
    "Source",
    "Span",
    "close_match",
    "codes",
    "draw",
    "explain",
    "html_block",
    "html_table",
    "html_text",
    "internal_error",
    "missing_package",
    "readable",
    "shortened",
    "shown_address",
    "unreadable",
    "visible",
    "without_credentials",
]
