"""What files of text hold, told match by match: the definition of what writers make of columns."""

import csv
import io
from collections.abc import Sequence
from datetime import datetime

from cepheid.connectors import Report, to_json

FIXED = ("match", "start", "end", "known", "evidence", "id")


def json_lines(reports: Sequence[Report]) -> str:
    return "".join(f"{to_json(report.to_dict())}\n" for report in reports)


def comma_separated(reports: Sequence[Report], fields: Sequence[str]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    named = [f"values.{name}" if name in FIXED else name for name in fields]
    writer.writerow([*FIXED[:4], *named, *FIXED[4:]])
    for report in reports:
        times = map(_cell, (report.start, report.end, report.known))
        values = (_cell(report.values.get(name)) for name in fields)
        writer.writerow([report.name, *times, *values, to_json(list(report.evidence)), report.id])
    return stream.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return to_json(value).strip('"')
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return to_json(value)
