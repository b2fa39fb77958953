"""Lines of text become records: by regular expressions and named patterns, as logfmt, or by a preset of a log."""

from cepheid.connectors.logs.formats import INPUT_FORMATS, LINE_FORMATS, LogLines, looks_like, reading_of_lines

__all__ = ["INPUT_FORMATS", "LINE_FORMATS", "LogLines", "looks_like", "reading_of_lines"]
