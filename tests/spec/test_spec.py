"""Every page in this directory runs, on every runner. REWRITE=1 fills in what the definition finds instead."""

import os
from pathlib import Path

import pytest

from cepheid.testing import DefinitionRunner, Runner
from tests.spec.block import SpecBlock, fields, listed, outcome, rewrite, spec_blocks

PAGES = sorted(Path(__file__).parent.rglob("*.md"))
BLOCKS = [block for page in PAGES for block in spec_blocks(page)]


@pytest.mark.parametrize("spec", BLOCKS, ids=lambda spec: spec.place)
def test_a_page_says_what_is_found(spec: SpecBlock, runner: Runner) -> None:
    said = fields(spec.block.content)
    found = outcome(said, spec.block.arguments, spec.place, runner)
    if not os.environ.get("REWRITE"):
        assert {name: listed(said.get(name, "")) for name in found} == {name: sorted(found[name]) for name in found}
    elif isinstance(runner, DefinitionRunner):
        rewrite(spec, found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_has_a_title_and_runs(page: Path) -> None:
    assert page.read_text(encoding="utf-8").startswith("# ")
    assert spec_blocks(page)
