"""The table of the page about speed says what was measured."""

import json

from benchmarks.engine_page import PAGE, RESULTS, page


def test_the_table_is_made_of_the_measurements() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(written, json.loads(RESULTS.read_text(encoding="utf-8")))
