"""How a processor is refused that cannot be as it is asked for."""

from cepheid.diagnostics import CepheidError, Diagnostic


def refusal(message: str, *hints: str) -> CepheidError:
    """The error for a pipe that cannot run as it is built."""
    return CepheidError(Diagnostic("bad-pipe", message, hints=hints))


def at_least(what: str, size: object, least: int) -> int:
    """Return a size that is a whole number and not too small, or refuse it."""
    if not isinstance(size, int) or isinstance(size, bool):
        raise refusal(f"{what} is `{size!r}`", f"write a whole number, {least} or more")
    if size < least:
        raise refusal(f"{what} is {size}", f"write {least} or more")
    return size
