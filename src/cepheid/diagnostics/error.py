"""The one exception that users of Cepheid see."""

from cepheid.diagnostics.diagnostic import Diagnostic, Label
from cepheid.diagnostics.drawing import draw


class CepheidError(Exception):
    """One or more diagnostics; `str` of it is their drawing."""

    def __init__(self, first: Diagnostic, *others: Diagnostic) -> None:
        super().__init__(first, *others)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.args

    def draw(self, *, colour: bool = False) -> str:
        return "\n\n".join(draw(diagnostic, colour=colour) for diagnostic in self.diagnostics)

    def __str__(self) -> str:
        return self.draw()


def internal_error(what: str, *labels: Label) -> CepheidError:
    """The error for a bug of ours: `what` says which promise did not hold.

    >>> raise internal_error("the plan has no operator for `Join`")
    Traceback (most recent call last):
        ...
    cepheid.diagnostics.error.CepheidError: error[internal]: the plan has no operator for `Join`
      = note: this is a bug in Cepheid, not in your query
      = hint: please report it with the query and this whole message
    """
    note = "this is a bug in Cepheid, not in your query"
    hint = "please report it with the query and this whole message"
    return CepheidError(Diagnostic("internal", what, labels, hints=(hint,), notes=(note,)))
