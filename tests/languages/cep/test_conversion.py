"""What is converted to the native language is the same program and keeps its matches."""

import pytest
from hypothesis import settings

from tests.languages.cep.conversion import QUERIES, converted


@pytest.mark.parametrize("language", QUERIES)
def test_a_query_of_every_language_keeps_its_matches(language: str) -> None:
    count = min(settings().max_examples, 40)
    assert converted(language, count)["queries"] == count
