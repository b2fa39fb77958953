"""The pipeline of a new project runs, and finds what its rule finds."""

import json
from pathlib import Path

from pyspark.sql import SparkSession

from cepheid.api import check_pipeline, new_project


def test_the_pipeline_of_a_new_project_finds_what_its_rule_finds(spark: SparkSession, tmp_path: Path) -> None:
    new_project(str(tmp_path / "fraud"))
    # The last login moves the watermark past the others.
    late = '{"type": "login", "time": "2024-05-17T10:00:00Z", "user": "eve", "place": "Bern"}\n'
    (tmp_path / "fraud" / "logins" / "later.jsonl").write_text(late)
    check_pipeline(str(tmp_path / "fraud" / "pipeline.toml")).run(lambda _: None, once=True)
    results = (tmp_path / "fraud" / "results" / "travel").glob("batch=*/part-*")
    found = [json.loads(line) for file in results for line in file.read_text().splitlines()]
    assert [(one["match"], one["values"]) for one in found] == [
        ("Travel", {"user": "ann", "from": "Oslo", "to": "Lima"})
    ]
