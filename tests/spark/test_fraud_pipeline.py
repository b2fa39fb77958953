"""The fraud example as a pipeline on Spark: what is expected of the rules lies in its output."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from examples.fraud.pipeline import HERE, demonstrate, prepare, suspicions


def expected() -> list[tuple[object, ...]]:
    lines = (HERE / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    return sorted((one["rule"], one["time"][:19]) for one in map(json.loads, lines))


def test_the_demonstration_finds_every_fraud(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = tmp_path / "demo"
    prepare(directory, unrelated=60)
    demonstrate(directory)
    assert sorted((row["match"], str(row["end"])[:19]) for row in suspicions(directory)) == expected()
    shown = capsys.readouterr().out
    parts = (
        "FraudPassThrough: bounded",
        "runs     ",
        "batch 0: ",
        "batch 1: ",
        "FraudRefundScam       2018-01-",
        "the matches lie in ",
    )
    assert sorted(parts, key=shown.index) == list(parts)
