"""Files that were damaged or that hold what nobody expects: each is answered, or refused with a code.

Usage: python -m tests.hostile.files FIRST LAST

A seed makes a small file, damages it, and runs a query over it. The process lives on, and where rows can be counted
without the reader, every row is an event or was set aside.
"""

import gzip
import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

import polars  # noqa: F401  # where it is loaded, it reads groups of rows
import pyarrow as pa
import pyarrow.parquet as pq

import cepheid
from cepheid.api import CompiledQuery, Output, Reject, RejectsWriter, finite
from cepheid.diagnostics import CepheidError
from tests.hostile.damage import damaged
from tests.hostile.making import MAKERS, Made
from tests.hostile.watching import main


@cache
def queries() -> tuple[CompiledQuery, ...]:
    a, b = cepheid.event("A", name="a"), cepheid.event("B", name="b")
    read = cepheid.query((a >> b).within("5 s").where(a.x <= b.x), name="Read", values={"one": a.s, "x": b.x})
    keyed = cepheid.query((a >> b).within("5 s"), name="Keyed", by="s")
    return (
        cepheid.compile("(A ; B) within 5 s", language="algebra"),
        cepheid.compile("(A ; B) within 5 s", disorder="2 s", language="algebra"),
        cepheid.compile(read),
        cepheid.compile(keyed, disorder="0 s"),
    )


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="hostile-"))  # where `watching` removes it


def case(seed: int) -> str:
    """Run a query over the file of a seed, or over a stream of its bytes, and return what became of it."""
    random = Random(seed)
    made = random.choice(MAKERS)(random)
    whole = random.random() < 0.2
    data = made.data if whole else damaged(made.data, random)
    if random.random() < 0.2:
        return _answered(io.BytesIO(data), random, _rows(made, data, whole) if _says_its_format(made, data) else None)
    packed = made.ending in (".jsonl", ".csv") and random.random() < 0.2
    path = _folder() / f"events{made.ending}{'.gz' if packed else ''}"
    path.write_bytes(_packed(data, random) if packed else data)
    try:
        with _as_if_long(made.ending == ".parquet" and random.random() < 0.5):
            return _answered(path, random, None if packed else _rows(made, data, whole))
    finally:
        path.unlink()


@contextmanager
def _as_if_long(wanted: bool) -> Iterator[None]:
    """Let a small file be read in parts, by several threads, as long ones are."""
    many = finite.MANY
    finite.MANY = 1 if wanted else many
    try:
        yield
    finally:
        finite.MANY = many


def _says_its_format(made: Made, data: bytes) -> bool:
    """Say whether the first bytes of a text still say what it is."""
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    return is_json if made.ending == ".jsonl" else made.ending == ".csv" and not is_json


def _packed(data: bytes, random: Random) -> bytes:
    packed = gzip.compress(data, mtime=0)
    return damaged(packed, random) if random.random() < 0.5 else packed


def _answered(path: Path | io.BytesIO, random: Random, rows: int | None) -> str:
    query = random.choice(queries())
    rejects: list[Reject] = []
    identity = random.choice([None, None, None, "s"])
    threads = 2 if finite.MANY == 1 else None
    run = query.run(path, on_reject=rejects.append, id_column=identity, threads=threads)
    output = _output(query, random)
    try:
        with output:
            for portion in run.portions():
                output.write(portion)
            output.close(run.nothing())
    except CepheidError as error:
        return code_of(error)
    _tell(rejects)
    assert len(rejects) == run.summary.rejected
    counted = run.summary.events + run.summary.rejected
    assert rows is None or counted == rows, f"{counted} rows are accounted for, and there are {rows}"
    return f"answer with {'rejects' if rejects else 'all rows'}"


def _output(query: CompiledQuery, random: Random) -> Output:
    """Where matches are written to; to a file of columns now and then, which takes long."""
    if random.random() < 0.1:
        return Output(str(_folder() / f"matches.{random.choice(['parquet', 'arrow'])}"), None, query.fields)
    return Output(io.StringIO(), random.choice(["jsonl", "csv", "table"]), query.fields)


def code_of(error: CepheidError) -> str:
    """Return the code of an error, which can be drawn and is not ours."""
    code = error.diagnostics[0].code
    assert str(error).startswith(f"error[{code}]")
    assert code != "internal"
    return code


def _tell(rejects: list[Reject]) -> None:
    """Write what was set aside as it goes to a file."""
    with io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") as file:
        RejectsWriter(file).write(rejects)


def _rows(made: Made, data: bytes, whole: bool) -> int | None:
    """Return how many rows there are, where that can be counted: all of a whole file, the lines of a text, and
    as many as a Parquet file says.
    """
    text = data.decode(errors="replace").removeprefix("\ufeff")
    if made.ending == ".jsonl":
        return sum(1 for line in text.split("\n") if line.strip())
    if made.ending == ".csv" and not ({'"', "\r"} & set(text)):
        return max(0, sum(1 for line in text.split("\n") if line) - 1) if text.split("\n")[0] else None
    return made.rows if whole else _rows_said(data) if made.ending == ".parquet" else None


def _rows_said(data: bytes) -> int | None:
    try:
        return int(pq.ParquetFile(io.BytesIO(data)).metadata.num_rows)
    except (pa.ArrowException, OSError):
        return None


if __name__ == "__main__":
    sys.exit(main("tests.hostile.files", sys.argv[1:]))
