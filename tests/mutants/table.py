"""Write the table of mutants: what each gets wrong, and which property notices.

python -m tests.mutants.table docs/mutants.md
"""

import sys
from pathlib import Path

from tests.mutants import patterns, pipes
from tests.mutants.killers import killer

_HEAD = """# Mutants of the definition

Each row is a small wrong change to the definition of the algebra, as one might make it by mistake, and the property
that fails while the change is in force. `make mutants` makes the changes one by one and writes this table; a change
that no property notices is an error. The changes stand in `tests/mutants/`.

| the change | to | is noticed by |
| --- | --- | --- |
"""
_SURVIVED = "nobody"


def main(path: str) -> int:
    """Write the table; return how many mutants survive."""
    found = [(mutant, killer(mutant) or _SURVIVED) for mutant in patterns.MUTANTS + pipes.MUTANTS]
    rows = [f"| {mutant.name} | {mutant.node} | {_sentence(name)} |" for mutant, name in found]
    Path(path).write_text(_HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return sum(name == _SURVIVED for _, name in found)


def _sentence(name: str) -> str:
    """Return a test's name as the sentence it is."""
    return name.rpartition(".test_")[2].replace("_", " ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
