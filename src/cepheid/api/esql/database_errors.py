"""The errors and types of PEP 249, and which of our errors is which of those."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from typing import Any, Final

from cepheid.diagnostics import CepheidError

# The names are those of PEP 249, with and without `Error` at their ends.


class Warning(Exception):  # noqa: A001, N818
    """Something that is worth a remark."""


class Error(Exception):
    """Any error of this interface."""


class InterfaceError(Error):
    """The interface is used wrongly: it was closed, or is given what it cannot take."""


class DatabaseError(Error):
    """An error of what is behind the interface."""


class DataError(DatabaseError):
    """Rows are broken."""


class OperationalError(DatabaseError):
    """Something outside failed, a file for example."""


class IntegrityError(DatabaseError):
    """Rows contradict each other."""


class InternalError(DatabaseError):
    """A promise of ours does not hold."""


class ProgrammingError(DatabaseError):
    """The text is wrong, or its parameters."""


class NotSupportedError(DatabaseError):
    """What is asked for is not there: whatever writes, for example."""


_KINDS: Final[dict[str, type[DatabaseError]]] = {
    "bad-json": DataError,
    "bad-row": DataError,
    "bad-table": DataError,
    "file-not-allowed": OperationalError,
    "internal": InternalError,
    "missing-package": OperationalError,
    "needs-whole-input": NotSupportedError,
    "unbounded-state": NotSupportedError,
    "unreadable-input": OperationalError,
}


@contextmanager
def as_database_errors() -> Iterator[None]:
    """Let errors of ours be errors of PEP 249."""
    try:
        yield
    except CepheidError as error:
        kind = _KINDS.get(error.diagnostics[0].code, ProgrammingError)
        raise kind(str(error)) from error


class TypeObject:
    """Equal to the names of all types of a kind."""

    __slots__ = ("kinds",)

    def __init__(self, *kinds: str) -> None:
        self.kinds = frozenset(kinds)

    def __eq__(self, other: object) -> bool:
        return other in self.kinds if isinstance(other, str) else self is other

    def __hash__(self) -> int:
        return hash(self.kinds)


STRING = TypeObject("text")
BINARY = TypeObject("binary")
NUMBER = TypeObject("number", "truth")
DATETIME = TypeObject("time")
ROWID = TypeObject("row")

Date, Time, Timestamp, Binary = date, time, datetime, bytes


def type_of(value: Any) -> str | None:  # any object may be a value
    """Return the name of the type of a value; None where it is of no kind that PEP 249 knows."""
    for kind, name in (
        (bool, "truth"),
        (int | float, "number"),
        (str, "text"),
        (bytes, "binary"),
        (date | time, "time"),
    ):
        if isinstance(value, kind):
            return name
    return None


def DateFromTicks(ticks: float) -> date:  # noqa: N802  # the name is PEP 249's
    """Return the day of a point in time, in seconds since 1970 in UTC."""
    return TimestampFromTicks(ticks).date()


def TimeFromTicks(ticks: float) -> time:  # noqa: N802  # the name is PEP 249's
    """Return the time of day of a point in time, in seconds since 1970 in UTC."""
    return TimestampFromTicks(ticks).time()


def TimestampFromTicks(ticks: float) -> datetime:  # noqa: N802  # the name is PEP 249's
    """Return a point in time, in seconds since 1970 in UTC."""
    return datetime.fromtimestamp(ticks, UTC).replace(tzinfo=None)
