"""The tables of the pages about speed say what was measured."""

import json

from benchmarks import door_page, engine_page, etalis_page, growth_page, pipeline_page, state_memory_page
from benchmarks.peers import page as peers_page


def test_the_table_is_made_of_the_measurements() -> None:
    written = engine_page.PAGE.read_text(encoding="utf-8")
    assert written == engine_page.page(written, json.loads(engine_page.RESULTS.read_text(encoding="utf-8")))


def test_the_table_of_other_engines_is_made_of_the_measurements() -> None:
    written = peers_page.PAGE.read_text(encoding="utf-8")
    assert written == peers_page.page(written, json.loads(peers_page.RESULTS.read_text(encoding="utf-8")))


def test_the_tables_and_plots_of_growth_are_made_of_the_measurements() -> None:
    told = json.loads(growth_page.RESULTS.read_text(encoding="utf-8"))
    written = growth_page.PAGE.read_text(encoding="utf-8")
    assert written == growth_page.page(written, told)
    for name, plot in growth_page.plots(told).items():
        assert growth_page.PAGE.with_name(name).read_text(encoding="utf-8") == plot


def test_the_table_of_memory_is_made_of_the_measurements() -> None:
    written = state_memory_page.PAGE.read_text(encoding="utf-8")
    assert written == state_memory_page.page(written, json.loads(state_memory_page.RESULTS.read_text(encoding="utf-8")))


def test_the_table_of_the_stock_ticker_is_made_of_the_measurements() -> None:
    written = etalis_page.PAGE.read_text(encoding="utf-8")
    assert written == etalis_page.page(written, json.loads(etalis_page.RESULTS.read_text(encoding="utf-8"))["runs"])


def test_the_table_of_public_calls_is_made_of_what_was_measured() -> None:
    written = door_page.PAGE.read_text(encoding="utf-8")
    assert written == door_page.page(written, json.loads(door_page.RESULTS.read_text(encoding="utf-8")))


def test_the_tables_of_pipelines_between_topics_are_made_of_what_was_measured() -> None:
    written = pipeline_page.PAGE.read_text(encoding="utf-8")
    assert written == pipeline_page.page(written, json.loads(pipeline_page.RESULTS.read_text(encoding="utf-8")))
