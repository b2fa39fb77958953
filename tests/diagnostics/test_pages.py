"""Every code has a page, and every page runs.

A `python` block with a `text` block next after it must raise a `CepheidError` drawn exactly as the text. Any
other `python` block shows how it is done right, and must run through. Each block starts afresh.
"""

from importlib.resources import files
from itertools import pairwise

import pytest

from cepheid.diagnostics import CepheidError, codes, explain
from tests.markdown import Block, blocks


def error_of(block: Block, name: str) -> str | None:
    """The drawing of the error that the block raises, or None if it raises none."""
    program = compile("\n" * (block.line - 1) + block.content, name, "exec")
    try:
        exec(program, {"__name__": "page"})
    except CepheidError as error:
        return str(error)
    return None


def expected_errors(page: str) -> list[tuple[Block, str | None]]:
    """The python blocks of a page, each with the text that has to come of it."""
    found = [*blocks(page), Block("end", "", 0)]
    return [
        (block, after.content.rstrip("\n") if after.language == "text" else None)
        for block, after in pairwise(found)
        if block.language == "python"
    ]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    pages = files("cepheid.diagnostics").joinpath("pages")
    assert {page.name for page in pages.iterdir()} == {f"{code}.md" for code in codes}


@pytest.mark.parametrize("code", sorted(codes))
def test_a_page_starts_with_its_code_and_title(code: str) -> None:
    assert explain(code).splitlines()[0] == f"# {code}: {codes[code]}"


@pytest.mark.parametrize("code", sorted(codes))
def test_a_page_shows_its_error_and_shows_it_truly(code: str) -> None:
    examples = expected_errors(explain(code))
    assert any(text is not None and f"[{code}]" in text for _, text in examples)
    for block, text in examples:
        assert error_of(block, f"{code}.md") == text


def test_a_block_that_draws_another_error_than_its_page_says_is_found() -> None:
    program = 'from cepheid.diagnostics import explain\nexplain("nonsense")\n'
    page = f"```python\n{program}```\n```text\nfine\n```\n"
    [(block, text)] = expected_errors(page)
    assert text == "fine"
    assert error_of(block, "page.md") not in (None, "fine")
