"""Matches as Parquet: times as timestamps or numbers, values as JSON, evidence as a list of ids."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from cepheid.connectors.reports import Report
from cepheid.connectors.screens import UNSAYABLE
from cepheid.connectors.writers import to_json
from cepheid.events import Calendar, Form, time_reader

_ROW_GROUP = 50_000
_read_date = time_reader("us")


class ParquetWriter:
    """A Parquet file of matches; numbers of seconds and milliseconds may be broken, so they are floats."""

    def __init__(self, path: Path, form: Form, *, numbered: bool) -> None:
        import pyarrow.parquet as pq  # heavy, and most output is none

        self._form = form
        self._numbered = numbered
        self._waiting: list[Report] = []
        self._writer: Any = pq.ParquetWriter(path, self._schema())  # pyarrow has no types

    def write(self, reports: Sequence[Report]) -> None:
        self._waiting += reports
        if len(self._waiting) >= _ROW_GROUP:
            self._put()

    def flush(self) -> None:
        """Leave it: a file of Parquet can be read when it is closed, and not before."""

    def close(self) -> None:
        self._put()
        self._writer.close()

    def _schema(self) -> Any:
        calendar = isinstance(self._form, Calendar)
        number = pa.int64() if self._form in ("us", "ns") else pa.float64()
        time = pa.timestamp("us", "UTC") if calendar else number
        identity = pa.int64() if self._numbered else pa.string()
        columns = [("match", pa.string()), ("start", time), ("end", time), ("known", time), ("values", pa.string())]
        return pa.schema([*columns, ("evidence", pa.list_(identity)), ("id", pa.string())])

    def _put(self) -> None:
        rows = [self._row(report) for report in self._waiting]
        self._writer.write_table(pa.Table.from_pylist(rows, self._writer.schema))
        self._waiting = []

    def _row(self, report: Report) -> dict[str, object]:
        row = report.to_dict()
        if isinstance(self._form, Calendar):
            row |= {name: None if row[name] is None else _read_date(row[name]) for name in ("start", "end", "known")}
        name = report.name.encode(errors=UNSAYABLE).decode()
        evidence = list(report.evidence) if self._numbered else list(map(str, report.evidence))
        return row | {"match": name, "values": to_json(row["values"]), "evidence": evidence}
