"""Programs that mean something are never refused, and a name that nobody bears is always found."""

from hypothesis import assume, given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Field
from cepheid.algebra.programs import Program
from cepheid.algebra.traversal import transform, walk
from cepheid.algebra.validation import findings
from cepheid.testing.strategies import programs


@given(programs())
def test_a_program_that_means_something_is_not_refused(program: Program) -> None:
    assert list(findings(program)) == []


@given(programs(), st.data())
def test_a_name_that_nobody_bears_is_found(program: Program, data: st.DataObject) -> None:
    read = sorted({item.part for item in walk(program.rules) if isinstance(item, Field)})
    assume(read)
    lost = data.draw(st.sampled_from(read))

    def misspelled(item: object) -> object:
        return Field("nobody", item.name) if isinstance(item, Field) and item.part == lost else item

    assert "unknown-part" in {finding.code for finding in findings(transform(program, misspelled))}
