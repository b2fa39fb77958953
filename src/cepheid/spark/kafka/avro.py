"""Payloads of Avro, as the JSON that they say; Spark makes columns of that as of any other.

`fastavro` reads them, which comes with `pip install 'cepheid[avro]'`. What is no record of the schema is left as it is,
behind a byte that no text has: so it is malformed for whoever reads on, even if it happens to be JSON.
"""

import json
from base64 import b64encode
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from io import BytesIO
from typing import Any
from uuid import UUID

from cepheid.diagnostics import missing_package

MALFORMED = b"\xff"


def why_no_schema(text: str) -> str | None:
    """Return why a text is no schema of records, None where it is one."""
    try:
        parsed = _fastavro().parse_schema(json.loads(text))
    except ValueError as error:
        return f"it is no JSON: {error}"
    except (_fastavro().schema.SchemaParseException, _fastavro().schema.UnknownType, KeyError, TypeError) as error:
        return str(error) or type(error).__name__
    if not isinstance(parsed, dict) or parsed.get("type") != "record":
        return "it is of no record"
    return None if parsed.get("fields") else "it has no fields"


def json_of_avro(schema: str, header: int = 0) -> Callable[[bytes], bytes]:
    """Return what makes JSON of payloads of a schema, each of which begins behind a header of so many bytes."""
    read, parsed = _fastavro().schemaless_reader, _fastavro().parse_schema(json.loads(schema))

    def said(payload: bytes) -> bytes:
        stream = BytesIO(payload[header:])
        try:
            record = read(stream, parsed)
        except Exception:  # noqa: BLE001  # whatever is wrong with its bytes
            return MALFORMED + payload
        left = stream.read(1)
        return MALFORMED + payload if left or len(payload) < header else json.dumps(record, default=_plain).encode()

    return said


def _plain(value: object) -> object:
    """Return a value of Avro that JSON has no word for as Spark reads it from JSON."""
    match value:
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return b64encode(value).decode()
        case Decimal():
            return float(value)
        case UUID():
            return str(value)
    raise TypeError(f"Avro has no values of {type(value).__name__}")


def _fastavro() -> Any:  # the module
    try:
        import fastavro
    except ImportError:
        raise missing_package("fastavro", "avro") from None
    return fastavro
