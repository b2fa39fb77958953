"""Files that sources of pipes read: their lines and their bytes, in memory that does not grow with them."""

from cepheid.palettes.files.reading import (
    LONGEST_LINE,
    Given,
    Line,
    bad_data,
    byte_blocks,
    name_of,
    numbered_lines,
    source,
)

__all__ = ["LONGEST_LINE", "Given", "Line", "bad_data", "byte_blocks", "name_of", "numbered_lines", "source"]
