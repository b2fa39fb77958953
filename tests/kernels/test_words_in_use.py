"""Texts that nothing has any more are in no snapshot, and in no memory where they are many."""

import pyarrow as pa
import pytest

import cepheid
from cepheid.engine.kernels import KernelDetector
from cepheid.engine.kernels.rules import kernel_run
from tests.kernels.test_restarted_state import EACH, MANY, PATTERNS, SLACK, batch


def texts(number: int) -> pa.RecordBatch:
    """Return a batch whose keys are texts."""
    made = batch(number)
    keys = pa.array([f"key {one}" for one in made["k"].to_pylist()])
    return made.set_column(made.schema.get_field_index("k"), "k", keys)


def query_of(kind: str, ties: str) -> cepheid.CompiledQuery:
    text = f"ties {ties}\nrule r:\n    {PATTERNS[kind]}\n    emits R(k = a.k)"
    return cepheid.compile(text, time_unit="us")


@pytest.mark.parametrize("kind", PATTERNS)
def test_a_snapshot_has_the_words_of_what_is_held(kind: str) -> None:
    detector, sizes = KernelDetector(query_of(kind, "simultaneous").plan), []
    for number in range(MANY):
        detector.push_batch(texts(number))
        sizes.append(len(detector.snapshot()))
    assert max(sizes[MANY // 2 :]) <= SLACK * max(sizes[: MANY // 2])


def found_by(query: cepheid.CompiledQuery) -> tuple[list[str], int]:
    """Return what is found in all batches, in some order, and how many words were known at most."""
    detector, found, most = KernelDetector(query.plan), list[str](), 0
    for number in range(MANY):
        found += map(str, detector.push_batch(texts(number)).to_pylist())
        most = max(most, len(detector.run.words))
    return sorted([*found, *map(str, detector.close().to_pylist())]), most


@pytest.mark.parametrize("ties", ["simultaneous", "arrival"])
@pytest.mark.parametrize("kind", PATTERNS)
def test_who_goes_on_with_few_words_finds_the_same(kind: str, ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    query = query_of(kind, ties)
    wanted, every = found_by(query)
    monkeypatch.setattr(kernel_run, "MANY_WORDS", EACH)
    found, most = found_by(query)
    assert found == wanted
    assert len(found) > MANY
    assert most < every // 2
