"""Where events come from and where matches go: files, standard input, frames, lists; JSON, CSV, tables, Parquet.

Input is read in chunks, so that its size does not matter. What is no event is set aside with its place and its reason.
"""

from cepheid.connectors.arrivals import (
    KnownIds,
    duplicate,
    far_ahead,
    late,
    moved_back,
    of_templates,
    without_duplicates,
)
from cepheid.connectors.arrow_columns import values_of
from cepheid.connectors.batches import Batch, lists_of_batch, parts_of_table, table_of_batch
from cepheid.connectors.byte_streams import is_waited_for, opened_stream, readable
from cepheid.connectors.chunks import Chunk, Origin
from cepheid.connectors.column_files import ArrowLayout, ColumnFileWriter, Layout, ParquetLayout
from cepheid.connectors.column_reading import can_be_columns, unnoted
from cepheid.connectors.column_sorting import (
    ColumnBuffer,
    PartBuffer,
    are_in_order,
    in_order_of_time,
    not_in_order,
)
from cepheid.connectors.column_trials import ColumnTrial
from cepheid.connectors.columns import Columns
from cepheid.connectors.csv_columns import bytes_of_texts
from cepheid.connectors.event_columns import AnyChunk, ColumnChunk, EventColumns, in_columns, row_chunks, rows_of_chunk
from cepheid.connectors.event_source import EventSource, SourceInParts, UnreadPart
from cepheid.connectors.match_lists import Listed, MatchColumns, Matches, MatchLists
from cepheid.connectors.objects import Glance, ObjectReader
from cepheid.connectors.outlook import Outlook
from cepheid.connectors.path_names import is_among
from cepheid.connectors.records import Reading
from cepheid.connectors.rejects import DUPLICATE, FAR_AHEAD, LATE, MOVED_BACK, Refused, Reject
from cepheid.connectors.reports import Report, reports
from cepheid.connectors.screens import UNSAYABLE, shown_on
from cepheid.connectors.sorted_runs import SortedRuns
from cepheid.connectors.sorting import SortBuffer
from cepheid.connectors.sources import STANDARD_INPUT, ArrowStream, Input, is_read_again, source_of
from cepheid.connectors.tables import records_of_frame, rows_of_file, rows_of_frame
from cepheid.connectors.text_cells import to_json
from cepheid.connectors.whole_files import open_text, rewritable_file, writable, write_text
from cepheid.connectors.wider_columns import JSON
from cepheid.connectors.writers import CsvWriter, JsonLinesWriter, RejectsWriter, TableWriter, Writer
from cepheid.events import (
    TICKS_PER_UNIT,
    TIME_UNITS,
    Calendar,
    Form,
    Time,
    TimeUnit,
    plain_json,
    show_time,
    time_reader,
)

__all__ = [
    "DUPLICATE",
    "FAR_AHEAD",
    "JSON",
    "LATE",
    "MOVED_BACK",
    "STANDARD_INPUT",
    "TICKS_PER_UNIT",
    "TIME_UNITS",
    "UNSAYABLE",
    "AnyChunk",
    "ArrowLayout",
    "ArrowStream",
    "Batch",
    "Calendar",
    "Chunk",
    "ColumnBuffer",
    "ColumnChunk",
    "ColumnFileWriter",
    "ColumnTrial",
    "Columns",
    "CsvWriter",
    "EventColumns",
    "EventSource",
    "Form",
    "Glance",
    "Input",
    "JsonLinesWriter",
    "KnownIds",
    "Layout",
    "Listed",
    "MatchColumns",
    "MatchLists",
    "Matches",
    "ObjectReader",
    "Origin",
    "Outlook",
    "ParquetLayout",
    "PartBuffer",
    "Reading",
    "Refused",
    "Reject",
    "RejectsWriter",
    "Report",
    "SortBuffer",
    "SortedRuns",
    "SourceInParts",
    "TableWriter",
    "Time",
    "TimeUnit",
    "UnreadPart",
    "Writer",
    "are_in_order",
    "bytes_of_texts",
    "can_be_columns",
    "duplicate",
    "far_ahead",
    "in_columns",
    "in_order_of_time",
    "is_among",
    "is_read_again",
    "is_waited_for",
    "late",
    "lists_of_batch",
    "moved_back",
    "not_in_order",
    "of_templates",
    "open_text",
    "opened_stream",
    "parts_of_table",
    "plain_json",
    "readable",
    "records_of_frame",
    "reports",
    "rewritable_file",
    "row_chunks",
    "rows_of_chunk",
    "rows_of_file",
    "rows_of_frame",
    "show_time",
    "shown_on",
    "source_of",
    "table_of_batch",
    "time_reader",
    "to_json",
    "unnoted",
    "values_of",
    "without_duplicates",
    "writable",
    "write_text",
]
