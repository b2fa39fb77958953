"""Documents: JSON and XML, read from files or parsed from texts, and what paths find in them."""

from cepheid.palettes.documents.json_paths import jsonpath
from cepheid.palettes.documents.json_texts import json_lines, parse_json
from cepheid.palettes.documents.xml_documents import parse_xml, xml
from cepheid.palettes.documents.xpaths import xpath

__all__ = ["json_lines", "jsonpath", "parse_json", "parse_xml", "xml", "xpath"]
