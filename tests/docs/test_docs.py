"""What README and documentation show is what happens; `REWRITE=1` fills in what happens."""

import os
from pathlib import Path

import pytest

from tests.docs.pages_that_run import ROOT, as_it_comes_out

PAGES = [
    "README.md",
    "examples/logs/README.md",
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")),
]
ON_SPARK = pytest.mark.xdist_group("spark")  # in the process that has a session


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[ON_SPARK] if page == "docs/spark.md" else []) for page in PAGES]
)
def test_a_page_tells_the_truth(page: str, tmp_path: Path) -> None:
    written = (ROOT / page).read_text(encoding="utf-8")
    truth = as_it_comes_out(written, tmp_path)
    if os.environ.get("REWRITE"):
        (ROOT / page).write_text(truth, encoding="utf-8")
    else:
        assert written == truth


def test_what_a_page_says_is_replaced_by_what_happens(tmp_path: Path) -> None:
    program, commands = "```python\nprint(1)\n```\n", ("$ echo 1 \\\n    2\n", "$ cat <<END\n> x\n> END\n")
    said = f"{program}```text\n2\n```\n```console\n{commands[0]}3\n{commands[1]}y\n```\n"
    true = f"{program}```text\n1\n```\n```console\n{commands[0]}1 2\n{commands[1]}x\n```\n"
    assert as_it_comes_out(said, tmp_path) == true
