"""The tables of the pages about speed say what was measured."""

import json

from benchmarks import engine_page
from benchmarks.peers import page as peers_page


def test_the_table_is_made_of_the_measurements() -> None:
    written = engine_page.PAGE.read_text(encoding="utf-8")
    assert written == engine_page.page(written, json.loads(engine_page.RESULTS.read_text(encoding="utf-8")))


def test_the_table_of_other_engines_is_made_of_the_measurements() -> None:
    written = peers_page.PAGE.read_text(encoding="utf-8")
    assert written == peers_page.page(written, json.loads(peers_page.RESULTS.read_text(encoding="utf-8")))
