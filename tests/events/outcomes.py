"""What comes of a call that may be refused."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from cepheid.diagnostics import CepheidError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def outcome(
    function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result | list[str]:
    """The result, or the codes of the errors, which can be drawn."""
    try:
        return function(*arguments, **named)
    except CepheidError as error:
        return [diagnostic.code for diagnostic in error.diagnostics if str(error)]
