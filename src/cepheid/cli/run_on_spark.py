"""`cepheid run --on spark`: what the options mean there."""

from typing import Any

from cepheid.api import CompiledQuery, RejectsWriter, SparkInput, SparkRun, run_on_spark
from cepheid.diagnostics import CepheidError, Diagnostic

SPARK = "spark"
_OF_THIS_PROCESS = ("type", "pattern", "input_format", "time_format", "year")
_COLUMNS = ("type_column", "time_column", "start_column", "id_column", "order_by")


def started_on_spark(
    compiled: CompiledQuery, events: tuple[str, ...], rejects: RejectsWriter | None, options: dict[str, Any]
) -> SparkRun:
    """Return the run that finds the matches over files."""
    if len(events) > 1:
        raise _refusal("Spark reads one path", "put the files into a directory: `--input events/`")
    if events == ("-",):
        raise _refusal("Spark reads files, not standard input", "name a directory: `--input events/`")
    if options["progress_of"] is not None:
        raise _refusal("Spark does not report how far matches have come", "leave out `--on spark`")
    told = [name for name in _OF_THIS_PROCESS if options[name] not in (None, ())]
    if told:
        option = f"--{told[0].replace('_', '-')}"
        raise _refusal(f"Spark reads files of events, and not with `{option}`", "leave out `--on spark`")
    return run_on_spark(
        compiled,
        SparkInput(events[0], *(options[name] for name in _COLUMNS)),
        master=options["master"],
        strict=options["strict"],
        on_reject=None if rejects is None else lambda reject: rejects.write([reject]),
        evidence=not options["no_evidence"],
        on_excess=options["on_excess"],
    )


def refuse_a_cluster(options: dict[str, Any]) -> None:
    """Refuse to run in this process where a cluster is named."""
    if options["master"] is not None:
        raise _refusal("a cluster is named, and the query runs in this process", "add `--on spark`")


def _refusal(message: str, hint: str) -> CepheidError:
    return CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
